#include "service/post.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "orders/verbs.h"
#include "report/chronicle.h"
#include "report/map.h"
#include "report/roster.h"
#include "report/sheet.h"
#include "service/draft.h"
#include "service/part.h"
#include "service/people.h"
#include "service/templates.h"
#include "store/people.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { COMMAND_COLUMNS = 19 };

void put_value(struct values *v, const char *name, const char *text)
{
	assert(v->count < POST_VALUES_MAX);
	v->list[v->count++] = (struct value){name, text};
}

const char *flag(bool yes)
{
	return yes ? "yes" : "";
}

void put_map(struct values *v, TALLOC_CTX *mem, const struct scenario *sc, const struct state *shown,
	const struct plan *plan)
{
	char *map = NULL, *legend = NULL;

	if (shown != NULL)
		map = map_with_key(mem, sc, shown, plan, &legend);
	put_value(v, "map", map);
	put_value(v, "legend", legend);
}

char *deadline_text(TALLOC_CTX *mem, const struct game *g)
{
	if (strcmp(g->status, "paused") == 0)
		return talloc_strdup(mem, "the day that the referee sets (the game is paused)");
	if (g->slot[0] == '\0') /* a drill */
		return talloc_strdup(mem, "the moment all your lines are understood");
	if (g->deadline == 0)
		return talloc_strdup(mem, "the day that the referee sets");
	return buf_text(mem, "%s (%s)", clock_text(mem, g->deadline, g->zone), g->zone);
}

char *command_text(TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	const bool *may = player_may_order(mem, b, p);
	int *units = talloc_array(mem, int, (unsigned)b->state->count), count = 0;
	struct buf *out = buf_new(mem);

	if (p->units[0] == '\0')
		return talloc_strdup(mem, "the whole army");
	for (int i = 0; i < b->state->count; i++)
		if (may[i] && b->state->units[i].kind != KIND_COMMANDER)
			units[count++] = i;
	if (count > 0)
		buf_adds(out, pieces_text(out, b->state, units, count));
	if (strncmp(out->data, "The ", 4) == 0 || strncmp(out->data, "All ", 4) == 0)
		out->data[0] = (char)tolower((unsigned char)out->data[0]);
	for (int i = 0; i < b->state->count; i++)
		if (may[i] && b->state->units[i].kind == KIND_COMMANDER)
			buf_printf(out, "%s%s", out->len > 0 ? ", " : "", piece_english(out, b->state, i));
	return out->data;
}

/* Words that only people with units to order can use. */
static bool for_players_only(enum command_verb verb)
{
	return verb == COMMAND_ACCEPT || verb == COMMAND_FORGET || verb == COMMAND_READY || verb == COMMAND_WAIT ||
	       verb == COMMAND_CONCEDE || verb == COMMAND_NO_CONCEDE || verb == COMMAND_CANCEL || verb == COMMAND_CLEAR;
}

/* As it is written, with its reason and its moment where it has them. */
static const char *whole_usage(TALLOC_CTX *mem, enum command_verb verb, bool referee)
{
	bool by_turn = verb == COMMAND_ORDER || verb == COMMAND_VOID; /* for the open turn no reason is asked */

	return talloc_asprintf(mem, "%s%s%s", command_info_for(verb, referee)->usage,
		command_takes_before(verb) ? " [BEFORE event]" : "",
		!command_wants_reason(verb) ? ""
		: by_turn                   ? " [BECAUSE reason]"
					    : " BECAUSE reason");
}

char *commands_text(TALLOC_CTX *mem, const struct board *b, bool referee)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < COMMAND_VERBS; i++) {
		const struct command_info *info = command_info_for((enum command_verb)i, referee);
		const char *usage = whole_usage(out, (enum command_verb)i, referee);
		bool fits = strlen(usage) < COMMAND_COLUMNS && COMMAND_COLUMNS + strlen(info->help) <= LETTER_COLUMNS;

		if (referee ? for_players_only((enum command_verb)i) : info->referee)
			continue;
		if (fits)
			buf_printf(out, "%-*s%s\n", COMMAND_COLUMNS, usage, info->help);
		else
			buf_printf(out, "%s\n%*s%s\n", usage, COMMAND_COLUMNS, "", info->help);
	}
	if (referee)
		buf_printf(out, "\n%s\n",
			text_wrap(out,
				talloc_asprintf(out,
					"What stands in [ ] may be left out; of words with | between them write one. A "
					"side is E (%s) or J (%s). All players read the reason. BEFORE 12 makes the "
					"change just before event 12 of the turn, else it is made at the turn's end. "
					"ORDER and VOID of the turn that was resolved last need a reason, of the open "
					"turn TURN and its number.",
					side_people(out, b->sc, SIDE_GOVERNMENT),
					side_people(out, b->sc, SIDE_JACOBITE)),
				LETTER_COLUMNS, 0));
	return out->data;
}

/* --- the page of rules ------------------------------------------------------------------------------------------- */

const char *rules_template(TALLOC_CTX *mem, const struct board *b)
{
	return talloc_asprintf(mem, "rules-%s", b->rules->name);
}

/* "a 6", "5 or 6", "4, 5 or 6". */
static const char *faces_text(TALLOC_CTX *mem, int need)
{
	if (need >= 6)
		return "a 6";
	if (need == 5)
		return "5 or 6";
	return need == 4 ? "4, 5 or 6" : talloc_asprintf(mem, "%d or more", need);
}

static bool has_guns(const struct state *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_GUN)
			return true;
	return false;
}

/* "six", when all foot and horse begin with six bases; "" when they begin with different numbers. */
static const char *strength_text(TALLOC_CTX *mem, const struct state *s)
{
	int bases = 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (unit_is_formed(u) && bases != 0 && u->begun != bases)
			return "";
		if (unit_is_formed(u))
			bases = u->begun;
	}
	return bases == 6 ? "six" : bases == 10 ? "ten" : talloc_asprintf(mem, "%d", bases);
}

/* Every option of the rule set under its own name with underlines: {{panic_reach}}. */
static void put_parameters(struct values *v, TALLOC_CTX *mem, const struct parameters *p)
{
	for (int i = 0; i < p->count; i++) {
		char *name = talloc_strdup(mem, p->defs[i].name);

		for (char *c = strchr(name, '-'); c != NULL; c = strchr(c, '-'))
			*c = '_';
		put_value(v, name, parameters_text(mem, p, i));
	}
}

/* "Foot, horse and commanders go up to 6 inches in a turn": those who go equally far together. */
static const char *moves_text(TALLOC_CTX *mem, const struct scenario *sc)
{
	int32_t foot = rule_number(sc, "infantry-move", 0), horse = rule_number(sc, "horse-move", 0),
		commander = rule_number(sc, "commander-move", 0);
	const char *f = text_inches(mem, foot), *h = text_inches(mem, horse), *c = text_inches(mem, commander);

	if (foot == horse && horse == commander)
		return talloc_asprintf(mem, "Foot, horse and commanders go up to %s inches in a turn", f);
	if (horse == commander)
		return talloc_asprintf(mem, "Foot goes up to %s inches in a turn, horse and commanders %s", f, h);
	if (foot == horse)
		return talloc_asprintf(mem, "Foot and horse go up to %s inches in a turn, commanders %s", f, c);
	return talloc_asprintf(mem, "Foot goes up to %s inches in a turn, horse %s, commanders %s", f, h, c);
}

static const char *charges_text(TALLOC_CTX *mem, const struct scenario *sc)
{
	int32_t foot = rule_number(sc, "infantry-charge", 0), horse = rule_number(sc, "horse-charge", 0);

	if (foot == horse)
		return talloc_asprintf(mem, "%s inches", text_inches(mem, foot));
	return talloc_asprintf(
		mem, "%s inches for foot, %s for horse", text_inches(mem, foot), text_inches(mem, horse));
}

/* Of a hundred parts, as people say it. */
static const char *part_text(TALLOC_CTX *mem, int percent)
{
	static const struct {
		int percent;
		const char *words;
	} known[] = {{25, "a quarter"}, {33, "a third"}, {34, "a third"}, {50, "half"}, {66, "two thirds"},
		{67, "two thirds"}, {75, "three quarters"}, {100, "all"}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].percent == percent)
			return known[i].words;
	return talloc_asprintf(mem, "%d%%", percent);
}

/* The code of the battle's first commander, for an example; "Ha" where it has none. */
static const char *a_general(const struct state *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_COMMANDER)
			return s->units[i].code;
	return "Ha";
}

void put_rules(struct values *v, TALLOC_CTX *mem, const struct scenario *sc)
{
	static const struct {
		const char *name, *parameter;
		enum { AS_INCHES, AS_FACES, AS_NUMBER, AS_FLAG } as;
	} rules[] = {
		{"clearance", "clearance", AS_INCHES},
		{"range", "infantry-range", AS_INCHES},
		{"shoot", "shoot-hit", AS_FACES},
		{"close", "close-hit", AS_FACES},
		{"foot_hit", "foot-melee-hit", AS_FACES},
		{"horse_hit", "horse-melee-hit", AS_FACES},
		{"charge_hit", "charge-melee-hit", AS_FACES},
		{"commander_hit", "commander-hit", AS_FACES},
		{"falls", "commander-falls", AS_FACES},
		{"flank", "flank-dice", AS_NUMBER},
		{"modifier", "discipline-modifier", AS_FLAG},
		{"gun_dice", "gun-dice", AS_NUMBER},
		{"gun_hit", "gun-hit", AS_FACES},
		{"gun_hits", "gun-hits", AS_NUMBER},
		{"gun_room", "gun-corridor", AS_INCHES},
		{"limit", "turn-limit", AS_FLAG},
		{"wet", "wet-powder", AS_FLAG},
		{"tested", "fire-at-chargers", AS_FLAG},
	};
	int32_t range;

	put_value(v, "general", a_general(sc->state));
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		int32_t value = rule_number(sc, rules[i].parameter, INT32_MIN);

		if (value == INT32_MIN)
			continue;
		if (rules[i].as == AS_INCHES)
			put_value(v, rules[i].name, text_inches(mem, value));
		else if (rules[i].as == AS_FACES)
			put_value(v, rules[i].name, faces_text(mem, value));
		else
			put_value(v, rules[i].name,
				rules[i].as == AS_FLAG && value == 0 ? "" : talloc_asprintf(mem, "%d", value));
	}
	range = rule_number(sc, "gun-range", 0);
	put_value(v, "gun_reach",
		range == 0 ? "however far" : talloc_asprintf(mem, "up to %s inches away", text_inches(mem, range)));
	put_value(v, "strength", strength_text(mem, sc->state));
	put_value(v, "guns", has_guns(sc->state) ? "guns" : "");
	put_value(v, "moves", moves_text(mem, sc));
	put_value(v, "charges", charges_text(mem, sc));
	put_value(v, "break_part", part_text(mem, rule_number(sc, "break-percent", 0)));
	put_value(v, "rout_part", part_text(mem, rule_number(sc, "rout-percent", 0)));
	put_value(v, "government", side_people(mem, sc, SIDE_GOVERNMENT));
	put_value(v, "jacobites", side_people(mem, sc, SIDE_JACOBITE));
	put_value(v, "jacobite", sc->label[SIDE_JACOBITE]);
	put_parameters(v, mem, sc->parameters); /* last: of two values of one name the first is printed */
}

struct err *fill_page(TALLOC_CTX *mem, const char *file, const struct values *v, const char **subject, char **out)
{
	struct template *template;
	struct letter letter;
	struct err *e = templates_read(mem, file, &template);

	if (e == NULL)
		e = template_fill(mem, template, v->list, v->count, &letter);
	if (e != NULL)
		return e;
	if (subject != NULL)
		*subject = letter.subject;
	*out = letter.text;
	return NULL;
}

struct err *rules_page(TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct values v = {.count = 0};

	put_value(&v, "tag", "");
	put_rules(&v, mem, b->sc);
	return fill_page(mem, talloc_asprintf(mem, "templates/%s.txt", rules_template(mem, b)), &v, NULL, out);
}

bool has_sheet(const struct board *b, const struct player *p)
{
	return player_side(p) >= 0 && !b->game->held && strcmp(b->game->status, "ended") != 0;
}

void put_sheet_of(TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book,
	struct values *v, const char **printed)
{
	enum side side = (enum side)player_side(p);
	char *lines;

	*printed = "";
	if (!has_sheet(b, p)) {
		put_value(v, "sheet", "");
		return;
	}
	put_value(v, "sheet",
		sheet_print(
			mem, b->state, side, player_may_order(mem, b, p), book, b->game->name, b->game->turn, &lines));
	*printed = lines;
}

struct err *put_sheet(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	struct values *v, const char **printed)
{
	const struct orderbook *book = NULL;
	struct err *e = has_sheet(b, p) ? board_orders(s, mem, b, player_side(p), NULL, &book) : NULL;

	*printed = "";
	if (e == NULL)
		put_sheet_of(mem, b, p, book, v, printed);
	return e;
}

static struct err *queue_to(const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *values,
	const char *recipient)
{
	struct draft *d;
	struct err *e = draft_begin(s, mem, p, values, recipient, &d);

	if (e != NULL)
		return e;
	draft_write(d);
	return draft_store(d, mem);
}

/* What we write to a player by ourselves his deputies get as well, save for his welcome, which is his alone. */
static struct err *queue_to_deputies(
	const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *v)
{
	const char **deputies;
	struct err *e;

	if (p->player == NULL || p->answers != NULL || p->alone || strcmp(p->template, "welcome") == 0)
		return NULL;
	e = store_addresses(s->store, mem, p->player->id, true, &deputies);
	for (int i = 0; e == NULL && deputies[i] != NULL; i++)
		if (strcmp(deputies[i], p->recipient) != 0)
			e = queue_to(s, mem, p, v, deputies[i]);
	return e;
}

bool post_wanted(const struct post *p)
{
	return p->player == NULL || !p->player->stopped;
}

struct err *post_mail(const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *v)
{
	TALLOC_CTX *scratch = talloc_new(mem);
	struct err *e = post_wanted(p) ? queue_to(s, scratch, p, v, p->recipient) : NULL;

	if (e == NULL)
		e = queue_to_deputies(s, scratch, p, v);
	if (e != NULL)
		talloc_steal(mem, e);
	talloc_free(scratch);
	return e;
}
