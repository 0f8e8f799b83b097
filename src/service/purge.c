#include "service/purge.h"

#include "service/record.h"
#include "store/archive.h"

#include <string.h>

enum { DAY = 24 * 3600 };

/* Inside the transaction. */
static struct err *forget(const struct service *s, TALLOC_CTX *mem, const struct game *g)
{
	int64_t now = clock_now(&s->clock);
	const char *digest;
	struct err *e = store_forget_game(s->store, mem, g->id, now);

	if (e == NULL)
		e = record_digest(s, mem, g, &digest);
	return e != NULL ? e : record_act(s, mem, g, "command line", "people forgotten", "", digest, digest);
}

struct err *purge_due(const struct service *s, TALLOC_CTX *mem, struct purged *out)
{
	int64_t before = clock_now(&s->clock) - (int64_t)s->config->forget_after * DAY;
	struct err *e;

	*out = (struct purged){{NULL, 0}, 0};
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = store_games_to_forget(s->store, mem, before, &out->games);
	for (int i = 0; e == NULL && i < out->games.count; i++)
		e = forget(s, mem, &out->games.list[i]);
	if (e == NULL)
		e = store_forget_strangers(s->store, mem, clock_now(&s->clock), before, &out->strangers);
	if (e == NULL)
		e = store_commit(s->store, mem);
	else
		store_rollback(s->store);
	if (e == NULL && out->games.count + out->strangers > 0)
		e = store_shrink(s->store, mem);
	return e;
}

struct err *purge_game(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	int64_t forgotten = 0;
	struct err *e = store_forgotten(s->store, mem, g->id, &forgotten);

	if (e != NULL)
		return e;
	if (strcmp(g->status, "ended") != 0)
		return err_new(mem, ERR_GAME, false, "",
			"the game %s is not over; end it first with 'galloper game end %s'", g->name, g->name);
	if (forgotten != 0)
		return err_new(mem, ERR_GAME, false, "", "the people of %s have been forgotten already", g->name);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = forget(s, mem, g);
	if (e == NULL)
		e = store_commit(s->store, mem);
	else
		store_rollback(s->store);
	return e != NULL ? e : store_shrink(s->store, mem);
}
