#include "service/why.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"
#include "report/template.h"
#include "report/why.h"
#include "service/referee.h"
#include "service/reports.h"

#include <string.h>

struct err *why_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, int64_t shows, int turn,
	bool referee, struct turn_row **out)
{
	int last = b->game->part > 0 ? b->game->turn : b->game->turn - 1;
	struct err *e = shows != 0 && turn <= 0 ? store_turn_row(s->store, mem, shows, out) : NULL;

	if (shows == 0 || turn > 0 || (e == NULL && (*out == NULL || (*out)->game != b->game->id)))
		*out = NULL;
	if (e == NULL && *out == NULL && referee)
		e = store_turn(s->store, mem, b->game, turn > 0 ? turn : last, out);
	/* While the last one is held, players know the one before. */
	for (int t = turn > 0 ? turn : last; e == NULL && *out == NULL && !referee && t > 0 && t >= last - 1; t--)
		e = store_turn_told(s->store, mem, b->game, t, out);
	return e;
}

static const char *op_word(enum amendment_op op)
{
	static const char *const words[] = {"DIE", "DIE", "HITS", "VOID", "SET BASES", "SET FIGURES", "PLACE", "REMOVE",
		"RESTORE", "KILL", "SPARE", "VERDICT"};

	return words[op];
}

static bool touches(const struct amendment *a, const struct event *ev)
{
	if (strcmp(a->key, ev->key) == 0 || (a->before[0] != '\0' && strcmp(a->before, ev->key) == 0))
		return true;
	for (int i = 0; i < ev->dice_count; i++)
		if (strcmp(a->key, ev->dice[i].name) == 0)
			return true;
	return ev->kind == EVENT_RULING && a->unit == ev->actor && strcmp(a->because, ev->text) == 0;
}

/* The referee's own changes of that event. */
static char *changes_of(TALLOC_CTX *mem, const struct resolved *r, const struct event *ev)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < r->amendments->count; i++) {
		const struct amendment *a = r->amendments->list[i];

		if (!touches(a, ev))
			continue;
		buf_printf(out, "%s\n",
			text_wrap(out,
				talloc_asprintf(out, "- %s%s%s %d BECAUSE %s", op_word(a->op),
					a->key[0] != '\0' ? " of " : "", a->key, a->value, a->because),
				LETTER_COLUMNS, 2));
	}
	return out->data;
}

/* That the report was corrected since. */
static struct err *put_correction(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct turn_row *row, bool referee, struct buf *out)
{
	struct turn_row *now;
	struct err *e = referee ? store_turn(s->store, mem, b->game, row->turn, &now)
				: store_turn_told(s->store, mem, b->game, row->turn, &now);

	if (e == NULL && now != NULL && now->line == row->line && now->resolution > row->resolution &&
		(now->after_len != row->after_len || memcmp(now->after, row->after, row->after_len) != 0))
		buf_printf(out, "\nThe referee has corrected that report since; this is how it was told in it.\n");
	return e;
}

/* All rulings that an event of these rules may cite: the shared ones first, then the rule set's own where it has a
 * book. */
static struct err *read_rulebooks(TALLOC_CTX *mem, const struct board *b, char **out)
{
	char *own;
	size_t len;
	struct err *e = data_read(mem, "doc/rulebook.md", out, &len), *none;

	if (e != NULL)
		return e;
	none = data_read(mem, talloc_asprintf(mem, "doc/rulebook-%s.md", b->rules->name), &own, &len);
	if (none == NULL)
		*out = talloc_asprintf(mem, "%s\n\n%s", *out, own);
	talloc_free(none);
	return NULL;
}

struct err *why_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct turn_row *row,
	int number, bool referee, char **out)
{
	struct buf *text = buf_new(mem);
	const struct event *ev;
	struct resolved *r;
	struct chronicle *c;
	char *rulebook, *changes;
	struct err *e = resolved_read(mem, row, &r);

	if (e == NULL)
		e = report_chronicle(mem, b, &c);
	if (e == NULL)
		e = read_rulebooks(mem, b, &rulebook);
	if (e != NULL)
		return e;
	if (number < 1 || number > r->events->count)
		return err_new(mem, ERR_GAME, false, "", "the events of turn %d are numbered 1 to %d", row->turn,
			r->events->count);
	ev = r->events->list[number - 1];
	buf_printf(
		text, "Turn %d, event %d:\n\n%s", row->turn, number, why_event(mem, c, b->sc, r->after, ev, rulebook));
	changes = changes_of(mem, r, ev);
	if (referee && changes[0] != '\0')
		buf_printf(text, "\nYOUR CHANGES\n\n%s", changes);
	e = put_correction(s, mem, b, row, referee, text);
	*out = text->data;
	return e;
}
