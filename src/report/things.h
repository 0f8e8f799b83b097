/* Pieces, places and numbers in words. */
#ifndef GALLOPER_REPORT_THINGS_H
#define GALLOPER_REPORT_THINGS_H

#include "battle/scenario.h"

/* "Barrell's", "Lt. Gen. Henry Hawley", "British gun 3" (the guns of both sides share their numbers); "the field" for
 * -1. A referee's command takes it too. Points into the state or is on `mem`. */
const char *piece_name(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int unit);

/* "H4" of a point; "north", "north-east" ... the nearest word for a facing. On `mem`, a literal. */
char *square_name(TALLOC_CTX *mem, const struct table *table, struct point p);
/* The square's name into the caller's own array. */
enum { SQUARE_MAX = 8 };
void square_write(char out[SQUARE_MAX], const struct table *table, struct point p);
const char *facing_word(int facing);

/* Inches to the nearest hundredth, as sentences have them: 2016 -> "2.02". On `mem`. */
char *inches_text(TALLOC_CTX *mem, int32_t thousandths);

/* The men of a side, as a plural: "English", "British", "Jacobites". On `mem`. */
const char *side_people(TALLOC_CTX *mem, const struct scenario *sc, int side);

/* A parameter of the scenario's rule set, or `otherwise` if the rule set has none of that name. */
int32_t rule_number(const struct scenario *sc, const char *name, int32_t otherwise);

/* A unit's strength now and at the start, in figures where the rules count them, else in bases; and what one of them is
 * called in that battle. */
int unit_strength(const struct unit *u);
int unit_strength_begun(const struct unit *u);
bool counts_figures(const struct state *s);
const char *strength_unit(const struct state *s);

/* What a unit's strength is counted in: "bases", or "figures" where the rules count them; a gun's "crew". */
const char *strength_word(const struct unit *u);

#endif
