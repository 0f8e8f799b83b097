#include "service/silence.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"
#include "service/letters.h"
#include "service/part.h"
#include "service/people.h"
#include "service/post.h"

#include <string.h>

enum { HOUR = 3600, PLAYERS_MIN = 3, NAMED_MAX = 40 };

struct silence {
	int asked, silent; /* who should have sent something, and who of them has not */
	struct buf *names; /* of the silent */
};

static struct err *count(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, struct players *players, struct silence *out)
{
	struct err *e = store_players(s->store, mem, b->game->id, players);

	*out = (struct silence){.names = buf_new(mem)};
	for (int i = 0; e == NULL && i < players->count; i++) {
		const struct player *p = &players->list[i];
		int64_t away = 0;
		bool silent = false;

		if (player_side(p) < 0 || !part_is_of(b, (enum side)player_side(p)))
			continue;
		e = people_away(s, mem, p, &away);
		if (e == NULL && away == 0)
			e = people_silent(s, mem, b, p, &silent);
		out->asked += away == 0;
		out->silent += silent;
		if (silent && out->silent <= NAMED_MAX)
			buf_printf(out->names, "%s%s", out->names->len > 0 ? ", " : "", p->name);
	}
	return e;
}

/* Is this too much silence to go on? */
static bool too_silent(const struct board *b, const struct silence *n)
{
	int share = b->options->values[OPTION_SILENT_SHARE];
	int least = b->options->given[OPTION_SILENT_SHARE] ? 1 : PLAYERS_MIN;

	return n->asked >= least && n->silent * 100 > share * n->asked;
}

static struct err *tell(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct players *players,
	const struct silence *n)
{
	const char *until = deadline_text(mem, b->game);
	const char *asked = talloc_asprintf(mem,
		"The time for turn %d is up, but %d of %d players have sent nothing: %s.\n\nThe turn waits for you "
		"until "
		"%s. Answer this mail with one of these on a line of its own:\n\n    RESOLVE TURN %d\n    EXTEND 2 "
		"DAYS\n\n"
		"If you do nothing, it is resolved then with the orders that are in.",
		b->game->turn, n->silent, n->asked, n->names->data, until, b->game->turn);
	const char *told = talloc_asprintf(mem,
		"The time for turn %d is up, but most players have sent no orders. So it waits until %s, unless the "
		"referee "
		"decides otherwise. If you have sent yours, nothing need be done; if not, there is still time.",
		b->game->turn, until);
	struct err *e = letter_to_referees(
		s, mem, b, "Most players are silent: what shall be done?", text_wrap(mem, asked, LETTER_COLUMNS, 0));

	for (int i = 0; e == NULL && i < players->count; i++)
		if (player_side(&players->list[i]) >= 0)
			e = letter_answer(s, mem, b, &players->list[i], NULL,
				talloc_asprintf(mem, "Turn %d waits", b->game->turn),
				text_wrap(mem, told, LETTER_COLUMNS, 0), true);
	return e;
}

struct err *silence_check(const struct service *s, TALLOC_CTX *mem, struct game *g, bool *waits)
{
	int64_t now = clock_now(&s->clock);
	struct players players;
	struct silence n;
	struct board *b;
	struct err *e = board_load(s, mem, g, &b);

	*waits = false;
	if (e == NULL)
		e = count(s, mem, b, &players, &n);
	if (e != NULL || !too_silent(b, &n))
		return e;
	e = store_ask_silence(s->store, mem, g, now, waits);
	if (e != NULL || !*waits)
		return e;
	g->deadline = now + (int64_t)b->options->values[OPTION_SILENT_HOURS] * HOUR;
	e = store_update_game(s->store, mem, g);
	if (e == NULL)
		e = store_act(s->store, mem, g->id, now, "clock", talloc_asprintf(mem, "turn %d waits", g->turn),
			talloc_asprintf(mem, "%d of %d players have sent nothing", n.silent, n.asked));
	return e != NULL ? e : tell(s, mem, b, &players, &n);
}
