#include "store/games.h"

#include "store/outbox.h"
#include "store/sql.h"

#include <sodium.h>
#include <string.h>

#define GAME_COLUMNS                                                                                                   \
	"id, name, battle, rules, texts, options, seed, zone, slot, skips, reminders, grace, "                         \
	"status, made, line, turn, ifnull(deadline, 0), concession, revision, review, review_hours, held, "            \
	"ifnull(release_at, 0), part, deadline_set"

static void digest_texts(const struct game *g, unsigned char out[TEXTS_DIGEST_BYTES])
{
	crypto_generichash_state hash;

	crypto_generichash_init(&hash, NULL, 0, TEXTS_DIGEST_BYTES);
	crypto_generichash_update(&hash, (const unsigned char *)g->battle_text, strlen(g->battle_text) + 1);
	crypto_generichash_update(&hash, (const unsigned char *)g->rules_text, strlen(g->rules_text) + 1);
	crypto_generichash_final(&hash, out, TEXTS_DIGEST_BYTES);
}

static struct err *read_texts(struct store *s, TALLOC_CTX *mem, struct game *g)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st, "SELECT battle_text, rules_text FROM game WHERE id = ?", "i", g->id);

	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		g->battle_text = sql_text(mem, st, 0);
		g->rules_text = sql_text(mem, st, 1);
		sql_reset(st);
	}
	return e;
}

/* The long texts of a game of which the digest is known: on `s`, or on `mem` where too many others are kept. */
static struct err *find_texts(
	struct store *s, TALLOC_CTX *mem, const unsigned char digest[TEXTS_DIGEST_BYTES], struct game *g)
{
	struct game_texts *kept = s->texts;
	struct err *e;

	while (kept < s->texts + s->texts_count && memcmp(kept->digest, digest, TEXTS_DIGEST_BYTES) != 0)
		kept++;
	if (kept == s->texts + TEXTS_MAX)
		return read_texts(s, mem, g);
	if (kept == s->texts + s->texts_count) {
		e = read_texts(s, s, g);
		if (e != NULL)
			return talloc_steal(mem, e);
		*kept = (struct game_texts){.battle = g->battle_text, .rules = g->rules_text};
		memcpy(kept->digest, digest, TEXTS_DIGEST_BYTES);
		s->texts_count++;
	}
	g->battle_text = kept->battle;
	g->rules_text = kept->rules;
	return NULL;
}

static struct err *read_game(struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct game *g)
{
	size_t len;

	*g = (struct game){
		.id = sqlite3_column_int64(st, 0),
		.name = sql_text(mem, st, 1),
		.battle = sql_text(mem, st, 2),
		.rules = sql_text(mem, st, 3),
		.options = sql_text(mem, st, 5),
		.seed = sql_bytes(mem, st, 6, &len),
		.zone = sql_text(mem, st, 7),
		.slot = sql_text(mem, st, 8),
		.skips = sql_text(mem, st, 9),
		.reminders = sql_text(mem, st, 10),
		.grace = sqlite3_column_int(st, 11),
		.status = sql_text(mem, st, 12),
		.made = sqlite3_column_int64(st, 13),
		.line = sqlite3_column_int(st, 14),
		.turn = sqlite3_column_int(st, 15),
		.deadline = sqlite3_column_int64(st, 16),
		.concession = sql_text(mem, st, 17),
		.revision = sqlite3_column_int64(st, 18),
		.review = sql_text(mem, st, 19),
		.review_hours = sqlite3_column_int(st, 20),
		.held = sqlite3_column_int(st, 21) != 0,
		.release_at = sqlite3_column_int64(st, 22),
		.part = sqlite3_column_int(st, 23),
		.deadline_set = sqlite3_column_int(st, 24) != 0,
	};
	return sqlite3_column_bytes(st, 4) == TEXTS_DIGEST_BYTES ? find_texts(s, mem, sqlite3_column_blob(st, 4), g)
								 : read_texts(s, mem, g);
}

/* All rows of a bound statement. */
static struct err *collect_games(struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct games *out)
{
	struct err *e;
	bool row;

	while ((e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, struct game, (unsigned)out->count + 1);
		e = read_game(s, mem, st, &out->list[out->count++]);
		if (e != NULL)
			break;
	}
	return e;
}

static struct err *first_game(struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct game **out)
{
	struct games all = {NULL, 0};

	if (e == NULL)
		e = collect_games(s, mem, st, &all);
	*out = all.count > 0 ? all.list : NULL;
	return e;
}

struct err *store_add_game(struct store *s, TALLOC_CTX *mem, struct game *g)
{
	unsigned char texts[TEXTS_DIGEST_BYTES];
	struct err *e;

	digest_texts(g, texts);
	g->review = g->review == NULL ? "off" : g->review;
	e = sql_run(s, mem,
		"INSERT INTO game (name, battle, battle_text, rules, rules_text, texts, options, seed, zone, slot, "
		"skips, "
		"reminders, grace, review, review_hours, status, made) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'setup', ?) "
		"ON CONFLICT (name) DO NOTHING",
		"tttttbtbttttitii", g->name, g->battle, g->battle_text, g->rules, g->rules_text,
		(struct blob){texts, sizeof texts}, g->options, (struct blob){g->seed, GAME_SEED_BYTES}, g->zone,
		g->slot, g->skips, g->reminders, (int64_t)g->grace, g->review, (int64_t)g->review_hours, g->made);

	if (e == NULL && sql_changes(s) == 0)
		return err_new(
			mem, ERR_GAME, false, "", "there is a game called '%s' already; choose another name", g->name);
	if (e == NULL) {
		g->id = sql_last_id(s);
		g->status = "setup";
		g->concession = "";
		g->line = g->turn = 1;
		g->deadline = g->revision = g->release_at = 0;
		g->held = false;
		g->part = 0;
	}
	return e;
}

struct err *store_game(struct store *s, TALLOC_CTX *mem, int64_t id, struct game **out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st, "SELECT " GAME_COLUMNS " FROM game WHERE id = ?", "i", id);

	return first_game(e, s, mem, st, out);
}

struct err *store_game_named(struct store *s, TALLOC_CTX *mem, const char *name, struct game **out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st, "SELECT " GAME_COLUMNS " FROM game WHERE name = ?", "t", name);

	return first_game(e, s, mem, st, out);
}

struct err *store_games(struct store *s, TALLOC_CTX *mem, struct games *out)
{
	sqlite3_stmt *st;
	struct err *e = sql_bind(s, mem, &st, "SELECT " GAME_COLUMNS " FROM game ORDER BY id", "");

	*out = (struct games){NULL, 0};
	return e != NULL ? e : collect_games(s, mem, st, out);
}

struct err *store_games_due(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out)
{
	sqlite3_stmt *st;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT " GAME_COLUMNS " FROM game WHERE status = 'running' AND deadline BETWEEN 1 AND ? AND held = 0 "
		"ORDER BY deadline, id",
		"i", until);

	*out = (struct games){NULL, 0};
	return e != NULL ? e : collect_games(s, mem, st, out);
}

struct err *store_games_to_release(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out)
{
	sqlite3_stmt *st;
	/* The + keeps SQLite from an index by which it would look at every running game. */
	struct err *e = sql_bind(s, mem, &st,
		"SELECT " GAME_COLUMNS " FROM game WHERE held = 1 AND release_at <= ? AND +status = 'running' "
		"ORDER BY release_at, id",
		"i", until);

	*out = (struct games){NULL, 0};
	return e != NULL ? e : collect_games(s, mem, st, out);
}

struct err *store_games_awake(struct store *s, TALLOC_CTX *mem, int64_t until, struct games *out)
{
	sqlite3_stmt *st;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT " GAME_COLUMNS
		" FROM game WHERE status = 'running' AND wake <= ? AND held = 0 ORDER BY wake, id",
		"i", until);

	*out = (struct games){NULL, 0};
	return e != NULL ? e : collect_games(s, mem, st, out);
}

struct err *store_update_game(struct store *s, TALLOC_CTX *mem, struct game *g)
{
	struct err *e = sql_run(s, mem,
		"UPDATE game SET status = ?, line = ?, turn = ?, part = ?, deadline = nullif(?, 0), wake = 0, "
		"slot = ?, skips = ?, options = ?, concession = ?, review = ?, review_hours = ?, held = ?, "
		"release_at = nullif(?, 0), deadline_set = ?, revision = revision + 1 WHERE id = ? AND revision = ?",
		"tiiiitttttiiiiii", g->status, (int64_t)g->line, (int64_t)g->turn, (int64_t)g->part, g->deadline,
		g->slot, g->skips, g->options, g->concession, g->review, (int64_t)g->review_hours, (int64_t)g->held,
		g->release_at, (int64_t)g->deadline_set, g->id, g->revision);

	if (e == NULL && sql_changes(s) == 0)
		return err_new(mem, ERR_GAME, true, "",
			"the game %s was changed by another process meanwhile; it will "
			"be tried again",
			g->name);
	if (e == NULL)
		g->revision++;
	return e;
}

struct err *store_sleep_game(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t wake)
{
	return sql_run(
		s, mem, "UPDATE game SET wake = ? WHERE id = ? AND revision = ?", "iii", wake, g->id, g->revision);
}

struct err *store_games_ready(struct store *s, TALLOC_CTX *mem, struct games *out)
{
	sqlite3_stmt *st;
	struct err *e = sql_bind(s, mem, &st,
		/* CROSS JOIN keeps SQLite from going through all running games instead. */
		"SELECT " GAME_COLUMNS
		" FROM (SELECT DISTINCT game AS ready_in, line AS ready_line, turn AS ready_turn "
		"FROM ready) CROSS JOIN game ON id = ready_in AND line = ready_line AND turn = ready_turn "
		"WHERE status = 'running' AND held = 0 ORDER BY ready_in",
		"");

	*out = (struct games){NULL, 0};
	return e != NULL ? e : collect_games(s, mem, st, out);
}

#define SELECT_PLAYERS_WITH(key, address)                                                                              \
	"SELECT p.id, p.game, p.role, p.name, p.units, " key ", p.bounces, p.stopped, p.heard, " address               \
	", p.bounced, p.since"
#define SELECT_PLAYERS                                                                                                 \
	SELECT_PLAYERS_WITH("ifnull(a.key, '')", "ifnull(a.address, '')")                                              \
	", '' FROM player p LEFT JOIN address a ON a.player = p.id AND a.deputy = 0 "
/* What is his own at the address `x`: mostly that is his. */
#define OWN(what) "iif(x.deputy, (SELECT " what " FROM address WHERE player = p.id AND deputy = 0), x." what ")"

static struct err *collect_players(
	struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct players *out)
{
	bool row;

	*out = (struct players){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, struct player, (unsigned)out->count + 1);
		out->list[out->count++] = (struct player){
			.id = sqlite3_column_int64(st, 0),
			.game = sqlite3_column_int64(st, 1),
			.role = sql_text(mem, st, 2),
			.name = sql_text(mem, st, 3),
			.units = sql_text(mem, st, 4),
			.key = sql_text(mem, st, 5),
			.bounces = sqlite3_column_int(st, 6),
			.stopped = sqlite3_column_int(st, 7) != 0,
			.heard = sqlite3_column_int64(st, 8),
			.address = sql_text(mem, st, 9),
			.bounced = sqlite3_column_int64(st, 10),
			.since = sqlite3_column_int64(st, 11),
			.key_there = sql_text(mem, st, 12),
		};
	}
	return e;
}

static struct err *add_address(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *address, const char *key, bool deputy)
{
	return sql_run(s, mem,
		"INSERT INTO address (player, address, key, deputy) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", "itti",
		player, address, key, (int64_t)deputy);
}

struct err *store_add_deputy(struct store *s, TALLOC_CTX *mem, int64_t player, const char *address, const char *key)
{
	return add_address(s, mem, player, address, key, true);
}

struct err *store_remove_deputy(struct store *s, TALLOC_CTX *mem, int64_t player, const char *address)
{
	return sql_run(
		s, mem, "DELETE FROM address WHERE player = ? AND address = ? AND deputy = 1", "it", player, address);
}

struct err *store_key(struct store *s, TALLOC_CTX *mem, int64_t player, const char *address, const char **out)
{
	sqlite3_stmt *st = NULL;
	bool row = false;
	struct err *e = sql_bind(
		s, mem, &st, "SELECT key FROM address WHERE player = ? AND address = ?", "it", player, address);

	*out = "";
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (e == NULL && row) {
		*out = sql_text(mem, st, 0);
		sql_reset(st);
	}
	return e;
}

struct err *store_add_player(struct store *s, TALLOC_CTX *mem, struct player *p)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "INSERT INTO player (game, role, name, units) VALUES (?, ?, ?, ?)", "ittt", p->game,
		p->role, p->name, p->units);
	if (e == NULL) {
		p->id = sql_last_id(s);
		e = add_address(s, mem, p->id, p->address, p->key, false);
	}
	return sql_leave(s, mem, own, e);
}

struct err *store_replace_player(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *name, const char *address, const char *key)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "DELETE FROM address WHERE player = ?", "i", player);
	if (e == NULL)
		e = sql_run(s, mem,
			"UPDATE player SET name = ?, bounces = 0, bounced = 0, stopped = 0, heard = 0 WHERE id = ?",
			"ti", name, player);
	if (e == NULL)
		e = add_address(s, mem, player, address, key, false);
	return sql_leave(s, mem, own, e);
}

struct err *store_remove_player(struct store *s, TALLOC_CTX *mem, int64_t player)
{
	return sql_run(s, mem, "UPDATE player SET gone = 1 WHERE id = ?", "i", player);
}

struct err *store_players(struct store *s, TALLOC_CTX *mem, int64_t game, struct players *out)
{
	sqlite3_stmt *st = NULL;
	struct err *e =
		sql_bind(s, mem, &st, SELECT_PLAYERS "WHERE p.game = ? AND p.gone = 0 ORDER BY p.id", "i", game);

	return collect_players(e, s, mem, st, out);
}

struct err *store_players_ever(struct store *s, TALLOC_CTX *mem, int64_t game, struct players *out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st, SELECT_PLAYERS "WHERE p.game = ? ORDER BY p.id", "i", game);

	return collect_players(e, s, mem, st, out);
}

struct err *store_player(struct store *s, TALLOC_CTX *mem, int64_t id, struct player **out)
{
	sqlite3_stmt *st = NULL;
	struct players all;
	struct err *e = sql_bind(s, mem, &st, SELECT_PLAYERS "WHERE p.id = ? AND p.gone = 0", "i", id);

	e = collect_players(e, s, mem, st, &all);
	*out = all.count > 0 ? all.list : NULL;
	return e;
}

struct err *store_players_at(struct store *s, TALLOC_CTX *mem, const char *address, struct players *out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st,
		SELECT_PLAYERS_WITH(OWN("key"), OWN("address")) ", x.key FROM address x CROSS JOIN player p ON p.id = "
								"x.player WHERE x.address = ? AND p.gone = 0 "
								"ORDER BY x.player DESC",
		"t", address);

	return collect_players(e, s, mem, st, out);
}

struct err *store_heard(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when)
{
	return sql_run(s, mem, "UPDATE player SET heard = max(heard, ?) WHERE id = ?", "ii", when, player);
}

struct err *store_bounced(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when, bool *stopped)
{
	int64_t n = 0;
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	*stopped = false;
	if (e != NULL)
		return e;
	e = sql_int(s, mem, &n,
		"UPDATE player SET bounces = 1 + iif(bounced BETWEEN ?2 AND ?1, bounces, 0), bounced = ?1, "
		"stopped = stopped OR (bounces + 1 >= ?3 AND bounced BETWEEN ?2 AND ?1) WHERE id = ?4 RETURNING "
		"bounces",
		"iiii", when, when - BOUNCES_WITHIN, (int64_t)BOUNCES_MAX, player);
	if (e == NULL && n == BOUNCES_MAX)
		e = store_take_back(s, mem, player, "stopped after too many bounces");
	*stopped = n == BOUNCES_MAX;
	return sql_leave(s, mem, own, e);
}

struct err *store_stop_player(struct store *s, TALLOC_CTX *mem, int64_t player)
{
	return sql_run(s, mem, "UPDATE player SET stopped = 1 WHERE id = ?", "i", player);
}

struct err *store_set_ready(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool ready)
{
	if (ready)
		return sql_run(s, mem,
			"INSERT INTO ready (game, line, turn, player) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			"iiii", g->id, (int64_t)g->line, (int64_t)g->turn, player);
	return sql_run(s, mem, "DELETE FROM ready WHERE game = ? AND line = ? AND turn = ? AND player = ?", "iiii",
		g->id, (int64_t)g->line, (int64_t)g->turn, player);
}

struct err *store_is_ready(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT count(*) FROM ready WHERE game = ? AND line = ? AND turn = ? AND player = ?", "iiii", g->id,
		(int64_t)g->line, (int64_t)g->turn, player);

	*out = n > 0;
	return e;
}

struct err *store_reminded(struct store *s, TALLOC_CTX *mem, const struct game *g, int hours, bool *first)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO reminded (game, line, turn, deadline, hours) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO "
		"NOTHING",
		"iiiii", g->id, (int64_t)g->line, (int64_t)g->turn, g->deadline, (int64_t)hours);

	*first = e == NULL && sql_changes(s) == 1;
	return e;
}
