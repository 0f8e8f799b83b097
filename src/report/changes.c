#include "report/changes.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"

#include <string.h>

enum { INDENT = 10 };

struct telling {
	struct buf *out;
	const struct chronicle *c;
	const struct scenario *sc;
	const struct state *s;
};

static char *sentence(const struct telling *t, const struct event *ev)
{
	return chronicle_sentence(t->out, t->c, t->sc, t->s, ev);
}

static void put(const struct telling *t, const char *word, int index, const char *text)
{
	char *line = talloc_asprintf(t->out, "%-4s %3d. %s", word, index + 1, text);

	buf_printf(t->out, "%s\n", text_wrap(t->out, line, LETTER_COLUMNS, INDENT));
}

static int index_of(const struct events *events, const char *key)
{
	for (int i = 0; i < events->count; i++)
		if (strcmp(events->list[i]->key, key) == 0)
			return i;
	return -1;
}

/* Those of [from, to) that no longer happen. */
static void put_gone(const struct telling *t, const struct events *before, const struct events *after, int from, int to)
{
	for (int i = from; i < to; i++)
		if (index_of(after, before->list[i]->key) < 0)
			put(t, "gone", i, sentence(t, before->list[i]));
}

char *changes_text(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct events *before, const struct events *after)
{
	struct telling t = {buf_new(mem), c, sc, s};
	int told = 0; /* of `before` */

	for (int i = 0; i < after->count; i++) {
		int old = index_of(before, after->list[i]->key);
		char *now, *was;

		if (old < 0) {
			put(&t, "new", i, sentence(&t, after->list[i]));
			continue;
		}
		if (old >= told) {
			put_gone(&t, before, after, told, old);
			told = old + 1;
		}
		if (event_same(before->list[old], after->list[i]))
			continue;
		was = sentence(&t, before->list[old]);
		now = sentence(&t, after->list[i]);
		if (strcmp(was, now) != 0) {
			put(&t, "was", old, was);
			put(&t, "now", i, now);
		}
	}
	put_gone(&t, before, after, told, before->count);
	return t.out->data;
}
