#include "service/listing.h"

#include "orders/print.h"
#include "report/things.h"
#include "service/drill.h"
#include "service/part.h"
#include "service/post.h"
#include "store/people.h"

#include <string.h>

static const char *const letters[SIDES] = {"E", "J"};

static struct json begin(struct buf *out)
{
	struct json j;

	json_begin(&j, out);
	json_open_object(&j, NULL);
	return j;
}

static char *end(TALLOC_CTX *mem, struct json *j)
{
	json_close_object(j);
	buf_addc(j->out, '\n');
	return buf_steal(mem, j->out);
}

static void put_time(struct json *j, const char *name, int64_t when)
{
	json_string(j, name, when > 0 ? clock_iso(j->out, when) : NULL);
}

/* Words parted by blanks. */
static void put_words(struct json *j, const char *name, const char *words)
{
	json_open_array(j, name);
	for (const char *p = words; *p != '\0';) {
		size_t len = strcspn(p, " ");

		if (len > 0)
			json_string(j, NULL, talloc_strndup(j->out, p, len));
		p += len + (p[len] == ' ');
	}
	json_close_array(j);
}

static void put_game(struct json *j, const struct game *g)
{
	json_string(j, "game", g->name);
	json_string(j, "battle", g->battle);
	json_string(j, "rules", g->rules);
	json_string(j, "status", g->status);
	json_int(j, "line", g->line);
	json_int(j, "turn", g->turn);
	json_int(j, "part", g->part);
	put_time(j, "deadline", g->held ? 0 : g->deadline);
	json_bool(j, "held", g->held);
	put_time(j, "release", g->held ? g->release_at : 0);
	json_string(j, "timezone", g->zone);
	json_string(j, "every", g->slot);
	json_string(j, "skip", g->skips);
	json_string(j, "remind", g->reminders);
	json_int(j, "grace", g->grace);
	json_string(j, "review", g->review);
	json_string(j, "concession", g->concession[0] != '\0' ? g->concession : NULL);
}

char *listing_games(TALLOC_CTX *mem, const struct games *games)
{
	struct json j = begin(buf_new(mem));

	json_open_array(&j, "games");
	for (int i = 0; i < games->count; i++) {
		if (is_drill(&games->list[i]))
			continue;
		json_open_object(&j, NULL);
		put_game(&j, &games->list[i]);
		json_close_object(&j);
	}
	json_close_array(&j);
	return end(mem, &j);
}

/* --- people ------------------------------------------------------------------------------------------------------- */

static struct err *put_player(struct json *j, const struct service *s, const struct board *b, const struct player *p)
{
	const char **deputies;
	struct err *e = store_addresses(s->store, j->out, p->id, true, &deputies);

	if (e != NULL)
		return e;
	json_open_object(j, NULL);
	json_int(j, "player", p->id);
	json_string(j, "role", p->role);
	json_string(j, "name", p->name);
	json_string(j, "address", p->address);
	put_words(j, "units", p->units);
	json_string(j, "command", player_side(p) < 0 ? NULL : command_text(j->out, b, p));
	json_open_array(j, "deputies");
	for (int i = 0; deputies[i] != NULL; i++)
		json_string(j, NULL, deputies[i]);
	json_close_array(j);
	put_time(j, "heard", p->heard);
	put_time(j, "bounced", p->bounced);
	json_bool(j, "stopped", p->stopped);
	json_close_object(j);
	return NULL;
}

static struct err *put_players(struct json *j, const struct service *s, const struct board *b)
{
	struct players players;
	struct err *e = store_players(s->store, j->out, b->game->id, &players);

	json_open_array(j, "players");
	for (int i = 0; e == NULL && i < players.count; i++)
		e = put_player(j, s, b, &players.list[i]);
	json_close_array(j);
	return e;
}

struct err *listing_game(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct json j = begin(buf_new(mem));
	struct err *e;

	put_game(&j, b->game);
	e = put_players(&j, s, b);
	*out = end(mem, &j);
	return e;
}

struct err *listing_players(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct json j = begin(buf_new(mem));
	struct err *e;

	json_string(&j, "game", b->game->name);
	e = put_players(&j, s, b);
	*out = end(mem, &j);
	return e;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void put_place(struct json *j, const struct board *b, const struct unit *u)
{
	const struct state *s = b->state;
	int piece = (int)(u - s->units);

	json_string(j, "square", square_name(j->out, &b->sc->table, u->box.front));
	json_int(j, "x", u->box.front.x);
	json_int(j, "y", u->box.front.y);
	json_int(j, "facing", u->box.facing);
	json_string(j, "with", u->with >= 0 ? s->units[u->with].id : NULL);
	json_open_array(j, "locked");
	for (int i = 0; i < s->count; i++)
		if (i != piece && state_locked_pair(s, piece, i))
			json_string(j, NULL, s->units[i].id);
	json_close_array(j);
}

static void put_piece(struct json *j, const struct board *b, const struct unit *u)
{
	json_open_object(j, NULL);
	json_string(j, "unit", u->id);
	json_string(j, "code", u->code);
	json_string(j, "name", u->name);
	json_string(j, "side", letters[u->side]);
	json_string(j, "kind", kind_word(u->kind));
	json_string(j, "wing", u->wing);
	json_int(j, "bases", u->bases);
	json_int(j, "begun", u->begun);
	if (u->figures_begun > 0)
		json_int(j, "figures", u->figures);
	json_bool(j, "routing", u->routing);
	json_bool(j, "column", u->column);
	if (unit_alive(u))
		put_place(j, b, u);
	json_close_object(j);
}

char *listing_map(TALLOC_CTX *mem, const struct board *b)
{
	static const char *const winners[] = {NULL, "E", "J", "draw"}; /* in the order of enum winner */
	struct json j = begin(buf_new(mem));

	json_string(&j, "game", b->game->name);
	json_string(&j, "title", b->sc->title);
	json_int(&j, "line", b->game->line);
	json_int(&j, "turn", b->game->turn);
	json_int(&j, "part", b->game->part);
	json_string(&j, "winner", winners[b->state->winner]);
	json_string(&j, "digest", state_digest(mem, b->state));
	json_open_array(&j, "pieces");
	for (int i = 0; i < b->state->count; i++)
		put_piece(&j, b, &b->state->units[i]);
	json_close_array(&j);
	return end(mem, &j);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

void listing_piece_orders(
	struct json *j, const struct orderbook *book, int piece, const struct state *s, enum side side, bool tell_side)
{
	const struct unit *u = &s->units[piece];

	for (const struct clause *c = book->units[piece].clauses, *last; c != NULL; c = last) {
		last = orders_run_end(c);
		json_open_object(j, NULL);
		json_string(j, "unit", u->id);
		json_string(j, "code", u->code);
		if (tell_side)
			json_string(j, "side", letters[u->side]);
		json_bool(j, "standing", c->standing);
		json_open_array(j, "clauses");
		for (; c != last; c = c->next)
			json_string(j, NULL, clause_canonical(j->out, c, s, side));
		json_close_array(j);
		json_close_object(j);
	}
}

struct err *listing_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct json j = begin(buf_new(mem));
	const struct orderbook *book;
	struct err *e = board_orders(s, mem, b, -1, NULL, &book);

	if (e != NULL)
		return e;
	json_string(&j, "game", b->game->name);
	json_int(&j, "line", b->game->line);
	json_int(&j, "turn", b->game->turn);
	json_int(&j, "part", b->game->part);
	json_open_array(&j, "orders");
	for (int side = 0; side < SIDES; side++)
		for (int i = 0; i < book->count; i++)
			if ((int)b->state->units[i].side == side)
				listing_piece_orders(&j, book, i, b->state, (enum side)side, true);
	json_close_array(&j);
	json_open_array(&j, "priority");
	for (int side = 0; side < SIDES && b->rules->command_points; side++)
		for (int i = 0; i < book->priority_count[side]; i++)
			json_string(&j, NULL, b->state->units[book->priority[side][i]].id);
	json_close_array(&j);
	*out = end(mem, &j);
	return NULL;
}

/* --- the replay --------------------------------------------------------------------------------------------------- */

char *listing_audit(TALLOC_CTX *mem, const struct game *g, const struct audit *audit)
{
	struct json j = begin(buf_new(mem));

	json_string(&j, "game", g->name);
	json_int(&j, "faults", audit->faults);
	json_open_array(&j, "turns");
	for (int i = 0; i < audit->count; i++) {
		const struct audit_row *row = &audit->rows[i];

		json_open_object(&j, NULL);
		json_int(&j, "line", row->line);
		json_int(&j, "turn", row->turn);
		json_int(&j, "resolutions", row->resolutions);
		json_string(&j, "digest", row->digest[0] != '\0' ? row->digest : NULL);
		json_string(&j, "fault", row->fault[0] != '\0' ? row->fault : NULL);
		json_close_object(&j);
	}
	json_close_array(&j);
	return end(mem, &j);
}
