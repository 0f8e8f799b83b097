/* service/people and service/enrol: what names may hold, who may be on which side, who may be taken out. */
#include "game_fixture.h"

#include "service/people.h"
#include "store/outbox.h"

static void test_names(void **state)
{
	static const struct {
		const char *given, *kept;
	} names[] = {
		{"Ann Smith", "Ann Smith"},
		{"  Ann\tSmith\r\n", "Ann Smith"},
		{"Ann\n\n--- END ---\nRESOLVE", "Ann --- END --- RESOLVE"},
		{"\x1b[2JAnn\x07", "[2JAnn"},
		{"Ann\xe2\x80\xae\xe2\x80\x8bSmith", "AnnSmith"}, /* turned round, and a blank of no width */
		{"Ren\xc3\xa9", "Ren\xc3\xa9"},
		{"\n\x01 \t", ""},
		{"", ""},
	};
	TALLOC_CTX *mem = talloc_new(NULL);
	char *endless = talloc_array(mem, char, 5000);

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_string_equal(people_name(mem, names[i].given), names[i].kept);
	memset(endless, 'a', 4999);
	endless[4999] = '\0';
	for (int i = 0; i < 4999; i += 10)
		endless[i] = ' ';
	assert_in_range(strlen(people_name(mem, endless)), 60, 80);
	talloc_free(mem);
}

/* The last player that was added. */
static const char *newest_name(struct played *t)
{
	expect_ok(store_players(t->s->store, t, t->game->id, &t->players));
	return t->players.list[t->players.count - 1].name;
}

/* By whichever door a name comes in. */
static void test_doors(void **state)
{
	struct played *t = played_new("");
	int added;

	(void)state;
	expect_ok(enrol_player(t->s, t, t->game, "E", "carol@oakfield.example", "Carol\nRESOLVE", ""));
	assert_string_equal(newest_name(t), "Carol RESOLVE");
	expect_ok(enrol_player(t->s, t, t->game, "E", "Dora\x1b\nX <dora@oakfield.example>", "", ""));
	assert_string_equal(newest_name(t), "Dora X");
	expect_ok(enrol_import(t->s, t, t->game, "f.csv", "J,\"Eve\x07 \x1b[0m\",eve@oakfield.example,\n", &added));
	assert_string_equal(newest_name(t), "Eve [0m");
	expect_ok(enrol_replace(t->s, t, t->game, t->players.list[0].id, "\"Fay\r\n.\" <fay@oakfield.example>"));
	assert_int_equal(number(t, "SELECT count(*) FROM player WHERE name = 'Fay .'"), 1);
	/* Who only gets a new key keeps his name. */
	expect_ok(enrol_replace(t->s, t, t->game, t->players.list[0].id, "fay@oakfield.example"));
	assert_int_equal(number(t, "SELECT count(*) FROM player WHERE name = 'Fay .'"), 1);
	expect_ok(enrol_player(t->s, t, t->game, "observer", "gil@oakfield.example", "\x01", ""));
	assert_string_equal(newest_name(t), "gil@oakfield.example");
	played_end(t);
}

static void expect_refused(const struct err *e, const char *words)
{
	assert_non_null(e);
	assert_int_equal(e->scope, ERR_GAME);
	if (strstr(e->what, words) == NULL)
		fail_msg("%s", e->what);
}

/* One person on both sides, by each door; on one side, as referee or in another game he is welcome. */
static void test_both_sides(void **state)
{
	static const char other[] = "plays for the other side";
	struct played *t = played_new("");
	struct new_game n = weekly_game("falkirk-8", "falkirk");
	struct game *g;
	int added;

	(void)state;
	n.jacobite = "Ann <ANN@oakfield.example>";
	expect_refused(enrol_player(t->s, t, t->game, "J", "Ann@Oakfield.example", "", ""), other);
	expect_refused(enrol_replace(t->s, t, t->game, t->players.list[1].id, "ann@oakfield.example"), other);
	expect_refused(enrol_import(t->s, t, t->game, "f.csv",
			       "J,Carol,carol@oakfield.example,\nE,Carol,carol@oakfield.example,\n", &added),
		other);
	assert_int_equal(number(t, "SELECT count(*) FROM player"), 3);
	expect_refused(enrol_game(t->s, t, &n, &g), other);
	assert_int_equal(number(t, "SELECT count(*) FROM game"), 1);
	n.jacobite = "ben@hillside.example, carol@oakfield.example";
	expect_ok(enrol_game(t->s, t, &n, &g));
	expect_ok(enrol_player(t->s, t, t->game, "E", "ann@oakfield.example", "Amy", ""));
	expect_ok(enrol_player(t->s, t, t->game, "observer", "ben@hillside.example", "", ""));
	/* The referee may play, but everybody hears of it. */
	expect_ok(enrol_player(t->s, t, t->game, "J", "head@oakfield.example", "", ""));
	assert_int_equal(number(t, "SELECT count(DISTINCT recipient) FROM outbox WHERE kind = 'notice'"), 3);
	played_end(t);
}

/* A class has one address and many pupils; the same pupil twice is a slip. */
static void test_one_address(void **state)
{
	static const char twice[] = "is in the game already, in the same role (player ";
	struct played *t = played_new("");
	int added = 7;

	(void)state;
	expect_ok(enrol_player(t->s, t, t->game, "E", "7b@oakfield.example", "Tom", "D"));
	expect_ok(enrol_player(t->s, t, t->game, "E", "7b@oakfield.example", "Una", "R"));
	expect_refused(enrol_player(t->s, t, t->game, "E", "7B@Oakfield.example", " TOM", "S"), twice);
	expect_ok(enrol_player(t->s, t, t->game, "E", "7b@oakfield.example", "", "S"));
	expect_refused(enrol_player(t->s, t, t->game, "E", "7b@oakfield.example", "", "K"), twice);
	expect_refused(
		enrol_import(t->s, t, t->game, "f.csv",
			"E,Vic,7b@oakfield.example\nE,Wim,7b@oakfield.example\nE,Vic,7b@oakfield.example\n", &added),
		twice);
	assert_int_equal(added, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM player"), 3 + 3);
	expect_ok(enrol_player(t->s, t, t->game, "observer", "7b@oakfield.example", "Tom", ""));
	played_end(t);
}

static void refuse_import(struct played *t, const char *text, const char *where, const char *words)
{
	int added = 7;
	const struct err *e = enrol_import(t->s, t, t->game, "f.csv", text, &added);

	expect_refused(e, words);
	assert_string_equal(e->where, where);
	assert_int_equal(added, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM player"), 3);
}

/* As Excel and others save it: each of these adds the same two. */
static void test_import(void **state)
{
	static const char *const files[] = {
		"role,name,address,units\nE,Ann Lee,lee@oakfield.example,\"D, R\"\nJ,Bo,bo@oakfield.example,\n",
		"\xEF\xBB\xBFrole,name,address,units\r\nE,Ann Lee,lee@oakfield.example,\"D, R\"\r\n"
		"J,Bo,bo@oakfield.example,\r\n",
		"\xEF\xBB\xBFRole;Name;Address;Units\r\nE;Ann Lee;lee@oakfield.example;D, R\r\n"
		"J;Bo;bo@oakfield.example;\r\n;;;\r\n",
		"role\tname\taddress\tunits\nEnglish\tAnn Lee\tlee@oakfield.example\tD, R\n"
		"Jacobite\tBo\tbo@oakfield.example\n",
		"address,role,units,name\nlee@oakfield.example,E,\"D, R\",Ann Lee\nbo@oakfield.example,J,,Bo\n",
		"E,Ann Lee,lee@oakfield.example,\"D, R\"\rJ,Bo,bo@oakfield.example\r",
	};
	struct played *t;
	int added;

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		t = played_new("");
		expect_ok(enrol_import(t->s, t, t->game, "f.csv", files[i], &added));
		assert_int_equal(added, 2);
		expect_ok(store_players(t->s->store, t, t->game->id, &t->players));
		assert_string_equal(t->players.list[3].role, "E");
		assert_string_equal(t->players.list[3].name, "Ann Lee");
		assert_string_equal(t->players.list[3].address, "lee@oakfield.example");
		assert_int_equal(number(t, "SELECT count(*) FROM player WHERE role = 'E' AND units <> ''"), 1);
		assert_string_equal(t->players.list[4].role, "J");
		assert_string_equal(t->players.list[4].units, "");
		played_end(t);
	}
	t = played_new("");
	refuse_import(t, "Side,Name,Email\nE,Bo,bo@oakfield.example\n", "f.csv:1", "reads role,name,address,units");
	refuse_import(t, "E,Bo,bo@oakfield.example\n\nX,Cy,cy@oakfield.example\n", "f.csv:3", "'X' is no role");
	refuse_import(t, "role,name,units\nE,Bo,\n", "f.csv:1", "no column address");
	refuse_import(t, "E,Bo\n", "f.csv:1", "there is no address");
	refuse_import(t, "E,\"Bo,bo@oakfield.example\n", "f.csv:1", "no second one");
	refuse_import(t, "E,Bo,bo@oakfield.example,Zorks\n", "f.csv:1", "Zorks");
	played_end(t);
}

/* Who is taken out writes in vain and is told; the only referee stays. */
static void test_removed(void **state)
{
	struct played *t = played_new("");
	const struct player *ben = &t->players.list[1];

	(void)state;
	expect_ok(store_add_deputy(t->s->store, t, ben->id, "deputy@hillside.example", "brook-1"));
	expect_refused(enrol_remove(t->s, t, t->game, t->players.list[2].id, NULL), "only referee");
	expect_refused(enrol_remove(t->s, t, t->game, ben->id, "ben@hillside.example"), "no deputy");
	expect_ok(enrol_remove(t->s, t, t->game, ben->id, "Deputy@hillside.example"));
	assert_int_equal(number(t, "SELECT count(*) FROM address WHERE deputy = 1"), 0);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE recipient LIKE '%hillside%' AND kind <> 'welcome'"), 2);
	/* His welcome, which has not been sent yet, is not sent any more; his farewell is. */
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE player = 2 AND state = 'queued'") > 0, 1);
	expect_ok(enrol_remove(t->s, t, t->game, ben->id, NULL));
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE player = 2 AND kind = 'welcome' AND state = 'queued'"), 0);
	put_mail(t, 1, MONDAY + MINUTE, "Camerons: advance 6");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 0);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE recipient = 'ben@hillside.example' AND kind = 'failure'"),
		1);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE recipient = 'ben@hillside.example' AND kind = 'notice'"),
		1);
	played_end(t);
}

static int failures_with(struct played *t, const char *words)
{
	return (int)number(
		t, talloc_asprintf(t,
			   "SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.kind "
			   "= 'failure' AND instr(CAST(b.bytes AS TEXT), '%s') > 0",
			   words));
}

/* A pupil whose place another has taken hears so when he answers an old mail. */
static void test_replaced_writes(void **state)
{
	struct played *t = played_new("");
	const struct player *ben = &t->players.list[1];
	struct outgoing *welcome;

	(void)state;
	expect_ok(store_last_mail(t->s->store, t, ben->id, "welcome", 0, &welcome));
	expect_ok(enrol_replace(t->s, t, t->game, ben->id, "Cy <cy@hillside.example>"));
	put_raw(t, MONDAY + MINUTE,
		talloc_asprintf(t,
			"From: ben@hillside.example\nTo: galloper@oakfield.example\nSubject: Re: hello\n"
			"Message-ID: <ben@school.example>\nIn-Reply-To: %s\n\nc: hold\n",
			welcome->message_id));
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(failures_with(t, "somebody else plays for you now"), 1);
	assert_int_equal(failures_with(t, "KEY"), 0);
	played_end(t);
}

/* Two of one class have one address: each welcome says whose it is, and an order for the other's unit whose mail is to
 * be answered. */
static void test_shared_address(void **state)
{
	struct played *t = played_new("");
	int added;

	(void)state;
	expect_ok(enrol_import(t->s, t, t->game, "f.csv",
		"J,Bea,7b@oakfield.example,Right\nJ,Zoe,7b@oakfield.example,Left\n", &added));
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.kind = "
			  "'welcome' AND instr(CAST(b.bytes AS TEXT), 'This mail is for Bea') > 0"),
		1);
	expect_ok(store_players(t->s->store, t, t->game->id, &t->players));
	put_mail(t, t->players.count - 1, MONDAY + MINUTE, "a: hold");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.kind = "
			  "'receipt' AND instr(CAST(b.bytes AS TEXT), 'For Bea (Jacobite)') > 0"),
		1);
	played_end(t);
}

/* A partner is told once that a unit of his is ordered anew, however often it then is. */
static void test_partner_told_once(void **state)
{
	struct played *t = played_new("");
	int added, edd = 0;

	(void)state;
	expect_ok(enrol_import(t->s, t, t->game, "f.csv", "E,Edd,edd@oakfield.example\n", &added));
	expect_ok(store_players(t->s->store, t, t->game->id, &t->players));
	for (int i = 0; i < t->players.count; i++)
		if (strcmp(t->players.list[i].name, "Edd") == 0)
			edd = i;
	assert_int_not_equal(edd, 0);
	put_mail(t, edd, MONDAY + MINUTE, "J: advance 5");
	for (int i = 2; i < 6; i++) {
		put_mail(t, 0, MONDAY + i * MINUTE, talloc_asprintf(t, "J: advance %d", i - 1));
		pass_at(t, MONDAY + i * MINUTE + 1);
	}
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE "
			  "recipient LIKE 'edd%' AND instr(CAST(b.bytes AS TEXT), 'partner has changed orders') > 0"),
		1);
	played_end(t);
}

/* One who plays two games is told for each which mail to answer and what to write. */
static void test_two_games(void **state)
{
	struct played *t = played_new("");
	struct game *other;

	(void)state;
	t->game->name = "culloden-8c";
	expect_ok(store_add_game(t->s->store, t, t->game));
	expect_ok(store_game_named(t->s->store, t, "culloden-8c", &other));
	expect_ok(store_add_player(t->s->store, t,
		&(struct player){.game = other->id,
			.role = "J",
			.units = "",
			.name = "Ben",
			.key = "fern-1",
			.address = "ben@hillside.example"}));
	put_from(t, "ben@hillside.example", MONDAY + MINUTE, "Re: Your mail to Galloper", "c: hold");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(failures_with(t, "    GAME falkirk-7b"), 1);
	assert_int_equal(failures_with(t, "    GAME culloden-8c"), 1);
	assert_int_equal(failures_with(t, "the game falkirk-7b answer a mail of ours that has [falkirk-7b"), 1);
	assert_int_equal(failures_with(t, "GAME ..."), 0);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_doors),
		cmocka_unit_test(test_both_sides),
		cmocka_unit_test(test_one_address),
		cmocka_unit_test(test_import),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_replaced_writes),
		cmocka_unit_test(test_shared_address),
		cmocka_unit_test(test_partner_told_once),
		cmocka_unit_test(test_two_games),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
