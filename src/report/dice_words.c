#include "report/dice_words.h"

#include <string.h>

/* What the die is for stands after line of play, turn, phase and who rolls: a phase may have the name of a purpose. */
static const char *purpose_in(const char *name)
{
	int skip = name[0] == 'L' ? 4 : 3;

	for (; name != NULL && skip > 0; skip--) {
		name = strchr(name, '.');
		name = name == NULL ? NULL : name + 1;
	}
	return name;
}

bool die_is_for(const struct event_die *die, const char *purpose)
{
	const char *at = purpose_in(die->name);
	size_t n = strlen(purpose);

	return at != NULL && strncmp(at, purpose, n) == 0 && at[n] == '.';
}

void put_hits(struct buf *out, int hits)
{
	buf_printf(out, "%d hit%s", hits, hits == 1 ? "" : "s");
}

/* The dice of that purpose, a blank between; of one roller's alone, or of all others with `others`, when `code` is
 * given. */
static int put_dice(struct buf *out, const struct event *ev, const char *purpose, const char *code, bool others)
{
	char *mark = code == NULL ? NULL : talloc_asprintf(NULL, ".%s.%s.", code, purpose);
	int n = 0;

	for (int i = 0; i < ev->dice_count; i++) {
		const struct event_die *die = &ev->dice[i];

		if (!die_is_for(die, purpose) || (mark != NULL && (strstr(die->name, mark) == NULL) != others))
			continue;
		buf_printf(out, "%s%d%s", n++ > 0 ? " " : "", die->value, die->amended ? "*" : "");
	}
	talloc_free(mark);
	return n;
}

void put_faces(struct buf *out, const struct event *ev)
{
	put_dice(out, ev, "move", NULL, false);
	if (ev->dice_count == 1)
		buf_printf(out, " on D%d", ev->dice[0].sides);
	else if (ev->dice_count > 1)
		buf_printf(out, " on %d dice D%d", ev->dice_count, ev->dice[0].sides);
}

void put_shots(struct buf *out, const struct event *ev)
{
	int need = ev->number[NUM_NEED], hits = ev->number[NUM_HITS];

	buf_printf(out, "%d dice%s", ev->number[NUM_DICE], ev->number[NUM_DICE] > 0 ? ", " : "");
	put_dice(out, ev, "fire", NULL, false);
	if (ev->number[NUM_LESS] > 0)
		buf_printf(out, " less %d each", ev->number[NUM_LESS]);
	if (ev->number[NUM_HALVED])
		buf_adds(out, " halved");
	buf_adds(out, ": ");
	put_hits(out, hits);
	if (hits == 0)
		return;
	buf_printf(out, need < 6 ? ", saved on %d-6: " : ", saved on %d: ", need);
	put_dice(out, ev, "save", NULL, false);
	buf_printf(out, ", %d saved", ev->number[NUM_SAVES]);
}

/* "7 5 2 (+1 each)", or that it does not fight back. */
static void put_one_side(struct buf *out, const struct event *ev, const char *code, bool others, int bonus)
{
	if (put_dice(out, ev, "pair", code, others) == 0)
		buf_adds(out, "nothing");
	else if (bonus > 0)
		buf_printf(out, " (+%d each)", bonus);
}

void put_pairs(struct buf *out, const struct event *ev, const char *code)
{
	int costs = 0;

	buf_printf(out, "%d dice each, ", ev->number[NUM_DICE]);
	put_one_side(out, ev, code, false, ev->number[NUM_BONUS]);
	buf_adds(out, " against ");
	put_one_side(out, ev, code, true, ev->number[NUM_ENEMY_BONUS]);
	for (int i = 0; i < ev->dice_count; i++)
		costs += die_is_for(&ev->dice[i], "loss");
	if (costs > 0) {
		buf_adds(out, "; then ");
		put_dice(out, ev, "loss", NULL, false);
		if (ev->number[NUM_LESS] > 0)
			buf_printf(out, " less %d each", ev->number[NUM_LESS]);
		buf_adds(out, " for the pairs won");
	}
	buf_adds(out, ": ");
	put_hits(out, ev->number[NUM_HITS]);
	buf_adds(out, ", and ");
	put_hits(out, ev->number[NUM_ENEMY_HITS]);
	buf_adds(out, " taken");
}

void put_throws(struct buf *out, const struct event *ev, const char *const label[SIDES])
{
	for (int i = 0; i < ev->dice_count; i++)
		buf_printf(out, "%s%s %d%s", i > 0 ? ", " : "", label[i % SIDES], ev->dice[i].value,
			ev->dice[i].amended ? "*" : "");
}
