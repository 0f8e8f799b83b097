/* Orders in plain English, for the receipt. */
#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"

#include <stdlib.h>

struct teller {
	TALLOC_CTX *mem;
	const struct state *s;
	struct buf *out;
};

static void tell_piece(struct teller *t, int unit)
{
	buf_adds(t->out, piece_english(t->mem, t->s, unit));
}

static void tell_inches(struct teller *t, int32_t thousandths)
{
	buf_printf(t->out, "%s inch%s", text_inches(t->mem, thousandths), thousandths == 1000 ? "" : "es");
}

static const char *heading_words(struct teller *t, struct heading h, bool facing)
{
	static const char *const compass[] = {
		"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"};
	static const char *const moving[] = {"forward", "to the right", "backward", "to the left"};
	static const char *const turning[] = {"straight ahead", "to the right", "to the rear", "to the left"};

	if (h.relative && h.degrees % 90 == 0)
		return (facing ? turning : moving)[h.degrees / 90 % 4];
	if (h.degrees % 45 == 0)
		return compass[h.degrees / 45 % 8];
	return talloc_asprintf(t->mem, "%sa bearing of %d degrees", facing ? "" : "on ", h.degrees);
}

static void tell_place(struct teller *t, struct point at, const char *square)
{
	if (*square)
		buf_adds(t->out, square);
	else
		buf_printf(t->out, "(%s,%s)", text_inches(t->mem, at.x), text_inches(t->mem, at.y));
}

static void tell_leg(struct teller *t, const struct leg *leg)
{
	if (leg->distance) {
		tell_inches(t, leg->distance);
		buf_addc(t->out, ' ');
	} else if (leg->kind != LEG_PLACE) {
		buf_adds(t->out, "as far as possible ");
	}
	switch (leg->kind) {
	case LEG_HEADING:
		buf_adds(t->out, heading_words(t, leg->heading, false));
		break;
	case LEG_PLACE:
		buf_adds(t->out, "to ");
		tell_place(t, leg->place, leg->square);
		break;
	case LEG_TOWARD:
		buf_adds(t->out, "toward ");
		tell_piece(t, leg->unit);
		break;
	case LEG_AWAY:
		buf_adds(t->out, "away from ");
		tell_piece(t, leg->unit);
		break;
	}
}

static void tell_face(struct teller *t, const struct face *f)
{
	switch (f->kind) {
	case FACE_HEADING:
		buf_printf(t->out, "face %s", heading_words(t, f->heading, true));
		break;
	case FACE_UNIT:
		buf_adds(t->out, "face ");
		tell_piece(t, f->unit);
		break;
	case FACE_PLACE:
		buf_adds(t->out, "face ");
		tell_place(t, f->place, f->square);
		break;
	case FACE_TURN:
		if (f->degrees == 180)
			buf_adds(t->out, "turn about");
		else
			buf_printf(t->out, "turn %d degrees to the %s", abs(f->degrees),
				f->degrees < 0 ? "left" : "right");
		break;
	case FACE_WHEEL:
		buf_printf(t->out, "wheel %d degrees to the %s", abs(f->degrees), f->degrees < 0 ? "left" : "right");
		break;
	}
}

static void tell_targets(struct teller *t, const struct clause *c)
{
	for (int i = 0; i < c->target_count; i++) {
		const struct target *target = &c->targets[i];

		buf_adds(t->out, i ? ", or else " : " ");
		if (target->kind == TARGET_UNIT)
			tell_piece(t, target->unit);
		else
			buf_adds(t->out, target->kind == TARGET_NEAREST ? "the nearest enemy" : "any other enemy");
		if (target->hits)
			buf_printf(t->out, " (%d hit%s)", target->hits, target->hits == 1 ? "" : "s");
	}
}

static void tell_melee(struct teller *t, const struct clause *c)
{
	buf_adds(t->out, "in melee hit");
	for (int i = 0; i < c->target_count; i++) {
		const struct target *target = &c->targets[i];

		buf_adds(t->out, i ? ", then " : " ");
		if (target->kind == TARGET_UNIT)
			tell_piece(t, target->unit);
		else
			buf_adds(t->out, "any enemy");
		if (target->hits)
			buf_printf(t->out, " (%d hit%s)", target->hits, target->hits == 1 ? "" : "s");
	}
}

static void tell_within(struct teller *t, const struct condition *c, bool so)
{
	if (c->subject == WITHIN_UNIT)
		tell_piece(t, c->unit);
	else
		buf_adds(t->out, c->subject == WITHIN_CHARGE_TARGET ? "the target" : so ? "an enemy" : "no enemy");
	buf_adds(t->out, so || c->subject == WITHIN_ENEMY ? " is within " : " is not within ");
	tell_inches(t, c->distance);
	if (c->of >= 0) {
		buf_adds(t->out, " of ");
		tell_piece(t, c->of);
	}
}

static const char *comparison_words(enum comparison how, bool so)
{
	static const char *const words[][2] = {
		[COMPARE_LESS] = {"at least", "fewer than"},
		[COMPARE_AT_MOST] = {"more than", "at most"},
		[COMPARE_EQUAL] = {"not exactly", "exactly"},
		[COMPARE_AT_LEAST] = {"fewer than", "at least"},
		[COMPARE_MORE] = {"at most", "more than"},
	};

	return words[how][so];
}

/* `so`: that it is so; else that it is not. */
static void tell_condition(struct teller *t, const struct condition *c, bool so)
{
	static const char *const status[] = {"gone", "locked in melee", "routing"};

	switch (c->kind) {
	case CONDITION_WITHIN:
		tell_within(t, c, so);
		break;
	case CONDITION_STATUS:
		tell_piece(t, c->unit);
		buf_printf(t->out, " is %s%s", so ? "" : "not ", status[c->status]);
		break;
	case CONDITION_BASES:
	case CONDITION_FIGURES:
		buf_printf(t->out, "%s %d %s are left", comparison_words(c->comparison, so), c->number,
			c->kind == CONDITION_BASES ? "bases" : "figures");
		break;
	case CONDITION_OUT_OF_POINTS:
		buf_adds(t->out, so ? "the command points are spent" : "a command point is left");
		break;
	case CONDITION_POINTS:
		buf_printf(t->out, "%s %d command points are left", comparison_words(c->comparison, so), c->number);
		break;
	case CONDITION_INITIATIVE:
		buf_adds(t->out, so ? "your side goes first" : "the other side goes first");
		break;
	case CONDITION_AND:
	case CONDITION_OR:
		tell_condition(t, c->left, so);
		buf_adds(t->out, (c->kind == CONDITION_AND) == so ? " and " : " or ");
		tell_condition(t, c->right, so);
		break;
	case CONDITION_NOT:
		tell_condition(t, c->left, !so);
		break;
	}
}

static void tell_list(struct teller *t, const struct clause *c);

static void tell_if(struct teller *t, const struct clause *c)
{
	buf_adds(t->out, "if ");
	tell_condition(t, c->condition, true);
	buf_adds(t->out, ", ");
	tell_list(t, c->then);
	if (c->otherwise) {
		buf_adds(t->out, ", and if not, ");
		tell_list(t, c->otherwise);
	}
}

static void tell_clause(struct teller *t, const struct clause *c)
{
	switch (c->kind) {
	case CLAUSE_MOVE:
		buf_adds(t->out, "move ");
		for (int i = 0; i < c->leg_count; i++) {
			buf_adds(t->out, i ? ", then " : "");
			tell_leg(t, &c->legs[i]);
		}
		break;
	case CLAUSE_FACE:
		tell_face(t, &c->face);
		break;
	case CLAUSE_FIRE:
		buf_adds(t->out, "fire at");
		tell_targets(t, c);
		break;
	case CLAUSE_HOLD_FIRE:
		buf_adds(t->out, "hold fire");
		break;
	case CLAUSE_CHARGE:
		buf_adds(t->out, "charge");
		tell_targets(t, c);
		break;
	case CLAUSE_NO_CHARGE:
		buf_adds(t->out, "do not charge");
		if (c->target_count)
			tell_targets(t, c);
		break;
	case CLAUSE_MELEE:
		tell_melee(t, c);
		break;
	case CLAUSE_JOIN:
	case CLAUSE_RALLY:
		buf_adds(t->out, c->kind == CLAUSE_JOIN ? "join " : "rally ");
		tell_piece(t, c->unit);
		break;
	case CLAUSE_LEAVE:
		buf_adds(t->out, "leave his unit");
		break;
	case CLAUSE_HOLD:
		buf_adds(t->out, "stand still");
		break;
	case CLAUSE_HALT:
		buf_adds(t->out, "try to halt if it wins");
		break;
	case CLAUSE_COLUMN:
	case CLAUSE_LINE:
		buf_printf(t->out, "form %s", c->kind == CLAUSE_COLUMN ? "column" : "line");
		break;
	case CLAUSE_IF:
		tell_if(t, c);
		break;
	}
}

/* "a, b, and c"; what depends on an `if` is parted from the rest, so that nobody takes it for more. */
static void tell_run(struct teller *t, const struct clause *c, const struct clause *end)
{
	bool parted = false;

	for (int n = 0; c != end; parted = c->kind == CLAUSE_IF, c = c->next, n++) {
		if (parted || (n > 0 && c->kind == CLAUSE_IF))
			buf_adds(t->out, "; ");
		else if (n > 0)
			buf_adds(t->out, c->next != end ? ", " : n > 1 ? ", and " : " and ");
		tell_clause(t, c);
	}
}

static void tell_list(struct teller *t, const struct clause *c)
{
	tell_run(t, c, NULL);
}

char *orders_english(TALLOC_CTX *mem, const struct unit_orders *orders, const struct state *s)
{
	TALLOC_CTX *scratch = talloc_new(mem);
	struct buf text;
	struct teller t = {scratch, s, &text};

	buf_open(&text, mem);
	if (!orders->clauses)
		buf_adds(t.out, "stand, and fire at the nearest enemy.");
	for (const struct clause *c = orders->clauses, *end; c; c = end) {
		end = orders_run_end(c);
		if (c != orders->clauses)
			buf_adds(t.out, c->standing ? " Besides: " : " For this turn alone: ");
		tell_run(&t, c, end);
		buf_adds(t.out, c->standing ? "; this order stands until it is changed." : ".");
	}
	talloc_free(scratch);
	return buf_close(&text);
}
