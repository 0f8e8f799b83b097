#include "report/listing.h"

#include "base/buf.h"

#include <string.h>

/* What is told of the unit, behind its name; NULL when the sentence is one that stands by itself. */
static const char *told_of_unit(
	const char *sentence, const struct scenario *sc, const struct state *s, const struct event *ev)
{
	const char *name;

	if (ev->actor < 0 || ev->dice_count > 0 || ev->amended || !unit_is_formed(&s->units[ev->actor]))
		return NULL;
	name = piece_name(NULL, sc, s, ev->actor);
	return strncmp(sentence, name, strlen(name)) == 0 ? sentence + strlen(name) : NULL;
}

/* The first event from `i` on of which something else is told. */
static int end_of_run(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct events *events, int i, const char *told)
{
	const struct event *first = events->list[i];

	for (i++; i < events->count; i++) {
		const struct event *ev = events->list[i];
		const char *other;

		if (ev->kind != first->kind || ev->reason != first->reason || ev->phase != first->phase)
			break;
		other = told_of_unit(chronicle_sentence(mem, c, sc, s, ev), sc, s, ev);
		if (!other || strcmp(other, told) != 0)
			break;
	}
	return i;
}

char *listing_line(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct events *events, int i, int *next)
{
	struct buf *out = buf_new(mem);
	const char *sentence = chronicle_sentence(out, c, sc, s, events->list[i]);
	const char *told = told_of_unit(sentence, sc, s, events->list[i]);

	*next = told ? end_of_run(out, c, sc, s, events, i, told) : i + 1;
	if (*next == i + 1) {
		buf_printf(out, "%3d. %s", i + 1, sentence);
	} else {
		buf_printf(out, "%3d-%d. ", i + 1, *next);
		for (int k = i; k < *next; k++)
			buf_printf(out, "%s%s (%d)",
				k == i           ? ""
				: k + 1 == *next ? " and "
						 : ", ",
				piece_name(out, sc, s, events->list[k]->actor), k + 1);
		buf_adds(out, told);
	}
	return buf_finish(mem, out);
}
