/* The state of a battle between two phases: all that a turn needs to go on, and nothing else. It can be saved with a
 * digest and resumed at any phase. */
#ifndef GALLOPER_BATTLE_STATE_H
#define GALLOPER_BATTLE_STATE_H

#include "base/err.h"
#include "battle/unit.h"

#include <stddef.h>

/* Two enemies in melee (FP81). `charger` made contact with `charged` on `face` of the latter. */
struct lock {
	int16_t charger, charged; /* unit indices */
	enum arc face;            /* FP48 */
	bool mutual;              /* head-on: both had charged (FP50) */
	bool declared;            /* the charger's declared target, not one met on the way (FP55) */
	int16_t rounds;           /* rounds of melee fought: 0 in the turn of contact (FP77) */
};

enum winner { WINNER_OPEN, WINNER_GOVERNMENT, WINNER_JACOBITE, WINNER_DRAW };

struct state {
	int turn;           /* the turn being played, from 1 */
	int line;           /* line of play, from 1; grows at a rollback */
	int next_phase;     /* index into the rule set's table; 0 = the turn has not begun */
	struct unit *units; /* in file order, never removed; talloc child of the state */
	int count;
	struct lock *locks; /* talloc child */
	int lock_count;
	enum winner winner;        /* WINNER_OPEN while the battle goes on */
	bool broken[SIDES];        /* FP88 */
	int points[SIDES];         /* FP90, filled when the battle ends */
	int initiative;            /* RH: the side that goes first this turn, or -1 */
	int command_points[SIDES]; /* RH */
};

/* A deep copy on `mem`. */
struct state *state_copy(TALLOC_CTX *mem, const struct state *s);

/* Canonical bytes (text lines), the same for equal states everywhere, and back. */
char *state_write(TALLOC_CTX *mem, const struct state *s, size_t *len);
struct err *state_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct state **out) MUST_CHECK;
/* BLAKE2b-256 of the canonical bytes, in hexadecimal. */
char *state_digest(TALLOC_CTX *mem, const struct state *s);

/* Index of the piece, or -1. By id; by code (case-sensitive; Government and Jacobite guns may share a code: give side,
 * or -1). */
int state_find_id(const struct state *s, const char *id);
int state_find_code(const struct state *s, const char *code, int side);

bool state_locked(const struct state *s, int unit);
bool state_locked_pair(const struct state *s, int a, int b);
void state_lock(struct state *s, struct lock lock);
void state_unlock(struct state *s, int index);
/* The commanders attached to a unit, into `out` (room for `max`); how many. */
int state_commanders_with(const struct state *s, int unit, int *out, int max);

#endif
