#include "service/audit.h"

#include "service/adjudicate.h"
#include "service/lease.h"
#include "store/backup.h"

#include <string.h>

static bool same_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* What differs when the turn is played again; "" for nothing. */
static struct err *replay(TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, const char **fault)
{
	struct state *after;
	struct events *events;
	size_t state_len, events_len;
	char *state_bytes, *events_bytes;
	struct err *e = adjudicate_again(mem, b, row, &after, &events);

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

/* Judges one turn; `start` are the bytes that it must start from and then those that the next one must. */
static struct err *verify_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **start,
	size_t *start_len, struct audit_row *out)
{
	TALLOC_CTX *one = talloc_new(mem);
	struct turn_row *row;
	struct err *e = store_turn(s->store, one, b->game, out->turn, &row);

	out->digest = out->fault = "";
	if (e == NULL && row == NULL) {
		out->fault = "it is missing";
	} else if (e == NULL) {
		out->digest = talloc_strdup(mem, row->digest);
		if (!same_bytes(*start, *start_len, row->before, row->before_len))
			out->fault = "it does not start where the turn before it ended";
		else
			e = replay(one, b, row, &out->fault);
		*start = talloc_memdup(mem, row->after, row->after_len);
		*start_len = row->after_len;
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

struct err *audit_verify(const struct service *s, TALLOC_CTX *mem, struct game *g, struct audit *out)
{
	struct board *b = NULL;
	struct game start_of = *g;
	int turns = g->turn - 1;
	char *start;
	size_t start_len;
	struct err *e;

	*out = (struct audit){talloc_zero_array(mem, struct audit_row, (unsigned)turns + 1), 0, 0};
	/* The board as it was set out: at turn 1 nothing that was stored is read. */
	start_of.turn = 1;
	e = board_load(s, mem, &start_of, &b);
	if (e != NULL)
		return e;
	start = state_write(mem, b->state, &start_len);
	for (int turn = 1; e == NULL && turn <= turns; turn++) {
		struct audit_row *row = &out->rows[out->count++];

		row->turn = turn;
		e = verify_turn(s, mem, b, &start, &start_len, row);
		out->faults += e == NULL && row->fault[0] != '\0';
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
