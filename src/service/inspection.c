#include "service/inspection.h"

#include "base/buf.h"
#include "battle/inspect.h"
#include "report/chronicle.h"
#include "report/map.h"
#include "report/roster.h"
#include "service/battles.h"

/* `unread` lines could not be read: what is missing, or said of all pieces, may be what they say. */
static void put_flaws(struct buf *out, const struct scenario *sc, const struct flaws *flaws, int unread, int *problems)
{
	int notes = 0;

	*problems = unread;
	for (int i = 0; i < flaws->count; i++) {
		const struct flaw *f = &flaws->list[i];
		bool note = f->weight == FLAW_NOTE;

		if (unread > 0 && (note || f->piece < 0))
			continue;
		notes += note;
		*problems += !note;
		buf_printf(out, "%s: %s%s.\n", flaw_place(out, sc, f), note ? "note: " : "", f->what);
	}
	if (*problems > 0)
		buf_printf(out, "%d problem%s to mend.\n", *problems, *problems == 1 ? "" : "s");
	else
		buf_printf(out, "The battle can be played; %d note%s.\n", notes, notes == 1 ? "" : "s");
}

struct err *inspect_battle(TALLOC_CTX *mem, const char *name_or_path, char **out, int *problems, struct bad_lines *bad)
{
	const struct ruleset *rules;
	struct battle_source source;
	struct scenario *sc;
	struct buf *text = buf_new(mem);
	struct err *e = battle_fetch(mem, name_or_path, NULL, &source);

	bad->count = 0;
	if (e == NULL)
		e = battle_parse_leniently(mem, &source, &sc, &rules, bad);
	if (e != NULL)
		return e;
	if (bad->count == 0)
		buf_printf(text, "%s (%s rules)\n\n%s%s\n%s\n", sc->title, rules->name,
			map_of(text, sc, sc->state, NULL), map_key(text, sc, sc->state, NULL),
			roster_text(text, sc, sc->state, -1));
	put_flaws(text, sc, scenario_inspect(text, sc, rule_number(sc, "minimum-distance", 0)), bad->count, problems);
	*out = text->data;
	return NULL;
}
