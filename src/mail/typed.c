/* The way of a mail's text: lines, with their quote marks counted; the order sheets marked; then one walk from top to
 * bottom that gives every other line its kind; then the kinds gathered. */
#include "mail/typed.h"

#include "base/buf.h"
#include "base/text.h"
#include "mail/phrases.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A line that a program may have broken is at least so long. */
enum { BROKEN_LINE_MIN = 45 };

enum kind {
	TYPED,
	QUOTED,
	EARLIER,
	GREETING,
	SIGNATURE,
	DISCLAIMER,
	WARNING,
	ARMOUR,    /* what OpenPGP puts round a signed text */
	ENCRYPTED, /* by OpenPGP */
	SHEET,     /* belongs to a sheet, or is one of its marks */
};

static const char *const kind_names[] = {
	[QUOTED] = "quoted text",
	[EARLIER] = "earlier mail",
	[GREETING] = TYPED_GREETING,
	[SIGNATURE] = "signature",
	[DISCLAIMER] = "disclaimer",
	[WARNING] = "warning",
	[ARMOUR] = "signature",
	[ENCRYPTED] = TYPED_ENCRYPTED,
};

struct text {
	TALLOC_CTX *mem;      /* scratch */
	char **raw;           /* lines as they stand */
	const char **content; /* in them, behind the quote marks */
	struct phrase_line *lines;
	enum kind *kinds;
	int count;
	int sheet_at[TYPED_SHEETS_MAX]; /* the lines of their begin marks */
	bool forwarded;
	int base;   /* quote depth of what is being read: 1 inside a forwarded mail that is quoted */
	bool words; /* something was typed already */
	bool name;  /* a name was, as people sign with */
	bool more;  /* more than a name was */
	bool cut;   /* an earlier mail has begun */
	bool own;   /* one of ours, and nothing stood above it: its sheet is its end */
	bool in_signature;
	int dashes;          /* lines of two dashes, which pupils draw if there are several */
	enum kind block;     /* of OpenPGP's lines that are being passed over; else TYPED */
	bool until_blank;    /* the block's end is an empty line */
	bool armoured;       /* somewhere in it is a text that OpenPGP signed */
	enum kind paragraph; /* a disclaimer's or warning's lines go on to the next blank one; else TYPED */
};

bool typed_words(const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || (unsigned char)*text >= 0x80)
			return true;
	return false;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* The quote marks before a line: '>' with blanks between; or a '|' that parts no table's columns. */
static const char *skip_quotes(const char *line, int *depth)
{
	*depth = 0;
	for (;;) {
		const char *p = line + strspn(line, " \t");

		if (*p == '>' || (*p == '|' && (p[1] == ' ' || p[1] == '\0') && strchr(p + 1, '|') == NULL)) {
			(*depth)++;
			line = p + 1;
			if (*line == ' ')
				line++;
		} else {
			return line;
		}
	}
}

/* What stands on the line behind its quote marks. */
static void set_content(struct text *t, int at, const char *content)
{
	struct phrase_line *l = &t->lines[at];

	t->content[at] = content;
	l->plain = content + strspn(content, " \t");
	l->folded = text_fold(t->mem, l->plain);
}

static void add_line(struct text *t, char *line)
{
	size_t len = strlen(line);

	if (t->armoured && strncmp(line, "- -", 3) == 0) { /* RFC 4880, 7.1: dashes are escaped */
		line += 2;
		len -= 2;
	}
	/* The blank behind "-- " makes it a signature's mark. */
	while (strcmp(line, "-- ") != 0 && len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		line[--len] = '\0';
	t->dashes += strcmp(line, "--") == 0;
	t->raw[t->count] = line;
	set_content(t, t->count, skip_quotes(line, &t->lines[t->count].depth));
	t->kinds[t->count] = TYPED;
	t->count++;
}

static bool has_bar(const char *line)
{
	return line[strspn(line, " \t")] == '|';
}

/* Among lines of which most have one bar, at their beginning, those with more are no rows of a table: a program quotes
 * with bars, and quotes our map or a line that we had barred ourselves. */
static void quote_by_bars(struct text *t)
{
	for (int from = 0, to; from < t->count; from = to + 1) {
		int marks = 0, depth;

		for (to = from; to < t->count && has_bar(t->raw[to]); to++)
			marks += t->lines[to].depth > 0;
		for (int at = from; at < to && marks * 2 >= to - from; at++) {
			if (t->lines[at].depth > 0)
				continue;
			set_content(t, at, skip_quotes(strchr(t->raw[at], '|') + 1, &depth));
			t->lines[at].depth = 1 + depth;
		}
	}
}

static void split(struct text *t, const char *text, size_t len)
{
	char *plain = text_plain(t->mem, text, len, NULL), *next;
	unsigned lines = 1;

	for (const char *p = plain; *p; p++)
		lines += *p == '\n';
	t->armoured = strstr(plain, "-----BEGIN PGP SIGNED MESSAGE-----") != NULL;
	t->raw = talloc_array(t->mem, char *, lines);
	t->content = talloc_array(t->mem, const char *, lines);
	t->lines = talloc_array(t->mem, struct phrase_line, lines);
	t->kinds = talloc_array(t->mem, enum kind, lines);
	for (; plain; plain = next) {
		next = strchr(plain, '\n');
		if (next)
			*next++ = '\0';
		if (*plain || next)
			add_line(t, plain);
	}
	quote_by_bars(t);
}

/* --- sheets ------------------------------------------------------------------------------------------------------ */

/* `--- ORDERS game turn n ---`; phones make one long dash of several, and bold text has asterisks. */
static bool sheet_begins(struct text *t, int at, struct sheet_found *s)
{
	const char *p = t->lines[at].plain;
	char game[64], *end;
	int n = 0;

	p += strspn(p, "*");
	if (*p != '-')
		return false;
	p += strspn(p, "- ");
	if (strncasecmp(p, "orders", 6) != 0 || (p[6] != ' ' && p[6] != '-'))
		return false;
	p += 6 + strspn(p + 6, " ");
	if (strncasecmp(p, "turn ", 5) != 0 && sscanf(p, "%63s%n", game, &n) == 1 && *game != '-') {
		s->game = talloc_strdup(t->mem, game);
		p += n;
	}
	p += strspn(p, " ");
	s->turn = -1;
	if (strncasecmp(p, "turn", 4) == 0) {
		long turn = strtol(p + 4, &end, 10);

		if (end > p + 4 && turn >= 0 && turn < 100000)
			s->turn = (int)turn;
		p = end;
	}
	p += strspn(p, "-* ");
	return *p == '\0' && (s->turn >= 0 || s->game != NULL);
}

static bool sheet_ends(const struct phrase_line *l)
{
	const char *p = l->plain + strspn(l->plain, "*");

	if (*p != '-')
		return false;
	p += strspn(p, "- ");
	return strncasecmp(p, "end", 3) == 0 && p[3 + strspn(p + 3, "-* ")] == '\0' && p[3] != '\0';
}

static bool separates(struct text *t, int at)
{
	const struct phrase_line *l = &t->lines[at];

	return phrase_original_message(l) || phrase_forwarded(l) || phrase_header_block(t->mem, l, t->count - at) > 0 ||
	       phrase_attribution(t->mem, l, t->count - at) > 0;
}

/* The line after the sheet's last one; *next the first line behind its end mark. */
static int sheet_extent(struct text *t, int begin, int *next)
{
	struct sheet_found other = {0};
	int depth = t->lines[begin].depth, at;

	for (at = begin + 1; at < t->count && !sheet_begins(t, at, &other); at++) {
		if (sheet_ends(&t->lines[at])) {
			*next = at + 1;
			return at;
		}
	}
	/* The end mark was deleted: as far as the quote reaches. */
	for (at = begin + 1; at < t->count && t->lines[at].depth >= depth; at++)
		if (sheet_begins(t, at, &other) || separates(t, at))
			break;
	*next = at;
	return at;
}

static void find_sheets(struct text *t, TALLOC_CTX *mem, struct typed *out)
{
	int next;

	out->sheets = talloc_array(mem, struct sheet_found, TYPED_SHEETS_MAX);
	for (int at = 0; at < t->count; at = next) {
		struct sheet_found s = {0};
		struct buf *lines;
		int end;

		next = at + 1;
		if (out->sheet_count == TYPED_SHEETS_MAX || !sheet_begins(t, at, &s))
			continue;
		end = sheet_extent(t, at, &next);
		lines = buf_new(t->mem);
		for (int i = at + 1; i < end; i++)
			buf_printf(lines, "%s\n", t->content[i]);
		for (int i = at; i < next; i++)
			t->kinds[i] = SHEET;
		s.game = talloc_strdup(mem, s.game ? s.game : "");
		s.quoted = t->lines[at].depth > 0;
		s.lines = buf_steal(mem, lines);
		t->sheet_at[out->sheet_count] = at;
		out->sheets[out->sheet_count++] = s;
	}
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

static void mark(struct text *t, int at, int count, enum kind kind)
{
	for (int i = at; i < at + count; i++)
		if (t->kinds[i] != SHEET)
			t->kinds[i] = kind;
}

/* The first line from `at` on that says something, or the count. */
static int skip_blank(const struct text *t, int at)
{
	while (at < t->count && *t->lines[at].plain == '\0')
		at++;
	return at;
}

static bool sheet_follows(const struct text *t, int at)
{
	while (at < t->count && t->kinds[at] != SHEET)
		at++;
	return at < t->count;
}

/* A forwarded mail is read when nothing but a name was typed above it; but not one of our own, known by the sheet in
 * it. */
static bool reads_on(const struct text *t, int at, bool named)
{
	return (named || t->forwarded) && !t->more && !sheet_follows(t, at);
}

static bool quote_follows(const struct text *t, int at, int lines)
{
	int after = lines > 0 ? skip_blank(t, at + lines) : t->count;

	return after < t->count && t->lines[after].depth > t->lines[at].depth;
}

/* Our mail with nothing above it is known by two of its lines, or one and the sheet: one alone may be a pupil's own. */
static bool is_own_mail(const struct text *t, int at)
{
	if (!phrase_own_mail(&t->lines[at]))
		return false;
	if (t->words || sheet_follows(t, at))
		return true;
	while (++at < t->count)
		if (phrase_own_mail(&t->lines[at]))
			return true;
	return false;
}

/* At the head of an earlier mail: how many lines the heading has; 0 if there is none here. */
static int separator(struct text *t, int at)
{
	const struct phrase_line *l = &t->lines[at];
	int left = t->count - at, after, block;

	if (phrase_original_message(l) || phrase_forwarded(l)) {
		bool forwarded = phrase_forwarded(l);

		after = skip_blank(t, at + 1);
		block = phrase_header_block(t->mem, &t->lines[after], t->count - after);
		/* With nothing above it and no heading below, what stands below was typed there. */
		if (reads_on(t, at, forwarded || (!t->words && block == 0))) {
			t->base = after < t->count ? t->lines[after].depth : t->base;
			return after + block - at;
		}
		t->cut = true;
		return 1;
	}
	if (phrase_between_arrows(l)) {
		t->cut = at + 1 < t->count && t->lines[at + 1].depth <= t->base;
		return 1;
	}
	if (phrase_rule(l)) {
		after = skip_blank(t, at + 1);
		if (after < at + 4 && phrase_header_block(t->mem, &t->lines[after], t->count - after) > 0)
			return after - at;
		return 0;
	}
	block = phrase_header_block(t->mem, l, left);
	if (block > 0) {
		t->cut = !reads_on(t, at, false);
		return block;
	}
	if ((t->words && phrase_from_address(t->mem, l)) || is_own_mail(t, at)) {
		t->cut = true;
		t->own = !t->words;
		return 1;
	}
	block = phrase_attribution(t->mem, l, left);
	if (block == 0 && quote_follows(t, at, phrase_introduces(l, left)))
		return phrase_introduces(l, left);
	if (block > 0) {
		after = skip_blank(t, at + block);
		/* With quote marks behind it only those lines are quoted; without, all that follows. */
		t->cut = after < t->count && t->lines[after].depth <= t->base && t->kinds[after] != SHEET;
	}
	return block;
}

/* A forwarded mail that is quoted and has no heading but its own fields. */
static int forwarded_quote(struct text *t, int at)
{
	int block = phrase_header_block(t->mem, &t->lines[at], t->count - at);

	if (block == 0 || !reads_on(t, at, false))
		return 0;
	t->base = t->lines[at].depth;
	return block;
}

/* OpenPGP's lines in a mail's text: TYPED if this is none of them. */
static enum kind armour(struct text *t, const char *plain)
{
	enum kind kind = t->block;

	if (strncmp(plain, "-----BEGIN PGP ", 15) == 0) {
		kind = t->block = strncmp(plain + 15, "MESSAGE", 7) == 0 ? ENCRYPTED : ARMOUR;
		t->until_blank = strncmp(plain + 15, "SIGNED", 6) == 0;
	} else if (strncmp(plain, "-----END PGP ", 13) == 0 || (t->until_blank && *plain == '\0')) {
		t->block = TYPED;
	}
	return kind;
}

/* "Jess", "Tom Reid": as people sign what they forward. */
static bool is_name(const char *plain)
{
	int names = 0;

	for (const char *p = plain; *p != '\0'; names++) {
		if (!isupper((unsigned char)p[0]) || !islower((unsigned char)p[1]))
			return false;
		for (p++; *p != '\0' && *p != ' '; p++)
			if (!islower((unsigned char)*p) && (unsigned char)*p < 0x80)
				return false;
		p += *p == ' ';
	}
	return names <= 2;
}

static void note_words(struct text *t, const char *plain)
{
	if (!typed_words(plain))
		return;
	t->more = t->more || t->name || !is_name(plain);
	t->name = true;
	t->words = true;
}

/* Does the disclaimer or warning go on in this line? Only a program's long lines are broken: what stands below a short
 * one is somebody's own. */
static bool goes_on(const struct text *t, int at)
{
	if (t->paragraph == WARNING)
		return phrase_warning_goes_on(&t->lines[at]);
	return t->paragraph == DISCLAIMER && at > 0 && strlen(t->lines[at - 1].plain) >= BROKEN_LINE_MIN;
}

/* The kind of one line that is neither quoted nor a separator. */
static enum kind own_kind(struct text *t, int at)
{
	const struct phrase_line *l = &t->lines[at];
	enum kind kind = armour(t, l->plain);

	if (kind != TYPED)
		return kind;
	if (*l->plain == '\0') {
		t->paragraph = TYPED;
		return t->in_signature ? SIGNATURE : TYPED;
	}
	if (t->in_signature || phrase_advertisement(l) || phrase_placeholder(l))
		return SIGNATURE;
	if (goes_on(t, at))
		return t->paragraph;
	t->paragraph = TYPED;
	if (phrase_warning(l))
		t->paragraph = WARNING;
	else if (phrase_disclaimer(l, t->count - at))
		t->paragraph = DISCLAIMER;
	if (t->paragraph != TYPED)
		return t->paragraph;
	if (phrase_signature_mark(l)) {
		t->in_signature = t->words && (l->plain[2] == ' ' || t->dashes == 1);
		return SIGNATURE;
	}
	if (phrase_rule(l) || phrase_closing(l))
		return SIGNATURE;
	if (!t->words && phrase_greeting(l))
		return GREETING;
	note_words(t, l->plain);
	return TYPED;
}

/* Lines drawn round a disclaimer or a warning belong to it. */
static bool is_drawn(const char *plain)
{
	return plain[0] != '\0' && plain[1] != '\0' && plain[strspn(plain, "*=-_~#+| ")] == '\0';
}

static void frame(struct text *t)
{
	for (int at = 0; at < t->count; at++) {
		enum kind above = at > 0 ? t->kinds[at - 1] : TYPED,
			  below = at + 1 < t->count ? t->kinds[at + 1] : TYPED;

		if (t->kinds[at] != TYPED || !is_drawn(t->lines[at].plain))
			continue;
		if (above == DISCLAIMER || above == WARNING)
			t->kinds[at] = above;
		else if (below == DISCLAIMER || below == WARNING)
			t->kinds[at] = below;
	}
}

static void walk(struct text *t, struct typed *out)
{
	for (int at = 0; at < t->count;) {
		int n = 1;

		if (t->kinds[at] == SHEET) {
			for (int i = 0; i < out->sheet_count; i++)
				if (t->sheet_at[i] == at && t->cut)
					out->sheets[i].quoted = true;
			at++;
			if (t->own && at < t->count && t->kinds[at] != SHEET)
				t->cut = t->own = false; /* what stands below was typed there */
			continue;
		}
		if (t->cut) {
			mark(t, at, 1, EARLIER);
		} else if (t->lines[at].depth > t->base && !phrase_between_arrows(&t->lines[at])) {
			t->in_signature = false;
			n = forwarded_quote(t, at);
			mark(t, at, n > 0 ? n : 1, n > 0 ? EARLIER : QUOTED);
			n = n > 0 ? n : 1;
		} else if ((n = separator(t, at)) > 0) {
			mark(t, at, n, EARLIER);
		} else {
			n = 1;
			mark(t, at, 1, own_kind(t, at));
		}
		at += n;
	}
}

/* --- gathering --------------------------------------------------------------------------------------------------- */

static void add_set_aside(struct typed *out, TALLOC_CTX *mem, enum kind kind, struct buf *lines)
{
	struct set_aside *s;

	if (typed_words(lines->data)) {
		out->set_aside =
			talloc_realloc(mem, out->set_aside, struct set_aside, (unsigned)out->set_aside_count + 1);
		s = &out->set_aside[out->set_aside_count++];
		s->what = kind_names[kind];
		s->lines = talloc_strdup(mem, lines->data);
	}
	buf_cut(lines, 0);
}

static void gather(struct text *t, TALLOC_CTX *mem, struct typed *out)
{
	struct buf *typed = buf_new(mem), *aside = buf_new(t->mem);
	enum kind run = TYPED;
	bool gap = false;

	for (int at = 0; at < t->count; at++) {
		enum kind kind = t->kinds[at];
		bool blank = *t->lines[at].plain == '\0';

		if (kind == TYPED) {
			if (blank) {
				gap = true;
				continue;
			}
			if (run != TYPED)
				add_set_aside(out, mem, run, aside);
			run = TYPED;
			if (gap && typed->len > 0)
				buf_addc(typed, '\n');
			buf_printf(typed, "%s\n", t->lines[at].depth > 0 ? t->content[at] : t->raw[at]);
			gap = false;
			continue;
		}
		gap = true; /* what stood on both sides of it does not belong together */
		if (kind == SHEET)
			continue;
		if (kind != run && run != TYPED)
			add_set_aside(out, mem, run, aside);
		run = kind;
		buf_printf(aside, "%s\n", t->raw[at]);
	}
	if (run != TYPED)
		add_set_aside(out, mem, run, aside);
	out->text = buf_finish(mem, typed);
}

void typed_read(TALLOC_CTX *mem, const char *text, size_t len, bool forwarded, struct typed *out)
{
	struct text t = {.mem = talloc_new(mem), .forwarded = forwarded};

	*out = (struct typed){0};
	split(&t, text, len);
	find_sheets(&t, mem, out);
	walk(&t, out);
	frame(&t);
	gather(&t, mem, out);
	for (int i = 0; i < out->sheet_count; i++)
		out->sheets[i].lines = talloc_steal(mem, out->sheets[i].lines);
	talloc_free(t.mem);
}
