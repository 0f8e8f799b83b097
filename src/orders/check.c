/* Names and ownership only: what a move or charge would come to is for the rules to foresee. */
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

bool may_order(const struct parser *p, int piece)
{
	return p->ctx->state->units[piece].side == p->ctx->side && (!p->ctx->may_order || p->ctx->may_order[piece]);
}

bool check_subject(struct parser *p, int piece, const char *commander_verb, int from, int end)
{
	const struct unit *u = &p->ctx->state->units[piece];
	const char *name;

	if (may_order(p, piece) && unit_alive(u) && (!commander_verb || u->kind == KIND_COMMANDER))
		return true;
	name = piece_english(p->mem, p->ctx->state, piece);
	if (!may_order(p, piece)) {
		problem(p, PROBLEM_NOT_YOURS, from, end, NULL, NULL, "%s is not in your command.", name);
		return false;
	}
	if (!unit_alive(u)) {
		problem(p, PROBLEM_GONE, from, end, NULL, NULL, "%s %s and can be given no orders.", name,
			u->kind == KIND_COMMANDER ? "has fallen" : "is gone");
		return false;
	}
	if (commander_verb && u->kind != KIND_COMMANDER) {
		problem(p, PROBLEM_WRONG_KIND, from, end, NULL, NULL, "%s cannot %s: only a commander %s%s a unit.",
			name, commander_verb, strcmp(commander_verb, "rally") == 0 ? "rallie" : commander_verb, "s");
		return false;
	}
	return true;
}

void check_target(struct parser *p, int piece, int from)
{
	const struct unit *u = &p->ctx->state->units[piece];

	if (!unit_alive(u))
		note(p, from, "%s %s.", piece_english(p->mem, p->ctx->state, piece),
			u->kind == KIND_COMMANDER ? "has fallen" : "is gone");
}
