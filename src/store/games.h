/* Games, their players, and who writes from where. */
#ifndef GALLOPER_STORE_GAMES_H
#define GALLOPER_STORE_GAMES_H

#include "store/store.h"

struct game {
	int64_t id;
	const char *name; /* falkirk-7b */
	/* Copied in when the game is made: editing files touches no running game. The long texts may belong to the
	 * store. */
	const char *battle, *battle_text;
	const char *rules, *rules_text;
	const char *options; /* lines "set NAME VALUE" */
	const char *seed;    /* 32 bytes, secret until the end */
	const char *zone, *slot, *skips, *reminders;
	int grace;          /* hours */
	const char *status; /* setup, running, paused, ended */
	int64_t made;
	int line, turn;
	int part;               /* how many parts of the turn are resolved: 0 but under `pace phased` */
	int64_t deadline;       /* of the current turn; 0 = none */
	bool deadline_set;      /* by the referee, and so not the calendar's */
	const char *concession; /* the side that offered to concede: "E", "J" or "" */
	const char *review;     /* does the referee see a turn before the players? off, on, once (the next one) */
	int review_hours;       /* after which a held turn is released by itself; 0 = never */
	bool held;              /* the last resolved turn waits for the referee's RELEASE */
	int64_t release_at;     /* when it is released by itself; 0 = not */
	int64_t revision;       /* the store's: which state of the row this is */
};

enum { GAME_SEED_BYTES = 32, BOUNCES_MAX = 3, BOUNCES_WITHIN = 60 * 24 * 3600 /* seconds from one to the next */ };

struct player {
	int64_t id, game;
	const char *role;  /* E, J, observer, referee */
	const char *name;  /* as people call him; never logged */
	const char *units; /* ids parted by blanks; "" = the whole side */
	const char *key;   /* of his own address */
	int bounces;
	int64_t bounced;       /* when we heard of the last one; 0 = never */
	bool stopped;          /* no mail goes there any more */
	int64_t heard;         /* when a mail of his last arrived */
	int64_t since;         /* when he took the place of another person; 0 = he is the first */
	const char *address;   /* his own, and no deputy's */
	const char *key_there; /* of the address that store_players_at was asked for */
};

struct players {
	struct player *list;
	int count;
};

struct games {
	struct game *list;
	int count;
};

/* Adds; the id is put into the struct. A name that exists already is an error of ERR_GAME. */
struct err *store_add_game(struct store *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;
/* *out is NULL when there is none. */
struct err *store_game(struct store *s, TALLOC_CTX *mem, int64_t id, struct game **out) MUST_CHECK;
struct err *store_game_named(struct store *s, TALLOC_CTX *mem, const char *name, struct game **out) MUST_CHECK;
struct err *store_games(struct store *s, TALLOC_CTX *mem, struct games *out) MUST_CHECK;
/* Running games, none of them held, whose deadline is at or before `until`, earliest first. Found by index, like the
 * next two: games that have nothing to do cost nothing. */
struct err *store_games_due(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out) MUST_CHECK;
/* Running games whose held turn is to be released by itself at or before `until`. */
struct err *store_games_to_release(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out) MUST_CHECK;
/* Running games, none of them held, that have not been put to sleep beyond `until`, or were changed since. */
struct err *store_games_awake(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out) MUST_CHECK;
/* There is nothing to do for this game before `wake`, unless it is changed. */
struct err *store_sleep_game(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t wake) MUST_CHECK;
/* Running games in which somebody is READY for the current turn. */
struct err *store_games_ready(struct store *s, TALLOC_CTX *mem, struct games *out) MUST_CHECK;

/* Writes back status, line, turn, deadline, slot, skips, options, concession, review and hold. An ERR_GAME to try
 * again, with everything read anew, when the row was changed since it was read; after a rollback, too, the game has to
 * be read again. */
struct err *store_update_game(struct store *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;

/* Adds a player with his address (lower case). */
struct err *store_add_player(struct store *s, TALLOC_CTX *mem, struct player *p) MUST_CHECK;
struct err *store_add_deputy(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *address, const char *key) MUST_CHECK;
struct err *store_remove_deputy(struct store *s, TALLOC_CTX *mem, int64_t player, const char *address) MUST_CHECK;
/* The key of one of the player's addresses, his own or a deputy's; "" when it is none of them. */
struct err *store_key(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *address, const char **out) MUST_CHECK;
/* The player gets another address and key; what he has ordered stays. */
struct err *store_replace_player(struct store *s, TALLOC_CTX *mem, int64_t player, const char *name,
	const char *address, const char *key) MUST_CHECK;
struct err *store_remove_player(struct store *s, TALLOC_CTX *mem, int64_t player) MUST_CHECK;
struct err *store_players(struct store *s, TALLOC_CTX *mem, int64_t game, struct players *out) MUST_CHECK;
/* Also those who have been taken out since. */
struct err *store_players_ever(struct store *s, TALLOC_CTX *mem, int64_t game, struct players *out) MUST_CHECK;
struct err *store_player(struct store *s, TALLOC_CTX *mem, int64_t id, struct player **out) MUST_CHECK;
/* Everyone who writes from this address, the newest first. */
struct err *store_players_at(struct store *s, TALLOC_CTX *mem, const char *address, struct players *out) MUST_CHECK;
struct err *store_heard(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when) MUST_CHECK;
/* One more hard bounce, heard of at `when`; the first if the last was long before. Number BOUNCES_MAX stops mail to
 * that player, queued mail too. *stopped tells whether this one did. */
struct err *store_bounced(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when, bool *stopped) MUST_CHECK;
/* No mail goes to this player any more. */
struct err *store_stop_player(struct store *s, TALLOC_CTX *mem, int64_t player) MUST_CHECK;

/* READY and WAIT, and reminders sent. */
struct err *store_set_ready(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool ready) MUST_CHECK;
struct err *store_is_ready(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool *out) MUST_CHECK;
/* *first is true once for these hours and this deadline. */
struct err *store_reminded(struct store *s, TALLOC_CTX *mem, const struct game *g, int hours, bool *first) MUST_CHECK;

#endif
