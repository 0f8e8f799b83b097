#include "report/forecast.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/chronicle.h"

#include <string.h>

enum { COLUMNS = 72, INDENT = 2 };

struct telling {
	const struct scenario *sc;
	const struct state *s;
	const struct plan_item *item;
	struct buf *out;
};

static const char *inches(struct telling *t, int32_t thousandths)
{
	return inches_text(t->out, thousandths);
}

static const char *piece(struct telling *t, int unit)
{
	return unit < 0 ? "somebody" : piece_english(t->out, t->s, unit);
}

static bool turned(const struct plan_item *item)
{
	return item->from.facing != item->to.facing;
}

static void put_move_done(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->distance == 0 && turned(item))
		buf_printf(t->out, " turns to face %s", facing_word(item->to.facing));
	else if (item->distance == 0)
		buf_adds(t->out, " stays where it is");
	else
		buf_printf(t->out, " goes %s\" to %s%s%s", inches(t, item->distance),
			square_name(t->out, &t->sc->table, item->to.front), turned(item) ? " and faces " : "",
			turned(item) ? facing_word(item->to.facing) : "");
}

static void put_move(struct telling *t)
{
	const struct plan_item *item = t->item;

	put_move_done(t);
	switch (item->reason) {
	case REASON_NONE:
		break;
	case REASON_ALLOWANCE:
		if (item->asked > item->distance)
			buf_printf(t->out, ": the %s\" that you ordered are more than it may move in a turn",
				inches(t, item->asked));
		else
			buf_adds(t->out, ": that is all it may move in a turn");
		break;
	case REASON_TURNING:
		buf_adds(t->out, ": turning uses up movement too, so the march is shorter than you ordered");
		break;
	case REASON_ENEMY_NEAR:
	case REASON_ENEMY:
		buf_printf(t->out, ": %s is in the way, and only a charge may come nearer than %s\"",
			piece(t, item->blocker), inches(t, rule_number(t->sc, "clearance", INCH(1))));
		break;
	case REASON_FRIEND:
		buf_printf(t->out, ": %s stands where it would end", piece(t, item->blocker));
		break;
	case REASON_MELEE:
		buf_printf(t->out, ": the melee of %s is in the way", piece(t, item->blocker));
		break;
	case REASON_EDGE:
		buf_adds(t->out, ": nobody may leave the table");
		break;
	case REASON_TERRAIN:
		buf_adds(t->out, ": the ground is in the way");
		break;
	case REASON_LOCKED:
		buf_adds(t->out, ": whoever is in melee cannot move");
		break;
	case REASON_GUN:
		buf_adds(t->out, ": guns cannot move");
		break;
	default:
		buf_adds(t->out, ": it cannot do all that you ordered");
	}
}

static void put_fire(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->whole) {
		buf_printf(t->out, " can fire at %s, %s\" away", piece(t, item->target), inches(t, item->distance));
		if (item->percent >= 0)
			buf_printf(t->out, " (chance of a hit or more: %d in 100)", item->percent);
		return;
	}
	buf_printf(t->out, " cannot fire at %s", piece(t, item->target));
	switch (item->reason) {
	case REASON_OUT_OF_RANGE:
		buf_printf(t->out, ": it is %s\" away, and muskets reach %s\"", inches(t, item->distance),
			inches(t, rule_number(t->sc, "infantry-range", INCH(12))));
		break;
	case REASON_NOT_IN_FRONT:
		buf_adds(t->out, ": it is not in front");
		break;
	case REASON_NO_SIGHT:
		buf_adds(t->out, ": somebody stands in the line of fire");
		break;
	case REASON_FIGHTING:
	case REASON_LOCKED:
		buf_adds(t->out, ": nobody fires into a melee");
		break;
	case REASON_GONE:
		buf_adds(t->out, ": it is gone");
		break;
	case REASON_NO_TARGET:
		buf_adds(t->out, ": it is no target for muskets");
		break;
	default:
		buf_adds(t->out, " from there");
	}
}

static void put_charge(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->whole) {
		buf_printf(t->out, " can reach %s, %s\" away, if it stays there", piece(t, item->target),
			inches(t, item->distance));
		return;
	}
	buf_printf(t->out, " cannot charge %s", piece(t, item->target));
	switch (item->reason) {
	case REASON_OUT_OF_REACH:
		buf_printf(t->out, ": it is %s\" away, and a charge goes %s\"", inches(t, item->distance),
			inches(t, item->asked));
		break;
	case REASON_NOT_IN_FRONT:
		buf_adds(t->out, ": it is not in front");
		break;
	case REASON_LOCKED:
	case REASON_FIGHTING:
		buf_adds(t->out, ": it is in melee itself");
		break;
	case REASON_GONE:
		buf_adds(t->out, ": it is gone");
		break;
	case REASON_NO_TARGET:
		buf_adds(t->out, ": nobody charges a commander");
		break;
	default:
		buf_adds(t->out, " from there");
	}
}

static void put_join(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->whole) {
		buf_printf(t->out, " joins %s", piece(t, item->target));
		return;
	}
	buf_printf(t->out, " cannot join %s", piece(t, item->target));
	switch (item->reason) {
	case REASON_GONE:
		buf_adds(t->out, ": it is gone");
		break;
	case REASON_GUN:
		buf_adds(t->out, ": commanders join foot or horse, not guns");
		break;
	case REASON_LOCKED:
		buf_adds(t->out, ": his own unit is in melee");
		break;
	default:
		buf_printf(t->out, " in his move: he gets only %s\" nearer. He tries again when charges are made",
			inches(t, item->distance));
	}
}

char *forecast_sentence(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan_item *item)
{
	struct buf *out = buf_new(mem);
	struct telling t = {sc, s, item, out};
	char *text;

	buf_adds(out, piece(&t, item->unit));
	switch (item->kind) {
	case PLAN_MOVE:
		put_move(&t);
		break;
	case PLAN_FIRE:
		put_fire(&t);
		break;
	case PLAN_CHARGE:
		put_charge(&t);
		break;
	case PLAN_JOIN:
		put_join(&t);
		break;
	}
	buf_adds(out, item->conditional ? ". (There is an \"if\": it is judged when the time comes.)" : ".");
	text = buf_steal(mem, out);
	talloc_free(out);
	return text;
}

/* A move or ride that goes as ordered is on the map. */
static bool says_nothing(const struct plan_item *item)
{
	return item->whole && (item->kind == PLAN_MOVE || item->kind == PLAN_JOIN);
}

char *forecast_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan,
	const bool *may_order)
{
	struct buf *out = buf_new(mem);
	char *text;

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < plan->count; i++) {
			const struct plan_item *item = &plan->items[i];
			const char *line;

			if (item->whole != (pass == 1) || says_nothing(item) ||
				(may_order != NULL && !may_order[item->unit]))
				continue;
			line = talloc_asprintf(out, "- %s", forecast_sentence(out, sc, s, item));
			buf_printf(out, "%s\n", text_wrap(out, line, COLUMNS, INDENT));
		}
	}
	text = buf_steal(mem, out);
	talloc_free(out);
	return text;
}
