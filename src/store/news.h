/* What the referees of a game have yet to be told in their daily mail: a line each, taken when it is written. */
#ifndef GALLOPER_STORE_NEWS_H
#define GALLOPER_STORE_NEWS_H

#include "store/games.h"

enum { NEWS_MAX = 200 /* lines that wait, of one game */ };

struct news {
	const char **list;
	int count;
};

/* Adds a line; one that waits already is not added twice. It may name people: it is forgotten once told. */
struct err *store_add_news(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *text) MUST_CHECK;

/* Games with news whose referees were last told before `since`. */
struct err *store_games_with_news(struct store *s, TALLOC_CTX *mem, int64_t since, struct games *out) MUST_CHECK;

/* All of a game's news in order; then: they have been told. */
struct err *store_news(struct store *s, TALLOC_CTX *mem, int64_t game, struct news *out) MUST_CHECK;
struct err *store_news_told(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now) MUST_CHECK;

#endif
