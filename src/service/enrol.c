#include "service/enrol.h"

#include "base/address.h"
#include "base/buf.h"
#include "base/text.h"
#include "mail/key.h"
#include "service/account.h"
#include "service/battles.h"
#include "service/board.h"
#include "service/calendar.h"
#include "service/letters.h"
#include "service/post.h"
#include "service/record.h"

#include <ctype.h>
#include <sodium.h>
#include <string.h>

enum { NAME_MAX_LETTERS = 32, PLAYERS_MAX = 60 };

/* A game's name goes into subjects, addresses and files, and pupils type it. */
static struct err *check_name(TALLOC_CTX *mem, const char *name)
{
	size_t n = strlen(name);

	if (n < 2 || n > NAME_MAX_LETTERS || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != n ||
		name[0] == '-')
		return err_new(mem, ERR_GAME, false, "",
			"'%s' is no name for a game: use small letters, digits and dashes, 2 to 32 of them, like "
			"falkirk-7b",
			name);
	return NULL;
}

static char *lower(TALLOC_CTX *mem, const char *text)
{
	char *out = talloc_strdup(mem, text);

	for (char *p = out; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	return out;
}

/* Ids of the named pieces of one side, parted by blanks: ids, codes, or names of wings. */
static struct err *read_units(TALLOC_CTX *mem, const struct state *st, int side, const char *units, const char **out)
{
	struct buf *ids = buf_new(mem);

	for (const char *p = units; *p != '\0';) {
		size_t len = strcspn(p, ",");
		char *word = text_fold(mem, talloc_strndup(mem, p, len));
		int found = 0;

		p += len + (p[len] == ',');
		if (word[0] == '\0')
			continue;
		for (int i = 0; i < st->count; i++) {
			const struct unit *u = &st->units[i];

			if ((int)u->side != side ||
				(strcmp(text_fold(mem, u->id), word) != 0 &&
					strcmp(text_fold(mem, u->code), word) != 0 &&
					strcmp(text_fold(mem, u->name), word) != 0 &&
					strcmp(text_fold(mem, talloc_asprintf(mem, "%s wing", u->wing)), word) != 0 &&
					strcmp(text_fold(mem, u->wing), word) != 0))
				continue;
			buf_printf(ids, "%s%s", ids->len > 0 ? " " : "", u->id);
			found++;
		}
		if (found == 0)
			return err_new(
				mem, ERR_GAME, false, "", "'%s' is no unit, commander or wing of that side", word);
	}
	*out = ids->data;
	return NULL;
}

static struct err *add_player(const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct state *st,
	const char *role, const char *address, const char *name, const char *units, struct player *out)
{
	struct address parsed;
	struct err *e = NULL;

	*out = (struct player){.game = g->id, .role = role, .units = ""};
	if (!address_parse(mem, address, &parsed))
		return err_new(mem, ERR_GAME, false, "", "'%s' is no mail address", address);
	if (address_equal(parsed.address, s->config->address))
		return err_new(mem, ERR_GAME, false, "", "%s is the game's own address; a player needs one of his own",
			address);
	if (player_side(out) >= 0 && units[0] != '\0')
		e = read_units(mem, st, player_side(out), units, &out->units);
	if (e != NULL)
		return e;
	out->name = name[0] != '\0' ? name : parsed.name[0] != '\0' ? parsed.name : parsed.address;
	out->address = lower(mem, parsed.address);
	out->key = key_new(mem);
	return store_add_player(s->store, mem, out);
}

/* Each address of a list parted by commas. */
static struct err *add_list(const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct state *st,
	const char *role, const char *list)
{
	struct err *e = NULL;

	for (const char *p = list; e == NULL && *p != '\0';) {
		size_t len = strcspn(p, ",");
		struct player player;

		if (len > 0)
			e = add_player(s, mem, g, st, role, talloc_strndup(mem, p, len), "", "", &player);
		p += len + (p[len] == ',');
	}
	return e;
}

static struct err *read_options(TALLOC_CTX *mem, const struct new_game *n, const char **out)
{
	struct buf *b = buf_new(mem);

	for (int i = 0; n->options != NULL && n->options[i] != NULL; i++) {
		char *o = talloc_strdup(b, n->options[i]);
		char *equals = strchr(o, '=');

		if (equals != NULL)
			*equals = ' ';
		if (strpbrk(o, "\r\n\"#") != NULL || strchr(o, ' ') == NULL)
			return err_new(mem, ERR_GAME, false, "", "--set %s: write it as NAME=VALUE", n->options[i]);
		buf_printf(b, "set %s\n", o);
	}
	*out = b->data;
	return NULL;
}

struct err *enrol_game(const struct service *s, TALLOC_CTX *mem, const struct new_game *n, struct game **out)
{
	struct game *g = talloc_zero(mem, struct game);
	unsigned char *seed = talloc_size(g, GAME_SEED_BYTES);
	struct battle_source source;
	struct board *board = NULL;
	struct account *account;
	struct err *e = check_name(mem, n->name);

	if (e == NULL)
		e = battle_fetch(g, n->battle, n->rules, &source);
	if (e == NULL)
		e = calendar_check(mem, n->every, n->zone, n->skips, n->reminders);
	if (e == NULL)
		e = read_options(g, n, &g->options);
	if (e != NULL)
		return e;
	randombytes_buf(seed, GAME_SEED_BYTES);
	g->name = n->name;
	g->battle = n->battle;
	g->battle_text = source.battle;
	g->rules = source.rules_name;
	g->rules_text = source.rules;
	g->seed = (const char *)seed;
	g->zone = n->zone;
	g->slot = n->every;
	g->skips = n->skips;
	g->reminders = n->reminders;
	g->grace = n->grace;
	g->review = n->review ? "on" : "off";
	g->review_hours = n->review ? n->review_hours : REVIEW_HOURS;
	g->made = clock_now(&s->clock);
	g->status = "setup";
	g->concession = "";
	g->line = g->turn = 1;
	/* The texts and options are proved by reading them before anything is kept. */
	e = board_load(s, g, g, &board);
	if (e != NULL) {
		e->scope = ERR_GAME;
		return talloc_steal(mem, e);
	}
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	/* From now on mail may come for it. */
	e = account_load(s, mem, &account);
	if (e == NULL)
		e = store_add_game(s->store, mem, g);
	if (e == NULL)
		e = add_list(s, mem, g, board->state, "E", n->english);
	if (e == NULL)
		e = add_list(s, mem, g, board->state, "J", n->jacobite);
	if (e == NULL)
		e = add_list(s, mem, g, board->state, "referee", n->referee);
	if (e == NULL)
		e = store_act(s->store, mem, g->id, g->made, "command line", "game made", g->battle);
	*out = g;
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

/* Both sides need somebody, and somebody has to be asked. */
static struct err *check_seats(TALLOC_CTX *mem, const struct players *players)
{
	bool seat[3] = {false, false, false};
	static const char *const missing[] = {"English (--english)", "Jacobite (--jacobite)", "referee (--referee)"};

	for (int i = 0; i < players->count; i++) {
		if (player_side(&players->list[i]) >= 0)
			seat[player_side(&players->list[i])] = true;
		else if (strcmp(players->list[i].role, "referee") == 0)
			seat[2] = true;
	}
	for (int i = 0; i < 3; i++) {
		if (!seat[i])
			return err_new(mem, ERR_GAME, false, "",
				"the game cannot start without a player for: %s; add one with 'galloper player add'",
				missing[i]);
	}
	return NULL;
}

struct err *enrol_start(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	int64_t now = clock_now(&s->clock);
	struct players players;
	struct board *board;
	struct err *e;

	if (strcmp(g->status, "setup") != 0)
		return err_new(mem, ERR_GAME, false, "", "the game %s has been started already", g->name);
	e = store_players(s->store, mem, g->id, &players);
	if (e == NULL)
		e = check_seats(mem, &players);
	if (e == NULL)
		e = board_load(s, mem, g, &board);
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	g->status = "running";
	g->deadline = next_deadline(g, now);
	e = store_update_game(s->store, mem, g);
	for (int i = 0; e == NULL && i < players.count; i++)
		e = letter_welcome(s, mem, board, &players.list[i]);
	if (e == NULL)
		e = store_act(s->store, mem, g->id, now, "command line", "game started", "");
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

/* A battle that has begun ends with a verdict and the debrief: an open offer to concede is agreed to, else the points
 * as they stand decide. A game that has not begun is only closed. */
static struct err *close_game(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	const struct verdict by_points = {
		.winner = WINNER_OPEN, .conceded = -1, .because = "The battle ends here, and the points decide."};
	struct verdict conceded = {.conceded = SIDE_GOVERNMENT, .winner = WINNER_JACOBITE, .because = ""};
	struct adjudication *done;
	struct err *e;

	if (strcmp(g->status, "setup") == 0) {
		g->status = "ended";
		return store_update_game(s->store, mem, g);
	}
	if (strcmp(g->concession, "J") == 0) {
		conceded.conceded = SIDE_JACOBITE;
		conceded.winner = WINNER_GOVERNMENT;
	}
	e = adjudicate_verdict(s, mem, g, g->concession[0] != '\0' ? &conceded : &by_points, &done);
	return e != NULL ? e : letter_reports(s, mem, done);
}

struct err *enrol_end(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	const char *before;
	struct err *e;

	if (strcmp(g->status, "ended") == 0)
		return err_new(mem, ERR_GAME, false, "", "the game %s is over already", g->name);
	if (g->held)
		return err_new(mem, ERR_GAME, false, "",
			"turn %d of %s waits for the referee's review: release it first", g->turn - 1, g->name);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = record_digest(s, mem, g, &before);
	if (e == NULL)
		e = close_game(s, mem, g);
	if (e == NULL)
		e = record_act(s, mem, g, "command line", "game ended", "", before, NULL);
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

struct err *enrol_player(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *role,
	const char *address, const char *name, const char *units)
{
	struct board *board;
	struct player p;
	struct err *e = board_load(s, mem, g, &board);

	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = add_player(s, mem, g, board->state, role, address, name, units, &p);
	if (e == NULL && strcmp(g->status, "running") == 0)
		e = letter_welcome(s, mem, board, &p);
	if (e == NULL)
		e = store_act(s->store, mem, g->id, clock_now(&s->clock), "command line",
			talloc_asprintf(mem, "player %lld added", (long long)p.id), role);
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

struct err *enrol_replace(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player, const char *address)
{
	struct address parsed;
	struct player *p = NULL;
	struct board *board;
	struct err *e = board_load(s, mem, g, &board);

	if (e == NULL && !address_parse(mem, address, &parsed))
		e = err_new(mem, ERR_GAME, false, "", "'%s' is no mail address", address);
	if (e == NULL)
		e = store_player(s->store, mem, player, &p);
	if (e == NULL && (p == NULL || p->game != g->id))
		e = err_new(mem, ERR_GAME, false, "", "the game %s has no player %lld", g->name, (long long)player);
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	p->name = parsed.name[0] != '\0' ? parsed.name : parsed.address;
	p->address = lower(mem, parsed.address);
	p->key = key_new(mem);
	p->stopped = false;
	e = store_replace_player(s->store, mem, p->id, p->name, p->address, p->key);
	if (e == NULL && strcmp(g->status, "running") == 0)
		e = letter_welcome(s, mem, board, p);
	if (e == NULL)
		e = store_act(s->store, mem, g->id, clock_now(&s->clock), "command line",
			talloc_asprintf(mem, "player %lld replaced", (long long)p->id), "");
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

struct err *enrol_remove(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player)
{
	struct player *p;
	struct err *e = store_player(s->store, mem, player, &p);

	if (e == NULL && (p == NULL || p->game != g->id))
		return err_new(mem, ERR_GAME, false, "", "the game %s has no player %lld", g->name, (long long)player);
	return e != NULL ? e : store_remove_player(s->store, mem, player);
}

/* One line of CSV into at most `max` fields; quotes may hold commas, "" is a quote. */
static int csv_fields(TALLOC_CTX *mem, const char *line, const char **fields, int max)
{
	int n = 0;

	while (n < max) {
		struct buf *b = buf_new(mem);

		line += strspn(line, " \t");
		if (*line == '"') {
			for (line++; *line != '\0' && !(line[0] == '"' && line[1] != '"'); line++) {
				if (*line == '"')
					line++;
				buf_addc(b, *line);
			}
			line += strcspn(line, ",");
		} else {
			size_t len = strcspn(line, ",");
			size_t end = len;

			while (end > 0 && isspace((unsigned char)line[end - 1]))
				end--;
			buf_add(b, line, end);
			line += len;
		}
		fields[n++] = b->data;
		if (*line != ',')
			break;
		line++;
	}
	return n;
}

static const char *role_word(TALLOC_CTX *mem, const char *word)
{
	char *w = lower(mem, word);

	if (strcmp(w, "e") == 0 || strcmp(w, "english") == 0 || strcmp(w, "british") == 0 ||
		strcmp(w, "government") == 0)
		return "E";
	if (strcmp(w, "j") == 0 || strcmp(w, "jacobite") == 0)
		return "J";
	if (strcmp(w, "observer") == 0 || strcmp(w, "referee") == 0)
		return w;
	return NULL;
}

static struct err *import_line(const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct state *st,
	const char *where, const char *line, struct player *p)
{
	const char *f[4] = {"", "", "", ""};
	int n = csv_fields(mem, line, f, 4);
	const char *role = role_word(mem, f[0]);
	struct err *e;

	if (n < 3 || role == NULL)
		return err_new(mem, ERR_GAME, false, where,
			"expected role,name,address,units with a role of E, J, observer or referee");
	e = add_player(s, mem, g, st, role, f[2], f[1], f[3], p);
	if (e != NULL && e->where[0] == '\0')
		e->where = where;
	return e;
}

struct err *enrol_import(
	const struct service *s, TALLOC_CTX *mem, struct game *g, const char *file, const char *text, int *added)
{
	struct board *board;
	struct err *e = board_load(s, mem, g, &board);
	int number = 0;

	*added = 0;
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	for (const char *p = text; e == NULL && *p != '\0';) {
		size_t len = strcspn(p, "\r\n");
		char *line = talloc_strndup(mem, p, len);
		struct player player;

		p += len + strspn(p + len, "\r") + (p[len + strspn(p + len, "\r")] == '\n');
		number++;
		if (line[0] == '\0' || (number == 1 && strncasecmp(line, "role", 4) == 0))
			continue;
		if (*added == PLAYERS_MAX)
			e = err_new(mem, ERR_GAME, false, file, "more than %d players", PLAYERS_MAX);
		else
			e = import_line(
				s, mem, g, board->state, talloc_asprintf(mem, "%s:%d", file, number), line, &player);
		if (e == NULL && strcmp(g->status, "running") == 0)
			e = letter_welcome(s, mem, board, &player);
		*added += e == NULL;
	}
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	*added = 0;
	return e;
}
