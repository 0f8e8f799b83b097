#include "service/trial.h"

#include "base/text.h"
#include "orders/merge.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct playing {
	struct trial *t;
	struct dice dice;
	bool explain;
	struct sheet_in_force *sheets[SIDES];
	int sheet_count[SIDES];
	struct amendments *dealt;   /* for the next turn */
	const struct dealt **lines; /* the `die` line of each of them */
};

static void fail(struct playing *p, int line, const char *format, ...) PRINTF_LIKE(3, 4);

static void fail(struct playing *p, int line, const char *format, ...)
{
	struct trial *t = p->t;
	va_list args;
	char *text = talloc_asprintf(t, "line %d: ", line);

	va_start(args, format);
	text = talloc_vasprintf_append(text, format, args);
	va_end(args);
	t->failures = talloc_realloc(t, t->failures, const char *, (unsigned)t->failure_count + 1);
	t->failures[t->failure_count++] = text;
}

/* --- what happened -------------------------------------------------------------------------------------------------
 */

/* Whether `text` stands in `sentence`, letters of either case; "2 dice" does not stand in "12 dice". */
static bool says(const char *sentence, const char *text)
{
	size_t len = strlen(text);
	const char *at = sentence;

	while ((at = strcasestr(at, text))) {
		bool cut_before = at > sentence && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)text[0]);
		bool cut_after = len > 0 && isdigit((unsigned char)text[len - 1]) && isdigit((unsigned char)at[len]);

		if (!cut_before && !cut_after)
			return true;
		at++;
	}
	return false;
}

/* Guns are told of by side and number; a case may know one by the name that it gave it. */
static bool is_about_gun(const struct trial *t, const struct event *ev, const char *text)
{
	for (int i = -1; i < ev->object_count; i++) {
		int piece = i < 0 ? ev->actor : ev->objects[i];

		if (piece >= 0 && t->state->units[piece].kind == KIND_GUN && says(t->state->units[piece].name, text))
			return true;
	}
	return false;
}

static bool event_says(const struct trial *t, const struct event *ev, const struct expectation *x)
{
	char *sentence = chronicle_sentence(NULL, t->of->words, t->of->scenario, t->state, ev);
	bool all = true;

	for (int i = 0; i < x->text_count && all; i++)
		all = says(sentence, x->texts[i]) || is_about_gun(t, ev, x->texts[i]);
	talloc_free(sentence);
	return all;
}

static bool cites(const char *rulings, const char *ruling)
{
	size_t len = strlen(ruling);

	for (const char *at = rulings; (at = strstr(at, ruling)); at++)
		if ((at == rulings || at[-1] == ' ') && (at[len] == '\0' || at[len] == ' '))
			return true;
	return false;
}

/* A die's name is [L2.]TURN.PHASE.WHO.PURPOSE[.ACT].ORDINAL. */
static bool die_is(const char *name, const char *who, const char *purpose)
{
	char *middle = talloc_asprintf(NULL, ".%s.%s.", who, purpose);
	bool is = strstr(name, middle) != NULL;

	talloc_free(middle);
	return is;
}

/* Whether the piece of that code (or the side of that letter) has rolled a die for that. A gun that shares its number
 * with an enemy's has its side before it. */
static bool rolled(const struct trial *t, const struct expectation *x)
{
	const struct unit *u = x->unit >= 0 ? &t->state->units[x->unit] : NULL;
	const char *code = u ? u->code : x->name;
	char *gun = talloc_asprintf(NULL, "%s%s", u && u->side == SIDE_JACOBITE ? "J-" : "E-", code);
	bool shared = u && u->kind == KIND_GUN && state_find_code(t->state, code, (int)side_other(u->side)) >= 0;
	bool found = false;

	for (int i = 0; i < t->events->count && !found; i++)
		for (int j = 0; j < t->events->list[i]->dice_count && !found; j++)
			found = die_is(t->events->list[i]->dice[j].name, shared ? gun : code, x->purpose);
	talloc_free(gun);
	return found;
}

static bool happened(const struct trial *t, const struct expectation *x)
{
	if (x->kind == EXPECT_DIE)
		return rolled(t, x);
	for (int i = 0; i < t->events->count; i++) {
		const struct event *ev = t->events->list[i];

		if (x->kind == EXPECT_RULING ? cites(ev->ruling, x->texts[0]) : event_says(t, ev, x))
			return true;
	}
	return false;
}

/* --- expectations --------------------------------------------------------------------------------------------------
 */

static bool stands_at(const struct unit *u, const struct expectation *x)
{
	int off = x->facing < 0 ? 0 : geo_degrees(u->box.facing - x->facing);

	if (off > 180)
		off = 360 - off;
	return unit_alive(u) &&
	       geo_length((int64_t)u->box.front.x - x->at.x, (int64_t)u->box.front.y - x->at.y) <= x->within &&
	       off <= x->within / 1000;
}

static bool piece_holds(const struct state *s, const struct expectation *x)
{
	const struct unit *u = &s->units[x->unit];

	switch (x->kind) {
	case EXPECT_BASES:
		return u->bases == x->number;
	case EXPECT_FIGURES:
		return unit_alive(u) && u->figures == x->number;
	case EXPECT_AT:
		return stands_at(u, x);
	case EXPECT_LOCKED:
		return x->other_name ? state_locked_pair(s, x->unit, x->other) : state_locked(s, x->unit);
	case EXPECT_DESTROYED:
		return !unit_alive(u);
	case EXPECT_ROUTING:
		return u->routing;
	case EXPECT_COLUMN:
		return u->column;
	case EXPECT_WITH:
		return unit_alive(u) && u->with == x->other;
	default:
		assert(false);
		return false;
	}
}

static bool about_piece(const struct expectation *x)
{
	return x->name && x->kind != EXPECT_DIE;
}

/* The piece that the expectation is about as it was written, where there never was one of that code; else NULL. */
static const char *never_was(const struct expectation *x)
{
	bool side = x->kind == EXPECT_DIE && x->other >= 0;

	if (x->name && x->unit < 0 && !side)
		return x->name;
	return x->other_name && x->other < 0 ? x->other_name : NULL;
}

static bool holds(const struct trial *t, const struct expectation *x)
{
	bool is;

	if (x->kind == EXPECT_WINNER)
		return (int)t->state->winner == x->number;
	if (never_was(x))
		return false;
	is = about_piece(x) ? piece_holds(t->state, x) : happened(t, x);
	return is != x->negated;
}

/* The piece as it is, in the words of an expectation. */
static const char *piece_text(TALLOC_CTX *mem, const struct trial *t, const struct expectation *x)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[x->unit];
	char *text;

	if (!unit_alive(u) && x->kind != EXPECT_BASES)
		return u->kind == KIND_COMMANDER ? "dead" : "destroyed";
	switch (x->kind) {
	case EXPECT_AT:
		return talloc_asprintf(mem, "at %s,%s facing %d", text_inches(mem, u->box.front.x),
			text_inches(mem, u->box.front.y), u->box.facing);
	case EXPECT_LOCKED:
		text = talloc_strdup(mem, "");
		for (int i = 0; i < s->count; i++)
			if (state_locked_pair(s, x->unit, i))
				text = talloc_asprintf_append(text, "%slocked %s", *text ? ", " : "", s->units[i].code);
		return *text ? text : "not locked";
	case EXPECT_WITH:
		return u->with < 0 ? "alone" : talloc_asprintf(mem, "with %s", s->units[u->with].code);
	case EXPECT_FIGURES:
		return talloc_asprintf(mem, "%d", u->figures);
	case EXPECT_ROUTING:
		return u->routing ? "routing" : "not routing";
	case EXPECT_COLUMN:
		return u->column ? "in column" : "in line";
	default:
		if (u->kind == KIND_COMMANDER)
			return "alive";
		return x->kind == EXPECT_BASES ? talloc_asprintf(mem, "%d", u->bases)
					       : talloc_asprintf(mem, "bases %d", u->bases);
	}
}

static const char *got(TALLOC_CTX *mem, const struct trial *t, const struct expectation *x)
{
	static const char *const winners[] = {"none", "E", "J", "draw"};

	if (never_was(x))
		return talloc_asprintf(mem, "there never was a unit %s", never_was(x));
	if (x->kind == EXPECT_WINNER)
		return talloc_asprintf(mem, "got %s", winners[t->state->winner]);
	if (about_piece(x))
		return talloc_asprintf(mem, "got %s", piece_text(mem, t, x));
	return x->negated ? "there was one" : "there was none";
}

static void check(struct playing *p, const struct expectation *x)
{
	struct trial *t = p->t;
	struct finding *f;

	t->findings = talloc_realloc(t, t->findings, struct finding, (unsigned)t->finding_count + 1);
	f = &t->findings[t->finding_count++];
	*f = (struct finding){.line = x->line, .passed = holds(t, x)};
	if (!f->passed && p->explain)
		fail(p, x->line, "expected %s, %s", x->words, got(t, t, x));
}

/* --- turns ---------------------------------------------------------------------------------------------------------
 */

static void take_orders(struct playing *p, const struct case_step *step)
{
	struct sheet_in_force **list = &p->sheets[step->side];
	int *count = &p->sheet_count[step->side];

	*list = talloc_realloc(p->t, *list, struct sheet_in_force, (unsigned)*count + 1);
	(*list)[(*count)++] = (struct sheet_in_force){.sheet = step->sheet, .turn = p->t->state->turn};
}

static void deal(struct playing *p, const struct dealt *d)
{
	struct amendment *a = amendments_add(p->dealt, AMEND_DEAL);

	a->unit = d->unit;
	a->side = d->side;
	a->purpose = d->purpose;
	a->values = d->values;
	a->value_count = d->count;
	p->lines = talloc_realloc(p->dealt, p->lines, const struct dealt *, (unsigned)p->dealt->count);
	p->lines[p->dealt->count - 1] = d;
}

/* What was dealt has served its turn (or there was none): a value that no die took is the case's mistake. */
static void end_dealing(struct playing *p)
{
	assert(p->lines || p->dealt->count == 0);
	for (int i = 0; i < p->dealt->count && p->explain; i++) {
		const struct dealt *d = p->lines[i];
		int used = p->dealt->list[i]->used;

		if (used < d->count)
			fail(p, d->line, "expected %s to roll %d %s for %s, got %d", d->name, d->count,
				d->count == 1 ? "die" : "dice", d->purpose, used);
	}
	talloc_free(p->dealt);
	p->dealt = amendments_new(p->t);
	p->lines = NULL;
}

static void play_turn(struct playing *p)
{
	struct trial *t = p->t;
	struct state *before = t->state;
	struct orderbook *book;

	if (before->winner != WINNER_OPEN)
		return;
	book = orderbook_new(t, before);
	for (int side = 0; side < SIDES; side++)
		orders_merge(
			t, book, before, (enum side)side, p->sheets[side], p->sheet_count[side], before->turn, NULL);
	t->state = resolve_turn(t, t->of->rules, t->of->scenario, before, book, p->dealt, &p->dice, t->events);
	talloc_free(before);
	talloc_free(book);
}

/* A side that had units to begin with and has none now. */
static bool side_is_gone(const struct trial *t)
{
	int begun[SIDES] = {0}, now[SIDES] = {0};

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if (u->kind == KIND_COMMANDER)
			continue;
		begun[u->side]++;
		now[u->side] += unit_alive(u);
	}
	return (begun[0] > 0 && now[0] == 0) || (begun[1] > 0 && now[1] == 0);
}

static void play_turns(struct playing *p, int turns)
{
	for (int i = 0; i < turns && (i == 0 || !side_is_gone(p->t)); i++) {
		play_turn(p);
		end_dealing(p);
	}
}

/* FP91, FP92. An offer that no referee has approved changes nothing. */
static void end_battle(struct playing *p, const struct case_step *end)
{
	struct trial *t = p->t;
	struct amendments *word;
	struct amendment *a;

	if (end->winner == WINNER_OPEN || t->state->winner != WINNER_OPEN)
		return;
	word = amendments_new(t);
	a = amendments_add(word, AMEND_VERDICT);
	a->unit = 0;
	a->value = (int)end->winner;
	a->because = end->because;
	if (end->conceded)
		a->side = end->winner == WINNER_GOVERNMENT ? SIDE_JACOBITE : SIDE_GOVERNMENT;
	t->state = step(
		t, t->of->rules, t->of->scenario, t->state, orderbook_new(word, t->state), word, &p->dice, t->events);
	talloc_free(word);
}

struct trial *trial_run(TALLOC_CTX *mem, const struct rules_case *c, uint64_t seed, bool explain)
{
	struct trial *t = talloc_zero(mem, struct trial);
	struct playing p = {.t = t, .explain = explain};

	assert(t);
	t->of = c;
	t->state = state_copy(t, c->scenario->state);
	t->events = events_new(t);
	p.dealt = amendments_new(t);
	dice_from_number(&p.dice, seed);
	for (int i = 0; i < c->step_count; i++) {
		const struct case_step *step = &c->steps[i];

		switch (step->kind) {
		case STEP_ORDERS:
			take_orders(&p, step);
			break;
		case STEP_DIE:
			deal(&p, &step->dealt);
			break;
		case STEP_TURN:
			play_turns(&p, step->turns);
			break;
		case STEP_END:
			end_battle(&p, step);
			break;
		case STEP_EXPECT:
			check(&p, &step->expect);
			break;
		}
	}
	end_dealing(&p);
	return t;
}

/* --- the log -------------------------------------------------------------------------------------------------------
 */

static void log_heading(struct buf *out, const struct trial *t, const struct event *ev)
{
	const struct phase *phase = &t->of->rules->phases[ev->phase];
	const char *label = phase->side >= 0 ? t->of->scenario->label[phase->side] : "";

	buf_printf(out, "  Turn %d. %s%s%s\n", ev->turn, label, *label ? " " : "", phase->title);
}

static void log_problems(struct buf *out, const struct rules_case *c)
{
	for (int i = 0; i < c->step_count; i++)
		for (int j = 0; c->steps[i].kind == STEP_ORDERS && j < c->steps[i].sheet->problem_count; j++)
			buf_printf(out, "  line %d: %s\n", c->steps[i].line + c->steps[i].sheet->problems[j].line,
				c->steps[i].sheet->problems[j].message);
}

char *trial_log(TALLOC_CTX *mem, const struct trial *t)
{
	struct buf *out = buf_new(mem);
	const struct event *last = NULL;

	log_problems(out, t->of);
	for (int i = 0; i < t->events->count; i++) {
		const struct event *ev = t->events->list[i];
		char *sentence = chronicle_sentence(mem, t->of->words, t->of->scenario, t->state, ev);

		if (!last || last->turn != ev->turn || last->phase != ev->phase)
			log_heading(out, t, ev);
		buf_printf(out, "  %3d. %s\n", i + 1, sentence);
		last = ev;
	}
	return buf_steal(mem, out);
}
