/* Several units under one word: wings, kinds, all of a name, all.
 *
 *   item    = ("both" | "all" [number]) name | name "wing"
 *           | ("all"|"everyone"|"everybody") [kind | "else" | "in" name "wing"] | kind
 *   kind    = "foot" | "infantry" | "horse" | "cavalry" | "dragoons" | "guns"
 */
#include "orders/lines.h"
#include "orders/parse.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool key_is_kind(enum key key)
{
	return key == KEY_FOOT || key == KEY_HORSE || key == KEY_DRAGOONS || key == KEY_GUNS || key == KEY_CLANS;
}

bool kind_for_name(struct parser *p, const struct match *m)
{
	const struct token *t = &p->lex->tokens[m->from];
	int piece = set_next(&m->set, 0);

	return m->end == m->from + 1 && (key_is_kind(t->key) || t->key == KEY_CLAN) &&
	       strncasecmp(p->ctx->state->units[piece].name, p->lex->text + t->offset, t->length) != 0;
}

static bool begins_a_name(const struct parser *p, const char *word)
{
	const struct state *s = p->ctx->state;

	for (int i = 0; i < s->count; i++)
		if (strncasecmp(s->units[i].name, word, strlen(word)) == 0)
			return true;
	return false;
}

void skip_before_item(struct parser *p)
{
	while (key_here(p) == KEY_SKIP || key_here(p) == KEY_PLEASE)
		advance(p);
	if (key_here(p) == KEY_SIDE && here(p)->word->value == (int)p->ctx->side && key_is_kind(key_ahead(p, 1)))
		advance(p); /* "Jacobite guns" */
}

/* Own pieces without commanders. */
struct piece_set rank_and_file(const struct parser *p)
{
	return set_without(p->own, p->commanders);
}

bool unit_is_of_kind(const struct unit *u, enum key kind)
{
	return (kind == KEY_FOOT && unit_is_foot(u)) || (kind == KEY_HORSE && unit_is_horse(u)) ||
	       (kind == KEY_DRAGOONS && (unit_is_horse(u) || u->kind == KIND_DISMOUNTED)) ||
	       (kind == KEY_GUNS && u->kind == KIND_GUN) || (kind == KEY_CLANS && u->kind == KIND_CLAN);
}

/* kind = "foot" | ... ; the pieces of that kind, or the empty set when the key is none */
struct piece_set kind_set(const struct parser *p, enum key key, const char **text)
{
	struct piece_set set = {0}, all = rank_and_file(p);

	for (int i = set_next(&all, 0); i >= 0; i = set_next(&all, i + 1)) {
		const struct unit *u = &p->ctx->state->units[i];

		if (unit_is_of_kind(u, key))
			set_add(&set, i);
	}
	*text = key == KEY_FOOT       ? "foot"
		: key == KEY_HORSE    ? "horse"
		: key == KEY_DRAGOONS ? "dragoons"
		: key == KEY_CLANS    ? "clans"
				      : "guns";
	return set;
}

/* "foot in the left wing", "cavalry of the right wing" */
static void take_wing_of_kind(struct parser *p, struct item *item)
{
	struct item wing;
	int before = p->pos;

	if (!take_key(p, KEY_IN) && !take_key(p, KEY_OF) && !take_key(p, KEY_ON))
		return;
	skip_before_item(p);
	if (!parse_wing(p, &wing)) {
		p->pos = before;
		return;
	}
	item->set = set_and(item->set, wing.set);
	item->text = talloc_asprintf(p->work, "%s in the %s", item->text, wing.text);
}

/* kind, at p->pos */
bool parse_kind(struct parser *p, int wanted, struct item *item)
{
	enum key key = key_here(p);
	bool named;

	if (!key_is_kind(key))
		return false;
	advance(p);
	item->kind = ITEM_WING;
	item->set = kind_set(p, key, &item->text);
	item->wanted = wanted;
	named = begins_a_name(p, item->text);
	take_wing_of_kind(p, item);
	if (named && !set_empty(&item->set)) /* as it will surely be read again */
		item->text = talloc_asprintf(p->work, "all %s", item->text);
	return true;
}

/* "left and right wing": the word stands behind the last */
static bool wings_follow(struct parser *p)
{
	int n = 1;

	while (ahead(p, n)->type == TOKEN_COMMA || ahead(p, n)->type == TOKEN_AND || key_ahead(p, n) == KEY_AND ||
		key_ahead(p, n) == KEY_SKIP)
		n++;
	return n > 1 && ahead(p, n)->type == TOKEN_WORD && !set_empty(&ahead(p, n)->word->wing) &&
	       key_ahead(p, n + 1) == KEY_WING;
}

static char *wing_text(struct parser *p, int unit)
{
	char *text = talloc_asprintf(p->work, "%s wing", p->ctx->state->units[unit].wing);

	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return text;
}

/* name ("wing"|"line"); "Reserve:" and "Line:" too, where no word of another meaning is the name */
bool parse_wing(struct parser *p, struct item *item)
{
	const struct token *t = here(p), *next;
	bool alone;
	int first;
	char *text;

	if (t->type != TOKEN_WORD || set_empty(&t->word->wing))
		return false;
	next = ahead(p, 1);
	alone = (t->key == KEY_NONE && (next->type == TOKEN_COLON || key_is_verb(next->key))) ||
		(t->key == KEY_LINE && next->type == TOKEN_COLON);
	if (next->key != KEY_WING && next->key != KEY_LINE && !alone && !wings_follow(p))
		return false;
	item->kind = ITEM_WING;
	item->set = set_and(t->word->wing, rank_and_file(p));
	first = set_next(&t->word->wing, 0);
	text = wing_text(p, first);
	item->text = text;
	advance(p);
	if (!take_key(p, KEY_WING))
		take_key(p, KEY_LINE);
	if (key_is_kind(key_here(p))) { /* "left wing cavalry" */
		const char *kind;

		item->set = set_and(item->set, kind_set(p, key_here(p), &kind));
		item->text = talloc_asprintf(p->work, "%s %s", text, kind);
		advance(p);
	}
	return true;
}

bool take_men_of(struct parser *p, struct item *item)
{
	static const char *const words[] = {"division", "brigade", "command", "wing", NULL};
	struct piece_set own = set_and(item->match.set, p->own), men = {0}, formed = rank_and_file(p);
	int commander = set_next(&own, 0);
	const struct unit *units = p->ctx->state->units;

	bool named = p->lex->tokens[item->match.end - 1].key == KEY_MEN; /* taken with the name */

	if ((!named && key_here(p) != KEY_MEN && !is_among(here(p), words)) || item->match.by_code ||
		set_size(&own) != 1 || !set_has(&p->commanders, commander))
		return false;
	for (int i = set_next(&formed, 0); i >= 0; i = set_next(&formed, i + 1))
		if (strcmp(units[i].wing, units[commander].wing) == 0)
			set_add(&men, i);
	if (!named)
		advance(p);
	item->kind = ITEM_WING;
	item->set = set_empty(&men) ? formed : men;
	item->text = set_empty(&men) ? "all" : wing_text(p, commander);
	item->men_of = true;
	return true;
}

/* ("both" | "all" [number]) name: every own piece of that name */
bool parse_set(struct parser *p, int wanted, struct item *item)
{
	struct match m;
	struct piece_set all = rank_and_file(p);

	if (!match_piece(p, &m))
		return false;
	m.set = set_and(m.set, all);
	if (set_empty(&m.set))
		return false;
	item->kind = ITEM_SET;
	item->match = m;
	item->set = m.set;
	item->wanted = wanted;
	p->pos = m.end;
	return true;
}

/* What may follow "all" or "everyone". */
bool parse_all(struct parser *p, struct item *item)
{
	enum key key;
	int32_t number;
	int before;

	skip_before_item(p);
	if (take_key(p, KEY_OF))
		skip_before_item(p);
	before = p->pos;
	if (here(p)->type == TOKEN_NUMBER || key_here(p) == KEY_NUMBER) {
		if (parse_number(p, &number)) {
			take_key(p, KEY_OF);
			skip_before_item(p);
			if (parse_kind(p, number / 1000, item) || parse_set(p, number / 1000, item))
				return true;
		}
		p->pos = before;
	}
	if (parse_wing(p, item))
		return true;
	if (parse_kind(p, 0, item))
		return true;
	key = key_here(p);
	if (key == KEY_ELSE || key == KEY_REST) {
		advance(p);
		item->kind = ITEM_ELSE;
		item->text = "everyone else";
		return true;
	}
	if ((key == KEY_IN || key == KEY_ON) && ahead(p, 1)->type == TOKEN_WORD) {
		advance(p);
		skip_before_item(p);
		if (parse_wing(p, item))
			return true;
		p->pos = before;
	}
	if (key != KEY_CLAN && key != KEY_MEN && parse_set(p, 0, item))
		return true;
	if (key == KEY_CLAN || key == KEY_MEN)
		advance(p);
	item->kind = ITEM_ALL;
	item->set = rank_and_file(p);
	item->text = "all";
	return true;
}
