#include "service/answer.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/verbs.h"
#include "report/template.h"
#include "service/accepted.h"
#include "service/answer_pages.h"
#include "service/answer_read.h"
#include "service/answer_text.h"
#include "service/board.h"
#include "service/commands.h"
#include "service/digest.h"
#include "service/drill.h"
#include "service/letters.h"
#include "service/part.h"
#include "service/partners.h"
#include "service/people.h"
#include "service/post.h"
#include "service/record.h"
#include "service/unread.h"
#include "service/writer.h"
#include "store/outbox.h"

#include <string.h>

enum { DAY = 24 * 3600, HOUR = 3600, THREAD_MAX = 64 };

/* One mail on its way through. */
struct reading {
	const struct service *s;
	TALLOC_CTX *mem;
	const struct incoming *in;
	const struct message *m;
	struct answered_mail to;
	int64_t now;
	struct answer *out;
	struct buf *did; /* what the record says of a mail */
	bool acted;      /* it did something in the player's name, and did not only ask */
	bool tried;      /* it held orders, understood or not */
	bool answered;   /* and not only kept, for want of answers in this hour */
	bool other_line; /* it answers a mail of a line of play that has been left */
	bool mixed;      /* it is for several of the games that are played from its address, or from several players */
	const char
		*elsewhere; /* the game that it names, when its writer plays there too and answers a mail of another */
	const struct sheet *still; /* problems of earlier mails that are not mended (unread_before) */
};

static void settle(struct reading *r, const char *state, const char *folder, const char *why)
{
	r->out->state = state;
	r->out->folder = folder;
	r->out->why = why;
}

/* --- bounds on answers ----------------------------------------------------------------------------------------- */

/* What acts (orders, READY ...) is answered more often than what only asks, for a loop of mails does not act. A referee
 * at work writes many mails, and a drill is played move by move. */
enum { ACTING_TIMES = 6, CLAIMED_A_DAY = 3 };

/* One polite mail a day to somebody who proves nothing (three to a player's own address), and within the hour's bound
 * on all answers to an address. */
static struct err *may_answer_stranger(const struct reading *r, const struct writer *w, bool *may)
{
	const char *kind = w->game_count > 0 ? "no key" : "failure";
	int hour = 0, day = 0;
	struct err *e = store_answers_since(r->s->store, r->mem, r->to.sender, "", r->now - HOUR, r->now, &hour);

	if (e == NULL)
		e = store_answers_since(r->s->store, r->mem, r->to.sender, kind, r->now - DAY, r->now, &day);
	*may = e == NULL && hour < r->s->config->answers_per_hour && day < (w->game_count > 0 ? CLAIMED_A_DAY : 1);
	return *may ? store_answered(r->s->store, r->mem, r->to.sender, kind, r->now) : e;
}

static struct err *answer_stranger(struct reading *r, const struct writer *w)
{
	bool again, may, replaced;
	struct game *game;
	struct err *e = store_mail_rejected_before(r->s->store, r->mem, r->in->id, &again);

	settle(r, "rejected", "Rejected", "nobody we know, or no proof of who it is");
	if (e != NULL || again) /* its sender knows */
		return e;
	e = may_answer_stranger(r, w, &may);
	if (e == NULL && may)
		e = writer_left(r->s, r->mem, r->m, r->to.sender, &game, &replaced);
	if (e == NULL && may)
		e = letter_failure(r->s, r->mem, &r->to,
			game != NULL ? answer_left(r->mem, game->name, replaced) : answer_no_proof(r->mem, w),
			answer_how(r->mem, w), game != NULL);
	return e != NULL ? e
			 : digest_stranger(r->s, r->mem, r->to.sender, r->m->subject,
				   w->named == NULL && w->game_count == 1 ? w->games[0].name : w->named);
}

/* Nobody can be answered: the operator is told, once a day at most. */
static struct err *reject_unsigned(struct reading *r)
{
	const char *operator_address = r->s->config->operator_address;
	int day = 0;
	struct err *e = NULL;

	settle(r, "rejected", "Rejected", r->m->sender_unknown);
	if (operator_address[0] == '\0')
		return NULL;
	e = store_answers_since(r->s->store, r->mem, operator_address, "unsigned", r->now - DAY, r->now, &day);
	if (e != NULL || day > 0)
		return e;
	e = store_answered(r->s->store, r->mem, operator_address, "unsigned", r->now);
	if (e != NULL)
		return e;
	return letter_to_operator(r->s, r->mem, "A mail without a clear sender",
		talloc_asprintf(r->mem,
			"Mail %lld names no one sender (%s), so nobody could be answered. It lies in the folder for "
			"rejected mail. "
			"There may be more like it; you are told once a day.",
			(long long)r->in->id, r->m->sender_unknown));
}

/* --- a player's mail ------------------------------------------------------------------------------------------- */

/* Does the mail answer one of another turn than the open one? `turn` is 0 for a fresh mail. */
static bool is_stale(const struct reading *r, const struct game *g, int turn)
{
	return turn > 0 && (turn != g->turn || r->other_line);
}

/* Whose event numbers the player has before him: those of the mail that he answers, else of the last one of the thread
 * or of all that printed any. */
static struct err *find_shown(struct reading *r, const struct player *p)
{
	const char *ids = buf_text(r->mem, "%s %s", r->m->references, r->m->in_reply_to);
	struct err *e = NULL;
	int looked = 0;

	for (const char *at = ids; e == NULL && (at = strchr(at, '<')) != NULL && looked++ < THREAD_MAX; at++) {
		struct outgoing *o;

		e = store_mail_sent_as(r->s->store, r->mem, talloc_strndup(r->mem, at, strcspn(at, ">") + 1), &o);
		if (e == NULL && o != NULL && o->player == p->id && o->shows != 0)
			r->to.shows = o->shows;
	}
	if (e == NULL && r->to.shows == 0)
		e = store_last_shown(r->s->store, r->mem, p->id, &r->to.shows);
	return e;
}

static struct err *read_typed(struct reading *r, const struct board *b, const struct player *p,
	struct orders_context *context, struct sheet **out)
{
	struct err *e = answer_read(r->s, r->mem, r->m, r->to.sender, p, context, out);

	return e != NULL ? e : partners_name_fellows(r->s, r->mem, b, p, r->to.sender, *out);
}

static bool wants_store(const struct sheet *sheet)
{
	return !sheet->refused && (sheet->order_count > 0 || sheet->priority_count > 0);
}

static bool has_command(const struct sheet *sheet, enum command_verb verb)
{
	for (int i = 0; i < sheet->command_count; i++)
		if (sheet->commands[i].verb == verb)
			return true;
	return false;
}

static bool accepts(const struct sheet *sheet)
{
	return has_command(sheet, COMMAND_ACCEPT);
}

/* A mail that says yes and nothing else. */
static bool says_yes(const struct reading *r, const struct sheet *sheet)
{
	bool alone;

	return sheet->order_count == 0 && sheet->priority_count == 0 && sheet->problem_count == 0 &&
	       sheet->command_count == 0 && orders_assent(r->mem, r->m->typed.text, &alone) != NULL && alone;
}

/* Adds to what the record says of this mail. */
static void did(struct reading *r, const char *what)
{
	buf_printf(r->did, "%s%s", r->did->len > 0 ? ", " : "", what);
}

/* Is this command more than a question? */
static bool acts(enum command_verb verb)
{
	return verb > COMMAND_WHY && verb != COMMAND_DRILL;
}

static void note_command(struct reading *r, enum command_verb verb)
{
	did(r, command_name(r->mem, verb));
	r->acted |= acts(verb);
}

/* `unread`: how many problems were found in `typed`. */
static struct err *keep_sheet(struct reading *r, const struct board *b, const struct player *p,
	const struct sheet *sheet, const struct orders_context *context, const char *typed, int unread,
	struct sheet_row *row)
{
	struct err *e;

	*row = (struct sheet_row){
		.player = p->id,
		.mail = r->in->id,
		.arrived = r->in->arrived,
		.unread = unread,
		.plain = board_plain_pieces(r->mem, b, sheet),
		.canonical = orders_canonical(r->mem, sheet, context),
		.typed = context->sheet_len > 0 ? talloc_asprintf(r->mem, "%s\n%s", context->sheet, typed) : typed,
	};
	e = store_add_sheet(r->s->store, r->mem, b->game, row);
	if (e == NULL)
		board_keeps(b, row, sheet);
	r->acted |= wants_store(sheet);
	r->tried = true;
	if (e == NULL && wants_store(sheet))
		did(r, buf_text(r->mem, "orders for turn %d (no. %d)", b->game->turn, row->number));
	return e;
}

/* What a player is to do whose mail came too late or was for something else. */
static const char *write_again(struct reading *r, const struct board *b)
{
	return talloc_asprintf(r->mem,
		"Turn %d is open now: please answer this mail with orders for it, or fill in the sheet below.",
		b->game->turn);
}

/* A mail for a turn that is over, or for a battle that is. */
static struct err *answer_stale(struct reading *r, const struct board *b, const struct player *p, int turn)
{
	const char *subject = talloc_asprintf(r->mem, "Too late for turn %d", turn), *text, *lines = "";

	if (strcmp(b->game->status, "ended") == 0) {
		subject = "The battle is over";
		text = is_drill(b->game)
			       ? "This drill is over, so nothing was done with your mail. For a new one write "
				 "DRILL in answer to a mail of your game."
			       : "The battle is over, so nothing was done with your mail. Thank you for "
				 "playing!";
	} else if (strcmp(b->game->status, "setup") == 0) {
		subject = "The game has not begun";
		text = "The game has not begun yet. You will get a welcome mail when it does.";
	} else if (player_side(p) < 0) {
		text = talloc_asprintf(r->mem,
			"Your mail answers one from %s, and we are at turn %d now, so nothing was done. To step in at "
			"turn %d, please answer this mail or a newer one.",
			r->other_line ? "before the line of play was changed" : "an earlier turn", b->game->turn,
			b->game->turn);
	} else if (r->other_line) {
		subject = "Too late: the line of play has changed";
		text = talloc_asprintf(r->mem,
			"Your mail answers one that counts no more: since then the referee has changed the line of "
			"play, so that turns are played again. Nothing of your mail was taken as an order. %s",
			write_again(r, b));
		lines = answer_typed_lines(r->mem, r->m);
	} else {
		text = talloc_asprintf(r->mem,
			"Your mail came too late for turn %d, which is over. Nothing of it was taken as an order. %s",
			turn, write_again(r, b));
		lines = answer_typed_lines(r->mem, r->m);
	}
	text = talloc_asprintf(r->mem, "%s%s", text_wrap(r->mem, text, LETTER_COLUMNS, 0), lines);
	return letter_answer(r->s, r->mem, b, p, &r->to, subject, text, true);
}

static const char nothing_taken[] = "Nothing of your mail was taken";

/* A sheet of which nothing counts: for another game or turn, or too long. Its problems say why. */
static struct err *answer_refused(
	struct reading *r, const struct board *b, const struct player *p, const struct sheet *sheet)
{
	struct buf *text = buf_new(r->mem);

	buf_adds(text, "Nothing of your mail was taken as an order.\n");
	for (int i = 0; i < sheet->problem_count; i++) {
		if (sheet->problems[i].kind == PROBLEM_STALE || sheet->problems[i].kind == PROBLEM_TOO_LARGE)
			buf_printf(text, "\n%s\n", text_wrap(text, sheet->problems[i].message, LETTER_COLUMNS, 0));
	}
	if (player_side(p) >= 0)
		buf_printf(text, "\n%s%s",
			text_wrap(text, r->elsewhere != NULL ? answer_elsewhere(text, r->elsewhere) : write_again(r, b),
				LETTER_COLUMNS, 0),
			answer_typed_lines(text, r->m));
	return letter_answer(r->s, r->mem, b, p, &r->to, nothing_taken, text->data, r->elsewhere == NULL);
}

/* "Answer to STATUS, READY": the first words of what was asked, each once. */
static const char *answer_subject(TALLOC_CTX *mem, const struct sheet *sheet)
{
	enum { NAMED_MAX = 4 };
	bool named[COMMAND_VERBS] = {false};
	struct buf out;

	if (sheet->command_count == 0)
		return "Answer";
	buf_open(&out, mem);
	for (int i = 0; i < sheet->command_count && i < NAMED_MAX; i++) {
		enum command_verb verb = sheet->commands[i].verb;

		if (!named[verb])
			buf_printf(&out, "%s%s", i == 0 ? "Answer to " : ", ", command_name(mem, verb));
		named[verb] = true;
	}
	return buf_close(&out);
}

static struct err *answer_no_commander(struct reading *r, const struct board *b, const struct player *p,
	const struct sheet *sheet, const struct command_results *done)
{
	const char *said = done->said;
	bool meant = done->answered == 0 && (said[0] != '\0' || sheet->problem_count > 0);
	const char *title = meant                 ? "Nothing done yet"
			    : done->answered == 0 ? "No command found"
			    : said[0] != '\0'     ? answer_subject(r->mem, sheet)
			    : done->page_count > 0
				    ? answer_subject(r->mem, sheet)
				    : "Not read as commands"; /* the rest is answered in mails of its own */

	if (meant)
		said = talloc_asprintf(r->mem, "%s%s%s",
			text_wrap(r->mem,
				"Thank you for your mail. Nothing was done yet: below stands how to write what you may "
				"have "
				"meant, on a line of its own. HELP brings all that you can write.",
				LETTER_COLUMNS, 0),
			said[0] != '\0' ? "\n\n" : "", said);
	else if (done->answered == 0)
		said = text_wrap(r->mem,
			"Thank you for your mail. No command was found in it, so nothing was done. The one word HELP "
			"on a line of its own brings you all that you can write.",
			LETTER_COLUMNS, 0);
	said = answer_with_unread(r->mem, done, said, sheet);
	return letter_results(r->s, r->mem, b, p, &r->to, done, title, said);
}

/* Does a sheet that stands in the mail name the open turn in its mark? */
static bool marks_turn(const struct reading *r, const struct board *b)
{
	bool marked = false;

	for (int i = 0; i < r->m->typed.sheet_count; i++)
		marked |= r->m->typed.sheets[i].turn == b->game->turn;
	return marked;
}

/* A key proves who writes, but not for which turn: a mail that comes after a deadline may have been meant for it. And
 * a mail for an earlier part of this turn is kept, for some of it may still be done. */
static const char *which_turn(const struct reading *r, const struct board *b, const struct sheet *sheet, int turn)
{
	TALLOC_CTX *mem = r->mem;

	if (r->to.other_part && wants_store(sheet))
		return talloc_asprintf(mem,
			"Your mail answers one of a part of this turn that is over. By now we are at %s. Your orders "
			"are kept, and count as far as they can still be carried out.",
			part_turn_text(mem, b));
	if (turn > 0 || sheet->turn > 0 || b->game->turn == 1 || marks_turn(r, b) || !wants_store(sheet))
		return "";
	return talloc_asprintf(mem,
		"These orders count for turn %d, which is open now. Turn %d is over, and your mail did not say which "
		"turn it is for: if it was not meant for turn %d, please send new orders.",
		b->game->turn, b->game->turn - 1, b->game->turn);
}

/* A drill waits for orders that are understood, or for READY. What ACCEPT could not mend is made good by new lines
 * beside it. */
static bool drill_goes_on(const struct reading *r, const struct sheet *sheet, const struct sheet *now)
{
	return has_command(now, COMMAND_READY) ||
	       (sheet->problem_count == 0 && wants_store(sheet) && (r->still->problem_count == 0 || wants_store(now)));
}

/* Who says that he is done, or asks what is in force, hears of the lines that are no orders yet. */
static bool tells_still(const struct reading *r, const struct sheet *now)
{
	return r->still->problem_count > 0 && (has_command(now, COMMAND_READY) || has_command(now, COMMAND_ORDERS) ||
						      has_command(now, COMMAND_ACCEPT));
}

static const char *with_still(const struct reading *r, const struct board *b, const struct sheet *now, const char *said)
{
	if (!tells_still(r, now))
		return said;
	if (said[0] == '\0')
		return unread_still_text(r->mem, r->still, is_drill(b->game));
	return talloc_asprintf(r->mem, "%s%s%s", said, said[strlen(said) - 1] == '\n' ? "\n" : "\n\n",
		unread_still_text(r->mem, r->still, is_drill(b->game)));
}

static const char *commands_subject(const struct reading *r, const struct sheet *now)
{
	int lines = unread_lines(r->still, false);

	if (!tells_still(r, now))
		return answer_subject(r->mem, now);
	return talloc_asprintf(r->mem, "%d line%s still not understood. %s", lines, lines == 1 ? "" : "s",
		answer_subject(r->mem, now));
}

/* The mail's own commands (not those of an earlier mail that ACCEPT brings back) are carried out, and answered where no
 * receipt is needed. */
static struct err *answer_sheet(
	struct reading *r, struct board *b, const struct player *p, const struct sheet *now, struct receipt *receipt)
{
	const struct sheet *sheet = receipt->sheet;
	struct command_results done = {.said = ""};
	struct err *e = carry_out_commands(r->s, r->mem, b, p, &r->to, now, false, &done);

	if (e != NULL)
		return e;
	if (accepts(now) && sheet == now && player_side(p) >= 0)
		done.said = talloc_asprintf(r->mem,
			"ACCEPT: no mail of yours for this turn has left anything to accept.\n%s%s",
			done.said[0] != '\0' ? "\n" : "", done.said);
	if (player_side(p) < 0 && !sheet->refused)
		return answer_no_commander(r, b, p, now, &done);
	if (sheet->problem_count == 0 && !wants_store(sheet) && (done.answered > 0 || done.said[0] != '\0') &&
		!(is_drill(b->game) && drill_goes_on(r, sheet, now)))
		return letter_results(r->s, r->mem, b, p, &r->to, &done, commands_subject(r, now),
			with_still(r, b, now, answer_said(r->mem, &done, sheet)));
	e = letter_results(r->s, r->mem, b, p, &r->to, &done, answer_subject(r->mem, now), "");
	if (e != NULL)
		return e;
	if (sheet->refused)
		return answer_refused(r, b, p, sheet);
	if (is_drill(b->game) && drill_goes_on(r, sheet, now))
		return drill_play(r->s, r->mem, b->game, &r->to, unread_left(r->mem, sheet, r->still));
	receipt->said = done.said;
	receipt->still = r->still;
	receipt->set_aside = answer_set_aside(r->mem, &r->m->typed, &receipt->quoted);
	return letter_receipt(r->s, r->mem, b, p, &r->to, receipt, &r->out->receipt);
}

/* Commands of a mail for an earlier turn are still good where they are about no one turn (HELP, STATUS ...); its orders
 * are not. */
static struct err *answer_late(
	struct reading *r, struct board *b, const struct player *p, const struct sheet *sheet, int turn)
{
	struct command_results done = {.said = ""};
	struct err *e = carry_out_commands(r->s, r->mem, b, p, &r->to, sheet, true, &done);

	if (strcmp(b->game->status, "ended") == 0)
		did(r, "after the battle");
	else
		did(r, talloc_asprintf(r->mem, "too late for turn %d", turn));
	if (e == NULL && sheet->order_count == 0 && done.answered == sheet->command_count)
		done.said = answer_said(r->mem, &done, sheet);
	if (e == NULL)
		e = letter_results(r->s, r->mem, b, p, &r->to, &done, answer_subject(r->mem, sheet), done.said);
	if (e != NULL || (sheet->order_count == 0 && done.answered > 0 && done.answered == sheet->command_count))
		return e;
	return answer_stale(r, b, p, turn);
}

/* When the battle is over its questions are answered still: who has lost the debrief asks for it with RESEND. */
static struct err *answer_ended(struct reading *r, struct board *b, const struct player *p, int turn)
{
	struct orders_context context = board_context(r->mem, b, p);
	struct sheet *sheet;
	struct err *e = read_typed(r, b, p, &context, &sheet);

	return e != NULL ? e : answer_late(r, b, p, sheet, turn);
}

/* A player's mail while the referee is still looking at the last turn: what gives nothing of it away is answered. */
static struct err *answer_while_held(struct reading *r, struct board *b, const struct player *p)
{
	struct orders_context context = board_context(r->mem, b, p);
	const char *typed = r->m->typed.text;
	struct sheet *sheet = orders_read(r->mem, typed, strlen(typed), &context);
	struct command_results done;
	const char *what = part_resolved_text(r->mem, b->game);
	struct err *e;

	did(r, talloc_asprintf(r->mem, "while the referee had %s", what));
	for (int i = 0; i < sheet->command_count; i++)
		did(r, command_info(sheet->commands[i].verb)->usage);
	e = carry_out_commands(r->s, r->mem, b, p, &r->to, sheet, false, &done);
	if (e == NULL && sheet->order_count == 0 && done.answered == sheet->command_count)
		done.said = answer_said(r->mem, &done, sheet);
	if (e == NULL)
		e = letter_results(r->s, r->mem, b, p, &r->to, &done, "Answer", done.said);
	if (e != NULL || (done.answered > 0 && done.answered == sheet->command_count && sheet->order_count == 0))
		return e;
	return letter_answer(r->s, r->mem, b, p, &r->to, "The referee has the turn",
		text_wrap(r->mem,
			talloc_asprintf(r->mem,
				"%s is over, and the referee is looking at what has happened. You will get the "
				"report soon. Nothing of your mail was taken as an order: please answer the report "
				"then, with orders for turn %d. You will have time enough.",
				what, b->game->turn),
			LETTER_COLUMNS, 0),
		false);
}

/* For a mail that takes what was suggested, by ACCEPT or because it begins with a yes: the text to read instead; NULL
 * for none. Of one that says yes only the rest becomes *now, and only when that is for us, too. */
static const char *taken_text(const struct reading *r, const struct board *b, const struct player *p,
	const struct sheet_rows *rows, const struct orders_context *context, struct sheet **now,
	const struct sheet **before)
{
	const char *typed = r->m->typed.text, *rest, *taken;
	struct sheet *own;
	bool alone;

	if (accepts(*now))
		return accepted_text(r->mem, b, p, typed, rows, before);
	rest = rows->count > 0 ? orders_assent(r->mem, typed, &alone) : NULL;
	if (rest == NULL)
		return NULL;
	own = orders_read(r->mem, rest, strlen(rest), context);
	if (!wants_store(own) && own->problem_count + own->command_count == 0) {
		if (!alone)
			return NULL;
		rest = ""; /* a name */
		own = orders_read(r->mem, rest, 0, context);
	}
	taken = accepted_text(r->mem, b, p, rest, rows, before);
	if (taken != NULL)
		*now = own;
	return taken;
}

/* `turn` is the one that the mail answers, 0 for a fresh mail. */
static struct err *answer_orders(struct reading *r, struct board *b, const struct player *p, int turn)
{
	struct orders_context context = board_context(r->mem, b, p);
	const char *typed = r->m->typed.text, *accepted = NULL;
	const struct sheet *before = NULL;
	struct receipt receipt = {.said = ""};
	struct sheet_rows rows = {.count = 0};
	struct sheet_row row;
	struct sheet *sheet, *now;
	bool any_unread = false, ready = false;
	int unread;
	struct err *e = read_typed(r, b, p, &context, &now);

	if (e != NULL)
		return e;
	r->out->orders_only = now->command_count == 0 && !is_drill(b->game);
	for (int i = 0; i < now->command_count; i++)
		note_command(r, now->commands[i].verb);
	if (is_stale(r, b->game, turn))
		return answer_late(r, b, p, now, turn);
	if (player_side(p) >= 0)
		e = store_open_of(r->s->store, r->mem, b->game, p->id, &any_unread, &ready);
	if (e == NULL && any_unread && has_command(now, COMMAND_FORGET))
		e = store_forget_unread(r->s->store, r->mem, b->game, p->id);
	else if (e == NULL && any_unread)
		e = store_sheets(r->s->store, r->mem, b->game, p->id, &rows);
	if (e == NULL)
		accepted = taken_text(r, b, p, &rows, &context, &now, &before);
	sheet = now;
	if (accepted != NULL) {
		typed = accepted;
		sheet = orders_read(r->mem, typed, strlen(typed), &context);
	}
	unread = sheet->problem_count;
	if (accepted != NULL)
		orders_leave_told(sheet, before);
	r->still = unread_before(r->mem, &rows, sheet, typed, &context);
	receipt.sheet = sheet;
	receipt.ready = ready && !has_command(now, COMMAND_READY) && !has_command(now, COMMAND_WAIT);
	receipt.which = text_wrap(r->mem, which_turn(r, b, sheet, turn), LETTER_COLUMNS, 0);
	/* Kept even if it holds no order, so that ACCEPT finds what was typed. */
	if (e == NULL && player_side(p) >= 0 && !sheet->refused && (wants_store(sheet) || sheet->problem_count > 0)) {
		e = keep_sheet(r, b, p, sheet, &context, typed, unread, &row);
		receipt.row = wants_store(sheet) ? &row : NULL;
		if (e == NULL && receipt.row != NULL)
			e = partners_tell(r->s, r->mem, b, p, row.mail, &receipt.partners);
	}
	return e != NULL ? e : answer_sheet(r, b, p, now, &receipt);
}

/* Does the mail do something in the player's name, or try to? */
static struct err *would_act(struct reading *r, const struct board *b, const struct player *p, int turn, bool *out)
{
	struct orders_context context = board_context(r->mem, b, p);
	struct sheet *sheet;
	struct err *e = read_typed(r, b, p, &context, &sheet);

	*out = false;
	if (e != NULL || strcmp(b->game->status, "ended") == 0 || b->game->held || is_stale(r, b->game, turn))
		return e;
	*out = wants_store(sheet) || sheet->problem_count > 0 || says_yes(r, sheet);
	for (int i = 0; i < sheet->command_count; i++)
		*out = *out || acts(sheet->commands[i].verb);
	return NULL;
}

static const char *answer_kind(const struct board *b, bool acting)
{
	return is_drill(b->game) ? "drill" : acting ? "acting" : "answer";
}

/* May this mail be answered? Answers to a drill do not use up those of the real game, nor questions those of orders. */
static struct err *find_bound(struct reading *r, const struct board *b, const struct player *p, int turn, bool *may)
{
	int once = r->s->config->answers_per_hour, many = ACTING_TIMES * once, asked = 0, acted = 0, left;
	bool often = strcmp(p->role, "referee") == 0 || is_drill(b->game), act = false;
	struct err *e = store_answers_of(r->s->store, r->mem, r->to.sender, answer_kind(b, false), answer_kind(b, true),
		r->now - HOUR, r->now, &asked, &acted);

	*may = e == NULL;
	if (e != NULL || (asked + 1 < once && acted + 1 < many))
		return e;
	e = would_act(r, b, p, turn, &act);
	left = act ? many - acted : (often ? many : once) - asked;
	*may = e == NULL && left > 0;
	if (left == 1)
		r->to.last = answer_last(r->mem, strcmp(p->role, "referee") == 0, is_drill(b->game), act || often);
	return e;
}

/* More answers to this address than an hour allows: its orders count all the same, without a receipt. */
static struct err *keep_unanswered(struct reading *r, const struct board *b, const struct player *p, int turn)
{
	struct orders_context context = board_context(r->mem, b, p);
	struct sheet_row row;
	struct sheet *sheet;
	struct err *e = NULL;

	settle(r, "done", "Processed", "not answered: more answers to this address than an hour allows");
	if (r->mixed || (b->game->held && strcmp(p->role, "referee") != 0))
		return NULL;
	e = read_typed(r, b, p, &context, &sheet);
	if (e != NULL || strcmp(b->game->status, "ended") == 0 || is_stale(r, b->game, turn))
		return e;
	return wants_store(sheet) ? keep_sheet(r, b, p, sheet, &context, r->m->typed.text, sheet->problem_count, &row)
				  : NULL;
}

static struct err *answer_on(struct reading *r, struct game *g, struct board *b, const struct player *p, int turn)
{
	bool held = g->held && strcmp(p->role, "referee") != 0, may;
	struct err *e = find_shown(r, p);

	if (e == NULL)
		e = find_bound(r, b, p, turn, &may);
	if (e != NULL)
		return e;
	r->answered = may;
	if (!may)
		return keep_unanswered(r, b, p, turn);
	if (r->mixed)
		return letter_answer(r->s, r->mem, b, p, &r->to, nothing_taken, answer_mixed(r->mem, r->m), false);
	if (strcmp(g->status, "ended") == 0)
		return answer_ended(r, b, p, turn);
	if (strcmp(g->status, "running") != 0 && strcmp(g->status, "paused") != 0)
		return answer_stale(r, b, p, turn);
	if (r->m->no_text != TEXT_FOUND && r->m->typed.sheet_count == 0)
		return letter_answer(
			r->s, r->mem, b, p, &r->to, "No orders found in your mail", answer_no_text(r->mem, r->m), true);
	return held ? answer_while_held(r, b, p) : answer_orders(r, b, p, turn);
}

static struct err *answer_player(struct reading *r, struct game *g, const struct player *p, int turn)
{
	const char *before = "";
	struct board *b;
	struct err *e;

	r->out->game = g->id;
	r->out->player = p->id;
	settle(r, "done", "Processed", "");
	e = store_heard(r->s->store, r->mem, p->id, r->in->arrived);
	if (e == NULL)
		e = digest_doubt(r->s, r->mem, p, r->m->authentication);
	if (e == NULL)
		e = board_load(r->s, r->mem, g, &b);
	if (e == NULL)
		e = record_digest(r->s, r->mem, g, &before);
	if (e == NULL)
		e = answer_on(r, g, b, p, turn);
	if (e == NULL && r->answered)
		e = store_answered(r->s->store, r->mem, r->to.sender, answer_kind(b, r->acted || r->tried), r->now);
	if (e == NULL && r->acted)
		e = people_acted(r->s, r->mem, b, p, r->to.sender, r->did->data);
	if (e != NULL)
		return e;
	return record_act(r->s, r->mem, g, record_actor(r->mem, p),
		buf_text(r->mem, "mail %lld%s: %s", (long long)r->in->id,
			strcmp(r->to.sender, p->address) == 0 ? "" : " of a deputy",
			r->did->len > 0 ? r->did->data : "nothing that could be acted on"),
		"", before, strcmp(p->role, "referee") == 0 ? NULL : before);
}

/* A delivery report of one of our own mails, known by its Message-ID, which only its recipient has seen; each counts
 * once. Of one to an address that is nobody's any more nothing is made. */
static struct err *take_bounce(struct reading *r)
{
	const char *id = r->m->bounce.original_id + strcspn(r->m->bounce.original_id, "<");
	struct outgoing *sent = NULL;
	struct player *p = NULL;
	const char *key = "";
	bool stopped;
	struct err *e = NULL;

	settle(r, "done", "Processed", "a delivery report");
	if (r->m->bounce.failed)
		e = store_came_back(r->s->store, r->mem, talloc_strndup(r->mem, id, strcspn(id, ">") + 1), &sent);
	if (e == NULL && sent != NULL)
		e = store_player(r->s->store, r->mem, sent->player, &p);
	if (e == NULL && p != NULL)
		e = store_key(r->s->store, r->mem, p->id, sent->recipient, &key);
	if (e != NULL || key[0] == '\0')
		return e;
	r->out->game = p->game;
	r->out->player = p->id;
	if (strcmp(sent->recipient, p->address) != 0)
		return digest_note(r->s, r->mem, p->game,
			talloc_asprintf(r->mem, "A mail to a deputy of %s (player %lld) came back.", p->name,
				(long long)p->id));
	if (!r->m->bounce.permanent)
		return digest_note(r->s, r->mem, p->game,
			talloc_asprintf(r->mem,
				"A mail to %s (player %lld) came back for now: the mailbox is full, or its server "
				"away.",
				p->name, (long long)p->id));
	e = store_bounced(r->s->store, r->mem, p->id, clock_now(&r->s->clock), &stopped);
	return e == NULL && stopped ? letter_unreachable(r->s, r->mem, p) : e;
}

struct err *answer_mail(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	struct answer *out)
{
	struct reading r = {
		.s = s,
		.mem = mem,
		.in = in,
		.m = m,
		.to = {"", m->subject, m->message_id, m->references, false, 0, in->arrived, NULL},
		.now = clock_now(&s->clock),
		.out = out,
		.did = buf_new(mem),
	};
	struct writer w;
	char *sender;
	struct err *e;

	*out = (struct answer){.state = "done", .folder = "Processed", .why = ""};
	if (m->bounce.present)
		return take_bounce(&r);
	if (m->own || m->automatic[0] != '\0') {
		settle(&r, "ignored", "Processed", m->own ? "one of our own mails" : m->automatic);
		return NULL;
	}
	if (m->sender[0] == '\0')
		return reject_unsigned(&r);
	sender = talloc_strdup(mem, m->sender);
	for (char *p = sender; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	r.to.sender = sender;
	e = writer_find(s, mem, m, sender, &w);
	r.to.other_part = w.other_part;
	r.other_line = w.other_line;
	r.mixed = w.mixed;
	if (w.player != NULL && w.named != NULL && w.game_count == 1 && strcmp(w.games[0].name, w.game->name) != 0)
		r.elsewhere = w.games[0].name;
	if (e != NULL)
		return e;
	return w.player == NULL ? answer_stranger(&r, &w) : answer_player(&r, w.game, w.player, w.turn);
}
