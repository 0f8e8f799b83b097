#include "service/reading.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/text.h"
#include "mail/typed.h"
#include "orders/merge.h"
#include "orders/print.h"
#include "service/as_typed.h"
#include "service/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_COLUMNS = 72 };

static void list_units(struct reading *r)
{
	int *order = talloc_array(r, int, (unsigned)r->book->count + 1);
	bool *seen = talloc_zero_array(r, bool, (unsigned)r->book->count + 1);

	for (int i = 0; i < r->sheet->order_count; i++) {
		const struct order *o = &r->sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++) {
			int unit = o->units[k];

			if (seen[unit] || !r->book->units[unit].clauses)
				continue;
			seen[unit] = true;
			order[r->count++] = unit;
		}
	}
	r->order = order;
}

/* --- what a mail program put there -------------------------------------------------------------------------------- */

struct stretch {
	size_t at, len;
};

static struct stretch line_at(const char *text, size_t at)
{
	return (struct stretch){at, strcspn(text + at, "\n")};
}

static size_t line_after(const char *text, struct stretch line)
{
	return line.at + line.len + (text[line.at + line.len] == '\n');
}

/* The line without the blanks around it. */
static struct stretch bare(const char *text, struct stretch line)
{
	while (line.len && isspace((unsigned char)text[line.at])) {
		line.at++;
		line.len--;
	}
	while (line.len && isspace((unsigned char)text[line.at + line.len - 1]))
		line.len--;
	return line;
}

/* The lines of `text` that are none of `kept`, in order; -1 when `kept` has others. */
static int lines_besides(TALLOC_CTX *mem, const char *text, const char *kept, struct stretch **out)
{
	size_t k = 0;
	int count = 0;

	*out = NULL;
	for (size_t at = 0; text[at]; at = line_after(text, line_at(text, at))) {
		struct stretch line = bare(text, line_at(text, at)), next;

		while (kept[k] && !bare(kept, line_at(kept, k)).len)
			k = line_after(kept, line_at(kept, k));
		next = bare(kept, line_at(kept, k));
		if (line.len && line.len == next.len && memcmp(text + line.at, kept + next.at, next.len) == 0) {
			k = line_after(kept, line_at(kept, k));
		} else if (line.len) {
			*out = talloc_realloc(mem, *out, struct stretch, (unsigned)count + 1);
			(*out)[count++] = line;
		}
	}
	return kept[k + strspn(kept + k, " \n")] ? -1 : count;
}

/* Blanks the lines of `typed` that the mail reader would set aside: quotes, what stands below a reply's separator,
 * signatures. They are in *out. */
static int blank_set_aside(TALLOC_CTX *mem, const char *plain, size_t len, char *typed, struct stretch **out)
{
	struct typed t;
	int count;

	typed_read(mem, plain, len, false, &t);
	count = lines_besides(mem, typed, t.text, out);
	for (int i = 0; i < count; i++)
		memset(typed + (*out)[i].at, ' ', (*out)[i].len);
	return count < 0 ? 0 : count;
}

/* Lists those lines with what the parser set aside, all in the order of the text. */
static void list_set_aside(struct sheet *sheet, const char *plain, const struct stretch *lines, int count)
{
	int total = sheet->set_aside_count + count, left = sheet->set_aside_count;
	const char **text = talloc_array(sheet, const char *, (unsigned)total + 1);
	size_t *at = talloc_array(sheet, size_t, (unsigned)total + 1);

	for (int i = total - 1, k = count - 1; i >= 0; i--) {
		if (k < 0 || (left > 0 && sheet->set_aside_at[left - 1] > lines[k].at)) {
			text[i] = sheet->set_aside[--left];
			at[i] = sheet->set_aside_at[left];
		} else {
			text[i] = talloc_strndup(sheet, plain + lines[k].at, lines[k].len);
			at[i] = lines[k--].at;
		}
	}
	sheet->set_aside = text;
	sheet->set_aside_at = at;
	sheet->set_aside_count = total;
}

struct reading *reading_new(
	TALLOC_CTX *mem, const struct scenario *sc, bool shreds, enum side side, const char *text, size_t len)
{
	struct reading *r = talloc_zero(mem, struct reading);
	size_t plain_len;
	const char *plain = text_plain(r, text, len, &plain_len);
	struct orders_context context = {
		.state = sc->state,
		.table = &sc->table,
		.side = side,
		.shreds = shreds,
	};
	struct sheet_in_force in_force;
	struct stretch *aside;
	struct sheet *sheet;
	char *typed, *back;
	int count;

	orders_split(r, plain, plain_len, &typed, &back);
	count = blank_set_aside(r, plain, plain_len, typed, &aside);
	context.sheet = back;
	context.sheet_len = back[strspn(back, " \n")] ? strlen(back) : 0;
	sheet = orders_read(r, typed, strlen(typed), &context);
	list_set_aside(sheet, plain, aside, count);
	as_typed(sheet, plain, plain_len, text, len);
	r->sheet = sheet;
	r->book = orderbook_new(r, sc->state);
	in_force = (struct sheet_in_force){.sheet = r->sheet, .turn = sc->state->turn};
	orders_merge(r, r->book, sc->state, side, &in_force, 1, sc->state->turn, &r->merged);
	list_units(r);
	r->understood = r->sheet->problem_count == 0;
	return r;
}

static void add_wrapped(struct buf *out, const char *text, int indent)
{
	char *wrapped = text_wrap(out, text, TEXT_COLUMNS, indent);

	buf_printf(out, "%s\n", wrapped);
	talloc_free(wrapped);
}

static void add_sheet_lines(struct buf *out, char *lines)
{
	char *rest;

	for (const char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_wrapped(out, talloc_asprintf(out, "    %s", line), 8);
}

static void add_note(struct buf *out, int line, const char *text)
{
	add_wrapped(out, talloc_asprintf(out, "Note on line %d: %s", line, text), 4);
}

static void add_problem(struct buf *out, const struct sheet *sheet, int index)
{
	const struct problem *p = &sheet->problems[index];
	const char *suggestion = sheet_suggestion(sheet, index);
	int caret, mark = snprintf(NULL, 0, "line %d: ", p->line);
	const char *typed = problem_line(out, p, TEXT_COLUMNS - mark, &caret);

	buf_printf(out, "  line %d: %s\n  %*s^\n", p->line, typed, mark + caret, "");
	add_wrapped(out, talloc_asprintf(out, "  %s", p->message), 4);
	if (suggestion)
		add_wrapped(out, talloc_asprintf(out, "  Write: %s", suggestion), 4);
}

/* "Barrell's (R), then Price's (H)": who gets command points first; "" for nobody. */
static const char *priority_english(TALLOC_CTX *mem, const struct sheet *sheet, const struct state *s)
{
	char *text = talloc_strdup(mem, "");

	for (int i = 0; i < sheet->priority_count; i++)
		text = talloc_asprintf_append(
			text, "%s%s", i == 0 ? "" : ", then ", piece_english(mem, s, sheet->priority[i]));
	return text;
}

char *reading_text(TALLOC_CTX *mem, const struct reading *r, const struct scenario *sc, enum side side)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < r->count; i++) {
		const struct unit_orders *o = &r->book->units[r->order[i]];

		add_wrapped(out,
			talloc_asprintf(out, "%s: %s", piece_english(out, sc->state, r->order[i]),
				orders_english(out, o, sc->state)),
			4);
		add_sheet_lines(out, orders_lines(out, o, piece_code(out, sc->state, r->order[i]), sc->state, side));
	}
	if (r->sheet->priority_count)
		add_wrapped(out,
			talloc_asprintf(
				out, "Command points go first to %s.", priority_english(out, r->sheet, sc->state)),
			4);
	for (int i = 0; i < r->sheet->command_count; i++)
		buf_printf(out, "Command: %s\n", command_info(r->sheet->commands[i].verb)->usage);
	for (int i = 0; i < r->sheet->note_count; i++)
		add_note(out, r->sheet->notes[i].line, r->sheet->notes[i].text);
	for (int i = 0; i < r->merged.count; i++)
		add_note(out, r->merged.list[i].line, r->merged.list[i].text);
	if (r->sheet->problem_count)
		buf_adds(out, "Not understood:\n");
	for (int i = 0; i < r->sheet->problem_count; i++)
		add_problem(out, r->sheet, i);
	if (r->sheet->set_aside_count)
		buf_adds(out, "Set aside as no orders:\n");
	for (int i = 0; i < r->sheet->set_aside_count; i++)
		buf_printf(out, "  %s\n", text_escape(out, r->sheet->set_aside[i], strlen(r->sheet->set_aside[i])));
	return buf_steal(mem, out);
}

static void json_orders(struct json *j, const struct reading *r, const struct scenario *sc, enum side side)
{
	json_open_array(j, "orders");
	for (int i = 0; i < r->count; i++)
		listing_piece_orders(j, r->book, r->order[i], sc->state, side, false);
	json_close_array(j);
}

static void json_problems(struct json *j, const struct sheet *sheet)
{
	json_open_array(j, "problems");
	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];

		json_open_object(j, NULL);
		json_int(j, "line", p->line);
		json_int(j, "column", p->column);
		json_string(j, "typed", p->typed);
		json_string(j, "message", p->message);
		json_string(j, "suggestion", p->suggestion);
		json_close_object(j);
	}
	json_close_array(j);
}

/* A command as typed: with the text below it, without a remark behind it. */
static const char *command_typed(TALLOC_CTX *mem, const struct command_record *c)
{
	if (c->text[0])
		return strstr(c->typed, c->text) ? c->typed : talloc_asprintf(mem, "%s %s", c->typed, c->text);
	for (const char *at = c->typed; (at = strstr(at, " #")) != NULL; at++)
		if (!isdigit((unsigned char)at[2])) {
			while (at > c->typed && at[-1] == ' ')
				at--;
			return talloc_strndup(mem, c->typed, (size_t)(at - c->typed));
		}
	return c->typed;
}

static void json_commands(struct json *j, TALLOC_CTX *mem, const struct sheet *sheet)
{
	json_open_array(j, "commands");
	for (int i = 0; i < sheet->command_count; i++)
		json_string(j, NULL, command_typed(mem, &sheet->commands[i]));
	json_close_array(j);
}

static void json_lines(struct json *j, const char *name, const char *const *lines, int count)
{
	json_open_array(j, name);
	for (int i = 0; i < count; i++)
		json_string(j, NULL, lines[i]);
	json_close_array(j);
}

static void json_note(struct json *j, int line, const char *text)
{
	json_open_object(j, NULL);
	json_int(j, "line", line);
	json_string(j, "text", text);
	json_close_object(j);
}

char *reading_json(TALLOC_CTX *mem, const struct reading *r, const struct scenario *sc, enum side side)
{
	struct buf *out = buf_new(mem);
	struct json j;

	json_begin(&j, out);
	json_open_object(&j, NULL);
	json_orders(&j, r, sc, side);
	json_problems(&j, r->sheet);
	json_lines(&j, "set_aside", r->sheet->set_aside, r->sheet->set_aside_count);
	json_commands(&j, out, r->sheet);
	json_open_array(&j, "priority");
	for (int i = 0; i < r->sheet->priority_count; i++)
		json_string(&j, NULL, piece_code(out, sc->state, r->sheet->priority[i]));
	json_close_array(&j);
	json_open_array(&j, "notes");
	for (int i = 0; i < r->sheet->note_count; i++)
		json_note(&j, r->sheet->notes[i].line, r->sheet->notes[i].text);
	for (int i = 0; i < r->merged.count; i++)
		json_note(&j, r->merged.list[i].line, r->merged.list[i].text);
	json_close_array(&j);
	json_close_object(&j);
	buf_addc(out, '\n');
	return buf_steal(mem, out);
}
