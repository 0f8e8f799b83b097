/* Canonical form: what is printed reads back to the same orders. */
#include "orders/print.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/sheet.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct printer {
	TALLOC_CTX *mem;
	const struct state *s;
	enum side side;
	struct buf *out;
};

static bool is_numbered_gun(const struct unit *u)
{
	return u->kind == KIND_GUN && isdigit((unsigned char)u->code[0]);
}

const char *piece_code(TALLOC_CTX *mem, const struct state *s, int unit)
{
	const struct unit *u = &s->units[unit];

	if (is_numbered_gun(u))
		return buf_text(mem, "gun %s", u->code);
	return u->code;
}

char *piece_english(TALLOC_CTX *mem, const struct state *s, int unit)
{
	const struct unit *u = &s->units[unit];

	if (is_numbered_gun(u))
		return buf_text(mem, "gun %s", u->code);
	return buf_text(mem, "%s (%s)", u->name, u->code);
}

/* Where own and enemy could both stand: a gun's number, or two codes of one spelling, do not tell them apart. */
static bool code_is_sure(const struct state *s, int unit)
{
	if (s->units[unit].kind == KIND_GUN)
		return false;
	for (int i = 0; i < s->count; i++)
		if (i != unit && strcmp(s->units[i].code, s->units[unit].code) == 0)
			return false;
	return true;
}

const char *piece_sure(TALLOC_CTX *mem, const struct state *s, int unit, enum side side)
{
	const struct unit *u = &s->units[unit];

	if (is_numbered_gun(u))
		return buf_text(mem, "%s gun %s", u->side == side ? "our" : "enemy", u->code);
	return code_is_sure(s, unit) ? u->code : u->id;
}

/* --- pieces, places, directions ----------------------------------------------------------------------------------- */

static void print_either(struct printer *p, int unit)
{
	buf_adds(p->out, piece_sure(p->mem, p->s, unit, p->side));
}

static void print_piece(struct printer *p, int unit)
{
	const char *code = piece_code(p->mem, p->s, unit);

	buf_adds(p->out, code);
}

static bool is_compass_letter(const char *code)
{
	return code[0] && !code[1] && strchr("nesw", tolower((unsigned char)code[0]));
}

static void print_inches(struct printer *p, int32_t thousandths)
{
	char *text = text_inches(p->mem, thousandths);

	buf_adds(p->out, text);
	talloc_free(text);
}

static void print_heading(struct printer *p, struct heading h)
{
	static const char *const compass[] = {
		"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"};
	static const char *const relative[] = {"forward", "right", "back", "left"};

	if (h.relative && h.degrees % 90 == 0)
		buf_adds(p->out, relative[h.degrees / 90 % 4]);
	else if (h.degrees % 45 == 0)
		buf_adds(p->out, compass[h.degrees / 45 % 8]);
	else
		buf_printf(p->out, "%d degrees", h.degrees);
}

static void print_place(struct printer *p, struct point at, const char *square)
{
	if (*square) {
		buf_adds(p->out, square);
		return;
	}
	buf_addc(p->out, '(');
	print_inches(p, at.x);
	buf_addc(p->out, ',');
	print_inches(p, at.y);
	buf_addc(p->out, ')');
}

/* --- clauses ------------------------------------------------------------------------------------------------------ */

static void print_leg(struct printer *p, const struct leg *leg)
{
	if (leg->distance) {
		print_inches(p, leg->distance);
		buf_adds(p->out, leg->distance > SIDEWAYS_LIMIT && leg->kind == LEG_HEADING && leg->heading.relative
					 ? " inches " /* "90 left" is asked about */
					 : " ");
	}
	switch (leg->kind) {
	case LEG_HEADING:
		print_heading(p, leg->heading);
		break;
	case LEG_PLACE:
		buf_adds(p->out, "to ");
		print_place(p, leg->place, leg->square);
		break;
	case LEG_TOWARD:
		buf_adds(p->out, "toward ");
		print_either(p, leg->unit);
		break;
	case LEG_AWAY:
		buf_adds(p->out, "away from ");
		print_either(p, leg->unit);
		break;
	}
}

static void print_move(struct printer *p, const struct clause *c)
{
	buf_adds(p->out, "move ");
	for (int i = 0; i < c->leg_count; i++) {
		if (i > 0)
			buf_adds(p->out, " then ");
		print_leg(p, &c->legs[i]);
	}
}

static void print_turn(struct printer *p, const struct face *f)
{
	int size = abs(f->degrees), usual = f->kind == FACE_TURN ? 90 : 45;

	if (f->kind == FACE_TURN && f->degrees == 180) {
		buf_adds(p->out, "turn about");
		return;
	}
	buf_printf(p->out, "%s %s", f->kind == FACE_TURN ? "turn" : "wheel", f->degrees < 0 ? "left" : "right");
	if (size != usual)
		buf_printf(p->out, " %d", size);
}

static void print_face(struct printer *p, const struct face *f)
{
	switch (f->kind) {
	case FACE_HEADING:
		buf_adds(p->out, "face ");
		print_heading(p, f->heading);
		break;
	case FACE_UNIT:
		buf_adds(p->out, is_compass_letter(p->s->units[f->unit].code) ? "face unit " : "face ");
		print_either(p, f->unit);
		break;
	case FACE_PLACE:
		buf_adds(p->out, "face ");
		print_place(p, f->place, f->square);
		break;
	case FACE_TURN:
	case FACE_WHEEL:
		print_turn(p, f);
		break;
	}
}

static void print_targets(struct printer *p, const char *verb, const struct clause *c)
{
	buf_adds(p->out, verb);
	for (int i = 0; i < c->target_count; i++) {
		const struct target *t = &c->targets[i];

		buf_adds(p->out, i ? ", " : " ");
		if (t->kind == TARGET_UNIT)
			print_piece(p, t->unit);
		else
			buf_adds(p->out, t->kind == TARGET_NEAREST ? "nearest" : "any");
		if (t->hits)
			buf_printf(p->out, " %d", t->hits);
	}
}

static void print_condition(struct printer *p, const struct condition *c)
{
	static const char *const status[] = {"gone", "locked", "routing"};
	static const char *const comparison[] = {"<", "<=", "=", ">=", ">"};

	switch (c->kind) {
	case CONDITION_WITHIN:
		if (c->subject == WITHIN_UNIT)
			print_either(p, c->unit);
		buf_adds(p->out, c->subject == WITHIN_UNIT    ? " within "
				 : c->subject == WITHIN_ENEMY ? "enemy within "
							      : "within ");
		print_inches(p, c->distance);
		if (c->of >= 0) {
			buf_adds(p->out, " of ");
			print_either(p, c->of);
		}
		break;
	case CONDITION_STATUS:
		print_either(p, c->unit);
		buf_printf(p->out, " %s", status[c->status]);
		break;
	case CONDITION_BASES:
	case CONDITION_FIGURES:
	case CONDITION_POINTS:
		buf_printf(p->out, "%s %s %d",
			c->kind == CONDITION_BASES     ? "bases"
			: c->kind == CONDITION_FIGURES ? "figures"
						       : "points",
			comparison[c->comparison], c->number);
		break;
	case CONDITION_OUT_OF_POINTS:
		buf_adds(p->out, "out of points");
		break;
	case CONDITION_INITIATIVE:
		buf_adds(p->out, "initiative");
		break;
	case CONDITION_AND:
	case CONDITION_OR:
		print_condition(p, c->left);
		buf_adds(p->out, c->kind == CONDITION_AND ? " and " : " or ");
		print_condition(p, c->right);
		break;
	case CONDITION_NOT:
		buf_adds(p->out, "not ");
		print_condition(p, c->left);
		break;
	}
}

static void print_clause(struct printer *p, const struct clause *c, bool nested);

static void print_list(struct printer *p, const struct clause *c)
{
	for (; c; c = c->next) {
		print_clause(p, c, true);
		if (c->next)
			buf_adds(p->out, ", ");
	}
}

static void print_if(struct printer *p, const struct clause *c, bool nested)
{
	const struct condition *k = c->condition;
	bool unless = k->kind == CONDITION_NOT && (k->left->kind == CONDITION_AND || k->left->kind == CONDITION_OR);
	/* After a charge, where "within 6" means its target, and before further clauses it trails, so that it governs
	 * no more than that. */
	bool trails =
		!c->then->next && (c->then->kind == CLAUSE_CHARGE || (nested && c->next && c->then->kind != CLAUSE_IF));

	if (trails) {
		print_clause(p, c->then, true);
		buf_addc(p->out, ' ');
	}
	buf_adds(p->out, unless ? "unless " : "if ");
	print_condition(p, unless ? k->left : k);
	if (!trails) {
		buf_adds(p->out, " then ");
		print_list(p, c->then);
	}
	if (c->otherwise) {
		buf_adds(p->out, ", otherwise ");
		print_list(p, c->otherwise);
	}
}

static void print_clause(struct printer *p, const struct clause *c, bool nested)
{
	switch (c->kind) {
	case CLAUSE_MOVE:
		print_move(p, c);
		break;
	case CLAUSE_FACE:
		print_face(p, &c->face);
		break;
	case CLAUSE_FIRE:
		print_targets(p, "fire", c);
		break;
	case CLAUSE_HOLD_FIRE:
		buf_adds(p->out, "hold fire");
		break;
	case CLAUSE_CHARGE:
		print_targets(p, "charge", c);
		break;
	case CLAUSE_NO_CHARGE:
		print_targets(p, "do not charge", c);
		break;
	case CLAUSE_MELEE:
		print_targets(p, "melee", c);
		break;
	case CLAUSE_JOIN:
	case CLAUSE_RALLY:
		buf_adds(p->out, c->kind == CLAUSE_JOIN ? "join " : "rally ");
		print_piece(p, c->unit);
		break;
	case CLAUSE_LEAVE:
		buf_adds(p->out, "leave");
		break;
	case CLAUSE_HOLD:
		buf_adds(p->out, "hold");
		break;
	case CLAUSE_COLUMN:
		buf_adds(p->out, "form column");
		break;
	case CLAUSE_LINE:
		buf_adds(p->out, "form line");
		break;
	case CLAUSE_HALT:
		buf_adds(p->out, "halt");
		break;
	case CLAUSE_IF:
		print_if(p, c, nested);
		break;
	}
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static bool is_movement(const struct clause *c)
{
	return c->kind == CLAUSE_MOVE || c->kind == CLAUSE_FACE || c->kind == CLAUSE_HOLD;
}

static void print_clauses(struct printer *p, const struct clause *c, const struct clause *end)
{
	for (; c != end; c = c->next) {
		print_clause(p, c, false);
		if (c->next != end)
			buf_adds(p->out, is_movement(c) && is_movement(c->next) ? ", " : "; ");
	}
}

char *clause_canonical(TALLOC_CTX *mem, const struct clause *c, const struct state *s, enum side side)
{
	struct buf text;
	struct printer p = {mem, s, side, &text};

	buf_open(&text, mem);
	print_clause(&p, c, false);
	return buf_close(&text);
}

char *clauses_canonical(TALLOC_CTX *mem, const struct clause *first, const struct state *s, enum side side)
{
	struct buf text;
	struct printer p = {mem, s, side, &text};

	buf_open(&text, mem);
	print_clauses(&p, first, NULL);
	return buf_close(&text);
}

const struct clause *orders_run_end(const struct clause *first)
{
	const struct clause *c = first;

	while (c && c->standing == first->standing)
		c = c->next;
	return c;
}

char *orders_lines(
	TALLOC_CTX *mem, const struct unit_orders *orders, const char *who, const struct state *s, enum side side)
{
	struct buf text;
	struct printer p = {mem, s, side, &text};

	buf_open(&text, mem);
	for (const struct clause *c = orders->clauses, *end; c; c = end) {
		end = orders_run_end(c);
		buf_printf(p.out, "%s%s: ", c->standing ? "standing " : "", who);
		print_clauses(&p, c, end);
		buf_addc(p.out, '\n');
	}
	return buf_close(&text);
}

/* What is for nobody is not printed. */
static bool is_printed(const struct order *o)
{
	return o->kind == ORDER_CLEAR || o->unit_count > 0;
}

char *orders_canonical(TALLOC_CTX *mem, const struct sheet *sheet, const struct orders_context *context)
{
	struct buf text;
	struct printer p = {mem, context->state, context->side, &text};

	buf_open(&text, mem);
	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		if (!is_printed(o))
			continue;
		if (o->kind == ORDER_CLEAR) {
			buf_adds(p.out, "clear all\n");
			continue;
		}
		if (o->kind == ORDER_CANCEL) {
			buf_printf(p.out, "cancel %s\n", o->subject);
			continue;
		}
		buf_printf(p.out, "%s%s: ", o->standing ? "standing " : "", o->subject);
		print_clauses(&p, o->clauses, NULL);
		buf_addc(p.out, '\n');
	}
	if (sheet->priority_count) {
		buf_adds(p.out, "priority");
		for (int i = 0; i < sheet->priority_count; i++) {
			buf_adds(p.out, i ? ", " : " ");
			print_piece(&p, sheet->priority[i]);
		}
		buf_addc(p.out, '\n');
	}
	return buf_close(&text);
}

struct sheet *orders_as_printed(TALLOC_CTX *mem, const struct sheet *sheet)
{
	struct sheet *out = talloc_zero(mem, struct sheet);

	out->orders = talloc_array(out, struct order, (unsigned)sheet->order_count);
	for (int i = 0; i < sheet->order_count; i++) {
		struct order *o = &out->orders[out->order_count];

		if (!is_printed(&sheet->orders[i]))
			continue;
		*o = sheet->orders[i];
		o->line = ++out->order_count;
		o->from_sheet = false;
	}
	out->priority = sheet->priority;
	out->priority_count = sheet->priority_count;
	return out;
}
