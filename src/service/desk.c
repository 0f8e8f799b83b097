#include "service/desk.h"

#include "base/buf.h"
#include "report/map.h"
#include "report/roster.h"
#include "service/battles.h"
#include "service/letters.h"
#include "service/part.h"

#include <string.h>

struct err *desk_game(const struct service *s, TALLOC_CTX *mem, const char *name, struct game **out)
{
	struct err *e = store_game_named(s->store, mem, name, out);

	if (e == NULL && *out == NULL)
		e = err_new(mem, ERR_GAME, false, "", "there is no game '%s'; 'galloper game list' shows them", name);
	return e;
}

char *desk_map(TALLOC_CTX *mem, const struct board *b)
{
	return talloc_asprintf(mem, "%s, %s\n\n%s%s\n%s", b->sc->title, part_turn_text(mem, b),
		map_of(mem, b->sc, b->state, NULL), map_key(mem, b->sc, b->state, NULL),
		roster_text(mem, b->sc, b->state, -1));
}

struct err *desk_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct buf *text = buf_new(mem);
	const struct orderbook *book;
	struct err *e = board_orders(s, mem, b, -1, NULL, &book);

	for (int side = 0; e == NULL && side < SIDES; side++)
		buf_printf(text, "%s%s, %s\n%s", side > 0 ? "\n" : "", b->sc->label[side], part_turn_text(text, b),
			board_orders_text(text, b, book, (enum side)side));
	*out = text->data;
	return e;
}

struct err *desk_resolve(const struct service *s, TALLOC_CTX *mem, struct game *g, int turn)
{
	struct adjudication *a;
	struct err *e;

	if (strcmp(g->status, "running") != 0 && strcmp(g->status, "paused") != 0)
		return err_new(mem, ERR_GAME, false, "", "the game %s is not running", g->name);
	if (turn > 0 && turn != g->turn)
		return err_new(mem, ERR_GAME, false, "",
			"turn %d is not the current turn, which is %d: nothing was done", turn, g->turn);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = adjudicate(s, mem, g, "command line", &a);
	if (e == NULL)
		e = letter_reports(s, mem, a);
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

struct err *desk_battle(TALLOC_CTX *mem, const char *name_or_path, char **out)
{
	const struct ruleset *rules;
	struct scenario *sc;
	struct err *e = battle_load(mem, name_or_path, NULL, &sc, &rules);

	if (e == NULL)
		*out = talloc_asprintf(mem, "%s (%s rules)\n\n%s%s\n%s", sc->title, rules->name,
			map_of(mem, sc, sc->state, NULL), map_key(mem, sc, sc->state, NULL),
			roster_text(mem, sc, sc->state, -1));
	return e;
}
