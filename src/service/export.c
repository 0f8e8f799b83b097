#include "service/export.h"

#include "base/address.h"
#include "base/file.h"
#include "base/json.h"
#include "mail/field.h"
#include "mail/reader.h"
#include "report/map.h"
#include "service/letters.h"
#include "service/post.h"
#include "service/record.h"
#include "service/redact.h"
#include "store/archive.h"
#include "store/lines.h"
#include "store/messages.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>

enum { FILE_MODE = 0600, FOLDER_MODE = 0700 };

struct export
{
	const struct service *s;
	struct game *game;
	const char *folder;
	struct reader *reader;
	struct secrets secrets;
	struct players players;
	struct buf *csv;
	struct exported *out;
};

/* Everything goes through here, so that no file holds a secret. */
static struct err *put(const struct export *x, TALLOC_CTX *mem, const char *name, const char *bytes, size_t len)
{
	struct buf *redacted = buf_new(mem);

	redact_text(redacted, &x->secrets, bytes, len);
	return file_write(
		mem, talloc_asprintf(mem, "%s/%s", x->folder, name), redacted->data, redacted->len, FILE_MODE);
}

static struct err *put_text(const struct export *x, TALLOC_CTX *mem, const char *name, const char *text)
{
	return put(x, mem, name, text, strlen(text));
}

/* --- the game and its people -------------------------------------------------------------------------------------- */

static void player_json(struct json *j, const struct player *p)
{
	json_open_object(j, NULL);
	json_int(j, "player", p->id);
	json_string(j, "role", p->role);
	json_string(j, "name", p->name);
	json_string(j, "address", p->address);
	json_string(j, "units", p->units);
	json_close_object(j);
}

static struct err *put_game(const struct export *x, TALLOC_CTX *mem)
{
	const struct game *g = x->game;
	struct buf *text = buf_new(mem);
	struct board *b;
	struct json j;
	struct err *e = board_load(x->s, mem, x->game, &b);

	if (e != NULL)
		return e;
	json_begin(&j, text);
	json_open_object(&j, NULL);
	json_string(&j, "game", g->name);
	json_string(&j, "battle", g->battle);
	json_string(&j, "rules", g->rules);
	json_string(&j, "options", g->options);
	json_string(&j, "status", g->status);
	json_int(&j, "line", g->line);
	json_int(&j, "turn", g->turn);
	json_string(&j, "zone", g->zone);
	json_string(&j, "made", clock_iso(mem, g->made));
	json_string(&j, "seed_hash", dice_seed_hash(mem, &b->dice));
	json_string(&j, "seed", strcmp(g->status, "ended") == 0 ? seed_text(mem, b) : NULL);
	json_open_array(&j, "players");
	for (int i = 0; i < x->players.count; i++)
		player_json(&j, &x->players.list[i]);
	json_close_array(&j);
	json_close_object(&j);
	buf_addc(text, '\n');
	e = put(x, mem, "game.json", text->data, text->len);
	if (e == NULL)
		e = put_text(x, mem, "battle.txt", g->battle_text);
	return e != NULL ? e : put_text(x, mem, "rules.txt", g->rules_text);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static struct err *put_turn(struct export *x, TALLOC_CTX *mem, int line, int turn)
{
	const char *stem = talloc_asprintf(mem, "turns/line-%d-turn-%02d", line, turn);
	struct game then = *x->game;
	struct turn_row *row = NULL;
	struct board *b = NULL;
	char *events, *report;
	struct err *e;

	/* As it stood when the next turn was open. */
	then.line = line;
	then.turn = turn + 1;
	then.part = 0;
	e = store_turn(x->s->store, mem, &then, turn, &row);
	if (e != NULL || row == NULL)
		return e;
	e = board_load(x->s, mem, &then, &b);
	if (e == NULL)
		e = report_json(x->s, mem, b, turn, &events);
	if (e == NULL)
		e = report_text(x->s, mem, b, turn, -1, &report);
	if (e == NULL)
		e = put_text(x, mem, talloc_asprintf(mem, "%s-events.json", stem), events);
	if (e == NULL)
		e = put_text(x, mem, talloc_asprintf(mem, "%s-report.txt", stem), report);
	if (e == NULL)
		e = put_text(x, mem, talloc_asprintf(mem, "%s-orders.txt", stem), row->orders);
	if (e == NULL)
		e = put_text(x, mem, talloc_asprintf(mem, "%s-map.txt", stem), map_of(mem, b->sc, b->state, NULL));
	x->out->turns += e == NULL;
	return e;
}

static struct err *put_turns(struct export *x, TALLOC_CTX *mem)
{
	struct line_row only = {.line = x->game->line, .start = 1, .turn = x->game->turn};
	struct line_rows lines;
	struct err *e = store_lines(x->s->store, mem, x->game->id, &lines);

	if (e == NULL && lines.count == 0)
		lines = (struct line_rows){&only, 1};
	for (int i = 0; e == NULL && i < lines.count; i++) {
		const struct line_row *l = &lines.list[i];
		int end = l->line == x->game->line ? x->game->turn : l->turn;

		for (int turn = l->start; e == NULL && turn < end; turn++) {
			TALLOC_CTX *one = talloc_new(mem);

			e = put_turn(x, one, l->line, turn);
			if (e != NULL)
				talloc_steal(mem, e);
			talloc_free(one);
		}
	}
	return e;
}

/* --- mails -------------------------------------------------------------------------------------------------------- */

/* A field of the CSV. A sheet program takes what begins with = + - @ for a formula, so such a name gets a quote. */
static void csv_field(struct buf *out, const char *text, bool last)
{
	buf_addc(out, '"');
	if (text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL)
		buf_addc(out, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			buf_addc(out, '"');
		buf_addc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	}
	buf_adds(out, last ? "\"\n" : "\",");
}

static const struct player *find_player(const struct export *x, int64_t id)
{
	for (int i = 0; i < x->players.count; i++)
		if (x->players.list[i].id == id)
			return &x->players.list[i];
	return NULL;
}

/* Who wrote a mail that came in, by its From; "" where that is no one address. In small letters, on `mem`. */
static const char *sender_of(TALLOC_CTX *mem, const char *raw, size_t len)
{
	struct address a;

	if (raw == NULL || !address_parse(mem, fields_get(fields_read(mem, raw, len), "From"), &a))
		return "";
	for (char *p = a.address; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	return a.address;
}

/* A seat may have changed hands, and has deputies: a name stands only where the address is still its own. */
static struct err *csv_person(struct export *x, TALLOC_CTX *mem, const struct player *p, const char *address)
{
	const char *key = "", *name = "";
	struct err *e = p == NULL ? NULL : store_key(x->s->store, mem, p->id, address, &key);

	if (p != NULL && strcmp(p->address, address) == 0)
		name = p->name;
	else if (key[0] != '\0')
		name = talloc_asprintf(mem, "deputy of %s", p->name);
	csv_field(x->csv, p == NULL ? "" : talloc_asprintf(mem, "%lld", (long long)p->id), false);
	csv_field(x->csv, name, false);
	csv_field(x->csv, address, false);
	csv_field(x->csv, p == NULL ? "" : p->role, false);
	return e;
}

/* Read as the daemon reads it: in the sandbox, and where it cannot be read that is said. */
static struct err *copy_mail(const struct export *x, TALLOC_CTX *mem, const struct archived *m, const char **out)
{
	struct message *copy;
	struct err *e = reader_read(mem, x->reader, READER_COPY, m->raw, m->len, &copy);

	if (e == NULL)
		*out = copy->typed.text;
	else if (e->scope == ERR_MAIL)
		*out = talloc_asprintf(mem, "\n[This mail of %zu bytes was left out: %s]\n", m->len, e->what);
	return e != NULL && e->scope == ERR_MAIL ? NULL : e;
}

static struct err *put_mail(void *context, TALLOC_CTX *mem, const struct archived *m)
{
	struct export *x = context;
	const struct player *p = find_player(x, m->player);
	const char *name = talloc_asprintf(mem, "mails/%s-%06lld.eml", m->in ? "in" : "out", (long long)m->id);
	const char *text = "";
	struct err *e = m->raw == NULL ? NULL : copy_mail(x, mem, m, &text);

	if (e == NULL && m->raw != NULL)
		e = put_text(x, mem, name, text);
	csv_field(x->csv, clock_iso(mem, m->when), false);
	csv_field(x->csv, m->in ? "in" : "out", false);
	if (e == NULL)
		e = csv_person(x, mem, p, m->in ? sender_of(mem, m->raw, m->len) : m->recipient);
	csv_field(x->csv, m->in && m->turn > 0 ? "orders" : m->what[0] != '\0' ? m->what : "mail", false);
	csv_field(x->csv, m->turn == 0 ? "" : talloc_asprintf(mem, "%d", m->turn), false);
	csv_field(x->csv, m->state, false);
	csv_field(x->csv, m->raw == NULL ? "" : name, true);
	x->out->mails++;
	return e;
}

static struct err *put_mails(struct export *x, TALLOC_CTX *mem)
{
	struct err *e;

	buf_adds(x->csv, "time,direction,player,name,address,role,what,turn,state,file\n");
	e = store_archive(x->s->store, mem, x->game->id, put_mail, x);
	return e != NULL ? e : put(x, mem, "mails.csv", x->csv->data, x->csv->len);
}

/* --- the record --------------------------------------------------------------------------------------------------- */

static struct err *put_messages(const struct export *x, TALLOC_CTX *mem)
{
	struct buf *text = buf_new(mem);
	struct message_rows rows;
	struct json j;
	struct err *e = store_messages(x->s->store, mem, x->game->id, false, &rows);

	if (e != NULL)
		return e;
	json_begin(&j, text);
	json_open_array(&j, NULL);
	for (int i = 0; i < rows.count; i++) {
		const struct message_row *m = &rows.list[i];

		json_open_object(&j, NULL);
		json_int(&j, "number", m->number);
		json_string(&j, "time", clock_iso(mem, m->made));
		json_int(&j, "player", m->player);
		json_string(&j, "audience", m->audience);
		json_string(&j, "text", m->body);
		json_string(&j, "state", m->state);
		json_string(&j, "reason", m->reason);
		json_close_object(&j);
	}
	json_close_array(&j);
	buf_addc(text, '\n');
	return put(x, mem, "messages.json", text->data, text->len);
}

static struct err *put_record(const struct export *x, TALLOC_CTX *mem)
{
	struct buf *rulings = buf_new(mem), *text = buf_new(mem), *json = buf_new(mem);
	struct acts acts;
	struct err *e = store_acts(x->s->store, mem, x->game->id, &acts);

	if (e == NULL)
		e = record_print(x->s, mem, x->game, false, text);
	if (e == NULL)
		e = record_print(x->s, mem, x->game, true, json);
	for (int i = 0; e == NULL && i < acts.count; i++) {
		const struct act *a = &acts.list[i];

		if (strncmp(a->actor, "referee ", 8) == 0 && strncmp(a->what, "mail ", 5) != 0 &&
			strncmp(a->what, "refused", 7) != 0)
			buf_printf(rulings, "%s  %s%s%s\n", clock_text(mem, a->made, x->game->zone), a->what,
				a->reason[0] != '\0' ? "\n    because " : "", a->reason);
	}
	if (e == NULL)
		e = put(x, mem, "rulings.txt", rulings->data, rulings->len);
	if (e == NULL)
		e = put(x, mem, "log.txt", text->data, text->len);
	return e != NULL ? e : put(x, mem, "log.json", json->data, json->len);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static struct err *check_empty(TALLOC_CTX *mem, const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;
	bool empty = true;

	if (d == NULL && errno == ENOENT)
		return NULL;
	if (d == NULL)
		return err_new(mem, ERR_GAME, false, folder, "this is no folder that can be read: %s", strerror(errno));
	while ((entry = readdir(d)) != NULL)
		empty = empty && entry->d_name[0] == '.' &&
			(entry->d_name[1] == '\0' || strcmp(entry->d_name, "..") == 0);
	closedir(d);
	return empty ? NULL : err_new(mem, ERR_GAME, false, folder, "the folder is not empty; name a new one");
}

struct err *export_game(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *folder,
	struct reader *reader, struct exported *out)
{
	struct export x = {.s = s, .game = g, .folder = folder, .reader = reader, .csv = buf_new(mem), .out = out};
	struct err *e = check_empty(mem, folder);

	*out = (struct exported){0, 0};
	if (e == NULL)
		e = file_make_folder(mem, talloc_asprintf(mem, "%s/mails", folder), FOLDER_MODE);
	if (e == NULL)
		e = file_make_folder(mem, talloc_asprintf(mem, "%s/turns", folder), FOLDER_MODE);
	if (e == NULL)
		e = store_players_ever(s->store, mem, g->id, &x.players);
	if (e == NULL)
		e = secrets_of(s, mem, g->id, &x.secrets);
	if (e == NULL)
		e = put_game(&x, mem);
	if (e == NULL)
		e = put_turns(&x, mem);
	if (e == NULL)
		e = put_mails(&x, mem);
	if (e == NULL)
		e = put_messages(&x, mem);
	return e != NULL ? e : put_record(&x, mem);
}
