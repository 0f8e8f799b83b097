/* What a referee wants changed, said in his own words: answered with the line that does it. */
#include "orders/lines.h"
#include "orders/print.h"

#include <string.h>

/* What a line says that may be a wish; its reason is not looked at. */
struct said {
	int piece;          /* the first that it names; -1 = none */
	struct match match; /* how it is named */
	int numbers[2];     /* -1 = none */
	int days_more;      /* "two more days", "another week"; 0 = none */
	const char *reason; /* as typed; "reason" for none */
	bool bases, gone, lives, off, back, wrong, negated, past, should, lost, orders, void_them;
};

static const char *const more_words[] = {"back", "give", "more", "add", "extra", NULL};
static const char *const off_words[] = {
	"off", "remove", "removed", "removing", "take", "taken", "away", "fewer", "lose", NULL};
static const char *const gone_words[] = {"dead", "die", "died", "dies", "killed", "fell", "fallen", "falls", NULL};
static const char *const life_words[] = {"alive", "lives", "lived", "live", "survived", "survives", "wounded", NULL};
static const char *const wrong_words[] = {"wrong", "mistake", "incorrect", "unfair", NULL};
static const char *const void_words[] = {
	"cancel", "void", "ignore", "delete", "scrap", "strike", "drop", "forget", "disregard", "late", "out", NULL};
static const char *const past_words[] = {"have", "had", "has", NULL};

static void hear_word(struct said *s, const struct token *t)
{
	enum key key = t->word->key;

	s->bases |= key == KEY_BASES || key == KEY_FIGURES;
	s->gone |= is_among(t, gone_words);
	s->lives |= is_among(t, life_words);
	s->off |= is_among(t, off_words);
	s->back |= is_among(t, more_words);
	s->wrong |= is_among(t, wrong_words);
	s->past |= is_among(t, past_words);
	s->lost |= is_word(t, "lost");
	s->negated |= key == KEY_NOT;
	s->orders |= is_word(t, "order") || is_word(t, "orders");
	s->void_them |= is_among(t, void_words);
	s->should |= key == KEY_SHOULD || is_word(t, "shouldnt");
}

/* "two more days", "another week": how many days; 0 where the token counts none. */
static int days_counted(struct parser *p, int token)
{
	static const char *const between[] = {"more", "extra", "another", "further", "whole", "full", "school", NULL};
	static const char *const days[] = {"day", "days", NULL}, *const weeks[] = {"week", "weeks", NULL};
	const struct token *t = &p->lex->tokens[token];
	int n = is_word(t, "another") ? 1 : is_glued(p, token) ? -1 : whole_number(t);

	for (t++; is_among(t, between); t++)
		continue;
	if (n <= 0)
		return 0;
	return is_among(t, days) ? n : is_among(t, weeks) ? 7 * n : 0;
}

static struct said listen(struct parser *p)
{
	struct said s = {.piece = -1, .numbers = {-1, -1}, .reason = "reason"};
	int start = p->pos, count = 0;
	struct match m;

	while (!at_end(p)) {
		const struct token *t = here(p);
		int n = is_glued(p, p->pos) ? -1 : whole_number(t);

		if (key_here(p) == KEY_BECAUSE) {
			if (p->pos + 1 < p->stop)
				s.reason = typed_text(p, p->pos + 1, p->stop);
			break;
		}
		if (s.days_more == 0)
			s.days_more = days_counted(p, p->pos);
		if (n >= 0 && count < 2)
			s.numbers[count++] = n;
		if (n < 0 && s.piece < 0 && !is_glued(p, p->pos) && match_piece(p, &m) &&
			(!m.by_code || p->pos == start || m.end == p->stop)) {
			s.piece = meant_piece(p, &m);
			s.match = m;
			p->pos = m.end;
			continue;
		}
		if (t->type == TOKEN_WORD)
			hear_word(&s, t);
		advance(p);
	}
	p->pos = start;
	return s;
}

static bool answer_with(struct parser *p, int line, const char *says, const char *instead)
{
	int failures = p->failures;

	problem(p, PROBLEM_UNREADABLE, p->lex->lines[line].first, line_end(p, line), NULL, NULL, "%s write: %s", says,
		instead);
	suggest_line(p, failures, instead);
	return true;
}

/* "give Camerons 2 bases back": how many they have then; of "lost only one" that is not known. */
static bool tell_strength(struct parser *p, int line, const struct said *s)
{
	const struct unit *u = &p->ctx->state->units[s->piece];
	const char *code = piece_code(p->mem, p->ctx->state, s->piece);
	bool figures = u->figures_begun > 0;
	int now = figures ? u->figures : u->bases, begun = figures ? u->figures_begun : u->begun, n = s->numbers[0];
	const char *what = figures ? "FIGURES" : "BASES";

	if (n >= 0 && s->back)
		n += now;
	else if (n >= 0 && s->off)
		n = now - n;
	else if (!s->should || s->negated || !s->past || s->lost)
		n = -1;
	if (s->back && n > now && now == begun) {
		problem(p, PROBLEM_UNREADABLE, p->lex->lines[line].first, line_end(p, line), NULL, NULL,
			"They are complete: they have all %d of the %s with which they began, and no unit can have "
			"more.",
			begun, figures ? "figures" : "bases");
		return true;
	}
	if (n > begun)
		n = begun;
	if (n >= 0)
		return answer_with(p, line, talloc_asprintf(p->mem, "They have %d now. To change that to %d", now, n),
			talloc_asprintf(p->mem, "SET %s %s %d BECAUSE %s", code, what, n, s->reason));
	return answer_with(p, line,
		talloc_asprintf(p->mem,
			"They have %d now. Put how many they shall have in the place of `n`, and to change that", now),
		talloc_asprintf(p->mem, "SET %s %s n BECAUSE %s", code, what, s->reason));
}

/* "Price's should not have charged" */
static bool tell_undone(struct parser *p, int line, const struct said *s)
{
	const char *side = p->ctx->state->units[s->piece].side == SIDE_GOVERNMENT ? "E" : "J";

	return answer_with(p, line,
		talloc_asprintf(p->mem,
			"To take one event away, put its number in the place of `n` and write: AMEND n VOID BECAUSE "
			"%s. To play the turn again without the orders of that unit",
			s->reason),
		talloc_asprintf(p->mem, "VOID ORDERS %s %s BECAUSE %s", side,
			piece_code(p->mem, p->ctx->state, s->piece), s->reason));
}

/* "Take Barrell's order out, they were late": the orders go, not the unit. */
static bool tell_orders(struct parser *p, int line, const struct said *s)
{
	const struct orders_context *ctx = p->ctx;
	const char *what = talloc_asprintf(p->mem, "VOID ORDERS %s %s",
		ctx->state->units[s->piece].side == SIDE_GOVERNMENT ? "E" : "J",
		piece_code(p->mem, ctx->state, s->piece));

	if (ctx->held_turn > 0)
		return answer_with(p, line,
			"To play the turn that you are looking at again without the orders of that unit",
			talloc_asprintf(p->mem, "%s BECAUSE %s", what, s->reason));
	return answer_with(p, line,
		talloc_asprintf(p->mem,
			"To play the last turn again without the orders of that unit write: %s BECAUSE %s. To take "
			"back its "
			"orders for turn %d, which is open,",
			what, s->reason, ctx->turn),
		talloc_asprintf(p->mem, "%s TURN %d", what, ctx->turn));
}

bool tell_orders_meant(struct parser *p, int line)
{
	struct said s = listen(p);

	return (s.orders || s.void_them) && s.piece >= 0 && tell_orders(p, line, &s);
}

/* Is anything said of that unit that is told below? */
static bool says_change(const struct said *s, const struct unit *u)
{
	return (s->orders && (s->void_them || s->wrong)) || (s->bases && unit_is_formed(u)) || s->gone || s->off ||
	       s->lives || (s->should && s->negated && s->past);
}

/* A name of two units, and not the code of one of them. */
static bool is_several(struct parser *p, const struct said *s)
{
	return set_several(&s->match.set) &&
	       strcmp(p->ctx->state->units[s->piece].code, typed_text(p, s->match.from, s->match.end)) != 0;
}

static bool ask_which(struct parser *p, int line, const struct said *s)
{
	problem(p, PROBLEM_UNREADABLE, p->lex->lines[line].first, line_end(p, line), NULL, NULL,
		"Which %s: %s? Please write the line again with the letter or the full name of the one that you mean.",
		typed_text(p, s->match.from, s->match.end), ask_between(p, &s->match.set));
	return true;
}

bool tell_change(struct parser *p, int line)
{
	struct said s = listen(p);
	const struct unit *u = s.piece < 0 ? NULL : &p->ctx->state->units[s.piece];
	bool commander = u != NULL && u->kind == KIND_COMMANDER;
	const char *code = u == NULL ? "" : piece_code(p->mem, p->ctx->state, s.piece);

	if (u == NULL && s.days_more > 0)
		return answer_with(
			p, line, "To put the deadline off", talloc_asprintf(p->mem, "EXTEND %d DAYS", s.days_more));
	if (u == NULL && s.wrong && s.numbers[0] > 0)
		return answer_with(p, line,
			"HITS and a number in the place of VOID set how many hits an event scores. To take it away",
			talloc_asprintf(p->mem, "AMEND %d VOID BECAUSE %s", s.numbers[0], s.reason));
	if (u == NULL)
		return false;
	if (says_change(&s, u) && is_several(p, &s))
		return ask_which(p, line, &s);
	if (s.orders && (s.off || s.negated || s.gone || s.void_them || s.wrong))
		return tell_orders(p, line, &s);
	if (s.bases && unit_is_formed(u))
		return tell_strength(p, line, &s);
	if ((s.gone || s.off) && !s.negated && !s.back && !s.orders)
		return answer_with(p, line, commander ? "That commander falls if you" : "To take a unit off the table",
			talloc_asprintf(p->mem, "%s %s BECAUSE %s", commander ? "KILL" : "REMOVE", code, s.reason));
	if (s.lives || (s.negated && s.gone))
		return answer_with(p, line,
			commander ? "That commander lives if you" : "To put a unit back that is gone",
			talloc_asprintf(p->mem, "%s %s BECAUSE %s", commander ? "SPARE" : "RESTORE", code, s.reason));
	return s.should && s.negated && s.past && tell_undone(p, line, &s);
}
