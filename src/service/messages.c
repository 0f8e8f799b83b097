#include "service/messages.h"

#include "base/text.h"
#include "report/chronicle.h"
#include "report/template.h"
#include "service/letters.h"
#include "service/people.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const side_word[SIDES] = {"E", "J"};

/* --- for whom ----------------------------------------------------------------------------------------------------- */

/* The side that a folded word means, or -1. */
static int side_named(TALLOC_CTX *mem, const struct board *b, const struct player *from, const char *word)
{
	static const char *const own[] = {"side", "our side", "own side", "us", "team", "our team", "friends"};
	static const char *const other[] = {"enemy", "enemies", "other side", "opponents", "opponent", "them"};
	static const char *const names[SIDES][4] = {
		{"e", "english", "government", "british"}, {"j", "jacobite", "jacobites", "scots"}};
	int mine = player_side(from);

	for (int side = 0; side < SIDES; side++) {
		if (strcmp(word, text_fold(mem, b->sc->label[side])) == 0 ||
			strcmp(word, text_fold(mem, side_people(mem, b->sc, side))) == 0)
			return side;
		for (int i = 0; i < 4; i++)
			if (strcmp(word, names[side][i]) == 0)
				return side;
	}
	for (size_t i = 0; mine >= 0 && i < sizeof own / sizeof *own; i++)
		if (strcmp(word, own[i]) == 0)
			return mine;
	for (size_t i = 0; mine >= 0 && i < sizeof other / sizeof *other; i++)
		if (strcmp(word, other[i]) == 0)
			return (int)side_other((enum side)mine);
	return -1;
}

/* "wing E Left" when the words name a wing ("left wing", "wing left"), of the writer's side unless the other is named
 * before it ("jacobite left wing"); else NULL. */
static const char *wing_named(TALLOC_CTX *mem, const struct board *b, const struct player *from, const char *words)
{
	int mine = player_side(from);

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];
		const char *wing = talloc_asprintf(mem, "%s wing", text_fold(mem, u->wing));
		const char *sided = talloc_asprintf(mem, "%s %s", text_fold(mem, b->sc->label[u->side]), wing);

		if (u->wing[0] != '\0' &&
			(strcmp(words, sided) == 0 || ((int)u->side == mine && strcmp(words, wing) == 0)))
			return talloc_asprintf(mem, "wing %s %s", side_word[u->side], u->wing);
	}
	return NULL;
}

/* The one player who commands the unit or commander of that name or code; else NULL. */
static const char *commander_named(
	TALLOC_CTX *mem, const struct board *b, const struct players *players, const char *words)
{
	int64_t found = 0;

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];
		const char *name = text_fold(mem, u->name);
		size_t n = strlen(name), len = strlen(words);

		if (strcmp(name, words) != 0 && !(u->kind == KIND_COMMANDER && n > len && name[n - len - 1] == ' ' &&
							strcmp(name + n - len, words) == 0))
			continue;
		for (int k = 0; k < players->count; k++) {
			if (!player_may_order(mem, b, &players->list[k])[i])
				continue;
			if (found != 0 && found != players->list[k].id)
				return NULL;
			found = players->list[k].id;
		}
	}
	return found == 0 ? NULL : talloc_asprintf(mem, "player %lld", (long long)found);
}

struct err *message_audience(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *from,
	const char *words, const char **out)
{
	const char *folded = text_fold(mem, words), *rest, *why, *bare = folded;
	struct players players;
	struct player *p;
	struct err *e;
	int side;

	*out = NULL;
	for (const char *skip = "the \0my \0player \0"; *skip != '\0'; skip += strlen(skip) + 1)
		if (strncmp(bare, skip, strlen(skip)) == 0)
			bare += strlen(skip);
	side = side_named(mem, b, from, bare);
	if (strcmp(bare, "all") == 0 || strcmp(bare, "everyone") == 0 || strcmp(bare, "everybody") == 0)
		*out = "all";
	else if (strcmp(bare, "referee") == 0 || strcmp(bare, "teacher") == 0 || strcmp(bare, "referees") == 0)
		*out = "referee";
	else if (side >= 0)
		*out = side_word[side];
	else
		*out = wing_named(mem, b, from, bare);
	if (*out != NULL)
		return NULL;
	e = people_find(s, mem, b->game, bare, &p, &rest, &why);
	if (e == NULL && p != NULL && rest[0] == '\0')
		*out = strcmp(p->role, "referee") == 0 ? "referee"
						       : talloc_asprintf(mem, "player %lld", (long long)p->id);
	if (e == NULL && *out == NULL)
		e = store_players(s->store, mem, b->game->id, &players);
	if (e == NULL && *out == NULL)
		*out = commander_named(mem, b, &players, bare);
	return e;
}

/* Is the player among those? */
static bool is_for(TALLOC_CTX *mem, const struct board *b, const char *audience, const struct player *p)
{
	const bool *may;
	int side = player_side(p);

	if (strcmp(audience, "all") == 0)
		return true;
	if (strcmp(audience, "referee") == 0)
		return strcmp(p->role, "referee") == 0;
	if (strncmp(audience, "player ", 7) == 0)
		return p->id == strtoll(audience + 7, NULL, 10);
	if (side < 0 || strncmp(audience, "wing ", 5) != 0)
		return side >= 0 && strcmp(audience, side_word[side]) == 0;
	may = player_may_order(mem, b, p);
	for (int i = 0; i < b->state->count; i++)
		if (may[i] && audience[5] == side_word[side][0] &&
			strcmp(b->state->units[i].wing, audience + strlen("wing E ")) == 0)
			return true;
	return false;
}

struct err *message_audience_text(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *audience, const char **out)
{
	struct player *p = NULL;
	struct err *e = NULL;

	if (strcmp(audience, "all") == 0) {
		*out = "everybody";
	} else if (strcmp(audience, "referee") == 0) {
		*out = "the referee";
	} else if (strncmp(audience, "wing ", 5) == 0) {
		*out = talloc_asprintf(
			mem, "the %s %s wing", b->sc->label[audience[5] == 'E' ? 0 : 1], audience + strlen("wing E "));
	} else if (strncmp(audience, "player ", 7) == 0) {
		e = store_player(s->store, mem, strtoll(audience + 7, NULL, 10), &p);
		*out = p == NULL ? "somebody who has left the game" : people_label(mem, b, p);
	} else {
		*out = talloc_asprintf(mem, "the %s", side_people(mem, b->sc, strcmp(audience, "E") == 0 ? 0 : 1));
	}
	return e;
}

struct err *message_own_side(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *from,
	const char *audience, bool *out)
{
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	*out = true;
	for (int i = 0; e == NULL && i < players.count; i++)
		if (is_for(mem, b, audience, &players.list[i]) && player_side(&players.list[i]) != player_side(from))
			*out = false;
	return e;
}

/* --- printed and sent --------------------------------------------------------------------------------------------- */

/* A dash before ORDERS or END is how our own sheets begin and end, also in what a reader quotes when he answers: who
 * wrote one into a message would order his opponent's pieces. */
static void break_marks(char *text)
{
	for (char *dash = text; (dash = strchr(dash, '-')) != NULL; dash++) {
		const char *word = dash + strspn(dash, "- ");

		if (dash[1] == '-' || strncasecmp(word, "orders", 6) == 0 || strncasecmp(word, "end", 3) == 0)
			*dash = '.';
	}
}

const char *message_body(TALLOC_CTX *mem, const char *body)
{
	struct buf *out = buf_new(mem);
	char *plain = text_plain(mem, body, strnlen(body, MESSAGE_LETTERS_MAX), NULL), *wrapped;

	for (size_t len = strlen(plain); len > 0 && (plain[len - 1] == '\n' || plain[len - 1] == ' ');)
		plain[--len] = '\0';
	break_marks(plain);
	wrapped = text_wrap(mem, plain, LETTER_COLUMNS - 2, 0);
	for (const char *p = wrapped; *p != '\0';) {
		size_t n = strcspn(p, "\n");

		buf_printf(out, "| %s\n", text_escape(mem, p, n));
		p += n + (p[n] == '\n');
	}
	return out->data;
}

bool message_of_another(const struct message_row *m, const struct player *now)
{
	return now != NULL && m->made <= now->since;
}

struct err *message_text(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct message_row *m, struct buf *out)
{
	struct player *from = NULL;
	const char *audience, *head;
	struct err *e = store_player(s->store, mem, m->player, &from);

	if (e == NULL)
		e = message_audience_text(s, mem, b, m->audience, &audience);
	if (e != NULL)
		return e;
	head = talloc_asprintf(mem, "%d. %s (player %lld) to %s, %s", m->number,
		from == NULL                  ? "Somebody who has left the game"
		: message_of_another(m, from) ? "Who played before"
					      : from->name,
		(long long)m->player, audience, clock_text(mem, m->made, b->game->zone));
	buf_printf(out, "%s\n%s", text_wrap(mem, head, LETTER_COLUMNS, 3), message_body(mem, m->body));
	return NULL;
}

struct err *message_deliver(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct message_row *m, int *reached)
{
	const char *label = "somebody who has left the game", *audience, *text;
	struct player *from = NULL;
	struct players players;
	struct err *e = store_player(s->store, mem, m->player, &from);

	*reached = 0;
	if (e == NULL)
		e = store_players(s->store, mem, b->game->id, &players);
	if (e == NULL)
		e = message_audience_text(s, mem, b, m->audience, &audience);
	if (e != NULL)
		return e;
	if (message_of_another(m, from))
		label = talloc_asprintf(mem, "the person who was player %lld before", (long long)m->player);
	else if (from != NULL)
		label = people_label(mem, b, from);
	text = talloc_asprintf(mem, "%c%s says to %s:\n\n%s\n%s", toupper((unsigned char)label[0]), label + 1, audience,
		message_body(mem, m->body),
		text_wrap(mem,
			from == NULL || message_of_another(m, from) ? "Who wrote this plays no longer."
			: strcmp(label, "the referee") == 0
				? "To answer, write SAY TO referee: and your words on a line of its own."
				: talloc_asprintf(mem,
					  "To answer, write SAY TO player %lld: and your words on a line of its own.",
					  (long long)m->player),
			LETTER_COLUMNS, 0));
	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];

		if ((p->id == m->player && !message_of_another(m, p)) || !is_for(mem, b, m->audience, p))
			continue;
		e = letter_answer(s, mem, b, p, NULL, talloc_asprintf(mem, "A message from %s", label), text, false);
		++*reached;
	}
	return e;
}
