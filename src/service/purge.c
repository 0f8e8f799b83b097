#include "service/purge.h"

#include "mail/forget.h"
#include "service/account.h"
#include "service/record.h"
#include "store/archive.h"

#include <string.h>

enum { DAY = 24 * 3600 };

/* What lies in Maildirs of the game, or with game 0 of no game before then. */
static struct err *forget_files(const struct service *s, TALLOC_CTX *mem, int64_t game, int64_t before)
{
	struct source_settings source = source_settings_from(s->config);
	struct sink_settings sink = sink_settings_from(s->config);
	struct forget_sent *sent;
	struct mail_names names = {NULL, 0, NULL, 0};
	struct account *account;
	struct err *e = account_load(s, mem, &account);

	if (e == NULL)
		e = store_mail_names(s->store, mem, game, account->id, before, &names);
	if (e == NULL && s->config->incoming == TRANSPORT_MAILDIR)
		e = forget_taken(mem, &source, names.uids, names.uid_count);
	if (e != NULL || s->config->outgoing != TRANSPORT_MAILDIR)
		return e;
	sent = talloc_array(mem, struct forget_sent, (unsigned)names.sent_count + 1);
	for (int i = 0; i < names.sent_count; i++)
		sent[i] = (struct forget_sent){names.sent[i].recipient, names.sent[i].message_id};
	return forget_sent(mem, &sink, sent, names.sent_count);
}

/* Inside the transaction: were it not to end well, it would be done again, and files that are gone are no trouble. */
static struct err *forget(const struct service *s, TALLOC_CTX *mem, const struct game *g)
{
	int64_t before = 0;
	const char *digest;
	struct err *e = store_forgotten(s->store, mem, g->id, &before);

	if (e != NULL || before != 0)
		return e;
	e = store_adopt_mails(s->store, mem, g->id);
	if (e == NULL)
		e = forget_files(s, mem, g->id, 0);
	if (e == NULL)
		e = store_forget_game(s->store, mem, g->id, clock_now(&s->clock));
	if (e == NULL)
		e = record_digest(s, mem, g, &digest);
	return e != NULL ? e : record_act(s, mem, g, "command line", "people forgotten", "", digest, digest);
}

/* With his drills, where a player is known by the same address: they end with the game. */
static struct err *forget_with_drills(const struct service *s, TALLOC_CTX *mem, const struct game *g)
{
	struct games drills;
	struct err *e = store_drills_of(s->store, mem, g->id, &drills);

	for (int i = 0; e == NULL && i < drills.count; i++) {
		drills.list[i].status = "ended";
		e = store_update_game(s->store, mem, &drills.list[i]);
		if (e == NULL)
			e = forget(s, mem, &drills.list[i]);
	}
	return e != NULL ? e : forget(s, mem, g);
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
		e = forget_with_drills(s, mem, &out->games.list[i]);
	if (e == NULL)
		e = forget_files(s, mem, 0, before);
	if (e == NULL)
		e = store_forget_strangers(s->store, mem, clock_now(&s->clock), before, &out->strangers);
	e = store_end(s->store, mem, e);
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
	e = forget_with_drills(s, mem, g);
	e = store_end(s->store, mem, e);
	return e != NULL ? e : store_shrink(s->store, mem);
}
