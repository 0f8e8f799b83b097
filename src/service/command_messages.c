/* SAY TO, and the referee's word on what is held: APPROVE n, REJECT n BECAUSE. */
#include "service/command.h"

#include "base/buf.h"
#include "service/digest.h"
#include "service/messages.h"
#include "service/people.h"

#include <string.h>

enum { DAY = 24 * 3600 };

/* What is wrong with the message, told; or NULL and its audience. */
static struct err *refuse_message(struct asking *a, const struct command_record *c, const char **audience, bool *held)
{
	int option = a->b->options->values[OPTION_MESSAGES], sent = 0;
	bool referee = strcmp(a->p->role, "referee") == 0, own = false;
	int64_t now = clock_now(&a->s->clock);
	struct err *e = message_audience(a->s, a->mem, a->b, a->p, c->name, audience);

	if (e == NULL && *audience == NULL)
		return refuse(a, "SAY: to whom? Write SAY TO and then: a side (English, Jacobites, my side), all, "
				 "referee, a wing "
				 "(left wing), a commander, or a player's number; then a colon and your words.");
	if (e == NULL)
		e = store_messages_since(a->s->store, a->mem, a->b->game->id, a->p->id, now - DAY, now, &sent);
	if (e == NULL)
		e = message_own_side(a->s, a->mem, a->b, a->p, *audience, &own);
	if (e != NULL)
		return e;
	*held = !referee && strcmp(*audience, "referee") != 0 && !(option == MESSAGES_OWN_SIDE && own);
	if (strlen(c->text) > MESSAGE_LETTERS_MAX)
		return refuse(a, "SAY: that is too long. A message may have 1000 letters.");
	if (!referee && sent >= MESSAGES_A_DAY_MAX)
		return refuse(a, "SAY: you have sent 20 messages within a day. Please write again tomorrow.");
	if (option == MESSAGES_OFF && !referee && strcmp(*audience, "referee") != 0)
		return refuse(a, "SAY: messages between players are switched off in this game. SAY TO referee works.");
	return NULL;
}

static struct err *do_say(struct asking *a, const struct command_record *c)
{
	const char *audience = NULL, *to;
	bool held = false;
	int reached = 0;
	struct message_row m = {
		.game = a->b->game->id, .player = a->p->id, .made = clock_now(&a->s->clock), .body = c->text};
	struct err *e;

	a->refused = false;
	e = refuse_message(a, c, &audience, &held);
	if (e != NULL || a->refused)
		return e;
	m.audience = audience;
	m.state = held ? "held" : "sent";
	e = store_add_message(a->s->store, a->mem, &m);
	if (e == NULL)
		e = message_audience_text(a->s, a->mem, a->b, audience, &to);
	if (e == NULL && held)
		e = digest_note(a->s, a->mem, m.game, "");
	else if (e == NULL)
		e = message_deliver(a->s, a->mem, a->b, &m, &reached);
	if (e != NULL)
		return e;
	if (held)
		return say(a, talloc_asprintf(a->mem,
				      "Your message %d to %s is with the referee, who reads it before it goes on. You "
				      "are told if "
				      "it does not.",
				      m.number, to));
	/* What players say among themselves the referee can read, too. */
	if (strcmp(a->p->role, "referee") != 0 && strcmp(audience, "referee") != 0)
		e = digest_note(a->s, a->mem, m.game,
			talloc_asprintf(a->mem, "%s (player %lld) said to %s: %s", a->p->name, (long long)a->p->id, to,
				c->text));
	return e != NULL ? e
			 : say(a, reached > 0 ? talloc_asprintf(a->mem, "Your message to %s is on its way.", to)
					      : talloc_asprintf(a->mem, "There is nobody else among %s to tell.", to));
}

struct err *decide_message(struct asking *a, const struct command_record *c)
{
	bool approve = c->verb != COMMAND_REJECT, first = false;
	const char *word = command_name(a->mem, c->verb);
	struct player *from = NULL;
	struct message_row *m;
	int reached = 0;
	struct err *e = store_message(a->s->store, a->mem, a->b->game->id, c->number, &m);

	if (e != NULL)
		return e;
	if (m == NULL)
		return refuse(
			a, talloc_asprintf(a->mem, "%s %d: there is no held message of that number.", word, c->number));
	e = store_decide_message(
		a->s->store, a->mem, m, approve ? "sent" : "rejected", clock_now(&a->s->clock), c->because, &first);
	if (e == NULL && !first)
		return refuse(a, talloc_asprintf(a->mem, "%s %d: that message was %s before, so nothing was done.",
					 word, c->number, m->state));
	if (e == NULL && approve)
		e = message_deliver(a->s, a->mem, a->b, m, &reached);
	if (e != NULL || approve)
		return e != NULL ? e
				 : say(a, talloc_asprintf(a->mem, "Message %d is on its way to %d %s:\n\n%s", c->number,
						  reached, reached == 1 ? "person" : "people",
						  message_body(a->mem, m->body)));
	e = store_player(a->s->store, a->mem, m->player, &from);
	if (e == NULL && message_of_another(m, from))
		return say(
			a, talloc_asprintf(a->mem, "Message %d is not sent; its writer plays no longer.", c->number));
	if (e == NULL && from != NULL)
		e = letter_answer(a->s, a->mem, a->b, from, NULL, "A message was not sent",
			talloc_asprintf(a->mem, "The referee has not let your message %d go%s%s:\n\n%s", c->number,
				c->because[0] != '\0' ? ", because " : "", c->because, message_body(a->mem, m->body)),
			false);
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem, "Message %d is not sent; its writer is told%s.", c->number,
					  c->because[0] != '\0' ? ", and why"
								: ", but not why: BECAUSE and a reason would say it"));
}

struct err *decide_waiting(struct asking *a, const struct command_record *c, bool *any)
{
	const char *word = command_name(a->mem, c->verb);
	struct command_record one = *c;
	struct message_rows held;
	struct buf *lines = buf_new(a->mem);
	struct err *e = store_messages(a->s->store, a->mem, a->b->game->id, true, &held);

	*any = e == NULL && held.count > 0;
	if (!*any)
		return e;
	one.number = held.list[0].number;
	if (held.count == 1)
		return decide_message(a, &one);
	for (int i = 0; i < held.count; i++)
		buf_printf(lines, "%s%s %d",
			i == 0                ? ""
			: i == held.count - 1 ? " or "
					      : ", ",
			word, held.list[i].number);
	return refuse(a, talloc_asprintf(a->mem, "%s: which message? Write: %s", word, lines->data));
}

const struct deed message_deeds[] = {
	{COMMAND_SAY, do_say, true, true},
	{COMMAND_VERBS, NULL, false, false},
};
