/* RULE: a house rule of the referee, from the next turn on; and the game's options (options.h), at once. */
#include "service/command.h"

#include "base/buf.h"
#include "base/text.h"
#include "service/options.h"
#include "store/lines.h"

#include <string.h>

enum { OPTIONS_TEXT_MAX = 8000, VALUE_MAX = 40 };

/* The option set so in a copy of what holds now; its place in *index. ERR_GAME when it cannot be. */
static struct err *try_option(
	TALLOC_CTX *mem, const struct parameters *now, const char *line, struct parameters **out, int *index)
{
	struct line_reader *reader = line_reader_new(mem, "RULE", line, strlen(line));
	const struct line *l;
	struct err *e = line_next(mem, reader, &l);

	*out = parameters_copy(mem, now);
	for (int i = 0; i < now->count; i++)
		(*out)->given[i] = false;
	if (e == NULL)
		e = parameters_set(mem, *out, l, 0);
	for (int i = 0; e == NULL && i < now->count; i++)
		if ((*out)->given[i])
			*index = i;
	return e;
}

/* The last line of play that there is. */
static struct err *last_line(struct asking *a, int *out)
{
	struct line_rows rows;
	struct err *e = store_lines(a->s->store, a->mem, a->b->game->id, &rows);

	*out = a->b->game->line;
	for (int i = 0; e == NULL && i < rows.count; i++)
		*out = rows.list[i].line > *out ? rows.list[i].line : *out;
	return e;
}

static struct err *make_rule(
	struct asking *a, const struct command_record *c, const char *line, bool option, const char *meaning)
{
	struct game *g = a->b->game;
	const char *because = *c->because
				      ? talloc_asprintf(a->mem, " The reason: %s", text_sentence(a->mem, c->because))
				      : "",
		   *said;
	int last;
	struct err *e = last_line(a, &last);

	if (e != NULL)
		return e;
	if (option) {
		g->options = talloc_asprintf(a->mem, "%sset %s\n", g->options, line);
		said = talloc_asprintf(a->mem, "From now on: %s%s", meaning, because);
	} else {
		g->options = talloc_asprintf(
			a->mem, "%sset %s from %d %d %d\n", g->options, line, g->turn + 1, g->line, last);
		said = talloc_asprintf(a->mem, "From turn %d on: %s%s", g->turn + 1, meaning, because);
	}
	return change_game(
		a, said, "A house rule", talloc_asprintf(a->mem, "The referee has made a house rule.\n\n%s", said));
}

/* Of a name that is no option: those that are. Else nothing. */
static const char *names_text(TALLOC_CTX *mem, const struct parameters *p, const char *name)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < p->count; i++)
		if (strcmp(p->defs[i].name, name) == 0)
			return "";
	buf_adds(out, " The options are ");
	for (int i = 0; i < p->count; i++)
		buf_printf(out, "%s%s", i == 0 ? "" : i + 1 < p->count ? ", " : " and ", p->defs[i].name);
	buf_adds(out, ".");
	return out->data;
}

static struct err *do_rule(struct asking *a, const struct command_record *c)
{
	const struct game *g = a->b->game;
	const char *value = c->text + strspn(c->text, "=: "), *line, *meaning;
	bool option = options_know(c->name);
	const struct parameters *now = option ? a->b->options : a->b->sc->parameters;
	struct parameters *then;
	struct err *e;
	int i = 0;

	if (strpbrk(c->name, " \"#\r\n") != NULL || strpbrk(value, " \"#\r\n") != NULL || strlen(value) > VALUE_MAX)
		return refuse(a, "RULE takes one option and one value, as in: RULE wet-powder off. Nothing was done.");
	line = talloc_asprintf(a->mem, "%s %s", c->name, value);
	e = try_option(a->mem, now, line, &then, &i);
	if (e != NULL)
		return refuse(a, talloc_asprintf(a->mem, "RULE: %s. Nothing was done.%s", e->what,
					 names_text(a->mem, now, c->name)));
	if (strcmp(c->name, "bases") == 0)
		return refuse(a, "RULE: bases are counted when a game is made, with 'galloper game new --set bases=N'. "
				 "For one unit write: SET unit BASES n. Nothing was done.");
	if (strlen(g->options) > OPTIONS_TEXT_MAX)
		return refuse(a, "RULE: this game has had more house rules than can be kept. Nothing was done.");
	meaning = talloc_asprintf(a->mem, "%s %s, which was %s. (%s)", c->name, parameters_text(a->mem, then, i),
		parameters_text(a->mem, now, i), now->defs[i].help);
	return make_rule(a, c, line, option, meaning);
}

const struct deed rule_deeds[] = {
	{COMMAND_RULE, do_rule, true, false},
	{COMMAND_VERBS, NULL, false, false},
};
