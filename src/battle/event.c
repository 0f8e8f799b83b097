#include "battle/event.h"

#include "battle/record.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum { EVENTS_VERSION = 1 };

const char *event_kind_word(enum event_kind k)
{
	static const char *const words[] = {
#define X(name, word) word,
		EVENT_KINDS(X)
#undef X
	};

	return words[k];
}

const char *event_number_word(enum event_number n)
{
	static const char *const words[] = {
#define X(name, word) word,
		EVENT_NUMBERS(X)
#undef X
	};

	return words[n];
}

const char *event_reason_word(enum event_reason r)
{
	static const char *const words[] = {
#define X(name, word) word,
		EVENT_REASONS(X)
#undef X
	};

	return words[r];
}

/* --- making --------------------------------------------------------------------------------------------------------
 */

/* Room for one more at the end of a talloc array. */
#define GROW(mem, array, type, count)                                                                                  \
	do {                                                                                                           \
		if ((size_t)(count) == talloc_array_length(array))                                                     \
			(array) = talloc_realloc(mem, array, type, (count) ? 2 * (unsigned)(count) : 1);               \
		assert(array);                                                                                         \
	} while (0)

struct events *events_new(TALLOC_CTX *mem)
{
	struct events *e = talloc_zero(mem, struct events);

	assert(e);
	return e;
}

struct event *events_add(struct events *e, enum event_kind kind, const char *key)
{
	struct event *ev;

	GROW(e, e->list, struct event *, e->count);
	ev = talloc_zero(e->list, struct event);
	assert(ev);
	ev->key = talloc_strdup(ev, key);
	ev->kind = kind;
	ev->actor = -1;
	ev->ruling = ev->text = "";
	e->list[e->count++] = ev;
	return ev;
}

void events_share(struct events *e, struct event *ev)
{
	GROW(e, e->list, struct event *, e->count);
	e->list[e->count++] = ev;
}

void event_set(struct event *ev, enum event_number n, int32_t value)
{
	ev->number[n] = value;
	ev->has[n] = true;
}

void event_object(struct event *ev, int unit)
{
	GROW(ev, ev->objects, int, ev->object_count);
	ev->objects[ev->object_count++] = unit;
}

void event_die(struct event *ev, const char *name, int sides, int value, bool amended)
{
	GROW(ev, ev->dice, struct event_die, ev->dice_count);
	ev->dice[ev->dice_count++] = (struct event_die){talloc_strdup(ev, name), sides, value, amended};
}

void event_saw(struct event *ev, int unit)
{
	for (int i = 0; i < ev->seen_count; i++)
		if (ev->seen[i] == unit)
			return;
	GROW(ev, ev->seen, int, ev->seen_count);
	ev->seen[ev->seen_count++] = unit;
}

const struct event *events_find(const struct events *e, const char *key)
{
	for (int i = 0; i < e->count; i++)
		if (strcmp(e->list[i]->key, key) == 0)
			return e->list[i];
	return NULL;
}

const struct event *events_find_typed(const struct events *e, const char *key)
{
	const struct event *like = events_find(e, key);
	int likes = 0;

	for (int i = 0; like == NULL && i < e->count; i++)
		likes += strcasecmp(e->list[i]->key, key) == 0;
	for (int i = 0; like == NULL && likes == 1 && i < e->count; i++)
		if (strcasecmp(e->list[i]->key, key) == 0)
			like = e->list[i];
	return like;
}

static bool same_dice(const struct event *a, const struct event *b)
{
	for (int i = 0; i < a->dice_count; i++) {
		const struct event_die *x = &a->dice[i], *y = &b->dice[i];

		if (x->value != y->value || x->sides != y->sides || x->amended != y->amended ||
			strcmp(x->name, y->name) != 0)
			return false;
	}
	return true;
}

/* Two arrays of `count` integers, or none. */
static bool same_ints(const int *a, const int *b, int count)
{
	if (a == NULL || b == NULL)
		return a == b;
	return memcmp(a, b, sizeof *a * (size_t)count) == 0;
}

bool event_same(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->reason == b->reason && a->turn == b->turn && a->phase == b->phase &&
	       a->actor == b->actor && a->amended == b->amended && a->object_count == b->object_count &&
	       a->dice_count == b->dice_count && memcmp(a->number, b->number, sizeof a->number) == 0 &&
	       memcmp(a->has, b->has, sizeof a->has) == 0 && same_ints(a->objects, b->objects, a->object_count) &&
	       same_ints(a->object_hits, b->object_hits, a->object_count) && strcmp(a->key, b->key) == 0 &&
	       strcmp(a->ruling, b->ruling) == 0 && strcmp(a->text, b->text) == 0 && same_dice(a, b);
}

/* --- JSON ----------------------------------------------------------------------------------------------------------
 */

static const char *id_of(const struct state *s, int unit)
{
	return unit >= 0 && unit < s->count ? s->units[unit].id : NULL;
}

static void json_dice(struct json *j, const struct event *ev)
{
	json_open_array(j, "dice");
	for (int i = 0; i < ev->dice_count; i++) {
		json_open_object(j, NULL);
		json_string(j, "name", ev->dice[i].name);
		json_int(j, "sides", ev->dice[i].sides);
		json_int(j, "value", ev->dice[i].value);
		if (ev->dice[i].amended)
			json_bool(j, "amended", true);
		json_close_object(j);
	}
	json_close_array(j);
}

void event_json(struct json *j, const struct event *ev, const struct state *s)
{
	json_open_object(j, NULL);
	json_string(j, "key", ev->key);
	json_string(j, "kind", event_kind_word(ev->kind));
	json_int(j, "turn", ev->turn);
	json_int(j, "phase", ev->phase);
	json_string(j, "actor", id_of(s, ev->actor));
	json_open_array(j, "objects");
	for (int i = 0; i < ev->object_count; i++)
		json_string(j, NULL, id_of(s, ev->objects[i]));
	json_close_array(j);
	if (ev->object_hits) {
		json_open_array(j, "object_hits");
		for (int i = 0; i < ev->object_count; i++)
			json_int(j, NULL, ev->object_hits[i]);
		json_close_array(j);
	}
	json_open_object(j, "numbers");
	for (int n = 0; n < EVENT_NUMBER_COUNT; n++)
		if (ev->has[n])
			json_int(j, event_number_word((enum event_number)n), ev->number[n]);
	json_close_object(j);
	json_dice(j, ev);
	json_string(j, "reason", ev->reason ? event_reason_word(ev->reason) : NULL);
	json_string(j, "ruling", *ev->ruling ? ev->ruling : NULL);
	json_string(j, "text", *ev->text ? ev->text : NULL);
	json_bool(j, "amended", ev->amended);
	json_close_object(j);
}

/* --- storing -------------------------------------------------------------------------------------------------------
 */

static void put_ints(struct buf *out, const int *values, int count)
{
	record_put_int(out, count);
	for (int i = 0; i < count; i++)
		record_put_int(out, values[i]);
}

static void put(struct buf *out, const struct event *ev)
{
	int numbers = 0;

	buf_adds(out, "event");
	record_put_text(out, ev->key);
	record_put_text(out, event_kind_word(ev->kind));
	record_put_text(out, event_reason_word(ev->reason));
	record_put_int(out, ev->turn);
	record_put_int(out, ev->phase);
	record_put_int(out, ev->actor);
	record_put_int(out, ev->amended);
	put_ints(out, ev->objects, ev->object_count);
	put_ints(out, ev->object_hits, ev->object_hits ? ev->object_count : 0);
	put_ints(out, ev->seen, ev->seen_count);
	for (int n = 0; n < EVENT_NUMBER_COUNT; n++)
		numbers += ev->has[n];
	record_put_int(out, numbers);
	for (int n = 0; n < EVENT_NUMBER_COUNT; n++)
		if (ev->has[n]) {
			record_put_text(out, event_number_word((enum event_number)n));
			record_put_int(out, ev->number[n]);
		}
	record_put_int(out, ev->dice_count);
	for (int i = 0; i < ev->dice_count; i++) {
		record_put_text(out, ev->dice[i].name);
		record_put_int(out, ev->dice[i].sides);
		record_put_int(out, ev->dice[i].value);
		record_put_int(out, ev->dice[i].amended);
	}
	record_put_text(out, ev->ruling);
	record_put_text(out, ev->text);
	buf_addc(out, '\n');
}

char *events_write(TALLOC_CTX *mem, const struct events *e, size_t *len)
{
	struct buf *out = buf_new(mem);

	buf_adds(out, "events");
	record_put_int(out, EVENTS_VERSION);
	record_put_int(out, e->count);
	buf_addc(out, '\n');
	for (int i = 0; i < e->count; i++)
		put(out, e->list[i]);
	if (len)
		*len = out->len;
	return buf_finish(mem, out);
}

typedef const char *word_of(int value);

static const char *kind_of(int k)
{
	return event_kind_word((enum event_kind)k);
}

static const char *reason_of(int r)
{
	return event_reason_word((enum event_reason)r);
}

static const char *number_of(int n)
{
	return event_number_word((enum event_number)n);
}

/* A word of one of the tables above: stored as words, so that a table may grow in the middle. */
static int get_word(struct record_reader *r, word_of *of, int count, const char *expected)
{
	char word[32];

	record_chars(r, word, sizeof word);
	for (int i = 0; i < count; i++)
		if (strcmp(word, of(i)) == 0)
			return i;
	if (!r->fault)
		r->fault = expected;
	return 0;
}

static int *get_ints(TALLOC_CTX *mem, struct record_reader *r, int min, int max, int *count)
{
	int *values = NULL;

	*count = record_count(r);
	if (*count && !r->fault)
		values = talloc_zero_array(mem, int, (unsigned)*count);
	for (int i = 0; i < *count && !r->fault; i++)
		values[i] = (int)record_int(r, min, max);
	return values;
}

static void get_dice(struct record_reader *r, struct event *ev)
{
	ev->dice_count = record_count(r);
	if (ev->dice_count && !r->fault)
		ev->dice = talloc_zero_array(ev, struct event_die, (unsigned)ev->dice_count);
	for (int i = 0; i < ev->dice_count && !r->fault; i++) {
		ev->dice[i].name = record_text(ev, r);
		ev->dice[i].sides = (int)record_int(r, 2, 100);
		ev->dice[i].value = (int)record_int(r, 1, 100);
		ev->dice[i].amended = record_flag(r);
	}
}

static void get(struct record_reader *r, struct events *e)
{
	struct event *ev = events_add(e, EVENT_MOVE, "");
	int hits, numbers;

	record_tag(r, "event");
	ev->key = record_text(ev, r);
	ev->kind = (enum event_kind)get_word(r, kind_of, EVENT_KIND_COUNT, "a kind of event");
	ev->reason = (enum event_reason)get_word(r, reason_of, EVENT_REASON_COUNT, "a reason");
	ev->turn = (int)record_int(r, 0, INT32_MAX);
	ev->phase = (int)record_int(r, -1, INT32_MAX);
	ev->actor = (int)record_int(r, -1, INT16_MAX);
	ev->amended = record_flag(r);
	ev->objects = get_ints(ev, r, 0, INT16_MAX, &ev->object_count);
	ev->object_hits = get_ints(ev, r, INT32_MIN, INT32_MAX, &hits);
	if (hits && hits != ev->object_count && !r->fault)
		r->fault = "hits for every object";
	ev->seen = get_ints(ev, r, 0, INT16_MAX, &ev->seen_count);
	numbers = (int)record_int(r, 0, EVENT_NUMBER_COUNT);
	for (int i = 0, least = 0; i < numbers && !r->fault; i++) {
		int n = get_word(r, number_of, EVENT_NUMBER_COUNT, "the name of a number");

		if (n < least) {
			r->fault = "numbers in order";
			break;
		}
		least = n + 1;
		event_set(ev, (enum event_number)n, (int32_t)record_int(r, INT32_MIN, INT32_MAX));
	}
	get_dice(r, ev);
	ev->ruling = record_text(ev, r);
	ev->text = record_text(ev, r);
	record_end_line(r);
}

struct err *events_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct events **out)
{
	struct record_reader r = record_reader(bytes, len);
	struct events *e = events_new(mem);
	struct err *bad;
	int count;

	record_tag(&r, "events");
	record_int(&r, EVENTS_VERSION, EVENTS_VERSION);
	count = record_count(&r);
	record_end_line(&r);
	while (e->count < count && !r.fault)
		get(&r, e);
	bad = record_result(mem, &r, "events");
	if (bad)
		talloc_free(e);
	else
		*out = e;
	return bad;
}
