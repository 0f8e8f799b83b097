/* Ground and walls as drawn on the table. */
#ifndef GALLOPER_BATTLE_TERRAIN_H
#define GALLOPER_BATTLE_TERRAIN_H

#include "battle/geometry.h"

enum terrain_kind {
	TERRAIN_WALL,
	TERRAIN_WOOD,
	TERRAIN_RIVER,
	TERRAIN_BOG,
	TERRAIN_RAVINE,
	TERRAIN_TRACK,
	TERRAIN_KINDS
};

struct terrain {
	enum terrain_kind kind;
	const char *name; /* "" for none */
	struct point *points;
	int count;
	bool closed; /* a polygon */
};

struct table {
	int32_t width, height; /* 90" by 60" */
	struct terrain *terrain;
	int terrain_count;
};

const char *terrain_word(enum terrain_kind k);
int terrain_from_word(const char *word);

#endif
