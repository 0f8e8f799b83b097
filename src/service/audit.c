#include "service/audit.h"

#include "service/adjudicate.h"
#include "service/lease.h"
#include "store/backup.h"
#include "store/lines.h"

#include <string.h>

static bool same_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* What differs when the turn is played again; "" for nothing. */
static struct err *replay(const struct service *s, TALLOC_CTX *mem, const struct board *now, const struct turn_row *row,
	const char **fault)
{
	struct board then;
	struct state *after;
	struct events *events;
	size_t state_len, events_len;
	char *state_bytes, *events_bytes;
	struct err *e = board_as_of(s, mem, now, row->turn, row->line, &then);

	if (e == NULL)
		e = adjudicate_again(mem, &then, row, &after, &events);

	if (e != NULL)
		return e;
	state_bytes = state_write(mem, after, &state_len);
	events_bytes = events_write(mem, events, &events_len);
	if (strcmp(state_digest(mem, after), row->digest) != 0 ||
		!same_bytes(state_bytes, state_len, row->after, row->after_len))
		*fault = "played again it ends otherwise than it was stored";
	else if (!same_bytes(events_bytes, events_len, row->events, row->events_len))
		*fault = "played again other things happen than were stored";
	else
		*fault = "";
	return NULL;
}

/* The canonical bytes of the state, but as the start of a turn of that line of play. */
static struct err *as_of_line(TALLOC_CTX *mem, const struct turn_row *row, int line, char **out, size_t *len)
{
	struct state *state;
	struct err *e = state_read(mem, row->after, row->after_len, &state);

	if (e != NULL)
		return e;
	state->line = line;
	*out = state_write(mem, state, len);
	return NULL;
}

/* Does the turn start where the one before it ended? A rollback leaves a line whose next turn rests on the resolution
 * that counted then: so where there are several lines, any resolution will do. */
static struct err *starts_right(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, bool *out)
{
	struct turn_row *last = NULL;
	char *bytes;
	size_t len;
	struct err *e;

	if (row->turn == 1) {
		bytes = state_write(mem, b->state, &len);
		*out = same_bytes(bytes, len, row->before, row->before_len);
		return NULL;
	}
	*out = false;
	e = store_turn(s->store, mem, b->game, row->turn - 1, &last);
	for (int n = last == NULL ? 0 : last->resolution; e == NULL && n > 0 && !*out; n--) {
		struct turn_row *before = last;

		if (n < last->resolution)
			e = store_turn_resolution(s->store, mem, b->game, row->turn - 1, n, &before);
		if (e == NULL && before != NULL)
			e = as_of_line(mem, before, row->line, &bytes, &len);
		if (e == NULL && before != NULL)
			*out = same_bytes(bytes, len, row->before, row->before_len);
		if (b->game->line == 1)
			break;
	}
	return e;
}

/* The resolutions that a referee's amendments, or the next part of the turn, have replaced: each replays to itself. */
static struct err *verify_earlier(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct turn_row *last, const char **fault)
{
	struct err *e = NULL;

	for (int n = 1; e == NULL && n < last->resolution && **fault == '\0'; n++) {
		struct turn_row *row;

		e = store_turn_resolution(s->store, mem, b->game, last->turn, n, &row);
		if (e == NULL && row == NULL)
			*fault = talloc_asprintf(mem, "its version %d is missing", n);
		else if (e == NULL && !same_bytes(row->before, row->before_len, last->before, last->before_len))
			*fault = talloc_asprintf(mem, "its version %d starts elsewhere than the last one", n);
		else if (e == NULL)
			e = replay(s, mem, b, row, fault);
	}
	return e;
}

/* Judges one turn of the board's line of play. */
static struct err *verify_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct audit_row *out)
{
	TALLOC_CTX *one = talloc_new(mem);
	struct turn_row *row;
	bool right = false;
	struct err *e = store_turn(s->store, one, b->game, out->turn, &row);

	out->digest = out->fault = "";
	out->resolutions = 0;
	if (e == NULL && row == NULL) {
		out->fault = "it is missing";
	} else if (e == NULL) {
		out->digest = talloc_strdup(mem, row->digest);
		e = starts_right(s, one, b, row, &right);
		if (e == NULL && !right)
			out->fault = "it does not start where the turn before it ended";
		else if (e == NULL)
			e = replay(s, one, b, row, &out->fault);
		if (e == NULL)
			e = verify_earlier(s, one, b, row, &out->fault);
		out->fault = talloc_strdup(mem, out->fault);
		out->resolutions = row->resolution;
	}
	/* Bytes that cannot be read are the fault of this turn, and the others can be judged all the same. */
	if (e != NULL && row != NULL) {
		out->fault = talloc_strdup(mem, e->what);
		e = NULL;
	}
	if (e != NULL)
		talloc_steal(mem, e);
	talloc_free(one);
	return e;
}

/* The turns that a line of play has of its own, from `start` to before `end`. */
static struct err *verify_line(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, int line, int start, int end, struct audit *out)
{
	struct game *start_of = talloc_memdup(mem, g, sizeof *g);
	struct board *b = NULL;
	struct err *e;

	/* The board as it was set out: at turn 1 nothing that was stored is read. */
	start_of->line = line;
	start_of->turn = 1;
	start_of->part = 0;
	e = board_load(s, mem, start_of, &b);
	for (int turn = start; e == NULL && turn < end; turn++) {
		struct audit_row *row;

		out->rows = talloc_realloc(mem, out->rows, struct audit_row, (unsigned)out->count + 1);
		row = &out->rows[out->count++];
		row->line = line;
		row->turn = turn;
		e = verify_turn(s, mem, b, row);
		out->faults += e == NULL && row->fault[0] != '\0';
	}
	return e;
}

struct err *audit_verify(const struct service *s, TALLOC_CTX *mem, struct game *g, struct audit *out)
{
	struct line_rows lines;
	struct err *e = store_lines(s->store, mem, g->id, &lines);

	*out = (struct audit){NULL, 0, 0, lines.count};
	if (e == NULL && lines.count == 0)
		e = verify_line(s, mem, g, 1, 1, g->turn + (g->part > 0), out);
	for (int i = 0; e == NULL && i < lines.count; i++) {
		const struct line_row *l = &lines.list[i];

		/* A turn that has been played in part is verified as far as it goes. */
		e = verify_line(s, mem, g, l->line, l->start,
			l->line == g->line ? g->turn + (g->part > 0) : l->turn + (l->part > 0), out);
	}
	return e;
}

struct err *audit_backup(const struct service *s, TALLOC_CTX *mem, const char *path)
{
	return store_backup(s->store, mem, path);
}

struct err *audit_restore(TALLOC_CTX *mem, const struct config *config, const char *from, char **aside)
{
	/* Leases go by the wall clock, --now or not (lease.c). */
	int64_t now = clock_now(&(struct clock){.fixed = -1});
	const char *const *migrations;
	struct err *e = store_migrations(mem, &migrations);

	return e != NULL ? e : store_restore(mem, config->database, from, migrations, now, lease_owner_lives, aside);
}
