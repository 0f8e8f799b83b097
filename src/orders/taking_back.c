/* "Ignore my last mail", "scrap what we said about the guns": orders taken back in plain words. Nothing is taken back
 * by them, for what and how much can only be guessed: the command that does it is offered. */
#include "orders/lines.h"

#include <string.h>

enum { TAKING_BACK_WORDS = 8 };

/* The token behind the word that takes back, when no "not" stands before it; -1 for none. */
static int behind_verb(const struct parser *p)
{
	static const char *const verbs[] = {"ignore", "forget", "scrap", "undo", "delete", "disregard", NULL};

	for (int i = p->pos; i < p->stop && i < p->pos + TAKING_BACK_WORDS; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->key == KEY_NOT)
			return -1;
		if (is_among(t, verbs))
			return i + 1;
	}
	return -1;
}

static bool names_thing(const struct parser *p, int from, int end)
{
	static const char *const things[] = {
		"order", "orders", "mail", "email", "message", "last", "that", "everything", NULL};

	for (int i = from; i < end && i < p->pos + TAKING_BACK_WORDS; i++)
		if (is_among(&p->lex->tokens[i], things))
			return true;
	return false;
}

/* "CANCEL wolfes": of the words from `from` on the first that name units of the writer's own; NULL for none. */
static const char *cancel_named(struct parser *p, int from)
{
	int before = p->pos, first = -1, end = -1;

	for (p->pos = from; p->pos < p->stop && first < 0; p->pos++) {
		const struct token *token = &p->lex->tokens[p->pos];
		struct trial t;

		if (key_is_verb(token->key) && token[-1].key != KEY_SKIP && token[-1].key != KEY_A)
			break; /* "forget the Camerons, charge Wolfe's" */
		t = trial_begin(p);

		if (token->length > 1 && subject_may_begin(p) && parse_subject(p, AT_START, p->look) &&
			subject_has_own(p, p->look) && (key_here(p) == KEY_NONE || !key_is_verb(key_here(p)))) {
			first = p->look->from;
			end = p->look->end;
		}
		trial_end(p, t);
	}
	p->pos = before;
	return first < 0 ? NULL : talloc_asprintf(p->mem, "CANCEL %s", typed_text(p, first, end));
}

bool tell_taking_back(struct parser *p)
{
	int behind = behind_verb(p), failures = p->failures;
	const char *cancel = behind < 0 || p->ctx->referee ? NULL : cancel_named(p, behind);

	if (behind < 0 || (!cancel && !names_thing(p, behind, p->stop)))
		return false;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->stop, NULL, NULL,
		"Nothing was taken back by this. Write `cancel %s` to take back a unit's orders, or `clear all` for "
		"all of them; new orders for a unit replace its old ones.",
		cancel ? cancel + strlen("CANCEL ") : example_code(p));
	if (cancel)
		suggest_line(p, failures, cancel);
	return true;
}

bool tell_forgotten_order(struct parser *p, int line)
{
	int failures = p->failures, last = p->last.orders_end - 1, above = line - 1;
	const char *subject;

	while (above >= p->last.end && line_opening(p, above) == OPENS_BLANK)
		above--;
	if (last < p->last.orders || above != p->last.end - 1 || p->sheet->orders[last].kind != ORDER_GIVE)
		return false;
	subject = p->sheet->orders[last].subject;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->stop, NULL, NULL,
		"The order above this was understood and counts: FORGET is for lines that were not. To take back the "
		"order write `cancel %s`.",
		subject);
	suggest_line(p, failures, talloc_asprintf(p->mem, "CANCEL %s", subject));
	return true;
}
