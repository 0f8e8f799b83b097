/* The end of a turn and of the battle (RH59). */
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"
#include "rules/verdict.h"

void shreds_losses(const struct turn *t, enum side side, int *lost, int *begun)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_is_formed(&s->units[i])) {
			++*begun;
			*lost += !unit_alive(&s->units[i]) || s->units[i].routing;
		}
}

void shreds_tally(struct turn *t, struct tally *out)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		struct tally *p = &out[side_other(u->side)];
		int lost = u->figures_begun - u->figures;

		if (unit_is_foot(u))
			p->foot += (int64_t)lost * parameter(t, P_POINTS_FOOT);
		else if (unit_is_horse(u))
			p->horse += (int64_t)lost * parameter(t, P_POINTS_HORSE);
		else if (!unit_alive(u) && u->kind == KIND_GUN)
			p->guns += parameter(t, P_POINTS_GUN);
		else if (!unit_alive(u))
			p->commanders += parameter(t, P_POINTS_GENERAL);
	}
}

void shreds_end(struct turn *t)
{
	turn_end_amendments(t);
	for (int i = 0; i < t->state->count; i++) {
		struct unit *u = &t->state->units[i];

		u->ran = false;
		u->used = 0;
		u->points_left = 0;
	}
	judge_battle(t);
	turn_unused_amendments(t);
}
