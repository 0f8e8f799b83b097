/* Events as sentences. The words of a rule set are a file, templates/NAME.events: a line `KIND TEXT` or `KIND/REASON
 * TEXT` for each kind of event, `reason WORD TEXT` for each reason; `never KIND...` and `never reason WORD...` name
 * what the rules do not have. In TEXT, {actor} and the like are filled in from the event; {a|b} is a where that number
 * is one, else b, of the placeholder before it. */
#ifndef GALLOPER_REPORT_CHRONICLE_H
#define GALLOPER_REPORT_CHRONICLE_H

#include "battle/event.h"
#include "battle/scenario.h"
#include "report/things.h"

struct chronicle;

/* Reads the file's text. A kind or reason without words, or an unknown placeholder, is an error file:line:column. */
struct err *chronicle_read(
	TALLOC_CTX *mem, const char *file, const char *text, size_t len, struct chronicle **out) MUST_CHECK;

/* One event's sentence without its number: `Barrell's fire on Camerons at 9": 6 dice, ... [FP29]`. `s` gives the names;
 * any state of that battle will do. On `mem`. */
char *chronicle_sentence(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev);

/* Has the file words for that event with that reason? Not where it says that the rules never have them. */
bool chronicle_knows(const struct chronicle *c, enum event_kind kind, enum event_reason reason);

#endif
