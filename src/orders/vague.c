/* "the enemy", "the nearest cavalry": words that name no unit, though one can see what is meant. They are asked about,
 * and what they would mean where the units stand now is suggested. */
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

enum { VAGUE_WORDS = 8 };

/* Is the unit of the kind of that key? Any unit of foot or horse for every other key. */
static bool fits_kind(const struct unit *u, enum key kind)
{
	return key_is_kind(kind) ? unit_is_of_kind(u, kind) : unit_is_formed(u);
}

int enemy_nearest_to(struct parser *p, int unit, enum key kind, const struct piece_set *but)
{
	const struct unit *units = p->ctx->state->units;
	int best = -1;
	int32_t least = 0;

	for (int i = set_next(&p->enemy, 0); i >= 0; i = set_next(&p->enemy, i + 1)) {
		int32_t distance = unit < 0 ? 0 : geo_distance(&units[unit].box, &units[i].box);

		if (!unit_alive(&units[i]) || !fits_kind(&units[i], kind) || (but && set_has(but, i)) ||
			(best >= 0 && distance >= least))
			continue;
		best = i;
		least = distance;
	}
	return best;
}

int enemy_nearest_now(struct parser *p, enum key kind, const struct piece_set *but)
{
	struct trial t = trial_begin(p);
	int subject = -1;

	subject_pieces(p, p->subject, &subject, 1);
	trial_end(p, t);
	return enemy_nearest_to(p, subject, kind, but);
}

const char *enemy_code(struct parser *p)
{
	const struct state *state = p->ctx->state;
	int enemy;

	for (int i = set_next(&p->enemy, 0); i >= 0; i = set_next(&p->enemy, i + 1))
		if (strcmp(state->units[i].code, "j") == 0)
			return "j";
	enemy = enemy_nearest_to(p, -1, KEY_ENEMY, NULL);
	return enemy < 0 ? "j" : piece_sure(p->mem, state, enemy, p->ctx->side);
}

/* "nearest", "the nearest enemy cavalry", "the enemy", "their horse": the tokens of it, and the kind it names. */
static int vague_words(struct parser *p, enum key *kind)
{
	bool said = false;
	int n = 0;

	*kind = KEY_ENEMY;
	for (; n < VAGUE_WORDS; n++) {
		enum key key = key_ahead(p, n);

		if (key == KEY_NEAREST || key == KEY_ENEMY || key_is_kind(key))
			said = true;
		else if (key != KEY_SKIP && key != KEY_OF && !(said && (key == KEY_CLAN || key == KEY_MEN)))
			return said ? n : 0;
		if (key_is_kind(key))
			*kind = key;
	}
	return 0;
}

bool tell_vague_piece(struct parser *p)
{
	enum key kind;
	int words = vague_words(p, &kind), from, nearest;
	const char *name;

	if (!words)
		return false;
	here(p);
	from = p->pos;
	for (; words > 0; words--)
		advance(p);
	nearest = p->trial ? -1 : enemy_nearest_now(p, kind, NULL);
	if (nearest < 0) {
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"`%s` is not the name of a unit. Write the name or code of one.", typed_text(p, from, p->pos));
		return true;
	}
	name = piece_sure(p->mem, p->ctx->state, nearest, p->ctx->side);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, name, name,
		"`%s` is not the name of a unit: which one? The nearest now is %s.", typed_text(p, from, p->pos),
		piece_english(p->mem, p->ctx->state, nearest));
	return true;
}
