#include "report/luck.h"

#include "base/buf.h"
#include "report/chronicle.h"

#include <stdlib.h>
#include <string.h>

/* Dice that are thrown to hit somebody carry one of these purposes in their name. */
static bool is_thrown_to_hit(const char *name)
{
	static const char *const purposes[] = {".shoot.", ".reaction.", ".melee."};
	const char *who;

	/* T3.melee.R.melee.1: phase and purpose may be one word, so only what follows the roller counts. */
	who = strchr(name, '.');
	who = who == NULL ? NULL : strchr(who + 1, '.');
	if (name[0] == 'L' && who != NULL)
		who = strchr(who + 1, '.');
	for (size_t i = 0; who != NULL && i < sizeof purposes / sizeof *purposes; i++) {
		if (strstr(who + 1, purposes[i]) != NULL)
			return true;
	}
	return false;
}

void luck_add(struct luck *l, const struct events *events, const struct state *s)
{
	for (int i = 0; i < events->count; i++) {
		const struct event *ev = events->list[i];
		int side, need = ev->number[NUM_NEED];

		if (ev->actor >= 0 && ev->has[NUM_EXPECTED]) {
			side = (int)s->units[ev->actor].side;
			l->dice[side] += ev->number[NUM_DICE];
			l->hits[side] += ev->number[NUM_HITS];
			l->sixths[side] += (ev->number[NUM_EXPECTED] * 6 + 50) / 100;
			continue;
		}
		if (ev->actor < 0 || !ev->has[NUM_NEED])
			continue;
		side = (int)s->units[ev->actor].side;
		for (int k = 0; k < ev->dice_count; k++) {
			const struct event_die *die = &ev->dice[k];
			int faces = need < 1 ? die->sides : die->sides - need + 1;

			if (die->amended || !is_thrown_to_hit(die->name))
				continue;
			l->dice[side]++;
			l->hits[side] += die->value >= need;
			l->sixths[side] += faces > 0 ? faces * 6 / die->sides : 0;
		}
	}
}

/* Sixths as a number with one decimal, to the nearest. */
static char *tenths(TALLOC_CTX *mem, int sixths)
{
	int t = (sixths * 10 + 3) / 6;

	return t % 10 == 0 ? talloc_asprintf(mem, "%d", t / 10) : talloc_asprintf(mem, "%d.%d", t / 10, t % 10);
}

char *luck_text(TALLOC_CTX *mem, const struct luck *l, const struct scenario *sc, int own)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < SIDES; i++) {
		int side = own == SIDE_JACOBITE ? SIDES - 1 - i : i;
		int over = l->hits[side] * 6 - l->sixths[side];

		if (l->dice[side] == 0) {
			buf_printf(out, "%s: no dice thrown for hits.\n", side_people(out, sc, side));
			continue;
		}
		buf_printf(out, "%s: %d hit%s with %d dice. On average %s: ", side_people(out, sc, side), l->hits[side],
			l->hits[side] == 1 ? "" : "s", l->dice[side], tenths(out, l->sixths[side]));
		/* Less than a twentieth prints as 0. */
		if ((abs(over) * 10 + 3) / 6 == 0)
			buf_adds(out, "just so.\n");
		else
			buf_printf(out, "%s by %s.\n", over > 0 ? "lucky" : "unlucky", tenths(out, abs(over)));
	}
	return buf_finish(mem, out);
}
