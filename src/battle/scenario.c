#include "battle/scenario.h"

#include "base/text.h"
#include "battle/inspect.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BASES_MAX = 99, FIGURES_MAX = 999, PIECES_MAX = 500, TABLE_MAX = INCH(900) };

static const char *const keywords[] = {"battle", "title", "rules", "side", "table", "set", "unit", "commander",
	"locked", "wall", "wood", "river", "bog", "ravine", "track", "history"};

/* --- footprints ----------------------------------------------------------------------------------------------------
 */

void footprint(enum kind kind, int bases, int begun, int32_t *width, int32_t *depth)
{
	enum { BASE = 1500, FILES = 3 };
	int files = begun > 2 * FILES ? (begun + 1) / 2 : FILES;
	bool horse = kind == KIND_HORSE || kind == KIND_HUSSAR;
	int32_t rank = horse ? 1500 : 750;

	if (kind == KIND_COMMANDER || kind == KIND_GUN) {
		*width = BASE;
		*depth = kind == KIND_GUN ? BASE : BASE / 2;
		return;
	}
	*width = BASE * (bases < 1 ? 1 : bases < files ? bases : files);
	*depth = bases > files ? 2 * rank : rank;
}

void unit_refit(struct unit *u)
{
	int bases = u->bases, begun = u->begun;
	int32_t width, depth;

	if (u->figures_begun) /* RH0: the whole footprint while there are figures */
		bases = begun = 6;
	footprint(u->kind, bases, begun, &width, &depth);
	if (u->column) { /* RH15: one base wide, over the same ground */
		depth = depth * width / 1500;
		width = 1500;
	}
	u->box.width = u->quarter % 2 ? depth : width;
	u->box.depth = u->quarter % 2 ? width : depth;
}

/* --- words of a line -----------------------------------------------------------------------------------------------
 */

/* The reading of one line: where it has got to, and the first error. */
struct reading {
	TALLOC_CTX *mem;
	const struct line *l;
	int at;
	struct err *e;
};

static const char *word(const struct reading *r)
{
	return r->at < r->l->count ? r->l->words[r->at].text : "";
}

static const char *typed(const struct reading *r)
{
	return r->at < r->l->count ? talloc_asprintf(r->mem, "\"%s\"", word(r)) : "the end of the line";
}

static void expected(struct reading *r, const char *what)
{
	if (!r->e)
		r->e = line_err(r->mem, r->l, r->at, "expected %s, not %s", what, typed(r));
}

/* Takes the word if it stands here, unquoted. */
static bool take(struct reading *r, const char *text)
{
	if (r->e || r->at >= r->l->count || r->l->words[r->at].quoted || strcmp(word(r), text) != 0)
		return false;
	r->at++;
	return true;
}

static void take_name(struct reading *r, char *out, size_t room, const char *what)
{
	if (r->e)
		return;
	if (r->at >= r->l->count || !*word(r)) {
		expected(r, what);
	} else if (strlen(word(r)) >= room) {
		r->e = line_err(r->mem, r->l, r->at, "%s has at most %zu letters", what, room - 1);
	} else {
		memcpy(out, word(r), strlen(word(r)) + 1);
		r->at++;
	}
}

static bool has_letter(const char *text)
{
	for (; *text; text++)
		if (isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80)
			return true;
	return false;
}

/* A name that people can write in an order: with a letter, and not the word that comes after a name left out. */
static void take_spoken_name(struct reading *r, char *out, size_t room, const char *what)
{
	static const char *const next[] = {"at", "with", "overall", "facing", "id", "wing"};
	bool quoted = r->at < r->l->count && r->l->words[r->at].quoted;

	for (size_t i = 0; !quoted && i < sizeof next / sizeof *next; i++)
		if (!r->e && strcmp(word(r), next[i]) == 0)
			expected(r, what);
	if (!r->e && r->at < r->l->count && !has_letter(word(r)))
		expected(r, talloc_asprintf(r->mem, "%s, with a letter in it", what));
	take_name(r, out, room, what);
}

/* A code or an id: letters and digits, so that it stands in an order as one word. */
static void take_code(struct reading *r, char *out, size_t room, const char *what)
{
	const char *w = word(r);

	if (!r->e && w[strspn(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")])
		expected(r, what);
	take_name(r, out, room, what);
}

static enum side take_side(struct reading *r)
{
	if (take(r, "E"))
		return SIDE_GOVERNMENT;
	if (take(r, "J"))
		return SIDE_JACOBITE;
	expected(r, "E or J for the side");
	return SIDE_GOVERNMENT;
}

static void take_place(struct reading *r, struct point *p)
{
	if (!r->e)
		r->e = line_point(r->mem, r->l, r->at, &p->x, &p->y);
	r->at++;
}

/* "south", "south-west" or "sw": degrees, or -1. */
static int compass(const char *text)
{
	static const char *const points[][2] = {{"north", "n"}, {"north-east", "ne"}, {"east", "e"},
		{"south-east", "se"}, {"south", "s"}, {"south-west", "sw"}, {"west", "w"}, {"north-west", "nw"}};

	for (int i = 0; i < 8; i++)
		if (strcasecmp(text, points[i][0]) == 0 || strcasecmp(text, points[i][1]) == 0)
			return 45 * i;
	return -1;
}

/* Degrees or a direction. */
static int16_t take_facing(struct reading *r)
{
	long facing = compass(word(r));

	if (!r->e && facing < 0 && !strchr("-0123456789", *word(r)))
		expected(r, "a direction (north, south-east ...) or degrees from 0 to 360");
	else if (!r->e && facing < 0)
		r->e = line_int(r->mem, r->l, r->at, 0, 360, &facing);
	r->at++;
	return (int16_t)geo_degrees((int)facing);
}

/* "6", or figures and bases "24/3"; nobody ("0", "0/0") where no `least` is asked for. */
static void take_strength(struct reading *r, int least, int *bases, int *figures)
{
	const char *w = word(r), *slash = strchr(w, '/');
	size_t digits = slash ? (size_t)(slash - w) : strlen(w);
	long values[2] = {0, 0};
	const char *part = w;
	bool good = digits > 0;

	for (int i = 0; i < 2 && good; i++) {
		for (; *part >= '0' && *part <= '9' && values[i] <= FIGURES_MAX; part++)
			values[i] = 10 * values[i] + (*part - '0');
		good = *part == (i == 0 && slash ? '/' : '\0') && part > w && part[-1] != '/';
		if (!slash)
			break;
		part++;
	}
	*figures = slash ? (int)values[0] : 0;
	*bases = slash ? (int)values[1] : (int)values[0];
	if (!good || *bases < least || *bases > BASES_MAX || (slash && (*figures < least || !*figures != !*bases)) ||
		*figures > FIGURES_MAX)
		expected(r, "a number of bases from 1 to 99 (or figures/bases, such as 24/3)");
	r->at++;
}

/* --- pieces --------------------------------------------------------------------------------------------------------
 */

/* By code, else by id; -1 and an error if it is not there. */
static int take_piece(struct reading *r, const struct state *s)
{
	int unit;

	if (r->e)
		return -1;
	unit = state_find_code(s, word(r), -1);
	if (unit < 0)
		unit = state_find_id(s, word(r));
	if (unit < 0)
		expected(r, "the code of a unit from a line above");
	r->at++;
	return unit;
}

static struct unit new_piece(enum side side)
{
	return (struct unit){.side = side,
		.begun = 1,
		.bases = 1,
		.with = -1,
		.charge_target = -1,
		.pursues = -1,
		.box.facing = side == SIDE_GOVERNMENT ? 0 : 180};
}

static void add_piece(struct reading *r, struct state *s, struct unit *u)
{
	if (!r->e && r->at < r->l->count)
		expected(r, "nothing more");
	if (!r->e && s->count == PIECES_MAX)
		r->e = line_err(r->mem, r->l, 0, "there are more than %d pieces", PIECES_MAX);
	if (r->e)
		return;
	if (!*u->id) /* guns of both sides may have one number */
		snprintf(u->id, sizeof u->id, "%s%s",
			u->kind == KIND_GUN && state_find_id(s, u->code) >= 0 ? (u->side == SIDE_GOVERNMENT ? "E" : "J")
									      : "",
			u->code);
	unit_refit(u);
	s->units = talloc_realloc(s, s->units, struct unit, (unsigned)s->count + 1);
	assert(s->units);
	s->units[s->count++] = *u;
}

/* "id ID" or "wing NAME", which any piece may have once. */
static bool take_label(struct reading *r, struct unit *u)
{
	if (!*u->id && take(r, "id"))
		take_code(r, u->id, sizeof u->id, "an id of letters and digits");
	else if (!*u->wing && take(r, "wing"))
		take_spoken_name(r, u->wing, sizeof u->wing, "the name of a wing");
	else
		return false;
	return true;
}

static void take_kind(struct reading *r, struct unit *u)
{
	int kind = kind_from_word(word(r));

	if (kind < 0 || kind == KIND_COMMANDER)
		expected(r, "a kind (foot, horse, gun, clan, dragoon-dismounted or hussar)");
	else
		u->kind = (enum kind)kind;
	r->at++;
}

static void read_unit(struct reading *r, struct state *s)
{
	struct unit u = new_piece(take_side(r));
	bool placed = false, faced = false;

	take_code(r, u.code, sizeof u.code, "a code of letters and digits");
	take_kind(r, &u);
	take_spoken_name(r, u.name, sizeof u.name, "the unit's name in quote marks");
	take_strength(r, r->at + 1 < r->l->count && strcmp(r->l->words[r->at + 1].text, "of") == 0 ? 0 : 1, &u.bases,
		&u.figures);
	u.begun = u.bases;
	u.figures_begun = u.figures;
	if (take(r, "of")) {
		take_strength(r, 1, &u.begun, &u.figures_begun);
		if (u.begun < u.bases || u.figures_begun < u.figures || (u.bases && !u.figures != !u.figures_begun)) {
			r->at--;
			expected(r, "a beginning no smaller than what is left, given in the same way");
		}
	}
	while (!r->e && r->at < r->l->count) {
		if (!placed && take(r, "at")) {
			take_place(r, &u.box.front);
			placed = true;
		} else if (!faced && take(r, "facing")) {
			u.box.facing = take_facing(r);
			faced = true;
		} else if (!u.routing && take(r, "routing")) {
			u.routing = true;
		} else if (!u.column && take(r, "in") && take(r, "column")) {
			u.column = true;
		} else if (!take_label(r, &u)) {
			expected(r, "at, facing, id, wing, routing or in column, each once");
		}
	}
	if (!placed)
		expected(r, "the unit's place (at X,Y)");
	if (!faced)
		expected(r, "where the unit faces (facing D)");
	add_piece(r, s, &u);
}

/* He rides with his unit: his place is the middle of its front. */
static void attach(struct reading *r, struct state *s, struct unit *u)
{
	int unit = take_piece(r, s);

	if (r->e)
		return;
	if (s->units[unit].side != u->side || !unit_is_formed(&s->units[unit]) || !unit_alive(&s->units[unit])) {
		r->at--;
		expected(r, "a foot or horse unit of his own side");
		return;
	}
	u->with = (int16_t)unit;
	u->box.front = s->units[unit].box.front;
	u->box.facing = s->units[unit].box.facing;
}

static void read_commander(struct reading *r, struct state *s)
{
	struct unit u = new_piece(take_side(r));
	bool placed = false, faced = false;

	u.kind = KIND_COMMANDER;
	take_code(r, u.code, sizeof u.code, "a code of letters and digits");
	take_spoken_name(r, u.name, sizeof u.name, "the commander's name in quote marks");
	while (!r->e && r->at < r->l->count) {
		if (!u.overall && take(r, "overall")) {
			u.overall = true;
		} else if (!placed && take(r, "with")) {
			attach(r, s, &u);
			placed = true;
		} else if (!placed && take(r, "at")) {
			take_place(r, &u.box.front);
			placed = true;
		} else if (!faced && u.with < 0 && take(r, "facing")) {
			u.box.facing = take_facing(r);
			faced = true;
		} else if (!take_label(r, &u)) {
			expected(r, "overall, with, at, facing, id or wing, each once");
		}
	}
	if (!placed)
		expected(r, "where he is (with UNIT, or at X,Y)");
	add_piece(r, s, &u);
}

/* A melee whose first round has been fought (so nobody charges in it any more). */
static void read_locked(struct reading *r, struct state *s)
{
	int a = take_piece(r, s), b = take_piece(r, s);

	if (!r->e && r->at < r->l->count)
		expected(r, "nothing more");
	if (r->e)
		return;
	if (s->units[a].side == s->units[b].side || !unit_is_formed(&s->units[a]) || !unit_is_formed(&s->units[b]) ||
		!unit_alive(&s->units[a]) || !unit_alive(&s->units[b])) {
		r->e = line_err(r->mem, r->l, 1, "only foot and horse of different sides can be in melee");
		return;
	}
	state_lock(s, (struct lock){.charger = (int16_t)a,
			      .charged = (int16_t)b,
			      .face = geo_arc(&s->units[b].box, s->units[a].box.front),
			      .declared = true,
			      .rounds = 1});
}

static void read_terrain(struct reading *r, struct scenario *sc, enum terrain_kind kind)
{
	struct terrain t = {.kind = kind, .name = ""};

	t.points = talloc_array(sc, struct point, (unsigned)r->l->count);
	while (!r->e && r->at < r->l->count && !t.closed && strcmp(word(r), "name") != 0) {
		struct point *p = &t.points[t.count];

		t.closed = take(r, "closed");
		if (t.closed)
			break;
		take_place(r, p);
		if (!r->e && t.count > 0 && p->x == p[-1].x && p->y == p[-1].y)
			r->e = line_err(r->mem, r->l, r->at - 1, "this place is the same as the one before it");
		t.count++;
	}
	if (!r->e && t.count < (t.closed ? 3 : 2))
		expected(r, t.closed ? "three places or more before closed" : "two places or more (X,Y X,Y)");
	if (take(r, "name")) {
		if (r->at < r->l->count && has_letter(word(r)))
			t.name = talloc_strdup(sc, word(r));
		else
			expected(r, "the name of the ground");
		r->at++;
	}
	if (!r->e && r->at < r->l->count)
		expected(r, "closed, name or nothing more");
	if (r->e)
		return;
	sc->table.terrain =
		talloc_realloc(sc, sc->table.terrain, struct terrain, (unsigned)sc->table.terrain_count + 1);
	assert(sc->table.terrain);
	sc->table.terrain[sc->table.terrain_count++] = t;
}

struct err *scenario_line(TALLOC_CTX *mem, struct scenario *s, const struct line *l, bool *taken)
{
	struct reading r = {.mem = mem, .l = l, .at = 1};
	const char *keyword = l->count && !l->indented ? l->words[0].text : "";
	int terrain = terrain_from_word(keyword);

	*taken = true;
	if (strcmp(keyword, "unit") == 0)
		read_unit(&r, s->state);
	else if (strcmp(keyword, "commander") == 0)
		read_commander(&r, s->state);
	else if (strcmp(keyword, "locked") == 0)
		read_locked(&r, s->state);
	else if (strcmp(keyword, "set") == 0)
		r.e = parameters_set(mem, s->parameters, l, 1);
	else if (terrain >= 0)
		read_terrain(&r, s, (enum terrain_kind)terrain);
	else
		*taken = false;
	return r.e;
}

/* --- battle files --------------------------------------------------------------------------------------------------
 */

static struct scenario *new_scenario(TALLOC_CTX *mem, const struct parameters *base)
{
	struct scenario *s = talloc_zero(mem, struct scenario);

	assert(s);
	s->name = s->title = s->history = "";
	s->rules = "fastplay";
	s->label[SIDE_GOVERNMENT] = "Government";
	s->label[SIDE_JACOBITE] = "Jacobite";
	s->table.width = INCH(90);
	s->table.height = INCH(60);
	s->parameters = parameters_copy(s, base);
	s->state = talloc_zero(s, struct state);
	s->state->turn = s->state->line = 1;
	s->state->initiative = -1;
	return s;
}

struct scenario *scenario_empty(TALLOC_CTX *mem, const struct scenario *of)
{
	struct scenario *s = new_scenario(mem, of->parameters);

	s->name = talloc_strdup(s, of->name);
	s->title = talloc_strdup(s, of->title);
	s->rules = talloc_strdup(s, of->rules);
	for (int side = 0; side < SIDES; side++)
		s->label[side] = talloc_strdup(s, of->label[side]);
	s->table.width = of->table.width;
	s->table.height = of->table.height;
	return s;
}

/* The one text after the keyword. */
static const char *only_text(struct reading *r, TALLOC_CTX *owner, const char *what)
{
	if (r->at >= r->l->count || !*word(r))
		expected(r, what);
	else if (!has_letter(word(r)))
		expected(r, talloc_asprintf(r->mem, "%s, with a letter in it", what));
	else if (r->at + 1 < r->l->count) {
		r->at++;
		expected(r, "nothing more (put quote marks round several words)");
	}
	return r->e ? "" : talloc_strdup(owner, word(r));
}

static void read_table(struct reading *r, struct table *t)
{
	r->e = line_inches(r->mem, r->l, 1, INCH(1), TABLE_MAX, &t->width);
	if (!r->e)
		r->e = line_inches(r->mem, r->l, 2, INCH(1), TABLE_MAX, &t->height);
	r->at = 3;
	if (r->l->count > 3)
		expected(r, "nothing more");
}

static struct err *unknown_keyword(TALLOC_CTX *mem, const struct line *l)
{
	const char *typed_word = l->words[0].text, *best = NULL;
	int least = 3;

	if (l->indented)
		return line_err(mem, l, 0, "a line begins with its keyword, without blanks before it");
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		int d = text_distance(typed_word, keywords[i], least - 1);

		if (d < least) {
			least = d;
			best = keywords[i];
		}
	}
	if (best)
		return line_err(mem, l, 0, "\"%s\" is no keyword; did you mean %s?", typed_word, best);
	return line_err(mem, l, 0, "\"%s\" is no keyword of a battle file", typed_word);
}

/* What only a battle file has, not a case. */
static bool read_heading(struct reading *r, struct scenario *s)
{
	const char *keyword = r->l->words[0].text;

	if (strcmp(keyword, "battle") == 0) {
		s->name = only_text(r, s, "the battle's short name");
	} else if (strcmp(keyword, "title") == 0) {
		s->title = only_text(r, s, "the battle's title in quote marks");
	} else if (strcmp(keyword, "rules") == 0) {
		s->rules = only_text(r, s, "the name of a rule set");
	} else if (strcmp(keyword, "table") == 0) {
		read_table(r, &s->table);
	} else if (strcmp(keyword, "side") == 0) {
		enum side side = take_side(r);

		s->label[side] = only_text(r, s, "the side's name in quote marks");
		s->labelled[side] = true;
	} else if (strcmp(keyword, "history") == 0) {
		const char *paragraph = only_text(r, s, "a paragraph in quote marks");

		s->history = *s->history ? talloc_asprintf(s, "%s\n\n%s", s->history, paragraph) : paragraph;
	} else {
		return false;
	}
	return true;
}

/* What a file says once: "title", "side E", "set turn-limit". */
struct once {
	char **said;
	int *line;
	int count;
};

static struct err *check_once(TALLOC_CTX *mem, struct once *once, const struct line *l)
{
	static const char *const keys[] = {"battle", "title", "rules", "table", "side", "set"};
	const char *keyword = l->words[0].text;
	int words = strcmp(keyword, "side") == 0 || strcmp(keyword, "set") == 0 ? 2 : 1;
	bool single = false;
	char *said;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		single = single || strcmp(keyword, keys[i]) == 0;
	if (!single || l->count < words)
		return NULL;
	said = talloc_asprintf(mem, "%s%s%s", keyword, words == 2 ? " " : "", words == 2 ? l->words[1].text : "");
	for (int i = 0; i < once->count; i++)
		if (strcmp(once->said[i], said) == 0)
			return line_err(mem, l, 0, "\"%s\" has been given before, in line %d; keep one of the two",
				said, once->line[i]);
	once->said = talloc_realloc(mem, once->said, char *, (unsigned)once->count + 1);
	once->line = talloc_realloc(mem, once->line, int, (unsigned)once->count + 1);
	assert(once->said && once->line);
	once->said[once->count] = said;
	once->line[once->count++] = l->number;
	return NULL;
}

static struct err *read_line(TALLOC_CTX *mem, struct scenario *s, const struct line *l, struct once *once)
{
	struct reading r = {.mem = mem, .l = l, .at = 1};
	bool taken;
	struct err *e;

	if (l->count == 0)
		return NULL;
	if (l->indented)
		return unknown_keyword(mem, l);
	e = check_once(mem, once, l);
	if (e)
		return e;
	if (read_heading(&r, s))
		return r.e;
	/* The options are the battle's own rule set's; under another one its defaults hold. */
	if (strcmp(l->words[0].text, "set") == 0 && s->parameters->rules && strcmp(s->parameters->rules, s->rules) != 0)
		return NULL;
	e = scenario_line(mem, s, l, &taken);
	return e || taken ? e : unknown_keyword(mem, l);
}

struct scenario *scenario_read_leniently(TALLOC_CTX *mem, const char *file, const char *text, size_t len,
	const struct parameters *base, struct bad_lines *bad)
{
	struct scenario *s = new_scenario(mem, base);
	struct line_reader *r = line_reader_new(s, file, text, len);
	int *lines = talloc_zero_array(s, int, PIECES_MAX);
	struct once once = {.count = 0};
	const struct line *l;
	struct err *e;

	bad->count = 0;
	do {
		int before = s->state->count;

		e = line_next(mem, r, &l);
		if (!e && l)
			e = read_line(mem, s, l, &once);
		if (e && bad->count++ < BAD_LINES_MAX)
			bad->list[bad->count - 1] = e;
		if (!e && s->state->count > before)
			lines[before] = l->number;
	} while (e || l);
	talloc_free(r);
	s->file = talloc_strdup(s, file);
	s->lines = lines;
	if (!*s->title)
		s->title = s->name;
	return s;
}

struct err *scenario_read(TALLOC_CTX *mem, const char *file, const char *text, size_t len,
	const struct parameters *base, struct scenario **out)
{
	struct bad_lines bad;
	struct flaw *fault;
	struct err *e;

	*out = scenario_read_leniently(mem, file, text, len, base, &bad);
	if (bad.count) {
		talloc_free(*out);
		return bad.list[0];
	}
	fault = scenario_fault(*out, *out);
	if (!fault)
		return NULL;
	e = err_new(mem, ERR_PROCESS, false, flaw_place(mem, *out, fault), "%s", fault->what);
	talloc_free(*out);
	return e;
}

struct err *scenario_rules_name(
	TALLOC_CTX *mem, const char *file, const char *text, size_t len, const char **out, const char **place)
{
	struct line_reader *r = line_reader_new(mem, file, text, len);
	const struct line *l;
	struct err *e;
	bool bad;

	*out = talloc_strdup(mem, "fastplay");
	*place = talloc_asprintf(mem, "%s:1:1", file);
	do {
		e = line_next(mem, r, &l);
		bad = e != NULL;
		e = NULL;
		if (!bad && l && l->count && !l->indented && strcmp(l->words[0].text, "rules") == 0) {
			struct reading reading = {.mem = mem, .l = l, .at = 1};

			*out = only_text(&reading, mem, "the name of a rule set");
			e = reading.e;
			if (!e)
				*place = talloc_asprintf(mem, "%s:%d:%d", file, l->number, l->words[1].column);
		}
	} while (bad || (!e && l));
	talloc_free(r);
	return e;
}
