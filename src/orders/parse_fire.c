/* Whom to shoot, charge and hit.
 *
 *   fire    = ("fire"|"shoot"|"volley") ["at"|"on"] targets | "hold fire"
 *   charge  = ("charge"|"attack"|"assault") targets [ "if" condition ]
 *   melee   = ("melee"|"fight"|"hit") targets
 *   targets = unit ["first"] [hits] { ("then"|"or"|","|"and") unit [hits] } | "nearest" | "any"
 *
 * hits: a number, in a melee clause only.
 */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <strings.h>

enum { TARGETS_MAX = 32, LISTED_GUNS_MAX = 7 };

/* --- targets ------------------------------------------------------------------------------------------------------ */

static void skip_before_target(struct parser *p)
{
	struct match m;

	while (!match_whole(p, &m) &&
		(key_here(p) == KEY_SKIP || key_here(p) == KEY_PLEASE ||
			(key_here(p) == KEY_FIRST && !here(p)->word->named) ||
			(key_here(p) == KEY_ONLY && key_ahead(p, 1) != KEY_IF && !condition_begins(p)) ||
			(key_here(p) == KEY_BE && key_ahead(p, 1) == KEY_NEAREST) ||
			(key_here(p) == KEY_ENEMY && ahead(p, 1)->type == TOKEN_WORD && ahead(p, 1)->word->named)))
		advance(p);
}

/* "nearest enemy unit", "any of them": the words after it. */
static void skip_after_nearest(struct parser *p)
{
	take_key(p, KEY_OF);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	while (key_here(p) == KEY_ENEMY || key_here(p) == KEY_CLAN || key_here(p) == KEY_MEN ||
		key_here(p) == KEY_THEY || (key_here(p) == KEY_SIDE && here(p)->word->value != (int)p->ctx->side) ||
		(key_here(p) == KEY_NUMBER && here(p)->word->value == 1) || is_word_here(p, "ones"))
		advance(p);
}

/* "gun 1, gun 2": all that the enemy has left, while they are few; else NULL. */
static const char *enemy_guns(struct parser *p)
{
	struct piece_set guns = set_and(p->guns, p->enemy);
	char *list = NULL;

	if (set_size(&guns) > LISTED_GUNS_MAX)
		return NULL;
	for (int i = set_next(&guns, 0); i >= 0; i = set_next(&guns, i + 1))
		if (unit_alive(&p->ctx->state->units[i]))
			list = talloc_asprintf(p->mem, "%s%s%s", list ? list : "", list ? ", " : "",
				piece_code(p->mem, p->ctx->state, i));
	return list;
}

/* "nearest cavalry": no target either (a kind is none), and not the nearest of all. */
static bool nearest_of_kind(struct parser *p)
{
	int n = 1;

	if (key_here(p) != KEY_NEAREST)
		return false;
	while (key_ahead(p, n) == KEY_ENEMY || key_ahead(p, n) == KEY_SKIP || key_ahead(p, n) == KEY_OF)
		n++;
	return key_is_kind(key_ahead(p, n));
}

/* "the enemy", "cavalry", "everyone": no target, but one can see what is meant. */
static bool vague_target(struct parser *p)
{
	enum key key = key_here(p);
	int from = p->pos;
	const char *better = key == KEY_ALL || key == KEY_EVERYONE ? "any" : "nearest";
	struct match m;
	int nearest;

	if ((match_piece(p, &m) && !kind_for_name(p, &m)) || pronoun_begins(p) ||
		(key != KEY_ENEMY && key != KEY_FOOT && key != KEY_HORSE && key != KEY_DRAGOONS && key != KEY_GUNS &&
			key != KEY_GUN && key != KEY_ALL && key != KEY_EVERYONE && key != KEY_THEY && key != KEY_CLAN &&
			key != KEY_MEN && key != KEY_CLANS))
		return false;
	advance(p);
	while (from > 0 && p->lex->tokens[from - 1].key == KEY_SKIP)
		from--;
	if ((key == KEY_GUNS || key == KEY_GUN) && !p->trial && enemy_guns(p))
		better = enemy_guns(p);
	else if (key_is_kind(key) && !p->trial && (nearest = enemy_nearest_now(p, key, NULL)) >= 0)
		better = piece_code(p->mem, p->ctx->state, nearest);
	mention_piece(p, -1);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, better, better,
		"`%s` is no target: name an enemy unit, or write `%s`.", typed_text(p, from, p->pos), better);
	return true;
}

/* "if the enemy is within 6 fire at them": no unit is named that could be meant. */
static bool whole_enemy(struct parser *p)
{
	return p->mentions.enemy && p->mentions.count == p->mentions.since_if && pronoun_begins(p);
}

static void parse_hits(struct parser *p, struct target *t)
{
	int32_t number;
	int from = p->pos;

	if (!number_begins(p))
		return;
	parse_number(p, &number);
	take_key(p, KEY_HITS);
	if (number <= 0 || number > 100000 || number % 1000 != 0)
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL, "The number of hits is a whole number.");
	t->hits = number / 1000;
}

static void add_target(struct parser *p, struct clause *c, struct target t)
{
	c->targets = WITH_ROOM(p->mem, c->targets, struct target, c->target_count);
	c->targets[c->target_count++] = t;
}

/* What stands behind a target's name, also when that was not understood. */
static void parse_after_target(struct parser *p, const struct clause *c, struct target *t)
{
	take_key(p, KEY_FIRST);
	if (key_here(p) == KEY_ONLY && (ahead(p, 1)->type != TOKEN_WORD || key_ahead(p, 1) == KEY_AND))
		advance(p);
	if (c->kind == CLAUSE_MELEE)
		parse_hits(p, t);
}

/* One target; the list `c` gets it when it could be read. */
static void parse_target(struct parser *p, struct clause *c)
{
	struct target t = {.unit = -1};
	struct match m;
	bool whole;

	skip_before_target(p);
	here(p);
	whole = match_whole(p, &m) && !kind_for_name(p, &m);
	if (!whole && nearest_of_kind(p)) {
		while (p->lex->tokens[p->pos - 1].key == KEY_SKIP)
			p->pos--;
		tell_vague_piece(p);
		mention_piece(p, -1);
		return;
	}
	if (!whole && take_key(p, KEY_NEAREST)) {
		t.kind = TARGET_NEAREST;
		skip_after_nearest(p);
	} else if (!whole && take_key(p, KEY_ANY)) {
		t.kind = TARGET_ANY;
		skip_after_nearest(p);
	} else if (!whole && whole_enemy(p)) {
		t.kind = TARGET_NEAREST;
		note(p, p->pos, "`%s` was read as the nearest enemy.", typed_text(p, p->pos, p->pos + 1));
		advance(p);
	} else if (!whole && vague_target(p)) {
		return;
	} else {
		t.unit = want_piece(p, ROLE_ENEMY, "an enemy unit");
	}
	parse_after_target(p, c, &t);
	if (t.kind != TARGET_UNIT || t.unit >= 0)
		add_target(p, c, t);
}

/* Can what stands here be a further target? A verb, a condition, a bare leg or a new order cannot. */
static bool target_begins(struct parser *p)
{
	enum key key;
	struct match m;

	skip_before_target(p);
	key = key_here(p);
	if (correction_begins(p) || order_begins(p, IN_MIDDLE) || echo_begins(p, IN_MIDDLE))
		return false;
	if (key == KEY_NEAREST || key == KEY_ANY || match_piece(p, &m))
		return true;
	if (key == KEY_REST || here(p)->type != TOKEN_WORD || condition_begins(p) || clause_begins(p, true))
		return false;
	return key == KEY_NONE;
}

/* The thumb's "and" of "charge f n g": behind a target, and an enemy behind it. */
static bool short_and_here(struct parser *p)
{
	int before = p->pos;
	struct match m;
	bool joins = false;

	if (!is_typed(p, here(p), "n"))
		return false;
	advance(p);
	if (match_piece(p, &m)) {
		struct piece_set enemies = set_and(m.set, p->enemy);

		joins = !set_empty(&enemies) && !order_begins(p, IN_MIDDLE);
	}
	p->pos = before;
	return joins;
}

/* Takes what joins targets when a further one follows. */
static bool targets_go_on(struct parser *p, enum clause_kind of)
{
	int before = p->pos, after, kind = separators_ahead(p, &after);

	if (key_here(p) == KEY_COMPASS && short_and_here(p)) {
		advance(p);
		return true;
	}
	if (take_or_else(p, of == CLAUSE_FIRE ? KEY_FIRE : KEY_CHARGE))
		kind = SEPARATOR_SOFT;
	else
		p->pos = after;
	if (!take_key(p, KEY_AT)) /* "then at Stuarts" */
		take_key(p, KEY_ON);
	if (kind && !(kind & (SEPARATOR_HARD | SEPARATOR_BREAK)) && target_begins(p))
		return true;
	p->pos = before;
	return false;
}

/* Of a group, "all: fire at j except R" leaves a unit of one's own out of the order: by its name, or its code as it is
 * written. */
static bool excepts_own(struct parser *p, const struct match *m)
{
	struct piece_set own = set_and(m->set, p->own), enemies = set_and(m->set, p->enemy);
	int first = set_next(&own, 0);
	bool group = p->subject->count != 1 || p->subject->items[0].kind != ITEM_PIECE;

	if (set_empty(&own) || set_empty(&enemies))
		return set_empty(&enemies);
	return group && (!m->by_code || is_typed(p, &p->lex->tokens[m->from], p->ctx->state->units[first].code));
}

/* The enemies that stand nearest now and are none of the set: "j, h, c". */
static const char *nearest_others(struct parser *p, struct piece_set but)
{
	enum { OTHERS = 3 };
	char *list = NULL;
	int piece;

	for (int i = 0; !p->trial && i < OTHERS && (piece = enemy_nearest_now(p, KEY_ENEMY, &but)) >= 0; i++) {
		set_add(&but, piece);
		list = talloc_asprintf(
			p->mem, "%s%s%s", list ? list : "", list ? ", " : "", piece_code(p->mem, p->ctx->state, piece));
	}
	return list;
}

/* "fire at anyone but c", "nearest, not c": an enemy is left out of the targets, which begin at the token. */
static void tell_exception(struct parser *p, const struct clause *c, int targets)
{
	int before = p->pos;
	struct match m;
	bool excepts, named = true;

	for (int i = 0; i < c->target_count; i++)
		named &= c->targets[i].kind == TARGET_UNIT;

	take_type(p, TOKEN_COMMA);
	excepts = take_key(p, KEY_EXCEPT);
	if ((take_key(p, KEY_NOT) || excepts) && !order_begins(p, IN_MIDDLE)) { /* "but S should hold" */
		take_key(p, KEY_FROM);
		if (!take_key(p, KEY_AT))
			take_key(p, KEY_ON);
		skip_before_target(p);
		if (key_is_kind(key_here(p))) {
			advance(p);
			problem(p, PROBLEM_UNREADABLE, targets, p->pos, NULL, NULL,
				"A kind cannot be left out of the targets, and no target was taken. Name those that "
				"are "
				"meant, in order.");
			return;
		}
		if (match_piece(p, &m) && !excepts_own(p, &m)) {
			const char *others = nearest_others(p, set_and(m.set, p->enemy));

			p->pos = m.end;
			if (named) {
				note(p, m.from,
					"Only the units that are named after `fire` are shot at, and no others.");
				return;
			}
			problem(p, PROBLEM_UNREADABLE, targets, m.end, others, others,
				"An enemy cannot be left out of the targets, and no target was taken. Name those that "
				"are meant, in order: it shoots at no others.");
			return;
		}
	}
	p->pos = before;
}

void parse_targets(struct parser *p, struct clause *c)
{
	int from;

	here(p);
	from = p->pos;
	do {
		if (c->target_count == TARGETS_MAX)
			problem(p, PROBLEM_TOO_LARGE, p->pos, p->pos + 1, NULL, NULL, "A list may name %d targets.",
				TARGETS_MAX);
		parse_target(p, c);
	} while (targets_go_on(p, c->kind));
	tell_exception(p, c, from);
}

/* --- fire, charge, melee ------------------------------------------------------------------------------------------ */

bool targets_begin(struct parser *p)
{
	enum key key = key_here(p);
	int before = p->pos;
	bool begins;

	if (key == KEY_AT || key == KEY_ON)
		return true;
	begins = !at_end(p) && (here(p)->type == TOKEN_WORD || p->ctx->numbers_name) &&
		 (target_begins(p) || key == KEY_ENEMY || key == KEY_ALL || key == KEY_EVERYONE || key == KEY_THEY ||
			 key == KEY_FOOT || key == KEY_HORSE || key == KEY_DRAGOONS || key == KEY_GUNS ||
			 key == KEY_SKIP);
	p->pos = before;
	return begins;
}

static struct clause *nearest_only(struct parser *p, struct clause *c)
{
	c->targets = talloc_zero(p->mem, struct target);
	c->targets[0] = (struct target){.kind = TARGET_NEAREST, .unit = -1};
	c->target_count = 1;
	return c;
}

struct clause *parse_fire(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_FIRE);
	int before = p->failures;

	if (key_here(p) == KEY_A && key_ahead(p, 1) == KEY_FIRE)
		advance(p);
	if (key_here(p) == KEY_FIRE)
		advance(p); /* "fire a volley" */
	if (key_here(p) == KEY_ONLY && (key_ahead(p, 1) == KEY_AT || key_ahead(p, 1) == KEY_ON))
		advance(p); /* at others it does not fire anyhow */
	if (key_here(p) == KEY_AT && key_ahead(p, 1) == KEY_WILL) {
		advance(p);
		advance(p);
		return nearest_only(p, c);
	}
	if (!targets_begin(p)) {
		take_key(p, KEY_FIRST); /* "shoot first, then charge" */
		return nearest_only(p, c);
	}
	if (!take_key(p, KEY_AT))
		take_key(p, KEY_ON);
	parse_targets(p, c);
	return p->failures == before ? c : NULL;
}

/* "a volley", "one good volley"; false when none stands here. */
static bool take_volley(struct parser *p)
{
	static const char *const kinds[] = {"another", "good", "big", "nice", "full", "quick", NULL};
	int before = p->pos;

	while (key_here(p) == KEY_A || key_here(p) == KEY_SKIP || key_here(p) == KEY_FULL ||
		(key_here(p) == KEY_NUMBER && here(p)->word->value == 1) || is_among(here(p), kinds))
		advance(p);
	if (take_key(p, KEY_FIRE))
		return true;
	p->pos = before;
	return false;
}

struct clause *parse_volley(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_FIRE);
	int before = p->failures;
	bool first = take_volley(p);

	if (first && !take_key(p, KEY_TO) && !take_key(p, KEY_AT))
		take_key(p, KEY_ON);
	parse_targets(p, c);
	if (!first && p->failures == before && !take_volley(p)) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL, "Here `a volley` was expected.");
		skip_to_separator(p);
	}
	return p->failures == before ? c : NULL;
}

/* "in the flank", "from behind": no order's to choose. */
static void skip_flank(struct parser *p)
{
	static const char *const sides[] = {"flank", "flanks", "rear", "front", "side", "back", "left", "right", NULL};
	int from = p->pos;

	if (!take_key(p, KEY_IN) && !take_key(p, KEY_ON) && !take_key(p, KEY_FROM))
		return;
	while (key_here(p) == KEY_SKIP || key_here(p) == KEY_THEY)
		advance(p);
	while (is_among(here(p), sides))
		advance(p);
	if (!is_among(&p->lex->tokens[p->pos - 1], sides)) {
		p->pos = from;
		return;
	}
	note(p, from, "`%s`: where a charge strikes depends on where both units stand, and cannot be ordered.",
		typed_text(p, from, p->pos));
}

/* The verb that was taken; a unit may stand between ("charge with R"). */
static int verb_before(const struct parser *p)
{
	int i = p->pos - 1;

	while (i > 0 && !key_is_verb(p->lex->tokens[i].key) && p->lex->tokens[i].key != KEY_HITS)
		i--;
	return i;
}

struct clause *parse_charge(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_CHARGE);
	int before = p->failures, verb = verb_before(p);

	if (!targets_begin(p) && key_here(p) != KEY_TOWARD) {
		problem(p, PROBLEM_UNREADABLE, verb, verb + 1, "charge nearest", "charge nearest",
			"%s whom? Name an enemy unit, or write `charge nearest`.", word_to_begin(p, verb));
		return NULL;
	}
	if (!take_key(p, KEY_AT) && !take_key(p, KEY_ON))
		take_key(p, KEY_TOWARD);
	parse_targets(p, c);
	skip_flank(p);
	return p->failures == before ? c : NULL;
}

struct clause *parse_melee(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_MELEE);
	int before = p->failures, verb = verb_before(p);

	if (!take_key(p, KEY_WITH) && !take_key(p, KEY_AT))
		take_key(p, KEY_ON);
	if (!targets_begin(p)) {
		problem(p, PROBLEM_UNREADABLE, verb, verb + 1, "charge nearest", NULL,
			"%s whom? A unit in melee fights by itself, and `melee` with enemy units says whom it hits "
			"first. "
			"To run at an enemy, write `charge` and its name.",
			word_to_begin(p, verb));
		return NULL;
	}
	parse_targets(p, c);
	if (strncasecmp(p->lex->text + p->lex->tokens[verb].offset, "fight", 5) == 0)
		note(p, verb, "`fight` says whom a unit hits once it is in melee. To run at an enemy, write `charge`.");
	return p->failures == before ? c : NULL;
}
