#include "rules/act.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 128 };

/* As dice and events name a piece: its code; guns are numbered on both sides alike, so the side stands before it. */
static void piece_name(const struct turn *t, int unit, char out[16])
{
	const struct unit *u;

	if (unit < 0) {
		snprintf(out, 16, "all");
		return;
	}
	u = &t->state->units[unit];
	snprintf(out, 16, "%s%s", u->kind != KIND_GUN ? "" : u->side == SIDE_GOVERNMENT ? "E" : "J", u->code);
}

/* "T3.shoot", after a rollback "L2.T3.shoot". */
static int phase_name(const struct turn *t, char *out, size_t room)
{
	if (t->state->line > 1)
		return snprintf(out, room, "L%d.T%d.%s", t->state->line, t->state->turn, t->phase->key);
	return snprintf(out, room, "T%d.%s", t->state->turn, t->phase->key);
}

/* The how-manieth event of its kind and actor in this phase the next one is. */
static int next_ordinal(const struct turn *t, enum event_kind kind, int actor)
{
	int n = 1;

	for (int i = t->events->count - 1; i >= 0; i--) {
		const struct event *ev = t->events->list[i];

		if (ev->turn != t->state->turn || strcmp(t->rules->phases[ev->phase].key, t->phase->key) != 0)
			break;
		if (ev->kind == kind && ev->actor == actor)
			n++;
	}
	return n;
}

static void make_key(const struct turn *t, enum event_kind kind, int actor, char out[KEY_MAX])
{
	char who[16];
	int n = phase_name(t, out, KEY_MAX);

	piece_name(t, actor, who);
	snprintf(out + n, KEY_MAX - (size_t)n, ".%s.%s.%d", who, event_kind_word(kind), next_ordinal(t, kind, actor));
}

static struct event *add_event(struct turn *t, enum event_kind kind, int actor, const char *key)
{
	struct event *ev = events_add(t->events, kind, key);

	ev->actor = actor;
	ev->turn = t->state->turn;
	ev->phase = t->state->next_phase;
	if (actor >= 0)
		event_saw(ev, actor);
	return ev;
}

/* A referee's change of a piece, and the event that tells of it. */
static void change_piece(struct turn *t, struct amendment *a)
{
	struct unit *u = &t->state->units[a->unit];
	char key[KEY_MAX];
	struct event *ev;

	a->used++;
	make_key(t, EVENT_RULING, a->unit, key);
	ev = add_event(t, EVENT_RULING, a->unit, key);
	ev->text = talloc_strdup(ev, a->because);
	ev->amended = true;
	event_set(ev, NUM_BEFORE, a->op == AMEND_FIGURES ? u->figures : u->bases);
	switch (a->op) {
	case AMEND_BASES:
		u->bases = a->value;
		break;
	case AMEND_FIGURES:
		u->figures = a->value;
		break;
	case AMEND_PLACE:
		event_moved(ev, &u->box, &(struct box){a->box.front, a->box.facing, u->box.width, u->box.depth});
		u->box.front = a->box.front;
		u->box.facing = a->box.facing;
		break;
	case AMEND_REMOVE:
	case AMEND_KILL:
		u->bases = 0;
		break;
	case AMEND_RESTORE:
	case AMEND_SPARE:
		u->bases = a->value > 0 ? a->value : u->begun;
		break;
	case AMEND_DIE:
	case AMEND_DEAL:
	case AMEND_HITS:
	case AMEND_VOID:
		assert(!"no change of a piece");
	}
	if (a->op != AMEND_PLACE)
		unit_refit(u);
	for (int i = t->state->lock_count - 1; u->bases == 0 && i >= 0; i--) {
		if (t->state->locks[i].charger == a->unit || t->state->locks[i].charged == a->unit)
			state_unlock(t->state, i);
	}
	event_set(ev, NUM_AFTER, a->op == AMEND_FIGURES ? u->figures : u->bases);
}

static bool changes_piece(const struct amendment *a)
{
	return a->op >= AMEND_BASES;
}

static void apply_before(struct turn *t, const char *key)
{
	for (int i = 0; t->amendments != NULL && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (changes_piece(a) && a->used == 0 && strcmp(a->before, key) == 0)
			change_piece(t, a);
	}
}

void act_begin(struct turn *t, enum event_kind kind, int actor)
{
	char key[KEY_MAX];

	if (t->amendments == NULL || t->amendments->count == 0)
		return;
	make_key(t, kind, actor, key);
	apply_before(t, key);
}

struct event *emit(struct turn *t, enum event_kind kind, int actor)
{
	char key[KEY_MAX];

	make_key(t, kind, actor, key);
	apply_before(t, key);
	return add_event(t, kind, actor, key);
}

/* A value that a case deals to this piece and purpose, or a referee gave to the die of this name. */
static bool given_value(struct turn *t, int who, const char *purpose, const char *name, int *value)
{
	for (int i = 0; t->amendments != NULL && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == AMEND_DEAL && a->unit == who && a->used < a->value_count &&
			strcmp(a->purpose, purpose) == 0) {
			*value = a->values[a->used++];
			return true;
		}
		if (a->op == AMEND_DIE && strcmp(a->key, name) == 0) {
			a->used++;
			*value = a->value;
			return true;
		}
	}
	return false;
}

void roll(struct turn *t, struct event *ev, int who, const char *purpose, const char *act, int sides, int count,
	int values[ROLL_MAX])
{
	char stream[KEY_MAX], piece[16], name[KEY_MAX + 16];
	int n = phase_name(t, stream, sizeof stream);

	assert(count <= ROLL_MAX);
	piece_name(t, who, piece);
	snprintf(stream + n, sizeof stream - (size_t)n, ".%s.%s%s%s", piece, purpose, act[0] == '\0' ? "" : ".", act);
	dice_rolls(t->dice, stream, sides, count, values);
	for (int i = 0; i < count; i++) {
		bool given;

		snprintf(name, sizeof name, "%s.%d", stream, i + 1);
		given = given_value(t, who, purpose, name, &values[i]);
		event_die(ev, name, sides, values[i], given);
	}
}

int count_hits(const int *values, int count, int need)
{
	int hits = 0;

	for (int i = 0; i < count; i++)
		hits += values[i] >= need;
	return hits;
}

static struct amendment *amendment_of(struct turn *t, const struct event *ev, enum amendment_op op)
{
	for (int i = 0; t->amendments != NULL && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == op && strcmp(a->key, ev->key) == 0)
			return a;
	}
	return NULL;
}

bool event_is_void(struct turn *t, struct event *ev)
{
	struct amendment *a = amendment_of(t, ev, AMEND_VOID);

	if (a == NULL)
		return false;
	a->used++;
	ev->amended = true;
	ev->reason = REASON_REFEREE;
	ev->text = talloc_strdup(ev, a->because);
	return true;
}

int settle_hits(struct turn *t, struct event *ev, int hits)
{
	struct amendment *a = amendment_of(t, ev, AMEND_HITS);

	if (event_is_void(t, ev)) {
		hits = 0;
	} else if (a != NULL) {
		a->used++;
		ev->amended = true;
		ev->text = talloc_strdup(ev, a->because);
		hits = a->value;
	}
	event_set(ev, NUM_HITS, hits);
	return hits;
}

void act_end_of_turn(struct turn *t)
{
	apply_before(t, "");
	for (int i = 0; t->amendments != NULL && i < t->amendments->count; i++) {
		const struct amendment *a = t->amendments->list[i];

		if (a->used == 0 && a->op != AMEND_DEAL) {
			struct event *ev = emit(t, EVENT_RULING_UNUSED, -1);

			ev->text = talloc_strdup(ev, a->key[0] != '\0' ? a->key : a->before);
		}
	}
}

void event_moved(struct event *ev, const struct box *from, const struct box *to)
{
	event_set(ev, NUM_FROM_X, from->front.x);
	event_set(ev, NUM_FROM_Y, from->front.y);
	event_set(ev, NUM_FROM_FACING, from->facing);
	event_set(ev, NUM_TO_X, to->front.x);
	event_set(ev, NUM_TO_Y, to->front.y);
	event_set(ev, NUM_TO_FACING, to->facing);
	event_set(ev, NUM_DISTANCE,
		geo_length((int64_t)to->front.x - from->front.x, (int64_t)to->front.y - from->front.y));
}
