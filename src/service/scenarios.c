#include "service/scenarios.h"

#include "base/line.h"
#include "battle/inspect.h"
#include "orders/sheet.h"
#include "service/battles.h"
#include "service/options.h"

#include <string.h>

enum { KEPT_MAX = 12 };

struct scenarios {
	struct read_game *kept[KEPT_MAX];
	int count;
};

struct scenarios *scenarios_new(TALLOC_CTX *mem)
{
	return talloc_zero(mem, struct scenarios);
}

void scenarios_forget(struct scenarios *all)
{
	for (int i = 0; i < all->count; i++)
		talloc_free(all->kept[i]);
	all->count = 0;
}

static bool same_texts(const struct game *a, const struct game *b)
{
	return strcmp(a->options, b->options) == 0 && strcmp(a->battle, b->battle) == 0 &&
	       strcmp(a->rules, b->rules) == 0 && strcmp(a->battle_text, b->battle_text) == 0 &&
	       strcmp(a->rules_text, b->rules_text) == 0;
}

/* The game's own lines "set NAME VALUE": options of the game, else rules as in a battle file. */
static struct err *apply_options(TALLOC_CTX *mem, struct read_game *r, const struct game *g)
{
	struct line_reader *reader = line_reader_new(mem, "options", g->options, strlen(g->options));
	const struct line *l;
	struct err *e;

	while ((e = line_next(mem, reader, &l)) == NULL && l != NULL) {
		if (l->count == 0)
			continue;
		e = parameters_set(
			mem, l->count > 1 && options_know(l->words[1].text) ? r->options : r->sc->parameters, l, 1);
		if (e != NULL)
			return e;
	}
	return e;
}

/* The option bases: every foot and horse unit begins with so many. */
static struct err *set_bases(struct read_game *r)
{
	int bases = r->options->values[OPTION_BASES];
	struct flaw *fault;

	for (int i = 0; bases > 0 && i < r->sc->state->count; i++) {
		struct unit *u = &r->sc->state->units[i];

		if (!unit_is_formed(u) || u->figures_begun > 0)
			continue;
		u->bases = u->begun = bases;
		unit_refit(u);
	}
	fault = bases > 0 ? scenario_fault(r, r->sc) : NULL;
	return fault == NULL ? NULL
			     : err_new(r, ERR_GAME, false, flaw_place(r, r->sc, fault), "with bases %d %s", bases,
				       fault->what);
}

static struct err *read_texts(const struct game *game, struct read_game *r)
{
	const struct battle_source source = {
		.battle_file = game->battle,
		.battle = game->battle_text,
		.battle_len = strlen(game->battle_text),
		.rules_name = game->rules,
		.rules_file = game->rules,
		.rules = game->rules_text,
		.rules_len = strlen(game->rules_text),
	};
	struct err *e = battle_parse(r, &source, &r->sc, &r->rules);

	r->options = options_new(r);
	if (e == NULL)
		e = apply_options(r, r, game);
	if (e == NULL)
		e = set_bases(r);
	if (e == NULL)
		r->names = orders_names(r, r->sc->state);
	return e;
}

/* The texts by which it is found again. */
static void keep(struct scenarios *all, struct read_game *r, const struct game *g)
{
	struct game *copy = talloc_zero(r, struct game);

	copy->options = talloc_strdup(copy, g->options);
	copy->battle = talloc_strdup(copy, g->battle);
	copy->rules = talloc_strdup(copy, g->rules);
	copy->battle_text = talloc_strdup(copy, g->battle_text);
	copy->rules_text = talloc_strdup(copy, g->rules_text);
	r->game = copy;
	all->kept[all->count++] = talloc_steal(all, r);
}

struct err *scenarios_read(struct scenarios *all, TALLOC_CTX *mem, const struct game *as_kept, struct read_game **out)
{
	struct game then = *as_kept;
	const struct game *game = &then;
	struct read_game *r;
	struct err *e;

	then.options = options_at(mem, as_kept->options, as_kept->turn, as_kept->line);
	for (int i = 0; i < all->count; i++) {
		if (same_texts(all->kept[i]->game, game)) {
			*out = all->kept[i];
			return NULL;
		}
	}
	r = talloc_zero(mem, struct read_game);
	e = read_texts(game, r);
	if (e != NULL) {
		if (game->id > 0)
			e = err_new(mem, ERR_GAME, false, game->name,
				"its own copy of its battle and rules, in the database, cannot be read (%s): 'galloper "
				"restore COPY' puts a backup back",
				err_text(r, e));
		else /* a new game's, which its maker is told of */
			talloc_steal(mem, e);
		talloc_free(r);
		return e;
	}
	if (all->count < KEPT_MAX)
		keep(all, r, game);
	*out = r;
	return NULL;
}

struct err *scenarios_opening(struct scenarios *all, TALLOC_CTX *mem, const struct game *game, const char **out)
{
	struct game begins = *game;
	struct read_game *r;
	struct err *e;

	begins.turn = 1;
	e = scenarios_read(all, mem, &begins, &r);
	if (e != NULL)
		return e;
	if (r->opening == NULL || r->opening_line != game->line) {
		struct state *position = state_copy(r, r->sc->state);

		position->line = game->line;
		r->opening = state_digest(r, position);
		r->opening_line = game->line;
		talloc_free(position);
	}
	*out = talloc_strdup(mem, r->opening);
	return NULL;
}
