#include "report/forecast.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/chronicle.h"
#include "report/roster.h"
#include "report/things.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 72, INDENT = 4 };

struct telling {
	const struct scenario *sc;
	const struct state *s;
	const struct plan_item *item;
	bool several; /* told of several pieces at once */
	struct buf *out;
};

static const char *inches(struct telling *t, int32_t thousandths)
{
	return inches_text(t->out, thousandths);
}

/* A gun of the enemy's has a number that one's own may have too. */
static const char *piece(struct telling *t, int unit)
{
	bool theirs = unit >= 0 && t->s->units[unit].side != t->s->units[t->item->unit].side;

	if (theirs && t->s->units[unit].kind == KIND_GUN)
		return piece_name(t->out, t->sc, t->s, unit);
	return unit < 0 ? "somebody" : piece_english(t->out, t->s, unit);
}

/* A unit is "they", a commander "he", a gun "it". */
static bool is_one(const struct telling *t, int unit)
{
	return unit >= 0 && !unit_is_formed(&t->s->units[unit]);
}

/* "goes" or "go", for whoever is told of. */
static const char *verb(const struct telling *t, const char *one, const char *several)
{
	return !t->several && is_one(t, t->item->unit) ? one : several;
}

static const char *are(const struct telling *t, int unit)
{
	return is_one(t, unit) || unit < 0 ? "is" : "are";
}

static const char *they(const struct telling *t, int unit)
{
	if (!is_one(t, unit))
		return "they";
	return t->s->units[unit].kind == KIND_COMMANDER ? "he" : "it";
}

/* The same of the one who is told of. */
static const char *actor_they(const struct telling *t)
{
	return t->several ? "they" : they(t, t->item->unit);
}

static const char *them(const struct telling *t)
{
	if (t->several || !is_one(t, t->item->unit))
		return "them";
	return t->s->units[t->item->unit].kind == KIND_COMMANDER ? "him" : "it";
}

static bool turned(const struct plan_item *item)
{
	return item->from.facing != item->to.facing;
}

/* Several end in as many squares, which the map shows. */
static void put_move_done(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->distance == 0 && turned(item)) {
		buf_printf(t->out, " %s to face %s", verb(t, "turns", "turn"), facing_word(item->to.facing));
	} else if (item->distance == 0) {
		buf_printf(t->out, " %s where %s %s", verb(t, "stays", "stay"), actor_they(t), verb(t, "is", "are"));
	} else {
		buf_printf(t->out, " %s %s%s\"", verb(t, "goes", "go"), item->whole ? "" : "only ",
			inches(t, item->distance));
		if (!t->several)
			buf_printf(t->out, ", to %s", square_name(t->out, &t->sc->table, item->to.front));
		if (turned(item))
			buf_printf(t->out, ", and %s %s", verb(t, "faces", "face"), facing_word(item->to.facing));
	}
}

/* "5 or more on D8: 50 in 100" */
static void put_need(struct telling *t)
{
	const struct plan_item *item = t->item;

	buf_printf(t->out, "%d or more on %s", item->need, item->dice == 1 ? "" : buf_text(t->out, "%d ", item->dice));
	buf_printf(t->out, "D%d: %d in 100", item->sides, item->percent);
}

static void put_point(struct telling *t)
{
	if (t->item->percent == 0) {
		buf_printf(t->out, " %s no command point: %d units or more come first", verb(t, "gets", "get"),
			t->item->sides);
		return;
	}
	buf_printf(t->out, " %s a command point on ", verb(t, "gets", "get"));
	put_need(t);
}

static void put_move(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->farthest > 0) {
		buf_printf(t->out, " %s %s\" to %s\", as the dice fall; the map shows the least", verb(t, "goes", "go"),
			inches(t, item->distance), inches(t, item->farthest));
		return;
	}
	put_move_done(t);
	if (item->dice > 0) {
		buf_adds(t->out, ", on ");
		put_need(t);
	}
	switch (item->reason) {
	case REASON_NONE:
		break;
	case REASON_ALLOWANCE:
		if (item->paid > 0)
			buf_printf(t->out, ": the ground on the way takes %s\" of the move", inches(t, item->paid));
		else if (item->asked > item->distance)
			buf_printf(t->out, ": the %s\" that you ordered are more than %s may move in a turn",
				inches(t, item->asked), actor_they(t));
		else
			buf_printf(t->out, ": that is all %s may move in a turn", actor_they(t));
		break;
	case REASON_TURNING:
		buf_adds(t->out, ": turning uses up movement too, so the march is shorter than you ordered");
		break;
	case REASON_ENEMY_NEAR:
	case REASON_ENEMY:
		buf_printf(t->out, ": %s %s in the way, and only a charge may come nearer than %s\"",
			piece(t, item->blocker), are(t, item->blocker),
			inches(t, rule_number(t->sc, "clearance", INCH(1))));
		break;
	case REASON_FRIEND:
		buf_printf(t->out, ": %s %s where the move would end", piece(t, item->blocker), are(t, item->blocker));
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
	case REASON_ROUTING:
		buf_printf(t->out, ": %s %s, and a general must rally them first", actor_they(t),
			verb(t, "routs", "rout"));
		break;
	case REASON_HALTED:
		buf_printf(t->out, ": %s %s rallied and halt for a turn", actor_they(t), verb(t, "is", "are"));
		break;
	default:
		buf_printf(t->out, ": %s cannot do all that you ordered", actor_they(t));
	}
}

/* How far a target is: not told where it differs from unit to unit. */
static void put_away(struct telling *t)
{
	if (!t->several)
		buf_printf(t->out, ", %s\" away", inches(t, t->item->distance));
}

static int32_t fire_range(const struct telling *t)
{
	if (t->s->units[t->item->unit].kind == KIND_GUN)
		return rule_number(t->sc, "gun-range", 0);
	return rule_number(t->sc, "infantry-range", rule_number(t->sc, "long-range", INCH(12)));
}

static void put_in_the_way(struct telling *t)
{
	int blocker = t->item->blocker;

	if (blocker < 0)
		buf_adds(t->out, ": somebody stands in the line of fire");
	else
		buf_printf(t->out,
			": %s %s in the way, and guns fire only where %s\" about their line of fire are free of "
			"friends",
			piece(t, blocker), are(t, blocker), inches(t, rule_number(t->sc, "gun-corridor", INCH(3))));
}

static void put_cannot_fire(struct telling *t)
{
	const struct plan_item *item = t->item;
	bool gun = t->s->units[item->unit].kind == KIND_GUN;

	buf_printf(t->out, " cannot fire at %s", item->target < 0 ? "anybody" : piece(t, item->target));
	switch (item->reason) {
	case REASON_OUT_OF_RANGE:
		put_away(t);
		buf_printf(t->out, ": %s only %s\"", gun ? "a gun reaches" : "muskets reach", inches(t, fire_range(t)));
		break;
	case REASON_NOT_IN_FRONT:
		buf_printf(t->out, ": not in front of %s", them(t));
		break;
	case REASON_NO_SIGHT:
	case REASON_FRIEND:
		put_in_the_way(t);
		break;
	case REASON_MELEE:
		buf_printf(t->out, ": the melee of %s is in the line of fire", piece(t, item->blocker));
		break;
	case REASON_COMMANDER:
		buf_adds(t->out, ": commanders do not fire");
		break;
	case REASON_COLUMN:
		buf_adds(t->out, ": nobody fires from a column");
		break;
	case REASON_HORSE:
		buf_adds(t->out, ": men on horses do not fire");
		break;
	case REASON_FIGHTING:
	case REASON_LOCKED:
		buf_adds(t->out, ": nobody fires into or out of a melee");
		break;
	case REASON_GONE:
		buf_adds(t->out, ": there is no such unit any more");
		break;
	case REASON_NO_TARGET:
		if (item->target < 0)
			buf_printf(t->out, ": nobody is in front of %s and within range", them(t));
		else
			buf_adds(t->out, ": nobody aims at a commander");
		break;
	default:
		buf_adds(t->out, " from there");
	}
}

static void put_fire(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (!item->whole) {
		put_cannot_fire(t);
		return;
	}
	buf_printf(t->out, " can fire at %s, %s\" away", piece(t, item->target), inches(t, item->distance));
	if (item->percent >= 0)
		buf_printf(t->out, " (chance of at least one hit: %d%%)", item->percent);
	if (item->tenths > 0)
		buf_printf(t->out, " (%d.%d figures on average)", item->tenths / 10, item->tenths % 10);
}

/* What keeps a charge from a target that is near enough. */
static void put_stopped(struct telling *t)
{
	const struct plan_item *item = t->item;

	buf_printf(t->out, " cannot get at %s", piece(t, item->target));
	put_away(t);
	if (item->blocker >= 0)
		buf_printf(t->out, ": %s %s in the way%s", piece(t, item->blocker), are(t, item->blocker),
			item->reason == REASON_ENEMY ? " and would be charged instead" : "");
	else if (item->reason == REASON_EDGE)
		buf_adds(t->out, ": nobody may leave the table");
	else
		buf_printf(t->out, ": %s",
			item->reason == REASON_NO_ROOM ? "there is no room for them" : "the ground is in the way");
}

static void put_charge(struct telling *t)
{
	const struct plan_item *item = t->item;

	if (item->whole && item->dice > 0) {
		buf_printf(t->out, " %s ", verb(t, "needs", "need"));
		put_need(t);
		buf_printf(t->out, " to reach %s, %s\" away", piece(t, item->target), inches(t, item->distance));
		return;
	}
	if (item->whole) {
		buf_printf(t->out, " can reach %s, %s\" away, if %s %s there", piece(t, item->target),
			inches(t, item->distance), they(t, item->target), is_one(t, item->target) ? "stays" : "stay");
		return;
	}
	if (item->stopped) {
		put_stopped(t);
		return;
	}
	buf_printf(t->out, " cannot charge %s", item->target < 0 ? "anybody" : piece(t, item->target));
	switch (item->reason) {
	case REASON_OUT_OF_REACH:
		if (item->target >= 0)
			put_away(t);
		buf_printf(t->out, ": %scharge goes only %s\"",
			item->target < 0 ? "nobody is near enough in front, a " : "a ", inches(t, item->asked));
		break;
	case REASON_NOT_IN_FRONT:
		buf_printf(t->out, ": not in front of %s", them(t));
		break;
	case REASON_LOCKED:
	case REASON_FIGHTING:
		buf_printf(t->out, ": %s %s in melee already", actor_they(t), verb(t, "is", "are"));
		break;
	case REASON_GONE:
		buf_adds(t->out, ": there is no such unit any more");
		break;
	case REASON_GUN:
		buf_adds(t->out, ": guns cannot move");
		break;
	case REASON_COMMANDER:
		buf_adds(t->out, " himself: order the unit that he goes with to charge");
		break;
	case REASON_COLUMN:
		buf_adds(t->out, ": nobody charges from a column");
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
		buf_printf(t->out, " %s %s", verb(t, "joins", "join"), piece(t, item->target));
		return;
	}
	buf_printf(t->out, " cannot join %s", piece(t, item->target));
	switch (item->reason) {
	case REASON_GONE:
		buf_adds(t->out, ": there is no such unit any more");
		break;
	case REASON_GUN:
		buf_adds(t->out, ": commanders join foot or horse, not guns");
		break;
	case REASON_LOCKED:
	case REASON_MELEE:
		buf_adds(t->out, ": his own unit is in melee");
		break;
	default:
		if (item->again)
			buf_printf(t->out,
				" in his move: he gets only %s\" nearer. He tries again when charges are made",
				inches(t, item->distance));
		else if (item->distance > 0)
			buf_printf(t->out, ", %s\" away: he gets only %s\" nearer", inches(t, item->asked),
				inches(t, item->distance));
		else if (item->reason == REASON_OUT_OF_REACH)
			buf_printf(t->out, ", %s\" away: that is too far to ride", inches(t, item->asked));
		else
			buf_adds(t->out, ": there is no way past the enemy");
	}
}

/* What becomes of the order, without the subject: the same words for all of whom the same is true. */
static char *tail(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan_item *item, bool several)
{
	struct buf *out = buf_new(mem);
	struct telling t = {sc, s, item, several, out};

	switch (item->kind) {
	case PLAN_MOVE:
		put_move(&t);
		break;
	case PLAN_FIRE:
		put_fire(&t);
		break;
	case PLAN_CHARGE:
		put_charge(&t);
		if (item->costs_point)
			buf_adds(out, ", and that costs a command point all the same");
		break;
	case PLAN_JOIN:
		put_join(&t);
		break;
	case PLAN_POINT:
		put_point(&t);
		break;
	}
	buf_adds(out, item->conditional ? ". (There is an \"if\": it is judged when the time comes.)" : ".");
	return buf_finish(mem, out);
}

char *forecast_sentence(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan_item *item)
{
	return buf_text(mem, "%s%s", piece_english(mem, s, item->unit), tail(mem, sc, s, item, false));
}

/* A move or ride that goes as ordered is on the map. */
static bool says_nothing(const struct plan_item *item)
{
	return item->whole && item->farthest == 0 && (item->kind == PLAN_MOVE || item->kind == PLAN_JOIN) &&
	       (item->dice == 0 || item->percent == 100);
}

/* Does this part of the order come to nothing, or to less than was ordered? Not where another of the targets is good.
 */
static bool is_trouble(const struct plan *plan, const struct plan_item *item)
{
	bool good = item->whole;

	if (item->stopped)
		return true;
	for (int i = 0; i < plan->count && !good; i++)
		good = plan->items[i].unit == item->unit && plan->items[i].kind == item->kind && plan->items[i].whole;
	return !good;
}

int forecast_troubles(const struct plan *plan, const bool *pieces)
{
	int count = 0;

	for (int i = 0; i < plan->count; i++) {
		bool first = pieces[plan->items[i].unit] && is_trouble(plan, &plan->items[i]);

		for (int k = 0; k < i && first; k++)
			first = plan->items[k].unit != plan->items[i].unit || !is_trouble(plan, &plan->items[k]);
		count += first;
	}
	return count;
}

/* One sentence for item `first` and all that come to the same; `told` marks them. */
static void put_sentence(struct buf *out, const struct scenario *sc, const struct state *s, const struct plan *plan,
	const bool *pieces, int first, bool *told)
{
	const struct plan_item *item = &plan->items[first];
	const char *same = NULL, *who; /* written when there is another of the kind to compare it with */
	struct buf *line = buf_new(out);
	int *units = talloc_array(out, int, (unsigned)plan->count), count = 0, of = 0;

	for (int i = first; i < plan->count; i++) {
		const struct plan_item *other = &plan->items[i];

		if (!pieces[other->unit] || told[i] || other->kind != item->kind)
			continue;
		if (i > first && same == NULL)
			same = tail(out, sc, s, item, true);
		if (i > first && strcmp(tail(out, sc, s, other, true), same) != 0)
			continue;
		told[i] = true;
		units[count++] = other->unit;
	}
	for (int i = 0; i < s->count; i++)
		of += pieces[i];
	if (of == count) {
		struct telling t = {sc, s, item, count > 1, out};

		who = actor_they(&t);
	} else {
		who = pieces_text(out, s, units, count);
	}
	buf_adds(line, is_trouble(plan, item) ? "    BUT " : "    ");
	buf_addc(line, (char)(is_trouble(plan, item) ? who[0] : toupper((unsigned char)who[0])));
	buf_printf(line, "%s%s", who + 1, count > 1 ? same : tail(out, sc, s, item, false));
	text_wrap_to(out, line->data, line->len, COLUMNS, INDENT);
	buf_addc(out, '\n');
}

char *forecast_text(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan, const bool *pieces)
{
	struct buf *out = buf_new(mem);
	bool *told = talloc_zero_array(out, bool, (unsigned)plan->count + 1);

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < plan->count; i++) {
			const struct plan_item *item = &plan->items[i];

			if (pieces[item->unit] && !told[i] && !says_nothing(item) &&
				is_trouble(plan, item) == (pass == 0))
				put_sentence(out, sc, s, plan, pieces, i, told);
		}
	}
	return buf_finish(mem, out);
}
