/* The parser's own state and the functions of its files for each other. Recursive descent, a function a rule: the lines
 * of a sheet (parse_sheet.c), commands (parse_command.c, command.h), subjects (parse_subject.c, groups in
 * parse_group.c), clauses (parse_clause.c; the verb in parse_verb.c, then a file for what it begins), ifs and
 * conditions (parse_if.c, parse_condition.c); names are bound in bind.c, checked in check.c, orders are added in
 * give_order.c, and what is wrong is told in diagnose.c. */
#ifndef GALLOPER_ORDERS_PARSE_H
#define GALLOPER_ORDERS_PARSE_H

#include "orders/names.h"
#include "orders/sheet.h"
#include "orders/token.h"

/* What a newline does to the order it stands in (token.number of a NEWLINE). */
enum newline { NEWLINE_ENDS, NEWLINE_GLUES, NEWLINE_BREAKS };

/* The list, on `mem`, with room for one more: it doubles when its count is a power of two. */
#define WITH_ROOM(mem, list, type, count)                                                                              \
	((count) & ((count)-1) ? (list) : talloc_realloc(mem, list, type, (count) ? 2 * (unsigned)(count) : 1))

struct subject;

/* What an order tells to do; no clauses when nothing of it could be read. */
struct given {
	struct clause *clauses;
	bool standing;
};

/* Pieces that one subject may name, doubles counted. */
enum { TAKEN_MAX = 4 * PIECES_MAX };

/* Of the pieces named so far in an entry of the sheet: how many, and how many of them before the sentence that is read
 * and before its last `if` (pronoun.c). */
enum { MENTIONS_MAX = 64 };
struct mentions {
	int count, sentence, since_if;
	bool enemy; /* "the enemy" as a whole */
};

struct parser {
	TALLOC_CTX *mem; /* the sheet; in a trial a scratch */
	const struct orders_context *ctx;
	struct sheet *sheet;
	struct names *names;
	struct lexed *lex;
	const struct token *tokens; /* its */
	int pos;
	int stop;                   /* tokens from here on count as END */
	int hole_from, hole_to;     /* tokens passed over: a subject that stood inside its clause; -1 for none */
	int trial;                  /* > 0: looking ahead, problems are only counted */
	int failures;               /* problems met, in trials too */
	int depth, condition_depth; /* of ifs, and of conditions, in each other */
	struct token_range {
		int from, to;
	} unconditional[2]; /* tokens that hold no word of a condition; the second: no `then` behind the first either */
	bool from_sheet;
	bool in_block; /* below an `if` that has a line of its own */
	struct {
		int line, end;          /* the lines of the orders read last: [line, end) */
		int orders, orders_end; /* those orders in the sheet */
	} last;
	bool proving;         /* reading suggestions, to see whether they read */
	bool full;            /* the limit of orders is reached and said */
	unsigned char *opens; /* for each line its enum opening, 0 while unknown */
	int *opens_at;        /* the token at which that opening stands, numbering passed */
	bool *understood;     /* of each line: an order, or a part of one, was read from it (lost_line.c) */
	struct piece_set own, enemy, commanders, guns, everything;
	struct piece_set excepted; /* by an exception behind the clauses */
	struct given given;        /* of the order read last, for "Price's too" */
	struct subject *look;      /* scratch of order_begins */
	struct opening_order {
		struct subject *subject; /* of the order that a line was found to open with at that token, */
		int from, stop;          /* where p->stop stood then; from is -1 for none */
	} openings[2];                   /* of the line that is read and of the next: by its number's last bit */
	struct subject *subject;         /* of the order that is read */
	bool ordering;                   /* its clauses are being read */
	int *taken;                      /* its pieces, while it is given */
	struct mentions mentions;
	int mentioned[MENTIONS_MAX]; /* indices of pieces */
	int loose_pronoun;           /* in "it is within 6" of the condition read last; -1 for none */
	TALLOC_CTX *work;            /* all that lives no longer than the reading */
	TALLOC_CTX *scratch;         /* what trials allocate */
	int indent;                  /* common to all lines */
};

/* --- tokens (parse_sheet.c) ------------------------------------------------------------------------------------- */

/* The token at p->pos, after passing holes and glued newlines. */
const struct token *pass_to_token(struct parser *p);
static inline const struct token *here(struct parser *p)
{
	const struct token *t = &p->tokens[p->pos];

	if (p->pos >= p->stop)
		return &p->tokens[p->lex->count - 1];
	return p->pos != p->hole_from && t->type != TOKEN_NEWLINE ? t : pass_to_token(p);
}
/* The token `n` places after that one. */
const struct token *pass_ahead(struct parser *p, int n);
static inline const struct token *ahead(struct parser *p, int n)
{
	const struct token *t = here(p);

	/* the next one, when nothing has to be passed over */
	if (n == 1 && p->pos + 1 < p->stop && p->hole_from < 0 && t[1].type != TOKEN_NEWLINE)
		return t + 1;
	return n ? pass_ahead(p, n) : t;
}
void advance(struct parser *p);
static inline enum key key_here(struct parser *p)
{
	return here(p)->key;
}
static inline enum key key_ahead(struct parser *p, int n)
{
	return ahead(p, n)->key;
}
/* Is the token here that word, folded? */
bool is_word_ahead(struct parser *p, int n, const char *folded);
bool is_word_here(struct parser *p, const char *folded);
bool take_key(struct parser *p, enum key key);
bool take_type(struct parser *p, enum token_type type);
bool at_end(struct parser *p);

/* A look ahead: remembers the place, counts problems only. */
struct trial {
	int pos, failures;
	struct given given;
	struct mentions mentions;
	TALLOC_CTX *mem;
};
struct trial trial_begin(struct parser *p);
/* Back to where it began; true when nothing was wrong since. */
bool trial_end(struct parser *p, struct trial t);

enum { SEPARATOR_SOFT = 1, SEPARATOR_HARD = 2, SEPARATOR_SENTENCE = 4, SEPARATOR_BREAK = 8, SEPARATOR_THEN = 16 };
/* Takes a run of separators; what they were, or 0 for none. */
int separators(struct parser *p);
/* The same without taking them; *after is the place behind them. */
int separators_ahead(struct parser *p, int *after);
void skip_to_separator(struct parser *p);      /* any */
void skip_to_hard_separator(struct parser *p); /* ; . ! ? or a line that opens with a verb */
void skip_numbering(struct parser *p);

/* --- names (bind.c) --------------------------------------------------------------------------------------------- */

struct match {
	struct piece_set set; /* all pieces, of both sides, that it may mean */
	int from, end;        /* tokens */
	bool by_code;
	bool whole; /* a full name, of more words than one */
};
/* The longest name, code or id at p->pos; does not move. */
bool match_piece(struct parser *p, struct match *m);
/* "Ligonier's foot", "Hamilton's horses": takes the kind behind a name, which narrows what it may be. */
void take_kind_beside(struct parser *p, struct match *m);
/* Does a full name of several words stand at p->pos? It is a name even where its first word could mean something else:
 * "All Saints", "Right Honourables". */
bool match_whole(struct parser *p, struct match *m);
/* Is the token exactly that, its case too? */
bool is_typed(const struct parser *p, const struct token *t, const char *name);
/* "2" in "guns 1, 2 and 4": the number at p->pos as the next gun's. */
bool match_next_gun(struct parser *p, struct match *m);
/* "2" in "Atholls 1 and 2", behind that match. */
bool match_next_ordinal(struct parser *p, const struct match *before, struct match *m);

enum role {
	ROLE_OWN,
	ROLE_ENEMY,
	ROLE_EITHER,
	ROLE_OWN_FORMED,    /* join: not a commander, not a gun */
	ROLE_OWN_COMMANDER, /* the subject of join */
};
/* The one piece meant, given who may stand there, or -1 after telling why not. */
int bind_piece(struct parser *p, const struct match *m, enum role role);
/* Takes a piece at p->pos; -1 after a problem (then p->pos has passed the words that are no name). */
int want_piece(struct parser *p, enum role role, const char *expected);
struct piece_set role_set(struct parser *p, enum role role);
/* Those of the own pieces that the writer himself commands; all of them when he commands none. */
struct piece_set his_of_side(struct parser *p, struct piece_set set);

/* The enemy unit of that kind (KEY_ENEMY: of any) that now stands nearest to the order's unit, and is none of `but`
 * (which may be NULL); -1 for none (vague.c). */
int enemy_nearest_now(struct parser *p, enum key kind, const struct piece_set *but);
/* The same for that unit; with -1 the first of the enemy's. */
int enemy_nearest_to(struct parser *p, int unit, enum key kind, const struct piece_set *but);
/* An enemy's code for the examples in messages: "j" where that is one's. */
const char *enemy_code(struct parser *p);
/* "the nearest cavalry", "the enemy", where one unit must be named: asked about and taken. False when it is not that.
 */
bool tell_vague_piece(struct parser *p);

/* --- "them", "it" (pronoun.c) ------------------------------------------------------------------------------------ */

void mention_piece(struct parser *p, int piece); /* it was named; -1 when its name was not understood */
void mention_entry(struct parser *p);            /* a new entry of the sheet begins: nobody has been named */
void mention_sentence(struct parser *p);         /* a new sentence of it: who is named there comes first */
void mention_if(struct parser *p);               /* an `if` that leads: likewise */
bool pronoun_begins(struct parser *p);           /* "them", "it", not "you" */
/* Takes it: the one piece of that role that was named last, or -1 after a problem. */
int want_pronoun(struct parser *p, enum role role);
/* Who may be meant by it; *unread when a name before it was not understood. */
struct piece_set named_lately(struct parser *p, enum role role, bool *unread);
/* Asks whom the token means: none of the set, or more than one. */
void tell_pronoun(struct parser *p, int at, const struct piece_set *set, enum role role, bool unread);

/* --- check.c ---------------------------------------------------------------------------------------------------- */

/* May the player order it? Tells why not. `commander_verb`: what only a commander does, join or rally; else NULL. */
bool check_subject(struct parser *p, int piece, const char *commander_verb, int from, int end);
/* Notes a target that is gone. */
void check_target(struct parser *p, int piece, int from);
bool may_order(const struct parser *p, int piece);

/* --- subjects (parse_subject.c) --------------------------------------------------------------------------------- */

enum item_kind { ITEM_PIECE, ITEM_RANGE, ITEM_SET, ITEM_WING, ITEM_ALL, ITEM_ELSE };

struct item {
	enum item_kind kind;
	struct match match, last; /* PIECE; RANGE has both */
	struct piece_set set;     /* SET, WING, ALL: own pieces, commanders left out */
	int wanted;               /* SET, WING: how many there should be; 0 = any number */
	const char *text;         /* WING, ALL: canonical; on p->work, since a look ahead may be kept */
	bool men_of;              /* WING: "Huske's men" */
	int from, end;
};

enum { SUBJECT_ITEMS_MAX = 64 };

struct subject {
	struct item items[SUBJECT_ITEMS_MAX];
	int count;
	struct item excepted[SUBJECT_ITEMS_MAX];
	int excepted_count;
	int who; /* token after "who", or -1 */
	int from, end;
	bool marked; /* followed by `:` or ` - ` */
	bool too_many;
};

void subject_clear(struct subject *s);

/* Where a new order is looked for: at a line's or sentence's start a group may stand, after a comma one piece only. */
enum place_in_line { IN_MIDDLE, AT_START };
/* A subject at p->pos. False when none stands there. Moves behind it on success. */
bool parse_subject(struct parser *p, enum place_in_line where, struct subject *s);
/* Quick: is the first word one that a subject can begin with? */
bool subject_may_begin(struct parser *p);
/* "always" and a verb behind it, at p->pos: "Frasers always fire". */
bool always_begins(struct parser *p);
/* Has its first item pieces of the writer's own? */
bool subject_has_own(struct parser *p, const struct subject *s);
/* Takes what stands between a subject and its clauses: `:`, ` - `, "to", "should", "both", a comma. */
void subject_mark(struct parser *p, struct subject *s);
/* Takes "except", "except for", "apart from". */
void take_except(struct parser *p);
/* A subject that is followed by `:`, ` - ` or a verb at p->pos; does not move. */
bool order_begins(struct parser *p, enum place_in_line where);
/* The same at a line's opening; order_begins and parse_subject then know the answer, when that line is read. */
bool opens_with_order(struct parser *p);
/* Binds it and adds its orders with those clauses to the sheet. */
void give_order(struct parser *p, const struct subject *s, bool standing, struct clause *clauses, enum order_kind kind);
/* The pieces that it names, in that order, at most `max`; how many. */
int subject_pieces(struct parser *p, const struct subject *s, int *out, int max);
/* After everything is read: what "else" means. */
void settle_else(struct parser *p);

/* Groups (parse_group.c). `wanted` is how many pieces there should be, 0 for any number. */
bool key_is_kind(enum key key);                         /* foot, horse, dragoons, guns, clans */
void skip_before_item(struct parser *p);                /* "the", "our", "please" */
struct piece_set rank_and_file(const struct parser *p); /* own pieces without commanders */
bool unit_is_of_kind(const struct unit *u, enum key kind);
/* The own pieces of that kind, and its canonical name. */
struct piece_set kind_set(const struct parser *p, enum key key, const char **text);
/* "horse", "clan": such a word, taken for a piece in whose name it stands, but not first: a kind is meant. */
bool kind_for_name(struct parser *p, const struct match *m);
bool parse_kind(struct parser *p, int wanted, struct item *item);
bool parse_wing(struct parser *p, struct item *item);
bool parse_set(struct parser *p, int wanted, struct item *item);
/* "Huske's men": behind a commander's name, taken: his wing. */
bool take_men_of(struct parser *p, struct item *item);
/* What may follow "all" or "everyone". */
bool parse_all(struct parser *p, struct item *item);

/* --- clauses ---------------------------------------------------------------------------------------------------- */

struct clause_list {
	struct clause *first;
	struct clause **last; /* the pointer that holds the last clause */
	struct clause **end;  /* the pointer after it, where the next one goes */
};

void list_init(struct clause_list *l);
void list_append(struct clause_list *l, struct clause *c); /* nothing when it is NULL */
struct clause *new_clause(struct parser *p, enum clause_kind kind);

/* Clauses up to the end of the order, or to where another order begins. `except` gets a subject excepted at the end. */
struct clause *parse_clauses(struct parser *p, const struct subject *of, struct piece_set *except);
/* One clause, trailing condition included, added to the list. False when it was bad and p->pos was moved on. */
bool parse_clause(struct parser *p, struct clause_list *list);
/* What stands here goes on no clause: a separator, a verb, an order, the end. */
bool ends_clause(struct parser *p);

/* parse_verb.c */
bool verb_begins(struct parser *p);
struct clause *parse_verb(struct parser *p); /* what the verb at p->pos begins; NULL for nothing, told or noted */
void skip_before_verb(struct parser *p);     /* words that change nothing */
struct clause *parse_no_pursuit(struct parser *p);
/* "gun 1: at c", "Huske with R": the verb that such a word at p->pos and the name behind it leave out; NULL for none.
 */
const char *verb_left_out(struct parser *p);

/* correction.c: "no wait, ..." at p->pos, behind the clauses of an order: what follows stands instead of the last of
 * them, or it is asked. False when none stands here, or nothing stands before it. */
bool take_correction(struct parser *p, struct clause_list *list);
/* "actually", "no wait" at p->pos; does not move. */
bool correction_begins(struct parser *p);
/* possible.c */
/* "if possible", "if they can reach them"; of fire "if in range" too: how many tokens; 0 for none. */
int idle_if(struct parser *p, bool fires);
void skip_idle_if(struct parser *p, bool fires);
/* "If possible, R should charge j": passes those words where an order begins behind them. */
void skip_idle_if_before_order(struct parser *p);
/* Takes "or", "or else", "otherwise", "if possible, otherwise", "if not possible" and the same verb again: what joins a
 * further target of the verb to the one before. */
bool take_or_else(struct parser *p, enum key verb);
/* "charge j, otherwise hold": an "otherwise" at p->pos without an `if` before it, and what is done then. False when
 * none stands here that can be read. */
bool parse_if_impossible(struct parser *p, struct clause_list *list);

/* "please", "thank you", "if possible" behind a clause. */
void skip_politeness(struct parser *p, const struct clause *c);
/* "pull out of the fight", told and taken. */
bool tell_leaving_melee(struct parser *p);
/* "keep fighting" at p->pos, taken: a `hold` for the list, unless one stands last before it (melee_talk.c). */
bool talks_of_melee(struct parser *p, const struct clause_list *before, struct clause_list *list);
/* parse_negation.c; `earlier` are the clauses before it in the order */
bool negation_begins(struct parser *p);
bool parse_negation(struct parser *p, struct clause_list *list, const struct clause_list *earlier);
/* "don't go past Munro's", told, and the move before it taken out of the list; false when none stands here. */
bool tell_limit(struct parser *p, struct clause_list *list);
/* An `if` at p->pos; `trailing` when it directly follows the clauses of the list, which it then governs. */
bool parse_if(struct parser *p, struct clause_list *list, bool trailing);
/* Takes `[ sep ] ("otherwise" | "else" | "or else" | "if not")`. */
bool take_otherwise(struct parser *p);
/* "otherwise" behind a clause that the last `if` of the order does not govern: that one's other case, with a note. */
bool parse_late_otherwise(struct parser *p, struct clause *first);
/* "while Price's hold" at p->pos: an order beside the one before it, and no condition (parse_if.c). */
bool while_order_begins(struct parser *p);
/* "but if", "except if" at p->pos: it never trails what stands before it. */
bool exception_begins(struct parser *p);
/* Can a clause begin at p->pos? `bare` also admits a leg without a verb. */
bool clause_begins(struct parser *p, bool bare);
/* "step back", "head north", "back off" */
bool step_begins(struct parser *p);
/* "Price's too", "same for the Royals": the orders given last are for them likewise. Does not move. */
bool echo_begins(struct parser *p, enum place_in_line where);
void read_echo(struct parser *p);
/* "everyone 2 forward, Barrell's 4": behind an order that is one move, another's name and its distance. Does not move.
 */
bool other_distance_begins(struct parser *p, const struct clause *before);
void read_other_distance(struct parser *p);
/* "Same again", "as last turn", "carry on" for a clause, told and taken: a sheet does not know last turn's orders. */
bool tell_repeat(struct parser *p);
/* One's own unit and a word that is nearly a verb: "Price's chrge j". Does not move. */
bool slip_begins(struct parser *p);
bool condition_begins(struct parser *p);
/* RH20: "before moving", "after firing" at p->pos: what follows comes after, or before, what was said last. */
enum turned { NOT_TURNED, TURNED_BEFORE, TURNED_AFTER };
enum turned turned_verb(struct parser *p);
/* "next turn", "wait a turn": how many tokens; 0 when none stand here. An order must not come a turn early. */
int time_words(struct parser *p);
/* After a condition that cannot be read: all it governs is passed over. */
void lose_governed(struct parser *p);
/* The same where a condition or negation leads; if no verb stands before the next hard separator ("if c within 8.
 * charge c"), what stands behind that is passed over too. */
void lose_leading(struct parser *p);
/* Does anything up to the next clause look like a condition? With `at_start` a later "then" does too. */
bool condition_lurks(struct parser *p, bool at_start);

/* An `if` and its condition that have the line to themselves, at p->pos: false when something else stands there too. A
 * condition that cannot be read is told, and *out is NULL. */
bool parse_lone_if(struct parser *p, struct condition **out);
/* The clauses again, each of them only if the condition holds. Takes the list apart. */
struct clause *govern(struct parser *p, const struct condition *condition, struct clause *clauses);

struct clause *parse_fire(struct parser *p);
struct clause *parse_volley(struct parser *p); /* "c a volley", behind "give" */
struct clause *parse_charge(struct parser *p);
struct clause *parse_melee(struct parser *p);
void parse_targets(struct parser *p, struct clause *c);
bool targets_begin(struct parser *p); /* also "at", and what is no target but was meant for one */

/* parse_hold.c; the verb has been taken */
struct clause *parse_join(struct parser *p, enum clause_kind kind);
/* "They" at p->pos, and something for them to do, behind clauses of which the last joins a unit: that unit; else -1. */
int joined_unit(struct parser *p, const struct clause *last);
struct clause *parse_leave(struct parser *p);
struct clause *parse_form(struct parser *p);
struct clause *parse_hold(struct parser *p, enum key verb);
struct clause *parse_hold_fire(struct parser *p);
/* What the other rule set alone knows is read, and said to do nothing. */
void tell_meaningless(struct parser *p, int verb);

struct clause *parse_move(struct parser *p, enum key verb);
struct clause *parse_face(struct parser *p);
int parse_angle(struct parser *p, int otherwise); /* angle = number [ "degrees" ] */
struct clause *parse_turn(struct parser *p, enum key verb);
bool leg_begins(struct parser *p);
/* "advance 4 and S 5": south, or one's own S, whose code it is as it is typed? That piece; -1 where it is no question,
 * as behind "then" or another compass point. */
int code_or_way(struct parser *p);
void skip_before_number(struct parser *p);           /* "by", "about", "my": when a number stands behind them */
bool parse_distance(struct parser *p, int32_t *out); /* "", false and untouched when none stands there */
bool number_begins(struct parser *p);
bool parse_number(struct parser *p, int32_t *thousandths);
bool parse_place(struct parser *p, struct point *out,
	char *square); /* false when none stands there; `square` gets its name, or "" */
bool parse_heading(struct parser *p, struct heading *out);
/* "to H4", "towards H4": the same behind such a word. */
bool is_place_next(struct parser *p, struct point *out, char *square);
enum { SQUARE_SIDE = 6000 };
bool square_ahead(struct parser *p);     /* "H4" */
bool pair_ahead(struct parser *p);       /* "(40,22)" */
bool ask_about_square(struct parser *p); /* of "b4", which may be "before"; false when none stands here */
void name_square(const struct token *letter, const struct token *row, char *name); /* "H 4" */
bool take_degrees(struct parser *p);                                               /* the word or the sign */
/* A letter directly before `:` or a verb, which is no direction (rule 15). */
bool is_compass(struct parser *p, int n);
bool is_subject_letter(struct parser *p);

/* NULL after telling what was expected. */
struct condition *parse_condition(struct parser *p);
/* NULL of NULL. */
struct condition *condition_not(struct parser *p, struct condition *c);

/* --- sheet and commands ----------------------------------------------------------------------------------------- */

/* A command on the line at p->pos (which ends at p->stop); true when it was one, whatever came of it. */
bool parse_command(struct parser *p);
/* The command that takes no words, read from what the tokens from `from` to before `end` say in plain words. */
void add_plain_command(struct parser *p, enum command_verb verb, int from, int end);
/* "S: cancel", the line beginning at the token: the same as "cancel S". */
void cancel_subject(struct parser *p, const struct subject *s, int start);
/* "ok accept", "I'm ready": on to the command, when the line is nothing else. */
bool skip_before_assent(struct parser *p);
/* "I'm not ready yet": is all that is left of the line WAIT in plain words? Does not move (parse_wait.c). */
bool wait_begins(const struct parser *p);
/* Is it one? Does not move. */
bool command_begins(struct parser *p);
/* Does a command stand at p->pos, right up to the end of the line? */
bool command_fits(struct parser *p);
/* A referee writes like anybody: "yes, pls release it". Passes what stands before a command; false when none follows
 * (parse_referee.c). */
bool referee_asks(struct parser *p);
/* A line of a referee's that is meant as a command and is none, as "put R at B7": told how it is written. */
bool tell_referee(struct parser *p, int line);
/* Of that, when it names a unit and its orders: how they are taken back (referee_wish.c). */
bool tell_orders_meant(struct parser *p, int line);
/* Of that: a change of what has happened, in plain words. */
bool tell_change(struct parser *p, int line);
/* Is the token a part of one like "8b", a class? Neither its number nor its letter stands for anything else then. */
bool is_glued(const struct parser *p, int token);
/* The piece that a match means: of two with the same letter the one whose code is typed so. */
int meant_piece(struct parser *p, const struct match *m);
/* A whole number in digits or as a word, or -1. */
int whole_number(const struct token *t);
/* "STATSU" alone on its line, at p->pos: asks whether STATUS was meant. */
bool tell_nearly_command(struct parser *p);

/* --- diagnose.c ------------------------------------------------------------------------------------------------- */

/* A problem with the tokens [from, end). `replacement` (may be NULL) is what ACCEPT puts there; `suggestion` is what
 * may stand there instead but only a person can say. The reader is shown the whole line with either in its place. */
void problem(struct parser *p, enum problem_kind kind, int from, int end, const char *suggestion,
	const char *replacement, const char *format, ...) PRINTF_LIKE(7, 8);
/* Gives the problem told last another suggestion: a pattern, or lines to choose from. */
void suggest_line(struct parser *p, int failures_before, const char *line);
/* The same: an example of an order for that unit, of the kind that the line seems to wish; none where it seems to wish
 * nothing but a hold (suggest.c). */
void suggest_for_unit(struct parser *p, int failures_before, int unit);
/* Of the problem told last it is asked which piece of the set is to stand at its place: lines to choose from. With
 * `several` all of them may be meant: that is the last choice. */
void suggest_choices(struct parser *p, int failures_before, const struct piece_set *set, bool several);
/* At that token one of two words must stand, and only a person can say which. */
void problem_choice(struct parser *p, int token, const char *one, const char *other, const char *message);
/* What ACCEPT does about the problem told last is to put the line that begins with `first` behind `above`. */
void join_lines(struct parser *p, const struct token *above, const struct token *first);
/* After a text is read, every suggestion becomes the whole line as it would be right, all slips of it mended; what
 * would not read so is taken back (mend.c). */
void mend_lines(struct parser *p, int first_problem);
/* Last, a line to write instead for the problems that have none (suggest.c). */
void suggest_patterns(struct parser *p, int first_problem);
/* orders_read of a text with suggestions in it, which proves none (parse_sheet.c). */
struct sheet *read_again(TALLOC_CTX *mem, const char *text, size_t len, const struct orders_context *context);
void note(struct parser *p, int token, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same of a line, 1-based. */
void note_at(struct parser *p, int line, const char *text);
/* The tokens' text as typed, shortened when long. On the scratch of the parser. */
const char *typed_text(struct parser *p, int from, int end);
/* The word as one begins a sentence: "Charge". */
const char *word_to_begin(struct parser *p, int token);
/* " Yours are: Left wing, Right wing."; "" where nobody is in a wing. On the scratch of the parser. */
const char *own_wings(struct parser *p);
/* An unknown name at [from, end): nearest piece among the role's. */
void unknown_piece(struct parser *p, int from, int end, enum role role, const char *expected);
/* Is the word nearly one of a name of the pieces? */
bool like_piece(struct parser *p, const struct token *t, const struct piece_set *among);
/* The word nearest to the token among the vocabulary's verbs (or all of it), or NULL. */
const char *nearest_word(struct parser *p, const struct token *t, bool verbs);
void set_aside_text(struct parser *p, const char *text, size_t len);
void set_aside_line(struct parser *p, int line);
char *ask_between(struct parser *p, const struct piece_set *set);

#endif
