#include "service/why.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"
#include "report/template.h"
#include "report/why.h"
#include "service/options.h"
#include "service/referee.h"
#include "service/reports.h"

#include <string.h>

struct err *why_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, int64_t shows, int turn,
	bool referee, struct turn_row **out)
{
	int last = last_turn(b->game);
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

/* "HITS of T1.shoot.B.volley.1 = 2", "REMOVE Hu". */
static const char *change_text(TALLOC_CTX *mem, const struct state *s, const struct amendment *a)
{
	bool valued = a->op == AMEND_DIE || a->op == AMEND_HITS || a->op == AMEND_BASES || a->op == AMEND_FIGURES;
	const char *of = a->key[0] != '\0' ? talloc_asprintf(mem, " of %s", a->key)
			 : a->unit >= 0    ? talloc_asprintf(mem, " %s", s->units[a->unit].code)
					   : "";

	return talloc_asprintf(mem, "%s%s%s BECAUSE %s", op_word(a->op), of,
		valued ? talloc_asprintf(mem, " = %d", a->value) : "", a->because);
}

/* The referee's own changes of that event. */
static void put_changes(TALLOC_CTX *mem, const struct resolved *r, const struct event *ev, struct buf *out)
{
	bool any = false;

	for (int i = 0; i < r->amendments->count; i++) {
		const struct amendment *a = r->amendments->list[i];

		if (!touches(a, ev))
			continue;
		buf_printf(out, "%s%s\n", any ? "" : "\nYOUR CHANGES\n\n",
			text_wrap(mem, talloc_asprintf(mem, "- %s", change_text(mem, r->after, a)), LETTER_COLUMNS, 2));
		any = true;
	}
}

/* The event as it is now, if that differs from what the report said that was answered; `out` holds that already. */
static void put_as_now(TALLOC_CTX *mem, const struct board *b, const struct resolved *r, const char *key,
	const struct chronicle *c, const char *rulebook, struct buf *out)
{
	bool found = false;
	const char *text;

	for (int i = 0; i < r->events->count; i++) {
		const struct event *ev = r->events->list[i];

		if (strcmp(ev->key, key) != 0)
			continue;
		found = true;
		text = why_event(mem, c, b->sc, r->after, ev, rulebook);
		if (strstr(out->data, text) == NULL)
			buf_printf(
				out, "\nAS IT IS NOW (number %d of version %d)\n\n%s", i + 1, r->row->resolution, text);
	}
	if (!found)
		buf_printf(out, "\nIn version %d, as it is now, it no longer happens.\n", r->row->resolution);
}

/* What has become of the event `ev` of `told` since: for the referee as it is now, for players that it was corrected.
 */
static struct err *put_since(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct resolved *told, const struct event *ev, const struct chronicle *c, const char *rulebook,
	bool referee, struct buf *out)
{
	const struct turn_row *row = told->row;
	struct turn_row *now;
	struct resolved *r;
	bool since;
	struct err *e = referee ? store_turn(s->store, mem, b->game, row->turn, &now)
				: store_turn_told(s->store, mem, b->game, row->turn, &now);

	if (e != NULL)
		return e;
	since = now != NULL && now->line == row->line && now->resolution > row->resolution;
	if (since && referee) {
		e = resolved_read(mem, now, &r);
		if (e != NULL)
			return e;
		put_as_now(mem, b, r, ev->key, c, rulebook, out);
		put_changes(mem, r, ev, out);
	} else if (referee) {
		put_changes(mem, told, ev, out);
	} else if (since && (now->after_len != row->after_len || memcmp(now->after, row->after, row->after_len) != 0)) {
		buf_printf(out, "\nThe referee has corrected that report since; this is how it was told in it.\n");
	}
	return NULL;
}

/* All rulings that an event of these rules may cite: the rule set's own first where it has a book, then the shared
 * ones: it may word one of them in its own numbers. */
static struct err *read_rulebooks(TALLOC_CTX *mem, const struct board *b, char **out)
{
	char *own;
	size_t len;
	struct err *e = data_read(mem, "doc/rulebook.md", out, &len), *none;

	if (e != NULL)
		return e;
	none = data_read(mem, talloc_asprintf(mem, "doc/rulebook-%s.md", b->rules->name), &own, &len);
	if (none == NULL)
		*out = talloc_asprintf(mem, "%s\n\n%s", own, *out);
	talloc_free(none);
	return NULL;
}

/* The rulebook gives the usual numbers: which of those in the rulings cited are others in this turn of this game. */
static struct err *put_unusual(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct turn_row *row, const char *cited, struct buf *out)
{
	struct board then;
	const char *unusual = "";
	struct err *e = board_as_of(s, mem, b, row->turn, row->line, &then);

	if (e == NULL)
		e = options_unusual(mem, then.rules, then.sc->parameters, cited, &unusual);
	if (unusual[0] != '\0')
		buf_printf(out, "\n%s\n",
			text_wrap(out,
				talloc_asprintf(out,
					"The rules above give the usual numbers. In this game these are others: %s.",
					unusual),
				LETTER_COLUMNS, 0));
	return e;
}

struct err *why_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct turn_row *row,
	int number, bool referee, char **out)
{
	struct buf *text = buf_new(mem);
	const struct event *ev;
	struct resolved *r;
	struct chronicle *c;
	char *rulebook;
	struct err *e = resolved_read(mem, row, &r);

	if (e == NULL)
		e = report_chronicle(mem, b, &c);
	if (e == NULL)
		e = read_rulebooks(mem, b, &rulebook);
	if (e != NULL)
		return e;
	if (number < 1 || number > r->events->count)
		return err_new(mem, ERR_GAME, false, "", "%s", resolved_numbers_text(mem, row->turn, r->events));
	ev = r->events->list[number - 1];
	buf_printf(
		text, "Turn %d, event %d:\n\n%s", row->turn, number, why_event(mem, c, b->sc, r->after, ev, rulebook));
	e = put_unusual(s, mem, b, row, ev->ruling, text);
	if (e == NULL)
		e = put_since(s, mem, b, r, ev, c, rulebook, referee, text);
	*out = text->data;
	return e;
}
