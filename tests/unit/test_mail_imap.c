/* The IMAP source against real and odd servers; tests/e2e/imap.test starts them and says in the environment where they
 * are. Without them every test is skipped. */
#include "mail/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

struct setting {
	struct server_config server;
	struct source_settings source;
};

static struct setting setting_at(int port, int security)
{
	struct setting s = {
		.server =
			{.host = "localhost", .port = port, .security = security, .user = "erin", .password = "secret"},
		.source = {.ca_file = getenv("MAIL_CA"),
			.network_seconds = 2,
			.mailbox = "INBOX",
			.processed = "Processed",
			.rejected = "Rejected"},
	};

	return s;
}

static int port_of(const char *name)
{
	if (getenv(name) == NULL)
		skip();
	return atoi(getenv(name));
}

/* The port behind "MODE:" in IMAP_ODD_PORTS. */
static int odd_port(const char *mode)
{
	const char *all = getenv("IMAP_ODD_PORTS"), *p;

	if (all == NULL)
		skip();
	p = strstr(all, mode);
	assert_non_null(p);
	return atoi(p + strlen(mode) + 1);
}

static struct source *open_at(TALLOC_CTX *mem, struct setting *s)
{
	struct source *source = NULL;
	struct err *e;

	s->source.server = &s->server;
	e = imap_source.open(mem, &s->source, &source);
	if (e)
		print_error("%s\n", err_text(mem, e));
	assert_null(e);
	return source;
}

static struct err *refusal(TALLOC_CTX *mem, struct setting *s)
{
	struct source *source = NULL;
	struct err *e;

	s->source.server = &s->server;
	e = imap_source.open(mem, &s->source, &source);
	assert_non_null(e);
	print_message("%s\n", err_text(mem, e));
	assert_int_equal(e->scope, ERR_ACCOUNT);
	assert_null(strstr(err_text(mem, e), s->server.password));
	return e;
}

struct got {
	int count;
	char text[8][200]; /* of the first eight, in the order in which they came */
	char uid[8][16];
	size_t len[8];
};

static struct err *keep(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	struct got *g = context;

	(void)mem;
	if (g->count < 8) {
		snprintf(g->text[g->count], sizeof g->text[0], "%.*s", (int)len, raw);
		snprintf(g->uid[g->count], sizeof g->uid[0], "%s", item->uid);
		g->len[g->count] = len;
	}
	g->count++;
	return NULL;
}

/* --- Dovecot ----------------------------------------------------------------------------------------------------- */

static void lists_in_order_of_arrival(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	struct source *source = open_at(mem, &s);
	struct source_list list;

	(void)state;
	assert_null(source->kind->list(source, mem, &list));
	assert_true(list.complete);
	assert_int_equal(list.count, 253); /* the deleted one is left out */
	assert_string_equal(list.items[0].uid, "2");
	assert_int_equal(list.items[0].arrived, 1793534400); /* 2026-11-01 12:00 UTC: 09:30 at -0230 */
	assert_string_equal(list.items[1].uid, "1");
	assert_int_equal(list.items[1].arrived, 1793620800);
	assert_true(list.items[0].validity > 0);
	assert_true(list.items[2].size > SOURCE_MAIL_MAX);
	talloc_free(mem);
}

static void fetches_many_and_the_header_of_a_large_one(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(port_of("IMAP_PORT"), SECURITY_STARTTLS);
	struct source *source = open_at(mem, &s);
	struct source_list list;
	struct got got = {0};
	int missed = -1;

	(void)state;
	assert_null(source->kind->list(source, mem, &list));
	assert_null(source->kind->fetch(source, mem, list.items, list.count, keep, &got, &missed));
	assert_int_equal(missed, 0);
	assert_int_equal(got.count, 253);
	assert_non_null(strstr(got.text[0] + got.len[0] - got.len[0], "body"));
	assert_non_null(strstr(got.text[2], "X-Galloper-Too-Large: 7"));
	assert_non_null(strstr(got.text[2], "Subject: large\r\n"));
	assert_true(got.len[2] < 200);
	assert_null(strstr(got.text[2], "xxxx"));
	talloc_free(mem);
}

static void files_into_a_folder_that_it_makes(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	struct source *source = open_at(mem, &s);
	struct source_list list, after;

	(void)state;
	s.source.network_seconds = 10;
	assert_null(source->kind->list(source, mem, &list));
	assert_null(source->kind->file(source, mem, list.items + 3, list.count - 3, SOURCE_PROCESSED));
	assert_null(source->kind->file(source, mem, list.items, 1, SOURCE_REJECTED));
	assert_null(source->kind->file(source, mem, list.items, 1, SOURCE_REJECTED)); /* gone already */
	talloc_free(source);
	source = open_at(mem, &s);
	assert_null(source->kind->list(source, mem, &after));
	assert_int_equal(after.count, 2);
	assert_string_equal(after.items[0].uid, list.items[1].uid);
	talloc_free(source);
	s.source.mailbox = "Processed";
	source = open_at(mem, &s);
	assert_null(source->kind->list(source, mem, &after));
	assert_int_equal(after.count, 250);
	talloc_free(mem);
}

/* Where all folders lie below the inbox, and none can be made beside it. */
static void files_below_the_inbox(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	struct source *source;
	struct source_list list, after;

	(void)state;
	s.server.user = "frank";
	source = open_at(mem, &s);
	assert_null(source->kind->list(source, mem, &list));
	assert_int_equal(list.count, 2);
	assert_null(source->kind->file(source, mem, list.items, 1, SOURCE_PROCESSED));
	assert_null(source->kind->file(source, mem, list.items + 1, 1, SOURCE_REJECTED));
	talloc_free(source);
	for (int i = 0; i < 3; i++) {
		s.source.mailbox = (const char *[]){"INBOX", "INBOX.Processed", "INBOX.Rejected"}[i];
		source = open_at(mem, &s);
		assert_null(source->kind->list(source, mem, &after));
		assert_int_equal(after.count, i > 0);
		talloc_free(source);
	}
	talloc_free(mem);
}

static void says_what_is_wrong_with_the_account(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	struct err *e;

	(void)state;
	s.source.network_seconds = 10; /* Dovecot is slow to refuse */
	s.server.password = "not-the-password";
	e = refusal(mem, &s);
	assert_false(e->retry);
	assert_non_null(strstr(e->what, "refuses the log-in"));

	s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	s.source.mailbox = "Nowhere";
	s.source.network_seconds = 10; /* after a wrong password Dovecot makes the next one wait */
	e = refusal(mem, &s);
	assert_false(e->retry);
	assert_non_null(strstr(e->what, "Nowhere"));

	s = setting_at(1, SECURITY_TLS);
	e = refusal(mem, &s);
	assert_true(e->retry);
	assert_non_null(strstr(e->what, "cannot be reached"));

	s = setting_at(port_of("IMAPS_PORT"), SECURITY_TLS);
	s.server.host = "127.0.0.1"; /* a name that the certificate has, but as an address */
	s.source.ca_file = "/etc/hostname";
	e = refusal(mem, &s);
	assert_non_null(strstr(e->what, "authorities"));
	talloc_free(mem);
}

static void refuses_wrong_certificates_before_the_password(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *ports = getenv("IMAP_BAD_PORTS");
	int tried = 0;

	(void)state;
	if (ports == NULL)
		skip();
	while ((ports = strchr(ports, ':')) != NULL) {
		char *end;
		long starttls = strtol(ports + 1, &end, 10), tls = strtol(end + 1, &end, 10);
		struct setting s = setting_at((int)starttls, SECURITY_STARTTLS), t = setting_at((int)tls, SECURITY_TLS);
		struct err *e = refusal(mem, &s), *f = refusal(mem, &t);

		assert_false(e->retry);
		assert_non_null(strstr(e->what, "certificate is refused"));
		assert_false(f->retry);
		assert_non_null(strstr(f->what, "certificate is refused"));
		ports = end;
		tried++;
	}
	assert_int_equal(tried, 3);
	talloc_free(mem);
}

/* --- odd servers ------------------------------------------------------------------------------------------------- */

static void fetch_odd(const char *mode, int expect_missed, const char *expect_uids)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(odd_port(mode), SECURITY_TLS);
	struct source *source = open_at(mem, &s);
	struct source_list list;
	struct got got = {0};
	char *uids = talloc_strdup(mem, "");
	int missed = -1;
	struct err *e;

	assert_null(source->kind->list(source, mem, &list));
	assert_int_equal(list.count, 3);
	assert_string_equal(list.items[0].uid, "1");
	assert_int_equal(list.items[0].validity, 4294967295);
	assert_int_equal(list.items[0].arrived, 1793523600); /* 10:00 +0100 */
	e = source->kind->fetch(source, mem, list.items, list.count, keep, &got, &missed);
	if (e)
		print_error("%s: %s\n", mode, err_text(mem, e));
	assert_null(e);
	for (int i = 0; i < got.count; i++)
		uids = talloc_asprintf_append(uids, "%s ", got.uid[i]);
	assert_string_equal(uids, expect_uids);
	assert_int_equal(missed, expect_missed);
	if (strcmp(mode, "nul") == 0)
		assert_int_equal(got.len[0], strlen("Subject: x\r\n\r\na.b\r\n"));
	talloc_free(mem);
}

static void loses_no_mail_to_an_odd_server(void **state)
{
	(void)state;
	fetch_odd("half", 0, "1 2 3 ");
	fetch_odd("poison", 1, "1 3 ");
	fetch_odd("eof", 1, "1 3 ");
	fetch_odd("nil", 1, "2 3 ");
	fetch_odd("news", 0, "1 2 3 ");
	fetch_odd("ghost", 1, "1 2 ");
	fetch_odd("bye", 0, "1 2 3 ");
	fetch_odd("nul", 0, "1 2 3 ");
}

/* An answer that ends in a NO: with half of what was asked for before it, or with nothing. */
static void hears_a_no_after_half_an_answer(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting half = setting_at(odd_port("listno"), SECURITY_TLS);
	struct setting none = setting_at(odd_port("backoff"), SECURITY_TLS);
	struct source *source = open_at(mem, &half);
	struct source_list list;
	struct got got = {0};
	struct err *e;
	int missed;

	(void)state;
	assert_null(source->kind->list(source, mem, &list));
	assert_int_equal(list.count, 1);
	assert_true(list.broken);
	source = open_at(mem, &none);
	assert_null(source->kind->list(source, mem, &list));
	assert_false(list.broken);
	e = source->kind->fetch(source, mem, list.items, list.count, keep, &got, &missed);
	assert_non_null(e);
	assert_true(e->retry);
	assert_non_null(strstr(e->what, "Suggested Backoff"));
	assert_int_equal(missed, 3);
	talloc_free(mem);
}

/* One that will not pass by itself is somebody's to mend, and one that will is not. */
static void hears_why_nothing_can_be_moved(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting full = setting_at(odd_port("full"), SECURITY_TLS);
	struct setting busy = setting_at(odd_port("backoff"), SECURITY_TLS);
	struct source_item item = {.validity = 4294967295, .uid = "1"};
	struct source *source = open_at(mem, &full);
	struct err *e = source->kind->file(source, mem, &item, 1, SOURCE_PROCESSED);

	(void)state;
	assert_non_null(e);
	assert_false(e->retry);
	assert_non_null(strstr(e->what, "Mailbox is full"));
	source = open_at(mem, &busy);
	e = source->kind->file(source, mem, &item, 1, SOURCE_PROCESSED);
	assert_non_null(e);
	assert_true(e->retry);
	talloc_free(mem);
}

static void expect_refusal(const char *mode, int security, bool retry, const char *says)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct setting s = setting_at(odd_port(mode), security);
	struct timespec before, after;
	struct err *e;

	clock_gettime(CLOCK_MONOTONIC, &before);
	e = refusal(mem, &s);
	clock_gettime(CLOCK_MONOTONIC, &after);
	if (strstr(e->what, says) == NULL || e->retry != retry)
		print_error("%s: %s, retry %d\n", mode, err_text(mem, e), e->retry);
	assert_non_null(strstr(e->what, says));
	assert_int_equal(e->retry, retry);
	assert_true(after.tv_sec - before.tv_sec < 12); /* the deadline is two seconds, the goodbye's five */
	talloc_free(mem);
}

static void gives_up_in_time_and_says_why(void **state)
{
	(void)state;
	expect_refusal("refused", SECURITY_TLS, false, "Invalid credentials");
	expect_refusal("throttled", SECURITY_TLS, true, "Too many simultaneous");
	expect_refusal("trickle", SECURITY_TLS, true, "log-in failed");
	expect_refusal("stall", SECURITY_TLS, true, "log-in failed");
	expect_refusal("nomailbox", SECURITY_TLS, false, "Unknown Mailbox");
	expect_refusal("novalidity", SECURITY_TLS, true, "UIDVALIDITY");
	expect_refusal("busy", SECURITY_TLS, true, "greet");
	expect_refusal("clear-preauth", SECURITY_STARTTLS, false, "before STARTTLS");
	expect_refusal("clear-inject", SECURITY_STARTTLS, false, "STARTTLS");
	expect_refusal("clear-only", SECURITY_STARTTLS, false, "refuses STARTTLS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_in_order_of_arrival),
		cmocka_unit_test(fetches_many_and_the_header_of_a_large_one),
		cmocka_unit_test(files_into_a_folder_that_it_makes),
		cmocka_unit_test(files_below_the_inbox),
		cmocka_unit_test(says_what_is_wrong_with_the_account),
		cmocka_unit_test(refuses_wrong_certificates_before_the_password),
		cmocka_unit_test(loses_no_mail_to_an_odd_server),
		cmocka_unit_test(hears_a_no_after_half_an_answer),
		cmocka_unit_test(hears_why_nothing_can_be_moved),
		cmocka_unit_test(gives_up_in_time_and_says_why),
	};

	/* tests/e2e/imap.test runs it with servers. cmocka's skip() would leave what a test has allocated. */
	if (getenv("IMAPS_PORT") == NULL) {
		puts("SKIPPED here: no mail servers; e2e runs it");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
