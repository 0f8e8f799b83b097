/* mail/smtp: each row of the table of judgements; and, where the servers of tests/e2e are up (SMTP_PORT and its like in
 * the environment), what comes of real exchanges with them. */
#include "base/buf.h"
#include "base/file.h"
#include "mail/compose.h"
#include "mail/smtp.h"

#include <curl/curl.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void test_judgements(void **state)
{
	static const struct {
		int code;
		enum smtp_stage stage;
		const char *words;
		bool drained;
		enum sink_outcome outcome;
		bool stop;
		const char *enhanced;
	} rows[] = {
		{CURLE_OK, SMTP_BODY, "", true, SINK_SENT, false, ""},
		/* before the envelope */
		{CURLE_PEER_FAILED_VERIFICATION, SMTP_CONNECT, "", false, SINK_ACCOUNT, true, ""},
		{CURLE_PEER_FAILED_VERIFICATION, SMTP_STARTTLS, "", false, SINK_ACCOUNT, true, ""},
		{CURLE_SSL_CACERT_BADFILE, SMTP_CONNECT, "", false, SINK_ACCOUNT, true, ""},
		{CURLE_USE_SSL_FAILED, SMTP_HELLO, "", false, SINK_ACCOUNT, true, ""},
		{CURLE_USE_SSL_FAILED, SMTP_STARTTLS, "454 4.7.0 TLS not available", false, SINK_LATER, true, "4.7.0"},
		{CURLE_USE_SSL_FAILED, SMTP_STARTTLS, "502 5.5.1 no", false, SINK_ACCOUNT, true, "5.5.1"},
		{CURLE_COULDNT_RESOLVE_HOST, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
		{CURLE_COULDNT_RESOLVE_PROXY, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
		{CURLE_COULDNT_CONNECT, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
		{CURLE_SSL_CONNECT_ERROR, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
		{CURLE_URL_MALFORMAT, SMTP_CONNECT, "", false, SINK_ACCOUNT, true, ""},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_CONNECT, "421 4.7.0 too many connections", false, SINK_LATER, true,
			"4.7.0"},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_CONNECT, "554 5.7.1 go away", false, SINK_LATER, true, "5.7.1"},
		{CURLE_REMOTE_ACCESS_DENIED, SMTP_HELLO, "550 5.7.1 bad name", false, SINK_LATER, true, "5.7.1"},
		{CURLE_LOGIN_DENIED, SMTP_LOGIN, "454 4.7.0 Temporary authentication failure", false, SINK_LATER, true,
			"4.7.0"},
		{CURLE_LOGIN_DENIED, SMTP_LOGIN, "432 4.3.2 Concurrent connections limit", false, SINK_LATER, true,
			"4.3.2"},
		{CURLE_LOGIN_DENIED, SMTP_LOGIN, "535 5.7.8 no", false, SINK_ACCOUNT, true, "5.7.8"},
		{CURLE_LOGIN_DENIED, SMTP_LOGIN, "534-5.7.9 Application-specific password required", false,
			SINK_ACCOUNT, true, "5.7.9"},
		{CURLE_LOGIN_DENIED, SMTP_HELLO, "", false, SINK_ACCOUNT, true, ""},
		/* the sender */
		{CURLE_SEND_ERROR, SMTP_SENDER, "530 5.7.0 Must issue a STARTTLS command first", false, SINK_ACCOUNT,
			true, "5.7.0"},
		{CURLE_SEND_ERROR, SMTP_SENDER, "535 5.7.139 SmtpClientAuthentication is disabled", false, SINK_ACCOUNT,
			true, "5.7.139"},
		{CURLE_SEND_ERROR, SMTP_SENDER, "550 5.1.8 sender unknown", false, SINK_ACCOUNT, true, "5.1.8"},
		{CURLE_SEND_ERROR, SMTP_SENDER, "553 not yours", false, SINK_ACCOUNT, true, ""},
		{CURLE_SEND_ERROR, SMTP_SENDER, "451 4.7.1 slow down", false, SINK_LATER, true, "4.7.1"},
		{CURLE_SEND_ERROR, SMTP_SENDER, "452 4.3.1 full", false, SINK_LATER, true, "4.3.1"},
		/* the recipient */
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "450 4.2.0 try later", false, SINK_LATER, false, "4.2.0"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "421 4.7.0 too many mails", false, SINK_LATER, true, "4.7.0"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "550 5.1.1 no such user", false, SINK_REFUSED, false, "5.1.1"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "550-5.1.1 The account does not exist 550 5.1.1 see", false,
			SINK_REFUSED, false, "5.1.1"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "550 unknown user", false, SINK_REFUSED, false, ""},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "552 5.2.2 mailbox full", false, SINK_REFUSED, false, "5.2.2"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "550 5.4.5 Daily user sending limit exceeded", false, SINK_ACCOUNT,
			true, "5.4.5"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "554 5.7.1 Relay access denied", false, SINK_ACCOUNT, true, "5.7.1"},
		{CURLE_SEND_ERROR, SMTP_RECIPIENT, "550 5.7.30 Basic authentication is not supported", false,
			SINK_ACCOUNT, true, "5.7.30"},
		/* the mail */
		{CURLE_SEND_ERROR, SMTP_DATA, "451 no", false, SINK_LATER, false, ""},
		{CURLE_SEND_ERROR, SMTP_DATA, "554 no valid recipients", false, SINK_REFUSED, false, ""},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_BODY, "451 4.3.0 try later", true, SINK_LATER, false, "4.3.0"},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_BODY, "421 4.3.0 shutting down", true, SINK_LATER, true, "4.3.0"},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_BODY, "552 5.3.4 too big", true, SINK_REFUSED, false, "5.3.4"},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_BODY, "554 5.7.1 spam", true, SINK_ACCOUNT, true, "5.7.1"},
		{CURLE_WEIRD_SERVER_REPLY, SMTP_BODY, "554 5.2.0 SubmissionQuotaExceededException", true, SINK_ACCOUNT,
			true, "5.2.0"},
		/* no answer */
		{CURLE_OPERATION_TIMEDOUT, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
		{CURLE_OPERATION_TIMEDOUT, SMTP_RECIPIENT, "", false, SINK_LATER, true, ""},
		{CURLE_OPERATION_TIMEDOUT, SMTP_BODY, "", true, SINK_UNCERTAIN, false, ""},
		{CURLE_OPERATION_TIMEDOUT, SMTP_BODY, "", false, SINK_LATER, false, ""},
		{CURLE_SEND_ERROR, SMTP_SENDER, "", false, SINK_LATER, false, ""},
		{CURLE_RECV_ERROR, SMTP_RECIPIENT, "", false, SINK_LATER, false, ""},
		{CURLE_RECV_ERROR, SMTP_BODY, "", true, SINK_UNCERTAIN, false, ""},
		{CURLE_SEND_ERROR, SMTP_BODY, "", false, SINK_LATER, false, ""},
		{CURLE_ABORTED_BY_CALLBACK, SMTP_LOGIN, "", false, SINK_LATER, true, ""},
		{CURLE_ABORTED_BY_CALLBACK, SMTP_BODY, "", true, SINK_UNCERTAIN, false, ""},
		{CURLE_OUT_OF_MEMORY, SMTP_CONNECT, "", false, SINK_LATER, true, ""},
	};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct smtp_facts facts = {.code = rows[i].code,
			.stage = rows[i].stage,
			.reply = atoi(rows[i].words),
			.words = rows[i].words,
			.drained = rows[i].drained,
			.error = "libcurl's words"};
		struct sink_result result;

		smtp_judge(mem, &facts, &result);
		if (result.outcome != rows[i].outcome || result.stop != rows[i].stop)
			fail_msg("row %zu, %d '%s': %s", i, rows[i].code, rows[i].words,
				sink_outcome_name(result.outcome));
		assert_string_equal(result.enhanced, rows[i].enhanced);
		assert_int_equal(result.reply, facts.reply);
		assert_non_null(result.text);
	}
	talloc_free(mem);
}

/* The server's words reach the operator escaped and bounded. */
static void test_hostile_words(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *long_words = talloc_asprintf(mem, "550 %05000d", 1);
	struct smtp_facts facts = {.code = CURLE_SEND_ERROR, .stage = SMTP_RECIPIENT, .reply = 550, .error = ""};
	struct sink_result result;

	(void)state;
	facts.words = "550 \x1b[2J%s%n \xff";
	smtp_judge(mem, &facts, &result);
	assert_non_null(strstr(result.text, "\\x1b[2J%s%n \\xff"));
	facts.words = long_words;
	smtp_judge(mem, &facts, &result);
	assert_in_range(strlen(result.text), 500, 600);
	assert_string_equal(result.enhanced, "");
	facts.words = "550 5.1.1234567890 x";
	smtp_judge(mem, &facts, &result);
	assert_string_equal(result.enhanced, "");
	talloc_free(mem);
}

/* --- with servers --------------------------------------------------------------------------------------------------*/

struct live {
	TALLOC_CTX *mem;
	struct server_config server;
	struct sink_settings settings;
	struct sink *sink;
	struct sink_result result;
};

static int port(const char *name)
{
	return atoi(getenv(name));
}

static void open_live(struct live *l, int at, enum security security)
{
	memset(l, 0, sizeof *l);
	l->mem = talloc_new(NULL);
	l->server = (struct server_config){
		.host = "localhost", .port = at, .security = (int)security, .user = "game", .password = "secret"};
	l->settings = (struct sink_settings){
		.server = &l->server, .helo = "mail.test", .ca_file = getenv("MAIL_CA"), .network_seconds = 20};
	assert_null(smtp_sink.open(l->mem, &l->settings, &l->sink));
}

static void close_live(struct live *l)
{
	talloc_free(l->mem);
}

static enum sink_outcome send_bytes(struct live *l, const char *from, const char *to, const char *bytes, size_t len)
{
	struct sink_message m = {.bytes = bytes, .len = len, .from = from, .to = to};

	l->sink->kind->send(l->sink, l->mem, &m, &l->result);
	return l->result.outcome;
}

static enum sink_outcome send_to(struct live *l, const char *to)
{
	static const char bytes[] = "From: game@mail.test\r\nSubject: short\r\n\r\nshort\r\n";

	return send_bytes(l, "game@mail.test", to, bytes, sizeof bytes - 1);
}

static void test_faults(void **state)
{
	static const struct {
		const char *to;
		enum sink_outcome outcome;
		bool stop;
		int reply;
		const char *enhanced;
	} faults[] = {
		{"carol+rcpt450@mail.test", SINK_LATER, false, 450, "4.2.0"},
		{"carol+rcpt452@mail.test", SINK_LATER, false, 452, "4.5.3"},
		{"carol+rcpt550@mail.test", SINK_REFUSED, false, 550, "5.1.1"},
		{"carol+rcpt571@mail.test", SINK_ACCOUNT, true, 550, "5.7.1"},
		{"carol+data451@mail.test", SINK_LATER, false, 451, "4.3.0"},
		{"carol+data552@mail.test", SINK_REFUSED, false, 552, "5.3.4"},
		{"carol+data554@mail.test", SINK_ACCOUNT, true, 554, "5.7.1"},
		{"carol+drop@mail.test", SINK_UNCERTAIN, false, 0, ""},
		{"carol+dropafter@mail.test", SINK_UNCERTAIN, false, 0, ""},
		{"nobody@mail.test", SINK_REFUSED, false, 550, "5.1.1"},
		{"carol@mail.test\r\nRCPT TO:<dave@mail.test>", SINK_REFUSED, false, 0, ""},
	};
	struct live l;

	(void)state;
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		enum sink_outcome got = send_to(&l, faults[i].to);

		if (got != faults[i].outcome || l.result.stop != faults[i].stop)
			fail_msg("%s: %s, %s", faults[i].to, sink_outcome_name(got), l.result.text);
		assert_int_equal(l.result.reply, faults[i].reply);
		assert_string_equal(l.result.enhanced, faults[i].enhanced);
		/* The next mail does not suffer from the one before. */
		if (send_to(&l, "dave@mail.test") != SINK_SENT)
			fail_msg("after %s: %s", faults[i].to, l.result.text);
	}
	assert_int_equal(send_bytes(&l, "game+from550@mail.test", "carol@mail.test", "\r\nx\r\n", 5), SINK_ACCOUNT);
	assert_int_equal(send_bytes(&l, "game+from451@mail.test", "carol@mail.test", "\r\nx\r\n", 5), SINK_LATER);
	assert_true(l.result.stop);
	close_live(&l);
}

/* A server that never answers costs one deadline, and is not waited for when we have to stop. */
static void test_hanging(void **state)
{
	static const atomic_bool stop_at_once = true;
	struct live l;
	time_t start = time(NULL);

	(void)state;
	open_live(&l, port("SMTPS_PORT"), SECURITY_TLS);
	l.settings.network_seconds = 2;
	assert_int_equal(send_to(&l, "carol+hang@mail.test"), SINK_UNCERTAIN);
	assert_true(time(NULL) - start < 10);
	assert_int_equal(send_to(&l, "dave@mail.test"), SINK_SENT);
	close_live(&l);

	open_live(&l, port("SMTPS_PORT"), SECURITY_TLS);
	l.settings.stop = &stop_at_once;
	start = time(NULL);
	assert_int_equal(send_to(&l, "carol+hang@mail.test"), SINK_LATER);
	assert_true(l.result.stop);
	assert_true(time(NULL) - start < 5);
	close_live(&l);
}

/* The server hangs up between two mails: the second goes over a new connection without a word. */
static void test_hung_up(void **state)
{
	struct timespec pause = {.tv_nsec = 500 * 1000 * 1000};
	struct live l;

	(void)state;
	open_live(&l, port("SMTPS_PORT"), SECURITY_TLS);
	assert_int_equal(send_to(&l, "dave+bye@mail.test"), SINK_SENT);
	nanosleep(&pause, NULL);
	assert_int_equal(send_to(&l, "dave@mail.test"), SINK_SENT);
	close_live(&l);
}

/* A hundred mails, and lines with dots: smtp.test counts the log-ins and compares the bytes. */
static void test_kept_connection(void **state)
{
	struct live l;
	struct buf *dots;

	(void)state;
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	dots = buf_new(l.mem);
	buf_adds(dots, "From: game@mail.test\r\nSubject: dots\r\n\r\n");
	for (int i = 0; i < 120; i++)
		buf_printf(dots, "%.*s line %d of a map\r\n", 1 + i % 3, "...", i);
	buf_adds(dots, ".\r\n");
	for (int i = 0; i < 100; i++)
		assert_int_equal(send_bytes(&l, "game@mail.test", "erin@mail.test", dots->data, dots->len), SINK_SENT);
	assert_null(
		file_write(l.mem, talloc_asprintf(l.mem, "%s/dots", getenv("SCRATCH")), dots->data, dots->len, 0600));
	close_live(&l);
}

static void test_composed(void **state)
{
	struct mail m = {.from_address = "game@mail.test",
		.from_name = "Galloper \xC3\xA9"
			     "clair",
		.to_address = "referee@mail.test",
		.reply_to = "game+123t2fy4hg0y342t@mail.test",
		.subject = "[falkirk-7b T3 123t2fy4hg0y342t] Turn 3: caf\xC3\xA9 \xE2\x80\x94 a very long subject that "
			   "has to be "
			   "folded over lines",
		.message_id = "<g.123t2fy4hg0y342t.00ff@mail.test>",
		.in_reply_to = "<first@school.example>",
		.references = "<first@school.example> <second@school.example>",
		.date = 1800000000,
		.game = "falkirk-7b",
		.attachment = "attached\n"};
	struct buf *text;
	struct live l;
	char *bytes;
	size_t len;

	(void)state;
	open_live(&l, port("SMTPS_PORT"), SECURITY_TLS);
	text = buf_new(l.mem);
	for (int i = 0; i < 60; i++)
		buf_printf(text, ".   A^6 = B^6 %d\nFrom here\xE2\x80\xA6 \n\n", i);
	m.text = text->data;
	assert_null(mail_compose(l.mem, &m, &bytes, &len));
	assert_int_equal(send_bytes(&l, "game@mail.test", m.to_address, bytes, len), SINK_SENT);
	assert_null(file_write(l.mem, talloc_asprintf(l.mem, "%s/composed", getenv("SCRATCH")), bytes, len, 0600));
	assert_null(
		file_write(l.mem, talloc_asprintf(l.mem, "%s/text", getenv("SCRATCH")), text->data, text->len, 0600));
	close_live(&l);
}

static void test_untrusted(void **state)
{
	char *ports = getenv("SMTP_BAD_PORTS");

	(void)state;
	for (const char *p = ports; p != NULL && *p != '\0'; p = strchr(p, ' ') + 1) {
		int starttls = 0, tls = 0;
		struct live l;

		assert_int_equal(sscanf(p, "%*[a-z]:%d:%d", &starttls, &tls), 2);
		open_live(&l, starttls, SECURITY_STARTTLS);
		assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
		assert_non_null(strstr(l.result.text, "certificate is not to be trusted"));
		close_live(&l);
		open_live(&l, tls, SECURITY_TLS);
		assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
		assert_non_null(strstr(l.result.text, "certificate is not to be trusted"));
		close_live(&l);
	}
}

static void test_settings_that_are_wrong(void **state)
{
	struct live l;

	(void)state;
	/* A good certificate of an authority that the settings do not name. */
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	l.settings.ca_file = "";
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
	close_live(&l);
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	l.settings.ca_file = "/nowhere/ca.pem";
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
	close_live(&l);
	/* No STARTTLS: nothing is sent unprotected. */
	open_live(&l, port("SMTP_CLEAR_PORT"), SECURITY_STARTTLS);
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
	assert_non_null(strstr(l.result.text, "STARTTLS"));
	close_live(&l);
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	l.server.password = "wrong";
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_ACCOUNT);
	assert_int_equal(l.result.reply, 535);
	assert_null(strstr(l.result.text, "wrong"));
	close_live(&l);
	open_live(&l, port("SMTP_PORT"), SECURITY_STARTTLS);
	l.server.user = "busy";
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_LATER);
	assert_int_equal(l.result.reply, 454);
	assert_true(l.result.stop);
	close_live(&l);
	/* TLS where the server begins in clear, a port where nobody listens, a host that is none. */
	open_live(&l, port("SMTP_PORT"), SECURITY_TLS);
	l.settings.network_seconds = 3;
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_LATER);
	close_live(&l);
	open_live(&l, 9, SECURITY_TLS);
	assert_int_equal(send_to(&l, "carol@mail.test"), SINK_LATER);
	assert_true(l.result.stop);
	close_live(&l);
	open_live(&l, 9, SECURITY_TLS);
	l.server.host = "a/b@c";
	assert_non_null(smtp_sink.open(l.mem, &l.settings, &l.sink));
	close_live(&l);
}

/* Exim speaks for the servers that schools really have. */
static void test_exim(void **state)
{
	struct live l;

	(void)state;
	if (getenv("EXIM_PORT")[0] == '\0') {
		printf("SKIPPED: Exim is not installed\n");
		return;
	}
	open_live(&l, port("EXIM_PORT"), SECURITY_STARTTLS);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(send_to(&l, "dave+exim@mail.test"), SINK_SENT);
		assert_int_equal(send_to(&l, "dave+rcpt550@mail.test"), SINK_REFUSED);
		assert_int_equal(send_to(&l, "nobody@mail.test"), SINK_REFUSED);
	}
	close_live(&l);
	open_live(&l, port("EXIM_TLS_PORT"), SECURITY_TLS);
	assert_int_equal(send_to(&l, "dave+exim@mail.test"), SINK_SENT);
	close_live(&l);
	open_live(&l, port("EXIM_TLS_PORT"), SECURITY_TLS);
	l.server.user = "";
	assert_int_equal(send_to(&l, "dave+exim@mail.test"), SINK_REFUSED);
	l.server.user = "game";
	close_live(&l);
	open_live(&l, port("EXIM_TLS_PORT"), SECURITY_TLS);
	l.server.password = "wrong";
	assert_int_equal(send_to(&l, "dave+exim@mail.test"), SINK_ACCOUNT);
	close_live(&l);
}

int main(void)
{
	const struct CMUnitTest table[] = {
		cmocka_unit_test(test_judgements),
		cmocka_unit_test(test_hostile_words),
	};
	const struct CMUnitTest live[] = {
		cmocka_unit_test(test_kept_connection),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_hanging),
		cmocka_unit_test(test_hung_up),
		cmocka_unit_test(test_composed),
		cmocka_unit_test(test_untrusted),
		cmocka_unit_test(test_settings_that_are_wrong),
		cmocka_unit_test(test_exim),
	};

	if (sodium_init() < 0)
		return 1;
	if (getenv("SMTP_PORT") != NULL)
		return cmocka_run_group_tests(live, NULL, NULL);
	return cmocka_run_group_tests(table, NULL, NULL);
}
