#include "orders/merge.h"

#include "orders/print.h"

#include <string.h>

struct orderbook *orderbook_new(TALLOC_CTX *mem, const struct state *s)
{
	struct orderbook *book = talloc_zero(mem, struct orderbook);

	book->count = s->count;
	book->units = talloc_zero_array(book, struct unit_orders, (unsigned)s->count);
	return book;
}

/* What two clauses must share to stand in each other's way (rule 8). */
enum slot { SLOT_MOVE, SLOT_FACE, SLOT_FIRE, SLOT_CHARGE, SLOT_MELEE, SLOT_FORM, SLOT_RALLY, SLOTS };

/* The slots that a clause, with all that it governs, fills: bits. */
static unsigned slots_of(const struct clause *c)
{
	unsigned bits = 0;

	switch (c->kind) {
	case CLAUSE_MOVE:
	case CLAUSE_HOLD:
	case CLAUSE_JOIN:
	case CLAUSE_LEAVE:
		return 1u << SLOT_MOVE;
	case CLAUSE_FACE:
		return 1u << SLOT_FACE;
	case CLAUSE_FIRE:
	case CLAUSE_HOLD_FIRE:
		return 1u << SLOT_FIRE;
	case CLAUSE_CHARGE:
		return 1u << SLOT_CHARGE;
	case CLAUSE_MELEE:
		return 1u << SLOT_MELEE;
	case CLAUSE_COLUMN:
	case CLAUSE_LINE:
		return 1u << SLOT_FORM;
	case CLAUSE_HALT:
	case CLAUSE_RALLY:
		return 1u << SLOT_RALLY;
	case CLAUSE_NO_CHARGE:
		return 0; /* it stands in no order's way but takes from it (forbid_charges) */
	case CLAUSE_IF:
		for (const struct clause *in = c->then; in; in = in->next)
			bits |= slots_of(in);
		for (const struct clause *in = c->otherwise; in; in = in->next)
			bits |= slots_of(in);
		return bits;
	}
	return 0;
}

/* One unit's orders while they are put together: runs of clauses, each from one order. */
struct part {
	const struct order *order;
	const struct clause *clause;
	unsigned slots;
	int mail;
};

struct gathering {
	struct part *parts;
	int count, room;
};

/* What there is to say of one order: the pieces that it is true of are named in one note. */
enum remark {
	REPLACES_LINE,
	REPLACES_MAIL,
	LOSES_WING,
	LOSES_ALL,
	LOSES_MAIL,
	CHARGE_FORBIDDEN,
	CHARGE_DOUBTFUL,
	PIECE_GONE,
	REMARKS
};

struct merging {
	TALLOC_CTX *mem;
	const struct state *s;
	enum side side;
	const struct sheet_in_force *mails;
	struct gathering *units;    /* this turn's orders */
	struct gathering *standing; /* of earlier turns */
	struct merge_notes *notes;
	char *told[REMARKS]; /* of the order that is taken: names, or NULL */
};

static void tell(struct merging *m, int unit, enum remark remark)
{
	const char *name;

	if (!m->notes)
		return;
	name = piece_english(m->mem, m->s, unit);
	m->told[remark] =
		m->told[remark] ? talloc_asprintf_append(m->told[remark], ", %s", name) : talloc_strdup(m->mem, name);
}

static void finish_notes(struct merging *m, int line, int64_t mail)
{
	static const char *const words[REMARKS] = {
		[REPLACES_LINE] = "ordered twice; the later line stands.",
		[REPLACES_MAIL] = "what an earlier mail ordered is replaced by this one.",
		[LOSES_WING] = "its own order stands; the line for its wing does not change it.",
		[LOSES_ALL] = "its own order stands; the line for all does not change it.",
		[LOSES_MAIL] = "the order of an earlier mail stands; `everyone else` does not change it.",
		[CHARGE_FORBIDDEN] = "its charge is taken back; it does not charge.",
		[CHARGE_DOUBTFUL] =
			"no one enemy can be left out of a charge, so it is taken back. Write whom it charges.",
		[PIECE_GONE] = "gone, and carries out no orders.",
	};
	struct merge_notes *n = m->notes;

	for (int i = 0; n && i < REMARKS; i++) {
		if (!m->told[i])
			continue;
		n->list = talloc_realloc(m->mem, n->list, struct merge_note, (unsigned)n->count + 1);
		n->list[n->count++] =
			(struct merge_note){mail, line, talloc_asprintf(m->mem, "%s: %s", m->told[i], words[i])};
		m->told[i] = NULL;
	}
}

static void add_part(struct merging *m, struct gathering *g, struct part part)
{
	if (g->count == g->room) {
		g->room = g->room ? g->room * 2 : 4;
		g->parts = talloc_realloc(m->mem, g->parts, struct part, (unsigned)g->room);
	}
	g->parts[g->count++] = part;
}

static bool order_holds(const struct order *o)
{
	for (const struct clause *c = o->clauses; c; c = c->next)
		if (c->kind == CLAUSE_HOLD)
			return true;
	return false;
}

/* Does the order that stands already keep the new one's slots? Rank first, then the later stands. */
static unsigned lost_to(const struct gathering *g, const struct order *o, unsigned slots)
{
	unsigned kept = 0;
	const unsigned busy = 1u << SLOT_MOVE | 1u << SLOT_CHARGE;

	for (int i = 0; i < g->count; i++) {
		const struct part *p = &g->parts[i];

		if (p->order == o)
			continue;
		if (p->order->rank > o->rank)
			kept |= p->slots & slots;
		/* a wing's or all's hold does not touch a unit with a move, charge or join of its own (rule 15) */
		if (p->order->rank > o->rank && (p->slots & busy) && order_holds(o))
			kept |= 1u << SLOT_MOVE & slots;
	}
	return kept;
}

/* Takes out of what stands all that the new order's slots replace. True when something went. */
static bool replace(struct gathering *g, const struct order *o, unsigned slots)
{
	int kept = 0;
	bool went = false;

	for (int i = 0; i < g->count; i++) {
		struct part *p = &g->parts[i];

		if (p->order != o && p->order->rank <= o->rank && (p->slots & slots)) {
			went = true;
			continue;
		}
		g->parts[kept++] = *p;
	}
	g->count = kept;
	return went;
}

/* A hold as an order of its own also ends a charge ordered before at its rank or below. */
static unsigned replaced_slots(const struct order *o, const struct clause *c)
{
	unsigned slots = slots_of(c);

	if (c->kind != CLAUSE_HOLD)
		return slots;
	for (const struct clause *other = o->clauses; other; other = other->next)
		if (slots_of(other) & 1u << SLOT_CHARGE)
			return slots;
	return slots | 1u << SLOT_CHARGE;
}

static void give(struct merging *m, struct gathering *g, const struct order *o, int unit, int mail)
{
	bool replaced = false, lost = false;

	for (const struct clause *c = o->clauses; c; c = c->next) {
		unsigned slots = slots_of(c);

		if (slots && (lost_to(g, o, slots) & slots) == slots) {
			lost = true;
			continue;
		}
		replaced |= replace(g, o, replaced_slots(o, c));
		add_part(m, g, (struct part){o, c, slots, mail});
	}
	if (replaced)
		tell(m, unit, REPLACES_LINE);
	if (lost)
		tell(m, unit, o->rank == RANK_WING ? LOSES_WING : LOSES_ALL);
}

/* Clears from an earlier mail what a later one names (rule 8). True when something went. */
static bool forget_other_mails(struct gathering *g, int mail)
{
	int kept = 0, before = g->count;

	for (int i = 0; i < g->count; i++)
		if (g->parts[i].mail == mail)
			g->parts[kept++] = g->parts[i];
	g->count = kept;
	return kept < before;
}

/* "B: don't charge j": takes no more than a charge from what an earlier mail ordered. */
static bool only_forbids(const struct order *o)
{
	for (const struct clause *c = o->clauses; c; c = c->next)
		if (c->kind != CLAUSE_NO_CHARGE)
			return false;
	return true;
}

/* Has the unit, or its wing or kind, an order of an earlier mail? */
static bool named_before(const struct gathering *g, int mail)
{
	for (int i = 0; i < g->count; i++)
		if (g->parts[i].mail != mail && g->parts[i].order->rank > RANK_ALL)
			return true;
	return false;
}

/* An order for this turn. The ranks count within a mail only: a later one replaces what it names, were it by "guns" or
 * "all"; but everyone else is whoever no other order names, of an earlier mail either. */
static void take_for_now(struct merging *m, const struct order *o, int unit, int mail)
{
	struct gathering *g = &m->units[unit];

	if (o->others && named_before(g, mail)) {
		tell(m, unit, LOSES_MAIL);
		return;
	}
	if (!only_forbids(o) && forget_other_mails(g, mail) && o->rank != RANK_UNIT)
		tell(m, unit, REPLACES_MAIL);
	give(m, g, o, unit, mail);
}

static void take_back(struct merging *m, int unit)
{
	m->units[unit].count = 0;
	m->standing[unit].count = 0;
}

static void take_order(struct merging *m, const struct order *o, int mail, bool this_turn)
{
	for (int i = 0; i < o->unit_count; i++) {
		int unit = o->units[i];

		if (m->s->units[unit].side != m->side)
			continue;
		if (o->kind != ORDER_GIVE) {
			take_back(m, unit);
		} else if (!unit_alive(&m->s->units[unit])) {
			if (this_turn)
				tell(m, unit, PIECE_GONE);
		} else if (!this_turn) {
			if (o->standing) {
				forget_other_mails(&m->standing[unit], mail);
				give(m, &m->standing[unit], o, unit, mail);
			}
		} else {
			take_for_now(m, o, unit, mail);
		}
	}
}

/* Standing orders fill the slots that this turn's orders leave. */
static void add_standing(struct merging *m, int unit)
{
	struct gathering *now = &m->units[unit], *before = &m->standing[unit];
	unsigned taken = 0;

	for (int i = 0; i < now->count; i++)
		taken |= replaced_slots(now->parts[i].order, now->parts[i].clause);
	for (int i = 0; i < before->count; i++)
		if (!(before->parts[i].slots & taken))
			add_part(m, now, before->parts[i]);
}

/* --- charges that are forbidden (rule 14) --------------------------------------------------------------------------
 */

/* How many of the charge's targets the clause forbids. */
static int forbidden_targets(const struct clause *charge, const struct clause *no)
{
	int count = 0;

	for (int i = 0; i < charge->target_count; i++) {
		bool forbidden = no->target_count == 0;

		for (int k = 0; k < no->target_count; k++)
			forbidden |= charge->targets[i].kind != TARGET_UNIT || no->targets[k].kind != TARGET_UNIT ||
				     charge->targets[i].unit == no->targets[k].unit;
		count += forbidden;
	}
	return count;
}

/* The clauses without the charges that are forbidden, copied; *went says whether any went, and *doubtful whether one
 * went that has other targets besides. */
static struct clause *without_charge(
	TALLOC_CTX *mem, const struct clause *c, const struct clause *no, bool whole_list, bool *went, bool *doubtful)
{
	struct clause *first = NULL, **end = &first;

	for (; c; c = whole_list ? c->next : NULL) {
		struct clause *copy;
		int forbidden = c->kind == CLAUSE_CHARGE ? forbidden_targets(c, no) : 0;

		if (forbidden) {
			*went = true;
			*doubtful |= no->target_count > 0 &&
				     (forbidden < c->target_count || c->targets[0].kind != TARGET_UNIT);
			continue;
		}
		copy = talloc(mem, struct clause);
		*copy = *c;
		copy->next = NULL;
		if (c->kind == CLAUSE_IF) {
			copy->then = without_charge(mem, c->then, no, true, went, doubtful);
			copy->otherwise = without_charge(mem, c->otherwise, no, true, went, doubtful);
		}
		if (c->kind == CLAUSE_IF && !copy->then) {
			if (!copy->otherwise)
				continue;
			copy->condition = talloc_zero(mem, struct condition);
			*copy->condition = (struct condition){.kind = CONDITION_NOT, .left = c->condition};
			copy->then = copy->otherwise;
			copy->otherwise = NULL;
		}
		*end = copy;
		end = &copy->next;
	}
	return first;
}

/* Does what forbids a charge come after it, or rank above it? With a target it also limits a later "any". */
static bool forbids(const struct gathering *g, int no, int charge)
{
	const struct part *n = &g->parts[no], *c = &g->parts[charge];

	if (n->mail != c->mail)
		return n->mail > c->mail;
	if (n->order->rank != c->order->rank)
		return n->order->rank > c->order->rank;
	return charge < no || n->clause->target_count > 0;
}

/* Takes back the unit's charges that are forbidden, and the clauses that forbid. */
static void forbid_charges(struct merging *m, TALLOC_CTX *mem, int unit)
{
	struct gathering *g = &m->units[unit];
	int kept = 0;

	for (int i = 0; i < g->count; i++) {
		const struct part *no = &g->parts[i];
		bool went = false, doubtful = false;

		if (!no->clause || no->clause->kind != CLAUSE_NO_CHARGE)
			continue;
		for (int k = 0; k < g->count; k++) {
			struct part *p = &g->parts[k];

			if ((p->slots & 1u << SLOT_CHARGE) && p->clause && forbids(g, i, k))
				p->clause = without_charge(mem, p->clause, no->clause, false, &went, &doubtful);
		}
		if (went)
			tell(m, unit, doubtful ? CHARGE_DOUBTFUL : CHARGE_FORBIDDEN);
		finish_notes(m, no->order->line, m->mails[no->mail].mail);
	}
	for (int i = 0; i < g->count; i++)
		if (g->parts[i].clause && g->parts[i].clause->kind != CLAUSE_NO_CHARGE)
			g->parts[kept++] = g->parts[i];
	g->count = kept;
}

static void finish_unit(struct merging *m, struct orderbook *book, int unit)
{
	const struct gathering *g = &m->units[unit];
	struct clause **end = &book->units[unit].clauses;

	*end = NULL;
	book->units[unit].standing = false;
	for (int i = 0; i < g->count; i++) {
		struct clause *copy = talloc(book, struct clause);

		*copy = *g->parts[i].clause;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
		book->units[unit].standing |= g->parts[i].order->standing;
	}
}

/* --- who gets a command point before whom (RH4) ------------------------------------------------------------------ */

struct queue {
	int *list, count;
	bool *queued;
};

static void enqueue(struct queue *q, const struct orderbook *book, int unit)
{
	if (q->queued[unit] || !book->units[unit].clauses)
		return;
	q->queued[unit] = true;
	q->list[q->count++] = unit;
}

static bool has_part_of(const struct gathering *g, const struct order *o)
{
	for (int i = 0; i < g->count; i++)
		if (g->parts[i].order == o)
			return true;
	return false;
}

/* The units in the order in which the sheet's orders that are still in force name them. */
static void enqueue_named(struct merging *m, struct queue *q, const struct orderbook *book, const struct sheet *sheet)
{
	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			if (has_part_of(&m->units[o->units[k]], o))
				enqueue(q, book, o->units[k]);
	}
}

static bool ranks(const struct sheet_in_force *in, int turn)
{
	return in->turn == turn && !in->sheet->refused && in->sheet->priority_count > 0;
}

/* Each player's last PRIORITY line of this turn, in the order in which their first ones came: it ranks his own units
 * and takes no place from another player's. */
static void enqueue_lists(
	struct queue *q, const struct orderbook *book, const struct sheet_in_force *sheets, int count, int turn)
{
	for (int i = 0; i < count; i++) {
		const struct sheet *list = sheets[i].sheet;
		bool first = ranks(&sheets[i], turn);

		for (int k = 0; k < i; k++)
			first = first && !(ranks(&sheets[k], turn) && sheets[k].player == sheets[i].player);
		for (int k = i + 1; first && k < count; k++)
			if (ranks(&sheets[k], turn) && sheets[k].player == sheets[i].player)
				list = sheets[k].sheet;
		for (int k = 0; first && k < list->priority_count; k++)
			enqueue(q, book, list->priority[k]);
	}
}

/* The PRIORITY lines of this turn first, then this turn's orders, then those that stand from earlier ones. */
static void settle_priority(
	struct merging *m, struct orderbook *book, const struct sheet_in_force *sheets, int count, int turn)
{
	struct queue q = {
		.list = talloc_array(book, int, (unsigned)m->s->count),
		.queued = talloc_zero_array(m->mem, bool, (unsigned)m->s->count),
	};

	enqueue_lists(&q, book, sheets, count, turn);
	for (int i = 0; i < count; i++)
		if (sheets[i].turn == turn)
			enqueue_named(m, &q, book, sheets[i].sheet);
	for (int i = 0; i < count; i++)
		enqueue_named(m, &q, book, sheets[i].sheet);
	talloc_free(book->priority[m->side]);
	book->priority[m->side] = q.list;
	book->priority_count[m->side] = q.count;
}

void orders_merge(TALLOC_CTX *mem, struct orderbook *book, const struct state *s, enum side side,
	const struct sheet_in_force *sheets, int count, int turn, struct merge_notes *notes)
{
	TALLOC_CTX *scratch = talloc_new(mem);
	struct merging m = {.mem = notes ? mem : scratch, .s = s, .side = side, .mails = sheets, .notes = notes};

	m.units = talloc_zero_array(scratch, struct gathering, (unsigned)s->count);
	m.standing = talloc_zero_array(scratch, struct gathering, (unsigned)s->count);
	for (int i = 0; i < count; i++) {
		const struct sheet *sheet = sheets[i].sheet;

		if (sheet->refused)
			continue;
		for (int k = 0; k < sheet->order_count; k++) {
			take_order(&m, &sheet->orders[k], i, sheets[i].turn == turn);
			finish_notes(&m, sheet->orders[k].line, sheets[i].mail);
		}
	}
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].side != side)
			continue;
		add_standing(&m, i);
		forbid_charges(&m, book, i);
		finish_unit(&m, book, i);
	}
	settle_priority(&m, book, sheets, count, turn);
	talloc_free(scratch);
}
