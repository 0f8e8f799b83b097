/* The turn's report and, at the end, the debrief. */
#include "service/reports.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"
#include "report/debrief.h"
#include "report/listing.h"
#include "report/luck.h"
#include "report/result.h"
#include "report/roster.h"
#include "report/why.h"
#include "service/entered.h"
#include "service/examples.h"
#include "service/part.h"
#include "service/post.h"
#include "service/review.h"
#include "service/turning.h"
#include "service/undo.h"

#include <sodium.h>
#include <string.h>

struct err *report_chronicle(TALLOC_CTX *mem, const struct board *b, struct chronicle **out)
{
	char *file, *text;
	size_t len;
	struct err *e = NULL;

	if (b->memo->chronicle == NULL) {
		file = talloc_asprintf(mem, "templates/%s.events", b->rules->name);
		e = data_read(mem, file, &text, &len);
		if (e == NULL)
			e = chronicle_read(b->memo, file, text, len, &b->memo->chronicle);
	}
	*out = b->memo->chronicle;
	if (e == NULL)
		return NULL;
	e->scope = ERR_GAME; /* games of another rule set have other words */
	return talloc_steal(mem, e);
}

char *report_events(TALLOC_CTX *mem, const struct board *b, const struct chronicle *c, const struct state *s,
	const struct events *events, int told, bool dice)
{
	struct buf *out = buf_new(mem);
	int phase = -1;

	for (int i = told, next; i < events->count; i = next) {
		const struct event *ev = events->list[i];
		const struct phase *p = &b->rules->phases[ev->phase];
		char *line = listing_line(out, c, b->sc, s, events, i, &next);

		if (ev->phase != phase) {
			buf_printf(out, "\n%s%s%s\n", p->side >= 0 ? b->sc->label[p->side] : "",
				p->side >= 0 ? " " : "", p->title);
			phase = ev->phase;
		}
		buf_printf(out, "%s\n", text_wrap(out, line, LETTER_COLUMNS, 5));
		talloc_free(line);
		if (dice)
			buf_adds(out, dice_names_text(out, ev, 5));
	}
	if (events->count == told)
		buf_adds(out, "\nNothing happened.\n");
	return out->data;
}

static char *turn_luck(TALLOC_CTX *mem, const struct board *b, const struct events *events, int side)
{
	struct luck luck = {{0}, {0}, {0}};

	luck_add(&luck, events, b->state);
	return luck_text(mem, &luck, b->sc, side);
}

/* What the turns of a battle come to together. */
struct campaign {
	struct luck luck;
	struct fate *fates; /* NULL where only the luck is asked for */
	struct buf *course;
	int side; /* the reader's */
};

static struct err *add_turn(TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, struct campaign *c)
{
	struct events *events;
	struct state *before, *after;
	struct err *e = events_read(mem, row->events, row->events_len, &events);

	if (e == NULL)
		luck_add(&c->luck, events, b->state);
	if (e != NULL || c->fates == NULL)
		return e;
	e = state_read(mem, row->before, row->before_len, &before);
	if (e == NULL)
		e = state_read(mem, row->after, row->after_len, &after);
	if (e != NULL)
		return e;
	fates_add(c->fates, before, after);
	if (!result_unfought(events))
		course_add(c->course, before, after, c->side);
	return NULL;
}

/* All turns up to `last`. */
static struct err *load_campaign(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int last, struct campaign *out)
{
	struct err *e = NULL;

	for (int turn = 1; e == NULL && turn <= last; turn++) {
		TALLOC_CTX *one = talloc_new(mem);
		struct turn_row *row;

		e = store_turn(s->store, one, b->game, turn, &row);
		if (e == NULL && row != NULL)
			e = add_turn(one, b, row, out);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}

/* The result in a few words; of a turn that goes on also with what. */
static const char *headline_of(TALLOC_CTX *mem, const struct board *b, const struct state *after, int side)
{
	const char *result = result_headline(mem, b->sc, b->state, after, side);

	return after->next_phase == 0 ? result
				      : talloc_asprintf(mem, "%s; next: %s", result, part_title(mem, b, after));
}

struct err *put_luck(const struct service *s, TALLOC_CTX *mem, const struct board *then, const struct events *events,
	int side, struct values *v)
{
	struct campaign campaign = {.fates = NULL};
	int turn = then->state->turn;
	struct err *e = load_campaign(s, mem, then, turn, &campaign);

	put_value(v, "luck", turn_luck(mem, then, events, side));
	put_value(v, "luck_all", turn > 1 ? luck_text(mem, &campaign.luck, then->sc, side) : "");
	return e;
}

struct err *put_entered(
	const struct service *s, TALLOC_CTX *mem, const struct board *then, const struct state *after, struct values *v)
{
	const char *units;
	struct err *e = entered_text(s, mem, then, then->state->turn, -1, after->next_phase != 0, &units);

	put_value(v, "entered",
		e != NULL || units[0] == '\0'
			? ""
			: text_wrap(mem,
				  talloc_asprintf(mem, "Orders that the referee gave, and not a player: %s.", units),
				  LETTER_COLUMNS, 0));
	return e;
}

/* Orders that the referee has changed after the turn was resolved, where no correction tells of it: of a turn that is
 * played in part only whose, since they may speak of charges to come. */
static struct err *put_changed(const struct service *s, TALLOC_CTX *mem, const struct told_turn *t, struct values *v)
{
	struct buf *out = buf_new(mem);
	struct desk_changes changes = {NULL, 0};
	struct turn_row *row;
	struct err *e = store_turn_row(s->store, mem, t->row, &row);

	if (e == NULL && row != NULL && row->resolution > 1 && t->correction[0] == '\0')
		e = undo_changes(s, mem, t->then, &(struct resolved){.row = row}, &changes);
	for (int i = 0; i < changes.count; i++) {
		const struct desk_change *c = &changes.list[i];
		bool part = t->now->state->next_phase != 0;

		if (c->undone || undo_amendment(c) != NULL)
			continue;
		buf_printf(out, "%s\n",
			text_wrap(out,
				part ? "- The referee has changed orders for moving and shooting."
				     : buf_text(out, "- The referee has changed orders: %s.", c->what),
				LETTER_COLUMNS, 2));
	}
	put_value(v, "changed", out->data);
	return e;
}

struct err *put_course(TALLOC_CTX *mem, const struct board *b, const struct state *after, const struct events *events,
	int told, int turn, int side, bool dice, struct values *v)
{
	struct chronicle *c;
	struct err *e = report_chronicle(mem, b, &c);

	if (e != NULL)
		return e;
	put_value(v, "turn", part_played_text(mem, b, after, turn));
	put_value(v, "headline", headline_of(mem, b, after, side));
	put_map(v, mem, b->sc, after, NULL);
	put_value(v, "events", report_events(mem, b, c, after, events, told, dice));
	put_value(v, "told",
		told == 0 ? ""
			  : talloc_asprintf(mem, "What came before has been told. RESEND TURN %d tells it all.", turn));
	return NULL;
}

struct err *put_report(TALLOC_CTX *mem, const struct board *b, const struct state *after, const struct events *events,
	int told, int turn, int side, bool dice, struct values *v)
{
	struct err *e = put_course(mem, b, after, events, told, turn, side, dice, v);

	if (e != NULL)
		return e;
	put_value(
		v, "result", text_wrap(mem, result_text(mem, b->sc, b->state, after, events, side), LETTER_COLUMNS, 0));
	put_value(v, "roster", roster_both(mem, b->sc, after, side));
	return NULL;
}

char *seed_text(TALLOC_CTX *mem, const struct board *b)
{
	char *hex = talloc_size(mem, 2 * DICE_SEED_BYTES + 1);

	return sodium_bin2hex(hex, 2 * DICE_SEED_BYTES + 1, b->dice.seed, DICE_SEED_BYTES);
}

static struct err *fill_debrief(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct state *after, const struct events *events, int side, struct values *v)
{
	struct campaign campaign = {
		.fates = talloc_zero_array(mem, struct fate, (unsigned)b->state->count),
		.course = buf_new(mem),
		.side = side,
	};
	struct turning *turning;
	struct err *e;

	course_head(campaign.course, b->sc, side);
	e = load_campaign(s, mem, b, b->state->turn, &campaign);
	put_value(v, "course", campaign.course->data);
	put_value(v, "luck", luck_text(mem, &campaign.luck, b->sc, side));
	put_value(v, "strength", strength_unit(b->sc->state));
	put_value(v, "points", points_text(mem, b->sc, events, side));
	put_value(v, "ground", ground_text(mem, b->sc, events));
	put_value(v, "losses", wings_text(mem, b->sc, after, side));
	put_value(v, "commanders", commanders_text(mem, b->sc, after, campaign.fates, side));
	put_value(v, "history", b->sc->history);
	put_value(v, "credit", text_wrap(mem, b->rules->credit, LETTER_COLUMNS, 0));
	put_value(v, "seed", seed_text(mem, b));
	if (e == NULL)
		e = turning_points(s, b, b->state->turn, &turning);
	if (e == NULL)
		put_value(v, "turning", turning_text(mem, turning, after));
	return e;
}

struct err *report_mail(const struct service *s, TALLOC_CTX *mem, const struct told_turn *t, const struct player *p,
	const struct answered_mail *to)
{
	const struct board *now = t->now;
	bool over = now->state->winner != WINNER_OPEN;
	int turn = t->then->state->turn, side = player_side(p);
	struct values v = {.count = 0};
	struct post post = {
		.board = now,
		.player = p,
		.recipient = to != NULL ? to->sender : p->address,
		.template = over ? "debrief" : "report",
		.answers = to,
		.turn = now->game->turn,
		.shows = t->row,
	};
	struct err *e = put_report(mem, t->then, now->state, t->events, t->told, turn, side, false, &v);

	put_value(&v, "correction", t->correction);
	put_value(&v, "left", t->left);
	if (e == NULL && over)
		e = fill_debrief(s, mem, t->then, now->state, t->events, side, &v);
	if (e == NULL)
		e = put_entered(s, mem, t->then, now->state, &v);
	if (e == NULL)
		e = put_changed(s, mem, t, &v);
	if (e == NULL && !over) {
		e = put_luck(s, mem, t->then, t->events, side, &v);
		put_value(&v, "next", part_ends_text(mem, now));
	}
	/* Whoever has nothing to order in the part that comes next gets no sheet. */
	if (e == NULL && !over && side >= 0 && !part_is_of(now, (enum side)side)) {
		put_value(&v, "sheet", "");
		put_value(&v, "examples", "");
		put_value(&v, "fighting", "");
		post.printed = "";
	} else if (e == NULL && !over) {
		e = put_sheet(s, mem, now, p, &v, &post.printed);
		put_examples(mem, now, p, &v);
	}
	return e != NULL ? e : post_mail(s, mem, &post, &v);
}

struct err *letter_reports_answering(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a,
	const struct answered_mail *to, const char *left)
{
	struct board now = *a->board;
	struct told_turn t = {a->board, &now, a->events, a->told, a->row, "", left};
	struct players players;
	struct err *e;

	if (now.game->held)
		return letter_review(s, mem, a);
	e = store_players(s->store, mem, now.game->id, &players);
	now.state = a->after;
	for (int i = 0; e == NULL && i < players.count; i++)
		e = report_mail(s, mem, &t, &players.list[i], to);
	return e;
}

struct err *letter_reports(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a)
{
	return letter_reports_answering(s, mem, a, NULL, "");
}

/* A stored turn and the boards as they were before and after it. With `told` the one that players know. */
static struct err *load_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, bool told,
	struct board *then, struct board *now, struct told_turn *out)
{
	struct turn_row *row;
	struct resolved *r;
	struct err *e = told ? store_turn_told(s->store, mem, b->game, turn, &row)
			     : store_turn(s->store, mem, b->game, turn, &row);

	if (e == NULL && row == NULL)
		return err_new(mem, ERR_GAME, false, "",
			told && turn == last_turn(b->game) ? "the referee is still looking at turn %d"
							   : "turn %d has not been resolved",
			turn);
	if (e == NULL)
		e = resolved_read(mem, row, &r);
	if (e != NULL)
		return e;
	*then = *now = *b;
	then->state = r->before;
	now->state = r->after;
	*out = (struct told_turn){then, now, r->events, 0, row->id, "", ""};
	return NULL;
}

struct err *letter_resend(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, int turn)
{
	struct board then, now;
	struct told_turn t;
	struct err *e = load_turn(s, mem, b, turn, strcmp(p->role, "referee") != 0, &then, &now, &t);

	return e != NULL ? e : report_mail(s, mem, &t, p, to);
}

struct err *report_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int side, char **out)
{
	struct values v = {.count = 0};
	struct board then, now;
	struct told_turn t;
	struct err *e = load_turn(s, mem, b, turn, side >= 0, &then, &now, &t);

	if (e == NULL)
		e = put_report(mem, &then, now.state, t.events, 0, turn, side, false, &v);
	if (e == NULL)
		e = put_entered(s, mem, &then, now.state, &v);
	if (e == NULL)
		e = put_changed(s, mem, &t, &v);
	if (e != NULL)
		return e;
	put_value(&v, "tag", talloc_asprintf(mem, "[%s]", b->game->name));
	put_value(&v, "luck", turn_luck(mem, &then, t.events, side));
	put_value(&v, "luck_all", "");
	put_value(&v, "correction", "");
	put_value(&v, "left", "");
	put_value(&v, "next", "");
	put_value(&v, "sheet", "");
	put_value(&v, "examples", "");
	put_value(&v, "fighting", "");
	return fill_page(mem, "templates/report.txt", &v, NULL, out);
}

struct err *report_json(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, char **out)
{
	struct buf *text = buf_new(mem);
	struct board then, now;
	struct told_turn t;
	struct json j;
	struct err *e = load_turn(s, mem, b, turn, false, &then, &now, &t);

	if (e != NULL)
		return e;
	json_begin(&j, text);
	json_open_object(&j, NULL);
	json_string(&j, "game", b->game->name);
	json_int(&j, "turn", turn);
	json_string(&j, "digest", state_digest(mem, now.state));
	json_open_array(&j, "events");
	for (int i = 0; i < t.events->count; i++)
		event_json(&j, t.events->list[i], now.state);
	json_close_array(&j);
	json_close_object(&j);
	buf_addc(text, '\n');
	*out = buf_steal(mem, text);
	return NULL;
}
