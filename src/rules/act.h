/* What every rule set's phases do by the same means: roll named dice and emit events. Amendments are applied here and
 * nowhere else. */
#ifndef GALLOPER_RULES_ACT_H
#define GALLOPER_RULES_ACT_H

#include "rules/ruleset.h"

enum { ROLL_MAX = 64 };

/* Begins what a piece does: amendments that are to come before the event of that kind and actor are applied now, so
 * that the piece acts on the amended state. */
void act_begin(struct turn *t, enum event_kind kind, int actor);

/* A new event of this phase. Its key is T<turn>.<phase>.<code>.<kind>.<n>: the n-th of that kind and actor in it. */
struct event *emit(struct turn *t, enum event_kind kind, int actor);

/* Rolls `count` dice of `sides` for a piece (who = its index) and adds them to the event; `act` parts several acts of
 * one piece and purpose in a phase, "" if there is only one. Values a case or a referee gave come before the seed's. */
void roll(struct turn *t, struct event *ev, int who, const char *purpose, const char *act, int sides, int count,
	int values[ROLL_MAX]);

/* How many of the values are `need` or more. */
int count_hits(const int *values, int count, int need);

/* The hits of this event: as counted, or as a referee amended them. Sets NUM_HITS. */
int settle_hits(struct turn *t, struct event *ev, int hits);

/* Has a referee made this event void? Then the piece stands where it was. */
bool event_is_void(struct turn *t, struct event *ev);

/* Amendments that belong to the end of the turn, and word of those whose event or die never came. */
void act_end_of_turn(struct turn *t);

/* Box, facing and distance of a move into the event's numbers. */
void event_moved(struct event *ev, const struct box *from, const struct box *to);

#endif
