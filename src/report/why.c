#include "report/why.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"

#include <string.h>

char *dice_names_text(TALLOC_CTX *mem, const struct event *ev, int indent)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < ev->dice_count;) {
		const char *name = ev->dice[i].name, *last = strrchr(name, '.');
		size_t stream = last == NULL ? strlen(name) : (size_t)(last - name);
		int end = i + 1;
		struct buf *line = buf_new(out);

		while (end < ev->dice_count && strncmp(ev->dice[end].name, name, stream + 1) == 0 &&
			strchr(ev->dice[end].name + stream + 1, '.') == NULL)
			end++;
		buf_printf(line, "%*sdie %s", indent, "", name);
		if (end > i + 1)
			buf_printf(line, " to %s", strrchr(ev->dice[end - 1].name, '.'));
		buf_addc(line, ':');
		for (; i < end; i++)
			buf_printf(line, " %d%s", ev->dice[i].value, ev->dice[i].amended ? "*" : "");
		buf_printf(out, "%s\n", text_wrap(line, line->data, LETTER_COLUMNS, indent + 4));
		talloc_free(line);
	}
	return out->data;
}

char *rulebook_entry(TALLOC_CTX *mem, const char *rulebook, const char *ruling)
{
	const char *mark = talloc_asprintf(mem, "<a id=\"%s\"></a>**%s ", ruling, ruling);
	const char *from = strstr(rulebook, mark), *end;
	struct buf *out;

	if (from == NULL)
		return NULL;
	from += strlen(mark);
	end = strstr(from, "\n\n");
	end = end == NULL ? from + strlen(from) : end;
	out = buf_new(mem);
	for (const char *p = from; p < end; p++) {
		if (*p == '*' || *p == '`' || *p == '[')
			continue;
		if (*p == ']' && p[1] == '(') /* a link: its words stay */
			p += strcspn(p, ")");
		else
			buf_addc(out, *p == '\n' ? ' ' : *p);
	}
	return buf_steal(mem, out);
}

static void put_number(struct buf *out, const struct event *ev, enum event_number n, const char *what)
{
	if (ev->has[n])
		buf_printf(out, "- %s: %d\n", what, ev->number[n]);
}

static void put_numbers(struct buf *out, const struct event *ev)
{
	if (ev->has[NUM_DISTANCE])
		buf_printf(out, "- distance: %s\"\n", inches_text(out, ev->number[NUM_DISTANCE]));
	if (ev->has[NUM_ASKED] && ev->number[NUM_ASKED] > 0)
		buf_printf(out, "- distance ordered: %s\"\n", inches_text(out, ev->number[NUM_ASKED]));
	put_number(out, ev, NUM_ROUND, "round of this melee");
	put_number(out, ev, NUM_ELIGIBLE, "bases or guns that could take part");
	put_number(out, ev, NUM_DICE, "dice thrown");
	put_number(out, ev, NUM_NEED, "least number that counts on a die");
	if (ev->kind != EVENT_CONDITION)
		put_number(out, ev, NUM_HITS, "hits");
	put_number(out, ev, NUM_SAVES, "hits saved");
	put_number(out, ev, NUM_BONUS, "added to each die");
	put_number(out, ev, NUM_ENEMY_BONUS, "added to each of the enemy's");
	put_number(out, ev, NUM_ENEMY_HITS, "hits taken");
	if (ev->has[NUM_ALLOWANCE])
		buf_printf(out, "- %s: %s\"\n",
			ev->kind == EVENT_NO_CHARGE ? "farthest that its charge can go" : "thrown",
			inches_text(out, ev->number[NUM_ALLOWANCE]));
	put_number(out, ev, NUM_BEFORE, "strength before");
	put_number(out, ev, NUM_AFTER,
		ev->kind == EVENT_COMMANDER_RISK ? "alive afterwards (1 yes, 0 no)"
		: ev->has[NUM_BEFORE]            ? "strength after"
						 : "passed (1 yes, 0 no)");
}

static void put_rulings(struct buf *out, const struct event *ev, const char *rulebook)
{
	char *list = talloc_strdup(out, ev->ruling), *save = NULL;

	for (char *word = strtok_r(list, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
		const char *text = rulebook_entry(out, rulebook, word);

		buf_printf(out, "%s\n",
			text_wrap(out, talloc_asprintf(out, "- %s %s", word, text == NULL ? "" : text), LETTER_COLUMNS,
				2));
	}
}

static void put_part(struct buf *out, const char *title, const char *text)
{
	if (text[0] != '\0')
		buf_printf(out, "\n%s\n\n%s", title, text);
}

char *why_event(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev, const char *rulebook)
{
	struct buf *out = buf_new(mem), *numbers = buf_new(out), *rulings = buf_new(out);

	put_numbers(numbers, ev);
	put_rulings(rulings, ev, rulebook);
	buf_printf(out, "%s\n", text_wrap(out, chronicle_sentence(out, c, sc, s, ev), LETTER_COLUMNS, 0));
	put_part(out, "THE DICE", dice_names_text(out, ev, 0));
	put_part(out, "THE NUMBERS", numbers->data);
	put_part(out, "THE RULES", rulings->data);
	if (ev->dice_count > 0)
		buf_printf(out, "\n%s\n",
			text_wrap(out,
				"Anybody can roll these dice again when the battle is over: their names and the seed "
				"in the "
				"last mail give each die (doc/dice.md of Galloper).",
				LETTER_COLUMNS, 0));
	return out->data;
}
