/* What happened, as generic typed records with stable keys. Sentences are made of them in `report`. */
#ifndef GALLOPER_BATTLE_EVENT_H
#define GALLOPER_BATTLE_EVENT_H

#include "base/json.h"
#include "battle/state.h"

/* kind, then the meaning of: actor; objects; numbers (NUM_...).
 * Every event may also carry dice, a ruling ("FP36" or "FP36 FP29") and a reason. */
#define EVENT_KINDS(X)                                                                                                 \
	X(MOVE, "move")                 /* unit; [what stopped it]; FROM_* TO_* DISTANCE (straight) ASKED; reason */   \
	X(NO_MOVE, "no-move")           /* unit could not move at all; [what stops it]; ASKED; reason */               \
	X(ATTACH, "attach")             /* commander; unit joined */                                                   \
	X(DETACH, "detach")             /* commander; unit left */                                                     \
	X(NO_JOIN, "no-join")           /* commander; unit not reached; DISTANCE; reason */                            \
	X(VOLLEY, "volley")             /* firer; target; DISTANCE ARC ELIGIBLE DICE NEED HITS BEFORE AFTER; dice */   \
	X(NO_VOLLEY, "no-volley")       /* unit ordered to fire; [target], [who is in the way]; reason */              \
	X(CLOSING_FIRE, "closing-fire") /* charged foot; charger; as VOLLEY (FP37, FP61) */                            \
	X(NO_CLOSING_FIRE, "no-closing-fire") /* charged foot; charger; dice; reason */                                \
	X(CHARGE, "charge")             /* charger; target; FROM_* TO_* DISTANCE FACE (enum arc of the target) */      \
	X(CHARGE_SHORT, "charge-short") /* charger set off and was stopped; target, [blocker]; as MOVE; reason */      \
	X(NO_CHARGE, "no-charge")       /* charger stands; target or none; DISTANCE; reason */                         \
	X(LOCKED, "locked")             /* charger; charged; FACE */                                                   \
	X(GUN_TAKEN, "gun-taken")       /* charger; gun */                                                             \
	X(MELEE, "melee") /* unit; enemies, in the order in which hits are dealt; DICE NEED HITS ROUND; dice */        \
	X(COMMANDER_BLOW, "commander-blow") /* commander; his unit; NEED HITS; die */                                  \
	X(LOSS, "loss")           /* unit that lost bases in melee; [enemies that hit it]; HITS BEFORE AFTER */        \
	X(DESTROYED, "destroyed") /* unit gone; [by whom]; BEFORE; reason (fire, melee, last base, gun) */             \
	X(COMMANDER_RISK, "commander-risk") /* commander; his unit; NEED AFTER (1 lives, 0 falls); die */              \
	X(SET_DOWN, "set-down")             /* commander put on the table alone, or pushed aside; FROM_* TO_* */       \
	X(TURNED, "turned")                 /* unit faces an enemy after the first round; enemy; FROM_* TO_* (FP78) */ \
	X(REFORMED, "reformed")             /* unit back in its ranks; none; FROM_* TO_* */                            \
	X(FREED, "freed")                   /* unit out of its melee; none */                                          \
	X(CONDITION, "condition") /* unit with an "if"; [unit asked about]; HITS (1 true, 0 false) DISTANCE */         \
	X(REFUSED, "refused")     /* unit with an order that cannot be taken up; [object]; reason */                   \
	X(THIRDS, "thirds")       /* none; none; THIRD SIDE (holder or -1) */                                          \
	X(BROKEN, "broken")       /* none; none; SIDE LOST BEFORE (FP88) */                                            \
	X(POINTS, "points")       /* none; none; SIDE POINTS and its parts FOOT HORSE GUNS COMMANDERS GROUND */        \
	X(VERDICT, "verdict")     /* none; none; WINNER; reason */                                                     \
	/* RH: */                                                                                                      \
	X(INITIATIVE, "initiative")   /* none; none; SIDE that goes first; dice of both */                             \
	X(COMMAND, "command")         /* none; none; SIDE POINTS; die */                                               \
	X(NO_POINT, "no-point")       /* unit that has orders to act and gets no point; none */                        \
	X(ROLL, "roll")               /* unit; none; DICE ALLOWANCE; dice: how far it may move */                      \
	X(NERVE, "nerve")             /* charger; target; NEED AFTER (1 charges, 0 stays); die */                      \
	X(STAND, "stand")             /* charged unit; chargers; NEED AFTER (1 stands, 0 flees); die */                \
	X(FLIGHT, "flight")           /* unit that flees; charger; FROM_* TO_* DISTANCE; die */                        \
	X(FORM_COLUMN, "form-column") /* unit; none */                                                                 \
	X(FORM_LINE, "form-line")     /* unit; none */                                                                 \
	X(PAIRS, "pairs")             /* unit; enemy; DICE each, BONUS and HITS (of unit), ENEMY_BONUS ENEMY_HITS */   \
	X(RETREAT, "retreat")         /* loser of a melee; winner; FROM_* TO_* DISTANCE */                             \
	X(FOLLOW, "follow")           /* winner; loser; FROM_* TO_* DISTANCE */                                        \
	X(HALT, "halt")               /* cavalry; enemy; NEED AFTER (1 halts, 0 goes on); die */                       \
	X(ROUT, "rout")               /* unit that begins to rout; [router that it caught it from]; reason */          \
	X(ROUT_MOVE, "rout-move")     /* unit; none; FROM_* TO_* DISTANCE; die */                                      \
	X(PANIC, "panic")             /* unit; router; NEED AFTER (1 holds, 0 routs); die */                           \
	X(RALLY, "rally")             /* general; unit; NEED AFTER (1 rallied, 0 not); die */                          \
	X(RULING, "ruling")           /* referee's act: [unit]; none; BEFORE AFTER or TO_*; text = BECAUSE */          \
	X(RULING_UNUSED, "ruling-unused") /* an amendment whose event or die no longer occurs; text = its key */

enum event_kind {
#define X(name, word) EVENT_##name,
	EVENT_KINDS(X)
#undef X
		EVENT_KIND_COUNT
};

/* clang-format off */
#define EVENT_NUMBERS(X) \
	X(FROM_X, "from-x") X(FROM_Y, "from-y") X(FROM_FACING, "from-facing") X(TO_X, "to-x") \
	X(TO_Y, "to-y") X(TO_FACING, "to-facing") X(DISTANCE, "distance") X(ASKED, "asked") X(ARC, "arc") \
	X(FACE, "face") X(ELIGIBLE, "eligible") X(DICE, "dice") X(NEED, "need") X(HITS, "hits") \
	X(BEFORE, "before") X(AFTER, "after") X(ROUND, "round") X(SIDE, "side") X(THIRD, "third") \
	X(WINNER, "winner") X(LOST, "lost") X(POINTS, "points") X(FOOT, "foot") X(HORSE, "horse") \
	X(GUNS, "guns") X(COMMANDERS, "commanders") X(GROUND, "ground") \
	X(ALLOWANCE, "allowance") X(SAVES, "saves") X(BONUS, "bonus") X(ENEMY_BONUS, "enemy-bonus") \
	X(ENEMY_HITS, "enemy-hits") X(EXPECTED, "expected") X(PAID, "paid") X(LESS, "less") X(HALVED, "halved")
/* clang-format on */

enum event_number {
#define X(name, word) NUM_##name,
	EVENT_NUMBERS(X)
#undef X
		EVENT_NUMBER_COUNT
};

/* Why something stopped, did not happen, or ended. The sentence for each is in the rule set's template. */
/* clang-format off */
#define EVENT_REASONS(X) \
	X(NONE, "") X(ALLOWANCE, "allowance") X(TURNING, "turning") X(ENEMY_NEAR, "enemy-near") \
	X(ENEMY, "enemy") X(FRIEND, "friend") X(MELEE, "melee") X(EDGE, "edge") X(TERRAIN, "terrain") \
	X(NO_ROOM, "no-room") X(LOCKED, "locked") X(GUN, "gun") X(OUT_OF_REACH, "out-of-reach") \
	X(OUT_OF_RANGE, "out-of-range") X(NOT_IN_FRONT, "not-in-front") X(NO_SIGHT, "no-sight") \
	X(GONE, "gone") X(MOVED_AWAY, "moved-away") X(HIT_FIRST, "hit-first") X(REAR, "rear") \
	X(HORSE, "horse") X(NO_TARGET, "no-target") X(NOT_YOURS, "not-yours") X(HELD, "held") \
	X(FAILED_TEST, "failed-test") X(WIPED_OUT, "wiped-out") X(FIRE, "fire") X(LAST_BASE, "last-base") \
	X(GUN_HITS, "gun-hits") X(COMMANDER, "commander") X(BROKE, "broke") X(TURN_LIMIT, "turn-limit") \
	X(NO_UNITS, "no-units") X(CONCEDED, "conceded") X(REFEREE, "referee") X(CONDITION, "condition") \
	X(FIGHTING, "fighting") \
	X(ROLL, "roll") X(NO_POINT, "no-point") X(NERVE, "nerve") X(ROUTING, "routing") X(HALTED, "halted") \
	X(COLUMN, "column") X(HALF_STRENGTH, "half-strength") X(FLED, "fled") X(PANIC, "panic") X(CREW, "crew") \
	X(PURSUIT, "pursuit") X(THERE, "there") X(PAID, "paid")
/* clang-format on */

enum event_reason {
#define X(name, word) REASON_##name,
	EVENT_REASONS(X)
#undef X
		EVENT_REASON_COUNT
};

struct event_die {
	const char *name; /* T3.shoot.B.shoot.1 */
	int sides, value;
	bool amended; /* given by a referee or a case, not rolled */
};

struct event {
	const char *key; /* T3.shoot.B.volley.1: stable over re-resolving */
	enum event_kind kind;
	enum event_reason reason;
	int turn, phase; /* phase: index into the rule set's table */
	int actor;       /* unit index or -1 */
	int *objects, object_count;
	int *object_hits; /* MELEE: hits meant for each object; NULL elsewhere */
	int32_t number[EVENT_NUMBER_COUNT];
	bool has[EVENT_NUMBER_COUNT];
	struct event_die *dice;
	int dice_count;
	const char *ruling;    /* "" for none */
	const char *text;      /* RULING: the referee's words; "" elsewhere */
	int *seen, seen_count; /* pieces it looked at (DESIGN, Amendments) */
	bool amended;          /* a referee changed this event */
};

struct events {
	struct event **list; /* talloc children of the list */
	int count;
};

struct events *events_new(TALLOC_CTX *mem);
/* A new event at the end: kind and key copied, all else empty, actor -1. The pointer stays valid. */
struct event *events_add(struct events *e, enum event_kind kind, const char *key);
/* One of another list as the next; that list keeps it. */
void events_share(struct events *e, struct event *ev);
void event_set(struct event *ev, enum event_number n, int32_t value);
void event_object(struct event *ev, int unit);
void event_die(struct event *ev, const char *name, int sides, int value, bool amended);
void event_saw(struct event *ev, int unit); /* once each */
const struct event *events_find(const struct events *e, const char *key);

/* The event whose key a person has typed: that very key, else the one that differs only in the case of its letters, if
 * one alone does, since `B` and `b` are units of the two sides; NULL when there is none. */
const struct event *events_find_typed(const struct events *e, const char *key);
/* Did the very same happen in both? What they looked at is not asked. */
bool event_same(const struct event *a, const struct event *b);

const char *event_kind_word(enum event_kind k);
const char *event_number_word(enum event_number n);
const char *event_reason_word(enum event_reason r);

/* One event as a JSON object, units by id; used for --json. */
void event_json(struct json *j, const struct event *ev, const struct state *s);
/* All events as canonical bytes for the store, and back. */
char *events_write(TALLOC_CTX *mem, const struct events *e, size_t *len);
struct err *events_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct events **out) MUST_CHECK;

#endif
