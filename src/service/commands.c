#include "service/commands.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"
#include "service/answer_pages.h"
#include "service/command.h"
#include "service/record.h"

#include <string.h>
#include <strings.h>

enum { RECORDED_MAX = 200 };

struct err *say(struct asking *a, const char *text)
{
	buf_printf(a->said, "%s%s", a->said->len > 0 ? "\n\n" : "", text);
	return NULL;
}

struct err *refuse(struct asking *a, const char *text)
{
	a->refused = true;
	return say(a, text);
}

struct err *change_game(struct asking *a, const char *said, const char *subject, const char *told)
{
	struct err *e = store_update_game(a->s->store, a->mem, a->b->game);

	if (e == NULL)
		e = letter_to_others(a->s, a->mem, a->b, a->p, subject, told);
	return e != NULL ? e : say(a, said);
}

struct err *answer_page(struct asking *a, const char *title, const char *text, int64_t shows)
{
	add_page(a->mem, a->out, &(struct answer_page){title, text, shows, false});
	return NULL;
}

const char *command_name(TALLOC_CTX *mem, enum command_verb verb)
{
	const char *usage = command_info(verb)->usage;

	if (verb == COMMAND_NO_CONCEDE)
		return usage;
	return talloc_strndup(mem, usage, strcspn(usage, " "));
}

bool waits_for_the_rest(struct asking *a, const struct command_record *c)
{
	const char *word = command_name(a->mem, c->verb);

	if (a->amiss)
		refuse(a, talloc_asprintf(a->mem,
				  "%s: something else in your mail could not be done, so this was not done yet. Mend "
				  "it, or write %s alone.",
				  word, word));
	return a->amiss;
}

static const struct deed *find_deed(enum command_verb verb)
{
	static const struct deed *const lists[] = {player_deeds, drill_deeds, time_deeds, line_deeds, verdict_deeds,
		amend_deeds, order_deeds, review_deeds, people_deeds, message_deeds, rule_deeds, open_deeds};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct deed *d = lists[i]; d->run != NULL; d++)
			if (d->verb == verb)
				return d;
	return NULL;
}

/* Words of which the rest may name people: only the command itself is recorded. */
static bool names_people(enum command_verb verb)
{
	return verb == COMMAND_SAY || verb == COMMAND_REPLACE || verb == COMMAND_DEPUTY || verb == COMMAND_GRANT;
}

const char *command_words(struct asking *a, const struct command_record *c)
{
	size_t skip = strspn(c->typed, " \t*->"), len = strlen(c->typed), n = strlen(" because");

	for (size_t i = skip; i + n <= len; i++)
		if (strncasecmp(c->typed + i, " because", n) == 0 && strchr(" \t:", c->typed[i + n]) != NULL)
			len = i;
	while (len > skip && strchr(" \t\r,;.", c->typed[len - 1]) != NULL)
		len--;
	len -= skip;
	return text_escape(a->mem, c->typed + skip, len < RECORDED_MAX ? len : RECORDED_MAX);
}

/* What the record says of a command: as typed, without its reason. */
static const char *recorded_text(struct asking *a, const struct command_record *c)
{
	const char *what = a->recorded;

	if (what == NULL && names_people(c->verb))
		what = command_name(a->mem, c->verb);
	if (what == NULL)
		what = command_words(a, c);
	return a->refused ? talloc_asprintf(a->mem, "refused: %s", what) : what;
}

/* A command about a turn that is not the current one does nothing and says so. */
static bool other_turn(const struct asking *a, const struct command_record *c)
{
	switch (c->verb) {
	case COMMAND_PAUSE:
	case COMMAND_RESUME:
	case COMMAND_DEADLINE:
	case COMMAND_EXTEND:
	case COMMAND_RESOLVE:
		return c->turn > 0 && c->turn != a->b->game->turn;
	default:
		return false;
	}
}

/* In answer to a mail of a part of the turn that is over: what would be done to the part that has come since, which its
 * writer did not know. */
static bool other_part(const struct asking *a, const struct command_record *c)
{
	switch (c->verb) {
	case COMMAND_READY:
	case COMMAND_RESOLVE:
	case COMMAND_EXTEND:
	case COMMAND_RELEASE:
		return a->to != NULL && a->to->other_part;
	default:
		return false;
	}
}

static struct err *refuse_other_part(struct asking *a, const struct command_record *c)
{
	return refuse(a, talloc_asprintf(a->mem,
				 "%s: your mail answers one of a part of this turn that is over, so nothing was done. "
				 "If you mean the part that is open now, please write it in answer to this mail.",
				 command_name(a->mem, c->verb)));
}

static struct err *refuse_other_turn(struct asking *a, const struct command_record *c)
{
	return refuse(a, talloc_asprintf(a->mem, "%s TURN %d: we are at turn %d, so nothing was done.",
				 command_name(a->mem, c->verb), c->turn, a->b->game->turn));
}

static struct err *run_deed(struct asking *a, const struct command_record *c, const struct deed *d)
{
	const char *before = "";
	struct err *e = NULL;

	a->refused = false;
	a->recorded = NULL;
	if (other_part(a, c))
		return refuse_other_part(a, c);
	if (!command_info(c->verb)->referee)
		return d->run(a, c);
	e = record_digest(a->s, a->mem, a->b->game, &before);
	if (e == NULL)
		e = other_turn(a, c) ? refuse_other_turn(a, c) : d->run(a, c);
	if (e == NULL)
		e = record_act(a->s, a->mem, a->b->game, record_actor(a->mem, a->p), recorded_text(a, c), c->because,
			before, NULL);
	return e;
}

/* Of these several may change one turn before it is answered what has become of it. A deadline that they move stands in
 * the reports, too; one that there is not may come back with what is answered first. */
static bool is_at_desk(const struct game *g, enum command_verb verb)
{
	static const struct deed *const lists[] = {amend_deeds, order_deeds, review_deeds};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct deed *d = lists[i]; d->run != NULL; d++)
			if (d->verb == verb)
				return true;
	return g->deadline != 0 && (verb == COMMAND_DEADLINE || verb == COMMAND_EXTEND || verb == COMMAND_SKIP ||
					   verb == COMMAND_PAUSE || verb == COMMAND_RESUME);
}

static struct err *carry_out(struct asking *a, const struct command_record *c, int *answered)
{
	const struct command_info *info = command_info(c->verb);
	const struct deed *d;

	/* These are orders, or have been dealt with as such. */
	if ((c->verb == COMMAND_ACCEPT && player_side(a->p) >= 0) || c->verb == COMMAND_CANCEL ||
		c->verb == COMMAND_CLEAR)
		return NULL;
	if (info->referee && strcmp(a->p->role, "referee") != 0) {
		*answered += 1;
		return say(a, talloc_asprintf(a->mem, "%s is for the referee.", info->usage));
	}
	if (strcmp(a->b->game->status, "ended") == 0 && c->verb > COMMAND_WHY)
		return NULL; /* only questions are left */
	d = find_deed(c->verb);
	if (d != NULL && a->b->game->held && !d->while_held && strcmp(a->p->role, "referee") != 0)
		return NULL; /* answered as a whole: the referee is still looking at the turn */
	if (d != NULL && (!a->stale || d->any_turn)) {
		*answered += 1;
		return run_deed(a, c, d);
	}
	if (a->stale)
		return NULL;
	*answered += 1;
	return say(a, talloc_asprintf(a->mem, "%s is not in this version of Galloper.", info->usage));
}

/* Did something fail that the writer can put right? An order to a unit that is gone is no reason to wait. */
static bool could_be_mended(const struct sheet *sheet)
{
	for (int i = 0; i < sheet->problem_count; i++)
		if (sheet->problems[i].kind != PROBLEM_GONE)
			return true;
	return false;
}

struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out)
{
	struct asking a = {.s = s,
		.mem = mem,
		.b = b,
		.p = p,
		.to = to,
		.out = out,
		.said = buf_new(mem),
		.stale = stale,
		.amiss = could_be_mended(sheet),
		.doubted = doubts_concession(mem, sheet),
		.unresolved = doubts_resolving(mem, sheet)};
	struct err *e = NULL;
	int turn = b->game->turn, part = b->game->part, line = b->game->line, i = 0;

	*out = (struct command_results){.answered = 0};
	for (; e == NULL && i < sheet->command_count && b->game->turn == turn && b->game->part == part &&
		b->game->line == line;
		i++) {
		a.refused = false;
		if (!is_at_desk(b->game, sheet->commands[i].verb))
			e = finish_desk(&a);
		if (e == NULL)
			e = carry_out(&a, &sheet->commands[i], &out->answered);
		out->refused += a.refused;
		a.amiss = a.amiss || a.refused;
	}
	if (e == NULL)
		e = finish_desk(&a);
	if (e == NULL && !stale)
		hint_concession(&a, sheet);
	if (e == NULL && !stale)
		e = hint_wishes(&a, sheet);
	if (e == NULL && i < sheet->command_count && strcmp(b->game->status, "ended") != 0)
		e = say(&a,
			talloc_asprintf(mem,
				"What stands below %s was not carried out: that turn is over. Please send it again.",
				command_name(mem, sheet->commands[i - 1].verb)));
	out->said = text_wrap(mem, a.said->data, LETTER_COLUMNS, 0);
	return e;
}
