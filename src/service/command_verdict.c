/* The end of a battle by word: a side concedes and the referee agrees (FP91), or he gives a verdict of his own (FP92).
 */
#include "service/command.h"

#include "base/text.h"
#include "report/chronicle.h"
#include "report/result.h"
#include "service/part.h"

#include <string.h>
#include <strings.h>

/* A mail to each player of a side, but to the writer, who is answered. */
static struct err *tell_side(struct asking *a, const char *role, const char *subject, const char *text)
{
	struct players players;
	struct err *e = store_players(a->s->store, a->mem, a->b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++)
		if (strcmp(players.list[i].role, role) == 0 && players.list[i].id != a->p->id)
			e = letter_answer(a->s, a->mem, a->b, &players.list[i], NULL, subject, text, false);
	return e;
}

bool has_any(TALLOC_CTX *mem, const char *folded, const char *const *words)
{
	const char *text = talloc_asprintf(mem, " %s ", folded);

	for (; *words != NULL; words++)
		if (strstr(text, *words) != NULL)
			return true;
	return false;
}

static const char *const taken_back[] = {" no ", " not ", " never ", " dont ", " wont ", " didnt ", " cant ",
	" withdraw ", " take back ", " take it back ", " any more ", " anymore ", " changed our mind ",
	" changed my mind ", " after all ", NULL};

bool doubts_concession(TALLOC_CTX *mem, const struct sheet *sheet)
{
	static const char *const doubts[] = {" wait ", " kidding ", " joke ", " joking ", " jk ", " lol ", " haha ",
		" sorry ", " maybe ", " perhaps ", " oops ", " mistake ", " what ", " how ", " if ", " just ", NULL};
	bool doubted = false;

	for (int i = 0; i < sheet->command_count; i++)
		doubted |=
			sheet->commands[i].verb == COMMAND_NO_CONCEDE ||
			(sheet->commands[i].verb == COMMAND_CONCEDE && strchr(sheet->commands[i].typed, '?') != NULL);
	for (int i = 0; i < sheet->set_aside_count && !doubted; i++) {
		const char *folded = text_fold(mem, sheet->set_aside[i]);

		doubted = strchr(sheet->set_aside[i], '?') != NULL || has_any(mem, folded, doubts) ||
			  has_any(mem, folded, taken_back);
	}
	return doubted;
}

bool doubts_resolving(TALLOC_CTX *mem, const struct sheet *sheet)
{
	static const char *const doubts[] = {
		" wait ", " dont ", " do not ", " not yet ", " hold on ", " stop ", " mistake ", " oops ", NULL};
	bool doubted = false;

	for (int i = 0; i < sheet->command_count; i++)
		doubted |= sheet->commands[i].verb == COMMAND_WAIT;
	for (int i = 0; i < sheet->set_aside_count && !doubted; i++)
		doubted = has_any(mem, text_fold(mem, sheet->set_aside[i]), doubts);
	for (int i = 0; i < sheet->problem_count && !doubted; i++)
		doubted = sheet->problems[i].typed != NULL &&
			  has_any(mem, text_fold(mem, sheet->problems[i].typed), doubts);
	return doubted;
}

void hint_concession(struct asking *a, const struct sheet *sheet)
{
	static const char *const giving_up[] = {
		" concede ", " conceding ", " surrender ", " give up ", " giving up ", " our offer ", NULL};
	static const char *const speakers[] = {" we ", " i ", " us ", " our ", NULL};
	bool offered = strcmp(a->b->game->concession, a->p->role) == 0;

	if (player_side(a->p) < 0 || a->b->game->held || strcmp(a->b->game->status, "ended") == 0)
		return;
	for (int i = 0; i < sheet->command_count; i++)
		if (sheet->commands[i].verb == COMMAND_CONCEDE || sheet->commands[i].verb == COMMAND_NO_CONCEDE)
			return;
	for (int i = 0; i < sheet->set_aside_count; i++) {
		const char *text = text_fold(a->mem, sheet->set_aside[i]);
		bool back = has_any(a->mem, text, taken_back);

		if (!has_any(a->mem, text, giving_up) ||
			(strncmp(text, "concede", 7) != 0 && !has_any(a->mem, text, speakers)))
			continue;
		if (offered)
			say(a, "Your side has offered to concede. To take that back, whoever commands your army "
			       "writes NO CONCEDE on a line of its own.");
		else if (!back)
			say(a, "Do you want to give up? Then whoever commands your army writes the one word CONCEDE "
			       "on a line of its own. The referee is asked then, and the battle ends if the referee "
			       "agrees. Nothing has been offered yet.");
		return;
	}
}

/* May he speak for his army? Else he is told. */
static bool commands_army(struct asking *a, const struct command_record *c)
{
	const bool *may = player_may_order(a->mem, a->b, a->p);

	for (int i = 0; i < a->b->state->count; i++)
		if (may[i] && a->b->state->units[i].overall)
			return true;
	say(a, talloc_asprintf(a->mem, "%s is for whoever commands the army. Please talk to your side first.",
		       command_name(a->mem, c->verb)));
	return false;
}

static struct err *do_concede(struct asking *a, const struct command_record *c)
{
	int side = player_side(a->p);
	const char *people;
	struct err *e;

	if (!commands_army(a, c))
		return NULL;
	if (a->doubted || a->amiss)
		return refuse(a,
			"CONCEDE: did you mean it? Your mail says something else besides, so nothing has been "
			"offered. If your side does want to give up, write the one word CONCEDE and nothing else.");
	if (a->b->game->concession[0] != '\0')
		return say(a,
			"CONCEDE: the referee is asked already how the battle is to end. Please wait for the answer.");
	a->b->game->concession = a->p->role;
	e = store_update_game(a->s->store, a->mem, a->b->game);
	people = side_people(a->mem, a->b->sc, side);
	if (e == NULL)
		e = letter_to_referees(a->s, a->mem, a->b, talloc_asprintf(a->mem, "The %s offer to concede", people),
			talloc_asprintf(a->mem,
				"The %s offer to concede the battle, now, in turn %d.\n\nIf you agree, answer this "
				"mail "
				"with the one word APPROVE. The %s have then won, and everybody gets the "
				"debrief.\n\nIf "
				"the battle shall go on, answer REJECT. If you do nothing it goes on too, and the "
				"offer "
				"is forgotten when turn %d is resolved.",
				people, a->b->game->turn,
				side_people(a->mem, a->b->sc, (int)side_other((enum side)side)), a->b->game->turn));
	if (e == NULL)
		e = tell_side(a, a->p->role, "Your side offers to concede",
			talloc_asprintf(a->mem,
				"Whoever commands your army has offered to concede the battle, now, in turn %d. It "
				"goes on unless the referee agrees, so please send orders all the same.",
				a->b->game->turn));
	say(a, "Your offer to concede has gone to the referee. The battle goes on unless the referee agrees: so please "
	       "send orders all the same. NO CONCEDE on a line of its own takes the offer back.");
	return e;
}

static struct err *do_no_concede(struct asking *a, const struct command_record *c)
{
	const char *people;
	struct err *e;

	if (!commands_army(a, c))
		return NULL;
	if (strcmp(a->b->game->concession, a->p->role) != 0)
		return refuse(a, "NO CONCEDE: there is no offer of your side to concede that waits for an answer, so "
				 "nothing was "
				 "done. The battle goes on.");
	a->b->game->concession = "";
	people = side_people(a->mem, a->b->sc, player_side(a->p));
	e = store_update_game(a->s->store, a->mem, a->b->game);
	if (e == NULL)
		e = letter_to_referees(a->s, a->mem, a->b,
			talloc_asprintf(a->mem, "The %s do not concede after all", people),
			talloc_asprintf(a->mem,
				"The %s have taken back their offer to concede. The battle goes on, and there is "
				"nothing for you to do.",
				people));
	if (e == NULL)
		e = tell_side(a, a->p->role, "Your side does not concede after all",
			talloc_asprintf(a->mem,
				"Whoever commands your army has taken back the offer to concede. The battle goes on, "
				"and turn %d waits for your orders.",
				a->b->game->turn));
	return e != NULL ? e
			 : say(a, "Your offer to concede is taken back, and the referee and your side have been told. "
				  "The battle goes on.");
}

/* What keeps the battle from being ended now, told; or not. */
static bool cannot_end(struct asking *a, const char *word)
{
	if (!a->b->game->held)
		return false;
	refuse(a, talloc_asprintf(a->mem, "%s: %s still waits for your review. RELEASE it first; nothing was done.",
			  word, part_resolved_text(a->mem, a->b->game)));
	return true;
}

static struct err *end_battle(struct asking *a, const struct verdict *v)
{
	struct adjudication *done;
	struct err *e = adjudicate_verdict(a->s, a->mem, a->b->game, v, &done);

	if (e == NULL)
		e = letter_reports(a->s, a->mem, done);
	if (e != NULL)
		return e;
	return say(a, talloc_asprintf(a->mem, "%s\n\nThe battle is over, and the debrief is on its way to everybody.",
			      verdict_text(a->mem, done->board->sc, done->after, done->events)));
}

/* APPROVE, or ACCEPT, and REJECT: the answer to an offer to concede. */
static struct err *do_approve(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	bool approve = c->verb != COMMAND_REJECT;
	const char *role = g->concession, *word = command_name(a->mem, c->verb);
	int side = strcmp(role, "E") == 0 ? SIDE_GOVERNMENT : SIDE_JACOBITE;
	bool waits;
	struct err *e;

	if (c->number > 0)
		return decide_message(a, c);
	if (role[0] == '\0') {
		e = decide_waiting(a, c, &waits);
		return e != NULL || waits
			       ? e
			       : refuse(a, talloc_asprintf(a->mem,
						   "%s: nobody has offered to concede, so nothing was done.", word));
	}
	if (approve && waits_for_the_rest(a, c))
		return NULL;
	if (approve)
		return cannot_end(a, word)
			       ? NULL
			       : end_battle(a, &(struct verdict){.winner = side == SIDE_GOVERNMENT ? WINNER_JACOBITE
												   : WINNER_GOVERNMENT,
						       .conceded = side,
						       .because = c->because});
	g->concession = "";
	e = store_update_game(a->s->store, a->mem, g);
	if (e == NULL)
		e = tell_side(a, role, "The battle goes on",
			talloc_asprintf(a->mem,
				"The referee has not accepted your offer to concede%s%s. The battle goes on, and turn "
				"%d "
				"waits for your orders.",
				c->because[0] != '\0' ? ": " : "", c->because, g->turn));
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem, "The battle goes on; the %s have been told.",
					  side_people(a->mem, a->b->sc, side)));
}

/* Whom a word of a verdict names, or WINNER_OPEN. */
static enum winner named_by(TALLOC_CTX *mem, const struct board *b, const char *word, size_t len)
{
	const struct {
		const char *word;
		enum winner winner;
	} words[] = {
		{text_fold(mem, b->sc->label[SIDE_GOVERNMENT]), WINNER_GOVERNMENT},
		{text_fold(mem, side_people(mem, b->sc, SIDE_GOVERNMENT)), WINNER_GOVERNMENT},
		{"government", WINNER_GOVERNMENT},
		{"british", WINNER_GOVERNMENT},
		{text_fold(mem, b->sc->label[SIDE_JACOBITE]), WINNER_JACOBITE},
		{text_fold(mem, side_people(mem, b->sc, SIDE_JACOBITE)), WINNER_JACOBITE},
		{"draw", WINNER_DRAW},
		{"drawn", WINNER_DRAW},
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == len && memcmp(word, words[i].word, len) == 0)
			return words[i].winner;
	return WINNER_OPEN;
}

static bool is_one_of(const char *word, size_t len, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strlen(*list) == len && memcmp(word, *list, len) == 0)
			return true;
	return false;
}

/* The winner that a verdict names, or WINNER_OPEN. It cannot be taken back, so where it names more than one, or speaks
 * of losing, nobody is guessed at: one side, and no other, must be said to win in plain words. */
static enum winner named_winner(TALLOC_CTX *mem, const struct board *b, const char *text)
{
	static const char *const wins[] = {"win", "wins", "won", "victory", "victorious", NULL};
	static const char *const denies[] = {"lose", "loses", "lost", "failed", "fails", "fail", "not", "no", "never",
		"neither", "nor", "surrender", "surrendered", "beaten", "defeated", "defeat", "defeats", "beat", NULL};
	const char *p = text_fold(mem, text);
	enum winner only = WINNER_OPEN, last = WINNER_OPEN, plain = WINNER_OPEN;
	bool doubtful = false, denied = false, twice = false;

	/* ORDER and the like name a side by its letter. */
	if ((p[0] == 'e' || p[0] == 'j') && (p[1] == ' ' || p[1] == '\0'))
		return p[0] == 'e' ? WINNER_GOVERNMENT : WINNER_JACOBITE;
	if (strncmp(p, "draw", 4) == 0 && (p[4] == ' ' || p[4] == '\0'))
		return WINNER_DRAW;
	while (*p != '\0') {
		size_t len = strcspn(p, " ");
		enum winner named = named_by(mem, b, p, len);

		if (named != WINNER_OPEN) {
			doubtful = doubtful || (only != WINNER_OPEN && named != only);
			only = last = named;
			denied = false;
		} else if (is_one_of(p, len, denies)) {
			doubtful = denied = true;
		} else if (is_one_of(p, len, wins) && last != WINNER_OPEN && !denied) {
			twice = twice || (plain != WINNER_OPEN && plain != last);
			plain = last;
		}
		p += len + strspn(p + len, " ");
	}
	return !doubtful ? only : twice ? WINNER_OPEN : plain;
}

static const char *winner_people(struct asking *a, enum winner winner)
{
	return side_people(a->mem, a->b->sc, winner == WINNER_GOVERNMENT ? SIDE_GOVERNMENT : SIDE_JACOBITE);
}

const char *verdict_line(struct asking *a, const char *text)
{
	enum winner winner = named_winner(a->mem, a->b, text);

	if (winner == WINNER_OPEN)
		return NULL;
	return winner == WINNER_DRAW ? "VERDICT FINAL draw"
				     : talloc_asprintf(a->mem, "VERDICT FINAL %s win", winner_people(a, winner));
}

/* Behind "final", with which a referee confirms what he has been asked back; the text itself without it. */
static const char *confirmed_text(const char *text)
{
	static const char word[] = "final";
	size_t n = sizeof word - 1;

	return strncasecmp(text, word, n) == 0 && strchr(" :,", text[n]) != NULL && text[n] != '\0'
		       ? text + n + strspn(text + n, " :,")
		       : text;
}

static struct err *do_verdict(struct asking *a, const struct command_record *c)
{
	const char *text = confirmed_text(c->text);
	enum winner winner = named_winner(a->mem, a->b, text);

	if (waits_for_the_rest(a, c))
		return NULL;
	if (winner == WINNER_OPEN)
		return refuse(a, talloc_asprintf(a->mem,
					 "VERDICT: who has won? Say it in plain words and then why: VERDICT %s win, "
					 "VERDICT %s win, VERDICT draw. Nothing was done.",
					 side_people(a->mem, a->b->sc, SIDE_GOVERNMENT),
					 side_people(a->mem, a->b->sc, SIDE_JACOBITE)));
	if (cannot_end(a, "VERDICT"))
		return NULL;
	/* A line that was written in haste must not end a battle for good. Who types it at the machine means it. */
	if (a->to != NULL && text == c->text)
		return refuse(a,
			talloc_asprintf(a->mem,
				"VERDICT: this ends the battle for good, with a debrief to everybody. %s. Nothing was "
				"done yet. If that is what you mean, write:\nVERDICT FINAL %s",
				winner == WINNER_DRAW
					? "It would be a draw"
					: talloc_asprintf(a->mem, "The %s would have won", winner_people(a, winner)),
				text));
	return end_battle(a, &(struct verdict){.winner = winner, .conceded = -1, .because = text});
}

const struct deed verdict_deeds[] = {
	{COMMAND_CONCEDE, do_concede, false, false},
	{COMMAND_NO_CONCEDE, do_no_concede, false, false},
	{COMMAND_APPROVE, do_approve, false, false},
	{COMMAND_ACCEPT, do_approve, false, false},
	{COMMAND_REJECT, do_approve, false, false},
	{COMMAND_VERDICT, do_verdict, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
