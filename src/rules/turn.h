/* What every rule set resolves with: events with stable keys, named dice, and the one place where amendments act. */
#ifndef GALLOPER_RULES_TURN_H
#define GALLOPER_RULES_TURN_H

#include "rules/ruleset.h"

enum { TURN_DICE_MAX = 256 };

/* A new event at the end of the list, with key, turn and phase; it has seen its actor and all that was looked at since
 * the last event. `actor` is a piece or -1. Amendments that wait for this event are applied first (see turn_before). */
struct event *turn_event(struct turn *t, enum event_kind kind, int actor);

/* The event that is about to happen may have changes of the referee before it: applies them. True if there were any, so
 * that what had been decided must be decided again. */
bool turn_before(struct turn *t, enum event_kind kind, int actor);

/* The same for what happens to a piece whether it wants to or not: false when it is not there any more. Whatever the
 * event counts or measures is to be looked at afterwards. */
bool turn_reaches(struct turn *t, enum event_kind kind, int actor);

/* Has a referee made this event void? Asked at most once for an event. */
bool turn_void(struct turn *t, struct event *ev);
/* The hits of this event after a referee's word: what was rolled, his number, or none when it is void. */
int turn_hits(struct turn *t, struct event *ev, int rolled);

/* Adds an object and notes that it was seen. */
void turn_object(struct event *ev, int unit);
/* Adds "FPn" to the event's rulings, once. */
void turn_ruling(struct event *ev, const char *ruling);
/* The place of a box into FROM_* or TO_*. */
void turn_from(struct event *ev, const struct box *b);
void turn_to(struct event *ev, const struct box *b);

/* Begins a new act: forgets what was looked at. */
void turn_act(struct turn *t);
void turn_look(struct turn *t, int unit);

/* The event depends on what was looked at since it was made, too: where a throw of its own has led the piece, say. */
void turn_saw(struct turn *t, struct event *ev);

/* Rolls dice 1..count of the stream T<turn>.<phase>.<who>.<purpose>[.<act>] and notes them in the event. Values given
 * by a case or a referee come first. `act` may be NULL. */
void turn_roll(struct turn *t, struct event *ev, int who, const char *purpose, const char *act, int sides, int count,
	int *values);

/* Who rolls where a side does, not a piece (RH1, RH4). */
static inline int side_dice(enum side side)
{
	return -2 - (int)side;
}

/* Does a case give a die for this unit and purpose that has still to be rolled? */
bool turn_dealt(const struct turn *t, int unit, const char *purpose);

/* How many of the dice show `need` or more. */
int dice_at_least(const int *values, int count, int need);

/* At the end of a phase: the changes that wait for it. */
void turn_after_phase(struct turn *t, int phase);

/* At the end of a turn: the changes that wait for no event; and afterwards a word about each that found no place. */
void turn_end_amendments(struct turn *t);
void turn_unused_amendments(struct turn *t);

#endif
