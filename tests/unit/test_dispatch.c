/* service/dispatch: what becomes of a mail after each way that sending can end. */
#include "game_fixture.h"

#include "mail/limits.h"
#include "service/dispatch.h"
#include "service/hold.h"
#include "service/lease.h"
#include "store/outbox.h"

/* A sink that answers as the test says, and counts. */
struct scripted {
	struct sink sink;
	struct sink_result result;
	int sent;
};

static void send_scripted(struct sink *sink, TALLOC_CTX *mem, const struct sink_message *m, struct sink_result *out)
{
	struct scripted *s = (struct scripted *)sink;

	assert_true(m->len > 0);
	*out = s->result;
	out->text = talloc_strdup(mem, "scripted");
	s->sent++;
}

static const struct sink_kind scripted_kind = {"scripted", NULL, send_scripted};

/* One row alone: the game's first mails are out of the way. */
static struct played *one_mail(struct scripted *sink, enum sink_outcome outcome, bool stop)
{
	struct played *t = played_new("");
	struct outgoing row = {.player = t->players.list[0].id,
		.recipient = "ann@oakfield.example",
		.kind = "report",
		.turn = 1,
		.message_id = "<g.test@oakfield.example>",
		.bytes = "A: b\r\n\r\n",
		.len = 8,
		.printed = "",
		.made = MONDAY};

	*sink = (struct scripted){.sink = {&scripted_kind}, .result = {.outcome = SINK_SENT}};
	expect_ok(dispatch(t->s, t, &sink->sink, "dispatch", &(struct dispatched){0}));
	assert_true(sink->sent >= 2);
	expect_ok(store_queue(t->s->store, t, &row));
	*sink = (struct scripted){.sink = {&scripted_kind}, .result = {.outcome = outcome, .stop = stop}};
	return t;
}

/* Tries it `passes` times, each when it is surely due again; gives how often it was sent. */
static int try_often(struct played *t, struct scripted *sink, int passes, struct dispatched *out)
{
	sink->sent = 0;
	for (int i = 0; i < passes; i++) {
		t->s->clock.fixed += 6 * HOUR;
		expect_ok(dispatch(t->s, t, &sink->sink, "dispatch", out));
	}
	return sink->sent;
}

static int64_t in_state(struct played *t, const char *state)
{
	int64_t n = -1;

	expect_ok(sql_int(t->s->store, t, &n,
		"SELECT count(*) FROM outbox WHERE message_id = '<g.test@oakfield.example>' AND state = ?", "t",
		state));
	return n;
}

static void test_sent_and_refused(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_SENT, false);

	(void)state;
	assert_int_equal(try_often(t, &sink, 3, &done), 1);
	assert_int_equal(in_state(t, "sent"), 1);
	played_end(t);

	t = one_mail(&sink, SINK_REFUSED, false);
	assert_int_equal(try_often(t, &sink, 3, &done), 1);
	assert_int_equal(in_state(t, "failed"), 1);
	played_end(t);
}

/* Later: again after the back-off, and given up after forty tries; but a server that is away uses up no mail. */
static void test_later(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_LATER, false);

	(void)state;
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 1);
	assert_false(done.stopped);
	assert_int_equal(try_often(t, &sink, 50, &done), 39);
	assert_int_equal(in_state(t, "failed"), 1);
	played_end(t);

	for (int outcome = SINK_LATER; outcome <= SINK_ACCOUNT; outcome += SINK_ACCOUNT - SINK_LATER) {
		t = one_mail(&sink, (enum sink_outcome)outcome, true);
		assert_int_equal(try_often(t, &sink, 100, &done), 100);
		assert_true(done.stopped);
		assert_string_equal(done.trouble, "scripted");
		assert_int_equal(in_state(t, "queued"), 1);
		sink.result = (struct sink_result){.outcome = SINK_SENT};
		assert_int_equal(try_often(t, &sink, 1, &done), 1);
		assert_int_equal(in_state(t, "sent"), 1);
		played_end(t);
	}
}

/* Perhaps taken: repeated, however often it had to wait before, but not for ever. */
static void test_uncertain(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_LATER, false);

	(void)state;
	assert_int_equal(try_often(t, &sink, 10, &done), 10);
	sink.result.outcome = SINK_UNCERTAIN;
	assert_int_equal(try_often(t, &sink, 1, &done), 1);
	assert_int_equal(in_state(t, "uncertain"), 1);
	assert_int_equal(try_often(t, &sink, 10, &done), 4);
	assert_int_equal(in_state(t, "failed"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM news WHERE text LIKE 'A mail to%player 1, report%'"), 1);
	played_end(t);
}

/* A log-in that is refused says nothing of the mail that was next: its tries are kept for what it meets itself. */
static void test_unheard(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_ACCOUNT, true);
	int64_t tries = -1;

	(void)state;
	sink.result.unheard = true;
	assert_int_equal(try_often(t, &sink, 50, &done), 50);
	assert_true(done.stopped && done.refused_us);
	expect_ok(sql_int(
		t->s->store, t, &tries, "SELECT tries FROM outbox WHERE message_id = '<g.test@oakfield.example>'", ""));
	assert_int_equal(tries, 0);
	sink.result = (struct sink_result){.outcome = SINK_SENT};
	sink.sent = 0;
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done)); /* it is due at once */
	assert_int_equal(sink.sent, 1);
	played_end(t);
}

/* The command for a password failed: nobody has refused us, and the mail's tries are kept. */
static void test_not_reached(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_NOT_REACHED, true);
	int64_t tries = -1;

	(void)state;
	sink.result.unheard = true;
	assert_int_equal(try_often(t, &sink, 50, &done), 50);
	assert_true(done.stopped && !done.refused_us);
	expect_ok(sql_int(
		t->s->store, t, &tries, "SELECT tries FROM outbox WHERE message_id = '<g.test@oakfield.example>'", ""));
	assert_int_equal(tries, 0);
	played_end(t);
}

static void queue_many(struct played *t, int from, int count)
{
	for (int i = from; i < from + count; i++) {
		struct outgoing row = {.player = t->players.list[0].id,
			.recipient = "ann@oakfield.example",
			.kind = "report",
			.turn = 1,
			.message_id = talloc_asprintf(t, "<g.%d@oakfield.example>", i),
			.bytes = "A: b\r\n\r\n",
			.len = 8,
			.printed = "",
			.made = MONDAY};

		expect_ok(store_queue(t->s->store, t, &row));
	}
}

/* The figures that Google and Microsoft publish are kept without being told. */
static void test_limits(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_SENT, false);
	struct config c = *t->s->config;

	(void)state;
	queue_many(t, 0, 520);
	c.outgoing = TRANSPORT_SERVER;
	c.smtp.host = "smtp.office365.com";
	t->s->config = &c;
	t->s->clock.fixed += 60;
	for (int minute = 1; minute <= 2; minute++) {
		expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
		expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
		assert_int_equal(sink.sent, 30 * minute);
		assert_false(done.stopped);
		t->s->clock.fixed += 60;
	}
	c.smtp.host = "smtp.gmail.com";
	c.address = "battle@gmail.com";
	t->s->clock.fixed += 24 * HOUR;
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 521); /* 461 on this day */
	queue_many(t, 1000, 100);
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 560);
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 560);
	assert_true(done.stopped && !done.refused_us);
	assert_non_null(strstr(done.trouble, "in a day"));
	t->s->clock.fixed += 24 * HOUR;
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 621);
	assert_int_equal(sending_limits(&c.smtp, "battle@school.example").day, 2000);
	c.smtp.host = "mail.school.example";
	assert_int_equal(sending_limits(&c.smtp, "battle@school.example").minute, LIMITS_NONE);
	played_end(t);
}

/* A server that breaks off before it has heard of the mail is not asked again in the same pass, nor is one that falls
 * silent over one mail after the other. */
static void test_silence(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_LATER, false);

	(void)state;
	sink.result.unheard = true;
	assert_int_equal(try_often(t, &sink, 1, &done), 1);
	assert_true(done.stopped);
	sink.result.unheard = false;
	for (int i = 0; i < 9; i++) {
		struct outgoing more = {.player = t->players.list[0].id,
			.recipient = "ann@oakfield.example",
			.kind = "report",
			.message_id = talloc_asprintf(t, "<%d@oakfield.example>", i),
			.bytes = "A: b\r\n\r\n",
			.len = 8,
			.printed = "",
			.made = MONDAY};

		expect_ok(store_queue(t->s->store, t, &more));
	}
	assert_int_equal(try_often(t, &sink, 1, &done), 3);
	assert_true(done.stopped);
	/* A word about each: no reason to stop. */
	sink.result.reply = 450;
	assert_int_equal(try_often(t, &sink, 1, &done), 10);
	assert_false(done.stopped);
	played_end(t);
}

/* A mail at which the program ends each time is given up, so that it does not keep the others. */
static void test_killer(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_SENT, false);
	struct outgoing *row;

	(void)state;
	for (int i = 0; i < 6; i++) {
		expect_ok(store_claim(t->s->store, t, t->s->owner, t->s->clock.fixed, 60, &row));
		assert_non_null(row);
		assert_int_equal(row->doubts, i);
		expect_ok(dispatch_recover(t->s, t));
	}
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 0);
	assert_int_equal(in_state(t, "failed"), 1);
	played_end(t);
}

/* Whoever has lost the lease sends no more: another is at it. */
static void test_lease_lost(void **state)
{
	struct scripted sink;
	struct dispatched done;
	struct played *t = one_mail(&sink, SINK_SENT, false);
	struct service other = *t->s;
	bool got;

	(void)state;
	other.owner = "12 34 another machine";
	lease_end(t->s, t, "dispatch");
	expect_ok(lease_take(&other, t, "dispatch", &got));
	assert_true(got);
	expect_ok(dispatch(t->s, t, &sink.sink, "dispatch", &done));
	assert_int_equal(sink.sent, 0);
	assert_int_equal(in_state(t, "queued"), 1);
	played_end(t);
}

/* --- leaving a server alone -------------------------------------------------------------------------------------- */

static bool held(struct played *t, enum hold_account account, int64_t after)
{
	const char *why;

	t->s->clock.fixed += after;
	expect_ok(hold_ask(t->s, t, account, &why));
	t->s->clock.fixed -= after;
	return why != NULL;
}

/* Is it held for so many seconds from now, and no longer? */
static void assert_held_for(struct played *t, enum hold_account account, int seconds)
{
	assert_true(held(t, account, 0));
	assert_true(held(t, account, seconds - 1));
	assert_false(held(t, account, seconds));
}

static void test_hold(void **state)
{
	struct played *t = played_new("");
	int times;

	(void)state;
	t->config->incoming = t->config->outgoing = TRANSPORT_SERVER;
	t->config->imap.password = "one";
	assert_false(held(t, HOLD_INCOMING, 0));
	for (int i = 0; i < 6; i++) {
		static const int minutes[] = {5, 10, 20, 40, 60, 60};

		expect_ok(hold_begin(t->s, t, HOLD_INCOMING, true, "refused", &times));
		assert_int_equal(times, i + 1);
		assert_held_for(t, HOLD_INCOMING, minutes[i] * MINUTE);
	}
	assert_false(held(t, HOLD_OUTGOING, 0));          /* each for itself */
	assert_false(held(t, HOLD_INCOMING, -24 * HOUR)); /* begun by a clock that was a day ahead */

	t->config->imap.password = "two"; /* mended: tried at once, and counted anew */
	assert_false(held(t, HOLD_INCOMING, 0));
	expect_ok(hold_begin(t->s, t, HOLD_INCOMING, true, "refused", &times));
	assert_int_equal(times, 1);
	t->config->imap.password = "one";
	assert_false(held(t, HOLD_INCOMING, 0));

	for (int i = 0; i < 6; i++) {
		static const int minutes[] = {1, 2, 4, 8, 15, 15};

		expect_ok(hold_begin(t->s, t, HOLD_OUTGOING, false, "away", &times));
		assert_held_for(t, HOLD_OUTGOING, minutes[i] * MINUTE);
	}
	expect_ok(hold_end(t->s, t, HOLD_OUTGOING));
	assert_false(held(t, HOLD_OUTGOING, 0));
	t->config->outgoing = TRANSPORT_MAILDIR;
	expect_ok(hold_begin(t->s, t, HOLD_OUTGOING, false, "a folder", &times));
	assert_false(held(t, HOLD_OUTGOING, 0));
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unheard),
		cmocka_unit_test(test_not_reached),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_killer),
		cmocka_unit_test(test_lease_lost),
		cmocka_unit_test(test_sent_and_refused),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_uncertain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
