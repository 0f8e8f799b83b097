/* Who is writing, and what his mail answers (service/writer). The mails here bear no In-Reply-To: the token in their
 * subject says it all. */
#include "game_fixture.h"

#include "mail/typed.h"
#include "service/messages.h"
#include "store/outbox.h"

/* A reply to a mail of a line of play that was left is told so and orders nothing; taken up again, the line's mails
 * count again, and those of the other one do not. */
static void test_left_line(void **state)
{
	/* What everybody is told of the change is one. */
	static const char answers[] = "SELECT count(*) FROM outbox WHERE player = 1 AND kind = 'answer' AND line = 2";
	static const char sheets[] = "SELECT count(*) FROM sheet WHERE player = 1";
	struct played *t = played_new("");
	int64_t now = FRIDAY + MINUTE;

	(void)state;
	pass_at(t, now);
	put_mail(t, 2, now, "ROLLBACK TO TURN 1 BECAUSE we were wrong");
	pass_at(t, now += MINUTE);
	assert_int_equal(t->game->line, 2);
	assert_int_equal(t->game->turn, 1);

	assert_int_equal(number(t, answers), 1);
	t->game->line = 1; /* of the mails that came before */
	put_mail(t, 0, now, "Barrell's: advance 4");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 0);
	assert_int_equal(number(t, answers), 2);
	put_mail(t, 0, now, "Barrell's: advance 4");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 1);

	put_mail(t, 2, now, "ROLLFORWARD");
	pass_at(t, now += MINUTE);
	assert_int_equal(t->game->line, 1);
	t->game->line = 2;
	put_mail(t, 0, now, "Barrell's: advance 5");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 1);
	put_mail(t, 0, now, "Barrell's: advance 6");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 2);
	played_end(t);
}

/* The Message-ID of the newest mail to Ann. */
static const char *newest_id(struct played *t)
{
	const char *id;

	expect_ok(store_last_to(t->s->store, t, t->players.list[0].id, "ann@oakfield.example", &id));
	return id;
}

/* A mail server's report that the mail with that Message-ID did not reach her. */
static void put_bounce_of(struct played *t, int64_t arrived, const char *id, const char *status)
{
	put_raw(t, arrived,
		talloc_asprintf(t,
			"From: MAILER-DAEMON@oakfield.example\nSubject: Undelivered mail\nMessage-ID: <b%d@x>\n"
			"MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
			"--b\n\nIt is no use.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n"
			"Final-Recipient: rfc822; ann@oakfield.example\nAction: failed\nStatus: %s\n\n"
			"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: %s\n\n--b--\n",
			t->mails, status, id));
}

static void put_bounce(struct played *t, int64_t arrived, const char *id)
{
	put_bounce_of(t, arrived, id, "5.1.1");
}

/* Three mails that come back stop the mails to an address. So one must be proved, and counts once however often it is
 * told: neither who has seen a token nor a server that repeats itself cuts a player off. */
static void test_bounces(void **state)
{
	static const char count[] = "SELECT bounces * 10 + stopped FROM player WHERE id = 1";
	struct played *t = played_new("");
	const struct player *ann = &t->players.list[0];
	struct token token = token_make(t->s->secret, t->game->id, ann->id, 1, 1, 0, ann->key);
	int64_t now = MONDAY + MINUTE;

	(void)state;
	pass_at(t, now);
	for (int i = 0; i < 4; i++) {
		put_bounce(t, now, talloc_asprintf(t, "<g.%s.%016d@oakfield.example>", token.text, i));
		put_bounce(t, now, newest_id(t));
	}
	put_bounce(t, now, "");
	put_bounce(t, now, "<");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, count), 10);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'done'"), 10);
	for (int i = 2; i <= 3; i++) {
		put_mail(t, 0, now, "STATUS");
		pass_at(t, now += MINUTE);
		put_bounce(t, now, talloc_asprintf(t, " %s (ours)", newest_id(t)));
		pass_at(t, now += MINUTE);
		assert_int_equal(number(t, count), i * 10 + (i == 3));
	}
	played_end(t);
}

/* A full mailbox is no dead one: nothing is counted, and the referee hears of it. */
static void test_full_mailbox(void **state)
{
	struct played *t = played_new("");
	int64_t now = MONDAY + MINUTE;

	(void)state;
	pass_at(t, now);
	for (int i = 0; i < 4; i++) {
		put_mail(t, 0, now, "STATUS");
		pass_at(t, now += MINUTE);
		put_bounce_of(t, now, newest_id(t), i % 2 == 0 ? "5.2.2" : "4.4.7");
		pass_at(t, now += MINUTE);
	}
	assert_int_equal(number(t, "SELECT bounces * 10 + stopped FROM player WHERE id = 1"), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM news WHERE text LIKE '%came back for now%'"), 1);
	played_end(t);
}

/* Neither another's token nor another's key proves anything, nor one of one's own where it does not belong. */
static void test_forged(void **state)
{
	struct played *t = played_new("");
	const char *ann = "ann@oakfield.example", *ben = "ben@hillside.example";
	const char *anns = t->players.list[0].key, *bens = t->players.list[1].key, *orders = "Barrell's: hold";
	int64_t now = MONDAY + MINUTE;
	const struct {
		const char *from, *subject, *text;
	} mails[] = {
		{ben, tag_of(t, 0), orders},
		{ann, tag_of(t, 1), orders},
		{"stranger@far.example", tag_of(t, 0), orders},
		{"ann@oakfield.example, ben@hillside.example", tag_of(t, 0), orders},
		{ann, talloc_asprintf(t, "hello\nCc: galloper+%s@elsewhere.example", strrchr(tag_of(t, 0), ' ') + 1),
			orders},
		{ann, "hello", talloc_asprintf(t, "GAME falkirk-7b\n%s\n%s", tag_of(t, 0), orders)},
		{ann, "hello", talloc_asprintf(t, "GAME falkirk-7b\nKEY %s\n%s", bens, orders)},
		{ben, "hello", talloc_asprintf(t, "GAME falkirk-7b\nKEY %s\n%s", anns, orders)},
		{ann, talloc_asprintf(t, "KEY %s", anns), talloc_asprintf(t, "GAME falkirk-7b\n%s", orders)},
		{ann, "hello", talloc_asprintf(t, "GAME falkirk-7b\n%s\n\n> KEY %s\n", orders, anns)},
		{ann, "hello", talloc_asprintf(t, "GAME falkirk-7b KEY %s\n%s", bens, orders)},
		{ann, "hello", talloc_asprintf(t, "GAME another-7b\nKEY %s\n%s", anns, orders)},
	};
	int count = sizeof mails / sizeof *mails;

	(void)state;
	for (int i = 0; i < count; i++) {
		put_from(t, mails[i].from, now, mails[i].subject, mails[i].text);
		pass_at(t, now += MINUTE);
		if (number(t, "SELECT count(*) FROM sheet") > 0)
			fail_msg("forged mail %d counts", i);
	}
	put_from(t, ann, now, "hello", talloc_asprintf(t, "GAME falkirk-7b\nKEY %s\n%s", anns, orders));
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	put_from(t, ann, now, "hello", talloc_asprintf(t, "game: falkirk-7b, turn 1 key: %s # mine\n%s", anns, orders));
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 2);
	played_end(t);
}

/* A message to the other side cannot bring a sheet along that counts when its reader answers and quotes it. */
static void test_message_with_sheet(void **state)
{
	static const char *const bodies[] = {
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx - ORDERS falkirk-7b turn 1 - "
		"***************************************** c: retreat 6 # "
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
		"- END - ***",
		"--- ORDERS falkirk-7b turn 1 ---\nc: retreat 6\n--- END ---",
		"\xE2\x80\x94 O\xE2\x80\x8BRDERS falkirk-7b turn 1\nc: retreat 6\n\xE2\x80\x94 END \xE2\x80\x94",
		"> *- - orders turn 1\nc: retreat 6",
		"\xEF\xBC\x8D\xC2\xA0\xEF\xBC\xAFRDERS turn 1\nc: retreat 6",
	};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		const char *quotes[] = {"", "> ", ">> "};

		for (size_t q = 0; q < sizeof quotes / sizeof *quotes; q++) {
			char *text = talloc_asprintf(mem, "no\n\nOn Monday Galloper wrote:\n"), *line, *save = NULL;
			char *body = talloc_strdup(mem, message_body(mem, bodies[i]));
			struct typed typed;

			for (line = strtok_r(body, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
				text = talloc_asprintf_append(text, "%s%s\n", quotes[q], line);
			typed_read(mem, text, strlen(text), false, &typed);
			if (typed.sheet_count > 0)
				fail_msg("body %zu, quoted with \"%s\", holds a sheet:\n%s", i, quotes[q], text);
		}
	}
	assert_string_equal(
		message_body(mem, "on - and on, the weekend-end - fine"), "| on - and on, the weekend.end - fine\n");
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left_line),
		cmocka_unit_test(test_bounces),
		cmocka_unit_test(test_full_mailbox),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_message_with_sheet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
