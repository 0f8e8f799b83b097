/* Events as sentences. The words of a rule set are a file, templates/NAME.events: a line `KIND TEXT` or `KIND/REASON
 * TEXT` for each kind of event, `reason WORD TEXT` for each reason. In TEXT, {actor} and the like are filled in from
 * the event; {a|b} is a where that number is one, else b, of the placeholder before it. */
#ifndef GALLOPER_REPORT_CHRONICLE_H
#define GALLOPER_REPORT_CHRONICLE_H

#include "battle/event.h"
#include "battle/scenario.h"

struct chronicle;

/* Reads the file's text. A kind or reason without words, or an unknown placeholder, is an error file:line:column. */
struct err *chronicle_read(
	TALLOC_CTX *mem, const char *file, const char *text, size_t len, struct chronicle **out) MUST_CHECK;

/* One event's sentence without its number: `Barrell's fire on Camerons at 9": 6 dice, ... [FP29]`. `s` gives the names;
 * any state of that battle will do. On `mem`. */
char *chronicle_sentence(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev);

/* "Barrell's", "Lt. Gen. Henry Hawley", "gun 3"; "the field" for -1. Points into the state or is on `mem`. */
const char *piece_name(TALLOC_CTX *mem, const struct state *s, int unit);

/* "H4" of a point; "north", "north-east" ... the nearest word for a facing. On `mem`, a literal. */
char *square_name(TALLOC_CTX *mem, const struct table *table, struct point p);
const char *facing_word(int facing);

/* Inches to the nearest hundredth, as sentences have them: 2016 -> "2.02". On `mem`. */
char *inches_text(TALLOC_CTX *mem, int32_t thousandths);

/* The men of a side, as a plural: "English", "British", "Jacobites". On `mem`. */
const char *side_people(TALLOC_CTX *mem, const struct scenario *sc, int side);

/* A parameter of the scenario's rule set, or `otherwise` if the rule set has none of that name. */
int32_t rule_number(const struct scenario *sc, const char *name, int32_t otherwise);

/* Has the file words for that event with that reason? Not where it says that the rules never have them. */
bool chronicle_knows(const struct chronicle *c, enum event_kind kind, enum event_reason reason);

#endif
