#include "service/drill.h"

#include "base/file.h"
#include "mail/key.h"
#include "report/chronicle.h"
#include "report/roster.h"
#include "service/battles.h"
#include "service/examples.h"
#include "service/post.h"
#include "service/record.h"

#include <sodium.h>
#include <string.h>

enum { DAY = 24 * 3600 };

/* The other side's player: he has sent his standing orders, and no mail goes to him. */
static const char sergeant[] = "sergeant@drill.invalid";

bool is_drill(const struct game *g)
{
	return g->slot[0] == '\0';
}

/* "drill-12-20834-1": the player of the real game, the day, and which of that day's drills. */
static const char *drill_name(TALLOC_CTX *mem, const struct player *p, int64_t now, int n)
{
	return talloc_asprintf(mem, "drill-%lld-%lld-%d", (long long)p->id, (long long)(now / DAY), n);
}

/* A name that is still free today, and earlier drills of the day ended; *name is NULL when all are taken. */
static struct err *find_name(
	const struct service *s, TALLOC_CTX *mem, const struct player *p, int64_t now, const char **name)
{
	struct err *e = NULL;

	*name = NULL;
	for (int n = 1; e == NULL && *name == NULL && n <= DRILLS_A_DAY; n++) {
		const char *candidate = drill_name(mem, p, now, n);
		struct game *g;

		e = store_game_named(s->store, mem, candidate, &g);
		if (e != NULL)
			break;
		if (g == NULL) {
			*name = candidate;
		} else if (strcmp(g->status, "ended") != 0 && n < DRILLS_A_DAY) {
			g->status = "ended";
			e = store_update_game(s->store, mem, g);
		}
	}
	return e;
}

static struct err *add_game(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *name, struct game **out)
{
	struct game *g = talloc_zero(mem, struct game);
	unsigned char *seed = talloc_size(g, GAME_SEED_BYTES);
	struct battle_source source;
	struct err *e = battle_fetch(g, "drill", NULL, &source);

	if (e != NULL)
		return e;
	randombytes_buf(seed, GAME_SEED_BYTES);
	g->name = name;
	g->battle = "drill";
	g->rules = b->game->rules; /* those that he is to practise */
	g->rules_text = b->game->rules_text;
	g->battle_text = talloc_asprintf(g, "rules %s\n%s", g->rules, source.battle);
	g->seed = (const char *)seed;
	g->zone = b->game->zone;
	g->options = g->slot = g->skips = g->reminders = g->concession = "";
	g->review = "off";
	g->made = clock_now(&s->clock);
	*out = g;
	e = store_add_game(s->store, mem, g);
	g->status = "running"; /* at once, while other games wait to be started */
	return e != NULL ? e : store_update_game(s->store, mem, g);
}

static struct err *add_player(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct player *like, struct player **out)
{
	struct player *p = talloc_zero(mem, struct player);

	p->game = g->id;
	p->role = player_side(like) == SIDE_JACOBITE ? "J" : "E";
	p->name = like->name;
	p->address = like->address;
	p->units = "";
	p->key = key_new(mem);
	*out = p;
	return store_add_player(s->store, mem, p);
}

/* The enemy, who never writes: his orders for all turns are in from the start. */
static struct err *add_enemy(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, const struct player *player)
{
	bool jacobite = strcmp(player->role, "E") == 0;
	struct player enemy = {.game = g->id,
		.role = jacobite ? "J" : "E",
		.name = "The drill sergeant",
		.address = sergeant,
		.units = "",
		.key = key_new(mem)};
	struct sheet_row row = {.arrived = g->made};
	char *orders;
	size_t len;
	struct err *e = data_read(mem, jacobite ? "db/drill/jacobite.txt" : "db/drill/british.txt", &orders, &len);

	if (e == NULL)
		e = store_add_player(s->store, mem, &enemy);
	if (e == NULL)
		e = store_stop_player(s->store, mem, enemy.id);
	row.player = enemy.id;
	row.canonical = row.typed = orders;
	return e != NULL ? e : store_add_sheet(s->store, mem, g, &row);
}

static struct err *letter_drill(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to)
{
	struct values v = {.count = 0};
	struct post post = {.board = b,
		.player = p,
		.recipient = to->sender,
		.template = "drill",
		.answers = to,
		.turn = b->game->turn};
	struct err *e = put_sheet(s, mem, b, p, &v, &post.printed);

	put_examples(mem, b, p, &v);
	put_value(&v, "side", side_people(mem, b->sc, player_side(p)));
	put_value(&v, "enemies", side_people(mem, b->sc, (int)side_other((enum side)player_side(p))));
	put_map(&v, mem, b->sc, b->state, NULL);
	put_value(&v, "roster", roster_both(mem, b->sc, b->state, player_side(p)));
	put_value(&v, "limit", talloc_asprintf(mem, "%d", (int)rule_number(b->sc, "turn-limit", 0)));
	return e != NULL ? e : post_mail(s, mem, &post, &v);
}

struct err *drill_begin(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, bool *begun)
{
	const char *name;
	struct player *player;
	struct board *drill;
	struct game *g;
	struct err *e = find_name(s, mem, p, clock_now(&s->clock), &name);

	*begun = false;
	if (e != NULL || name == NULL)
		return e;
	e = add_game(s, mem, b, name, &g);
	if (e == NULL)
		e = add_player(s, mem, g, p, &player);
	if (e == NULL)
		e = add_enemy(s, mem, g, player);
	if (e == NULL)
		e = board_load(s, mem, g, &drill);
	if (e == NULL)
		e = letter_drill(s, mem, drill, player, to);
	*begun = e == NULL;
	return e;
}

struct err *drill_wake(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	int64_t last = g->made;
	struct players players;
	const char *digest;
	struct err *e = store_players(s->store, mem, g->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++)
		last = players.list[i].heard > last ? players.list[i].heard : last;
	if (e == NULL && clock_now(&s->clock) < last + DRILL_REST_DAYS * DAY)
		return store_sleep_game(s->store, mem, g, last + DRILL_REST_DAYS * DAY);
	if (e == NULL)
		e = record_digest(s, mem, g, &digest);
	if (e != NULL)
		return e;
	g->status = "ended";
	e = record_act(s, mem, g, "clock", "drill ended", "nobody plays it any more", digest, digest);
	return e != NULL ? e : store_update_game(s->store, mem, g);
}

struct err *drill_play(
	const struct service *s, TALLOC_CTX *mem, struct game *g, const struct answered_mail *to, const char *left)
{
	struct adjudication *done;
	struct err *e = adjudicate(s, mem, g, "drill", &done);

	return e != NULL ? e : letter_reports_answering(s, mem, done, to, left);
}
