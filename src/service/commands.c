#include "service/commands.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"
#include "service/command.h"

#include <string.h>

struct err *say(struct asking *a, const char *text)
{
	buf_printf(a->said, "%s%s", a->said->len > 0 ? "\n\n" : "", text);
	return NULL;
}

struct err *change_game(struct asking *a, const char *what, const char *said, const char *subject, const char *told)
{
	struct err *e = store_update_game(a->s->store, a->mem, a->b->game);

	if (e == NULL)
		e = store_act(a->s->store, a->mem, a->b->game->id, clock_now(&a->s->clock),
			talloc_asprintf(a->mem, "referee %lld", (long long)a->p->id), what, "");
	if (e == NULL)
		e = letter_to_others(a->s, a->mem, a->b, a->p, subject, told);
	return e != NULL ? e : say(a, said);
}

static const struct deed *find_deed(enum command_verb verb)
{
	static const struct deed *const lists[] = {player_deeds, time_deeds};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct deed *d = lists[i]; d->run != NULL; d++)
			if (d->verb == verb)
				return d;
	return NULL;
}

static struct err *carry_out(struct asking *a, const struct command_record *c, int *answered)
{
	const struct command_info *info = command_info(c->verb);
	const struct deed *d;

	/* These are orders, or have been dealt with as such. */
	if (c->verb == COMMAND_ACCEPT || c->verb == COMMAND_CANCEL || c->verb == COMMAND_CLEAR)
		return NULL;
	if (info->referee && strcmp(a->p->role, "referee") != 0) {
		*answered += 1;
		return say(a, talloc_asprintf(a->mem, "%s is for the referee.", info->usage));
	}
	d = find_deed(c->verb);
	if (d != NULL && (!a->stale || d->any_turn)) {
		*answered += 1;
		return d->run(a, c);
	}
	if (a->stale)
		return NULL;
	*answered += 1;
	return say(a, talloc_asprintf(a->mem, "%s is not in this version of Galloper.", info->usage));
}

struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out)
{
	struct asking a = {s, mem, b, p, to, buf_new(mem), stale};
	struct err *e = NULL;
	int64_t turn = b->game->turn;
	int i = 0;

	out->answered = 0;
	for (; e == NULL && i < sheet->command_count && b->game->turn == turn; i++)
		e = carry_out(&a, &sheet->commands[i], &out->answered);
	if (e == NULL && i < sheet->command_count)
		e = say(&a, "What stands below RESOLVE was not carried out: that turn is over. Please send it again.");
	out->said = text_wrap(mem, a.said->data, LETTER_COLUMNS, 0);
	return e;
}
