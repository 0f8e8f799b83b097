/* mail/compose and mail/encode: the bytes that go out, and the Maildirs that they may go to. */
#include "base/buf.h"
#include "mail/compose.h"
#include "mail/decode.h"
#include "mail/encode.h"
#include "mail/reader.h"
#include "mail/sink.h"
#include "mail/token.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct mail sample(void)
{
	return (struct mail){
		.from_address = "game@mail.test",
		.from_name = "Galloper",
		.to_address = "carol@mail.test",
		.reply_to = "game+123t2fy4hg0y342t@mail.test",
		.subject = "[falkirk-7b T3 123t2fy4hg0y342t] Turn 3",
		.text = "The map:\n.   A^6\n",
		.message_id = "<g.123t2fy4hg0y342t.00ff@mail.test>",
		.date = 1800000000, /* 2027-01-15 08:00:00 UTC, a Friday */
		.game = "falkirk-7b",
		.kind = "report",
	};
}

static char *composed(TALLOC_CTX *mem, const struct mail *m)
{
	char *bytes;
	size_t len;

	assert_null(mail_compose(mem, m, &bytes, &len));
	assert_int_equal(strlen(bytes), len);
	return bytes;
}

/* A header field with its folds undone; "" if it is not there. */
static char *field(TALLOC_CTX *mem, const char *mail, const char *name)
{
	const char *head_end = strstr(mail, "\r\n\r\n");
	char *start = talloc_asprintf(mem, "\r\n%s: ", name), *value;
	const char *at = strstr(mail, start);
	struct buf *b = buf_new(mem);

	assert_non_null(head_end);
	if (at != NULL && at < head_end)
		for (at += strlen(start); at[0] != '\r' || at[2] == ' '; at++)
			if (*at != '\r' && *at != '\n')
				buf_addc(b, *at);
	value = buf_steal(mem, b);
	return value;
}

/* What no mail of ours may break: line length, line ends, no dots, no From, no blank at a line's end, ASCII. */
static void check_lines(const char *mail)
{
	for (const char *line = mail; *line != '\0';) {
		const char *end = strstr(line, "\r\n");

		assert_non_null(end);
		assert_true(end - line <= 78);
		assert_true(*line != '.');
		assert_true(strncmp(line, "From ", 5) != 0);
		for (const char *p = line; p < end; p++)
			assert_true(*p >= ' ' && *p <= '~');
		if (end > line)
			assert_true(end[-1] != ' ');
		line = end + 2;
	}
}

/* Undoes quoted-printable (RFC 2045): an own reading, strict. */
static char *decoded(TALLOC_CTX *mem, const char *body, size_t len)
{
	struct buf *b = buf_new(mem);

	for (size_t i = 0; i < len; i++) {
		unsigned byte;

		if (body[i] != '=') {
			if (body[i] != '\r')
				buf_addc(b, body[i]);
		} else if (body[i + 1] == '\r') {
			i += 2;
		} else {
			assert_int_equal(sscanf(body + i + 1, "%2X", &byte), 1);
			buf_addc(b, (char)byte);
			i += 2;
		}
	}
	return buf_steal(mem, b);
}

static void test_headers(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct mail m = sample();
	char *mail = composed(mem, &m);

	(void)state;
	check_lines(mail);
	assert_memory_equal(mail, "Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n", 39);
	assert_string_equal(field(mem, mail, "From"), "\"Galloper\" <game@mail.test>");
	assert_string_equal(field(mem, mail, "To"), "carol@mail.test");
	assert_string_equal(field(mem, mail, "Reply-To"), "\"Galloper\" <game+123t2fy4hg0y342t@mail.test>");
	assert_string_equal(field(mem, mail, "Subject"), m.subject);
	assert_string_equal(field(mem, mail, "Message-ID"), m.message_id);
	assert_string_equal(field(mem, mail, "In-Reply-To"), "");
	assert_string_equal(field(mem, mail, "References"), "");
	assert_string_equal(field(mem, mail, "Auto-Submitted"), "auto-generated");
	assert_string_equal(field(mem, mail, "Precedence"), "bulk");
	assert_string_equal(field(mem, mail, "X-Auto-Response-Suppress"), "All");
	assert_string_equal(field(mem, mail, "List-Id"), "<falkirk-7b.galloper.mail.test>");
	assert_string_equal(field(mem, mail, "X-Galloper-Loop"), "game@mail.test");
	assert_string_equal(field(mem, mail, "X-Galloper-Mail"), "report");
	assert_string_equal(field(mem, mail, "MIME-Version"), "1.0");
	assert_non_null(strstr(mail, "=2E   A^6\r\n"));
	m.automatic = AUTO_REPLIED;
	m.game = NULL;
	m.from_name = NULL;
	mail = composed(mem, &m);
	assert_string_equal(field(mem, mail, "Auto-Submitted"), "auto-replied");
	assert_string_equal(field(mem, mail, "List-Id"), "");
	assert_string_equal(field(mem, mail, "From"), "game@mail.test");
	talloc_free(mem);
}

/* Nothing from outside can begin a header line of its own, and nothing bad reaches an address. */
static void test_injection(void **state)
{
	static const char *const evil[] = {"x\r\nBcc: all@school.example", "x\nBcc: y", "x\rBcc: y", "x\r\n\r\nbody",
		"x\r\n .",
		"\xE2\x80\xA8"
		"Bcc: y",
		"\xC2\x85"
		"Bcc: y",
		"\x7F\r\x02 Bcc: y", "\xFF\xFE\r\nBcc: y", "=?utf-8?Q?=0D=0ABcc:_y?="};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof evil / sizeof evil[0]; i++) {
		struct mail m = sample();
		char *mail;

		m.subject = m.from_name = m.kind = m.game = m.in_reply_to = m.references = evil[i];
		mail = composed(mem, &m);
		check_lines(mail);
		assert_null(strstr(mail, "\nBcc"));
		assert_null(strstr(mail, "=?utf-8?Q?=0D"));
	}
	for (int which = 0; which < 4; which++) {
		struct mail m = sample();
		const char **at[] = {&m.from_address, &m.to_address, &m.reply_to, &m.message_id};
		char *bytes;
		size_t len;
		struct err *e;

		*at[which] = "a@b\r\nBcc: x@y";
		e = mail_compose(mem, &m, &bytes, &len);
		assert_non_null(e);
		assert_int_equal(e->scope, ERR_MAIL);
		assert_false(e->retry);
	}
	talloc_free(mem);
}

static void test_thread(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct mail m = sample();
	struct buf *many = buf_new(mem);
	char *longest = talloc_asprintf(mem, "<%0240d@x>", 7), *mail, *ids;

	(void)state;
	m.in_reply_to = "rubbish <a.b@c> <second@d>";
	for (int i = 0; i < 50; i++)
		buf_printf(many, "<%02d@school.example>\r\n\t rubbish ", i);
	buf_adds(many, longest);
	m.references = many->data;
	mail = composed(mem, &m);
	assert_string_equal(field(mem, mail, "In-Reply-To"), "<a.b@c>");
	ids = field(mem, mail, "References");
	assert_memory_equal(ids, "<00@school.example> <32@school.example> <33@", 44);
	assert_non_null(strstr(ids, talloc_asprintf(mem, "<49@school.example> %s", longest)));
	assert_null(strstr(ids, "rubbish"));
	assert_null(strstr(mail, "=3C"));
	m.in_reply_to = talloc_asprintf(mem, "<%0300d@x>", 7);
	m.references = "<a b@c> <> <d\r\n@e> <f";
	mail = composed(mem, &m);
	check_lines(mail);
	assert_string_equal(field(mem, mail, "In-Reply-To"), "");
	assert_string_equal(field(mem, mail, "References"), "");
	talloc_free(mem);
}

static void test_subjects(void **state)
{
	static const struct {
		const char *value, *written;
	} subjects[] = {
		{"", "Subject: \r\n"},
		{"Turn 3", "Subject: Turn 3\r\n"},
		/* The tag stays readable beside words that have to be encoded, and the blank between those is kept. */
		{"[falkirk-7b T3 tok] Caf\xC3\xA9 cr\xC3\xA8me now",
			"Subject: [falkirk-7b T3 tok] =?utf-8?Q?Caf=C3=A9_cr=C3=A8me?= now\r\n"},
		{"  two   blanks\t", "Subject: two blanks\r\n"},
		{"=?x?=", "Subject: =?utf-8?Q?=3D=3Fx=3F=3D?=\r\n"},
		{"a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b",
			"Subject: a\r\n aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b\r\n"},
	};
	struct buf *b = buf_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
		buf_cut(b, 0);
		encode_text_field(b, "Subject", subjects[i].value);
		assert_string_equal(b->data, subjects[i].written);
	}
	buf_cut(b, 0);
	encode_mailbox_field(b, "From", "Smith, \"Carol\" \\", "a@b");
	assert_string_equal(b->data, "From: \"Smith, \\\"Carol\\\" \\\\\" <a@b>\r\n");
	buf_cut(b, 0);
	encode_mailbox_field(b, "From", "Ren\xC3\xA9 (7b)", "a@b");
	assert_string_equal(b->data, "From: =?utf-8?Q?Ren=C3=A9_=287b=29?= <a@b>\r\n");
	buf_cut(b, 0);
	encode_mailbox_field(b, "From", " \r\n", "a@b");
	assert_string_equal(b->data, "From: a@b\r\n");
	talloc_free(b);
}

static void body_is(const char *text, const char *written)
{
	struct buf *b = buf_new(NULL);

	encode_body(b, text, strlen(text));
	assert_string_equal(b->data, written);
	talloc_free(b);
}

static void test_body(void **state)
{
	(void)state;
	body_is("", "");
	body_is("a", "a\r\n");
	body_is("a\n\nb\r\n", "a\r\n\r\nb\r\n");
	body_is(".\n..\n. x", "=2E\r\n=2E.\r\n=2E x\r\n");
	body_is("From me\nFrom\nfrom x\n>From x", "=46rom me\r\nFrom\r\nfrom x\r\n>From x\r\n");
	body_is("a = b \nc\t\n \n", "a =3D b=20\r\nc=09\r\n=20\r\n");
	body_is("caf\xC3\xA9\xFF\x01\x7F\r", "caf=C3=A9=EF=BF=BD=01=7F\r\n");
	/* 76 fit; of 77, 75 and a soft break. */
	body_is("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg123456",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg123456\r\n");
	body_is("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg1234567",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg12345=\r\n67\r\n");
	/* After a soft break a dot or a From begins a line as well. */
	body_is("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg12345..7",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg12345=\r\n=2E.7\r\n");
	body_is("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg12345From x",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg12345=\r\n=46rom x\r\n");
	/* A character is not broken in two. */
	body_is("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg1\xC3\xA9"
		"2",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg1=\r\n=C3=A92\r\n");
}

/* Random texts of the awkward bytes come back as they were. */
static void test_body_round_trip(void **state)
{
	static const char *const pieces[] = {".", "From ", "=", " ", "\t", "\n", "\n", "\xC3\xA9", "\xE2\x80\x94", "a",
		"word", "\xF0\x9F\x90\x8E", "F", "&<>\"", "~", "\n.", "\nFrom "};
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 300; round++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		struct buf *text = buf_new(mem), *out = buf_new(mem);

		for (int i = 0; i < 400; i++) {
			seed = seed * 1103515245u + 12345u;
			buf_adds(text, pieces[(seed >> 16) % (sizeof pieces / sizeof pieces[0])]);
		}
		buf_addc(text, '\n');
		encode_body(out, text->data, text->len);
		check_lines(out->data);
		assert_string_equal(decoded(mem, out->data, out->len), text->data);
		talloc_free(mem);
	}
}

/* The part between its own header and the next boundary. */
static char *part(TALLOC_CTX *mem, const char *mail, const char *type)
{
	const char *at = strstr(mail, type), *end;

	assert_non_null(at);
	at = strstr(at, "\r\n\r\n") + 4;
	end = strstr(at, "\r\n--=_");
	assert_non_null(end);
	return decoded(mem, at, (size_t)(end - at));
}

static void test_parts(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct mail m = sample();
	char *mail = composed(mem, &m), *again = composed(mem, &m), *html;

	(void)state;
	assert_string_equal(mail, again);
	assert_string_equal(part(mem, mail, "text/plain"), m.text);
	assert_true(strstr(mail, "text/plain") < strstr(mail, "text/html"));
	html = part(mem, mail, "text/html");
	assert_non_null(strstr(html, "<pre style="));
	assert_non_null(strstr(html, "The map:\n.   A^6\n</pre>"));
	assert_null(strstr(mail, "report.txt"));
	m.text = "<b> & \"x\"\n";
	mail = composed(mem, &m);
	assert_non_null(strstr(part(mem, mail, "text/html"), "&lt;b&gt; &amp; \"x\"\n</pre>"));
	m.message_id = "<g.other@mail.test>";
	again = composed(mem, &m);
	assert_string_not_equal(strstr(mail, "boundary="), strstr(again, "boundary="));
	m.html = "<p>own</p>\n";
	m.attachment = "the report\n";
	mail = composed(mem, &m);
	check_lines(mail);
	assert_string_equal(part(mem, mail, "text/html"), m.html);
	assert_string_equal(part(mem, mail, "name=\"report.txt\""), m.attachment);
	talloc_free(mem);
}

static void test_too_long(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *text = buf_new(mem);
	struct mail m = sample();
	char *mail, *shown;

	(void)state;
	for (int i = 0; i < 4000; i++)
		buf_printf(text, "%04d. caf\xC3\xA9 = a line of a very long report\n", i);
	m.text = text->data;
	m.html = "<p>colours</p>";
	mail = composed(mem, &m);
	check_lines(mail);
	assert_true(strstr(mail, "Content-Disposition: attachment") - mail < MAIL_BYTES_SOFT_MAX + 500);
	shown = part(mem, mail, "text/plain");
	assert_memory_equal(shown, text->data, strlen(shown) - 120);
	assert_non_null(strstr(shown, "attached file report.txt.]\n"));
	assert_non_null(strstr(part(mem, mail, "text/html"), "0000. caf"));
	assert_string_equal(part(mem, mail, "name=\"report.txt\""), text->data);
	talloc_free(mem);
}

/* Our own reader sees what we wrote, knows it for our own, and would never answer it. */
static void test_read_back(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct mail m = sample();
	struct message *read;
	char *bytes;
	size_t len;

	(void)state;
	m.subject = "[falkirk-7b T3 123t2fy4hg0y342t] Caf\xC3\xA9 \xE2\x80\x94 a subject so long that it has to be "
		    "folded, and more";
	m.from_name = "Ren\xC3\xA9 \"G\"";
	m.in_reply_to = "<a@b>";
	m.references = "<a@b> <c@d>";
	assert_null(mail_compose(mem, &m, &bytes, &len));
	read = message_read(mem, charsets_open(mem), READER_WHOLE, bytes, len);
	assert_true(read->readable);
	assert_true(read->own);
	assert_string_not_equal(read->automatic, "");
	assert_string_equal(read->sender, m.from_address);
	assert_string_equal(read->sender_name, m.from_name);
	assert_string_equal(read->subject, m.subject);
	assert_string_equal(read->message_id, m.message_id);
	assert_string_equal(read->in_reply_to, "<a@b>");
	assert_string_equal(read->references, m.references);
	assert_string_equal(read->text_from, "text/plain");
	talloc_free(mem);
}

/* The longest subject that there is, each character of which takes twelve when it is written. */
static void test_longest_subject(void **state)
{
	static const char tag[] = "[a-game-with-the-longest-name-of-all T99c qzzzzzzfqzzzzzzfpnrzzzzfq2by0cwe18z9p]";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *subject = buf_new(mem);
	struct mail m = sample();
	struct message *read;
	struct token token;
	char *mail;

	(void)state;
	for (int i = 0; i < 120; i++)
		buf_adds(subject, "\xF0\x9F\x90\x8E");
	buf_printf(subject, "... %s", tag);
	m.subject = subject->data;
	mail = composed(mem, &m);
	check_lines(mail);
	/* For those who read the header as it is. */
	assert_non_null(strstr(mail, "T99c"));
	assert_non_null(strstr(mail, "qzzzzzzfqzzzzzzfpnrzzzzfq2by0cwe18z9p]"));
	read = message_read(mem, charsets_open(mem), READER_WHOLE, mail, strlen(mail));
	assert_string_equal(read->subject, m.subject);
	assert_true(token_in_subject(read->subject, &token));
	assert_string_equal(token.text, "qzzzzzzfqzzzzzzfpnrzzzzfq2by0cwe18z9p");
	talloc_free(mem);
}

static void test_message_ids(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *a = message_id_new(mem, "123t2fy4hg0y342t", "game@mail.test");
	char *b = message_id_new(mem, NULL, "game@mail.test");

	(void)state;
	assert_memory_equal(a, "<g.123t2fy4hg0y342t.", 20);
	assert_string_equal(strchr(a, '@'), "@mail.test>");
	assert_int_equal(strlen(b), strlen("<g.0123456789abcdef@mail.test>"));
	assert_string_not_equal(b, message_id_new(mem, NULL, "game@mail.test"));
	talloc_free(mem);
}

/* --- Maildirs ------------------------------------------------------------------------------------------------------*/

static int files_in(TALLOC_CTX *mem, const char *path, char **one)
{
	DIR *d = opendir(path);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
		if (entry->d_name[0] == '.')
			continue;
		*one = talloc_asprintf(mem, "%s/%s", path, entry->d_name);
		n++;
	}
	closedir(d);
	return n;
}

static void test_maildirs(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char folder[] = "/tmp/galloper-test-XXXXXX", bytes[100] = "", *one = NULL, *unused;
	struct sink_settings settings = {.folder = talloc_asprintf(mem, "%s/a/b", mkdtemp(folder))};
	struct sink_message m = {
		.bytes = "A: b\r\n\r\n.x\r\n", .len = 12, .from = "game@mail.test", .to = "Carol@mail.test"};
	struct sink_result result;
	struct sink *sink;
	struct stat st;
	int fd;

	(void)state;
	assert_null(maildir_sink.open(mem, &settings, &sink));
	for (int i = 0; i < 50; i++) {
		sink->kind->send(sink, mem, &m, &result);
		assert_int_equal(result.outcome, SINK_SENT);
	}
	m.to = "dave@mail.test";
	sink->kind->send(sink, mem, &m, &result);
	assert_int_equal(result.outcome, SINK_SENT);
	assert_int_equal(files_in(mem, talloc_asprintf(mem, "%s/carol@mail.test/new", settings.folder), &one), 50);
	assert_int_equal(files_in(mem, talloc_asprintf(mem, "%s/carol@mail.test/tmp", settings.folder), &unused), 0);
	assert_int_equal(files_in(mem, talloc_asprintf(mem, "%s/dave@mail.test/new", settings.folder), &unused), 1);
	fd = open(one, O_RDONLY);
	assert_true(read(fd, bytes, sizeof bytes - 1) > 0);
	assert_string_equal(bytes, "A: b\n\n.x\n");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 077, 0);
	close(fd);

	m.to = "../../x@mail.test";
	sink->kind->send(sink, mem, &m, &result);
	assert_int_equal(result.outcome, SINK_REFUSED);
	assert_false(result.stop);

	/* A file where a folder has to be: ours to mend, and the queue stops. */
	close(open(talloc_asprintf(mem, "%s/erin@mail.test", settings.folder), O_CREAT | O_WRONLY, 0600));
	m.to = "erin@mail.test";
	sink->kind->send(sink, mem, &m, &result);
	assert_int_equal(result.outcome, SINK_ACCOUNT);
	assert_true(result.stop);
	assert_int_equal(system(talloc_asprintf(mem, "rm -r %s", folder)), 0);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_injection),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_subjects),
		cmocka_unit_test(test_body),
		cmocka_unit_test(test_body_round_trip),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_read_back),
		cmocka_unit_test(test_longest_subject),
		cmocka_unit_test(test_message_ids),
		cmocka_unit_test(test_maildirs),
	};

	return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
