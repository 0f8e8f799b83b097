#include "service/undo.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"

#include <stdlib.h>
#include <string.h>

static const char undo_word[] = "UNDO ";

/* Was the turn resolved for the first time, or played on, and not changed? */
static bool plays_on(const char *why)
{
	static const char *const words[] = {
		"deadline", "all ready", "referee", "command line", "conceded", "verdict", "drill"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(why, words[i]) == 0)
			return true;
	return false;
}

static void mark_undone(struct desk_changes *changes, int number)
{
	for (int i = 0; i < changes->count; i++)
		if (changes->list[i].number == number)
			changes->list[i].undone = true;
}

static void add(TALLOC_CTX *mem, struct desk_changes *changes, const struct version *was, const struct version *is)
{
	changes->list = talloc_realloc(mem, changes->list, struct desk_change, (unsigned)changes->count + 1);
	changes->list[changes->count] = (struct desk_change){changes->count + 1, is->row->why, was, is, false};
	changes->count++;
}

static struct err *load_version(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int resolution, struct version **out)
{
	struct turn_row *row;
	struct err *e = store_turn_resolution(s->store, mem, b->game, turn, resolution, &row);

	*out = NULL;
	if (e != NULL || row == NULL)
		return e;
	*out = talloc_zero(mem, struct version);
	(*out)->row = row;
	return amendments_read(*out, row->amendments, row->amendments_len, &(*out)->amendments);
}

struct err *undo_changes(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct resolved *last,
	struct desk_changes *out)
{
	struct version *was = NULL, *is;
	struct err *e = NULL;

	*out = (struct desk_changes){NULL, 0};
	for (int k = 1; e == NULL && k <= last->row->resolution; k++, was = is) {
		e = load_version(s, mem, b, last->row->turn, k, &is);
		if (e != NULL || is == NULL || was == NULL || plays_on(is->row->why))
			continue;
		if (strncmp(is->row->why, undo_word, strlen(undo_word)) == 0)
			mark_undone(out, (int)strtol(is->row->why + strlen(undo_word), NULL, 10));
		else
			add(mem, out, was, is);
	}
	return e;
}

char *undo_list(TALLOC_CTX *mem, const struct desk_changes *changes)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < changes->count; i++)
		if (!changes->list[i].undone)
			buf_printf(out, "%s\n",
				text_wrap(out,
					talloc_asprintf(out, "%d. %s", changes->list[i].number, changes->list[i].what),
					LETTER_COLUMNS, 3));
	return out->data;
}

const struct desk_change *undo_latest(const struct desk_changes *changes)
{
	for (int i = changes->count - 1; i >= 0; i--)
		if (!changes->list[i].undone)
			return &changes->list[i];
	return NULL;
}

/* One that is among `of` and not among `all`, or NULL: a change makes one, or takes one away. */
static const struct amendment *one_of(const struct amendments *of, const struct amendments *all)
{
	for (int i = of->count - 1; i >= 0; i--)
		if (!amendment_stands(all, of->list[i]))
			return of->list[i];
	return NULL;
}

const struct amendment *undo_amendment(const struct desk_change *c)
{
	const struct amendment *made = one_of(c->is->amendments, c->was->amendments);

	return made != NULL ? made : one_of(c->was->amendments, c->is->amendments);
}

char *undo_reasons(TALLOC_CTX *mem, const struct desk_changes *changes, int version)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < changes->count; i++) {
		const struct desk_change *c = &changes->list[i];
		const struct amendment *about = undo_amendment(c);
		const char *why = about != NULL ? about->because : "";
		size_t len = strlen(why);

		if (c->undone || c->is->row->resolution <= version)
			continue;
		len -= len > 0 && why[len - 1] == '.';
		buf_printf(out, "%s\n",
			text_wrap(out,
				talloc_asprintf(out, "- The referee rules: %s%s%.*s.", c->what,
					len > 0 ? ", because " : "", (int)len, why),
				LETTER_COLUMNS, 2));
	}
	return out->data;
}

static const struct desk_change *later_of(const struct desk_changes *changes, const struct desk_change *c)
{
	const struct amendment *about = undo_amendment(c), *other;

	for (int i = changes->count - 1; i >= 0 && &changes->list[i] != c; i--) {
		other = undo_amendment(&changes->list[i]);
		if (!changes->list[i].undone &&
			(about == NULL ? other == NULL : other != NULL && amendment_alike(about, other)))
			return &changes->list[i];
	}
	return NULL;
}

bool undo_change(TALLOC_CTX *mem, const struct desk_changes *changes, const struct desk_change *c,
	const struct resolved *last, struct change *out, const char **why)
{
	const struct desk_change *later = later_of(changes, c);
	const struct amendment *about = undo_amendment(c), *before;
	struct amendments *all;

	*why = "";
	if (later != NULL) {
		*why = talloc_asprintf(mem,
			"your change %d (%s) was made on top of it. Take that one back first: UNDO %d.", later->number,
			later->what, later->number);
		return false;
	}
	if (about == NULL && strcmp(c->is->row->orders, last->row->orders) != 0) {
		*why = "other orders have come on top of it since. Write the orders as they shall be with ORDER or "
		       "VOID "
		       "ORDERS.";
		return false;
	}
	all = amendments_but(mem, last->amendments, about);
	before = about != NULL ? amendment_about(c->was->amendments, about) : NULL;
	if (before != NULL)
		amendments_put(all, before);
	*out = (struct change){
		.amendments = all,
		.orders = about == NULL ? c->was->row->orders : NULL,
		.what = talloc_asprintf(mem, "%s%d", undo_word, c->number),
	};
	return true;
}
