/* Random rules cases: two armies somewhere on the table and random orders for some turns, as the text of a case file.
 */
#ifndef GALLOPER_TESTS_RANDOM_CASE_H
#define GALLOPER_TESTS_RANDOM_CASE_H

#include "base/buf.h"
#include "base/text.h"
#include "battle/scenario.h"

#include <stdio.h>

struct chance {
	uint64_t state;
};

static inline int pick(struct chance *c, int below)
{
	c->state = c->state * 6364136223846793005U + 1442695040888963407U;
	return (int)((c->state >> 33) % (uint64_t)below);
}

enum { PIECES_MAX = 128, ACROSS = 90000, DEEP = 60000 };

struct random_case {
	struct chance chance;
	struct buf *text;
	struct unit pieces[PIECES_MAX];
	int count;
	bool whole; /* no unit has lost anything yet */
};

static inline const char *inches(struct random_case *r, int32_t thousandths)
{
	return text_inches(r->text, thousandths);
}

/* Mostly whole quarters of an inch, as people order; sometimes any thousandth. */
static inline int32_t length_below(struct random_case *r, int32_t most)
{
	return pick(&r->chance, 4) ? 250 * pick(&r->chance, most / 250 + 1) : pick(&r->chance, most + 1);
}

/* --- armies --- */

static inline bool has_room(const struct random_case *r, const struct unit *u)
{
	if (!geo_within(&u->box, (struct point){0, 0}, (struct point){ACROSS, DEEP}))
		return false;
	for (int i = 0; i < r->count; i++)
		if (r->pieces[i].with < 0 && geo_overlap(&u->box, &r->pieces[i].box))
			return false;
	return true;
}

static inline void print_place(struct random_case *r, const struct unit *u)
{
	buf_printf(r->text, " at %s,%s facing %d", inches(r, u->box.front.x), inches(r, u->box.front.y), u->box.facing);
}

static inline void add_piece(struct random_case *r, struct unit *u, struct point middle, int spread)
{
	static const char *const kinds[] = {"foot", "clan", "horse", "gun"};
	char side = "EJ"[u->side];
	int tries = 0;

	footprint(u->kind, u->bases, u->begun, &u->box.width, &u->box.depth);
	do {
		u->box.front.x = middle.x + length_below(r, 2 * spread) - spread;
		u->box.front.y = middle.y + length_below(r, 2 * spread) - spread;
		u->box.facing = (int16_t)(pick(&r->chance, 3) ? 180 * (int)u->side : pick(&r->chance, 360));
	} while (!has_room(r, u) && ++tries < 50);
	if (!has_room(r, u))
		return;
	if (u->kind == KIND_COMMANDER)
		buf_printf(r->text, "commander %c %s \"General %s\"", side, u->code, u->code);
	else if (u->kind == KIND_GUN)
		buf_printf(r->text, "unit %c %s gun \"%s\" 1", side, u->code, u->name);
	else
		buf_printf(r->text, "unit %c %s %s \"Regiment %s\" %d of %d", side, u->code, kinds[u->kind], u->code,
			u->bases, u->begun);
	print_place(r, u);
	if (u->kind == KIND_GUN)
		buf_printf(r->text, " id GUN%c%s", side, u->code);
	buf_addc(r->text, '\n');
	r->pieces[r->count++] = *u;
}

static inline void add_army(struct random_case *r, enum side side, struct point middle, int spread)
{
	static const char *const gun_names[SIDES][2] = {{"Bertha", "Clara"}, {"Dorothy", "Flora"}};
	static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ";
	int units = 1 + pick(&r->chance, 10), guns = pick(&r->chance, 4) - 1, commanders = pick(&r->chance, 4);

	for (int i = 0; i < units; i++) {
		struct unit u = {.side = side, .with = -1, .begun = 6};

		u.kind = (enum kind)pick(&r->chance, 3);
		if (side == SIDE_GOVERNMENT && u.kind == KIND_CLAN)
			u.kind = KIND_FOOT;
		u.bases = pick(&r->chance, 3) || r->whole ? 6 : 2 + pick(&r->chance, 5);
		u.code[0] = (char)(letters[i] | (side == SIDE_JACOBITE ? 0x20 : 0));
		add_piece(r, &u, middle, spread);
	}
	for (int i = 0; i < guns; i++) {
		struct unit u = {.side = side, .with = -1, .kind = KIND_GUN, .bases = 1, .begun = 1};

		u.code[0] = (char)('1' + i);
		snprintf(u.name, sizeof u.name, "%s", gun_names[side][i]);
		add_piece(r, &u, middle, spread);
	}
	for (int i = 0; i < commanders; i++) {
		struct unit u = {.side = side, .with = -1, .kind = KIND_COMMANDER, .bases = 1, .begun = 1};

		u.code[0] = (char)(side == SIDE_GOVERNMENT ? 'G' : 'p');
		u.code[1] = (char)("xyz"[i]);
		add_piece(r, &u, middle, spread);
	}
}

static inline void add_ground(struct random_case *r)
{
	static const char *const kinds[] = {"wall", "bog", "ravine", "wall"};

	buf_adds(r->text, "set terrain ground\n");
	for (int n = pick(&r->chance, 4); n > 0; n--) {
		const char *kind = kinds[pick(&r->chance, 4)];
		int x = 20000 + length_below(r, 50000), y = 15000 + length_below(r, 30000);

		int along = length_below(r, 12000);

		buf_printf(r->text, "%s %s,%s", kind, inches(r, x), inches(r, y));
		buf_printf(r->text, " %s,%s", inches(r, x + (along ? along : 250)), inches(r, y)); /* another place */
		buf_printf(r->text, " %s,%s%s\n", inches(r, x + 500), inches(r, y + 1000 + length_below(r, 6000)),
			pick(&r->chance, 2) ? " closed" : "");
	}
}

/* --- orders --- */

/* A piece of that side's, or of either with side -1, as orders may name it. */
static inline const char *name(struct random_case *r, int side, bool commander)
{
	const struct unit *u;
	int tries = 0;

	do
		u = &r->pieces[pick(&r->chance, r->count)];
	while ((side >= 0 && (int)u->side != side) || ((u->kind == KIND_COMMANDER) != commander && ++tries < 200));
	return u->kind == KIND_GUN ? u->name : u->code;
}

static inline void add_move(struct random_case *r, int enemy)
{
	static const char *const ways[] = {"forward", "back", "left", "right", "north", "south-west", "east"};

	switch (pick(&r->chance, 6)) {
	case 0:
		buf_printf(r->text, "move to (%s,%s)", inches(r, length_below(r, ACROSS)),
			inches(r, length_below(r, DEEP)));
		if (pick(&r->chance, 3) == 0)
			buf_printf(r->text, " via %c%d", 'A' + pick(&r->chance, 15), 1 + pick(&r->chance, 10));
		return;
	case 1:
		buf_printf(
			r->text, "move %s %d degrees", inches(r, 250 + length_below(r, 6000)), pick(&r->chance, 360));
		return;
	case 2:
		buf_printf(r->text, "move %s %s", inches(r, 250 + length_below(r, 6000)), ways[pick(&r->chance, 7)]);
		return;
	case 3:
		buf_printf(r->text, "move away from %s", name(r, enemy, false));
		return;
	default:
		buf_printf(r->text, "move toward %s", name(r, enemy, false));
		if (pick(&r->chance, 2))
			buf_printf(r->text, " %s", inches(r, 250 + length_below(r, 6000)));
	}
}

static inline void add_face(struct random_case *r, int enemy)
{
	switch (pick(&r->chance, 4)) {
	case 0:
		buf_printf(r->text, "face %d degrees", pick(&r->chance, 360));
		return;
	case 1:
		buf_printf(r->text, "face %s", name(r, enemy, false));
		return;
	case 2:
		buf_printf(r->text, "turn %s %d", pick(&r->chance, 2) ? "left" : "right", 1 + pick(&r->chance, 180));
		return;
	default:
		buf_printf(r->text, "wheel %s %d", pick(&r->chance, 2) ? "left" : "right", 1 + pick(&r->chance, 90));
	}
}

static inline void add_charge(struct random_case *r, int enemy)
{
	if (pick(&r->chance, 3) == 0)
		buf_adds(r->text, "charge nearest");
	else
		buf_printf(r->text, "charge %s", name(r, enemy, false));
	if (pick(&r->chance, 6) == 0)
		buf_printf(r->text, " if %s within %d", name(r, enemy, false), 1 + pick(&r->chance, 12));
}

static inline void add_orders(struct random_case *r, const struct unit *u)
{
	struct chance *c = &r->chance;
	int enemy = (int)side_other(u->side);
	size_t begun;

	buf_printf(r->text, "  %s: ", u->kind == KIND_GUN ? u->name : u->code);
	begun = r->text->len;
	if (u->kind == KIND_COMMANDER) {
		if (pick(c, 4) == 0)
			buf_adds(r->text, "leave; ");
		if (pick(c, 2))
			buf_printf(r->text, "join %s", name(r, (int)u->side, false));
		else
			add_move(r, enemy);
	} else {
		for (int i = pick(c, 4); i > 0 && u->kind != KIND_GUN; i--) {
			if (pick(c, 3) == 0)
				add_face(r, enemy);
			else
				add_move(r, enemy);
			buf_adds(r->text, "; ");
		}
		if (pick(c, 6) == 0)
			buf_adds(r->text, "hold fire; ");
		else if (pick(c, 3) == 0)
			buf_printf(r->text, "fire at %s then %s; ", name(r, enemy, false), name(r, enemy, false));
		if (pick(c, 4) == 0)
			buf_printf(r->text, "melee %s %d, %s; ", name(r, enemy, false), 1 + pick(c, 3),
				name(r, enemy, false));
		if (pick(c, 2) && u->kind != KIND_GUN)
			add_charge(r, enemy);
	}
	if (r->text->len == begun)
		buf_adds(r->text, "hold");
	buf_addc(r->text, '\n');
}

/* --- the whole --- */

static inline void deploy(struct random_case *r, const struct state *armies)
{
	buf_adds(r->text, "deploy\n");
	for (int i = 0; i < armies->count && r->count < PIECES_MAX; i++)
		r->pieces[r->count++] = armies->units[i];
}

/* With `armies` they are deployed (Falkirk's), without any it makes up its own; `whole` without losses. */
static inline char *random_case_of(TALLOC_CTX *mem, uint64_t seed, int turns, const struct state *armies, bool whole)
{
	struct random_case *r = talloc_zero(mem, struct random_case);
	struct point middle;
	int spread;
	char *text;

	r->chance.state = seed * 0x9e3779b97f4a7c15U + 1;
	r->text = buf_new(r);
	r->whole = whole;
	pick(&r->chance, 2);
	buf_printf(r->text, "case random-%llu\nbattle falkirk\nseed %llu\n", (unsigned long long)seed,
		(unsigned long long)seed);
	if (pick(&r->chance, 2))
		buf_adds(r->text, "set wet-powder off\nset fire-at-chargers discipline\n");
	if (pick(&r->chance, 4) == 0)
		add_ground(r);
	spread = 4000 + pick(&r->chance, 24000);
	middle = (struct point){pick(&r->chance, ACROSS), pick(&r->chance, DEEP)};
	if (armies) {
		deploy(r, armies);
	} else {
		add_army(r, SIDE_GOVERNMENT, middle, spread);
		middle.y += spread / 2;
		add_army(r, SIDE_JACOBITE, middle, spread);
	}
	for (int turn = 0; turn < turns && r->count > 0; turn++) {
		for (int side = 0; side < SIDES; side++) {
			bool enemies = false;

			for (int i = 0; i < r->count; i++)
				enemies = enemies ||
					  ((int)r->pieces[i].side != side && r->pieces[i].kind != KIND_COMMANDER);
			buf_printf(r->text, "orders %c\n", "EJ"[side]);
			for (int i = 0; i < r->count && enemies; i++)
				if ((int)r->pieces[i].side == side && pick(&r->chance, 8))
					add_orders(r, &r->pieces[i]);
		}
		buf_adds(r->text, "turn\n");
	}
	text = buf_steal(mem, r->text);
	talloc_free(r);
	return text;
}

static inline char *random_case(TALLOC_CTX *mem, uint64_t seed, int turns, const struct state *armies)
{
	return random_case_of(mem, seed, turns, armies, false);
}

#endif
