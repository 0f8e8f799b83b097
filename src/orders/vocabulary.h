/* The words that mean something to the parser, each with its key. Many words share a key: "march" and "go" are
 * KEY_MOVE. */
#ifndef GALLOPER_ORDERS_VOCABULARY_H
#define GALLOPER_ORDERS_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

enum key {
	KEY_NONE,
	/* Verbs, which may end in -s, -ing, -ed. KEY_MOVE is the first and KEY_RALLY the last. */
	KEY_MOVE,    /* move march go come */
	KEY_ADVANCE, /* forward unless it says otherwise */
	KEY_RETIRE,  /* backward */
	KEY_FALL,    /* fall back */
	KEY_FACE,
	KEY_TURN,
	KEY_WHEEL,
	KEY_FIRE, /* fire shoot volley */
	KEY_OPEN, /* open fire */
	KEY_HOLD,
	KEY_STAY, /* stay stand remain */
	KEY_HALT,
	KEY_KEEP,
	KEY_STOP, /* stop, cease: stop firing */
	KEY_CHARGE,
	KEY_MELEE,
	KEY_JOIN,
	KEY_LEAVE,
	KEY_FORM,
	KEY_PURSUE,
	KEY_RALLY,
	KEY_STEP,     /* step pull bring send drop head: before "back", "north", "to" and the like only */
	KEY_CONTINUE, /* continue carry start begin: before a verb, "to" or "on" between */
	KEY_GIVE,     /* give c a volley */
	/* Conditions. */
	KEY_IF, /* if when whenever */
	KEY_UNLESS,
	KEY_UNTIL, /* until after before while: no condition of this language, but never to be overlooked */
	KEY_ONLY,
	KEY_OTHERWISE,
	KEY_ELSE,
	KEY_WITHIN,
	KEY_ENEMY,
	KEY_GONE,
	KEY_LOCKED,
	KEY_ROUTING,
	KEY_BASES,
	KEY_FIGURES,
	KEY_UNDER,
	KEY_OVER,
	KEY_LEAST,
	KEY_MOST,
	KEY_LESS,
	KEY_MORE,
	KEY_THAN,
	KEY_EQUAL,
	KEY_OUT,
	KEY_POINTS,
	KEY_NOT, /* not never dont */
	KEY_NO,
	KEY_DO,
	/* Directions. */
	KEY_COMPASS, /* value: degrees */
	KEY_FORWARD,
	KEY_BACK,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_STRAIGHT,
	KEY_ABOUT,
	KEY_DEGREES,
	KEY_INCHES,
	KEY_NUMBER, /* value: the number */
	KEY_HALF,
	/* Small words. */
	KEY_TO,
	KEY_AT,
	KEY_ON, /* on upon into */
	KEY_OF,
	KEY_IN,
	KEY_FROM,
	KEY_TOWARD,
	KEY_AWAY,
	KEY_VIA,
	KEY_THEN,
	KEY_AND,
	KEY_OR,
	KEY_WITH,
	KEY_NEAREST,
	KEY_ANY,
	KEY_FIRST,
	KEY_HITS,
	KEY_WHERE,
	KEY_THEY, /* they it them you */
	KEY_BE,   /* is are */
	KEY_SHOULD,
	KEY_WHO,
	KEY_A,
	KEY_FULL,
	KEY_SKIP,    /* the my our please your will */
	KEY_REQUEST, /* can could tell get let make have oh ok sorry also */
	KEY_PLEASE,
	KEY_WAIT,
	KEY_COLUMN,
	KEY_LINE,
	KEY_GROUND, /* position ground: hold your ground */
	KEY_STILL,  /* still firm fast put here */
	KEY_WILL,   /* fire at will */
	KEY_BECAUSE,
	KEY_SQUARE,
	KEY_NOTHING, /* do nothing */
	/* Groups. */
	KEY_STANDING,
	KEY_BOTH,
	KEY_ALL,
	KEY_EVERYONE,
	KEY_REST,
	KEY_EXCEPT,
	KEY_WING,
	KEY_FOOT,
	KEY_HORSE,
	KEY_DRAGOONS,
	KEY_GUNS,
	KEY_CLANS, /* clans highlanders */
	KEY_GUN,
	KEY_CLAN, /* clan regiment unit: beside a name */
	KEY_MEN,  /* men troops guys: beside a name; alone they are everyone */
	KEY_SIDE, /* government english jacobite: before a name; value: enum side */
	/* Lines. */
	KEY_PRIORITY,
	KEY_END,
	KEY_GAME,
	KEY_KEY,
	KEYS
};

struct vocabulary {
	const char *word; /* folded */
	enum key key;
	int value;
};

/* The entry of a folded word, verbs also in -s, -ing, -ed (*inflected tells), "foward" as forward; NULL when it means
 * nothing. */
const struct vocabulary *vocabulary_find(const char *word, size_t len, bool *inflected);

/* The index-th entry, for suggestions and tests; NULL past the end. */
const struct vocabulary *vocabulary_at(size_t index);

static inline bool key_is_verb(enum key k)
{
	return k >= KEY_MOVE && k <= KEY_RALLY;
}

#endif
