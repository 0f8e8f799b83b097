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

/* One unit's orders while they are put together: runs of clauses, each from one order, as they were written. */
struct part {
	const struct order *order;
	const struct clause *clause;
	unsigned slots;
	int mail;
	int at; /* its order in the mail */
};

struct gathering {
	struct part *parts;
	int count, room;
};

/* What there is to say of one order: the pieces that it is true of are named in one note. */
enum remark {
	REPLACES_LINE,
	REPLACES_SHEET,
	REPLACES_MAIL,
	LOSES_TO_OWN,
	LOSES_TO_WING,
	MOVES_TOO,
	LOSES_MAIL,
	CHARGE_FORBIDDEN,
	CHARGE_DOUBTFUL,
	PIECE_GONE,
	REMARKS
};

/* What an order took from earlier mails: told of only where the whole mail orders something else. */
struct taking {
	const struct order *by; /* NULL: nothing was taken */
	struct gathering before;
	bool own; /* from the same player: he is told, too */
};

/* Orders of another player that an order takes the place of. */
struct overruled {
	int64_t player;
	char *names;
};

struct merging {
	TALLOC_CTX *mem, *book; /* clauses that are changed are copied on the book */
	const struct state *s;
	enum side side;
	const struct sheet_in_force *mails;
	int *taken_back; /* for each piece the place of the mail's last order that takes back its orders, or -1 */
	struct gathering *units;    /* this turn's orders */
	struct gathering *standing; /* of earlier turns */
	struct taking *takings;     /* of the mail that is taken */
	struct merge_notes *notes;
	char *told[REMARKS];         /* of the order that is taken: names, or NULL */
	struct overruled *overruled; /* by the order that is taken */
	int overruled_count;
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

/* An order of `unit` in an earlier mail has gone, because of one in `mail`. Each partner's units are told in one note.
 */
static void tell_partner(struct merging *m, int unit, int earlier, int mail)
{
	int64_t whose = m->mails[earlier].player;
	const char *name;
	int i = 0;

	if (!m->notes || whose == m->mails[mail].player)
		return;
	name = piece_english(m->mem, m->s, unit);
	while (i < m->overruled_count && m->overruled[i].player != whose)
		i++;
	if (i == m->overruled_count) {
		m->overruled = talloc_realloc(m->mem, m->overruled, struct overruled, (unsigned)++m->overruled_count);
		m->overruled[i] = (struct overruled){whose, talloc_strdup(m->mem, name)};
	} else if (strstr(m->overruled[i].names, name) == NULL) {
		m->overruled[i].names = talloc_asprintf_append(m->overruled[i].names, ", %s", name);
	}
}

/* The notes of a mail stand in the order of its lines. */
static struct merge_note *add_note(struct merging *m, int line, int64_t mail, const char *text)
{
	struct merge_notes *n = m->notes;
	int at = n->count++;

	n->list = talloc_realloc(m->mem, n->list, struct merge_note, (unsigned)n->count);
	for (; at > 0 && n->list[at - 1].mail == mail && n->list[at - 1].line > line; at--)
		n->list[at] = n->list[at - 1];
	n->list[at] = (struct merge_note){mail, line, text, 0, NULL};
	return &n->list[at];
}

static void finish_partners(struct merging *m, const struct order *o, int64_t mail)
{
	for (int i = 0; i < m->overruled_count; i++) {
		const struct overruled *was = &m->overruled[i];
		struct merge_note *note = add_note(m, o->line, mail,
			talloc_asprintf(m->mem, "%s: what another player ordered is %s by this mail.", was->names,
				o->kind == ORDER_GIVE ? "replaced" : "taken back"));

		note->partner = was->player;
		note->pieces = was->names;
	}
	m->overruled_count = 0;
}

static void finish_notes(struct merging *m, const struct order *o, int64_t mail)
{
	static const char *const words[REMARKS] = {
		[REPLACES_LINE] = "ordered twice; the later line stands.",
		[REPLACES_MAIL] = "what an earlier mail ordered is replaced by this one.",
		[REPLACES_SHEET] = "ordered twice; what you typed stands, not the line of the sheet that came back.",
		[LOSES_MAIL] = "the order of an earlier mail stands; `everyone else` does not change it.",
		[CHARGE_FORBIDDEN] = "its charge is taken back; it does not charge.",
		[CHARGE_DOUBTFUL] =
			"no one enemy can be left out of a charge, so it is taken back. Write whom it charges.",
		[PIECE_GONE] = "gone, and carries out no orders.",
	};

	for (int i = 0; m->notes && i < REMARKS; i++) {
		const char *what = words[i];

		if (!m->told[i])
			continue;
		if (i == MOVES_TOO)
			what = talloc_asprintf(m->mem,
				"its own line turns it and does not say where it goes, so the line for %s counts for "
				"it too. "
				"Add `hold` to its own line if it is to stay where it is.",
				o->subject);
		if (i == LOSES_TO_OWN || i == LOSES_TO_WING)
			what = talloc_asprintf(m->mem, "%s stands; the line for %s does not change it.",
				i == LOSES_TO_OWN ? "its own order" : "the line for its wing or kind", o->subject);
		add_note(m, o->line, mail, talloc_asprintf(m->mem, "%s: %s", m->told[i], what));
		m->told[i] = NULL;
	}
	finish_partners(m, o, mail);
}

static void add_part(struct merging *m, struct gathering *g, struct part part)
{
	if (g->count == g->room) {
		g->room = g->room ? g->room * 2 : 4;
		g->parts = talloc_realloc(m->mem, g->parts, struct part, (unsigned)g->room);
	}
	g->parts[g->count++] = part;
}

/* The same, put where it was written among those of its mail. */
static void insert_part(struct merging *m, struct gathering *g, struct part part)
{
	int i = g->count;

	add_part(m, g, part);
	for (; i > 0 && g->parts[i - 1].mail == part.mail && g->parts[i - 1].at > part.at; i--)
		g->parts[i] = g->parts[i - 1];
	g->parts[i] = part;
}

/* What the clause keeps all lower and earlier orders from: its slots, and a hold as an order of its own also ends a
 * charge. */
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

/* The slots of the clause that orders of a higher rank keep. */
static unsigned lost_to(const struct gathering *g, const struct order *o, const struct clause *c)
{
	const unsigned busy = 1u << SLOT_MOVE | 1u << SLOT_CHARGE;
	unsigned kept = 0;

	for (int i = 0; i < g->count; i++) {
		const struct part *p = &g->parts[i];

		if (p->order->rank <= o->rank)
			continue;
		kept |= replaced_slots(p->order, p->clause);
		/* a wing's or all's hold does not touch a unit with a move, charge or join of its own (rule 15) */
		if (c->kind == CLAUSE_HOLD && p->order->rank == RANK_UNIT && (p->slots & busy))
			kept |= 1u << SLOT_MOVE;
	}
	return kept & slots_of(c);
}

/* Takes out of what stands at the order's own rank all that its slots replace. True when something went; *sheet says
 * whether that stood in the sheet that came back, and the order above it. */
static bool replace(struct gathering *g, const struct order *o, unsigned slots, bool *sheet)
{
	int kept = 0;
	bool went = false;

	for (int i = 0; i < g->count; i++) {
		struct part *p = &g->parts[i];

		if (p->order != o && p->order->rank == o->rank && (p->slots & slots)) {
			went = true;
			*sheet |= p->order->from_sheet && !o->from_sheet;
			continue;
		}
		g->parts[kept++] = *p;
	}
	g->count = kept;
	return went;
}

/* What is taken out of a clause: charges that `no` forbids, or without it all that fills one of the slots. */
struct sieve {
	const struct clause *no;
	unsigned slots;
	bool went;     /* something was taken out */
	bool doubtful; /* of its targets only some are forbidden */
};

static struct clause *sift(TALLOC_CTX *mem, const struct clause *c, bool whole_list, struct sieve *sieve);

static enum order_rank highest_rank(const struct gathering *g)
{
	enum order_rank highest = RANK_ALL;

	for (int i = 0; i < g->count; i++)
		if (g->parts[i].order->rank > highest)
			highest = g->parts[i].order->rank;
	return highest;
}

/* Does the unit's own line only turn it? Then it still goes where the line for its wing sends it (rule 8). */
static bool only_turns(const struct gathering *g, const struct order *o)
{
	const unsigned face = 1u << SLOT_FACE, going = 1u << SLOT_MOVE | 1u << SLOT_CHARGE;
	unsigned own = 0;

	for (int i = 0; i < g->count; i++)
		if (g->parts[i].order->rank == RANK_UNIT)
			own |= g->parts[i].slots;
	return o->rank < RANK_UNIT && (own & face) && !(own & going);
}

static void give(struct merging *m, struct gathering *g, const struct order *o, int unit, int mail, int at)
{
	bool replaced = false, lost = false, moves = false, sheet = false;

	for (const struct clause *c = o->clauses; c; c = c->next) {
		struct sieve sieve = {.slots = lost_to(g, o, c)};
		const struct clause *left = sieve.slots ? sift(m->book, c, false, &sieve) : c;

		lost |= sieve.went;
		if (!left)
			continue;
		moves |= left->kind != CLAUSE_HOLD && (slots_of(left) & (1u << SLOT_MOVE | 1u << SLOT_CHARGE)) &&
			 only_turns(g, o);
		replaced |= replace(g, o, replaced_slots(o, left), &sheet);
		insert_part(m, g, (struct part){o, left, slots_of(left), mail, at});
	}
	if (moves)
		tell(m, unit, MOVES_TOO);
	if (replaced)
		tell(m, unit, sheet ? REPLACES_SHEET : REPLACES_LINE);
	if (lost)
		tell(m, unit, highest_rank(g) == RANK_UNIT ? LOSES_TO_OWN : LOSES_TO_WING);
}

/* Clears from an earlier mail what a later one names (rule 8). True when something of the same player's went. */
static bool forget_other_mails(const struct merging *m, struct gathering *g, int mail)
{
	int kept = 0;
	bool own = false;

	for (int i = 0; i < g->count; i++) {
		const struct part *p = &g->parts[i];

		if (p->mail == mail) {
			g->parts[kept++] = *p;
			continue;
		}
		own = own || m->mails[p->mail].player == m->mails[mail].player;
	}
	g->count = kept;
	return own;
}

static void tell_partners(struct merging *m, const struct gathering *before, int unit, int mail)
{
	for (int i = 0; i < before->count; i++)
		if (before->parts[i].mail != mail)
			tell_partner(m, unit, before->parts[i].mail, mail);
}

/* "B: don't charge j": takes no more than a charge from what an earlier mail ordered. */
static bool only_forbids(const struct order *o)
{
	for (const struct clause *c = o->clauses; c; c = c->next)
		if (c->kind != CLAUSE_NO_CHARGE)
			return false;
	return true;
}

static bool is_by_name(const struct order *o)
{
	return o->kind == ORDER_GIVE && o->rank == RANK_UNIT && o->clauses;
}

bool orders_plain(const struct sheet *sheet)
{
	bool plain = !sheet->refused && sheet->priority_count == 0;

	for (int i = 0; i < sheet->order_count; i++)
		plain = plain && is_by_name(&sheet->orders[i]) && !sheet->orders[i].standing;
	return plain;
}

void orders_mark_replaced(const struct sheet *sheet, bool *units)
{
	for (int i = 0; i < sheet->order_count && !sheet->refused; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count && is_by_name(o) && !only_forbids(o); k++)
			units[o->units[k]] = true;
	}
}

/* Has the unit, or its wing or kind, an order of an earlier mail? */
static bool named_before(const struct gathering *g, int mail)
{
	for (int i = 0; i < g->count; i++)
		if (g->parts[i].mail != mail && g->parts[i].order->rank > RANK_ALL)
			return true;
	return false;
}

static const char *parts_text(const struct merging *m, const struct gathering *g)
{
	char *text = talloc_strdup(m->mem, "");

	for (int i = 0; i < g->count; i++)
		text = talloc_asprintf_append(text, "%s%s; ", g->parts[i].order->standing ? "standing " : "",
			clause_canonical(m->mem, g->parts[i].clause, m->s, m->side));
	return text;
}

/* What of the unit's earlier orders, in a mail with mistakes, the new one has nothing for in its place, "move 4
 * forward; face west"; NULL for nothing. Whoever held stands still without it. */
static const char *parts_lost(const struct merging *m, const struct gathering *before, const struct gathering *now)
{
	unsigned filled = 0;
	char *text = NULL;

	for (int i = 0; i < now->count; i++)
		filled |= replaced_slots(now->parts[i].order, now->parts[i].clause);
	for (int i = 0; i < before->count; i++) {
		const struct part *p = &before->parts[i];
		const char *clause;

		if (!m->mails[p->mail].unread || p->clause->kind == CLAUSE_HOLD || !(p->slots & ~filled))
			continue;
		clause = clause_canonical(m->mem, p->clause, m->s, m->side);
		text = text ? talloc_asprintf_append(text, "; %s", clause) : talloc_strdup(m->mem, clause);
	}
	return text;
}

/* Half an order mended takes the place of the whole: the other half is gone with it. */
static void tell_lost(struct merging *m, const struct order *o, int64_t mail, const char *names, const char *lost)
{
	if (lost)
		add_note(m, o->line, mail,
			talloc_asprintf(m->mem,
				"%s: `%s` of your earlier mail no longer counts: a new order replaces the old one "
				"whole. To keep it, write both in one line.",
				names, lost));
}

/* The same of all units of an order by name, one note for those that lose alike. Nothing once the turn is under way:
 * what went may have been done. */
static void tell_parts_lost(struct merging *m, const struct order *o, int64_t mail)
{
	const char *lost = NULL;
	char *names = NULL;

	for (int i = 0; m->s->next_phase == 0 && i < o->unit_count; i++) {
		int unit = o->units[i];
		const struct taking *taking = &m->takings[unit];
		const char *here, *name;

		if (taking->by != o || !taking->own || o->rank != RANK_UNIT)
			continue;
		here = parts_lost(m, &taking->before, &m->units[unit]);
		if (!here)
			continue;
		name = piece_english(m->mem, m->s, unit);
		if (lost && strcmp(lost, here) == 0) {
			names = talloc_asprintf_append(names, ", %s", name);
			continue;
		}
		tell_lost(m, o, mail, names, lost);
		lost = here;
		names = talloc_strdup(m->mem, name);
	}
	tell_lost(m, o, mail, names, lost);
}

/* A group's line may order what was in force already, and a partner may order the same. */
static void tell_replaced(struct merging *m, const struct sheet *sheet, int mail)
{
	for (int k = 0; m->notes && k < sheet->order_count; k++) {
		const struct order *o = &sheet->orders[k];

		tell_parts_lost(m, o, m->mails[mail].mail);
		for (int i = 0; i < o->unit_count; i++) {
			struct taking *taking = &m->takings[o->units[i]];

			if (taking->by != o)
				continue;
			taking->by = NULL;
			if (strcmp(parts_text(m, &taking->before), parts_text(m, &m->units[o->units[i]])) == 0)
				continue;
			if (taking->own && o->rank != RANK_UNIT)
				tell(m, o->units[i], REPLACES_MAIL);
			tell_partners(m, &taking->before, o->units[i], mail);
		}
		finish_notes(m, o, m->mails[mail].mail);
	}
}

/* An order for this turn. The ranks count within a mail only: a later one replaces what it names, were it by "guns" or
 * "all"; but everyone else is whoever no other order names, of an earlier mail either. */
static void take_for_now(struct merging *m, const struct order *o, int unit, int mail, int at)
{
	struct gathering *g = &m->units[unit];
	struct gathering before = *g;
	bool told = m->notes && g->count > 0, own;

	if (o->others && named_before(g, mail)) {
		tell(m, unit, LOSES_MAIL);
		return;
	}
	if (told)
		before.parts = talloc_memdup(m->mem, g->parts, (unsigned)g->count * sizeof *g->parts);
	own = !only_forbids(o) && forget_other_mails(m, g, mail);
	if (told && g->count < before.count)
		m->takings[unit] = (struct taking){o, before, own};
	give(m, g, o, unit, mail, at);
}

static void take_order(struct merging *m, const struct order *o, int mail, int at, bool this_turn)
{
	for (int i = 0; i < o->unit_count; i++) {
		int unit = o->units[i];

		if (m->s->units[unit].side != m->side || at < m->taken_back[unit])
			continue;
		if (!unit_alive(&m->s->units[unit])) {
			if (this_turn)
				tell(m, unit, PIECE_GONE);
		} else if (!this_turn) {
			if (o->standing) {
				tell_partners(m, &m->standing[unit], unit, mail);
				forget_other_mails(m, &m->standing[unit], mail);
				give(m, &m->standing[unit], o, unit, mail, at);
			}
		} else {
			take_for_now(m, o, unit, mail, at);
		}
	}
}

/* "cancel R", "clear all": what earlier mails ordered is forgotten, and what stands above it in this one. */
static void take_back(struct merging *m, const struct sheet *sheet, int mail)
{
	for (int i = 0; i < m->s->count; i++)
		m->taken_back[i] = -1;
	for (int k = 0; k < sheet->order_count; k++) {
		const struct order *o = &sheet->orders[k];

		for (int i = 0; o->kind != ORDER_GIVE && i < o->unit_count; i++) {
			struct gathering *const gathered[] = {&m->units[o->units[i]], &m->standing[o->units[i]]};

			m->taken_back[o->units[i]] = k;
			for (size_t n = 0; n < sizeof gathered / sizeof *gathered; n++) {
				tell_partners(m, gathered[n], o->units[i], mail);
				forget_other_mails(m, gathered[n], mail);
			}
		}
		finish_notes(m, o, m->mails[mail].mail);
	}
}

/* The lines for units first, then those for wings and kinds, then those for all: which of them stands must not hang on
 * which was written first (rule 8). */
static void take_mail(struct merging *m, const struct sheet_in_force *in, int mail, int turn)
{
	const struct sheet *sheet = in->sheet;

	take_back(m, sheet, mail);
	for (int rank = RANK_UNIT; rank >= RANK_ALL; rank--) {
		for (int k = 0; k < sheet->order_count; k++) {
			const struct order *o = &sheet->orders[k];

			if (o->kind != ORDER_GIVE || (int)o->rank != rank)
				continue;
			take_order(m, o, mail, k, in->turn == turn);
			finish_notes(m, o, in->mail);
		}
	}
	tell_replaced(m, sheet, mail);
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

static bool goes(struct sieve *sieve, const struct clause *c)
{
	int forbidden;

	if (!sieve->no)
		return c->kind != CLAUSE_IF && (slots_of(c) & sieve->slots);
	forbidden = c->kind == CLAUSE_CHARGE ? forbidden_targets(c, sieve->no) : 0;
	if (forbidden && sieve->no->target_count > 0 &&
		(forbidden < c->target_count || c->targets[0].kind != TARGET_UNIT))
		sieve->doubtful = true;
	return forbidden > 0;
}

/* The clauses without what goes, copied. */
static struct clause *sift(TALLOC_CTX *mem, const struct clause *c, bool whole_list, struct sieve *sieve)
{
	struct clause *first = NULL, **end = &first;

	for (; c; c = whole_list ? c->next : NULL) {
		struct clause *copy;

		if (goes(sieve, c)) {
			sieve->went = true;
			continue;
		}
		copy = talloc(mem, struct clause);
		*copy = *c;
		copy->next = NULL;
		if (c->kind == CLAUSE_IF) {
			copy->then = sift(mem, c->then, true, sieve);
			copy->otherwise = sift(mem, c->otherwise, true, sieve);
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
static void forbid_charges(struct merging *m, int unit)
{
	struct gathering *g = &m->units[unit];
	int kept = 0;

	for (int i = 0; i < g->count; i++) {
		const struct part *no = &g->parts[i];
		struct sieve sieve;

		if (!no->clause || no->clause->kind != CLAUSE_NO_CHARGE)
			continue;
		sieve = (struct sieve){.no = no->clause};
		for (int k = 0; k < g->count; k++) {
			struct part *p = &g->parts[k];

			if ((p->slots & 1u << SLOT_CHARGE) && p->clause && forbids(g, i, k))
				p->clause = sift(m->book, p->clause, false, &sieve);
		}
		if (sieve.went)
			tell(m, unit, sieve.doubtful ? CHARGE_DOUBTFUL : CHARGE_FORBIDDEN);
		finish_notes(m, no->order, m->mails[no->mail].mail);
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
		copy->standing = g->parts[i].order->standing;
		book->units[unit].standing |= copy->standing;
		*end = copy;
		end = &copy->next;
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
	struct merging m = {
		.mem = notes ? mem : scratch, .book = book, .s = s, .side = side, .mails = sheets, .notes = notes};

	m.units = talloc_zero_array(scratch, struct gathering, (unsigned)s->count);
	m.standing = talloc_zero_array(scratch, struct gathering, (unsigned)s->count);
	m.takings = talloc_zero_array(scratch, struct taking, (unsigned)s->count);
	m.taken_back = talloc_array(scratch, int, (unsigned)s->count);
	for (int i = 0; i < count; i++)
		if (!sheets[i].sheet->refused)
			take_mail(&m, &sheets[i], i, turn);
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].side != side)
			continue;
		add_standing(&m, i);
		forbid_charges(&m, i);
		finish_unit(&m, book, i);
	}
	settle_priority(&m, book, sheets, count, turn);
	talloc_free(scratch);
}
