/* Random armies under random orders, as test_random_battles has them, under "Rip her to shreds": figures and bases
 * agree, nobody routs twice for one loss, panic ends, nobody overlaps or leaves the table, a turn may be saved between
 * any two phases, and every event has its sentence. A failure prints the case file. RANDOM_BATTLES and RANDOM_SEED as
 * there. */
#include "amendment_fixture.h"
#include "invariants_fixture.h"
#include "random_case.h"

#include "orders/merge.h"
#include "report/chronicle.h"
#include "service/battles.h"
#include "service/casefile.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { BATTLES = 20 };
#else
enum { BATTLES = 120 };
#endif
enum { TURNS = 8, WHOLE_ARMIES = 25 };

/* --- the case --- */

/* The same armies and orders with this rule set's own words among them. */
static char *shreds_case(TALLOC_CTX *mem, uint64_t seed, const struct state *armies)
{
	static const char *const extras[] = {"form column", "form line", "halt"};
	const char *text = random_case_of(mem, seed, TURNS, armies, true);
	struct chance c = {seed};
	struct buf *out = buf_new(mem);

	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		int len = (int)strcspn(line, "\n");
		bool unit = strncmp(line, "  ", 2) == 0 && line[3] == ':';

		const char *strength = strncmp(line, "unit ", 5) == 0 ? strstr(line, "6 of 6 at") : NULL;

		if (strncmp(line, "set ", 4) == 0)
			continue;
		if (strength && strength < line + len && pick(&c, 3) == 0) {
			int figures = 1 + pick(&c, 24);

			buf_printf(out, "%.*s%d/%d of 24/3%.*s\n", (int)(strength - line), line, figures,
				(figures + 7) / 8, (int)(line + len - strength - 6), strength + 6);
			continue;
		}
		buf_printf(out, "%.*s%s%s\n", len, line, unit && pick(&c, 5) == 0 ? "; " : "",
			unit && out->data[out->len - 1] == ' ' ? extras[pick(&c, 3)] : "");
		if (strncmp(line, "battle ", 7) == 0)
			buf_printf(out, "rules shreds\nset break %s\n", pick(&c, 4) ? "off" : "on");
		if (strncmp(line, "battle ", 7) == 0 && pick(&c, 3) == 0)
			buf_adds(
				out, "wood 30,25 45,25 45,35 30,35 closed\nriver 0,20 40,22 90,18\nwall 50,30 60,40\n");
	}
	return out->data;
}

/* --- what must hold after any phase --- */

static char *bad_spot(const struct look *l)
{
	const struct state *s = l->after;
	struct point low = {-OVERLAP_TOLERANCE, -OVERLAP_TOLERANCE};
	struct point high = {l->sc->table.width + OVERLAP_TOLERANCE, l->sc->table.height + OVERLAP_TOLERANCE};

	for (int i = 0; i < s->count; i++) {
		const struct unit *a = &s->units[i];
		struct box small = shrunken(a->box);

		if (!stands(a))
			continue;
		if (!geo_within(&a->box, low, high))
			return talloc_asprintf(l->mem, "%s is off the table", describe(l->mem, a));
		if (a->kind == KIND_GUN && !same_place(&a->box, &l->before->units[i].box))
			return talloc_asprintf(l->mem, "gun %s has moved", a->code);
		for (int k = i + 1; k < s->count; k++)
			if (stands(&s->units[k]) && geo_overlap(&small, &s->units[k].box))
				return talloc_asprintf(l->mem, "%s and %s overlap", describe(l->mem, a),
					describe(l->mem, &s->units[k]));
	}
	return NULL;
}

static char *bad_unit(const struct look *l, int i)
{
	const struct unit *u = &l->after->units[i], *was = &l->before->units[i];

	if (u->kind == KIND_COMMANDER) {
		if (unit_alive(u) && u->with >= 0 &&
			(!unit_alive(&l->after->units[u->with]) || !same_place(&u->box, &l->after->units[u->with].box)))
			return talloc_asprintf(l->mem, "%s is not with his unit", u->code);
		return NULL;
	}
	if (u->figures < 0 || u->figures > was->figures)
		return talloc_asprintf(l->mem, "%s has %d figures after %d", u->code, u->figures, was->figures);
	if (u->bases != unit_bases_of(u, u->figures))
		return talloc_asprintf(l->mem, "%s has %d figures on %d bases", u->code, u->figures, u->bases);
	if (u->routing && !u->fled && state_locked(l->after, i))
		return talloc_asprintf(l->mem, "%s routs in melee", u->code);
	if (u->routing && !unit_is_formed(u))
		return talloc_asprintf(l->mem, "gun %s routs", u->code);
	if (u->column && (u->side != SIDE_JACOBITE || u->routing))
		return talloc_asprintf(l->mem, "%s cannot be in column", u->code);
	if (u->pursues >= 0 && !unit_is_horse(u) && u->kind != KIND_CLAN)
		return talloc_asprintf(l->mem, "%s cannot pursue", u->code);
	return NULL;
}

static char *bad_locks(const struct look *l)
{
	const struct state *s = l->after;

	for (int i = 0; i < s->lock_count; i++) {
		const struct unit *a = &s->units[s->locks[i].charger], *b = &s->units[s->locks[i].charged];

		if (!unit_alive(a) || !unit_alive(b) || a->side == b->side || !unit_is_formed(a) || !unit_is_formed(b))
			return talloc_asprintf(l->mem, "%s and %s cannot be in melee", a->code, b->code);
		if (geo_distance(&a->box, &b->box) > OVERLAP_TOLERANCE)
			return talloc_asprintf(l->mem, "%s and %s are in melee apart", a->code, b->code);
	}
	return NULL;
}

static int count_events(const struct look *l, enum event_kind kind, int actor)
{
	int n = 0;

	for (int i = l->first; i < l->events->count; i++)
		n += l->events->list[i]->kind == kind && l->events->list[i]->actor == actor;
	return n;
}

/* RH51, RH53: who routs for his losses has lost more than when he last did. `figures` is what each had then. */
static char *bad_loss(const struct look *l, int *figures)
{
	for (int i = 0; i < l->after->count; i++) {
		const struct event *ev = event_of(l, EVENT_ROUT, i);
		int now = l->after->units[i].figures;

		if (!ev || ev->reason != REASON_HALF_STRENGTH)
			continue;
		if (now >= figures[i])
			return talloc_asprintf(l->mem, "%s routs twice for one loss", l->after->units[i].code);
		figures[i] = now;
	}
	return NULL;
}

/* RH51, RH52, RH54: one rout, one panic throw, one rout move a phase at most; and a rout only of who did not rout. */
static char *bad_routs(const struct look *l)
{
	static const enum event_kind once[] = {
		EVENT_ROUT, EVENT_PANIC, EVENT_ROUT_MOVE, EVENT_ROLL, EVENT_STAND, EVENT_NERVE, EVENT_VOLLEY};

	for (int i = 0; i < l->after->count; i++) {
		for (size_t k = 0; k < sizeof once / sizeof *once; k++)
			if (count_events(l, once[k], i) > 1)
				return talloc_asprintf(
					l->mem, "%s: %s twice", l->after->units[i].code, event_kind_word(once[k]));
		if (event_of(l, EVENT_PANIC, i) && event_of(l, EVENT_PANIC, i)->objects[0] == i)
			return talloc_asprintf(l->mem, "%s takes fright at itself", l->after->units[i].code);
		if (event_of(l, EVENT_ROUT, i) && l->before->units[i].routing && !event_of(l, EVENT_RALLY, -1) &&
			!l->before->units[i].halted && l->after->units[i].halted == l->before->units[i].halted)
			return talloc_asprintf(l->mem, "%s begins to rout again", l->after->units[i].code);
	}
	return NULL;
}

static char *bad_after(const struct look *l, const struct chronicle *words, int *routed_at)
{
	char *bad = bad_spot(l);

	for (int i = 0; i < l->after->count && !bad; i++)
		bad = bad_unit(l, i);
	if (!bad)
		bad = bad_locks(l);
	if (!bad)
		bad = bad_routs(l);
	if (!bad)
		bad = bad_loss(l, routed_at);
	for (int i = l->first; i < l->events->count && !bad; i++) {
		const struct event *ev = l->events->list[i];

		if (!chronicle_knows(words, ev->kind, ev->reason))
			bad = talloc_asprintf(
				l->mem, "no words for %s/%s", event_kind_word(ev->kind), event_reason_word(ev->reason));
		/* An amendment is known by its event's key: a second event of that name would be amended with it. */
		for (int k = 0; k < i && !bad; k++)
			if (strcmp(l->events->list[k]->key, ev->key) == 0)
				bad = talloc_asprintf(l->mem, "two events are %s", ev->key);
	}
	return bad ? talloc_asprintf(l->mem, "turn %d, %s %d: %s", l->before->turn, l->phase->key, l->phase->side, bad)
		   : NULL;
}

/* --- a die changed by the referee --- */

/* Events before it stay as they were, and so does every die that is rolled both times. */
static char *bad_change_of_die(TALLOC_CTX *mem, const struct rules_case *c, const struct state *before,
	const struct orderbook *book, const struct dice *dice, struct events *events, unsigned which)
{
	struct amendments *a = amendments_new(mem);
	struct events *again = events_new(mem);
	struct amendment *change;
	const struct event *ev = NULL;
	int at = 0;

	for (int tries = 0; tries < events->count && (!ev || ev->dice_count == 0); tries++) {
		at = (int)((which + (unsigned)tries) % (unsigned)events->count);
		ev = events->list[at];
	}
	if (!ev || ev->dice_count == 0)
		return NULL;
	change = amendments_add(a, AMEND_DIE);
	change->key = ev->dice[which % (unsigned)ev->dice_count].name;
	change->value = 1 + (int)(which % 6);
	change->unit = -1;
	change->before = change->purpose = change->because = "";
	resolve_turn(mem, c->rules, c->scenario, before, book, a, dice, again);
	for (int i = 0; i < at; i++)
		if (i >= again->count ||
			strcmp(event_bytes(mem, events->list[i]), event_bytes(mem, again->list[i])) != 0)
			return talloc_asprintf(
				mem, "%s changed with a later die, %s", events->list[i]->key, change->key);
	if (change->used != 1)
		return talloc_asprintf(mem, "%s was used %d times", change->key, change->used);
	return moved_die(mem, events, again);
}

/* --- playing --- */

static char *play_one(TALLOC_CTX *mem, const struct rules_case *c, struct state **state,
	struct sheet_in_force sheets[SIDES], const struct dice *dice, int *routed_at)
{
	struct orderbook *book = orderbook_new(mem, *state);
	struct events *events = events_new(mem), *whole_events = events_new(mem);
	struct state *whole, *s = *state;
	char *bad;

	for (int side = 0; side < SIDES; side++)
		orders_merge(mem, book, s, (enum side)side, &sheets[side], sheets[side].sheet ? 1 : 0, s->turn, NULL);
	whole = resolve_turn(mem, c->rules, c->scenario, s, book, NULL, dice, whole_events);
	for (int i = 0; i < c->rules->phase_count && s->winner == WINNER_OPEN; i++) {
		struct look l = {mem, c->scenario, &c->rules->phases[i], s, NULL, events, events->count};
		struct state *read = NULL;
		size_t len;
		char *bytes = state_write(mem, s, &len);

		if (state_read(mem, bytes, len, &read))
			return talloc_asprintf(mem, "turn %d: the state before phase %d cannot be read", s->turn, i);
		l.after = s = step(mem, c->rules, c->scenario, read, book, NULL, dice, events);
		bad = bad_after(&l, c->words, routed_at);
		if (bad)
			return bad;
	}
	if (strcmp(state_digest(mem, whole), state_digest(mem, s)) != 0 ||
		strcmp(events_write(mem, events, NULL), events_write(mem, whole_events, NULL)) != 0)
		return talloc_asprintf(mem, "turn %d resumed between phases is another turn", (*state)->turn);
	bad = bad_change_of_die(mem, c, *state, book, dice, events, (unsigned)(c->seed * 7 + (uint64_t)s->turn * 13));
	if (!bad)
		bad = bad_amendment(mem, (unsigned)(c->seed * 31 + (uint64_t)s->turn * 7), c->rules, c->scenario,
			*state, book, dice);
	if (bad)
		return talloc_asprintf(mem, "turn %d amended: %s", (*state)->turn, bad);
	for (int i = 0; i < events->count; i++)
		talloc_free(chronicle_sentence(mem, c->words, c->scenario, s, events->list[i]));
	*state = s;
	return NULL;
}

static char *play(TALLOC_CTX *mem, const char *text, int *turns)
{
	struct sheet_in_force sheets[SIDES] = {{0}};
	struct rules_case *c;
	struct dice dice;
	struct state *s;
	int *routed_at;
	struct err *e = case_read(mem, "random.case", text, strlen(text), &c);

	if (e)
		return talloc_asprintf(mem, "cannot be read: %s", err_text(mem, e));
	dice_from_number(&dice, c->seed);
	s = state_copy(mem, c->scenario->state);
	routed_at = talloc_array(mem, int, (unsigned)s->count);
	for (int i = 0; i < s->count; i++)
		routed_at[i] = s->units[i].figures_begun;
	for (int i = 0; i < c->step_count; i++) {
		const struct case_step *step = &c->steps[i];

		if (step->kind == STEP_ORDERS)
			sheets[step->side] = (struct sheet_in_force){.sheet = step->sheet, .turn = s->turn};
		if (step->kind == STEP_TURN && s->winner == WINNER_OPEN) {
			char *bad = play_one(mem, c, &s, sheets, &dice, routed_at);

			if (bad)
				return bad;
			++*turns;
		}
	}
	return NULL;
}

static long number_from(const char *variable, long otherwise)
{
	const char *text = getenv(variable);

	return text ? strtol(text, NULL, 10) : otherwise;
}

static void test_random_battles(void **unused)
{
	long battles = number_from("RANDOM_BATTLES", BATTLES), seed = number_from("RANDOM_SEED", 1);
	const struct ruleset *rules;
	struct scenario *falkirk;
	TALLOC_CTX *all = talloc_new(NULL);
	int turns = 0;

	(void)unused;
	assert_null(battle_load(all, "falkirk", "shreds", &falkirk, &rules));
	for (long i = 0; i < battles; i++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		bool whole = (seed + i) % WHOLE_ARMIES == 0;
		char *text = shreds_case(mem, (uint64_t)(seed + i), whole ? falkirk->state : NULL);
		char *bad = play(mem, text, &turns);

		if (bad) {
			fprintf(stderr, "battle %ld: %s\n%s", seed + i, bad, text);
			fail();
		}
		talloc_free(mem);
	}
	talloc_free(all);
	print_message("%d turns of %ld battles played\n", turns, battles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_battles)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
