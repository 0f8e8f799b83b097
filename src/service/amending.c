#include "service/amending.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/changes.h"
#include "report/roster.h"
#include "report/template.h"
#include "report/things.h"
#include "service/answer_pages.h"
#include "service/part.h"
#include "service/people.h"
#include "service/reports.h"
#include "service/review.h"
#include "service/undo.h"

#include <string.h>

enum { REASON_MAX = 400 };

/* --- which turn -------------------------------------------------------------------------------------- */

/* The events of the report that the mail answers, if it told of this turn; else those that count now. */
static struct err *find_labels(struct asking *a, struct amending *am)
{
	struct turn_row *row = NULL;
	struct resolved *r;
	struct err *e = a->to != NULL && a->to->shows != 0 ? store_turn_row(a->s->store, am, a->to->shows, &row) : NULL;

	am->labels = am->now->events;
	am->version = am->now->row->resolution;
	if (e != NULL || row == NULL || row->game != am->now->row->game || row->line != am->now->row->line ||
		row->turn != am->now->row->turn)
		return e;
	e = resolved_read(am, row, &r);
	if (e == NULL) {
		am->labels = r->events;
		am->version = row->resolution;
	}
	return e;
}

struct err *amending_begin(struct asking *a, bool *ready)
{
	struct amending *am = a->amending;
	struct err *e;

	*ready = am != NULL;
	if (am != NULL)
		return NULL;
	am = talloc_zero(a->mem, struct amending);
	e = referee_last(a->s, am, a->b, &am->now);
	if (e != NULL)
		return e;
	if (am->now == NULL)
		return refuse(a, "No turn has been resolved yet, so there is nothing to change.");
	if (am->now->row->line != a->b->game->line) /* what followed it on the line that was left is kept */
		return refuse(
			a, talloc_asprintf(a->mem,
				   "Turn %d was played before the line of play was changed, and what came after "
				   "it then is kept, so it cannot be changed. To play it again write: ROLLBACK TO "
				   "TURN %d BECAUSE reason",
				   am->now->row->turn, am->now->row->turn));
	e = find_labels(a, am);
	am->first = am->told = am->now;
	if (e == NULL && a->b->game->held)
		e = referee_told(a->s, am, a->b, am->now, &am->told);
	a->amending = am;
	*ready = e == NULL;
	return e;
}

const char *desk_piece(struct asking *a, int unit)
{
	if (a->b->state->units[unit].kind == KIND_GUN)
		return piece_name(a->mem, a->b->sc, a->b->state, unit);
	return piece_english(a->mem, a->b->state, unit);
}

const char *desk_code(struct asking *a, int unit)
{
	if (a->b->state->units[unit].kind == KIND_GUN)
		return desk_piece(a, unit);
	return piece_code(a->mem, a->b->state, unit);
}

/* --- applying a change -------------------------------------------------------------------------------------------- */

const char *amending_reason(struct asking *a, const struct command_record *c)
{
	const char *text = c->because;

	if (text[0] == '\0')
		refuse(a, talloc_asprintf(a->mem,
				  "%s: please say why, and write it like: %s BECAUSE reason. All players read the "
				  "reason.",
				  command_name(a->mem, c->verb), command_words(a, c)));
	else if (strlen(text) > REASON_MAX)
		refuse(a, talloc_asprintf(a->mem, "%s: the reason is too long; please say it in %d letters.",
				  command_name(a->mem, c->verb), REASON_MAX));
	else
		return text;
	return NULL;
}

void amending_give_reason(struct asking *a, const struct amendment *about, bool takes_back, const char *text)
{
	struct amending *am = a->amending;

	am->given = talloc_realloc(am, am->given, struct given_reason, (unsigned)am->given_count + 1);
	am->given[am->given_count++] = (struct given_reason){text, about, takes_back};
}

/* Does it tell the players anything? Not what came and went before they heard of it. */
static bool concerns_players(const struct amending *am, const struct given_reason *r)
{
	if (r->about == NULL)
		return true;
	if (r->takes_back)
		return amendment_stands(am->told->amendments, r->about);
	return amendment_stands(am->now->amendments, r->about) ||
	       (amendment_about(am->now->amendments, r->about) == NULL &&
		       amendment_about(am->told->amendments, r->about) != NULL);
}

static const char *reasons_text(struct asking *a, const struct amending *am)
{
	struct buf *out = buf_new(a->mem);

	for (int i = 0; i < am->given_count; i++)
		if (concerns_players(am, &am->given[i]))
			buf_printf(out, "%s\n", text_wrap(out, am->given[i].text, LETTER_COLUMNS, 2));
	return out->data;
}

struct err *amending_apply(struct asking *a, const struct command_record *c, const struct change *change,
	const struct ruling *ruling, const char *without)
{
	struct amending *am = a->amending;
	struct resolved *now;
	size_t len = strlen(ruling->why);
	struct err *e = referee_amend(a->s, a->mem, a->b, am->now, change, &now);

	if (e != NULL)
		return e;
	if (now == NULL && change->amendment != NULL && amendment_stands(am->now->amendments, change->amendment))
		without = "that stands already.";
	if (now == NULL)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s Nothing was done.", command_words(a, c), without));
	am->now = now;
	len -= ruling->why[len - 1] == '.';
	amending_give_reason(a, change->amendment, false,
		talloc_asprintf(am, "- The referee rules: %s, because %.*s.", ruling->did, (int)len, ruling->why));
	return say(a, talloc_asprintf(a->mem, "%s: done.", command_words(a, c)));
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static bool is_over(const struct resolved *r)
{
	return r->after->winner != WINNER_OPEN;
}

/* Would the corrected report say the same as the one that the players have? */
static struct err *reads_alike(struct asking *a, const struct amending *am, bool *alike)
{
	struct chronicle *c;
	struct err *e = report_chronicle(a->mem, a->b, &c);

	*alike = e == NULL && strcmp(am->told->row->digest, am->now->row->digest) == 0 &&
		 *changes_text(a->mem, c, a->b->sc, am->now->after, am->told->events, am->now->events) == '\0';
	return e;
}

struct err *release_turn(struct asking *a)
{
	a->released = talloc(a->mem, struct released);
	return referee_release(a->s, a->mem, a->b, a->released);
}

/* Those in whose name the referee has acted, if the turn has other orders now than they know. */
static struct err *tell_acted(struct asking *a, const struct amending *am)
{
	bool others = strcmp(am->told->row->orders, am->now->row->orders) != 0;
	struct err *e = NULL;

	for (int i = 0; e == NULL && others && i < am->acted_count; i++) {
		const struct acted_for *acted = &am->acted[i];

		e = people_acted_for(
			a->s, a->mem, a->b, acted->side, acted->sheet, acted->turn, acted->did, acted->because);
	}
	return e;
}

/* The players know the turn: they are told what has become of it, unless that cannot be taken back. */
static struct err *tell_players(struct asking *a, const struct amending *am)
{
	struct game *g = a->b->game;
	const char *reasons = reasons_text(a, am);
	bool alike;
	struct err *e = reads_alike(a, am, &alike);

	if (e != NULL)
		return e;
	if (is_over(am->now) && !is_over(am->told)) {
		say(a, "Mind: by this change the battle is over. When everybody is told of that, they learn the secret "
		       "seed as well, so it is final then. Therefore nobody is told yet, and no orders are taken: "
		       "RELEASE makes it so for everybody; UNDO takes your last change back.");
		return referee_hold_back(a->s, a->mem, a->b);
	}
	if (g->held) {
		say(a, "With that the battle goes on, so the turn is no longer held back. Where it is another now than "
		       "the players know, the corrected report is on its way to them.");
		return release_turn(a);
	}
	e = tell_acted(a, am);
	if (e != NULL)
		return e;
	if (reasons[0] == '\0' || alike) {
		say(a, "All in all that changes nothing of what the players know, so they are not written to.");
		return referee_keep_quiet(a->s, a->mem, am->now);
	}
	say(a, "The corrected report is on its way to all players.");
	return referee_correct(a->s, a->mem, a->b, am->told, reasons);
}

static void tell_referee_of_hold(struct asking *a, const struct amending *am)
{
	say(a, talloc_asprintf(a->mem, "The players know nothing of turn %d yet. To let it go write RELEASE.",
		       am->now->row->turn));
	if (is_over(am->now) && !is_over(am->first))
		say(a, "Mind: as the turn is now, the battle is over with it. UNDO takes your last change back; after "
		       "RELEASE it is final.");
}

static struct err *finish_amending(struct asking *a)
{
	struct amending *am = a->amending;
	const char *subject, *said;
	struct desk_changes changes = {NULL, 0};
	char *page;
	struct err *e = NULL;

	a->amending = NULL;
	if (am == NULL || am->now == am->first)
		return NULL;
	if (am->told == NULL)
		tell_referee_of_hold(a, am);
	else if (am->told != am->now)
		e = tell_players(a, am);
	if (am->version != am->first->row->resolution)
		say(a, talloc_asprintf(a->mem, "(Numbers of events were read as those of version %d.)", am->version));
	if (e == NULL)
		e = undo_changes(a->s, a->mem, a->b, am->now, &changes);
	if (e == NULL)
		e = amended_page(a->mem, a->b, am->first, am->now, undo_list(a->mem, &changes), &subject, &page);
	if (e != NULL)
		return e;
	said = text_wrap(a->mem, a->said->data, LETTER_COLUMNS, 0);
	a->said = buf_new(a->mem);
	add_page(a->mem, a->out,
		&(struct answer_page){
			subject, talloc_asprintf(a->mem, "%s\n\n%s", said, page), am->now->row->id, true});
	return NULL;
}

static struct err *tell_released(struct asking *a)
{
	struct released *r = a->released;

	a->released = NULL;
	return r == NULL ? NULL : referee_tell_released(a->s, a->mem, a->b, r);
}

struct err *finish_desk(struct asking *a)
{
	struct err *e = tell_released(a);

	if (e == NULL)
		e = finish_amending(a);
	return e != NULL ? e : tell_released(a);
}
