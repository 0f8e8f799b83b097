#include "battle/parameters.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

struct parameters *parameters_new(TALLOC_CTX *mem, const struct parameter_def *defs, int count)
{
	struct parameters *p = talloc_zero(mem, struct parameters);

	assert(p);
	p->defs = defs;
	p->count = count;
	p->values = talloc_zero_array(p, int32_t, (unsigned)count);
	p->given = talloc_zero_array(p, bool, (unsigned)count);
	return p;
}

struct parameters *parameters_copy(TALLOC_CTX *mem, const struct parameters *p)
{
	struct parameters *copy = parameters_new(mem, p->defs, p->count);

	copy->rules = p->rules;
	for (int i = 0; i < p->count; i++) {
		copy->values[i] = p->values[i];
		copy->given[i] = p->given[i];
	}
	return copy;
}

static int find(const struct parameters *p, const char *name)
{
	for (int i = 0; i < p->count; i++)
		if (strcmp(p->defs[i].name, name) == 0)
			return i;
	return -1;
}

/* The name that is most like the one typed, if any is at all. */
static const char *nearest(const struct parameters *p, const char *typed)
{
	const char *best = NULL;
	int least = 4;

	for (int i = 0; i < p->count; i++) {
		int d = text_distance(typed, p->defs[i].name, least - 1);

		if (d < least) {
			least = d;
			best = p->defs[i].name;
		}
	}
	return best;
}

/* The index of `word` among the words of `choices`, or -1. */
static int choice(const char *choices, const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; *choices; i++) {
		size_t n = strcspn(choices, " ");

		if (n == len && memcmp(choices, word, n) == 0)
			return i;
		choices += n + strspn(choices + n, " ");
	}
	return -1;
}

static struct err *set_choice(TALLOC_CTX *mem, const struct parameter_def *def, const struct line *l, int index,
	const char *choices, int32_t *value)
{
	const char *word = index < l->count ? l->words[index].text : "";
	int n = choice(choices, word);

	if (n < 0)
		return line_err(mem, l, index, "%s is one of: %s; not \"%s\"", def->name, choices, word);
	*value = n;
	return NULL;
}

struct err *parameters_set(TALLOC_CTX *mem, struct parameters *p, const struct line *l, int index)
{
	const char *name = index < l->count ? l->words[index].text : "", *like;
	const struct parameter_def *def;
	struct err *e = NULL;
	int32_t value = 0;
	long n = 0;
	int i = find(p, name);

	if (index >= l->count)
		return line_err(mem, l, index, "expected the name of an option and its value");
	if (i < 0) {
		like = nearest(p, name);
		return like ? line_err(mem, l, index, "there is no option \"%s\"; did you mean %s?", name, like)
			    : line_err(mem, l, index, "there is no option \"%s\"", name);
	}
	def = &p->defs[i];
	switch (def->type) {
	case PARAMETER_NUMBER:
		e = line_int(mem, l, index + 1, def->min, def->max, &n);
		value = (int32_t)n;
		break;
	case PARAMETER_INCHES:
		e = line_inches(mem, l, index + 1, def->min, def->max, &value);
		break;
	case PARAMETER_FLAG:
		e = set_choice(mem, def, l, index + 1, "off on", &value);
		break;
	case PARAMETER_CHOICE:
		e = set_choice(mem, def, l, index + 1, def->choices, &value);
		break;
	}
	if (!e && l->count > index + 2)
		e = line_err(mem, l, index + 2, "nothing more is expected after the value of %s", name);
	if (e)
		return e;
	p->values[i] = value;
	p->given[i] = true;
	return NULL;
}

/* "marked or ground", "0 to 40 inches". */
static char *values_text(TALLOC_CTX *mem, const struct parameter_def *def)
{
	char *text;

	switch (def->type) {
	case PARAMETER_INCHES:
		return talloc_asprintf(mem, "%s to %s inches", text_inches(mem, def->min), text_inches(mem, def->max));
	case PARAMETER_NUMBER:
		return talloc_asprintf(mem, "%d to %d", def->min, def->max);
	case PARAMETER_FLAG:
		return talloc_strdup(mem, "off, on");
	case PARAMETER_CHOICE:
		text = talloc_strdup(mem, "");
		for (const char *word = def->choices; *word; word += strspn(word, " ")) {
			size_t len = strcspn(word, " ");

			text = talloc_asprintf_append(text, "%s%.*s", *text ? ", " : "", (int)len, word);
			word += len;
		}
		return text;
	}
	return NULL;
}

static struct err *read_line(TALLOC_CTX *mem, struct parameters *p, const struct line *l)
{
	int i;

	if (l->count == 0)
		return NULL;
	if (l->indented)
		return line_err(mem, l, 0, "a line begins with the name of an option, without blanks before it");
	i = find(p, l->words[0].text);
	if (i >= 0 && p->given[i])
		return line_err(mem, l, 0, "%s has been given before", l->words[0].text);
	return parameters_set(mem, p, l, 0);
}

struct err *parameters_read(TALLOC_CTX *mem, struct parameters *p, const char *file, const char *text, size_t len)
{
	struct line_reader *r = line_reader_new(mem, file, text, len);
	const struct line *l;
	int lines = 0;
	struct err *e;

	do {
		e = line_next(mem, r, &l);
		if (!e && l)
			e = read_line(mem, p, l);
		lines++;
	} while (!e && l);
	talloc_free(r);
	for (int i = 0; i < p->count && !e; i++)
		if (!p->given[i])
			e = err_new(mem, ERR_PROCESS, false, talloc_asprintf(mem, "%s:%d:1", file, lines),
				"the option %s is missing here at the end: write \"%s VALUE\", with a value of %s. %s",
				p->defs[i].name, p->defs[i].name, values_text(mem, &p->defs[i]), p->defs[i].help);
	return e;
}

int32_t parameters_get(const struct parameters *p, const char *name)
{
	int i = find(p, name);

	assert(i >= 0);
	return p->values[i];
}

char *parameters_text(TALLOC_CTX *mem, const struct parameters *p, int index)
{
	const struct parameter_def *def = &p->defs[index];
	const char *choices = def->choices;

	switch (def->type) {
	case PARAMETER_NUMBER:
		return talloc_asprintf(mem, "%d", p->values[index]);
	case PARAMETER_INCHES:
		return text_inches(mem, p->values[index]);
	case PARAMETER_FLAG:
		return talloc_strdup(mem, p->values[index] ? "on" : "off");
	case PARAMETER_CHOICE:
		for (int i = 0; i < p->values[index]; i++) {
			choices += strcspn(choices, " ");
			choices += strspn(choices, " ");
		}
		return talloc_strndup(mem, choices, strcspn(choices, " "));
	}
	return NULL;
}

char *parameters_manual(TALLOC_CTX *mem, const struct parameters *p)
{
	char *text = talloc_strdup(mem, "");

	for (int i = 0; i < p->count; i++) {
		TALLOC_CTX *one = talloc_new(mem);

		text = talloc_asprintf_append(text, "  %-20s %s (%s)\n      %s\n", p->defs[i].name,
			values_text(one, &p->defs[i]), parameters_text(one, p, i), p->defs[i].help);
		talloc_free(one);
	}
	return text;
}
