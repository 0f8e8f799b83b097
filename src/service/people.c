#include "service/people.h"

#include "base/address.h"
#include "base/buf.h"
#include "base/text.h"
#include "mail/key.h"
#include "service/letters.h"
#include "service/part.h"
#include "service/post.h"
#include "store/outbox.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char taken_back[] = "taken back: its player has been replaced or removed";

/* --- found by name ------------------------------------------------------------------------------------------------ */

/* How well the words fit the player: 2 in full, 1 a part of his name, 0 not. */
static int fit(TALLOC_CTX *mem, const struct player *p, const char *words)
{
	const char *name = text_fold(mem, p->name), *folded = text_fold(mem, words);
	size_t n = strlen(folded);
	bool class = n == 2 && isdigit((unsigned char)folded[0]) && isalpha((unsigned char)folded[1]); /* "7a" */

	if (strcmp(words, talloc_asprintf(mem, "%lld", (long long)p->id)) == 0 || strcasecmp(words, p->address) == 0)
		return 2;
	if (n == 0)
		return 0;
	if (strcmp(name, folded) == 0)
		return 2;
	for (const char *at = name; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
		if ((n >= 3 || class) && strncmp(at, folded, n) == 0 && (at[n] == '\0' || at[n] == ' '))
			return 1;
	return 0;
}

/* Who fits these words best; *fitting says how many fit so well. */
static struct player *best_fit(TALLOC_CTX *mem, const struct players *players, const char *words, int *fitting)
{
	struct player *found = NULL;
	int best = 1;

	*fitting = 0;
	for (int i = 0; i < players->count; i++) {
		int f = fit(mem, &players->list[i], words);

		if (f > best || (f == best && f > 0 && found == NULL)) {
			best = f;
			found = &players->list[i];
			*fitting = 1;
		} else if (f == best && found != NULL) {
			++*fitting;
		}
	}
	return found;
}

static const char *everybody(TALLOC_CTX *mem, const struct players *players)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < players->count; i++)
		buf_printf(out, "%s%lld %s (%s)", i > 0 ? ", " : "", (long long)players->list[i].id,
			players->list[i].name, players->list[i].role);
	return out->data;
}

struct err *people_find(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char *text,
	struct player **out, const char **rest, const char **why)
{
	const char *typed = text_escape(mem, text, strlen(text));
	struct players players;
	int fitting = 0;
	struct err *e = store_players(s->store, mem, g->id, &players);

	*out = NULL;
	*rest = *why = "";
	if (e != NULL)
		return e;
	if (strncasecmp(text, "player ", 7) == 0 && isdigit((unsigned char)text[7])) /* as our mails call him */
		text += 7;
	/* The longest beginning that means somebody: "Ann Smith D, E" is Ann Smith and her units. */
	for (size_t len = strlen(text); *out == NULL && len > 0; len--) {
		if (text[len] != '\0' && text[len] != ' ')
			continue;
		*out = best_fit(mem, &players, talloc_strndup(mem, text, len), &fitting);
		*rest = text + len + strspn(text + len, " ");
	}
	if (*out != NULL && fitting == 1)
		return NULL;
	if (*out == NULL && isdigit((unsigned char)*text)) /* the rest is not of his name */
		typed = talloc_strndup(mem, text, strspn(text, "0123456789"));
	*why = talloc_asprintf(mem, "%s '%s'. Write the number: %s.",
		*out != NULL ? "there are several players called" : "there is no player", typed,
		everybody(mem, &players));
	*out = NULL;
	return NULL;
}

const char *people_name(TALLOC_CTX *mem, const char *text)
{
	enum { NAME_BYTES_MAX = 80 };
	const char *plain = text_plain(mem, text, strlen(text), NULL);
	struct buf *out = buf_new(mem);

	for (const char *p = plain + strspn(plain, " \t\n"); *p != '\0'; p += strspn(p, " \t\n")) {
		size_t len = strcspn(p, " \t\n");

		if (out->len + len + 1 > NAME_BYTES_MAX)
			break;
		buf_printf(out, "%s%.*s", out->len > 0 ? " " : "", (int)len, p);
		p += len;
	}
	return out->data;
}

bool people_address(TALLOC_CTX *mem, const struct service *s, const char *text, const char **name, const char **out,
	const char **why)
{
	size_t len = strlen(text);
	struct address parsed;
	char *lower;

	while (len > 0 && strchr(".,; ", text[len - 1]) != NULL)
		len--;
	if (!address_parse(mem, talloc_strndup(mem, text, len), &parsed)) {
		*why = talloc_asprintf(mem, "'%s' is no mail address", text_escape(mem, text, strlen(text)));
		return false;
	}
	if (address_equal(parsed.address, s->config->address) ||
		address_tag(mem, parsed.address, s->config->address) != NULL) {
		*why = "that is the game's own address; a player needs one of his own";
		return false;
	}
	lower = talloc_strdup(mem, parsed.address);
	for (char *p = lower; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	*name = people_name(mem, parsed.name);
	*out = lower;
	return true;
}

const struct order *people_pieces(
	TALLOC_CTX *mem, const struct board *b, enum side side, const char *text, const char **why)
{
	struct orders_context context = {.state = b->state, .table = &b->sc->table, .side = side};
	const char *order = talloc_asprintf(mem, "%s: hold", text);
	const struct sheet *sheet = orders_read(mem, order, strlen(order), &context);

	/* A wing and a piece beside it are read as two orders, since they rank differently. */
	if (sheet->order_count > 0 && sheet->problem_count == 0) {
		struct order *whole = talloc_memdup(mem, &sheet->orders[0], sizeof *whole);

		whole->units = NULL;
		whole->unit_count = 0;
		for (int i = 0; i < sheet->order_count; i++) {
			const struct order *o = &sheet->orders[i];

			whole->units =
				talloc_realloc(whole, whole->units, int, (unsigned)(whole->unit_count + o->unit_count));
			memcpy(whole->units + whole->unit_count, o->units, (size_t)o->unit_count * sizeof *o->units);
			whole->unit_count += o->unit_count;
			if (i > 0)
				whole->subject = talloc_asprintf(whole, "%s, %s", whole->subject, o->subject);
		}
		return whole;
	}
	*why = sheet->problem_count > 0 ? sheet->problems[0].message
					: "which units? Write them like: Barrell's, Howard's and Huske.";
	return NULL;
}

/* --- changed ------------------------------------------------------------------------------------------------------ */

static bool begun(const struct game *g)
{
	return strcmp(g->status, "running") == 0 || strcmp(g->status, "paused") == 0;
}

struct err *people_other_side(
	const struct service *s, TALLOC_CTX *mem, const struct player *p, const char *address, const char **why)
{
	struct players same;
	struct err *e = store_players_with(s->store, mem, p->game, address, &same);

	*why = "";
	for (int i = 0; e == NULL && i < same.count; i++)
		if (player_side(&same.list[i]) >= 0 && player_side(p) >= 0 &&
			player_side(&same.list[i]) != player_side(p))
			*why = talloc_asprintf(mem,
				"%s plays for the other side of this game, and would read both sides' orders", address);
	return e;
}

/* The last word to an address that is nobody's from now on: nothing in it proves who he was. */
static struct err *farewell(const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *address,
	const char *subject, const char *text)
{
	struct values v = {.count = 0};
	struct post post = {.board = b, .recipient = address, .template = "notice", .turn = b->game->turn};

	if (!begun(b->game))
		return NULL;
	put_value(&v, "subject", subject);
	put_value(&v, "text", text_wrap(mem, text, LETTER_COLUMNS, 0));
	return post_mail(s, mem, &post, &v);
}

static struct err *farewell_to_deputy(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *address)
{
	return farewell(s, mem, b, address, "You are no longer a deputy",
		talloc_asprintf(mem,
			"You no longer stand in for %s in this game: you get no more mails as a deputy, and cannot "
			"order in that name. Thank you for your help!",
			people_label(mem, b, p)));
}

/* To his deputies, before their addresses go. */
static struct err *farewell_to_deputies(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	const char **deputies;
	struct err *e = store_addresses(s->store, mem, p->id, true, &deputies);

	for (int i = 0; e == NULL && deputies[i] != NULL; i++)
		e = farewell_to_deputy(s, mem, b, p, deputies[i]);
	return e;
}

struct err *people_replace(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct player *p,
	const char *name, const char *address)
{
	const char *before = p->address;
	bool reached = !p->stopped;
	struct err *e = strcmp(before, address) != 0 ? store_take_back(s->store, mem, p->id, taken_back) : NULL;

	if (e == NULL)
		e = farewell_to_deputies(s, mem, b, p);
	if (e != NULL)
		return e;
	if (name[0] != '\0' || strcmp(before, address) != 0) /* else he only gets a new key */
		p->name = name[0] != '\0' ? name : address;
	p->address = address;
	p->key = key_new(mem);
	p->stopped = false;
	e = store_replace_player(s->store, mem, p->id, p->name, p->address, p->key);
	if (e == NULL) /* what the one before him said */
		e = store_set_ready(s->store, mem, b->game, p->id, false);
	if (e == NULL && strcmp(before, address) != 0)
		e = store_set_since(s->store, mem, p->id, clock_now(&s->clock));
	if (e == NULL && reached && strcmp(before, address) != 0)
		e = farewell(s, mem, b, before, "Somebody else plays on",
			"The referee has given your place in this game to somebody else, and mails about it no longer "
			"come to you. Thank you for playing!");
	if (e == NULL && begun(b->game))
		e = letter_welcome(s, mem, b, p);
	return e == NULL ? people_announce(s, mem, b, p, address) : e;
}

struct err *people_deputy(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct player *p,
	const char *address, const char **why)
{
	struct player deputy = *p;
	const char **known;
	int n = 0;
	struct err *e = store_addresses(s->store, mem, p->id, false, &known);

	*why = "";
	for (; e == NULL && known[n] != NULL; n++)
		if (strcmp(known[n], address) == 0)
			*why = "he writes from that address already";
	if (n > DEPUTIES_MAX)
		*why = talloc_asprintf(mem, "he has %d deputies already", DEPUTIES_MAX);
	if (e != NULL || (*why)[0] != '\0')
		return e;
	deputy.address = address;
	deputy.key = key_new(mem);
	deputy.stopped = false;
	e = store_add_deputy(s->store, mem, p->id, address, deputy.key);
	if (e == NULL && begun(b->game))
		e = letter_welcome(s, mem, b, &deputy);
	if (e == NULL && begun(b->game))
		e = letter_private(s, mem, b, p, "You have a deputy",
			"The referee has given you a deputy: somebody who may write in your name and gets the same "
			"reports as you. You are told whenever he does. The last order for a unit counts, whoever "
			"sent it.",
			false);
	return e == NULL ? people_announce(s, mem, b, p, address) : e;
}

struct err *people_end_deputies(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *address, int *ended)
{
	const char **deputies;
	struct err *e = store_addresses(s->store, mem, p->id, true, &deputies);

	*ended = 0;
	for (int i = 0; e == NULL && deputies[i] != NULL; i++) {
		if (address[0] != '\0' && strcmp(deputies[i], address) != 0)
			continue;
		++*ended;
		e = store_remove_deputy(s->store, mem, p->id, deputies[i]);
		if (e == NULL)
			e = farewell_to_deputy(s, mem, b, p, deputies[i]);
	}
	if (e != NULL || *ended == 0 || !begun(b->game))
		return e;
	return letter_private(s, mem, b, p, "Your deputy no longer stands in",
		text_wrap(mem,
			talloc_asprintf(mem,
				"Your %s no longer write in your name: the referee has ended that. What was ordered "
				"stands until you write otherwise.",
				*ended == 1 ? "deputy may" : "deputies may"),
			LETTER_COLUMNS, 0),
		false);
}

struct err *people_remove(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	struct err *e = store_take_back(s->store, mem, p->id, taken_back);

	if (e == NULL)
		e = farewell_to_deputies(s, mem, b, p);
	if (e == NULL && !p->stopped)
		e = farewell(s, mem, b, p->address, "You are no longer in this game",
			"The referee has taken you out of this game, and mails about it no longer come to you. Thank "
			"you for playing!");
	return e != NULL ? e : store_remove_player(s->store, mem, p->id);
}

struct err *people_acted(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *sender, const char *did)
{
	const struct orderbook *book;
	int side = player_side(p);
	struct err *e = NULL;
	struct buf *text;

	if (strcmp(sender, p->address) == 0)
		return NULL;
	text = buf_new(mem);
	buf_adds(text,
		text_wrap(mem,
			talloc_asprintf(mem,
				"Your deputy has sent a mail in your name: %s. If that is not what you want, write "
				"yourself: the last order for a unit counts.\n",
				did),
			LETTER_COLUMNS, 0));
	if (side >= 0)
		e = board_orders(s, mem, b, side, NULL, &book);
	if (e == NULL && side >= 0)
		buf_printf(text, "\nOrders in force for turn %d:\n%s", b->game->turn,
			board_orders_text(mem, b, book, (enum side)side));
	return e != NULL ? e : letter_private(s, mem, b, p, "Your deputy has written", text->data, side >= 0);
}

/* What a player is told of a referee's act in his name. */
static struct err *tell_acted_for(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, int turn, const char *did, const char *because)
{
	bool open = turn == b->game->turn && !b->game->held;
	struct buf *text = buf_new(mem);
	const struct orderbook *book;
	enum side side = (enum side)player_side(p);
	struct err *e = NULL;

	buf_printf(text, "The referee has acted in your name, in turn %d:\n\n", turn);
	buf_printf(text, "    %s\n\n", text_wrap(mem, did, LETTER_COLUMNS - 4, 4));
	if (because[0] != '\0')
		buf_printf(text, "%s\n\n",
			text_wrap(mem, talloc_asprintf(mem, "The reason: %s", text_sentence(mem, because)),
				LETTER_COLUMNS, 0));
	if (open) {
		e = board_orders(s, mem, b, (int)side, NULL, &book);
		if (e != NULL)
			return e;
		buf_printf(text,
			"The turn is still open: you may write again, and the last order for a unit counts.\n\n"
			"Orders in force for turn %d:\n%s\n",
			turn, board_orders_text(mem, b, book, side));
	}
	buf_adds(text, text_wrap(mem, "If you think that this is not right, write SAY TO referee: and then your words.",
			       LETTER_COLUMNS, 0));
	return letter_answer(s, mem, b, p, NULL, "The referee has acted for you", text->data, open);
}

struct err *people_acted_for(const struct service *s, TALLOC_CTX *mem, const struct board *b, enum side side,
	const struct sheet *sheet, int turn, const char *did, const char *because)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	orders_mark_named(sheet, named);
	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];
		const bool *may;
		bool his = false;

		if (player_side(p) != (int)side)
			continue;
		may = player_may_order(mem, b, p);
		for (int k = 0; k < b->state->count; k++)
			his = his || (may[k] && named[k]);
		if (his)
			e = tell_acted_for(s, mem, b, p, turn, did, because);
	}
	return e;
}

/* --- a referee who plays ------------------------------------------------------------------------------------------ */

static struct err *tell_all(const struct service *s, TALLOC_CTX *mem, const struct board *b, int side)
{
	return letter_to_all(s, mem, b, "The referee plays, too",
		text_wrap(mem,
			talloc_asprintf(mem,
				"Everybody should know: a referee of this game also gives orders for the %s side. He "
				"sees the orders of both sides. Whoever does not like that should tell him, or the "
				"teacher who set up the game.",
				b->sc->label[side]),
			LETTER_COLUMNS, 0));
}

struct err *people_announce(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *address)
{
	bool referee = strcmp(p->role, "referee") == 0;
	struct players same;
	struct err *e = NULL;

	if (!begun(b->game) || (!referee && player_side(p) < 0))
		return NULL;
	e = store_players_with(s->store, mem, b->game->id, address, &same);
	for (int i = 0; e == NULL && i < same.count; i++) {
		const struct player *q = &same.list[i];

		if (referee && player_side(q) >= 0)
			return tell_all(s, mem, b, player_side(q));
		if (!referee && strcmp(q->role, "referee") == 0)
			return tell_all(s, mem, b, player_side(p));
	}
	return e;
}

struct err *people_announce_all(const struct service *s, TALLOC_CTX *mem, const struct board *b)
{
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		const char **own = NULL;

		if (strcmp(players.list[i].role, "referee") != 0)
			continue;
		e = store_addresses(s->store, mem, players.list[i].id, false, &own);
		for (int k = 0; e == NULL && own[k] != NULL; k++)
			e = people_announce(s, mem, b, &players.list[i], own[k]);
	}
	return e;
}

const char *people_label(TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	const char *name = p->name;

	if (strcmp(p->role, "referee") == 0)
		return "the referee";
	if (strchr(name, '@') != NULL)
		name = talloc_asprintf(mem, "player %lld", (long long)p->id);
	return player_side(p) < 0 ? name : talloc_asprintf(mem, "%s (%s)", name, b->sc->label[player_side(p)]);
}

struct err *people_silent(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, bool *out)
{
	struct sheet_rows sheets;
	bool ready = false, heard = false;
	struct err *e;

	*out = false;
	if (player_side(p) < 0 || !part_is_of(b, (enum side)player_side(p)))
		return NULL;
	e = store_sheets(s->store, mem, b->game, p->id, &sheets);
	for (int i = 0; e == NULL && i < sheets.count; i++)
		heard = heard || (sheets.list[i].arrived > b->part_began && sheets.list[i].canonical[0] != '\0');
	if (e == NULL)
		e = store_is_ready(s->store, mem, b->game, p->id, &ready);
	*out = e == NULL && !heard && !ready;
	return e;
}

struct err *people_away(const struct service *s, TALLOC_CTX *mem, const struct player *p, int64_t *until)
{
	return store_absent(s->store, mem, p->id, clock_now(&s->clock), until);
}
