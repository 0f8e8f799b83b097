#include "report/chronicle.h"

#include "base/buf.h"
#include "base/line.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

/* Stands for " while the file is read: sentences hold inch marks, which are no quotes, and no line may hold a control
 * character. */
enum { INCH_MARK = '`' };

struct chronicle {
	const char *sentence[EVENT_KIND_COUNT][EVENT_REASON_COUNT]; /* REASON_NONE: for all others */
	const char *reason[EVENT_REASON_COUNT];
};

/* --- words for things ------------------------------------------------------------------------------------------ */

const char *piece_name(TALLOC_CTX *mem, const struct state *s, int unit)
{
	if (unit < 0)
		return "the field";
	if (s->units[unit].kind == KIND_GUN)
		return talloc_asprintf(mem, "gun %s", s->units[unit].code);
	return s->units[unit].name;
}

char *square_name(TALLOC_CTX *mem, const struct table *table, struct point p)
{
	int column = p.x / INCH(6), row = (table->height - p.y) / INCH(6);
	int columns = table->width / INCH(6), rows = table->height / INCH(6);

	column = column < 0 ? 0 : column >= columns ? columns - 1 : column;
	row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
	return talloc_asprintf(mem, "%c%d", 'A' + column, row + 1);
}

const char *facing_word(int facing)
{
	static const char *const words[] = {
		"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"};

	return words[(geo_degrees(facing) * 2 + 45) / 90 % 8];
}

const char *side_people(TALLOC_CTX *mem, const struct scenario *sc, int side)
{
	const char *label = sc->label[side];
	size_t len = strlen(label);

	/* English, British, Scots; but Jacobites */
	if (len == 0 || label[len - 1] == 's' || label[len - 1] == 'h')
		return label;
	return talloc_asprintf(mem, "%ss", label);
}

int32_t rule_number(const struct scenario *sc, const char *name, int32_t otherwise)
{
	const struct parameters *p = sc->parameters;

	for (int i = 0; p != NULL && i < p->count; i++) {
		if (strcmp(p->defs[i].name, name) == 0)
			return p->values[i];
	}
	return otherwise;
}

/* --- placeholders ---------------------------------------------------------------------------------------------- */

struct telling {
	TALLOC_CTX *mem;
	const struct chronicle *c;
	const struct scenario *sc;
	const struct state *s;
	const struct event *ev;
	struct buf *out;
};

typedef void put_fn(struct telling *t);

static int32_t number(const struct telling *t, enum event_number n)
{
	return t->ev->has[n] ? t->ev->number[n] : 0;
}

/* Is this die of that purpose? Names are STREAM.ORDINAL with the purpose as a part of its own. */
static bool of_purpose(const struct event_die *die, const char *purpose)
{
	const char *at = strstr(die->name, purpose);
	size_t n = strlen(purpose);

	return at != NULL && at > die->name && at[-1] == '.' && at[n] == '.';
}

static const struct event_die *die_of(const struct telling *t, const char *purpose)
{
	for (int i = 0; i < t->ev->dice_count; i++) {
		if (of_purpose(&t->ev->dice[i], purpose))
			return &t->ev->dice[i];
	}
	return NULL;
}

static void put_actor(struct telling *t)
{
	buf_adds(t->out, piece_name(t->mem, t->s, t->ev->actor));
}

static void put_object(struct telling *t)
{
	buf_adds(t->out, piece_name(t->mem, t->s, t->ev->object_count > 0 ? t->ev->objects[0] : -1));
}

static void put_at_object(struct telling *t)
{
	if (t->ev->object_count > 0) {
		buf_addc(t->out, ' ');
		put_object(t);
	}
}

static void put_foes(struct telling *t)
{
	for (int i = 0; i < t->ev->object_count; i++)
		buf_printf(t->out, "%s%s", i > 0 ? " and " : "", piece_name(t->mem, t->s, t->ev->objects[i]));
}

static void put_dealt(struct telling *t)
{
	const char *sep = " ";

	for (int i = 0; t->ev->object_count > 1 && t->ev->object_hits != NULL && i < t->ev->object_count; i++) {
		int hits = t->ev->object_hits[i];

		if (hits == 0)
			continue;
		buf_printf(t->out, "%s%d to %s", sep, hits, piece_name(t->mem, t->s, t->ev->objects[i]));
		sep = ", ";
	}
	if (sep[0] == ',')
		buf_addc(t->out, '.');
}

static void put_to(struct telling *t)
{
	buf_adds(t->out, square_name(t->mem, &t->sc->table, (struct point){number(t, NUM_TO_X), number(t, NUM_TO_Y)}));
}

static void put_turned(struct telling *t)
{
	if (number(t, NUM_FROM_FACING) != number(t, NUM_TO_FACING))
		buf_printf(t->out, ", facing %s", facing_word(number(t, NUM_TO_FACING)));
}

static void put_aside(struct telling *t)
{
	if (number(t, NUM_ARC) != ARC_FRONT)
		buf_adds(t->out, " to the side");
}

static void put_face(struct telling *t)
{
	static const char *const words[] = {"front", "left flank", "right flank", "rear"};

	buf_adds(t->out, words[number(t, NUM_FACE) & 3]);
}

static void put_powder(struct telling *t)
{
	const struct event_die *die = die_of(t, "powder");

	if (die != NULL)
		buf_printf(t->out, "powder %d%s: %d of %d bases may fire; ", die->value, die->amended ? " (given)" : "",
			number(t, NUM_DICE), number(t, NUM_ELIGIBLE));
}

static void put_test(struct telling *t)
{
	const struct event_die *die = die_of(t, "discipline");

	if (die != NULL)
		buf_printf(t->out, "fire discipline %d%s; ", die->value, die->amended ? " (given)" : "");
}

static void put_values(struct telling *t)
{
	const char *sep = ", ";

	for (int i = 0; i < t->ev->dice_count; i++) {
		const struct event_die *die = &t->ev->dice[i];

		if (of_purpose(die, "powder") || of_purpose(die, "discipline"))
			continue;
		buf_printf(t->out, "%s%d%s", sep, die->value, die->amended ? "*" : "");
		sep = " ";
	}
}

static void put_losses(struct telling *t)
{
	bool target = t->ev->object_count > 0 && t->ev->kind != EVENT_LOSS;
	int unit = target ? t->ev->objects[0] : t->ev->actor;
	int32_t before = number(t, NUM_BEFORE), after = number(t, NUM_AFTER);

	if (before != after)
		buf_printf(t->out, "%s %d > %d base%s.", piece_name(t->mem, t->s, unit), before, after,
			after == 1 ? "" : "s");
	else
		buf_printf(t->out, "%s keeps %d base%s.", piece_name(t->mem, t->s, unit), after, after == 1 ? "" : "s");
}

static void put_fate(struct telling *t)
{
	buf_adds(t->out, number(t, NUM_AFTER) != 0 ? "he lives" : "he falls");
}

static void put_holds(struct telling *t)
{
	buf_adds(t->out, number(t, NUM_HITS) != 0 ? "it holds" : "it does not hold");
}

static void put_seen(struct telling *t)
{
	if (t->ev->object_count == 0)
		return;
	buf_adds(t->out, " (");
	put_object(t);
	if (t->ev->has[NUM_DISTANCE])
		buf_printf(t->out, " at %s\"", text_inches(t->mem, number(t, NUM_DISTANCE)));
	buf_addc(t->out, ')');
}

static void put_reason(struct telling *t)
{
	buf_adds(t->out, t->c->reason[t->ev->reason]);
}

static void put_third(struct telling *t)
{
	static const char *const words[] = {"Western", "Middle", "Eastern"};

	buf_adds(t->out, words[number(t, NUM_THIRD) % 3]);
}

static const char *side_label(const struct telling *t, int32_t side)
{
	return side >= 0 && side < SIDES ? t->sc->label[side] : "nobody";
}

static void put_side(struct telling *t)
{
	buf_adds(t->out, side_label(t, number(t, NUM_SIDE)));
}

static void put_holder(struct telling *t)
{
	if (number(t, NUM_SIDE) < 0)
		buf_adds(t->out, "held by nobody");
	else
		buf_printf(t->out, "held by the %s", side_people(t->mem, t->sc, number(t, NUM_SIDE)));
}

static void put_winner(struct telling *t)
{
	switch (number(t, NUM_WINNER)) {
	case WINNER_GOVERNMENT:
		buf_printf(t->out, "The %s have won: ", side_people(t->mem, t->sc, SIDE_GOVERNMENT));
		break;
	case WINNER_JACOBITE:
		buf_printf(t->out, "The %s have won: ", side_people(t->mem, t->sc, SIDE_JACOBITE));
		break;
	default:
		buf_adds(t->out, "The battle is a draw: ");
	}
	put_reason(t);
	buf_addc(t->out, '.');
}

static void put_text(struct telling *t)
{
	buf_adds(t->out, t->ev->text);
}

static const struct {
	const char *name;
	put_fn *put;
	int number; /* printed as a plain number or, for lengths, inches; -1 = by put */
	bool inches;
} placeholders[] = {
	{"actor", put_actor, -1, false},
	{"object", put_object, -1, false},
	{"at-object", put_at_object, -1, false},
	{"foes", put_foes, -1, false},
	{"dealt", put_dealt, -1, false},
	{"to", put_to, -1, false},
	{"turned", put_turned, -1, false},
	{"aside", put_aside, -1, false},
	{"face", put_face, -1, false},
	{"powder", put_powder, -1, false},
	{"test", put_test, -1, false},
	{"values", put_values, -1, false},
	{"losses", put_losses, -1, false},
	{"fate", put_fate, -1, false},
	{"holds", put_holds, -1, false},
	{"seen", put_seen, -1, false},
	{"reason", put_reason, -1, false},
	{"third", put_third, -1, false},
	{"side", put_side, -1, false},
	{"holder", put_holder, -1, false},
	{"winner", put_winner, -1, false},
	{"text", put_text, -1, false},
	{"distance", NULL, NUM_DISTANCE, true},
	{"asked", NULL, NUM_ASKED, true},
	{"dice", NULL, NUM_DICE, false},
	{"need", NULL, NUM_NEED, false},
	{"hits", NULL, NUM_HITS, false},
	{"before", NULL, NUM_BEFORE, false},
	{"after", NULL, NUM_AFTER, false},
	{"lost", NULL, NUM_LOST, false},
	{"points", NULL, NUM_POINTS, false},
	{"foot", NULL, NUM_FOOT, false},
	{"horse", NULL, NUM_HORSE, false},
	{"guns", NULL, NUM_GUNS, false},
	{"commanders", NULL, NUM_COMMANDERS, false},
	{"ground", NULL, NUM_GROUND, false},
};

enum { PLACEHOLDERS = sizeof placeholders / sizeof placeholders[0] };

static int find_placeholder(const char *name, size_t len)
{
	for (int i = 0; i < PLACEHOLDERS; i++) {
		if (strlen(placeholders[i].name) == len && memcmp(placeholders[i].name, name, len) == 0)
			return i;
	}
	return -1;
}

/* --- the file -------------------------------------------------------------------------------------------------- */

static int kind_of(const char *word, size_t len)
{
	for (int i = 0; i < EVENT_KIND_COUNT; i++) {
		const char *w = event_kind_word((enum event_kind)i);

		if (strlen(w) == len && memcmp(w, word, len) == 0)
			return i;
	}
	return -1;
}

static int reason_of(const char *word)
{
	for (int i = 1; i < EVENT_REASON_COUNT; i++) {
		if (strcmp(event_reason_word((enum event_reason)i), word) == 0)
			return i;
	}
	return -1;
}

/* The rest of the raw line after its first `words` words. */
static const char *rest_of(const struct line *l, int words)
{
	const char *p = l->raw;

	for (int i = 0; i < words; i++) {
		p += strspn(p, " \t");
		p += strcspn(p, " \t");
	}
	return p + strspn(p, " \t");
}

static struct err *check_sentence(TALLOC_CTX *mem, const struct line *l, const char *text)
{
	for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{')) {
		size_t len = strcspn(p + 1, "}");

		if (p[1 + len] == '\0')
			return line_err(mem, l, 1, "a { without its }");
		if (memchr(p + 1, '|', len) == NULL && find_placeholder(p + 1, len) < 0)
			return line_err(mem, l, 1, "there is no {%.*s}", (int)len, p + 1);
	}
	return NULL;
}

static struct err *read_line(struct chronicle *c, const struct line *l)
{
	const char *word = l->words[0].text, *slash = strchr(word, '/');
	int kind, reason;

	if (strcmp(word, "reason") == 0) {
		reason = l->count > 2 ? reason_of(l->words[1].text) : -1;
		if (reason < 0)
			return line_err(c, l, 1, "expected a reason and its words");
		c->reason[reason] = talloc_strdup(c, rest_of(l, 2));
		return NULL;
	}
	kind = kind_of(word, slash == NULL ? strlen(word) : (size_t)(slash - word));
	reason = slash == NULL ? REASON_NONE : reason_of(slash + 1);
	if (kind < 0 || reason < 0)
		return line_err(c, l, 0, "'%s' is no kind of event", word);
	c->sentence[kind][reason] = talloc_strdup(c, rest_of(l, 1));
	return check_sentence(c, l, c->sentence[kind][reason]);
}

static struct err *check_whole(struct chronicle *c, const char *file)
{
	for (int i = 0; i < EVENT_KIND_COUNT; i++) {
		if (c->sentence[i][REASON_NONE] == NULL)
			return err_new(c, ERR_PROCESS, false, file, "there are no words for the event '%s'",
				event_kind_word((enum event_kind)i));
	}
	c->reason[REASON_NONE] = "";
	for (int i = 1; i < EVENT_REASON_COUNT; i++) {
		if (c->reason[i] == NULL)
			return err_new(c, ERR_PROCESS, false, file, "there are no words for the reason '%s'",
				event_reason_word((enum event_reason)i));
	}
	return NULL;
}

struct err *chronicle_read(TALLOC_CTX *mem, const char *file, const char *text, size_t len, struct chronicle **out)
{
	struct chronicle *c = talloc_zero(mem, struct chronicle);
	char *plain = talloc_strndup(c, text, len);
	struct line_reader *reader;
	const struct line *l;
	struct err *e;

	for (char *p = plain; *p != '\0'; p++) {
		if (*p == '"')
			*p = INCH_MARK;
	}
	reader = line_reader_new(c, file, plain, strlen(plain));
	while ((e = line_next(c, reader, &l)) == NULL && l != NULL) {
		if (l->count > 0 && (e = read_line(c, l)) != NULL)
			break;
	}
	if (e == NULL)
		e = check_whole(c, file);
	if (e != NULL) {
		talloc_steal(mem, e);
		talloc_free(c);
		return e;
	}
	*out = c;
	return NULL;
}

/* --- telling --------------------------------------------------------------------------------------------------- */

static void put_placeholder(struct telling *t, int i, int32_t *last)
{
	if (placeholders[i].number < 0) {
		placeholders[i].put(t);
		return;
	}
	*last = number(t, (enum event_number)placeholders[i].number);
	if (placeholders[i].inches)
		buf_adds(t->out, text_inches(t->mem, *last));
	else
		buf_printf(t->out, "%d", *last);
}

static void tell(struct telling *t, const char *text)
{
	int32_t last = 0;

	for (const char *p = text; *p != '\0'; p++) {
		size_t len;
		const char *bar;

		if (*p != '{') {
			buf_addc(t->out, *p == INCH_MARK ? '"' : *p);
			continue;
		}
		len = strcspn(p + 1, "}");
		bar = memchr(p + 1, '|', len);
		if (bar == NULL)
			put_placeholder(t, find_placeholder(p + 1, len), &last);
		else if (last == 1)
			buf_add(t->out, p + 1, (size_t)(bar - p - 1));
		else
			buf_add(t->out, bar + 1, (size_t)(p + 1 + len - bar - 1));
		p += 1 + len;
	}
}

char *chronicle_sentence(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev)
{
	TALLOC_CTX *scratch = talloc_new(NULL);
	struct telling t = {scratch, c, sc, s, ev, buf_new(scratch)};
	const char *text = c->sentence[ev->kind][ev->reason];
	char *out;

	tell(&t, text != NULL ? text : c->sentence[ev->kind][REASON_NONE]);
	while (t.out->len > 0 && t.out->data[t.out->len - 1] == ' ')
		buf_cut(t.out, t.out->len - 1);
	if (ev->amended && ev->kind != EVENT_RULING)
		buf_printf(t.out, " (Referee%s%s)", ev->text[0] != '\0' ? ": " : "", ev->text);
	if (ev->ruling[0] != '\0')
		buf_printf(t.out, " [%s]", ev->ruling);
	out = buf_steal(mem, t.out);
	talloc_free(scratch);
	return out;
}
