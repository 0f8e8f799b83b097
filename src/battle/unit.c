#include "battle/unit.h"

#include <string.h>

static const char *const words[KINDS] = {
	[KIND_FOOT] = "foot",
	[KIND_CLAN] = "clan",
	[KIND_HORSE] = "horse",
	[KIND_GUN] = "gun",
	[KIND_COMMANDER] = "commander",
	[KIND_DISMOUNTED] = "dragoon-dismounted",
	[KIND_HUSSAR] = "hussar",
};

const char *kind_word(enum kind k)
{
	return words[k];
}

int kind_from_word(const char *word)
{
	for (int k = 0; k < KINDS; k++)
		if (strcmp(word, words[k]) == 0)
			return k;
	return -1;
}
