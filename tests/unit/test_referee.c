/* The referee's desk: amendments, review and release, by mail and by `galloper referee`. */
#include "desk_fixture.h"

#include "service/audit.h"

/* The number of the first volley of at least so many dice, as the report prints it. */
static int volley(const struct resolved *r, int dice)
{
	for (int i = 0; i < r->events->count; i++)
		if (r->events->list[i]->kind == EVENT_VOLLEY && r->events->list[i]->number[NUM_DICE] >= dice)
			return i + 1;
	fail_msg("no volley of %d dice", dice);
	return 0;
}

/* All that a command may change. */
static const char *snapshot(struct played *t)
{
	return talloc_asprintf(t, "%d turns, %d released, revision %d, digest %s",
		(int)number(t, "SELECT count(*) FROM turn"), (int)number(t, "SELECT count(*) FROM released"),
		(int)number(t, "SELECT sum(revision) FROM game"), last(t)->row->digest);
}

/* --- refusals --- */

static void test_refused(void **state)
{
	static const struct {
		const char *command, *says;
	} cases[] = {
		{"AMEND 9999 HITS 1 BECAUSE so", "are numbered 1 to"},
		{"AMEND 0 VOID BECAUSE so", "are numbered 1 to"},
		{"AMEND T1.shoot.X.volley.7 VOID BECAUSE so", "there is no such event"},
		{"AMEND 1 HITS 1 BECAUSE so", "scores no hits"},
		{"AMEND 1 VOID", "please say why"},
		{"AMEND 1 HITS", "written `AMEND n HITS k | VOID BECAUSE reason`"},
		{"DIE T1.shoot.b.shoot.99 = 3 BECAUSE so", "no die of that name"},
		{"DIE T1.shoot.b.powder.1 = 7 BECAUSE so", "shows 1 to 6"},
		{"DIE T1.shoot.b.powder.1 = 0 BECAUSE so", "shows 1 to 6"},
		{"DIE T1.shoot.b.powder.1 = 3", "please say why"},
		{"SET R BASES 7 BECAUSE so", "from 0 to 6"},
		{"SET R FIGURES 3 BECAUSE so", "count bases and not figures"},
		{"SET Hu BASES 1 BECAUSE so", "KILL or SPARE"},
		{"SET Zebras BASES 3 BECAUSE so", "Zebras"},
		{"SET R BASES 3", "please say why"},
		{"SET R BASES 3 BEFORE 9999 BECAUSE so", "are numbered 1 to"},
		{"PLACE R AT Q7 BECAUSE so", "Q7"},
		{"PLACE R AT (120,30) BECAUSE so", "90 by 60"},
		{"PLACE R AT (0,0) FACING north BECAUSE so", "over the edge"},
		{"PLACE R AT H4", "please say why"},
		{"REMOVE R", "please say why"},
		{"RESTORE R BECAUSE so", "are there already"},
		{"KILL R BECAUSE so", "are no commander"},
		{"SPARE Hu BECAUSE so", "is there already"},
		{"KILL Zed BECAUSE so", "Zed"},
		{"ORDER E: R: hold", "please say why"},
		{"ORDER E: Camerons: hold BECAUSE so", "Nothing was done"},
		{"ORDER E: hello there BECAUSE so", "there is no order in it"},
		{"VOID ORDERS E", "please say why"},
		{"RELEASE TURN 7", "the last turn is 1"},
		{"RELEASE", "nothing is held"},
		{"REVIEW ON 900 HOURS", "from 0 to 720"},
		{"WHY 900", "are numbered 1 to"},
	};
	struct played *t = turn_one("off");
	const char *before = snapshot(t);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct desk_answer a = referee(t, cases[i].command);

		if (!a.refused)
			fail_msg("%s was not refused", cases[i].command);
		if (strstr(a.text, cases[i].says) == NULL)
			fail_msg("%s: '%s' does not say '%s'", cases[i].command, a.text, cases[i].says);
		assert_string_equal(snapshot(t), before);
	}
	played_end(t);
}

static void test_nothing_resolved_yet(void **state)
{
	struct played *t = played_new("");
	struct desk_answer a = referee(t, "AMEND 1 VOID BECAUSE so\nRELEASE\nWHY 1");

	(void)state;
	assert_true(a.refused);
	expect_says(a.text, "No turn has been resolved yet");
	expect_says(a.text, "RELEASE: no turn");
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 0);
	played_end(t);
}

/* From a player's address; and from the referee's own without token or key. */
static void test_who_may(void **state)
{
	struct played *t = turn_one("off");
	const char *before = snapshot(t);

	(void)state;
	put_mail(t, ANN, FRIDAY + 2 * MINUTE, "AMEND 1 VOID BECAUSE so\nREMOVE c BECAUSE so\nRELEASE\n");
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_string_equal(snapshot(t), before);
	put_from(t, "head@oakfield.example", FRIDAY + 3 * MINUTE, "hello", "GAME falkirk-7b\nREMOVE c BECAUSE so");
	pass_at(t, FRIDAY + 4 * MINUTE);
	assert_string_equal(snapshot(t), before);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'rejected'"), 1);
	played_end(t);
}

/* VOID of a volley by its number: no hits and no losses by it, its dice as they fell; UNDO brings it back. */
static void test_void_of_a_volley(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t), *now;
	const struct event *ev, *after;
	int n = 1, target, lost;

	(void)state;
	while (plain->events->list[n - 1]->kind != EVENT_VOLLEY || plain->events->list[n - 1]->number[NUM_HITS] == 0)
		assert_true(++n <= plain->events->count);
	ev = plain->events->list[n - 1];
	target = ev->objects[0];
	lost = ev->number[NUM_BEFORE] - ev->number[NUM_AFTER];
	assert_int_equal(lost, ev->number[NUM_HITS]);
	assert_false(referee(t, talloc_asprintf(t, "AMEND %d VOID BECAUSE of the fog", n)).refused);
	now = last(t);
	after = events_find(now->events, ev->key);
	assert_int_equal(after->number[NUM_HITS], 0);
	assert_int_equal(after->dice_count, ev->dice_count);
	for (int i = 0; i < ev->dice_count; i++)
		assert_int_equal(after->dice[i].value, ev->dice[i].value);
	assert_int_equal(now->after->units[target].bases, plain->after->units[target].bases + lost);
	assert_false(referee(t, "UNDO").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	played_end(t);
}

/* --- amendments --- */

static void test_amendments_survive_each_other(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t), *now;
	int n = volley(plain, 2);
	const struct event *ev = plain->events->list[n - 1];
	struct desk_answer a;

	(void)state;
	/* "=" or not, any case, and a comma before the reason. */
	a = referee(t, talloc_asprintf(t, "amend %d hits = 2, because they stood closer", n));
	assert_false(a.refused);
	expect_says(a.text, "hits = 2: done.");
	expect_says(a.text, "So the referee rules, because they stood closer.");
	a = referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill");
	assert_false(a.refused);
	now = last(t);
	/* His removal comes first, so that all numbers have moved on; the volley is still amended. */
	assert_int_equal(now->amendments->count, 2);
	assert_int_equal(now->row->resolution, 3);
	assert_int_equal(now->events->list[0]->kind, EVENT_RULING);
	assert_int_equal(events_find(now->events, ev->key)->number[NUM_HITS], 2);
	/* The same thing again takes the place of what was said before. */
	a = referee(t, talloc_asprintf(t, "AMEND %s HITS 1 BECAUSE after all", ev->key));
	assert_false(a.refused);
	now = last(t);
	assert_int_equal(now->amendments->count, 2);
	assert_int_equal(events_find(now->events, ev->key)->number[NUM_HITS], 1);
	/* One whose event no longer happens is kept, and reported. */
	a = referee(t, talloc_asprintf(
			       t, "REMOVE %s BEFORE T1.move.A.move.1 BECAUSE gone", now->after->units[ev->actor].code));
	assert_false(a.refused);
	expect_says(a.text, "WITHOUT EFFECT NOW");
	expect_says(a.text, ev->key);
	assert_int_equal(last(t)->amendments->count, 3);
	played_end(t);
}

/* By mail: the numbers are those of the mail that is answered, also after another amendment. */
static void test_numbers_of_the_answered_mail(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	int n = volley(plain, 2);
	const char *key = plain->events->list[n - 1]->key;
	struct outgoing *sent;

	(void)state;
	expect_ok(store_last_mail(t->s->store, t, t->players.list[HEAD].id, "review", 0, &sent));
	assert_int_equal(sent->shows, plain->row->id);
	put_mail(t, HEAD, FRIDAY + 2 * MINUTE, "SET Hu BASES 9 BECAUSE x\nREMOVE Hu BEFORE 1 BECAUSE he was ill");
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_int_equal(last(t)->row->resolution, 2);
	assert_string_not_equal(last(t)->events->list[n - 1]->key, key);
	put_from(t, "head@oakfield.example", FRIDAY + 4 * MINUTE,
		talloc_asprintf(t, "Re: %s\nIn-Reply-To: %s", tag_of(t, HEAD), sent->message_id),
		talloc_asprintf(t, "AMEND %d HITS 2 BECAUSE the first review says so", n));
	pass_at(t, FRIDAY + 5 * MINUTE);
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 2);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 0);
	played_end(t);
}

/* --- review and release --- */

static void test_review_and_release(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_true(t->game->held);
	assert_int_equal(t->game->release_at, FRIDAY + MINUTE + 48 * HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM released"), 0);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 0);
	assert_int_equal(count_mails(t, "review", "    HOLD"), 1);
	assert_int_equal(count_mails(t, "review", "    UNDO"), 0); /* there is nothing to take back yet */
	/* No deadline runs while it is held, and players' orders are not taken. */
	put_mail(t, ANN, FRIDAY + HOUR, "MAP\nRESEND\nORDERS\nSTATUS\nR: hold");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 0);
	assert_int_equal(count_mails(t, "answer", "The referee has the turn"), 1);
	assert_int_equal(count_mails(t, "answer", "  +----"), 0);
	assert_false(referee(t, "HOLD").refused);
	assert_int_equal(t->game->release_at, 0);
	pass_at(t, FRIDAY + WEEK + HOUR);
	assert_int_equal(t->game->turn, 2);
	assert_true(t->game->held);
	assert_false(referee(t, "RELEASE TURN 1").refused);
	assert_false(t->game->held);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	assert_int_equal(number(t, "SELECT count(*) FROM released"), 1);
	/* The deadline that stood has gone by: the next one that leaves half a week. */
	assert_int_equal(t->game->deadline, FRIDAY + 2 * WEEK);
	played_end(t);
}

/* The example lines of the review as it was mailed: what is indented by four. */
static char *examples(struct played *t)
{
	char *out = talloc_strdup(t, ""), *text = talloc_strdup(t, ""), *save = NULL;
	struct outgoing *sent;

	expect_ok(store_last_mail(t->s->store, t, t->players.list[HEAD].id, "review", 0, &sent));
	for (const char *p = sent->bytes; p < strstr(sent->bytes, "<html") - 2; p++) /* undo the mail's "=3D" */
		text = strncmp(p, "=3D", 3) == 0 ? (p += 2, talloc_strdup_append_buffer(text, "="))
						 : talloc_strndup_append_buffer(text, p, 1);
	for (char *line = strtok_r(text, "\r\n", &save); line != NULL; line = strtok_r(NULL, "\r\n", &save))
		if (strncmp(line, "    ", 4) == 0 && strstr(line, " BECAUSE ") != NULL && line[4] != ' ')
			out = talloc_asprintf_append(out, "%s\n", line + 4);
	return out;
}

/* A teacher who copies the examples of the review is understood: each one in an answer of its own, and all in one. */
static void test_examples_of_the_review(void **state)
{
	static const char *const rules[] = {"fastplay", "shreds"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct played *t = turn_one_under(rules[k], "on");
		char *all = examples(t), *save = NULL;
		int tried = 0, now = FRIDAY + 2 * MINUTE;

		expect_says(all, k == 0 ? " BASES " : " FIGURES ");
		put_mail(t, HEAD, now, all);
		pass_at(t, now + 1);
		assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what LIKE 'refused%'"), 0);
		for (char *line = strtok_r(all, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
			struct played *fresh = turn_one_under(rules[k], "on");

			tried++;
			put_mail(fresh, HEAD, now, line);
			pass_at(fresh, now + 1);
			if (last(fresh)->row->resolution != 2)
				fail_msg("'%s' was not done under %s", line, rules[k]);
			played_end(fresh);
		}
		assert_int_equal(tried, k == 0 ? 5 : 4); /* nobody is in range yet under shreds */
		assert_int_equal(last(t)->row->resolution, tried + 1);
		put_mail(t, HEAD, now + HOUR, "RELEASE");
		pass_at(t, now + 2 * HOUR);
		assert_false(t->game->held);
		played_end(t);
	}
}

static void test_released_by_itself(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_int_equal(pass_at(t, FRIDAY + 48 * HOUR).released, 0);
	assert_int_equal(pass_at(t, FRIDAY + 48 * HOUR + MINUTE).released, 1);
	assert_false(t->game->held);
	assert_int_equal(t->game->deadline, FRIDAY + WEEK);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	played_end(t);
}

static void test_release_deadline(void **state)
{
	struct game g = {.slot = "Fri 16:00", .zone = "Europe/London", .skips = "", .deadline = FRIDAY + WEEK};

	(void)state;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + HOUR), FRIDAY + WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2), FRIDAY + WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2 + 1), FRIDAY + 2 * WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + 2 * WEEK), FRIDAY + 3 * WEEK);
	/* Set by hand: it stands, unless it has gone by. */
	g.deadline_set = true;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2 + 1), FRIDAY + WEEK);
	g.deadline = FRIDAY + WEEK - 7 * HOUR;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK - 8 * HOUR), FRIDAY + WEEK - 7 * HOUR);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK - 6 * HOUR), FRIDAY + 2 * WEEK);
}

/* After release: all get the corrected report, orders are kept, and who is concerned is told. */
static void test_corrected(void **state)
{
	struct played *t = turn_one("off");

	(void)state;
	put_mail(t, ANN, FRIDAY + HOUR, "A: advance 2\nR: hold");
	put_mail(t, BEN, FRIDAY + HOUR, "c: hold");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_false(referee(t, "REMOVE A BECAUSE they ran\nSET B BASES 2 BECAUSE so").refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3); /* one to each, for both changes */
	assert_int_equal(count_mails(t, "report", "Your orders for turn 2 are kept"), 2);
	assert_int_equal(count_mails(t, "report", "is gone and can be"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 2);
	pass_at(t, FRIDAY + WEEK + MINUTE);
	assert_int_equal(t->game->turn, 3);
	played_end(t);
}

/* --- taken back --- */

/* The latest first or by number; what a change had replaced counts again; the record keeps all of it. */
static void test_undo(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	int n = volley(plain, 2);
	const char *key = plain->events->list[n - 1]->key;
	struct desk_answer a;
	struct audit audit;

	(void)state;
	assert_true(referee(t, "UNDO").refused);
	referee(t, talloc_asprintf(t, "AMEND %s HITS 2 BECAUSE they stood closer", key));
	referee(t, "SET R BASES 3 BECAUSE we counted wrong");
	a = referee(t, talloc_asprintf(t, "AMEND %s HITS 1 BECAUSE after all", key));
	expect_says(a.text, "2. SET R BASES 3");
	expect_says(a.text, "UNDO takes back the last of them");
	expect_says(referee(t, "UNDO 1").text, "Take that one back first: UNDO 3.");
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 1);
	assert_false(referee(t, "undo that please").refused);
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 2);
	assert_false(referee(t, "undo my change 1 BECAUSE of a mistake").refused);
	assert_int_equal(
		events_find(last(t)->events, key)->number[NUM_HITS], events_find(plain->events, key)->number[NUM_HITS]);
	expect_says(referee(t, "UNDO 3").text, "2. SET R BASES 3");
	assert_false(referee(t, "Undo").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_int_equal(last(t)->row->resolution, 7);
	assert_true(referee(t, "UNDO").refused);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'UNDO 3'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'UNDO 1' AND reason = 'of a mistake'"), 1);
	expect_says(referee(t, "AMEND 15 UNDO").text, "write UNDO alone");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

/* Orders, and of a turn that the players know: they get the corrected report again. */
static void test_undo_after_release(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t);

	(void)state;
	assert_false(referee(t, "ORDER E: R: hold BECAUSE the mail was lost").refused);
	assert_string_not_equal(last(t)->row->orders, plain->row->orders);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_false(referee(t, "UNDO BECAUSE it came too late").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_string_equal(last(t)->row->orders, plain->row->orders);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 6);
	assert_int_equal(count_mails(t, "report", "takes back the change ORDER E: R: hold"), 3);
	played_end(t);
}

/* The orders in force for the open turn. */
static const char *orders_now(struct played *t)
{
	struct board *b;
	char *text;

	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(desk_orders(t->s, t, b, &text));
	return text;
}

/* A standing order stops with VOID ORDERS for the turn in which it was given, and UNDO brings it back; what ORDER makes
 * stand for later goes with UNDO. */
static void test_standing(void **state)
{
	static const char *const voids[] = {"VOID ORDERS E R BECAUSE so", "VOID ORDERS E BECAUSE so"};
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "standing R: advance 1");
	pass_at(t, MONDAY + HOUR);
	pass_at(t, FRIDAY + MINUTE);
	expect_says(orders_now(t), "R: move 1 forward");
	for (int i = 0; i < 2; i++) {
		assert_false(referee(t, voids[i]).refused);
		assert_null(strstr(orders_now(t), "R: move 1 forward"));
		expect_says(referee(t, "UNDO").text, "also what it had entered for later");
		expect_says(orders_now(t), "R: move 1 forward");
	}
	expect_says(referee(t, "ORDER E: standing R: advance 2 BECAUSE so").text, "for later is entered");
	expect_says(orders_now(t), "R: move 2 forward");
	assert_false(referee(t, "UNDO").refused);
	expect_says(orders_now(t), "R: move 1 forward");
	/* Where nothing stands nothing is entered. */
	assert_false(referee(t, "VOID ORDERS E R BECAUSE so\nORDER E: R: advance 3 BECAUSE so").refused);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE referee IS NOT NULL"), 1);
	played_end(t);
}

/* Takes so many English units off the table that they break, which ends the battle. */
static const char *end_of_the_english(struct played *t)
{
	const struct state *s = last(t)->after;
	char *text = talloc_strdup(t, "");

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == SIDE_GOVERNMENT && unit_is_formed(&s->units[i]) && s->units[i].code[0] < 'N')
			text = talloc_asprintf_append(text, "REMOVE %s BEFORE 1 BECAUSE they ran\n", s->units[i].code);
	return text;
}

/* A change of a turn that all know ends the battle: nobody hears of it before RELEASE, and UNDO takes it back. */
static void test_end_held_back(void **state)
{
	struct played *t = turn_one("off");
	int64_t deadline = t->game->deadline;
	int changes = 0;
	struct desk_answer a = referee(t, end_of_the_english(t));

	(void)state;
	assert_false(a.refused);
	expect_says(a.text, "by this change the battle is over");
	assert_int_equal(last(t)->after->winner, WINNER_JACOBITE);
	assert_true(t->game->held);
	assert_string_equal(t->game->status, "running");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 0);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 0);
	/* Not by itself, and no turn is resolved meanwhile. */
	pass_at(t, FRIDAY + 3 * WEEK);
	assert_true(t->game->held);
	for (; t->game->held && changes < 40; changes++)
		a = referee(t, "UNDO");
	expect_says(a.text, "With that the battle goes on");
	assert_string_equal(t->game->status, "running");
	assert_int_equal(last(t)->after->winner, WINNER_OPEN);
	assert_true(t->game->deadline > deadline); /* three weeks have gone */
	/* What is left of the changes is told, with its reasons. */
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_int_equal(count_mails(t, "report", "The referee rules: REMOVE A BEFORE 1, because they ran."), 3);
	/* Once more, and now it is meant. */
	referee(t, end_of_the_english(t));
	assert_true(t->game->held);
	expect_says(referee(t, "RELEASE").text, "the battle is over");
	assert_string_equal(t->game->status, "ended");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 3);
	played_end(t);
}

/* The same while the turn is held for review; and a rollback from a turn that is held back. */
static void test_end_undone(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	struct desk_answer a = referee(t, end_of_the_english(t));

	(void)state;
	expect_says(a.text, "the battle is over with it");
	for (int i = 0; i < 40 && strcmp(last(t)->row->digest, plain->row->digest) != 0; i++)
		assert_false(referee(t, "UNDO").refused);
	assert_int_equal(last(t)->after->winner, WINNER_OPEN);
	assert_false(referee(t, "RELEASE").refused);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	assert_string_equal(t->game->status, "running");
	referee(t, end_of_the_english(t));
	assert_true(t->game->held);
	assert_false(referee(t, "ROLLBACK TO TURN 1 BECAUSE so").refused);
	assert_false(t->game->held);
	assert_string_equal(t->game->status, "running");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 0);
	played_end(t);
}

/* A change and what undoes it, in one mail: the players hear nothing of either, and the record keeps both. */
static void test_came_to_nothing(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t);
	struct desk_answer a = referee(t, "KILL Hu BECAUSE he was hit\nSPARE Hu BECAUSE no he was not");

	(void)state;
	assert_false(a.refused);
	expect_says(a.text, "changes nothing of what the players know");
	assert_int_equal(last(t)->row->resolution, 3);
	assert_int_equal(last(t)->amendments->count, 0);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE reason = 'no he was not'"), 1);
	/* Of a change that they know they hear why it goes, beside one that is new. */
	assert_false(referee(t, "KILL Hu BECAUSE he was hit").refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_false(referee(t, "SPARE Hu BECAUSE no he was not\nREMOVE A BECAUSE they ran\nUNDO\nREMOVE B BECAUSE so")
			     .refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 6);
	assert_int_equal(count_mails(t, "report", "no he was not"), 3);
	assert_int_equal(count_mails(t, "report", "they ran"), 0);
	played_end(t);
}

/* Both sides have a gun 1: what all read says which one is meant, and what is to be copied is understood. */
static void test_guns(void **state)
{
	static const struct {
		const char *typed, *says;
	} steps[] = {
		{"RESOLVE", "Turn 1 is resolved"},
		{"REMOVE English gun 1 BECAUSE it broke", "REMOVE English gun 1: done."},
		{"REMOVE English gun 1 BECAUSE it broke", "British gun 1 is gone already"},
		{"PLACE English gun 1 AT D4 BECAUSE so",
			"British gun 1 is gone. To put it back write: RESTORE British gun 1 BECAUSE"},
		{"RESTORE British gun 1 BECAUSE so", "RESTORE British gun 1: done."},
		{"REMOVE Jacobite gun 1 BECAUSE it broke", "REMOVE Jacobite gun 1: done."},
	};
	struct played *t = played_new("");
	struct new_game n = {.name = "culloden-7b",
		.battle = "culloden",
		.english = "ann@oakfield.example",
		.jacobite = "ben@hillside.example",
		.referee = "head@oakfield.example",
		.every = "Fri 16:00",
		.zone = "Europe/London",
		.skips = "",
		.reminders = ""};
	struct game *g;

	(void)state;
	expect_ok(enrol_game(t->s, t, &n, &g));
	expect_ok(enrol_start(t->s, t, g));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct desk_answer a;

		expect_ok(desk_referee(t->s, t, g, steps[i].typed, &a));
		expect_says(a.text, steps[i].says);
	}
	assert_true(count_mails(t, "report", "Jacobite gun 1 is taken off") == 3);
	assert_int_equal(count_mails(t, "report", "Cannon 1"), 0);
	played_end(t);
}

/* BEFORE 1 where number 1 is a change that was made there already. */
static void test_before_a_ruling(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_false(referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill").refused);
	assert_int_equal(last(t)->events->list[0]->kind, EVENT_RULING);
	assert_false(referee(t, "SET R BASES 3 BEFORE 1 BECAUSE so").refused);
	assert_int_equal(last(t)->events->list[1]->kind, EVENT_RULING);
	played_end(t);
}

/* After a rollback the turn before is that of the line that was left, too: what followed it there must stay true. */
static void test_turn_of_a_line_that_was_left(void **state)
{
	struct played *t = turn_one("off");
	struct audit audit;

	(void)state;
	referee(t, "RESOLVE");
	referee(t, "ROLLBACK TO TURN 2 BECAUSE so");
	expect_says(referee(t, "REMOVE R BECAUSE so").text, "ROLLBACK TO TURN 1 BECAUSE reason");
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 2);
	referee(t, "ROLLFORWARD");
	assert_false(referee(t, "REMOVE R BECAUSE so").refused);
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

static int bases_after(struct played *t, const char *code)
{
	const struct state *s = last(t)->after;

	return s->units[state_find_code(s, code, -1)].bases;
}

/* Changes of one moment are made in the order in which the referee wrote them last, and the turn is played again from
 * there; of what stands already nobody hears twice. */
static void test_written_again(void **state)
{
	struct played *t = turn_one("on");
	struct audit audit;
	const char *event;

	(void)state;
	assert_false(referee(t, "SET A BASES 4 BEFORE 2 BECAUSE so").refused);
	event = last(t)->amendments->list[0]->before;
	assert_false(referee(t, talloc_asprintf(t, "REMOVE A BEFORE %s BECAUSE so", event)).refused);
	assert_int_equal(bases_after(t, "A"), 0);
	assert_false(referee(t, talloc_asprintf(t, "SET A BASES 4 BEFORE %s BECAUSE so", event)).refused);
	assert_int_equal(bases_after(t, "A"), 4);
	expect_says(referee(t, talloc_asprintf(t, "SET A BASES 4 BEFORE %s BECAUSE so", event)).text,
		"that stands already. Nothing was done.");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	assert_int_equal(audit.rows[0].resolutions, 4);
	played_end(t);
}

static void test_all_resolutions_verify(void **state)
{
	struct played *t = turn_one("on");
	struct audit audit;

	(void)state;
	referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill\nORDER E: R: hold BECAUSE so\nRELEASE");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	assert_int_equal(audit.rows[0].resolutions, 3);
	expect_ok(sql_script(
		t->s->store, t, "DROP TRIGGER turn_stays; UPDATE turn SET digest = 'abc' WHERE resolution = 2"));
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 1);
	played_end(t);
}

/* A change takes the turn up again before the phase in which it acts: what lies before is left alone, and it comes to
 * what the whole turn comes to. */
static void taken_up_again(const char *rules)
{
	struct played *t = turn_one_under(rules, "on");
	const struct events *events = last(t)->events;
	const struct event *ev = NULL;
	int n = 0;

	for (int i = 0; i < events->count; i++)
		if (events->list[i]->dice_count > 0 && events->list[i]->actor >= 0) {
			ev = events->list[i];
			n = i + 1;
		}
	assert_non_null(ev);

	const struct {
		const char *command;
		int phase; /* what lies before it is left alone */
	} cases[] = {
		{"SET R BASES 2 BECAUSE so", 99},
		{talloc_asprintf(
			 t, "DIE %s = %d BECAUSE so", ev->dice[0].name, ev->dice[0].sides + 1 - ev->dice[0].value),
			ev->phase},
		{"SET R BASES 1 BECAUSE so", 99},
		{talloc_asprintf(t, "KILL Hu BEFORE %d BECAUSE so", n), ev->phase},
		{"UNDO 2", ev->phase},
		{"ORDER E: R: hold BECAUSE so", 0},
		{"UNDO", 0},
	};
	struct audit audit;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t left = number(
			t, talloc_asprintf(t, "SELECT count(*) FROM turn_phase WHERE phase <= %d", cases[i].phase));

		expect_ok(sql_run(t->s->store, t, "UPDATE turn_phase SET rowid = 100 * rowid", ""));
		assert_false(referee(t, cases[i].command).refused);
		assert_int_equal(number(t, "SELECT count(*) FROM turn_phase WHERE rowid % 100 = 0"), left);
		expect_ok(audit_verify(t->s, t, t->game, &audit));
		assert_int_equal(audit.faults, 0);
	}
	played_end(t);
}

static void test_taken_up_again(void **state)
{
	(void)state;
	taken_up_again("fastplay");
	taken_up_again("shreds");
}

static void test_numbers(void **state)
{
	struct events events = {.count = 0};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "turn 2 has no events");
	events.count = 1;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "turn 2 has one event, number 1");
	events.count = 17;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "the events of turn 2 are numbered 1 to 17");
	talloc_free(mem);
}

/* What was READY is so no longer when the orders change without its sayer, or he does. */
static void test_ready_falls(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "all: hold\nREADY");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_false(referee(t, "VOID ORDERS E").refused);
	put_mail(t, BEN, MONDAY + 3 * MINUTE, "READY");
	pass_at(t, MONDAY + 4 * MINUTE);
	assert_int_equal(t->game->turn, 1);
	assert_false(referee(t, "REPLACE 2 WITH new@hillside.example").refused);
	put_mail(t, ANN, MONDAY + 5 * MINUTE, "READY");
	pass_at(t, MONDAY + 6 * MINUTE);
	assert_int_equal(t->game->turn, 1);
	played_end(t);
}

/* What cannot be taken back is not done while anything about it is in doubt. */
static void test_far_reaching(void **state)
{
	static const char *const unclear[] = {"DEADLINE yesterday\nRESOLVE", "DEADLINE yesterday\nVERDICT draw",
		"VERDICT the English lost to the Jacobites", "VERDICT the English lost",
		"VERDICT the English did not win", "VERDICT the English won and the Jacobites won"};
	struct played *t = plain_game("off");
	struct game old;

	(void)state;
	pass_at(t, MONDAY + MINUTE);
	for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
		assert_true(referee(t, unclear[i]).refused);
		assert_int_equal(t->game->turn, 1);
		assert_string_equal(t->game->status, "running");
	}
	old = *t->game;
	referee(t, "RESOLVE");
	assert_int_equal(t->game->turn, 2);
	/* Another process had looked at turn 1 as well. */
	assert_non_null(desk_resolve(t->s, t, &old, 0));
	assert_int_equal(number(t, "SELECT turn FROM game"), 2);
	assert_true(referee(t, "DEADLINE yesterday\nROLLBACK TO TURN 1 BECAUSE of this").refused);
	assert_int_equal(t->game->turn, 2);
	referee(t, "VERDICT after the English attack failed, the Jacobites win");
	assert_string_equal(t->game->status, "ended");
	assert_int_equal(last(t)->after->winner, WINNER_JACOBITE);
	played_end(t);
}

/* A held turn that is left and taken up again is released by itself when it would have been. */
static void test_held_line(void **state)
{
	struct played *t = turn_one("on");
	int64_t release_at = t->game->release_at;

	(void)state;
	assert_true(release_at > 0);
	assert_false(referee(t, "ROLLBACK TO TURN 1 BECAUSE of this").refused);
	assert_int_equal(t->game->release_at, 0);
	assert_false(referee(t, "ROLLFORWARD").refused);
	assert_true(t->game->held);
	assert_int_equal(t->game->release_at, release_at);
	/* One that ends the battle has no deadline to put off. */
	expect_ok(sql_run(t->s->store, t, "UPDATE game SET deadline = NULL", ""));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	assert_true(referee(t, "EXTEND 2 DAYS").refused);
	assert_int_equal(t->game->deadline, 0);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing_resolved_yet),
		cmocka_unit_test(test_who_may),
		cmocka_unit_test(test_void_of_a_volley),
		cmocka_unit_test(test_amendments_survive_each_other),
		cmocka_unit_test(test_numbers_of_the_answered_mail),
		cmocka_unit_test(test_review_and_release),
		cmocka_unit_test(test_examples_of_the_review),
		cmocka_unit_test(test_released_by_itself),
		cmocka_unit_test(test_release_deadline),
		cmocka_unit_test(test_ready_falls),
		cmocka_unit_test(test_far_reaching),
		cmocka_unit_test(test_held_line),
		cmocka_unit_test(test_corrected),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_undo_after_release),
		cmocka_unit_test(test_standing),
		cmocka_unit_test(test_end_held_back),
		cmocka_unit_test(test_end_undone),
		cmocka_unit_test(test_came_to_nothing),
		cmocka_unit_test(test_guns),
		cmocka_unit_test(test_before_a_ruling),
		cmocka_unit_test(test_turn_of_a_line_that_was_left),
		cmocka_unit_test(test_written_again),
		cmocka_unit_test(test_all_resolutions_verify),
		cmocka_unit_test(test_taken_up_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
