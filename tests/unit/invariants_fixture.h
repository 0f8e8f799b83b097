/* What must hold after any phase of any battle, whoever ordered what. Each check gives NULL, or in words what is wrong
 * (on the look's `mem`). */
#ifndef GALLOPER_TESTS_INVARIANTS_FIXTURE_H
#define GALLOPER_TESTS_INVARIANTS_FIXTURE_H

#include "report/map.h"
#include "rules/ruleset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One phase that has just been played. */
struct look {
	TALLOC_CTX *mem;
	const struct scenario *sc;
	const struct phase *phase;
	const struct state *before, *after;
	const struct events *events;
	int first; /* of the phase's events */
};

/* Places are whole thousandths, so a corner may come to lie that far from where it should. */
enum { PLACE_ROUNDING = 3, ZONE = 1000 };

static inline bool phase_is(const struct look *l, const char *key)
{
	return strcmp(l->phase->key, key) == 0;
}

static inline bool stands(const struct unit *u)
{
	return unit_alive(u) && !(u->kind == KIND_COMMANDER && u->with >= 0);
}

static inline struct box shrunken(struct box b)
{
	b.front = geo_step(b.front, b.facing, -PLACE_ROUNDING);
	b.width -= 2 * PLACE_ROUNDING;
	b.depth -= 2 * PLACE_ROUNDING;
	return b;
}

static inline const char *describe(TALLOC_CTX *mem, const struct unit *u)
{
	return talloc_asprintf(mem, "%s (%d,%d facing %d, %d bases)", u->code, u->box.front.x, u->box.front.y,
		u->box.facing, u->bases);
}

static inline bool same_place(const struct box *a, const struct box *b)
{
	return a->front.x == b->front.x && a->front.y == b->front.y && a->facing == b->facing;
}

/* Has the piece an event of that kind in this phase, as its actor? */
static inline const struct event *event_of(const struct look *l, enum event_kind kind, int actor)
{
	for (int i = l->first; i < l->events->count; i++)
		if (l->events->list[i]->kind == kind && l->events->list[i]->actor == actor)
			return l->events->list[i];
	return NULL;
}

/* FP9, FP14: nobody off the table, no two footprints overlap; FP13: nobody comes onto ground that nobody may enter. */
static inline char *bad_place(const struct look *l)
{
	const struct state *s = l->after;
	struct point low = {-OVERLAP_TOLERANCE, -OVERLAP_TOLERANCE};
	struct point high = {l->sc->table.width + OVERLAP_TOLERANCE, l->sc->table.height + OVERLAP_TOLERANCE};
	bool ground = parameters_get(l->sc->parameters, "terrain") != 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *a = &s->units[i];
		struct box small = shrunken(a->box), was = l->before->units[i].box;

		if (!stands(a))
			continue;
		if (!geo_within(&a->box, low, high))
			return talloc_asprintf(l->mem, "%s is off the table", describe(l->mem, a));
		for (int k = i + 1; k < s->count; k++)
			if (stands(&s->units[k]) && geo_overlap(&small, &s->units[k].box))
				return talloc_asprintf(l->mem, "%s and %s overlap", describe(l->mem, a),
					describe(l->mem, &s->units[k]));
		for (int k = 0; ground && k < l->sc->table.terrain_count; k++) {
			const struct terrain *g = &l->sc->table.terrain[k];

			if ((g->kind == TERRAIN_BOG || g->kind == TERRAIN_RAVINE) &&
				geo_box_meets_path(&small, g->points, g->count, g->closed) &&
				!geo_box_meets_path(&was, g->points, g->count, g->closed))
				return talloc_asprintf(
					l->mem, "%s has entered a %s", describe(l->mem, a), terrain_word(g->kind));
		}
	}
	return NULL;
}

/* FP43, FP81, FP24: no unit of one base; melees are between living enemies; who rides with a unit is where it is. */
static inline char *bad_state(const struct look *l)
{
	const struct state *s = l->after;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (unit_is_formed(u) && u->bases == 1)
			return talloc_asprintf(l->mem, "%s has one base", u->code);
		if (u->bases > l->before->units[i].bases)
			return talloc_asprintf(l->mem, "%s has risen from %d bases to %d", u->code,
				l->before->units[i].bases, u->bases);
		if (unit_alive(u) && u->with >= 0 &&
			(!unit_alive(&s->units[u->with]) || !same_place(&u->box, &s->units[u->with].box)))
			return talloc_asprintf(l->mem, "%s is not with %s", u->code, s->units[u->with].code);
	}
	for (int i = 0; i < s->lock_count; i++) {
		const struct unit *a = &s->units[s->locks[i].charger], *b = &s->units[s->locks[i].charged];

		if (!unit_alive(a) || !unit_alive(b) || a->side == b->side || !unit_is_formed(a) || !unit_is_formed(b))
			return talloc_asprintf(l->mem, "%s and %s cannot be in melee", a->code, b->code);
	}
	return NULL;
}

/* Who may be elsewhere than before the phase: FP15, FP21, FP22, FP45-FP47, FP73, FP78. */
static inline bool may_be_elsewhere(const struct look *l, int unit)
{
	const struct unit *u = &l->before->units[unit];

	if (u->kind == KIND_COMMANDER)
		return true; /* rides, joins, is set down */
	if (phase_is(l, "move"))
		return (int)u->side == l->phase->side && u->kind != KIND_GUN && !state_locked(l->before, unit) &&
		       event_of(l, EVENT_MOVE, unit);
	if (phase_is(l, "charge"))
		return event_of(l, EVENT_CHARGE, unit) || event_of(l, EVENT_CHARGE_SHORT, unit);
	return event_of(l, EVENT_TURNED, unit) || event_of(l, EVENT_REFORMED, unit);
}

static inline int32_t allowance_of(const struct look *l, const struct unit *u, const char *what)
{
	const char *who = u->kind == KIND_COMMANDER ? "commander" : unit_is_horse(u) ? "horse" : "infantry";
	char name[32];

	snprintf(name, sizeof name, "%s-%s", who, what);
	return parameters_get(l->sc->parameters, name);
}

/* FP45: the target is in reach from where the charger stood, if it is where it was. */
static inline char *bad_charge(const struct look *l, int unit)
{
	enum { WHEEL = 1750 }; /* what the front's middle goes in a wheel of 45 degrees */
	const struct event *ev = event_of(l, EVENT_CHARGE, unit), *fell = event_of(l, EVENT_CHARGE_SHORT, unit);
	const struct unit *u = &l->before->units[unit];
	const struct box *from = &u->box, *to = &l->after->units[unit].box;
	int32_t reach = allowance_of(l, u, "charge");

	if (ev && ev->object_count &&
		same_place(&l->before->units[ev->objects[0]].box, &l->after->units[ev->objects[0]].box) &&
		geo_distance(from, &l->before->units[ev->objects[0]].box) > reach)
		return talloc_asprintf(
			l->mem, "%s has charged %s out of reach", u->code, l->before->units[ev->objects[0]].code);
	if (!ev && fell && geo_length(to->front.x - from->front.x, to->front.y - from->front.y) > reach + WHEEL)
		return talloc_asprintf(l->mem, "%s has gone too far in a charge", u->code);
	return NULL;
}

static inline char *bad_move(const struct look *l)
{
	for (int i = 0; i < l->before->count; i++) {
		const struct unit *u = &l->before->units[i], *v = &l->after->units[i];
		int32_t travel = geo_corner_travel(&u->box, &v->box);
		char *bad;

		if (!stands(u) || !stands(v) || same_place(&u->box, &v->box))
			continue;
		if (!may_be_elsewhere(l, i))
			return talloc_asprintf(l->mem, "%s is elsewhere without having moved", describe(l->mem, v));
		if (phase_is(l, "charge") && u->kind != KIND_COMMANDER && (bad = bad_charge(l, i)))
			return bad;
		if (phase_is(l, "move") && !event_of(l, EVENT_SET_DOWN, i) && travel > allowance_of(l, u, "move") + 1)
			return talloc_asprintf(l->mem, "a corner of %s has moved %d", describe(l->mem, v), travel);
	}
	return NULL;
}

/* FP18, FP53: what comes nearer than an inch to an enemy has charged, or turned to one in melee. */
static inline bool may_come_near(const struct look *l, int unit)
{
	if (phase_is(l, "charge"))
		return l->after->units[unit].charged && event_of(l, EVENT_CHARGE, unit);
	return event_of(l, EVENT_TURNED, unit) || event_of(l, EVENT_REFORMED, unit);
}

static inline char *bad_distance(const struct look *l)
{
	for (int i = 0; i < l->before->count; i++)
		for (int k = 0; k < l->before->count; k++) {
			const struct unit *a = &l->after->units[i], *b = &l->after->units[k];
			int32_t now, was;

			if (a->side == b->side || !stands(a) || !stands(b) || b->kind == KIND_COMMANDER)
				continue;
			/* A lone commander keeps clear himself; others need not keep clear of him (FP19). */
			if (a->kind == KIND_COMMANDER && (same_place(&a->box, &l->before->units[i].box) ||
								 !same_place(&b->box, &l->before->units[k].box)))
				continue;
			now = geo_distance(&a->box, &b->box);
			was = geo_distance(&l->before->units[i].box, &l->before->units[k].box);
			if (now + PLACE_ROUNDING < ZONE && now + PLACE_ROUNDING < was && !may_come_near(l, i) &&
				!may_come_near(l, k))
				return talloc_asprintf(l->mem, "%s has come to %d of %s", describe(l->mem, a), now,
					describe(l->mem, b));
		}
	return NULL;
}

/* What the events say of the bases, one after the other. */
static inline char *bad_losses(const struct look *l)
{
	int *bases = talloc_array(l->mem, int, (unsigned)l->before->count + 1);

	for (int i = 0; i < l->before->count; i++)
		bases[i] = l->before->units[i].bases;
	for (int i = l->first; i < l->events->count; i++) {
		const struct event *ev = l->events->list[i];
		int who = -1, left = 0;

		switch (ev->kind) {
		case EVENT_VOLLEY:
		case EVENT_CLOSING_FIRE:
			who = ev->objects[0];
			left = ev->has[NUM_AFTER] ? ev->number[NUM_AFTER] : bases[who];
			break;
		case EVENT_LOSS:
			who = ev->actor;
			left = ev->number[NUM_AFTER];
			break;
		case EVENT_GUN_TAKEN:
			who = ev->objects[0];
			break;
		case EVENT_DESTROYED:
			who = ev->actor;
			break;
		case EVENT_COMMANDER_RISK:
			who = ev->number[NUM_AFTER] ? -1 : ev->actor;
			break;
		default:
			break;
		}
		if (who < 0)
			continue;
		if (left > bases[who])
			return talloc_asprintf(l->mem, "%s: %s has risen", ev->key, l->before->units[who].code);
		bases[who] = left;
	}
	for (int i = 0; i < l->before->count; i++)
		if (bases[i] != l->after->units[i].bases)
			return talloc_asprintf(l->mem, "%s has %d bases, and by the events %d", l->after->units[i].code,
				l->after->units[i].bases, bases[i]);
	return NULL;
}

/* Every piece is on the map under its code, and no line is wider than a mail's. */
static inline char *bad_map(const struct look *l)
{
	enum { MAIL_COLUMNS = 72 };
	const char *map = map_of(l->mem, l->sc, l->after, NULL);
	int guns = 0, drawn = 0;

	for (const char *p = map; *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n'))
		if (strcspn(p, "\n") > MAIL_COLUMNS)
			return talloc_strdup(l->mem, "the map is too wide");
	for (const char *p = map; *p; p++)
		drawn += *p == '=';
	for (int i = 0; i < l->after->count; i++) {
		const struct unit *u = &l->after->units[i];
		char *label;

		if (!unit_alive(u))
			continue;
		guns += u->kind == KIND_GUN;
		label = talloc_asprintf(l->mem, "%s%c%c", u->code, "^>v<"[(u->box.facing + 45) / 90 % 4],
			u -> bases > 9 ? '+' : '0' + u->bases);
		if (u->kind == KIND_COMMANDER)
			label = talloc_strdup(l->mem, u->code);
		if (u->kind != KIND_GUN && !strstr(strchr(map, '+'), label))
			return talloc_asprintf(l->mem, "%s is not on the map:\n%s", label, map);
	}
	return drawn < guns ? talloc_asprintf(l->mem, "%d guns are on the map, of %d:\n%s", drawn, guns, map) : NULL;
}

/* The first of them that does not hold, with turn and phase before it. */
static inline char *broken_invariant(const struct look *l)
{
	static char *(*const checks[])(const struct look *) = {
		bad_place, bad_state, bad_move, bad_distance, bad_losses, bad_map};

	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		char *bad = checks[i](l);

		if (bad)
			return talloc_asprintf(l->mem, "turn %d, %s%s: %s", l->before->turn,
				l->phase->side < 0                  ? ""
				: l->phase->side == SIDE_GOVERNMENT ? "E "
								    : "J ",
				l->phase->key, bad);
	}
	return NULL;
}

#endif
