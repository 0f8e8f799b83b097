/* config: whatever is wrong in galloper.conf is told with its line and with what to write. */
#include "base/file.h"
#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	TALLOC_CTX *mem;
	char folder[32];
	char *conf, *secret;
};

static int set_up(void **state)
{
	struct fixture *f = talloc_zero(NULL, struct fixture);

	f->mem = f;
	strcpy(f->folder, "/tmp/gconf.XXXXXX");
	if (mkdtemp(f->folder) == NULL)
		return -1;
	f->conf = talloc_asprintf(f, "%s/galloper.conf", f->folder);
	f->secret = talloc_asprintf(f, "%s/secret", f->folder);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->conf);
	unlink(f->secret);
	rmdir(f->folder);
	talloc_free(f);
	return 0;
}

static struct err *read_text(struct fixture *f, const char *text, struct config **out)
{
	assert_null(file_write(f, f->conf, text, strlen(text), 0600));
	return config_read(f, f->conf, out);
}

static void test_refused(void **state)
{
	static const char none[] = " has no value; write one";
	static const struct {
		const char *text, *where, *what;
	} cases[] = {
		{"nonsense 1\n", ":1:1", "there is no setting 'nonsense'"},
		{"poll-seconds 60\n\npoll-seconds 30\n", ":3:1",
			"poll-seconds stands here for the second time, after line 1"},
		{"poll-seconds\n", ":1:13", none},
		{"poll-seconds 1m\n", ":1:14", "expected a whole number from 1 to 86400"},
		{"sender-name\n", ":1:12", "sender-name has no value; write one, as in: sender-name Galloper"},
		{"sender-name \"\"\n", ":1:13", none},
		{"mailbox \"\"\n", ":1:9", "as in: mailbox INBOX"},
		{"processed-folder \"\"\n", ":1:18", "as in: processed-folder Processed"},
		{"rejected-folder\n", ":1:16", "as in: rejected-folder Rejected"},
		{"database \"\"\n", ":1:10", "as in: database galloper.db"},
		{"imap-host\n", ":1:10", "imap-host has no value; write one behind it, or \"\" for none"},
		{"imap-password-command # later\n", ":1:30", none},
		{"plus-addressing\n", ":1:16", "as in: plus-addressing on"},
		{"plus-addressing yes\n", ":1:17", "plus-addressing is on or off, not 'yes'"},
		{"incoming pop\n", ":1:10", "incoming is one of: maildir imap; not 'pop'"},
		{"sender-name a b\n", ":1:15", "put it in \"quotes\""},
		/* One setting needs another. */
		{"# x\nincoming imap\n", ":2",
			"incoming imap needs imap-host, the name of the server, as in: imap-host"},
		{"imap-host h\nincoming imap\n", ":2", "incoming imap needs imap-user"},
		{"imap-host h\nincoming imap\nimap-user u\n", ":2", "incoming imap needs a password for imap-user"},
		{"outgoing smtp\n", ":1", "outgoing smtp needs smtp-host"},
		{"outgoing smtp\nsmtp-host h\nsmtp-user u\n", ":1", "outgoing smtp needs a password for smtp-user"},
		{"outgoing smtp\nsmtp-host h\nsmtp-password p\n", ":1", "outgoing smtp needs smtp-user"},
		/* One excludes another. */
		{"incoming imap\nimap-host h\nimap-user u\nimap-password p\nimap-password-command c\n", ":5",
			"imap-password-command stands beside another way to log in: give one of them only"},
		{"incoming imap\nimap-host h\nimap-user u\nimap-token-command t\nimap-password-command c\n", ":4",
			"imap-token-command stands beside another way to log in"},
		{"imap-password p\nimap-password-file secret\n", ":2", "imap-password stands in line 1 already"},
		{"\nimap-password-file nowhere\n", ":2", "write the password into that file"},
		{"smtp-password-file secret\n", ":1", "the first line of"},
	};
	struct fixture *f = *state;

	assert_null(file_write(f, f->secret, "\n", 1, 0600));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct config *c;
		const struct err *e = read_text(f, cases[i].text, &c);

		if (e == NULL)
			fail_msg("taken: %s", cases[i].text);
		if (strcmp(e->where, talloc_asprintf(f, "%s%s", f->conf, cases[i].where)) != 0 ||
			strstr(e->what, cases[i].what) == NULL)
			fail_msg("%s\n%s: %s", cases[i].text, e->where, e->what);
	}
}

static void test_taken(void **state)
{
	struct fixture *f = *state;
	struct config *c;

	assert_null(file_write(f, f->secret, "hush\nmore\n", 10, 0600));
	assert_null(read_text(f,
		"\xEF\xBB\xBFincoming imap\r\nimap-host h\r\nimap-user u\r\nimap-password-file secret\r\n"
		"imap-token-command \"\"\r\nsender-name \"The 7b game\"\r\noutgoing smtp\r\nsmtp-host s\r\n",
		&c));
	assert_string_equal(c->imap.password, "hush");
	assert_string_equal(c->sender_name, "The 7b game");
	assert_string_equal(c->smtp.user, "");
	assert_string_equal(c->database, talloc_asprintf(f, "%s/galloper.db", f->folder));
	/* What init writes is right as it stands. */
	assert_null(read_text(f, config_sample(f, "game@school.example", "it@school.example"), &c));
	assert_string_equal(c->address, "game@school.example");
	assert_string_equal(c->mailbox, "INBOX");
}

/* Who can read the file that holds the password is told which of the two, and by which line. */
static void test_private(void **state)
{
	struct fixture *f = *state;
	struct config *c;
	const struct err *e;

	assert_null(file_write(f, f->secret, "hush\n", 5, 0600));
	assert_int_equal(chmod(f->secret, 0640), 0);
	e = read_text(f, "poll-seconds 5\nimap-password-file secret\n", &c);
	assert_non_null(e);
	assert_string_equal(e->where, talloc_asprintf(f, "%s:2", f->conf));
	assert_non_null(strstr(e->what, talloc_asprintf(f, "%s, and it holds a password: chmod 600 it", f->secret)));
	assert_null(read_text(f, "imap-password p\n", &c));
	assert_int_equal(chmod(f->conf, 0604), 0);
	e = config_read(f, f->conf, &c);
	assert_non_null(e);
	assert_string_equal(e->where, talloc_asprintf(f, "%s:1", f->conf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_private, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
