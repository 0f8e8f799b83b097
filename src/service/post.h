/* What most mails are made of: the values that templates are filled with, the sheet, the page of rules. */
#ifndef GALLOPER_SERVICE_POST_H
#define GALLOPER_SERVICE_POST_H

#include "report/template.h"
#include "service/letters.h"

enum { POST_VALUES_MAX = 160 };

struct values {
	struct value list[POST_VALUES_MAX];
	int count;
};

/* Adds a value; the text is kept, not copied; NULL is "". */
void put_value(struct values *v, const char *name, const char *text);

/* The value of what is or is not. */
const char *flag(bool yes);

/* "map" and "legend": the pieces of `shown` (NULL: no map), and the ordered moves of `plan` (NULL for none). */
void put_map(struct values *v, TALLOC_CTX *mem, const struct scenario *sc, const struct state *shown,
	const struct plan *plan);

struct post {
	const struct board *board;   /* NULL: of no game */
	const struct player *player; /* NULL: to `recipient` */
	const char *recipient;
	const char *template;                /* welcome: templates/welcome.txt */
	const char *printed;                 /* the order sheet's lines in it, or "" */
	const struct answered_mail *answers; /* NULL: we write by ourselves */
	int turn;                            /* that the token is for */
	int64_t shows;                       /* the turn row whose event numbers it prints; 0 = none */
	bool alone;                          /* not to the player's deputies */
	bool attach;                         /* the text also as report.txt */
};

/* False for a stopped player, who gets nothing. */
bool post_wanted(const struct post *p);

/* Renders, composes and queues what is wanted. */
struct err *post_mail(
	const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *v) MUST_CHECK;

/* The template file filled in, as no mail; on `mem`. `subject` may be NULL. */
struct err *fill_page(
	TALLOC_CTX *mem, const char *file, const struct values *v, const char **subject, char **out) MUST_CHECK;

/* Does he order something, and may he see how things stand? While a turn is held nobody may learn that from a sheet. */
bool has_sheet(const struct board *b, const struct player *p);
/* Fills in the sheet for such a player, "" for others; gives the printed lines. The second is told his side's orders in
 * force, and asks nobody. */
struct err *put_sheet(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	struct values *v, const char **printed) MUST_CHECK;
void put_sheet_of(TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book,
	struct values *v, const char **printed);

/* "Fri 15 Jan 2027, 16:00 (Europe/London)"; on `mem`. */
char *deadline_text(TALLOC_CTX *mem, const struct game *g);

/* What a player commands, in words. */
char *command_text(TALLOC_CTX *mem, const struct board *b, const struct player *p);

/* The page of rules for pupils: its template, what it needs to know of the game, and the page itself as lines. */
const char *rules_template(TALLOC_CTX *mem, const struct board *b);
void put_rules(struct values *v, TALLOC_CTX *mem, const struct scenario *sc);
struct err *rules_page(TALLOC_CTX *mem, const struct board *b, char **out) MUST_CHECK;

/* The lines about commands that HELP prints. */
char *commands_text(TALLOC_CTX *mem, const struct board *b, bool referee);

/* The game's secret seed in hexadecimal, told when the battle is over. */
char *seed_text(TALLOC_CTX *mem, const struct board *b);

#endif
