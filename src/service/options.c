#include "service/options.h"

#include "base/buf.h"
#include "base/file.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include <stdio.h>
#include <string.h>

static const struct parameter_def defs[OPTION_COUNT] = {
	[OPTION_MESSAGES] = {"messages", PARAMETER_CHOICE, 0, 0, "held own-side off",
		"Messages between players: held for the referee, held unless they go to the own side, or none.", NULL},
	[OPTION_SILENT_SHARE] = {"silent-share", PARAMETER_NUMBER, 0, 100, NULL,
		"A turn waits at its deadline when more than this percentage of the players have sent nothing.", NULL},
	[OPTION_SILENT_HOURS] = {"silent-hours", PARAMETER_NUMBER, 1, 336, NULL,
		"How long such a turn waits for the referee before it goes on by itself.", NULL},
	[OPTION_BASES] = {"bases", PARAMETER_NUMBER, 0, 12, NULL,
		"Bases with which each foot and horse unit begins; 0 for those of the battle. Before turn 1 only.",
		NULL},
};

/* More than half of a class; two days, so that a weekend passes. */
static const int32_t defaults[OPTION_COUNT] = {
	[OPTION_MESSAGES] = MESSAGES_HELD,
	[OPTION_SILENT_SHARE] = 50,
	[OPTION_SILENT_HOURS] = 48,
};

struct parameters *options_new(TALLOC_CTX *mem)
{
	struct parameters *p = parameters_new(mem, defs, OPTION_COUNT);

	memcpy(p->values, defaults, sizeof defaults);
	return p;
}

const char *options_at(TALLOC_CTX *mem, const char *options, int turn, int line)
{
	char *out;

	if (strstr(options, " from ") == NULL)
		return options;
	out = talloc_strdup(mem, "");
	for (const char *p = options; *p != '\0'; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n')) {
		char *one = talloc_strndup(mem, p, strcspn(p, "\n"));
		char *from = strstr(one, " from ");
		int first = 1, of = line, last = 0;

		if (from != NULL && sscanf(from, " from %d %d %d", &first, &of, &last) == 3)
			*from = '\0';
		if (turn >= first && (line == of || line > last))
			out = talloc_asprintf_append(out, "%s\n", one);
		talloc_free(one);
	}
	return out;
}

bool options_know(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strcmp(defs[i].name, name) == 0)
			return true;
	return false;
}

/* A rule set's parameters as its own file has them. */
static struct err *read_defaults(TALLOC_CTX *mem, const struct ruleset *rules, struct parameters **out)
{
	char *file = talloc_asprintf(mem, "db/rules/%s.rules", rules->name), *text;
	size_t len;
	struct err *e = data_read(mem, file, &text, &len);

	*out = parameters_new(mem, rules->parameters, rules->parameter_count);
	return e != NULL ? e : parameters_read(mem, *out, file, text, len);
}

/* Have two lists of words one in common? */
static bool share_word(const char *a, const char *b)
{
	for (size_t len; *a != '\0'; a += len + strspn(a + len, " ")) {
		len = strcspn(a, " ");
		for (const char *p = b; *p != '\0'; p += strcspn(p, " "), p += strspn(p, " "))
			if (len == strcspn(p, " ") && memcmp(a, p, len) == 0)
				return true;
	}
	return false;
}

struct err *options_unusual(
	TALLOC_CTX *mem, const struct ruleset *rules, const struct parameters *now, const char *cited, const char **out)
{
	struct buf *text = buf_new(mem);
	struct parameters *usual;
	struct err *e = read_defaults(mem, rules, &usual);

	for (int i = 0; e == NULL && i < usual->count; i++)
		if (now->values[i] != usual->values[i] && share_word(cited, usual->defs[i].rulings))
			buf_printf(text, "%s%s %s (usually %s)", text->len > 0 ? ", " : "", usual->defs[i].name,
				parameters_text(text, now, i), parameters_text(text, usual, i));
	*out = text->data;
	return e;
}

struct err *options_manual(TALLOC_CTX *mem, const char *battle, char **out)
{
	char *text = talloc_strdup(mem,
		"Each can be set for one game with 'galloper game new ... --set NAME=VALUE', in a battle file with\n"
		"'set NAME VALUE', and by the referee with RULE NAME VALUE from the next turn on. In brackets is the\n"
		"value when nobody sets it.\n");
	const struct ruleset *rules;
	struct parameters *p;
	struct scenario *sc;
	struct err *e = NULL;

	if (battle != NULL) {
		e = battle_load(mem, battle, NULL, &sc, &rules);
		if (e == NULL)
			text = talloc_asprintf_append(
				text, "\n%s\n\n%s", sc->title, parameters_manual(text, sc->parameters));
	}
	for (int i = 0; battle == NULL && e == NULL && (rules = ruleset_at(i)) != NULL; i++) {
		e = read_defaults(mem, rules, &p);
		if (e == NULL)
			text = talloc_asprintf_append(
				text, "\nRules %s\n\n%s", rules->name, parameters_manual(text, p));
	}
	*out = talloc_asprintf_append(
		text, "\nThe game, whatever the rules\n\n%s", parameters_manual(text, options_new(text)));
	return e;
}
