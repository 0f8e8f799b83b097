#include "service/enrol.h"

#include "base/buf.h"
#include "base/csv.h"
#include "base/text.h"
#include "mail/key.h"
#include "service/account.h"
#include "service/battles.h"
#include "service/board.h"
#include "service/calendar.h"
#include "service/letters.h"
#include "service/people.h"
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

/* The list with "wing" behind the names of wings, which may stand bare here. */
static const char *with_wings(TALLOC_CTX *mem, const struct board *b, const char *units)
{
	struct buf *out = buf_new(mem);

	for (const char *p = units; *p != '\0';) {
		size_t len = strcspn(p, ",");
		const char *word = text_fold(mem, talloc_strndup(mem, p, len));
		bool wing = false;

		for (int i = 0; i < b->state->count && word[0] != '\0'; i++)
			wing = wing || strcmp(word, text_fold(mem, b->state->units[i].wing)) == 0;
		if (word[0] != '\0')
			buf_printf(out, "%s%.*s%s", out->len > 0 ? ", " : "", (int)len, p, wing ? " wing" : "");
		p += len + (p[len] == ',');
	}
	return out->data;
}

/* Ids of the named pieces of one side, parted by blanks. */
static struct err *read_units(TALLOC_CTX *mem, const struct board *b, int side, const char *units, const char **out)
{
	struct buf *ids = buf_new(mem);
	const char *why;
	const struct order *pieces = people_pieces(mem, b, (enum side)side, with_wings(mem, b, units), &why);

	if (pieces == NULL)
		return err_new(mem, ERR_GAME, false, "", "the units '%s': %s", units, why);
	for (int i = 0; i < pieces->unit_count; i++)
		buf_printf(ids, "%s%s", i > 0 ? " " : "", b->state->units[pieces->units[i]].id);
	*out = ids->data;
	return NULL;
}

/* A class may write from one address: its pupils are told apart by their names. */
static struct err *check_twice(const struct service *s, TALLOC_CTX *mem, const struct player *p)
{
	struct players players;
	struct err *e = store_players(s->store, mem, p->game, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *other = &players.list[i];

		if (strcmp(other->role, p->role) == 0 && strcmp(other->address, p->address) == 0 &&
			strcmp(text_fold(mem, other->name), text_fold(mem, p->name)) == 0)
			e = err_new(mem, ERR_GAME, false, "",
				"%s is in the game already, in the same role (player %lld). If another person writes "
				"from that address, give the name, which has to be a different one",
				p->address, (long long)other->id);
	}
	return e;
}

static struct err *add_player(const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct board *b,
	const char *role, const char *address, const char *name, const char *units, struct player *out)
{
	const char *shown, *why;
	struct err *e = NULL;

	*out = (struct player){.game = g->id, .role = role, .units = ""};
	if (!people_address(mem, s, address, &shown, &out->address, &why))
		return err_new(mem, ERR_GAME, false, "", "%s", why);
	e = people_other_side(s, mem, out, out->address, &why);
	if (e == NULL && why[0] != '\0')
		e = err_new(mem, ERR_GAME, false, "", "%s", why);
	if (e != NULL)
		return e;
	name = people_name(mem, name);
	if (player_side(out) >= 0 && units[0] != '\0')
		e = read_units(mem, b, player_side(out), units, &out->units);
	if (e != NULL)
		return e;
	out->name = name[0] != '\0' ? name : shown[0] != '\0' ? shown : out->address;
	out->key = key_new(mem);
	e = check_twice(s, mem, out);
	return e != NULL ? e : store_add_player(s->store, mem, out);
}

/* Each address of a list parted by commas. */
static struct err *add_list(const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct board *b,
	const char *role, const char *list)
{
	struct err *e = NULL;

	for (const char *p = list; e == NULL && *p != '\0';) {
		size_t len = strcspn(p, ",");
		struct player player;

		if (len > 0)
			e = add_player(s, mem, g, b, role, talloc_strndup(mem, p, len), "", "", &player);
		p += len + (p[len] == ',');
	}
	return e;
}

static struct err *read_options(TALLOC_CTX *mem, const struct new_game *n, const char **out)
{
	/* `game new` has options of their own for these. */
	static const char *const own[] = {"battle", "rules", "english", "jacobite", "referee", "every", "timezone",
		"skip", "remind", "grace", "review"};
	struct buf *b = buf_new(mem);

	for (int i = 0; n->options != NULL && n->options[i] != NULL; i++) {
		char *o = talloc_strdup(b, n->options[i]);
		char *equals = strchr(o, '=');

		if (equals != NULL)
			*equals = ' ';
		for (size_t k = 0; k < sizeof own / sizeof *own; k++)
			if (strncmp(o, own[k], strlen(own[k])) == 0 && o[strlen(own[k])] == ' ')
				return err_new(mem, ERR_GAME, false, "",
					"--set %s: that is no rule of the battle; write --%s %s", n->options[i], own[k],
					strcmp(own[k], "review") == 0 ? "(or --review=HOURS)" : strchr(o, ' ') + 1);
		if (strpbrk(o, "\r\n\"#") != NULL || strchr(o, ' ') == NULL)
			return err_new(mem, ERR_GAME, false, "", "--set %s: write it as NAME=VALUE", n->options[i]);
		buf_printf(b, "set %s\n", o);
	}
	*out = b->data;
	return NULL;
}

/* An error in one of the options as they were typed. */
static struct err *option_err(TALLOC_CTX *mem, const struct new_game *n, const struct err *e)
{
	int line = 0;

	if (sscanf(e->where, "options:%d:", &line) != 1)
		return err_new(mem, ERR_GAME, false, e->where, "%s", e->what);
	return err_new(mem, ERR_GAME, false, talloc_asprintf(mem, "--set %s", n->options[line - 1]),
		"%s ('galloper help parameters' lists what can be set)", e->what);
}

/* What was done on the command line, for the record. */
static struct err *note(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, const char *what, const char *reason)
{
	const char *digest;
	struct err *e = record_digest(s, mem, g, &digest);

	return e != NULL ? e : record_act(s, mem, g, "command line", what, reason, digest, digest);
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
	if (n->seed != NULL)
		memcpy(seed, n->seed, GAME_SEED_BYTES);
	else
		randombytes_buf(seed, GAME_SEED_BYTES);
	g->name = n->name;
	g->battle = source.name;
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
	if (e != NULL)
		return option_err(mem, n, e);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	/* From now on mail may come for it. */
	e = account_load(s, mem, &account);
	if (e == NULL)
		e = store_add_game(s->store, mem, g);
	if (e == NULL)
		e = add_list(s, mem, g, board, "E", n->english);
	if (e == NULL)
		e = add_list(s, mem, g, board, "J", n->jacobite);
	if (e == NULL)
		e = add_list(s, mem, g, board, "referee", n->referee);
	if (e == NULL)
		e = note(s, mem, g, "game made", g->battle);
	*out = g;
	return store_end(s->store, mem, e);
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
		e = people_announce_all(s, mem, board);
	if (e == NULL)
		e = note(s, mem, g, "game started", "");
	return store_end(s->store, mem, e);
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
			"turn %d of %s waits for the referee's review: release it first", last_turn(g), g->name);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = record_digest(s, mem, g, &before);
	if (e == NULL)
		e = close_game(s, mem, g);
	if (e == NULL)
		e = record_act(s, mem, g, "command line", "game ended", "", before, NULL);
	return store_end(s->store, mem, e);
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
	e = add_player(s, mem, g, board, role, address, name, units, &p);
	if (e == NULL && strcmp(g->status, "running") == 0)
		e = letter_welcome(s, mem, board, &p);
	if (e == NULL)
		e = people_announce(s, mem, board, &p, p.address);
	if (e == NULL)
		e = note(s, mem, g, talloc_asprintf(mem, "player %lld added", (long long)p.id), role);
	return store_end(s->store, mem, e);
}

struct err *enrol_replace(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player, const char *address)
{
	const char *name, *bare, *why = "";
	struct player *p = NULL;
	struct board *board;
	struct err *e = board_load(s, mem, g, &board);

	if (e == NULL && !people_address(mem, s, address, &name, &bare, &why))
		e = err_new(mem, ERR_GAME, false, "", "%s", why);
	if (e == NULL)
		e = store_player(s->store, mem, player, &p);
	if (e == NULL && (p == NULL || p->game != g->id))
		e = err_new(mem, ERR_GAME, false, "", "the game %s has no player %lld", g->name, (long long)player);
	if (e == NULL)
		e = people_other_side(s, mem, p, bare, &why);
	if (e == NULL && why[0] != '\0')
		e = err_new(mem, ERR_GAME, false, "", "%s", why);
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = people_replace(s, mem, board, p, name, bare);
	if (e == NULL)
		e = note(s, mem, g, talloc_asprintf(mem, "player %lld replaced", (long long)p->id), "");
	return store_end(s->store, mem, e);
}

/* Is he the only referee? Then nobody could be asked any more. */
static struct err *check_referee_stays(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct player *p)
{
	struct players players;
	int referees = 0;
	struct err *e = store_players(s->store, mem, g->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++)
		referees += strcmp(players.list[i].role, "referee") == 0;
	if (e != NULL || strcmp(p->role, "referee") != 0 || referees > 1)
		return e;
	return err_new(mem, ERR_GAME, false, "",
		"player %lld is the only referee of %s: add another one first, or use 'galloper player replace'",
		(long long)p->id, g->name);
}

/* Inside the transaction. */
static struct err *remove_deputy(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *address)
{
	const char *name, *bare, *why;
	int ended;
	struct err *e;

	if (!people_address(mem, s, address, &name, &bare, &why))
		return err_new(mem, ERR_GAME, false, "", "%s", why);
	e = people_end_deputies(s, mem, b, p, bare, &ended);
	if (e == NULL && ended == 0)
		e = err_new(mem, ERR_GAME, false, "", "%s is no deputy of player %lld", bare, (long long)p->id);
	return e != NULL ? e
			 : note(s, mem, b->game,
				   talloc_asprintf(mem, "deputy of player %lld removed", (long long)p->id), "");
}

struct err *enrol_remove(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player, const char *deputy)
{
	struct player *p;
	struct board *board;
	struct err *e = board_load(s, mem, g, &board);

	if (e == NULL)
		e = store_player(s->store, mem, player, &p);
	if (e == NULL && (p == NULL || p->game != g->id))
		return err_new(mem, ERR_GAME, false, "", "the game %s has no player %lld", g->name, (long long)player);
	if (e == NULL && deputy == NULL)
		e = check_referee_stays(s, mem, g, p);
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	if (deputy != NULL)
		e = remove_deputy(s, mem, board, p, deputy);
	else
		e = people_remove(s, mem, board, p);
	if (e == NULL && deputy == NULL)
		e = note(s, mem, g, talloc_asprintf(mem, "player %lld removed", (long long)player), "");
	return store_end(s->store, mem, e);
}

/* --- many at once ------------------------------------------------------------------------------------------------- */

enum column { COLUMN_ROLE, COLUMN_NAME, COLUMN_ADDRESS, COLUMN_UNITS, COLUMNS };

struct importing {
	const struct service *s;
	struct game *game;
	struct board *board;
	const char *file;
	int at[COLUMNS];        /* which field of a row, or CSV_FIELDS_MAX, which no row has */
	struct player *players; /* that have been added */
	int added;
};

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

static struct err *at_row(TALLOC_CTX *mem, const struct importing *in, const struct csv_row *row, struct err *e)
{
	if (e != NULL && e->where[0] == '\0')
		e->where = talloc_asprintf(mem, "%s:%d", in->file, row->line);
	return e;
}

/* Takes the order of the columns from a first row that names them. *heading: it does. */
static struct err *read_heading(TALLOC_CTX *mem, struct importing *in, const struct csv_row *row, bool *heading)
{
	static const char *const names[COLUMNS] = {"role", "name", "address", "units"};
	int at[COLUMNS];

	*heading = false;
	for (int i = 0; i < COLUMNS; i++)
		at[i] = CSV_FIELDS_MAX;
	for (int field = 0; field < row->count; field++) {
		const char *word = text_fold(mem, row->fields[field]);

		for (int i = 0; i < COLUMNS; i++)
			if (strcmp(word, names[i]) == 0)
				at[i] = field;
		*heading = *heading || strcmp(word, "role") == 0;
	}
	if (!*heading)
		return NULL;
	if (at[COLUMN_ADDRESS] == CSV_FIELDS_MAX)
		return at_row(mem, in, row,
			err_new(mem, ERR_GAME, false, "",
				"the heading has no column address; write role,name,address,units"));
	memcpy(in->at, at, sizeof at);
	return NULL;
}

static struct err *import_row(struct importing *in, TALLOC_CTX *mem, const struct csv_row *row)
{
	const char *const *f = row->fields;
	const char *role = role_word(mem, f[in->at[COLUMN_ROLE]]);
	struct player player;
	struct err *e;

	if (role == NULL)
		return err_new(mem, ERR_GAME, false, "",
			"'%s' is no role; there are E, J, observer and referee. A first row that names the columns "
			"reads "
			"role,name,address,units",
			text_escape(mem, f[in->at[COLUMN_ROLE]], strlen(f[in->at[COLUMN_ROLE]])));
	if (f[in->at[COLUMN_ADDRESS]][0] == '\0')
		return err_new(mem, ERR_GAME, false, "",
			"there is no address; write role,name,address,units (the units may be left out)");
	if (in->added == PLAYERS_MAX)
		return err_new(mem, ERR_GAME, false, "", "more than %d players", PLAYERS_MAX);
	e = add_player(in->s, mem, in->game, in->board, role, f[in->at[COLUMN_ADDRESS]], f[in->at[COLUMN_NAME]],
		f[in->at[COLUMN_UNITS]], &player);
	if (e != NULL)
		return e;
	in->players = talloc_realloc(mem, in->players, struct player, (unsigned)in->added + 1);
	in->players[in->added++] = player;
	return NULL;
}

/* When all are there: whoever shares an address is to be named in the first mail to it, too. */
static struct err *welcome_added(struct importing *in, TALLOC_CTX *mem)
{
	struct err *e = NULL;

	for (int i = 0; e == NULL && i < in->added; i++) {
		const struct player *p = &in->players[i];

		if (strcmp(in->game->status, "running") == 0)
			e = letter_welcome(in->s, mem, in->board, p);
		if (e == NULL)
			e = people_announce(in->s, mem, in->board, p, p->address);
	}
	return e;
}

static struct err *import_rows(struct importing *in, TALLOC_CTX *mem, const char *text)
{
	bool first = true, heading = false;
	struct csv csv;
	struct csv_row row;
	struct err *e;

	csv_begin(&csv, in->file, text);
	while ((e = csv_next(mem, &csv, &row)) == NULL && row.count > 0) {
		if (first)
			e = read_heading(mem, in, &row, &heading);
		if (e == NULL && !(first && heading))
			e = at_row(mem, in, &row, import_row(in, mem, &row));
		if (e != NULL)
			return e;
		first = false;
	}
	return e;
}

struct err *enrol_import(
	const struct service *s, TALLOC_CTX *mem, struct game *g, const char *file, const char *text, int *added)
{
	struct importing in = {.s = s, .game = g, .file = file, .at = {0, 1, 2, 3}};
	struct err *e = board_load(s, mem, g, &in.board);

	*added = 0;
	if (e == NULL)
		e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = import_rows(&in, mem, text);
	if (e == NULL)
		e = welcome_added(&in, mem);
	if (e == NULL)
		e = note(s, mem, g, talloc_asprintf(mem, "%d players imported", in.added), "");
	e = store_end(s->store, mem, e);
	if (e == NULL)
		*added = in.added;
	return e;
}
