/* The ASCII map: 60 by 20 characters, one for 1.5" by 3", north up, squares A1..O10 of 6". */
#ifndef GALLOPER_REPORT_MAP_H
#define GALLOPER_REPORT_MAP_H

#include "battle/plan.h"
#include "battle/scenario.h"

enum { MAP_COLUMNS = 60, MAP_ROWS = 20 };

/* The map of all pieces, with the ordered moves of `plan` drawn as trails (NULL for none). A piece is its code, the
 * nearest of ^ > v < for its facing, and its bases; a commander two letters; a gun '='. Labels that collide are moved
 * to the nearest free place, so nothing is hidden. 23 lines of at most 64 columns, on `mem`. */
char *map_draw(TALLOC_CTX *mem, const struct table *table, const struct state *s, const struct plan *plan);

/* The same, with the ground drawn where nothing else is if ground has an effect in this game (option terrain). */
char *map_of(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan);

/* What is to be known of that map: its signs, the ground in words, the labels that had to move aside. Wrapped lines. */
char *map_key(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan);

/* map_of, and in *key map_key, both on `mem`: the pieces are placed but once. */
char *map_with_key(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan, char **key);

#endif
