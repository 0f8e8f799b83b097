/* The sheet that comes back inside a quote. */
#include "base/buf.h"
#include "base/text.h"
#include "orders/sheet.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct piece_of_text {
	const char *at;
	size_t len;
};

/* The next line without quote marks and blanks at its ends; false at the end of the text. */
static bool next_line(const char **at, size_t *left, struct piece_of_text *line)
{
	const char *end;
	size_t len;

	if (!*left)
		return false;
	end = memchr(*at, '\n', *left);
	len = end ? (size_t)(end - *at) : *left;
	*line = (struct piece_of_text){*at, len};
	*left -= len + (end != NULL);
	*at += len + (end != NULL);
	while (line->len && (isspace((unsigned char)*line->at) || *line->at == '>' || *line->at == '|')) {
		line->at++;
		line->len--;
	}
	while (line->len && isspace((unsigned char)line->at[line->len - 1]))
		line->len--;
	return true;
}

static bool begins(const struct piece_of_text *l, const char *with)
{
	size_t n = strlen(with);

	return l->len >= n && strncasecmp(l->at, with, n) == 0;
}

/* "--- ORDERS falkirk-7b turn 3 ---" or "--- END ---"; *rest is what stands after the word. */
static bool is_mark(struct piece_of_text line, const char *word, struct piece_of_text *rest)
{
	size_t dashes = 0;

	while (dashes < line.len && line.at[dashes] == '-')
		dashes++;
	if (dashes < 2)
		return false;
	line.at += dashes;
	line.len -= dashes;
	while (line.len && *line.at == ' ') {
		line.at++;
		line.len--;
	}
	if (!begins(&line, word))
		return false;
	*rest = (struct piece_of_text){line.at + strlen(word), line.len - strlen(word)};
	return true;
}

/* Do the words after ORDERS name this game and turn? */
static bool names_this(TALLOC_CTX *mem, struct piece_of_text rest, const struct orders_context *ctx)
{
	char *words = talloc_strndup(mem, rest.at, rest.len), *save = NULL, *word;
	bool game = !ctx->game, turn = !ctx->turn, next_is_turn = false;

	for (word = strtok_r(words, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		if (ctx->game && strcasecmp(word, ctx->game) == 0)
			game = true;
		if (next_is_turn && ctx->turn && atoi(word) == ctx->turn)
			turn = true;
		next_is_turn = strcasecmp(word, "turn") == 0;
	}
	talloc_free(words);
	return game && turn;
}

/* A line for comparing: letters and digits only, so that no client's blanks or quotes make it another. */
static char *essence(TALLOC_CTX *mem, const struct piece_of_text *l)
{
	char *text = talloc_strndup(mem, l->at, l->len < 1000 ? l->len : 1000), *folded = text_fold(mem, text);

	talloc_free(text);
	return folded;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct printed {
	const char **lines;
	size_t count;
};

static struct printed read_printed(TALLOC_CTX *mem, const char *text)
{
	struct printed out = {0};
	size_t left = strlen(text), room = 0;
	struct piece_of_text line;

	while (next_line(&text, &left, &line)) {
		if (out.count == room) {
			room = room ? room * 2 : 64;
			out.lines = talloc_realloc(mem, out.lines, const char *, (unsigned)room);
		}
		out.lines[out.count++] = essence(mem, &line);
	}
	if (out.count)
		qsort(out.lines, out.count, sizeof *out.lines, compare);
	return out;
}

static bool was_printed(TALLOC_CTX *mem, const struct printed *printed, const struct piece_of_text *line)
{
	const char *key = essence(mem, line);

	return printed->count && bsearch(&key, printed->lines, printed->count, sizeof key, compare) != NULL;
}

/* --- what was filled in ------------------------------------------------------------------------------------------- */

struct filling {
	struct buf *out;
	struct buf *head;    /* the printed line above, with what it broke into; "" for none */
	bool passed_printed; /* since the last line that was filled in */
	const struct orders_context *context;
};

/* A printed line begins with the unit's name and a colon, and may be broken below it. */
static void pass_printed(struct filling *f, const struct piece_of_text *line)
{
	if (memchr(line->at, ':', line->len))
		buf_cut(f->head, 0);
	else
		buf_addc(f->head, ' ');
	buf_add(f->head, line->at, line->len);
	f->passed_printed = true;
}

static int orders_in(TALLOC_CTX *mem, const char *text, const struct orders_context *context)
{
	struct orders_context alone = *context;

	alone.sheet = NULL;
	alone.sheet_len = 0;
	return orders_read(mem, text, strlen(text), &alone)->order_count;
}

/* Is the line one for the unit whose printed name stands above it: an order with that name, and none alone? */
static bool goes_with_head(const struct filling *f, const struct piece_of_text *line)
{
	TALLOC_CTX *scratch = talloc_new(NULL);
	const char *alone = talloc_strndup(scratch, line->at, line->len);
	const char *head = talloc_asprintf(scratch, "%.*s", (int)strcspn(f->head->data, ":"), f->head->data);
	bool goes = f->head->len && !orders_in(scratch, alone, f->context) &&
		    orders_in(scratch, talloc_asprintf(scratch, "%s:\n%s", head, alone), f->context);

	talloc_free(scratch);
	return goes;
}

static void take_filled(struct filling *f, const struct piece_of_text *line)
{
	if (f->passed_printed && goes_with_head(f, line)) {
		buf_add(f->out, f->head->data, f->head->len);
		buf_addc(f->out, '\n');
	} else if (f->passed_printed && f->out->len) {
		buf_addc(f->out, '\n'); /* no rest of an order further up */
	}
	buf_add(f->out, line->at, line->len);
	buf_addc(f->out, '\n');
	f->passed_printed = false;
}

char *orders_sheet_lines(
	TALLOC_CTX *mem, const char *quoted, size_t len, const char *printed, const struct orders_context *context)
{
	TALLOC_CTX *scratch = talloc_new(mem);
	struct printed before = read_printed(scratch, printed ? printed : "");
	struct filling f = {.out = buf_new(scratch), .head = buf_new(scratch), .context = context};
	struct piece_of_text line, rest;
	bool inside = false;
	char *result;

	while (next_line(&quoted, &len, &line)) {
		if (is_mark(line, "orders", &rest)) {
			inside = names_this(scratch, rest, context);
		} else if (is_mark(line, "end", &rest)) {
			inside = false;
		} else if (inside && line.len && was_printed(scratch, &before, &line)) {
			pass_printed(&f, &line);
		} else if (inside && line.len) {
			take_filled(&f, &line);
		}
	}
	result = buf_steal(mem, f.out);
	talloc_free(scratch);
	return result;
}

/* Adds the line, its quote marks as blanks. */
static void add_unquoted(struct buf *out, const char *line, size_t len)
{
	size_t at = 0;

	for (; at < len && (line[at] == '>' || line[at] == '|' || isspace((unsigned char)line[at])); at++)
		buf_addc(out, ' ');
	buf_add(out, line + at, len - at);
}

static void add_blanks(struct buf *out, size_t len)
{
	while (len-- > 0)
		buf_addc(out, ' ');
}

void orders_split(TALLOC_CTX *mem, const char *text, size_t len, char **typed, char **sheet)
{
	struct buf *out = buf_new(mem), *back = buf_new(mem);
	const char *at = text;
	struct piece_of_text line, rest;
	bool inside = false, mark;

	while (len) {
		const char *from = at;
		size_t whole;

		next_line(&at, &len, &line);
		whole = (size_t)(at - from) - (at > from && at[-1] == '\n');
		mark = is_mark(line, "orders", &rest) || (inside && is_mark(line, "end", &rest));
		if (inside && !mark) {
			add_unquoted(back, from, whole);
			add_blanks(out, whole);
		} else {
			add_blanks(back, whole);
			if (mark)
				add_blanks(out, whole);
			else
				buf_add(out, from, whole);
		}
		if (mark)
			inside = is_mark(line, "orders", &rest);
		if (at[-1] == '\n') { /* the last line may have no end */
			buf_addc(out, '\n');
			buf_addc(back, '\n');
		}
	}
	*typed = buf_steal(mem, out);
	*sheet = buf_steal(mem, back);
}
