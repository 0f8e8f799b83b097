#include "report/chronicle.h"

#include "base/buf.h"
#include "base/line.h"
#include "base/text.h"
#include "report/dice_words.h"

#include <assert.h>
#include <string.h>

/* Stands for " while the file is read: sentences hold inch marks, which are no quotes, and no line may hold a control
 * character. */
enum { INCH_MARK = '`' };

enum { TURN_ON_THE_SPOT = 10 };

struct chronicle {
	const char *sentence[EVENT_KIND_COUNT][EVENT_REASON_COUNT]; /* REASON_NONE: for all others */
	const char *reason[EVENT_REASON_COUNT];
	bool never[EVENT_KIND_COUNT], never_reason[EVENT_REASON_COUNT]; /* do not occur under these rules */
};

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

static const struct event_die *die_of(const struct telling *t, const char *purpose)
{
	for (int i = 0; i < t->ev->dice_count; i++) {
		if (die_is_for(&t->ev->dice[i], purpose))
			return &t->ev->dice[i];
	}
	return NULL;
}

/* A commander is one man and a gun one thing; a unit is "they". */
static bool is_single(const struct telling *t, int unit)
{
	return unit >= 0 && !unit_is_formed(&t->s->units[unit]);
}

static int object(const struct telling *t, int index)
{
	return index >= 0 && index < t->ev->object_count ? t->ev->objects[index] : -1;
}

static void put_piece(struct telling *t, int unit)
{
	buf_adds(t->out, piece_name(t->mem, t->sc, t->s, unit));
}

static void put_actor(struct telling *t)
{
	put_piece(t, t->ev->actor);
}

static void put_object(struct telling *t)
{
	put_piece(t, object(t, 0));
}

/* What stopped the actor: the last of the objects. */
static void put_blocker(struct telling *t)
{
	if (t->ev->object_count == 0)
		buf_adds(t->out, "somebody");
	else
		put_piece(t, object(t, t->ev->object_count - 1));
}

static void put_blocker_are(struct telling *t)
{
	buf_adds(t->out, is_single(t, object(t, t->ev->object_count - 1)) ? "is" : "are");
}

static void put_s(struct telling *t)
{
	buf_adds(t->out, is_single(t, t->ev->actor) ? "s" : "");
}

static void put_es(struct telling *t)
{
	buf_adds(t->out, is_single(t, t->ev->actor) ? "es" : "");
}

static void put_are(struct telling *t)
{
	buf_adds(t->out, is_single(t, t->ev->actor) ? "is" : "are");
}

static void put_have(struct telling *t)
{
	buf_adds(t->out, is_single(t, t->ev->actor) ? "has" : "have");
}

static const char *pronoun(const struct telling *t, int unit, const char *he, const char *it, const char *they)
{
	if (!is_single(t, unit))
		return they;
	return t->s->units[unit].kind == KIND_GUN ? it : he;
}

static void put_they(struct telling *t)
{
	buf_adds(t->out, pronoun(t, t->ev->actor, "he", "it", "they"));
}

static void put_their(struct telling *t)
{
	buf_adds(t->out, pronoun(t, t->ev->actor, "his", "its", "their"));
}

static void put_object_they(struct telling *t)
{
	int unit = object(t, 0);

	if (unit < 0)
		buf_adds(t->out, "every enemy is");
	else
		buf_printf(t->out, "%s %s", pronoun(t, unit, "he", "it", "they"), is_single(t, unit) ? "is" : "are");
}

static void put_object_their(struct telling *t)
{
	buf_adds(t->out, pronoun(t, object(t, 0), "his", "its", "their"));
}

/* " WORD Camerons", or nothing when there is no object. */
static void put_with_object(struct telling *t, const char *word)
{
	if (t->ev->object_count > 0) {
		buf_printf(t->out, " %s%s", word, word[0] == '\0' ? "" : " ");
		put_object(t);
	}
}

static void put_whom(struct telling *t)
{
	put_with_object(t, "");
}

static void put_at_whom(struct telling *t)
{
	put_with_object(t, "at");
}

static void put_by(struct telling *t)
{
	put_with_object(t, "by");
}

static void put_making_way(struct telling *t)
{
	put_with_object(t, "to make way for");
}

/* "Camerons, Stuarts and Frasers" */
static void put_foes(struct telling *t)
{
	for (int i = 0; i < t->ev->object_count; i++) {
		if (i > 0)
			buf_adds(t->out, i == t->ev->object_count - 1 ? " and " : ", ");
		put_piece(t, object(t, i));
	}
}

static void put_dealt(struct telling *t)
{
	const char *sep = " (";

	if (t->ev->object_count < 2 || t->ev->object_hits == NULL)
		return;
	for (int i = 0; i < t->ev->object_count; i++) {
		if (t->ev->object_hits[i] == 0)
			continue;
		buf_printf(t->out, "%s%d on ", sep, t->ev->object_hits[i]);
		put_piece(t, object(t, i));
		sep = ", ";
	}
	if (sep[0] == ',')
		buf_addc(t->out, ')');
}

static void put_to(struct telling *t)
{
	buf_adds(t->out, square_name(t->mem, &t->sc->table, (struct point){number(t, NUM_TO_X), number(t, NUM_TO_Y)}));
}

/* "move 4" to K7 and face west", "turn to face west": the verb with what it came to. */
static void put_went(struct telling *t)
{
	const char *s = is_single(t, t->ev->actor) ? "s" : "";
	const char *facing = facing_word(number(t, NUM_TO_FACING));
	bool turned = number(t, NUM_FROM_FACING) != number(t, NUM_TO_FACING);

	/* Turning about the centre may shift the front's middle by a hair. */
	if (number(t, NUM_DISTANCE) < TURN_ON_THE_SPOT && turned) {
		buf_printf(t->out, "turn%s to face %s", s, facing);
		return;
	}
	buf_printf(t->out, "move%s %s\" to ", s, inches_text(t->mem, number(t, NUM_DISTANCE)));
	put_to(t);
	if (turned)
		buf_printf(t->out, " and face%s %s", s, facing);
}

static const char *arc_words(int32_t arc)
{
	static const char *const words[] = {"front", "left flank", "right flank", "rear"};

	return words[arc & 3];
}

/* Fire to the side, where only some of the bases can aim. */
static void put_aside(struct telling *t)
{
	if (number(t, NUM_ARC) == ARC_LEFT || number(t, NUM_ARC) == ARC_RIGHT)
		buf_printf(t->out, ", to %s %s", pronoun(t, t->ev->actor, "his", "its", "their"),
			number(t, NUM_ARC) == ARC_LEFT ? "left" : "right");
}

static void put_face(struct telling *t)
{
	buf_adds(t->out, arc_words(number(t, NUM_FACE)));
}

/* Of fire at chargers: where they come from, when not from the front. */
static void put_come_from(struct telling *t)
{
	if (number(t, NUM_FACE) != ARC_FRONT)
		buf_printf(t->out, ", who come at %s %s", pronoun(t, t->ev->actor, "his", "its", "their"),
			arc_words(number(t, NUM_FACE)));
}

static void put_powder(struct telling *t)
{
	const struct event_die *die = die_of(t, "powder");

	if (die != NULL)
		buf_printf(t->out, "powder %d%s: %d of %d may fire; ", die->value, die->amended ? "*" : "",
			number(t, NUM_DICE), number(t, NUM_ELIGIBLE));
}

static void put_test(struct telling *t)
{
	const struct event_die *die = die_of(t, "discipline");

	if (die != NULL)
		buf_printf(t->out, "discipline %d%s; ", die->value, die->amended ? "*" : "");
}

static void put_values(struct telling *t)
{
	const char *sep = ", ";

	for (int i = 0; i < t->ev->dice_count; i++) {
		const struct event_die *die = &t->ev->dice[i];

		if (die_is_for(die, "powder") || die_is_for(die, "discipline"))
			continue;
		buf_printf(t->out, "%s%d%s", sep, die->value, die->amended ? "*" : "");
		sep = " ";
	}
}

/* How far a charge came that was stopped; one that stands in a crowd gets nowhere. */
static void put_stopped(struct telling *t)
{
	int32_t distance = number(t, NUM_DISTANCE);

	if (distance == 0)
		buf_adds(t->out, "cannot set off");
	else
		buf_printf(t->out, "stop%s after %s\"", is_single(t, t->ev->actor) ? "s" : "",
			inches_text(t->mem, distance));
}

/* "6 dice, 6 6 2 1 3 5, hits on 6: 2 hits". One die is "1 dice" too, as pupils say and rules cases expect. */
static void put_roll(struct telling *t)
{
	int need = number(t, NUM_NEED), hits = number(t, NUM_HITS);

	buf_printf(t->out, "%d dice", number(t, NUM_DICE));
	put_values(t);
	if (number(t, NUM_DICE) > 0)
		buf_printf(t->out, need < 6 ? ", hits on %d-6" : ", hits on %d", need);
	buf_adds(t->out, ": ");
	put_hits(t->out, hits);
}

/* " Camerons 6 > 4 bases." after fire that took some. */
static void put_losses(struct telling *t)
{
	int unit = object(t, 0);
	int32_t before = number(t, NUM_BEFORE), after = number(t, NUM_AFTER);

	if (unit < 0 || !t->ev->has[NUM_BEFORE] || (is_single(t, unit) && t->s->units[unit].figures_begun == 0))
		return;
	if (before == 0)
		buf_printf(t->out, " %s were wiped out already.", piece_name(t->mem, t->sc, t->s, unit));
	else if (before != after)
		buf_printf(t->out, " %s %d > %d %s.", piece_name(t->mem, t->sc, t->s, unit), before, after,
			strength_word(&t->s->units[unit]));
}

/* What is counted of the actor: bases, or figures. */
static void put_strength_word(struct telling *t)
{
	buf_adds(t->out, t->ev->actor < 0 ? "bases" : strength_word(&t->s->units[t->ev->actor]));
}

static void put_event_faces(struct telling *t)
{
	put_faces(t->out, t->ev);
}

static void put_event_shots(struct telling *t)
{
	put_shots(t->out, t->ev);
}

static void put_event_pairs(struct telling *t)
{
	put_pairs(t->out, t->ev, t->ev->actor < 0 ? "" : t->s->units[t->ev->actor].code);
}

static void put_event_throws(struct telling *t)
{
	put_throws(t->out, t->ev, t->sc->label);
}

/* FP43: hits leave one base, which goes as well. */
static void put_last(struct telling *t)
{
	if (number(t, NUM_AFTER) == 0 && number(t, NUM_BEFORE) - number(t, NUM_HITS) == 1)
		buf_adds(t->out, " One base alone does not stay.");
}

static void put_fate(struct telling *t)
{
	buf_adds(t->out, number(t, NUM_AFTER) != 0 ? "he lives" : "he falls");
}

static void put_holds(struct telling *t)
{
	buf_adds(t->out, number(t, NUM_HITS) != 0 ? "comes true" : "does not come true");
}

static void put_seen(struct telling *t)
{
	if (t->ev->object_count == 0)
		return;
	buf_adds(t->out, " (");
	put_object(t);
	if (t->ev->has[NUM_DISTANCE])
		buf_printf(t->out, " at %s\"", inches_text(t->mem, number(t, NUM_DISTANCE)));
	buf_addc(t->out, ')');
}

static void put_how_far(struct telling *t)
{
	if (t->ev->object_count > 0 && t->ev->has[NUM_DISTANCE])
		/* Rounded up, so that what is out of reach never looks as if it were just within. */
		buf_printf(t->out, " (%s\" away)", inches_text(t->mem, number(t, NUM_DISTANCE) + 4));
}

static void tell(struct telling *t, const char *text);

static void put_reason(struct telling *t)
{
	assert(t->c->reason[t->ev->reason] != NULL);
	tell(t, t->c->reason[t->ev->reason]);
}

static void put_third(struct telling *t)
{
	static const char *const words[] = {"western", "middle", "eastern"};

	buf_adds(t->out, words[number(t, NUM_THIRD) % 3]);
}

static void put_people(struct telling *t)
{
	int side = number(t, NUM_SIDE);

	if (side < 0 || side >= SIDES)
		buf_adds(t->out, "nobody");
	else
		buf_printf(t->out, "the %s", side_people(t->mem, t->sc, side));
}

static void put_side(struct telling *t)
{
	buf_adds(t->out, t->sc->label[number(t, NUM_SIDE) == SIDE_JACOBITE ? SIDE_JACOBITE : SIDE_GOVERNMENT]);
}

static void put_winner(struct telling *t)
{
	switch (number(t, NUM_WINNER)) {
	case WINNER_GOVERNMENT:
		buf_printf(t->out, "The %s have won", side_people(t->mem, t->sc, SIDE_GOVERNMENT));
		break;
	case WINNER_JACOBITE:
		buf_printf(t->out, "The %s have won", side_people(t->mem, t->sc, SIDE_JACOBITE));
		break;
	default:
		buf_adds(t->out, "The battle is a draw");
	}
}

/* What a referee made of a piece. */
static void put_ruled(struct telling *t)
{
	int32_t before = number(t, NUM_BEFORE), after = number(t, NUM_AFTER);
	bool commander = t->ev->actor >= 0 && t->s->units[t->ev->actor].kind == KIND_COMMANDER;

	if (t->ev->has[NUM_TO_X]) {
		buf_adds(t->out, unit_is_formed(&t->s->units[t->ev->actor]) ? "stand at " : "stands at ");
		put_to(t);
		buf_printf(t->out, ", facing %s", facing_word(number(t, NUM_TO_FACING)));
	} else if (commander) {
		buf_adds(t->out, after > 0 ? "lives" : "falls");
	} else if (after == 0) {
		buf_adds(t->out, "removed from the table");
	} else {
		buf_printf(t->out, "%d > %d %s", before, after, strength_word(&t->s->units[t->ev->actor]));
	}
}

static void put_text(struct telling *t)
{
	buf_adds(t->out, t->ev->text);
}

/* A referee's reason as the end of a sentence: ", because they ran away". */
static void put_because(struct telling *t)
{
	size_t len = strlen(t->ev->text);

	while (len > 0 && strchr(". ", t->ev->text[len - 1]) != NULL)
		len--;
	buf_printf(t->out, "%s%.*s", len > 0 ? ", because " : "", (int)len, t->ev->text);
}

static const struct {
	const char *name;
	put_fn *put;
	int number; /* printed as a plain number or, for lengths, inches; -1 = by put */
	bool inches, silent;
} placeholders[] = {
	/* names, and the words that go with one man or many */
	{"actor", put_actor, -1, false, false},
	{"s", put_s, -1, false, false},       /* fire{s} */
	{"es", put_es, -1, false, false},     /* do{es} */
	{"are", put_are, -1, false, false},   /* are, is */
	{"have", put_have, -1, false, false}, /* have, has */
	{"they", put_they, -1, false, false},
	{"their", put_their, -1, false, false},
	{"object", put_object, -1, false, false},
	{"object-they-are", put_object_they, -1, false, false}, /* "they are"; "every enemy is" when none is named */
	{"object-their", put_object_their, -1, false, false},
	{"whom", put_whom, -1, false, false},       /* " Camerons" or nothing */
	{"at-whom", put_at_whom, -1, false, false}, /* " at Camerons" or nothing */
	{"by", put_by, -1, false, false},
	{"making-way", put_making_way, -1, false, false},
	{"blocker", put_blocker, -1, false, false},
	{"blocker-are", put_blocker_are, -1, false, false},
	{"foes", put_foes, -1, false, false},
	/* moves */
	{"went", put_went, -1, false, false},
	{"to", put_to, -1, false, false},
	{"face", put_face, -1, false, false},
	{"how-far", put_how_far, -1, false, false},
	/* dice */
	{"aside", put_aside, -1, false, false},
	{"come-from", put_come_from, -1, false, false},
	{"powder", put_powder, -1, false, false},
	{"test", put_test, -1, false, false},
	{"stopped", put_stopped, -1, false, false},
	{"roll", put_roll, -1, false, false},
	{"values", put_values, -1, false, false},
	{"dealt", put_dealt, -1, false, false},
	{"losses", put_losses, -1, false, false},
	{"strength-word", put_strength_word, -1, false, false}, /* bases or figures */
	{"faces", put_event_faces, -1, false, false},           /* 5 on D8 */
	{"shots", put_event_shots, -1, false, false},           /* a volley with saves */
	{"pairs", put_event_pairs, -1, false, false},
	{"throws", put_event_throws, -1, false, false}, /* one of each side */
	{"last", put_last, -1, false, false},
	{"fate", put_fate, -1, false, false},
	/* the rest */
	{"holds", put_holds, -1, false, false},
	{"seen", put_seen, -1, false, false},
	{"reason", put_reason, -1, false, false},
	{"third", put_third, -1, false, false},
	{"people", put_people, -1, false, false},
	{"side", put_side, -1, false, false},
	{"winner", put_winner, -1, false, false},
	{"ruled", put_ruled, -1, false, false},
	{"text", put_text, -1, false, false},
	{"because", put_because, -1, false, false},
	{"if-passed", NULL, NUM_AFTER, false, true}, /* nothing; for {this when it is so|that when not} */
	{"distance", NULL, NUM_DISTANCE, true, false},
	{"asked", NULL, NUM_ASKED, true, false},
	{"paid", NULL, NUM_PAID, true, false},
	{"allowance", NULL, NUM_ALLOWANCE, true, false},
	{"need", NULL, NUM_NEED, false, false},
	{"hits", NULL, NUM_HITS, false, false},
	{"before", NULL, NUM_BEFORE, false, false},
	{"after", NULL, NUM_AFTER, false, false},
	{"lost", NULL, NUM_LOST, false, false},
	{"points", NULL, NUM_POINTS, false, false},
	{"foot", NULL, NUM_FOOT, false, false},
	{"horse", NULL, NUM_HORSE, false, false},
	{"guns", NULL, NUM_GUNS, false, false},
	{"commanders", NULL, NUM_COMMANDERS, false, false},
	{"ground", NULL, NUM_GROUND, false, false},
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

/* "never KIND..." and "never reason REASON...": what these rules do not know needs no words. */
static struct err *read_never(struct chronicle *c, const struct line *l)
{
	bool reasons = l->count > 1 && strcmp(l->words[1].text, "reason") == 0;

	for (int i = reasons ? 2 : 1; i < l->count; i++) {
		const char *word = l->words[i].text;
		int n = reasons ? reason_of(word) : kind_of(word, strlen(word));

		if (n < 0)
			return line_err(c, l, i, "'%s' is no kind of %s", word, reasons ? "reason" : "event");
		*(reasons ? &c->never_reason[n] : &c->never[n]) = true;
	}
	return NULL;
}

static struct err *read_line(struct chronicle *c, const struct line *l)
{
	const char *word = l->words[0].text, *slash = strchr(word, '/');
	int kind, reason;

	if (strcmp(word, "never") == 0)
		return read_never(c, l);
	if (strcmp(word, "reason") == 0) {
		reason = l->count > 2 ? reason_of(l->words[1].text) : -1;
		if (reason < 0)
			return line_err(c, l, 1, "expected a reason and its words");
		c->reason[reason] = talloc_strdup(c, rest_of(l, 2));
		if (strstr(c->reason[reason], "{reason}") != NULL)
			return line_err(c, l, 2, "{reason} cannot stand in a reason");
		return check_sentence(c, l, c->reason[reason]);
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
		if (c->sentence[i][REASON_NONE] == NULL && !c->never[i])
			return err_new(c, ERR_PROCESS, false, file, "there are no words for the event '%s'",
				event_kind_word((enum event_kind)i));
	}
	c->reason[REASON_NONE] = "";
	for (int i = 1; i < EVENT_REASON_COUNT; i++) {
		if (c->reason[i] == NULL && !c->never_reason[i])
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
	if (placeholders[i].silent)
		return;
	if (placeholders[i].inches)
		buf_adds(t->out, inches_text(t->mem, *last));
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

/* What a referee changed is said, with his reason. */
static void put_referee(struct telling *t)
{
	const struct event *ev = t->ev;
	bool given = false;

	for (int i = 0; i < ev->dice_count; i++)
		given |= ev->dice[i].amended;
	if (given)
		buf_adds(t->out, " (* given by the referee.)");
	if (ev->kind == EVENT_VERDICT) {
		buf_printf(t->out, "%s%s", ev->text[0] != '\0' ? " " : "", ev->text);
	} else if (ev->amended && ev->kind != EVENT_RULING) {
		buf_adds(t->out, " So the referee rules");
		put_because(t);
		buf_addc(t->out, '.');
	}
}

char *chronicle_sentence(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev)
{
	TALLOC_CTX *scratch = talloc_new(NULL);
	struct telling t = {scratch, c, sc, s, ev, buf_new(scratch)};
	const char *text = c->sentence[ev->kind][ev->reason];
	char *out;

	if (text == NULL)
		text = c->sentence[ev->kind][REASON_NONE];
	assert(text != NULL); /* else the file has a "never" too many */
	tell(&t, text);
	while (t.out->len > 0 && t.out->data[t.out->len - 1] == ' ')
		buf_cut(t.out, t.out->len - 1);
	put_referee(&t);
	if (ev->ruling[0] != '\0')
		buf_printf(t.out, " [%s]", ev->ruling);
	out = buf_steal(mem, t.out);
	talloc_free(scratch);
	return out;
}

bool chronicle_knows(const struct chronicle *c, enum event_kind kind, enum event_reason reason)
{
	return (c->sentence[kind][reason] != NULL || c->sentence[kind][REASON_NONE] != NULL) &&
	       c->reason[reason] != NULL;
}
