/* Who gets an order: a subject's pieces, each checked, and the orders of the sheet that are made of them. */
#include "orders/parse.h"
#include "orders/print.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct taker {
	struct piece_set unit, wing, all, excepted;
	int *order; /* pieces in the order in which they were named */
	int count;
	const char *wing_text, *all_text;
	bool other;                 /* "else" */
	const char *commander_verb; /* the order is to join or rally */
};

static void take(struct taker *t, struct piece_set *to, int piece)
{
	set_add(to, piece);
	t->order[t->count++] = piece;
}

static void take_set(struct parser *p, struct taker *t, struct piece_set *to, const struct piece_set *set)
{
	for (int i = set_next(set, 0); i >= 0; i = set_next(set, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]) && t->count < TAKEN_MAX)
			take(t, to, i);
}

static const char *join_text(struct parser *p, const char *before, const char *text)
{
	return before ? talloc_asprintf(p->sheet, "%s, %s", before, text) : text;
}

static void take_piece(struct parser *p, struct taker *t, const struct item *item)
{
	struct match m = item->match;
	struct piece_set commanders;
	int piece;

	if (t->commander_verb) {
		commanders = set_and(m.set, role_set(p, ROLE_OWN_COMMANDER));
		if (set_size(&commanders) == 1)
			m.set = commanders;
	}
	piece = bind_piece(p, &m, ROLE_OWN);
	if (piece >= 0 && check_subject(p, piece, t->commander_verb, m.from, m.end) && t->count < TAKEN_MAX)
		take(t, &t->unit, piece);
}

static bool between_codes(const struct unit *u, const struct unit *first, const struct unit *last)
{
	int letter = toupper((unsigned char)u->code[0]);

	if (first->kind == KIND_GUN)
		return u->kind == KIND_GUN && atoi(u->code) >= atoi(first->code) && atoi(u->code) <= atoi(last->code);
	return strlen(u->code) == 1 && u->kind != KIND_GUN && letter >= toupper((unsigned char)first->code[0]) &&
	       letter <= toupper((unsigned char)last->code[0]);
}

/* Codes from A to F, in the alphabet's order; guns by their numbers. */
static void take_range(struct parser *p, struct taker *t, const struct item *item)
{
	int first = bind_piece(p, &item->match, ROLE_OWN), last = bind_piece(p, &item->last, ROLE_OWN);
	const struct unit *units = p->ctx->state->units;
	struct piece_set set = {0}, all = rank_and_file(p);

	if (first < 0 || last < 0)
		return;
	for (int i = set_next(&all, 0); i >= 0; i = set_next(&all, i + 1))
		if (between_codes(&units[i], &units[first], &units[last]))
			set_add(&set, i);
	if (set_empty(&set))
		problem(p, PROBLEM_UNKNOWN, item->from, item->end, NULL, NULL,
			"From %s to %s there is no unit; write the earlier letter first.", units[first].code,
			units[last].code);
	take_set(p, t, &t->unit, &set);
}

/* "all 3 dragoons": are there as many? Else it is asked which are meant. */
static bool number_fits(struct parser *p, const struct item *item, const char *what)
{
	const char *first = NULL;
	int n = 0;

	if (!item->wanted || set_size(&item->set) == item->wanted)
		return true;
	for (int i = set_next(&item->set, 0); i >= 0 && n < item->wanted; i = set_next(&item->set, i + 1), n++)
		first = join_text(p, first, piece_code(p->sheet, p->ctx->state, i));
	problem(p, PROBLEM_AMBIGUOUS, item->from, item->end, first, NULL,
		"%d of your units are %s: %s. Name those that you mean.", set_size(&item->set), what,
		ask_between(p, &item->set));
	return false;
}

static void take_item(struct parser *p, struct taker *t, const struct item *item)
{
	if (t->commander_verb && item->kind != ITEM_PIECE) {
		problem(p, PROBLEM_UNREADABLE, item->from, item->end, NULL, NULL,
			"Only a commander can %s a unit: name him, as `Hu: %s R`.", t->commander_verb,
			t->commander_verb);
		return;
	}
	switch (item->kind) {
	case ITEM_PIECE:
		take_piece(p, t, item);
		break;
	case ITEM_RANGE:
		take_range(p, t, item);
		break;
	case ITEM_SET:
		if (!number_fits(p, item, "of that name"))
			break;
		take_set(p, t, &t->unit, &item->set);
		break;
	case ITEM_WING:
		if (set_empty(&item->set))
			problem(p, PROBLEM_UNKNOWN, item->from, item->end, NULL, NULL, "You have no %s.%s", item->text,
				own_wings(p));
		else if (!number_fits(p, item, item->text))
			break;
		take_set(p, t, &t->wing, &item->set);
		t->wing_text = join_text(p, t->wing_text, item->text);
		break;
	case ITEM_ALL:
		take_set(p, t, &t->all, &item->set);
		t->all_text = "all";
		break;
	case ITEM_ELSE:
		t->other = true;
		break;
	}
}

static struct order *add_order(struct parser *p)
{
	struct sheet *s = p->sheet;

	if (s->order_count >= SHEET_ORDERS_MAX) {
		if (!p->full)
			problem(p, PROBLEM_TOO_LARGE, p->pos, p->pos + 1, NULL, NULL,
				"A sheet may hold %d orders; from here on nothing was read.", SHEET_ORDERS_MAX);
		p->full = true;
		return NULL;
	}
	s->orders = WITH_ROOM(s, s->orders, struct order, s->order_count);
	s->orders[s->order_count] = (struct order){0};
	return &s->orders[s->order_count++];
}

/* One order for those of the taker's pieces that are in `set`, in the order in which they were named. */
static void add_ranked(struct parser *p, const struct taker *t, const struct piece_set *set, struct order like)
{
	struct piece_set left = set_without(*set, t->excepted);
	struct order *o;
	const char *codes = NULL;

	if (set_empty(&left))
		return;
	o = add_order(p);
	if (!o)
		return;
	*o = like;
	o->units = talloc_array(p->sheet, int, (unsigned)set_size(&left));
	for (int i = 0; i < t->count; i++) {
		int piece = t->order[i];

		if (!set_has(&left, piece))
			continue;
		left.bits[piece / 64] &= ~((uint64_t)1 << (piece % 64));
		o->units[o->unit_count++] = piece;
		if (o->rank == RANK_UNIT)
			codes = join_text(p, codes, piece_code(p->sheet, p->ctx->state, piece));
	}
	if (o->rank == RANK_UNIT)
		o->subject = codes;
}

static const char *except_text(struct parser *p, const char *text, const struct piece_set *excepted)
{
	char *all = talloc_asprintf(p->sheet, "%s", text);
	bool first = true;

	for (int i = set_next(excepted, 0); i >= 0; i = set_next(excepted, i + 1), first = false)
		all = talloc_asprintf_append(
			all, "%s%s", first ? " except " : ", ", piece_code(p->sheet, p->ctx->state, i));
	return all;
}

static void take_excepted(struct parser *p, struct taker *t, const struct subject *s, struct order like)
{
	struct taker out = {0};

	t->excepted = set_and(p->excepted, p->own);
	p->excepted = (struct piece_set){0};
	if (!s->excepted_count)
		return;
	out.order = talloc_array(p->scratch, int, TAKEN_MAX);
	for (int i = 0; i < s->excepted_count; i++)
		take_item(p, &out, &s->excepted[i]);
	t->excepted = set_or(t->excepted, set_or(out.unit, set_or(out.wing, out.all)));
	if (s->who >= 0) {
		int pos = p->pos, stop = p->stop;

		p->pos = s->who;
		p->stop = s->end;
		like.clauses = parse_clauses(p, NULL, NULL);
		p->pos = pos;
		p->stop = stop;
		like.rank = RANK_UNIT;
		if (like.clauses && !p->trial)
			add_ranked(p, &out, &t->excepted, like);
	}
}

/* What only a commander does, wherever it stands in the clauses: "join", "rally", or NULL. */
static const char *commander_verb(const struct clause *c)
{
	const char *verb = NULL;

	for (; c && !verb; c = c->next) {
		if (c->kind == CLAUSE_JOIN || c->kind == CLAUSE_RALLY)
			verb = c->kind == CLAUSE_JOIN ? "join" : "rally";
		else if (c->kind == CLAUSE_IF && !(verb = commander_verb(c->then)))
			verb = commander_verb(c->otherwise);
	}
	return verb;
}

void give_order(struct parser *p, const struct subject *s, bool standing, struct clause *clauses, enum order_kind kind)
{
	struct taker t = {.order = p->taken};
	struct order like = {
		.kind = kind,
		.standing = standing,
		.clauses = clauses,
		.line = p->lex->tokens[s->from].line + 1,
		.from_sheet = p->from_sheet,
	};

	t.commander_verb = commander_verb(clauses);
	for (int i = 0; i < s->count; i++) {
		const struct item *item = &s->items[i];

		take_item(p, &t, item);
		if (item->men_of)
			note(p, item->from, "`%s` was read as %s%s.", typed_text(p, item->from, item->end),
				strcmp(item->text, "all") == 0 ? "" : "the ", item->text);
	}
	if (s->too_many)
		problem(p, PROBLEM_UNREADABLE, s->from, s->from + 1, NULL, NULL,
			"A list may name %d units; write `all` or a wing.", SUBJECT_ITEMS_MAX);
	take_excepted(p, &t, s, like);
	if ((!clauses && kind == ORDER_GIVE) || p->trial)
		return;
	like.rank = RANK_UNIT;
	add_ranked(p, &t, &t.unit, like);
	if (t.wing_text) {
		like.rank = RANK_WING;
		like.subject = except_text(p, t.wing_text, &t.excepted);
		add_ranked(p, &t, &t.wing, like);
	}
	if (t.all_text) {
		like.rank = RANK_ALL;
		like.subject = except_text(p, t.all_text, &t.excepted);
		add_ranked(p, &t, &t.all, like);
	}
	if (t.other) {
		struct order *o = add_order(p);

		if (o) {
			*o = like;
			o->rank = RANK_ALL;
			o->others = true;
			o->subject = except_text(p, "everyone else", &t.excepted);
			o->excepted = talloc_array(p->sheet, int, (unsigned)set_size(&t.excepted));
			for (int k = set_next(&t.excepted, 0); k >= 0; k = set_next(&t.excepted, k + 1))
				o->excepted[o->excepted_count++] = k;
		}
	}
}

/* Everyone else: those that no other order of the sheet names, and that this one does not except. */
static void settle_others(struct parser *p, struct order *o, struct piece_set left)
{
	o->units = talloc_array(p->sheet, int, PIECES_MAX);
	for (int i = 0; i < o->excepted_count; i++)
		left.bits[o->excepted[i] / 64] &= ~((uint64_t)1 << (o->excepted[i] % 64));
	for (int i = set_next(&left, 0); i >= 0; i = set_next(&left, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]))
			o->units[o->unit_count++] = i;
}

void settle_else(struct parser *p)
{
	struct sheet *s = p->sheet;
	struct piece_set named = {0}, left;

	for (int i = 0; i < s->order_count; i++)
		for (int k = 0; s->orders[i].kind != ORDER_CLEAR && k < s->orders[i].unit_count; k++)
			set_add(&named, s->orders[i].units[k]);
	left = set_without(rank_and_file(p), named);
	for (int i = 0; i < s->order_count; i++)
		if (s->orders[i].others)
			settle_others(p, &s->orders[i], left);
}

int subject_pieces(struct parser *p, const struct subject *s, int *out, int max)
{
	struct taker t = {.order = talloc_array(p->scratch, int, TAKEN_MAX)};
	int count = 0;

	for (int i = 0; i < s->count; i++)
		take_item(p, &t, &s->items[i]);
	for (int i = 0; i < t.count && count < max; i++)
		out[count++] = t.order[i];
	return count;
}
