#include "service/casefile.h"

#include "base/text.h"
#include "service/battles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MAX = 1000, DEALT_MAX = 200, AT_TOLERANCE = 10 /* thousandths */ };

/* The file is gone through twice: the set-up first, so that orders, dice and expectations know every piece. */
enum pass { PASS_SETUP, PASS_STEPS };

struct keyword;

struct reading {
	TALLOC_CTX *mem;
	struct rules_case *c;
	struct scenario *deployed; /* the battle with its armies on the table */
	enum pass pass;
	bool titled, played; /* a `case` line, a `turn` line has been seen */
	int side;            /* of the `orders` block being read, or -1 */
	int first_line;      /* of that block */
	struct buf *orders;  /* its text */
};

/* --- words ---------------------------------------------------------------------------------------------------------
 */

static bool is(const struct line *l, int index, const char *word)
{
	return index < l->count && !l->words[index].quoted && strcmp(l->words[index].text, word) == 0;
}

static struct err *line_ends(TALLOC_CTX *mem, const struct line *l, int index)
{
	return index < l->count ? line_err(mem, l, index, "nothing more is expected in this line") : NULL;
}

static struct err *side_word(TALLOC_CTX *mem, const struct line *l, int index, int *side)
{
	*side = is(l, index, "E") ? SIDE_GOVERNMENT : is(l, index, "J") ? SIDE_JACOBITE : -1;
	return *side < 0 ? line_err(mem, l, index, "expected a side: E (Government) or J (Jacobite)") : NULL;
}

/* The words from `index` on with one blank between. */
static char *words_from(TALLOC_CTX *mem, const struct line *l, int index)
{
	char *text = talloc_strdup(mem, "");

	for (int i = index; i < l->count; i++)
		text = talloc_asprintf_append(
			text, l->words[i].quoted ? "%s\"%s\"" : "%s%s", i > index ? " " : "", l->words[i].text);
	return text;
}

/* A piece by its code, whichever side it is of, else by its id; -1 for none. */
static int find_piece(const struct rules_case *c, const char *name)
{
	int unit = state_find_code(c->scenario->state, name, -1);

	return unit >= 0 ? unit : state_find_id(c->scenario->state, name);
}

static struct case_step *add_step(struct reading *r, enum step_kind kind, int line)
{
	struct rules_case *c = r->c;

	c->steps = talloc_realloc(c, c->steps, struct case_step, (unsigned)c->step_count + 1);
	assert(c->steps);
	c->steps[c->step_count] = (struct case_step){.kind = kind, .line = line};
	return &c->steps[c->step_count++];
}

static const struct keyword *find_keyword(const struct line *l);

/* --- the battle ----------------------------------------------------------------------------------------------------
 */

static void set_value(struct parameters *p, const char *name, int32_t value)
{
	for (int i = 0; i < p->count; i++)
		if (strcmp(p->defs[i].name, name) == 0)
			p->values[i] = value;
}

/* The name after `battle` or `rules`, and its line for messages. */
struct named {
	char *name; /* NULL while there is none */
	struct line at;
};

static struct err *name_line(struct reading *r, const struct line *l, struct named *out)
{
	if (l->count != 2)
		return line_err(r->mem, l, l->count > 2 ? 2 : 1, "expected one name after %s", l->words[0].text);
	if (out->name)
		return line_err(r->mem, l, 0, "a case has one line %s", l->words[0].text);
	out->name = talloc_strdup(r->mem, l->words[1].text);
	out->at = *l;
	out->at.words = talloc_memdup(r->mem, l->words, sizeof *l->words * 2);
	out->at.raw = "";
	return NULL;
}

static struct err *load_battle(struct reading *r, const struct named *battle, const struct named *rules)
{
	struct err *e = battle_load(r->mem, battle->name, NULL, &r->deployed, &r->c->rules);

	if (e)
		return line_err(r->mem, &battle->at, 1, "battle %s: %s", battle->name, err_text(r->mem, e));
	if (rules->name)
		e = battle_load(r->mem, battle->name, rules->name, &r->deployed, &r->c->rules);
	if (e)
		return line_err(r->mem, &rules->at, 1, "%s", err_text(r->mem, e));
	e = battle_words(r->mem, r->c->rules, &r->c->words);
	if (e)
		return e;
	r->c->scenario = scenario_empty(r->c, r->deployed);
	set_value(r->c->scenario->parameters, "break", 0);
	set_value(r->c->scenario->parameters, "turn-limit", 0);
	return NULL;
}

/* `battle` and `rules` may stand anywhere above the first turn, but all else needs them: they are looked for first. */
static struct err *find_battle(struct reading *r, const char *text, size_t len)
{
	struct line_reader *lines = line_reader_new(r->mem, r->c->file, text, len);
	struct named battle = {0}, rules = {0};
	const struct line *l;
	struct err *e;

	for (;;) {
		e = line_next(r->mem, lines, &l);
		if (e || !l)
			break;
		if (!l->indented && find_keyword(l))
			line_free_text(lines, is(l, 0, "orders"));
		if (l->indented || !(is(l, 0, "battle") || is(l, 0, "rules")))
			continue;
		e = name_line(r, l, is(l, 0, "rules") ? &rules : &battle);
		if (e)
			return e;
	}
	if (!e && !battle.name)
		return err_new(r->mem, ERR_PROCESS, false, talloc_asprintf(r->mem, "%s:1:1", r->c->file),
			"expected a line \"battle NAME\" (such as battle falkirk) in a case");
	if (!e)
		e = load_battle(r, &battle, &rules);
	talloc_free(lines);
	return e;
}

/* --- set-up lines --------------------------------------------------------------------------------------------------
 */

static struct err *deploy_line(struct reading *r, const struct line *l)
{
	const struct state *from = r->deployed->state;
	struct state *to = r->c->scenario->state;
	int first = to->count;

	to->units = talloc_realloc(to, to->units, struct unit, (unsigned)(first + from->count));
	assert(to->units);
	for (int i = 0; i < from->count; i++) {
		struct unit *u = &to->units[first + i];

		*u = from->units[i];
		if (u->with >= 0)
			u->with = (int16_t)(u->with + first);
	}
	to->count += from->count;
	r->c->scenario->table = r->deployed->table;
	return line_ends(r->mem, l, 1);
}

static struct err *case_line(struct reading *r, const struct line *l)
{
	if (r->titled)
		return line_err(r->mem, l, 0, "a file holds one case");
	if (l->count < 2)
		return line_err(r->mem, l, 1, "expected the case's name, such as FP36-a");
	r->titled = true;
	r->c->name = talloc_strdup(r->c, l->words[1].text);
	r->c->title = words_from(r->c, l, 2);
	return NULL;
}

static struct err *seed_line(struct reading *r, const struct line *l)
{
	long seed;
	struct err *e = line_int(r->mem, l, 1, 0, 1000000000000L, &seed);

	if (e)
		return e;
	r->c->seed = (uint64_t)seed;
	return line_ends(r->mem, l, 2);
}

/* In a case any code names any piece, whichever side it is of, so no two pieces share one. */
static struct err *check_new_pieces(struct reading *r, const struct line *l, int before)
{
	const struct state *s = r->c->scenario->state;

	for (int i = before; i < s->count; i++)
		for (int j = 0; j < i; j++) {
			bool guns = s->units[i].kind == KIND_GUN && s->units[j].kind == KIND_GUN;

			if (strcmp(s->units[i].code, s->units[j].code) == 0 && !guns)
				return line_err(r->mem, l, 2, "the code %s is %s's already", s->units[i].code,
					s->units[j].name);
			if (strcmp(s->units[i].id, s->units[j].id) == 0)
				return line_err(
					r->mem, l, 0, "the id %s is %s's already", s->units[i].id, s->units[j].name);
		}
	return NULL;
}

static struct err *no_keyword(struct reading *r, const struct line *l)
{
	return line_err(r->mem, l, 0,
		"expected case, battle, rules, set, seed, deploy, unit, commander, locked, a kind of ground, orders, "
		"die, turn, concede, verdict or expect, not \"%s\"",
		l->words[0].text);
}

static struct err *other_setup_line(struct reading *r, const struct line *l)
{
	int before = r->c->scenario->state->count;
	bool taken;
	struct err *e = scenario_line(r->mem, r->c->scenario, l, &taken);

	if (!e && !taken)
		e = no_keyword(r, l);
	return e ? e : check_new_pieces(r, l, before);
}

/* --- orders --------------------------------------------------------------------------------------------------------
 */

static struct err *orders_line(struct reading *r, const struct line *l)
{
	struct err *e = side_word(r->mem, l, 1, &r->side);

	r->first_line = l->number + 1;
	buf_cut(r->orders, 0);
	return e ? e : line_ends(r->mem, l, 2);
}

/* Orders that nobody could read are the author's slip; those that come to nothing are what a case may be about. */
static bool is_slip(const struct problem *p)
{
	return p->kind != PROBLEM_NOT_YOURS && p->kind != PROBLEM_WRONG_KIND && p->kind != PROBLEM_GONE;
}

/* The line of the file in which a text of the block stands. */
static int line_of(const struct reading *r, const char *text)
{
	const char *at = strstr(r->orders->data, text);
	int line = r->first_line;

	for (const char *p = r->orders->data; at && p < at; p++)
		line += *p == '\n';
	return line;
}

static struct err *check_sheet(struct reading *r, const struct sheet *sheet)
{
	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];
		char *where = talloc_asprintf(
			r->mem, "%s:%d:%d", r->c->file, r->first_line + p->line - 1, p->column > 0 ? p->column : 1);

		bool more = p->suggestion && !strstr(p->message, p->suggestion);

		if (is_slip(p))
			return err_new(r->mem, ERR_PROCESS, false, where, "expected an order: %s%s%s", p->message,
				more ? " Try " : "", more ? p->suggestion : "");
	}
	if (sheet->set_aside_count > 0)
		return err_new(r->mem, ERR_PROCESS, false,
			talloc_asprintf(r->mem, "%s:%d:1", r->c->file, line_of(r, sheet->set_aside[0])),
			"expected an order, not \"%s\"", sheet->set_aside[0]);
	return NULL;
}

/* Ends the block of orders, if there is one. */
static struct err *close_orders(struct reading *r)
{
	struct orders_context context = {
		.state = r->c->scenario->state,
		.table = &r->c->scenario->table,
		.side = (enum side)r->side,
		.numbers_name = true,
		.shreds = r->c->rules->command_points,
	};
	struct case_step *step;

	if (r->side < 0)
		return NULL;
	r->side = -1;
	if (r->pass == PASS_SETUP)
		return NULL;
	step = add_step(r, STEP_ORDERS, r->first_line - 1);
	step->side = context.side;
	step->sheet = orders_read(r->c, r->orders->data, r->orders->len, &context);
	return check_sheet(r, step->sheet);
}

/* --- dice ----------------------------------------------------------------------------------------------------------
 */

/* NULL when word `index` is no purpose of this rule set; then *e lists them. */
static const struct die_purpose *purpose_word(struct reading *r, const struct line *l, int index, struct err **e)
{
	char *list = talloc_strdup(r->mem, "");

	for (const struct die_purpose *p = r->c->rules->purposes; p->word; p++) {
		if (is(l, index, p->word))
			return p;
		list = talloc_asprintf_append(list, "%s%s", *list ? ", " : "", p->word);
	}
	*e = line_err(r->mem, l, index, "expected what the die is for, one of: %s", list);
	return NULL;
}

static struct err *die_line(struct reading *r, const struct line *l)
{
	const struct die_purpose *p;
	struct err *e = NULL;
	struct dealt d = {.line = l->number, .unit = -1, .side = -1};

	if (l->count < 2)
		return line_err(r->mem, l, 1, "expected the code of the unit, commander or side that rolls");
	p = purpose_word(r, l, 2, &e);
	if (!p)
		return e;
	if (p->side)
		e = side_word(r->mem, l, 1, &d.side);
	else if ((d.unit = find_piece(r->c, l->words[1].text)) < 0)
		e = line_err(r->mem, l, 1, "expected the code of a piece; there is none \"%s\"", l->words[1].text);
	if (e)
		return e;
	if (!is(l, 3, "="))
		return line_err(r->mem, l, 3, "expected \"=\" and the values, such as: die A powder = 3");
	d.count = l->count - 4;
	if (d.count < 1 || d.count > DEALT_MAX)
		return line_err(r->mem, l, 4, "expected from 1 to %d values", DEALT_MAX);
	d.values = talloc_array(r->c, int, (unsigned)d.count);
	for (int i = 0; i < d.count; i++) {
		long value;

		e = line_int(r->mem, l, 4 + i, 1, p->faces, &value);
		if (e)
			return e;
		d.values[i] = (int)value;
	}
	d.name = talloc_strdup(r->c, l->words[1].text);
	d.purpose = p->word;
	add_step(r, STEP_DIE, l->number)->dealt = d;
	return NULL;
}

static struct err *turn_line(struct reading *r, const struct line *l)
{
	long turns = 1;
	struct err *e = l->count > 1 ? line_int(r->mem, l, 1, 1, TURNS_MAX, &turns) : NULL;

	if (!e)
		e = line_ends(r->mem, l, 2);
	if (e)
		return e;
	r->played = true;
	if (r->pass == PASS_STEPS)
		add_step(r, STEP_TURN, l->number)->turns = (int)turns;
	return NULL;
}

/* concede E|J [approved] */
static struct err *concede_line(struct reading *r, const struct line *l)
{
	bool approved = is(l, 2, "approved");
	struct case_step *step;
	int side;
	struct err *e = side_word(r->mem, l, 1, &side);

	if (!e)
		e = line_ends(r->mem, l, approved ? 3 : 2);
	if (e)
		return e;
	step = add_step(r, STEP_END, l->number);
	step->conceded = true;
	step->because = "";
	step->winner = !approved ? WINNER_OPEN : side == SIDE_GOVERNMENT ? WINNER_JACOBITE : WINNER_GOVERNMENT;
	return NULL;
}

/* verdict E|J|draw ["WORDS"] */
static struct err *verdict_line(struct reading *r, const struct line *l)
{
	struct case_step *step;
	enum winner winner = is(l, 1, "E")      ? WINNER_GOVERNMENT
			     : is(l, 1, "J")    ? WINNER_JACOBITE
			     : is(l, 1, "draw") ? WINNER_DRAW
						: WINNER_OPEN;
	struct err *e = winner == WINNER_OPEN ? line_err(r->mem, l, 1, "expected E, J or draw")
					      : line_ends(r->mem, l, l->count > 2 ? 3 : 2);

	if (e)
		return e;
	step = add_step(r, STEP_END, l->number);
	step->winner = winner;
	step->because = l->count > 2 ? talloc_strdup(r->c, l->words[2].text) : "";
	return NULL;
}

/* --- expectations --------------------------------------------------------------------------------------------------
 *
 *   expect UNIT bases N | figures N | at X,Y [facing D] [within T] | [not] locked [UNIT] | [not] destroyed
 *               | [not] routing | [not] in column
 *   expect COMMANDER alive | dead | with UNIT | at X,Y [facing D] [within T]
 *   expect [no] die UNIT PURPOSE
 *   expect [no] event "TEXT"...
 *   expect [no] ruling FPn
 *   expect winner E|J|draw|none
 */

static struct err *expect_at(struct reading *r, const struct line *l, int index, struct expectation *x)
{
	struct err *e = line_point(r->mem, l, index, &x->at.x, &x->at.y);
	long facing = -1;

	x->kind = EXPECT_AT;
	x->within = AT_TOLERANCE;
	index++;
	if (!e && is(l, index, "facing")) {
		e = line_int(r->mem, l, index + 1, 0, 359, &facing);
		index += 2;
	}
	if (!e && is(l, index, "within")) {
		e = line_inches(r->mem, l, index + 1, 0, 100000, &x->within);
		index += 2;
	}
	x->facing = (int)facing;
	if (e)
		return e;
	return index < l->count ? line_err(r->mem, l, index, "expected facing D, within T or the end of the line")
				: NULL;
}

static struct err *expect_number(
	struct reading *r, const struct line *l, int index, struct expectation *x, enum expect_kind kind)
{
	long n;
	struct err *e = line_int(r->mem, l, index, 0, 10000, &n);

	if (e)
		return e;
	x->kind = kind;
	x->number = (int)n;
	if (n == 0)
		x->kind = EXPECT_DESTROYED;
	return line_ends(r->mem, l, index + 1);
}

static struct err *expect_other(struct reading *r, const struct line *l, int index, struct expectation *x)
{
	if (index >= l->count)
		return x->kind == EXPECT_LOCKED ? NULL : line_err(r->mem, l, index, "expected the code of a unit");
	x->other_name = talloc_strdup(r->c, l->words[index].text);
	x->other = find_piece(r->c, x->other_name);
	return line_ends(r->mem, l, index + 1);
}

static struct err *expect_piece(struct reading *r, const struct line *l, struct expectation *x)
{
	static const struct {
		const char *word;
		enum expect_kind kind;
		bool negated;
	} states[] = {
		{"destroyed", EXPECT_DESTROYED, false},
		{"dead", EXPECT_DESTROYED, false},
		{"alive", EXPECT_DESTROYED, true},
		{"routing", EXPECT_ROUTING, false},
	};
	int index = 2;

	x->name = talloc_strdup(r->c, l->words[1].text);
	x->unit = find_piece(r->c, x->name);
	if (is(l, index, "bases"))
		return expect_number(r, l, index + 1, x, EXPECT_BASES);
	if (is(l, index, "figures"))
		return expect_number(r, l, index + 1, x, EXPECT_FIGURES);
	if (is(l, index, "at"))
		return expect_at(r, l, index + 1, x);
	if (is(l, index, "not")) {
		x->negated = true;
		index++;
	}
	if (is(l, index, "locked") || is(l, index, "with")) {
		x->kind = is(l, index, "with") ? EXPECT_WITH : EXPECT_LOCKED;
		return expect_other(r, l, index + 1, x);
	}
	if (is(l, index, "in") && is(l, index + 1, "column")) {
		x->kind = EXPECT_COLUMN;
		return line_ends(r->mem, l, index + 2);
	}
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		if (!is(l, index, states[i].word))
			continue;
		x->kind = states[i].kind;
		x->negated ^= states[i].negated;
		return line_ends(r->mem, l, index + 1);
	}
	return line_err(r->mem, l, index,
		"expected bases N, figures N, at X,Y, locked, not locked, destroyed, routing, not routing, in column, "
		"alive, dead or with UNIT");
}

static struct err *expect_winner(struct reading *r, const struct line *l, struct expectation *x)
{
	static const char *const words[] = {"none", "E", "J", "draw"}; /* in the order of enum winner */

	x->kind = EXPECT_WINNER;
	for (int i = WINNER_OPEN; i <= WINNER_DRAW; i++) {
		if (is(l, 2, words[i])) {
			x->number = i;
			return line_ends(r->mem, l, 3);
		}
	}
	return line_err(r->mem, l, 2, "expected E, J, draw or none");
}

static struct err *expect_texts(struct reading *r, const struct line *l, int index, struct expectation *x)
{
	bool ruling = is(l, index - 1, "ruling");

	x->kind = ruling ? EXPECT_RULING : EXPECT_EVENT;
	if (index >= l->count)
		return line_err(r->mem, l, index,
			ruling ? "expected a ruling, such as FP36" : "expected what the sentence says, in quotes");
	x->text_count = l->count - index;
	x->texts = talloc_array(r->c, const char *, (unsigned)x->text_count);
	for (int i = 0; i < x->text_count; i++) {
		x->texts[i] = talloc_strdup(r->c, l->words[index + i].text);
		if (!ruling && !l->words[index + i].quoted)
			return line_err(r->mem, l, index + i, "expected what the sentence says, in quotes");
	}
	return ruling ? line_ends(r->mem, l, index + 1) : NULL;
}

static struct err *expect_die(struct reading *r, const struct line *l, int index, struct expectation *x)
{
	struct err *e = NULL;
	const struct die_purpose *p;

	if (index >= l->count)
		return line_err(r->mem, l, index, "expected the code of a unit, commander or side");
	p = purpose_word(r, l, index + 1, &e);
	if (!p)
		return e;
	x->kind = EXPECT_DIE;
	x->purpose = p->word;
	x->name = talloc_strdup(r->c, l->words[index].text);
	if (p->side)
		e = side_word(r->mem, l, index, &x->other);
	else
		x->unit = find_piece(r->c, x->name);
	return e ? e : line_ends(r->mem, l, index + 2);
}

static struct err *expect_line(struct reading *r, const struct line *l)
{
	struct expectation x = {.line = l->number, .unit = -1, .other = -1, .facing = -1};
	int index = 1;
	struct err *e;

	if (is(l, 1, "no") && (is(l, 2, "die") || is(l, 2, "event") || is(l, 2, "ruling"))) {
		x.negated = true;
		index = 2;
	}
	if (is(l, index, "die"))
		e = expect_die(r, l, index + 1, &x);
	else if (is(l, index, "event") || is(l, index, "ruling"))
		e = expect_texts(r, l, index + 1, &x);
	else if (is(l, 1, "winner"))
		e = expect_winner(r, l, &x);
	else if (is(l, 1, "no") && find_piece(r->c, "no") < 0)
		e = line_err(r->mem, l, 2, "expected die, event or ruling after no");
	else if (l->count > 1)
		e = expect_piece(r, l, &x);
	else
		e = line_err(r->mem, l, 1, "expected the code of a piece, or event, ruling, winner or no");
	if (e)
		return e;
	x.words = words_from(r->c, l, 1);
	add_step(r, STEP_EXPECT, l->number)->expect = x;
	return NULL;
}

/* --- the file ------------------------------------------------------------------------------------------------------
 */

static const struct keyword {
	const char *word;
	enum pass pass;
	bool both; /* needed in both passes */
	struct err *(*read)(struct reading *r, const struct line *l);
} keywords[] = {
	{"battle", PASS_SETUP, false, NULL},
	{"rules", PASS_SETUP, false, NULL},
	{"case", PASS_SETUP, false, case_line},
	{"seed", PASS_SETUP, false, seed_line},
	{"deploy", PASS_SETUP, false, deploy_line},
	{"set", PASS_SETUP, false, other_setup_line},
	{"unit", PASS_SETUP, false, other_setup_line},
	{"commander", PASS_SETUP, false, other_setup_line},
	{"locked", PASS_SETUP, false, other_setup_line},
	{"orders", PASS_STEPS, true, orders_line},
	{"turn", PASS_STEPS, true, turn_line},
	{"die", PASS_STEPS, false, die_line},
	{"concede", PASS_STEPS, false, concede_line},
	{"verdict", PASS_STEPS, false, verdict_line},
	{"expect", PASS_STEPS, false, expect_line},
};

static const struct keyword *find_keyword(const struct line *l)
{
	static const struct keyword ground = {"", PASS_SETUP, false, other_setup_line};

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (is(l, 0, keywords[i].word))
			return &keywords[i];
	return l->count > 0 && terrain_from_word(l->words[0].text) >= 0 ? &ground : NULL;
}

static struct err *read_line(struct reading *r, const struct line *l)
{
	const struct keyword *k = l->indented ? NULL : find_keyword(l);
	struct err *e;

	if (!k && r->side >= 0) {
		buf_printf(r->orders, "%s\n", l->raw);
		return NULL;
	}
	if (l->count == 0)
		return NULL;
	if (l->indented)
		return line_err(r->mem, l, 0, "expected a keyword without blanks before it (only orders are indented)");
	e = close_orders(r);
	if (e || (k && !k->read) || (k && !k->both && k->pass != r->pass))
		return e;
	if (!k && r->played)
		return no_keyword(r, l);
	if (r->pass == PASS_SETUP && r->played && k->pass == PASS_SETUP)
		return line_err(r->mem, l, 0, "expected the set-up above the first turn");
	return k ? k->read(r, l) : other_setup_line(r, l);
}

static struct err *read_pass(struct reading *r, enum pass pass, const char *text, size_t len)
{
	struct line_reader *lines = line_reader_new(r->mem, r->c->file, text, len);
	const struct line *l;
	struct err *e;

	r->pass = pass;
	r->played = false;
	r->side = -1;
	do {
		e = line_next(r->mem, lines, &l);
		if (!e && l)
			e = read_line(r, l);
		line_free_text(lines, r->side >= 0);
	} while (!e && l);
	talloc_free(lines);
	return e ? e : close_orders(r);
}

struct err *case_read(TALLOC_CTX *mem, const char *file, const char *text, size_t len, struct rules_case **out)
{
	struct rules_case *c = talloc_zero(mem, struct rules_case);
	struct reading r = {.mem = c, .c = c, .side = -1, .orders = buf_new(c)};
	struct err *e;

	c->file = talloc_strdup(c, file);
	c->name = c->file;
	c->title = "";
	c->seed = 1;
	e = find_battle(&r, text, len);
	if (!e)
		e = read_pass(&r, PASS_SETUP, text, len);
	if (!e && c->rules->muster)
		c->rules->muster(c->scenario);
	if (!e)
		e = read_pass(&r, PASS_STEPS, text, len);
	if (e)
		talloc_steal(mem, e);
	else
		*out = c;
	return e;
}
