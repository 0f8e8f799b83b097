/* Falkirk as it is set out, and its words: what the tests of the report layer share. */
#ifndef GALLOPER_TESTS_REPORT_FIXTURE_H
#define GALLOPER_TESTS_REPORT_FIXTURE_H

#include "base/file.h"
#include "report/chronicle.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static inline struct scenario *falkirk(TALLOC_CTX *mem)
{
	const struct ruleset *rules;
	struct scenario *sc;

	assert_null(battle_load(mem, "falkirk", NULL, &sc, &rules));
	return sc;
}

static inline struct chronicle *fastplay_words(TALLOC_CTX *mem)
{
	struct chronicle *c;
	char *text;
	size_t len;

	assert_null(data_read(mem, "templates/fastplay.events", &text, &len));
	assert_null(chronicle_read(mem, "fastplay.events", text, len, &c));
	return c;
}

static inline int piece(const struct scenario *sc, const char *code)
{
	int unit = state_find_code(sc->state, code, -1);

	assert_true(unit >= 0);
	return unit;
}

static inline struct unit *unit_of(const struct scenario *sc, const char *code)
{
	return &sc->state->units[piece(sc, code)];
}

/* No line of a text is wider than that. */
static inline void assert_width(const char *text, size_t columns)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		assert_in_range(len, 0, columns);
		text += len + (text[len] == '\n');
	}
}

#endif
