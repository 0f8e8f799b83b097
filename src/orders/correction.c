/* "Advance 4, no wait, advance 3": a writer who changes his mind within an order. What he says instead of the last
 * clause, and is of its kind, takes its place, as the later of two orders would (rule 8). Of anything else nobody can
 * say what it is to replace: that is asked, and neither is done. */
#include "orders/lines.h"
#include "orders/parse.h"

/* How many words stand here that begin a correction; 0 for none. */
static int first_words(struct parser *p)
{
	static const char *const alone[] = {"actually", "nope", "oops", "whoops", "scrap", "scratch", "correction",
		"rather", "instead", "sorry", "soz", "sry", NULL};
	static const char *const pairs[][2] = {{"no", "wait"}, {"no", "sorry"}, {"wait", "no"}, {"wait", "sorry"},
		{"wait", "actually"}, {"i", "mean"}, {"i", "meant"}, {"or", "rather"}, {"or", "actually"}, {"oh", "no"},
		{"oh", "wait"}, {"oh", "sorry"}, {"hang", "on"}, {"make", "that"}};

	const struct token *t = here(p), *next;

	if (t->type != TOKEN_WORD || key_is_verb(t->key)) /* none of these is one */
		return 0;
	next = ahead(p, 1);
	if (is_among(t, alone) || (is_word(t, "no") && next->type == TOKEN_COMMA))
		return 1;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (is_word(t, pairs[i][0]) && is_word(next, pairs[i][1]))
			return 2;
	return 0;
}

bool correction_begins(struct parser *p)
{
	return first_words(p) > 0;
}

static bool take_words(struct parser *p)
{
	static const char *const more[] = {"actually", "no", "wait", "sorry", "soz", "sry", "oops", "rather", "instead",
		"scrap", "scratch", "i", "mean", "meant", "that", "or", "oh", "hang", "on", "make", NULL};
	int words = first_words(p);

	for (int n = words; n > 0 || (words && is_among(here(p), more) && !negation_begins(p)); n--) {
		advance(p);
		if (here(p)->type == TOKEN_COMMA)
			advance(p);
	}
	return words > 0;
}

/* "fire at j, sorry, h", "advance 4, no wait, 3": what the last clause is about, without its verb. */
static struct clause *object_instead(struct parser *p, const struct clause *last)
{
	struct clause *c = new_clause(p, last->kind);
	struct match m;

	if (last->kind == CLAUSE_MOVE && last->leg_count == 1 && number_begins(p)) {
		c->legs = talloc_memdup(p->mem, last->legs, sizeof *last->legs);
		c->leg_count = 1;
		parse_distance(p, &c->legs->distance);
		return c;
	}
	if (last->kind == CLAUSE_FACE && last->face.kind == FACE_HEADING && !number_begins(p) &&
		parse_heading(p, &c->face.heading)) {
		c->face.unit = -1;
		return c;
	}
	if (last->target_count && match_piece(p, &m) && !order_begins(p, IN_MIDDLE)) {
		parse_targets(p, c);
		return c;
	}
	return NULL;
}

static bool replaces(const struct clause_list *instead, const struct clause *last)
{
	return instead->first && !instead->first->next && instead->first->kind == last->kind && last->kind != CLAUSE_IF;
}

bool take_correction(struct parser *p, struct clause_list *list)
{
	struct clause *last = list->last ? *list->last : NULL, *object;
	int from = p->pos, failures = p->failures;
	struct clause_list instead;

	if (!last || !take_words(p))
		return false;
	list_init(&instead);
	object = object_instead(p, last);
	if (object && ends_clause(p)) {
		list_append(&instead, object);
	} else if (!object && clause_begins(p, true) && !order_begins(p, IN_MIDDLE)) {
		int behind = p->pos;

		parse_clause(p, &instead);
		if (p->failures == failures && !replaces(&instead, last))
			p->pos = behind;
	} else {
		p->pos = from;
		return false;
	}
	if (p->failures == failures && replaces(&instead, last)) {
		*list->last = instead.first;
		list->end = &instead.first->next;
		note(p, from, "`%s`: what stands before it was taken back.", typed_text(p, from, p->pos));
		return true;
	}
	if (p->failures == failures)
		problem(p, PROBLEM_UNREADABLE, from, p->pos + 1, NULL, NULL,
			"Is this to be done instead of what stands before it? Neither was taken. Write only what is "
			"to be done.");
	list_init(list);
	skip_to_hard_separator(p);
	return true;
}
