#include "rules/planning.h"

#include "rules/intent.h"

#include <assert.h>
#include <string.h>

struct plan_item *plan_add(struct plan *p, enum plan_kind kind, int unit, bool conditional)
{
	struct plan_item *item;

	p->items = talloc_realloc(p, p->items, struct plan_item, (unsigned)p->count + 1);
	assert(p->items);
	item = &p->items[p->count++];
	*item = (struct plan_item){.kind = kind,
		.unit = unit,
		.target = -1,
		.blocker = -1,
		.percent = -1,
		.conditional = conditional,
		.ruling = ""};
	return item;
}

void plan_way(struct plan_item *item, const struct box *from, const struct box *to)
{
	item->from = *from;
	item->to = *to;
	item->path[0] = from->front;
	item->path[1] = to->front;
	item->path_count = 2;
}

void plan_reason(struct plan_item *item, enum event_reason reason, const char *ruling)
{
	item->reason = reason;
	item->whole = reason == REASON_NONE;
	item->ruling = ruling;
}

bool plan_may_wait(const struct unit *u, enum event_reason reason)
{
	return u->kind != KIND_GUN && reason == REASON_NO_TARGET;
}

/* --- moves ---------------------------------------------------------------------------------------------------------
 */

/* Whoever comes as near to the end as that has done what was ordered: with a ruler on a table nobody sees it. */
enum { NOTICED = INCH(1) / 20 };

void plan_move(struct turn *t, int unit, const struct walk *w, bool conditional)
{
	struct plan_item *item = plan_add(t->plan, PLAN_MOVE, unit, conditional);
	struct point a = geo_centre(&w->from), b = geo_centre(&w->to);

	plan_way(item, &w->from, &w->to);
	if (w->path_count >= 2) {
		memcpy(item->path, w->path, sizeof item->path);
		item->path_count = w->path_count;
	}
	plan_reason(item, w->reason, w->reason == REASON_TERRAIN ? t->rules->rulings.stopped : move_ruling(w->reason));
	item->blocker = w->blocker;
	item->distance = geo_length(b.x - a.x, b.y - a.y);
	item->asked = w->asked;
	item->whole = w->whole ||
		      (w->turned == w->turn_asked && w->asked > 0 &&
			      (w->asked - item->distance < NOTICED || (w->in_square && w->reason == REASON_ALLOWANCE)));
	item->paid = w->paid;
}

struct plan_item *plan_join(
	struct turn *t, int commander, int unit, const struct box *from, enum event_reason reason, bool conditional)
{
	const struct state *s = t->state;
	const struct box *to = &s->units[commander].box, *there = &s->units[unit].box;
	struct plan_item *item = plan_add(t->plan, PLAN_JOIN, commander, conditional);

	plan_way(item, from, to);
	plan_reason(item, reason, t->rules->rulings.ride);
	item->target = unit;
	item->asked = geo_distance(from, there);
	item->distance = item->asked - geo_distance(to, there);
	return item;
}

/* --- who does not charge or fire at all ----------------------------------------------------------------------------
 */

void plan_unfit(struct turn *t, int piece, const char *ruling)
{
	bool gun = t->state->units[piece].kind == KIND_GUN;
	struct intent in;

	intent_read(t, piece, gun ? CHARGE_CLAUSES : CHARGE_CLAUSES | CLAUSE_BIT(CLAUSE_FIRE), &in);
	for (int i = 0; i < in.count; i++)
		for (int k = 0; k < in.list[i]->target_count; k++) {
			const struct target *target = &in.list[i]->targets[k];
			struct plan_item *item;

			if (gun && target->kind != TARGET_UNIT)
				continue; /* a line for all who can charge */
			item = plan_add(t->plan, in.list[i]->kind == CLAUSE_FIRE ? PLAN_FIRE : PLAN_CHARGE, piece,
				in.conditional);
			plan_reason(item, gun ? REASON_GUN : REASON_COMMANDER, ruling);
			plan_way(item, &t->state->units[piece].box, &t->state->units[piece].box);
			item->target = target->kind == TARGET_UNIT ? target->unit : -1;
		}
}
