/* DRILL: a battle to practise with. */
#include "service/command.h"
#include "service/drill.h"

static struct err *do_drill(struct asking *a, const struct command_record *c)
{
	bool begun;
	struct err *e;

	(void)c;
	if (a->to == NULL)
		return refuse(a, "DRILL is for players, by mail.");
	if (is_drill(a->b->game))
		return refuse(a,
			"This is a drill already: just write orders. For a new one, write DRILL in an answer to a "
			"mail of your real game.");
	e = drill_begin(a->s, a->mem, a->b, a->p, a->to, &begun);
	if (e == NULL && !begun)
		return refuse(a, talloc_asprintf(a->mem, "You have had %d drills today. Tomorrow there are more.",
					 DRILLS_A_DAY));
	return e;
}

const struct deed drill_deeds[] = {{COMMAND_DRILL, do_drill, true, true}, {.run = NULL}};
