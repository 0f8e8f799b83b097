#include "base/buf.h"
#include "rules/field.h"

#include <assert.h>
#include <string.h>

/* --- names ---------------------------------------------------------------------------------------------------------
 */

/* The piece's code; guns of both sides may share one, so theirs has the side before it. */
static void put_who(struct buf *out, const struct turn *t, int unit)
{
	const struct unit *u;

	if (unit < 0) {
		buf_adds(out, unit == side_dice(SIDE_GOVERNMENT) ? "E"
			      : unit == side_dice(SIDE_JACOBITE) ? "J"
								 : "army");
		return;
	}
	u = &t->state->units[unit];
	if (u->kind == KIND_GUN && state_find_code(t->state, u->code, (int)side_other(u->side)) >= 0)
		buf_adds(out, u->side == SIDE_GOVERNMENT ? "E-" : "J-");
	buf_adds(out, u->code);
}

/* "T3.shoot.B", after a rollback "L2.T3.shoot.B"; `in` is "" or stands after the phase. Freed by the caller. */
static struct buf *prefix(const struct turn *t, const char *in, int unit)
{
	struct buf *out = buf_new(t->mem);

	if (t->state->line > 1)
		buf_printf(out, "L%d.", t->state->line);
	buf_printf(out, "T%d.%s%s.", t->state->turn, t->phase->key, in);
	put_who(out, t, unit);
	return out;
}

/* Phases of both sides have one key, so what happens to a piece in its enemy's phase, or to a whole side, says whose
 * phase that is: "T3.move-E.dr.set-down.1". (No piece rolls for one purpose in both, so dice need not.) */
static const char *whose(const struct turn *t, int actor)
{
	if (t->phase->side < 0 || (actor >= 0 && (int)t->state->units[actor].side == t->phase->side))
		return "";
	return t->phase->side == SIDE_GOVERNMENT ? "-E" : "-J";
}

/* The key of such an event, if it came now. Freed by the caller. */
static struct buf *next_key(const struct turn *t, enum event_kind kind, int actor)
{
	struct buf *out = prefix(t, whose(t, actor), actor);
	int ordinal = 1;

	for (int i = t->first_event; i < t->events->count; i++)
		ordinal += t->events->list[i]->kind == kind && t->events->list[i]->actor == actor;
	buf_printf(out, ".%s.%d", event_kind_word(kind), ordinal);
	return out;
}

/* --- events --------------------------------------------------------------------------------------------------------
 */

void turn_act(struct turn *t)
{
	memset(t->looked, 0, sizeof *t->looked * (size_t)t->state->count);
}

void turn_look(struct turn *t, int unit)
{
	t->looked[unit] = true;
}

static struct event *new_event(struct turn *t, enum event_kind kind, int actor)
{
	/* What is foreseen is told by the plan: there nobody asks for an event by its name, or what it saw. */
	struct buf *key = t->plan ? NULL : next_key(t, kind, actor);
	struct event *ev = events_add(t->events, kind, key ? key->data : "");

	talloc_free(key);
	ev->turn = t->state->turn;
	ev->phase = (int)(t->phase - t->rules->phases);
	ev->actor = actor;
	if (actor >= 0)
		event_saw(ev, actor);
	return ev;
}

struct event *turn_event(struct turn *t, enum event_kind kind, int actor)
{
	struct event *ev;

	turn_before(t, kind, actor);
	ev = new_event(t, kind, actor);
	turn_saw(t, ev);
	return ev;
}

void turn_saw(struct turn *t, struct event *ev)
{
	for (int i = 0; i < t->state->count && !t->plan; i++)
		if (t->looked[i])
			event_saw(ev, i);
	turn_act(t);
}

void turn_object(struct event *ev, int unit)
{
	event_object(ev, unit);
	event_saw(ev, unit);
}

void turn_ruling(struct event *ev, const char *ruling)
{
	size_t len = strlen(ruling);

	for (const char *at = ev->ruling; (at = strstr(at, ruling)); at += len)
		if (at[len] == '\0' || at[len] == ' ')
			return;
	ev->ruling = *ev->ruling ? talloc_asprintf(ev, "%s %s", ev->ruling, ruling) : ruling;
}

void turn_from(struct event *ev, const struct box *b)
{
	event_set(ev, NUM_FROM_X, b->front.x);
	event_set(ev, NUM_FROM_Y, b->front.y);
	event_set(ev, NUM_FROM_FACING, b->facing);
}

void turn_to(struct event *ev, const struct box *b)
{
	event_set(ev, NUM_TO_X, b->front.x);
	event_set(ev, NUM_TO_Y, b->front.y);
	event_set(ev, NUM_TO_FACING, b->facing);
}

/* --- dice ----------------------------------------------------------------------------------------------------------
 */

int dice_at_least(const int *values, int count, int need)
{
	int n = 0;

	for (int i = 0; i < count; i++)
		n += values[i] >= need;
	return n;
}

/* What a case still has to deal for this unit (or side) and purpose, or NULL. */
static struct amendment *find_deal(const struct turn *t, int who, const char *purpose)
{
	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];
		int whose_dice = a->unit >= 0 ? a->unit : side_dice((enum side)a->side);

		if (a->op == AMEND_DEAL && whose_dice == who && a->used < a->value_count &&
			strcmp(a->purpose, purpose) == 0)
			return a;
	}
	return NULL;
}

bool turn_dealt(const struct turn *t, int unit, const char *purpose)
{
	return find_deal(t, unit, purpose) != NULL;
}

/* The next value that a case deals for this unit and purpose. */
static bool dealt(struct turn *t, int who, const char *purpose, int *value)
{
	struct amendment *a = find_deal(t, who, purpose);

	if (a)
		*value = a->values[a->used++];
	return a != NULL;
}

/* The event carries a referee's words. */
static void mark_amended(struct event *ev, const struct amendment *a)
{
	ev->amended = true;
	ev->text = talloc_strdup(ev, a->because);
}

static bool given(struct turn *t, struct event *ev, const char *name, int *value)
{
	for (int i = 0; i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == AMEND_DIE && strcmp(a->key, name) == 0) {
			*value = a->value;
			a->used++;
			mark_amended(ev, a);
			return true;
		}
	}
	return false;
}

void turn_roll(struct turn *t, struct event *ev, int who, const char *purpose, const char *act, int sides, int count,
	int *values)
{
	struct buf *name = prefix(t, "", who);
	size_t stream;

	assert(count >= 0 && count <= TURN_DICE_MAX);
	buf_printf(name, ".%s%s%s", purpose, act ? "." : "", act ? act : "");
	stream = name->len;
	if (count > 0)
		dice_rolls(t->dice, name->data, sides, count, values);
	for (int i = 0; i < count; i++) {
		bool amended = false;

		buf_cut(name, stream);
		buf_printf(name, ".%d", i + 1);
		if (t->amendments)
			amended = dealt(t, who, purpose, &values[i]) || given(t, ev, name->data, &values[i]);
		event_die(ev, name->data, sides, values[i], amended);
	}
	talloc_free(name);
}

/* --- amendments ----------------------------------------------------------------------------------------------------
 */

bool turn_void(struct turn *t, struct event *ev)
{
	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == AMEND_VOID && strcmp(a->key, ev->key) == 0) {
			a->used++;
			mark_amended(ev, a);
			ev->reason = REASON_REFEREE;
			return true;
		}
	}
	return false;
}

int turn_hits(struct turn *t, struct event *ev, int rolled)
{
	if (turn_void(t, ev))
		return 0;
	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == AMEND_HITS && strcmp(a->key, ev->key) == 0) {
			a->used++;
			mark_amended(ev, a);
			rolled = a->value;
		}
	}
	return rolled;
}

static void change_strength(struct turn *t, struct event *ev, const struct amendment *a, struct unit *u)
{
	event_set(ev, NUM_BEFORE, a->op == AMEND_FIGURES ? u->figures : u->bases);
	switch (a->op) {
	case AMEND_BASES:
		u->bases = a->value;
		if (u->figures_begun)
			u->figures = a->value * u->figures_begun / u->begun;
		break;
	case AMEND_FIGURES:
		u->figures = a->value;
		if (u->figures_begun)
			u->bases = unit_bases_of(u, a->value);
		break;
	case AMEND_RESTORE:
	case AMEND_SPARE:
		if (!unit_alive(u)) {
			u->bases = u->begun;
			u->figures = u->figures_begun;
		}
		break;
	default:
		u->bases = u->figures = 0;
		break;
	}
	t->rules->settle(t, a->unit, false);
	find_room(t, a->unit);
	event_set(ev, NUM_AFTER, a->op == AMEND_FIGURES ? u->figures : u->bases);
}

/* A ruling comes about only where the event does that it waits for: so it has looked at the piece that acts there
 * (`anchor`, or -1) and at all that this one has looked at. */
static struct event *ruling_event(struct turn *t, const struct amendment *a, int anchor)
{
	struct event *ev = new_event(t, EVENT_RULING, a->unit);

	mark_amended(ev, a);
	if (anchor >= 0)
		event_saw(ev, anchor);
	for (int i = 0; anchor >= 0 && i < t->state->count; i++)
		if (t->looked[i])
			event_saw(ev, i);
	return ev;
}

/* BASES and the like, on the state as it is now, before the event of `anchor` (-1 for a boundary of phases). */
static void apply(struct turn *t, struct amendment *a, int anchor)
{
	struct event *ev;
	struct unit *u;

	a->used++;
	if (a->unit < 0 || a->unit >= t->state->count)
		return;
	u = &t->state->units[a->unit];
	ev = ruling_event(t, a, anchor);
	turn_act(t);
	if (a->op == AMEND_PLACE) {
		turn_from(ev, &u->box);
		u->box.front = a->box.front;
		u->box.facing = a->box.facing;
		u->with = -1;
		t->rules->settle(t, a->unit, true);
		find_room(t, a->unit);
		turn_to(ev, &u->box);
	} else {
		change_strength(t, ev, a, u);
	}
	turn_saw(t, ev);
	if (is_body(u))
		displace_commanders(t, a->unit);
}

static bool changes_state(const struct amendment *a)
{
	return a->op >= AMEND_BASES && a->op != AMEND_VERDICT;
}

bool turn_before(struct turn *t, enum event_kind kind, int actor)
{
	bool any = false, *looked;
	struct buf *key;

	if (!t->amendments || t->amendments->count == 0 || kind == EVENT_RULING)
		return false;
	key = next_key(t, kind, actor);
	looked = talloc_memdup(t->mem, t->looked, sizeof *t->looked * (size_t)t->state->count);
	for (int i = 0; i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (changes_state(a) && !a->used && strcmp(a->before, key->data) == 0) {
			apply(t, a, actor);
			any = true;
			/* What comes of it has events of its own, which is no reason to forget. */
			memcpy(t->looked, looked, sizeof *looked * (size_t)t->state->count);
		}
	}
	talloc_free(looked);
	talloc_free(key);
	return any;
}

bool turn_reaches(struct turn *t, enum event_kind kind, int actor)
{
	turn_before(t, kind, actor);
	return unit_alive(&t->state->units[actor]);
}

void turn_after_phase(struct turn *t, int phase)
{
	const char *moment = t->amendments ? amendment_after_phase(t, phase) : "";

	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (changes_state(a) && !a->used && strcmp(a->before, moment) == 0)
			apply(t, a, -1);
	}
}

void turn_end_amendments(struct turn *t)
{
	for (int i = 0; t->amendments && i < t->amendments->count; i++)
		if (changes_state(t->amendments->list[i]) && *t->amendments->list[i]->before == '\0')
			apply(t, t->amendments->list[i], -1);
}

/* Its event or die may have come in a phase that was resolved before the turn was saved and taken up again. */
static bool has_occurred(const struct turn *t, const char *key)
{
	for (int i = 0; i < t->events->count; i++) {
		const struct event *ev = t->events->list[i];

		if (strcmp(ev->key, key) == 0)
			return true;
		for (int d = 0; d < ev->dice_count; d++)
			if (strcmp(ev->dice[d].name, key) == 0)
				return true;
	}
	return false;
}

void turn_unused_amendments(struct turn *t)
{
	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		const struct amendment *a = t->amendments->list[i];
		const char *key = changes_state(a) ? a->before : a->key;
		struct event *ev;

		if (a->op == AMEND_DEAL || a->used || has_occurred(t, key))
			continue;
		ev = new_event(t, EVENT_RULING_UNUSED, changes_state(a) ? a->unit : -1);
		ev->text = talloc_strdup(ev, key);
	}
}
