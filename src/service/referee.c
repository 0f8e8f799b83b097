#include "service/referee.h"

#include "service/calendar.h"
#include "service/letters.h"
#include "service/part.h"
#include "service/review.h"
#include "service/undo.h"

#include <string.h>

struct err *resolved_read(TALLOC_CTX *mem, const struct turn_row *row, struct resolved **out)
{
	struct resolved *r = talloc_zero(mem, struct resolved);
	struct err *e = state_read(r, row->before, row->before_len, &r->before);

	r->row = row;
	if (e == NULL)
		e = state_read(r, row->after, row->after_len, &r->after);
	if (e == NULL)
		e = events_read(r, row->events, row->events_len, &r->events);
	if (e == NULL)
		e = amendments_read(r, row->amendments, row->amendments_len, &r->amendments);
	*out = r;
	return e;
}

char *resolved_numbers_text(TALLOC_CTX *mem, int turn, const struct events *events)
{
	if (events->count == 0)
		return talloc_asprintf(mem, "turn %d has no events", turn);
	if (events->count == 1)
		return talloc_asprintf(mem, "turn %d has one event, number 1", turn);
	return talloc_asprintf(mem, "the events of turn %d are numbered 1 to %d", turn, events->count);
}

struct err *referee_last(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct resolved **out)
{
	struct turn_row *row = NULL;
	int turn = last_turn(b->game);
	struct err *e = turn > 0 ? store_turn(s->store, mem, b->game, turn, &row) : NULL;

	*out = NULL;
	return e != NULL || row == NULL ? e : resolved_read(mem, row, out);
}

int referee_stands_there(const struct scenario *sc, const struct state *s, int unit, const struct box *box)
{
	bool lone = s->units[unit].kind == KIND_COMMANDER; /* else commanders make way */

	if (!geo_within(box, (struct point){0, 0}, (struct point){sc->table.width, sc->table.height}))
		return OFF_TABLE;
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (i != unit && unit_alive(u) && (u->kind != KIND_COMMANDER || (lone && u->with < 0)) &&
			geo_overlap(&u->box, box))
			return i;
	}
	return NOBODY;
}

/* --- amending --------------------------------------------------------------------------------------------------- */

enum subject {
	SUBJECT_RESULT,
	SUBJECT_DIE,
	SUBJECT_BASES,
	SUBJECT_FIGURES,
	SUBJECT_PLACE,
	SUBJECT_LIFE,
	SUBJECT_VERDICT
};

/* What an amendment is about: of two about the same thing the later stands. */
static enum subject subject_of(const struct amendment *a)
{
	switch (a->op) {
	case AMEND_DIE:
	case AMEND_DEAL:
		return SUBJECT_DIE;
	case AMEND_HITS:
	case AMEND_VOID:
		return SUBJECT_RESULT;
	case AMEND_BASES:
		return SUBJECT_BASES;
	case AMEND_FIGURES:
		return SUBJECT_FIGURES;
	case AMEND_PLACE:
		return SUBJECT_PLACE;
	case AMEND_REMOVE:
	case AMEND_RESTORE:
	case AMEND_KILL:
	case AMEND_SPARE:
		break;
	case AMEND_VERDICT:
		return SUBJECT_VERDICT;
	}
	return SUBJECT_LIFE;
}

bool amendment_alike(const struct amendment *a, const struct amendment *b)
{
	return subject_of(a) == subject_of(b) && a->unit == b->unit && strcmp(a->key, b->key) == 0 &&
	       strcmp(a->before, b->before) == 0;
}

const struct amendment *amendment_about(const struct amendments *all, const struct amendment *like)
{
	for (int i = 0; i < all->count; i++)
		if (amendment_alike(all->list[i], like))
			return all->list[i];
	return NULL;
}

/* Do both do the same, for the same reason? */
static bool amendment_same(const struct amendment *a, const struct amendment *b)
{
	return amendment_alike(a, b) && a->op == b->op && a->value == b->value && a->box.front.x == b->box.front.x &&
	       a->box.front.y == b->box.front.y && a->box.facing == b->box.facing &&
	       strcmp(a->because, b->because) == 0;
}

bool amendment_stands(const struct amendments *all, const struct amendment *like)
{
	const struct amendment *a = amendment_about(all, like);

	return a != NULL && amendment_same(a, like);
}

struct amendments *amendments_but(TALLOC_CTX *mem, const struct amendments *old, const struct amendment *about)
{
	struct amendments *all = amendments_new(mem);

	for (int i = 0; i < old->count; i++)
		if (about == NULL || !amendment_alike(old->list[i], about))
			amendments_put(all, old->list[i]);
	return all;
}

struct amendment *amendments_put(struct amendments *all, const struct amendment *added)
{
	struct amendment *a = amendments_add(all, added->op);

	*a = *added;
	a->used = 0;
	return a;
}

static struct err *keep(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct resolved *last,
	const struct change *c, const char *orders, struct resolved *now)
{
	struct turn_row *row = talloc(mem, struct turn_row);
	struct err *e;

	*row = *last->row;
	row->resolution++;
	row->resolved = clock_now(&s->clock);
	row->why = c->what;
	row->orders = orders;
	row->amendments = amendments_write(mem, now->amendments, &row->amendments_len);
	row->events = events_write(mem, now->events, &row->events_len);
	row->after = state_write(mem, now->after, &row->after_len);
	row->digest = state_digest(mem, now->after);
	now->row = row;
	e = store_add_turn(s->store, mem, b->game, row);
	return e != NULL ? e : part_keep_way(s, mem, b, row->id, now->from, &now->way);
}

/* --- from where ----------------------------------------------------------------------------------------------------
 */

static bool happens_in(const struct event *ev, const char *key)
{
	for (int i = 0; i < ev->dice_count; i++)
		if (strcmp(ev->dice[i].name, key) == 0)
			return true;
	return strcmp(ev->key, key) == 0;
}

/* The phase in which an amendment acts; -1 when it met nothing in those events. */
static int phase_of(const struct amendment *a, const struct ruleset *rules, const struct events *events)
{
	enum subject subject = subject_of(a);
	const char *key = subject == SUBJECT_RESULT || subject == SUBJECT_DIE ? a->key : a->before;
	TALLOC_CTX *scratch;
	int phase = -1;

	if (subject == SUBJECT_VERDICT)
		return a->unit;
	if (key[0] == '\0')
		return rules->phase_count - 1;
	for (int i = 0; i < events->count; i++)
		if (happens_in(events->list[i], key))
			return events->list[i]->phase;
	scratch = talloc_new(NULL);
	for (int i = 0; i < rules->phase_count; i++)
		if (strcmp(amendment_after_phase(scratch, i), key) == 0)
			phase = i;
	talloc_free(scratch);
	return phase;
}

/* Of those that stand among the others, too, the one number `n`; NULL behind the last. */
static const struct amendment *common(const struct amendments *all, const struct amendments *others, int n)
{
	for (int i = 0; i < all->count; i++)
		if (amendment_stands(others, all->list[i]) && n-- == 0)
			return all->list[i];
	return NULL;
}

/* The first phase in which one of them acts that does not stand among the others, or in another order, since what acts
 * at one moment acts in theirs; at most `first`, and 0 where that is not known. */
static int first_phase(const struct amendments *all, const struct amendments *others, const struct ruleset *rules,
	const struct events *events, int first)
{
	int n = 0;

	for (int i = 0; i < all->count; i++) {
		int phase;

		if (amendment_stands(others, all->list[i]) && amendment_same(all->list[i], common(others, all, n++)))
			continue;
		phase = phase_of(all->list[i], rules, events);
		first = phase < 0 ? 0 : phase < first ? phase : first;
	}
	return first;
}

/* The position from which the turn of `last` is to be played again with these inputs: up to there all is as it was, and
 * at least the last phase that was played is still to come. */
static struct err *find_start(const struct service *s, TALLOC_CTX *mem, const struct board *then,
	const struct resolved *last, const char *orders, const struct amendments *amendments, struct state **out)
{
	int end = last->after->next_phase > 0 ? last->after->next_phase : then->rules->phase_count;
	int phase = first_phase(last->amendments, amendments, then->rules, last->events, end - 1);
	struct phase_row found = {0, NULL, 0};
	struct err *e = NULL;

	phase = first_phase(amendments, last->amendments, then->rules, last->events, phase);
	*out = last->before;
	if (strcmp(orders, last->row->orders) == 0)
		e = store_phase(s->store, mem, then->game->id, last->row->id, phase, &found);
	if (e == NULL && found.state != NULL)
		e = state_read(mem, found.state, found.len, out);
	return e;
}

/* Plays the turn of `last` again, as far as it has been played, with these inputs. */
static struct err *play_again(const struct service *s, TALLOC_CTX *mem, const struct board *then,
	const struct resolved *last, const char *orders, struct amendments *amendments, struct resolved **out)
{
	struct resolved *now = talloc_zero(mem, struct resolved);
	struct state *start;
	struct err *e = find_start(s, now, then, last, orders, amendments, &start);

	if (e != NULL)
		return e;
	now->before = last->before;
	now->from = start->next_phase;
	now->amendments = talloc_steal(now, amendments);
	now->events = events_new(now);
	for (int i = 0; i < last->events->count && last->events->list[i]->phase < now->from; i++)
		events_share(now->events, last->events->list[i]);
	for (int i = 0; i < amendments->count; i++) {
		int phase = phase_of(amendments->list[i], then->rules, now->events);

		amendments->list[i]->used = phase >= 0 && phase < now->from;
	}
	now->after = part_play(now, then, start, last->after->next_phase, part_read(now, then, last->before, orders),
		amendments, now->events, &now->way);
	*out = now;
	return NULL;
}

/* The version of the turn that was resolved with the very same inputs; *out is NULL when there is none. */
static struct err *find_version(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct resolved *last, const char *orders, const struct amendments *amendments, struct turn_row **out)
{
	size_t len;
	const char *bytes = amendments_write(mem, amendments, &len);
	struct turn_row *row;
	struct err *e = NULL;

	*out = NULL;
	for (int k = last->row->resolution; e == NULL && *out == NULL && k > 0; k--) {
		e = store_turn_resolution(s->store, mem, b->game, last->row->turn, k, &row);
		if (e == NULL && row != NULL && strcmp(row->orders, orders) == 0 && row->amendments_len == len &&
			memcmp(row->amendments, bytes, len) == 0)
			*out = row;
	}
	return e;
}

static const struct event *next_deed(const struct events *events, int *i)
{
	while (*i < events->count &&
		(events->list[*i]->kind == EVENT_RULING || events->list[*i]->kind == EVENT_RULING_UNUSED))
		++*i;
	return *i < events->count ? events->list[(*i)++] : NULL;
}

/* Did the same happen, the referee's own words aside? */
static bool came_out_alike(TALLOC_CTX *mem, const struct resolved *a, const struct resolved *b)
{
	const struct event *x, *y;
	int i = 0, k = 0;

	if (strcmp(state_digest(mem, a->after), state_digest(mem, b->after)) != 0)
		return false;
	do {
		x = next_deed(a->events, &i);
		y = next_deed(b->events, &k);
		if (x != NULL && y != NULL && !event_same(x, y))
			return false;
	} while (x != NULL && y != NULL);
	return x == y;
}

/* What the turn would be without a change that has taken the place of an earlier one, if that is what it is with it:
 * what only undoes what the referee has done before is no ruling. Else *out stays as it is. */
static struct err *unless_undone(const struct service *s, TALLOC_CTX *mem, const struct board *then,
	const struct resolved *last, const char *orders, struct amendments *without, struct resolved **out)
{
	struct resolved *plain = NULL;
	struct turn_row *row;
	struct err *e = find_version(s, mem, then, last, orders, without, &row);

	if (e == NULL && row == NULL)
		e = play_again(s, mem, then, last, orders, without, &plain);
	else if (e == NULL && strcmp(row->digest, state_digest(mem, (*out)->after)) == 0)
		e = resolved_read(mem, row, &plain);
	if (e == NULL && plain != NULL && came_out_alike(mem, *out, plain))
		*out = plain;
	return e;
}

struct err *referee_amend(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct resolved *last,
	const struct change *c, struct resolved **out)
{
	const char *orders = c->orders != NULL ? c->orders : last->row->orders;
	const struct amendments *kept = c->amendments != NULL ? c->amendments : last->amendments;
	struct amendments *all = amendments_but(mem, kept, c->amendment);
	bool instead = all->count < kept->count;
	struct amendment *put = c->amendment != NULL ? amendments_put(all, c->amendment) : NULL;
	struct resolved *now;
	struct state *stands;
	struct board then;
	struct err *e = board_as_of(s, mem, b, last->row->turn, last->row->line, &then);

	*out = NULL;
	if (e == NULL)
		e = play_again(s, mem, &then, last, orders, all, &now);
	if (e != NULL)
		return e;
	if (c->amendments == NULL && (put != NULL ? put->used == 0 : strcmp(orders, last->row->orders) == 0))
		return NULL;
	if (put != NULL && amendment_stands(last->amendments, put) && came_out_alike(mem, now, last))
		return NULL;
	if (instead)
		e = unless_undone(s, mem, &then, last, orders, amendments_but(mem, kept, c->amendment), &now);
	if (e == NULL)
		e = keep(s, mem, b, last, c, orders, now);
	if (e != NULL)
		return e;
	stands = state_copy(b, now->after);
	stands->line = b->game->line;
	b->state = stands;
	*out = now;
	return NULL;
}

/* --- what players are told -------------------------------------------------------------------------------------- */

int64_t release_deadline(const struct game *g, int64_t resolved, int64_t now)
{
	int64_t when = g->deadline;

	if (g->deadline > now && g->deadline_set)
		return g->deadline;
	while (when - now < (g->deadline - resolved) / 2 || when <= now)
		when = calendar_next(g->slot, g->zone, g->skips, when > now ? when : now);
	return when;
}

/* The game after its last turn came out so: it ends, or goes on until `deadline`. */
static void settle_game(struct game *g, const struct resolved *r, int64_t deadline)
{
	bool over = r->after->winner != WINNER_OPEN;

	g->deadline = over ? 0 : deadline;
	if (over)
		g->status = "ended";
}

/* As if it had been resolved just now. */
static struct adjudication *as_adjudication(TALLOC_CTX *mem, const struct board *b, const struct resolved *r)
{
	struct adjudication *a = talloc_zero(mem, struct adjudication);

	a->board = talloc(a, struct board);
	*a->board = *b;
	a->board->state = r->before;
	a->events = r->events;
	a->after = r->after;
	a->row = r->row->id;
	return a;
}

struct err *referee_told(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct resolved *last,
	struct resolved **out)
{
	struct turn_row *row;
	struct resolved *told = NULL;
	struct err *e = store_turn_told(s->store, mem, b->game, last->row->turn, &row);

	if (e == NULL && row != NULL)
		e = resolved_read(mem, row, &told);
	*out = told != NULL && told->after->next_phase == last->after->next_phase ? told : NULL;
	return e;
}

struct err *referee_hold_back(const struct service *s, TALLOC_CTX *mem, struct board *b)
{
	b->game->held = true;
	b->game->release_at = 0;
	return store_update_game(s->store, mem, b->game);
}

/* Its report, without what they know of parts that went before, or a correction of the version that they know. */
struct err *referee_tell_released(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct released *released)
{
	const struct resolved *r = released->turn, *known = released->known;
	struct adjudication *a = as_adjudication(mem, b, r);
	struct desk_changes changes;
	struct events *events;
	struct err *e = NULL;

	if (known != NULL && !came_out_alike(mem, known, r)) {
		e = undo_changes(s, mem, b, r, &changes);
		return e != NULL ? e
				 : letter_corrections(
					   s, mem, a, known, undo_reasons(mem, &changes, known->row->resolution));
	}
	if (known != NULL)
		return NULL;
	if (released->told != NULL) {
		e = events_read(mem, released->told->events, released->told->events_len, &events);
		a->told = e == NULL ? events->count : 0;
	}
	return e != NULL ? e : letter_reports(s, mem, a);
}

struct err *referee_release(const struct service *s, TALLOC_CTX *mem, struct board *b, struct released *out)
{
	struct game *g = b->game;
	int64_t now = clock_now(&s->clock);
	struct resolved *r, *known;
	struct turn_row *told, *first;
	struct err *e = referee_last(s, mem, b, &r);

	if (e == NULL)
		e = store_turn_told(s->store, mem, g, r->row->turn, &told);
	if (e == NULL)
		e = referee_told(s, mem, b, r, &known);
	if (e == NULL) /* the resolution with which the hold began */
		e = store_turn_resolution(
			s->store, mem, g, r->row->turn, told == NULL ? 1 : told->resolution + 1, &first);
	if (e != NULL)
		return e;
	g->held = false;
	g->release_at = 0;
	settle_game(g, r, g->deadline == 0 ? next_deadline(g, now) : release_deadline(g, first->resolved, now));
	*out = (struct released){r, told, known};
	e = store_update_game(s->store, mem, g);
	return e != NULL ? e : store_release_turn(s->store, mem, r->row->id, now);
}

struct err *referee_keep_quiet(const struct service *s, TALLOC_CTX *mem, const struct resolved *now)
{
	return store_release_turn(s->store, mem, now->row->id, clock_now(&s->clock));
}

struct err *referee_correct(
	const struct service *s, TALLOC_CTX *mem, struct board *b, const struct resolved *told, const char *because)
{
	struct resolved *r;
	struct err *e = referee_last(s, mem, b, &r);

	if (e == NULL)
		e = store_release_turn(s->store, mem, r->row->id, clock_now(&s->clock));
	if (e != NULL)
		return e;
	settle_game(b->game, r, b->game->deadline);
	e = store_update_game(s->store, mem, b->game);
	return e != NULL ? e : letter_corrections(s, mem, as_adjudication(mem, b, r), told, because);
}
