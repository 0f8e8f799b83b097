#include "orders/spelling.h"

#include <string.h>

/* What people and books write, and what stands for it. Mac and Mc are one before all others. */
static const struct {
	const char *other, *usual;
} spellings[] = {
	{"athole", "atholl"},
	{"athol", "atholl"},
	{"chattan", "chattam"},
	{"chisholm", "chisolm"},
	{"colomondley", "cholmondeley"},
	{"farquhar", "farquar"},
	{"mcdonell", "mcdonald"},
	{"mcdonnell", "mcdonald"},
	{"mckintosh", "mcintosh"},
	{"mclauchlan", "mclachlan"},
	{"mclaughlan", "mclachlan"},
	{"monro", "munro"},
	{"munroe", "munro"},
	{"ogilvy", "ogilvie"},
	{"ranald", "clanranald"},
	{"ronald", "clanranald"},
	{"sinclair", "claire"},
	{"stewart", "stuart"},
};

size_t spelling_usual(const char *word, size_t len, char *out)
{
	size_t skip = len > 4 && memcmp(word, "mac", 3) == 0 ? 3 : len > 4 && memcmp(word, "mc", 2) == 0 ? 2 : 0;
	size_t n = 0;

	if (len > SPELLING_MAX / 2)
		return 0;
	if (skip) {
		memcpy(out, "mc", 2);
		n = 2;
	}
	memcpy(out + n, word + skip, len - skip);
	n += len - skip;
	out[n] = '\0';
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		size_t from, to;

		if (*out != *spellings[i].other) /* before all else: this is asked for every word of every name */
			continue;
		from = strlen(spellings[i].other);
		to = strlen(spellings[i].usual);
		if (strncmp(out, spellings[i].other, from) != 0)
			continue;
		if (strncmp(out, spellings[i].usual, to) == 0) /* "atholl" itself */
			continue;
		memmove(out + to, out + from, n - from + 1);
		memcpy(out, spellings[i].usual, to);
		n += to - from;
	}
	return n;
}
