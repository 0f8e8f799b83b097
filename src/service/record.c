#include "service/record.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/text.h"
#include "service/scenarios.h"

#include <string.h>

enum { DIGEST_SHOWN = 12 };

struct err *record_digest(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char **out)
{
	struct err *e = NULL;

	*out = NULL;
	if (g->turn > 1 || g->part > 0)
		e = store_turn_digest(s->store, mem, g, last_turn(g), out);
	return e != NULL || *out != NULL ? e : scenarios_opening(s->scenarios, mem, g, out);
}

const char *record_actor(TALLOC_CTX *mem, const struct player *p)
{
	return buf_text(mem, "%s %lld", strcmp(p->role, "referee") == 0 ? "referee" : "player", (long long)p->id);
}

struct err *record_act(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char *actor,
	const char *what, const char *reason, const char *before, const char *after)
{
	struct act act = {
		.game = g->id,
		.made = clock_now(&s->clock),
		.actor = actor,
		.what = what,
		.reason = reason,
		.digest_before = before,
		.digest_after = after,
	};
	struct err *e = NULL;

	if (after == NULL)
		e = record_digest(s, mem, g, &act.digest_after);

	return e != NULL ? e : store_add_act(s->store, mem, &act);
}

static void print_act(struct buf *out, TALLOC_CTX *mem, const struct game *g, const struct act *act)
{
	bool moved = strcmp(act->digest_before, act->digest_after) != 0;
	bool person = strcmp(act->actor, "clock") != 0 && strcmp(act->actor, "command line") != 0;

	buf_printf(out, "%5lld  %s  %-12s  %s", (long long)act->id, clock_text(mem, act->made, g->zone), act->actor,
		text_escape(mem, act->what, strlen(act->what)));
	/* A person says why; of the clock and the command line it is known how or with what. */
	if (act->reason[0] != '\0')
		buf_printf(out, person ? "  because %s" : " (%s)", text_escape(mem, act->reason, strlen(act->reason)));
	if (act->digest_after[0] != '\0' && moved)
		buf_printf(out, "  [%.*s -> %.*s]", DIGEST_SHOWN,
			act->digest_before[0] != '\0' ? act->digest_before : "-", DIGEST_SHOWN, act->digest_after);
	else if (act->digest_after[0] != '\0')
		buf_printf(out, "  [%.*s]", DIGEST_SHOWN, act->digest_after);
	buf_addc(out, '\n');
}

static void print_act_json(struct json *j, TALLOC_CTX *mem, const struct act *act)
{
	json_open_object(j, NULL);
	json_int(j, "number", act->id);
	json_string(j, "time", clock_iso(mem, act->made));
	json_string(j, "actor", act->actor);
	json_string(j, "what", act->what);
	json_string(j, "reason", act->reason);
	json_string(j, "before", act->digest_before);
	json_string(j, "after", act->digest_after);
	json_close_object(j);
}

struct err *record_print(const struct service *s, TALLOC_CTX *mem, const struct game *g, bool json, struct buf *out)
{
	struct acts acts;
	struct json j;
	struct err *e = store_acts(s->store, mem, g->id, &acts);

	if (e != NULL)
		return e;
	if (json) {
		json_begin(&j, out);
		json_open_array(&j, NULL);
	}
	for (int i = 0; i < acts.count; i++) {
		if (json)
			print_act_json(&j, mem, &acts.list[i]);
		else
			print_act(out, mem, g, &acts.list[i]);
	}
	if (json) {
		json_close_array(&j);
		buf_addc(out, '\n');
	}
	return NULL;
}
