/* Carrying a move out once its way is known. */
#ifndef GALLOPER_RULES_MARCH_H
#define GALLOPER_RULES_MARCH_H

#include "rules/path.h"

bool same_place(const struct box *a, const struct box *b);

/* The way is decided; what remains is to say so and to go it. */
void march(struct turn *t, int unit, const struct walk *w);

/* The commander rides toward the unit that he cannot reach with that allowance (FP3). */
void ride_toward(struct turn *t, int commander, int unit, int32_t allowance);
/* A commander who has left his unit without a way to go, or none long enough, is put down behind it. */
void clear_of_unit(struct turn *t, int commander);

#endif
