/* Who plays, commands and is away: REPLACE, DEPUTY, GRANT, ABSENT. */
#include "service/command.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "service/calendar.h"
#include "service/people.h"
#include "service/post.h"
#include "service/record.h"
#include "service/when.h"
#include "store/news.h"

#include <string.h>
#include <strings.h>

enum { ABSENCE_DAYS_MAX = 100, DAY = 24 * 3600 };

/* --- the referee's --------------------------------------------------------------------------------------------------
 */

/* The player that the command names; NULL when it was refused. */
static struct err *named(
	struct asking *a, const struct command_record *c, const char *text, struct player **out, const char **rest)
{
	const char *why;
	struct err *e = people_find(a->s, a->mem, a->b->game, text, out, rest, &why);

	if (e == NULL && *out == NULL)
		refuse(a, talloc_asprintf(a->mem, "%s: %s", command_name(a->mem, c->verb), why));
	return e;
}

static struct err *do_replace(struct asking *a, const struct command_record *c)
{
	const char *rest, *name, *address, *why;
	struct player *p;
	struct err *e = named(a, c, c->name, &p, &rest);

	if (e != NULL || p == NULL)
		return e;
	if (rest[0] != '\0')
		return refuse(a, "REPLACE: who? Write it like: REPLACE 3 WITH ann@school.example");
	if (!people_address(a->mem, a->s, c->text, &name, &address, &why))
		return refuse(a, talloc_asprintf(a->mem, "REPLACE: %s.", why));
	e = people_other_side(a->s, a->mem, p, address, &why);
	if (e != NULL)
		return e;
	if (why[0] != '\0')
		return refuse(a, talloc_asprintf(a->mem, "REPLACE: %s. Nothing was done.", why));
	e = people_replace(a->s, a->mem, a->b, p, name, address);
	a->recorded = talloc_asprintf(a->mem, "REPLACE player %lld", (long long)p->id);
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem,
					  "Player %lld is now %s. What was ordered for this turn stands. A welcome "
					  "with a "
					  "new key is on its way; the old key and old mails open nothing any more.",
					  (long long)p->id, address));
}

/* DEPUTY player [address] OFF: that one, or all of his. */
static struct err *end_deputies(struct asking *a, const struct player *p, const char *address)
{
	int ended;
	struct err *e = people_end_deputies(a->s, a->mem, a->b, p, address, &ended);

	if (e != NULL)
		return e;
	if (ended == 0)
		return refuse(
			a, talloc_asprintf(a->mem, "DEPUTY: player %lld (%s) has no %sdeputy, so nothing was done.",
				   (long long)p->id, p->name, address[0] != '\0' ? "such " : ""));
	a->recorded = talloc_asprintf(a->mem, "DEPUTY for player %lld OFF", (long long)p->id);
	return say(
		a, talloc_asprintf(a->mem,
			   "%d %s of player %lld (%s) may no longer write in his name: old mails and the old key open "
			   "nothing any more. Both have been told.",
			   ended, ended == 1 ? "deputy" : "deputies", (long long)p->id, p->name));
}

/* The text less a last word OFF; the same text when it does not end so. */
static const char *without_off(TALLOC_CTX *mem, const char *text)
{
	size_t len = strlen(text);

	if (len < 3 || strcasecmp(text + len - 3, "off") != 0 || (len > 3 && text[len - 4] != ' '))
		return text;
	for (len -= 3; len > 0 && text[len - 1] == ' ';)
		len--;
	return talloc_strndup(mem, text, len);
}

static struct err *do_deputy(struct asking *a, const struct command_record *c)
{
	const char *rest, *name, *address = "", *why = "", *off;
	struct player *p;
	struct err *e = named(a, c, talloc_asprintf(a->mem, "%s %s", c->name, c->text), &p, &rest);

	if (e != NULL || p == NULL)
		return e;
	off = without_off(a->mem, rest);
	if (off[0] != '\0' || off == rest) {
		if (!people_address(a->mem, a->s, off, &name, &address, &why))
			return refuse(a, talloc_asprintf(a->mem, "DEPUTY: %s.", why));
	}
	if (off != rest)
		return end_deputies(a, p, address);
	e = people_other_side(a->s, a->mem, p, address, &why);
	if (e == NULL && why[0] == '\0')
		e = people_deputy(a->s, a->mem, a->b, p, address, &why);
	if (e != NULL)
		return e;
	if (why[0] != '\0')
		return refuse(a, talloc_asprintf(a->mem, "DEPUTY: %s. Nothing was done.", why));
	a->recorded = talloc_asprintf(a->mem, "DEPUTY for player %lld", (long long)p->id);
	return say(a, talloc_asprintf(a->mem,
			      "%s may now write for player %lld (%s), and gets what he gets. The player has been told, "
			      "and is told whenever the deputy acts for him. DEPUTY %lld OFF ends it.",
			      address, (long long)p->id, p->name, (long long)p->id));
}

/* What the player commands with the pieces added or taken out, as player.units; "-" when none is left, since "" means
 * the whole side. */
static const char *changed_units(struct asking *a, const struct player *p, const struct order *pieces, bool add)
{
	bool *may = player_may_order(a->mem, a->b, p);
	struct buf *out = buf_new(a->mem);

	for (int k = 0; k < pieces->unit_count; k++)
		may[pieces->units[k]] = add;
	for (int i = 0; i < a->b->state->count; i++)
		if (may[i])
			buf_printf(out, "%s%s", out->len > 0 ? " " : "", a->b->state->units[i].id);
	return out->len > 0 ? out->data : "-";
}

static struct err *tell_command(struct asking *a, const struct command_record *c, struct player *p, const char *units)
{
	struct err *e = store_set_units(a->s->store, a->mem, p->id, units);

	p->units = units;
	return e != NULL ? e
			 : letter_answer(a->s, a->mem, a->b, p, NULL, "Your command has changed",
				   text_wrap(a->mem,
					   talloc_asprintf(a->mem,
						   "The referee has changed who commands what%s%s. You now command %s. "
						   "Orders for other units do not count any more.",
						   c->because[0] != '\0' ? ", because " : "", c->because,
						   command_text(a->mem, a->b, p)),
					   LETTER_COLUMNS, 0),
				   true);
}

/* From now on nobody else of that side who has a list of his own commands the pieces. */
static struct err *take_from_others(
	struct asking *a, const struct command_record *c, const struct player *p, const struct order *pieces)
{
	struct players players;
	struct err *e = store_players(a->s->store, a->mem, a->b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		struct player *q = &players.list[i];
		const char *units;

		if (q->id == p->id || player_side(q) != player_side(p))
			continue;
		if (q->units[0] == '\0') {
			say(a, talloc_asprintf(a->mem,
				       "Player %lld (%s) commands the whole army and may order them, too.",
				       (long long)q->id, q->name));
			continue;
		}
		units = changed_units(a, q, pieces, false);
		if (strcmp(units, q->units) != 0)
			e = tell_command(a, c, q, units);
	}
	return e;
}

static struct err *do_grant(struct asking *a, const struct command_record *c)
{
	const struct order *pieces;
	const char *rest, *why;
	struct player *p;
	struct err *e = named(a, c, talloc_asprintf(a->mem, "%s %s", c->name, c->text), &p, &rest);

	if (e != NULL || p == NULL)
		return e;
	if (player_side(p) < 0)
		return refuse(
			a, talloc_asprintf(a->mem, "GRANT: player %lld is no player of a side.", (long long)p->id));
	if (p->units[0] == '\0')
		return refuse(a, talloc_asprintf(a->mem, "GRANT: player %lld commands the whole army already.",
					 (long long)p->id));
	pieces = people_pieces(a->mem, a->b, (enum side)player_side(p), rest, &why);
	if (pieces == NULL)
		return refuse(a, talloc_asprintf(a->mem, "GRANT: %s", why));
	e = tell_command(a, c, p, changed_units(a, p, pieces, true));
	if (e == NULL)
		e = take_from_others(a, c, p, pieces);
	a->recorded = talloc_asprintf(a->mem, "GRANT player %lld %s", (long long)p->id, pieces->subject);
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem,
					  "Player %lld (%s) now commands %s. Whom it concerns has been told.",
					  (long long)p->id, p->name, command_text(a->mem, a->b, p)));
}

/* --- away --------------------------------------------------------------------------------------------------------- */

/* Who is away: the writer, or the player whom a referee names. *out is NULL when it was refused. */
static struct err *who_is_away(
	struct asking *a, const struct command_record *c, struct player *self, struct player **out)
{
	const char *rest = "";
	struct err *e = NULL;

	*out = self;
	if (strcmp(a->p->role, "referee") == 0 && c->name[0] == '\0') {
		*out = NULL;
		refuse(a, "ABSENT: who? Write the player's number or name before FROM, as in: ABSENT 2 FROM 1 February "
			  "TO 7 "
			  "February. STATUS lists the players. For somebody to stand in for you write DEPUTY, your own "
			  "number and an address.");
		return NULL;
	}
	if (c->name[0] != '\0')
		e = named(a, c, c->name, out, &rest);
	if (e == NULL && *out != NULL && (rest[0] != '\0' || player_side(*out) < 0)) {
		*out = NULL;
		refuse(a, rest[0] != '\0' ? "ABSENT: write one player's number or name, and then FROM and the two days."
					  : "ABSENT is for players who order units.");
	}
	return e;
}

/* A referee did it: it is recorded, and the player told. */
static struct err *tell_away(struct asking *a, const struct command_record *c, const struct player *p, const char *days)
{
	const char *before;
	struct err *e = record_digest(a->s, a->mem, a->b->game, &before);

	if (e == NULL)
		e = record_act(a->s, a->mem, a->b->game, record_actor(a->mem, a->p),
			talloc_asprintf(a->mem, "ABSENT player %lld %s", (long long)p->id, days), c->because, before,
			NULL);

	if (e == NULL)
		e = letter_private(a->s, a->mem, a->b, p, "You are away",
			text_wrap(a->mem,
				talloc_asprintf(a->mem,
					"The referee has noted that you are away %s. In those days nobody waits for "
					"you and "
					"you get no reminders; your standing orders go on, and you may write all the "
					"same.",
					days),
				LETTER_COLUMNS, 0),
			false);
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem,
					  "Player %lld (%s) is away %s. In those days nobody waits for this player, "
					  "and no "
					  "reminders are sent; standing orders go on. The player has been told. DEPUTY "
					  "lets "
					  "somebody else order in the player's name, and ORDER does it yourself.",
					  (long long)p->id, p->name, days));
}

static struct err *do_absent(struct asking *a, const struct command_record *c)
{
	const char *zone = a->b->game->zone, *days;
	int64_t now = clock_now(&a->s->clock), first, last;
	struct player self = *a->p, *p;
	struct err *e = who_is_away(a, c, &self, &p);

	if (e != NULL || p == NULL)
		return e;
	if (!when_days(a->mem, c->from, c->to, zone, now, &first, &last))
		return refuse(a, "ABSENT: that is no date that could be read. Write it like: ABSENT FROM 2027-02-01 TO "
				 "2027-02-07, or: ABSENT FROM 1 February TO 7 February");
	if (last < first || last < now)
		return refuse(a, "ABSENT: the last day lies before the first, or has gone by already.");
	if (last - first > (int64_t)ABSENCE_DAYS_MAX * DAY)
		return refuse(a, "ABSENT: that is more than 100 days. Somebody else should play on: the referee writes "
				 "REPLACE for that.");
	e = store_set_absence(a->s->store, a->mem, p->id, now, first, last);
	days = talloc_asprintf(
		a->mem, "from %s to %s", calendar_day_text(a->mem, first, zone), calendar_day_text(a->mem, last, zone));
	if (e != NULL || strcmp(a->p->role, "referee") == 0)
		return e != NULL ? e : tell_away(a, c, p, days);
	e = store_add_news(a->s->store, a->mem, a->b->game->id, now,
		talloc_asprintf(a->mem, "%s (player %lld) is away %s. DEPUTY lets somebody else order in his name.",
			p->name, (long long)p->id, days));
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem,
					  "You are away %s. Until then nobody waits for you and you get no reminders; "
					  "your standing "
					  "orders go on, and you may write all the same. The referee is told.",
					  days));
}

const struct deed people_deeds[] = {
	{COMMAND_REPLACE, do_replace, true, true},
	{COMMAND_DEPUTY, do_deputy, true, true},
	{COMMAND_GRANT, do_grant, true, true},
	{COMMAND_ABSENT, do_absent, true, true},
	{COMMAND_VERBS, NULL, false, false},
};
