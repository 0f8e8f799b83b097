/* The referee and the turn that is open: a look at how it would end, orders entered for a side, a note for the record.
 */
#include "service/command.h"

#include "base/text.h"
#include "service/entered.h"
#include "service/part.h"
#include "service/review.h"

#include <string.h>

enum { NOTE_BYTES_MAX = 1000 };

/* Does this referee also command units in this game? Dice that are still to fall are not for him then. */
static struct err *plays_too(struct asking *a, bool *out)
{
	struct players at;
	struct err *e = store_players_at(a->s->store, a->mem, a->to != NULL ? a->to->sender : a->p->address, &at);

	*out = false;
	for (int i = 0; e == NULL && i < at.count; i++)
		*out = *out || (at.list[i].game == a->b->game->id && player_side(&at.list[i]) >= 0);
	return e;
}

static struct err *do_preview(struct asking *a, const struct command_record *c)
{
	struct adjudication *ahead;
	const char *subject;
	char *page;
	bool plays;
	struct err *e = plays_too(a, &plays);

	(void)c;
	if (e != NULL)
		return e;
	if (plays)
		return refuse(a,
			"PREVIEW: you command units in this game too, so you may not see dice before they fall. "
			"Another referee may.");
	if (a->b->game->held)
		return refuse(a, talloc_asprintf(a->mem,
					 "PREVIEW: %s still waits for your review, so nobody has given orders for what "
					 "comes after it. RELEASE it first.",
					 part_resolved_text(a->mem, a->b->game)));
	e = adjudicate_preview(a->s, a->mem, a->b->game, &ahead);
	if (e == NULL)
		e = preview_page(a->s, a->mem, a->b, ahead, &subject, &page);
	return e != NULL ? e : answer_page(a, subject, page, 0);
}

struct err *order_open_turn(struct asking *a, const struct command_record *c, const char *text)
{
	const struct game *g = a->b->game;
	struct entry entry = {.referee = a->p,
		.side = (enum side)c->side,
		.text = text,
		.command = command_words(a, c),
		.because = c->because,
		.turn = g->turn,
		.arrived = a->to != NULL ? a->to->arrived : clock_now(&a->s->clock)};
	const char *why, *did;
	struct err *e = enter_orders(a->s, a->mem, a->b, &entry, &why, &did);

	if (e != NULL)
		return e;
	if (why != NULL)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s Nothing was done.", command_words(a, c), why));
	return say(a,
		talloc_asprintf(a->mem, "%s: done for turn %d, which is open. %s Record and report tell it as yours.",
			command_words(a, c), g->turn, did));
}

/* Kept and told to nobody. The record is never changed, so it must do without names. */
static struct err *do_note(struct asking *a, const struct command_record *c)
{
	char *text = talloc_strdup(a->mem, c->text);
	size_t n = strlen(text);

	for (char *p = text; *p != '\0'; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	while (n > 0 && text[n - 1] == ' ')
		text[--n] = '\0';
	if (n == 0)
		return refuse(a, "NOTE: there are no words in it. Write it like: NOTE player 2 was ill this week");
	if (n > NOTE_BYTES_MAX)
		return refuse(a, "NOTE: that is too long. A note may have 1000 letters.");
	a->recorded = talloc_asprintf(a->mem, "NOTE %s", text_escape(a->mem, text, n));
	return say(a,
		"NOTE: it is in the record of the game (galloper log), which only you read. The record is kept for "
		"good, so please write no names of pupils into it: player 2 will do.");
}

const struct deed open_deeds[] = {
	{COMMAND_PREVIEW, do_preview, false, false},
	{COMMAND_NOTE, do_note, true, false},
	{COMMAND_VERBS, NULL, false, false},
};
