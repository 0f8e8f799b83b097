#include "battle/terrain.h"

#include <string.h>

static const char *const words[TERRAIN_KINDS] = {
	[TERRAIN_WALL] = "wall",
	[TERRAIN_WOOD] = "wood",
	[TERRAIN_RIVER] = "river",
	[TERRAIN_BOG] = "bog",
	[TERRAIN_RAVINE] = "ravine",
	[TERRAIN_TRACK] = "track",
};

const char *terrain_word(enum terrain_kind k)
{
	return words[k];
}

int terrain_from_word(const char *word)
{
	for (int k = 0; k < TERRAIN_KINDS; k++)
		if (strcmp(word, words[k]) == 0)
			return k;
	return -1;
}
