#include "report/things.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

const char *piece_name(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int unit)
{
	if (unit < 0)
		return "the field";
	if (s->units[unit].kind == KIND_GUN)
		return buf_text(mem, "%s gun %s", sc->label[s->units[unit].side], s->units[unit].code);
	return s->units[unit].name;
}

const char *strength_word(const struct unit *u)
{
	if (u->figures_begun == 0)
		return "bases";
	return u->kind == KIND_GUN ? "crew" : "figures";
}

void square_write(char out[SQUARE_MAX], const struct table *table, struct point p)
{
	int column = p.x / INCH(6), row = (table->height - p.y) / INCH(6);
	int columns = table->width / INCH(6), rows = table->height / INCH(6);

	column = column < 0 ? 0 : column >= columns ? columns - 1 : column;
	row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
	row = row < 99 ? row + 1 : 99;
	*out++ = (char)('A' + column);
	if (row > 9)
		*out++ = (char)('0' + row / 10);
	*out++ = (char)('0' + row % 10);
	*out = '\0';
}

char *square_name(TALLOC_CTX *mem, const struct table *table, struct point p)
{
	char name[SQUARE_MAX];

	square_write(name, table, p);
	return talloc_strdup(mem, name);
}

const char *facing_word(int facing)
{
	static const char *const words[] = {
		"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"};

	return words[(geo_degrees(facing) * 2 + 45) / 90 % 8];
}

char *inches_text(TALLOC_CTX *mem, int32_t thousandths)
{
	return text_inches(mem, (thousandths + (thousandths < 0 ? -5 : 5)) / 10 * 10);
}

const char *side_people(TALLOC_CTX *mem, const struct scenario *sc, int side)
{
	const char *label = sc->label[side];
	size_t len = strlen(label);

	/* English, British, Scots; but Jacobites */
	if (len == 0 || label[len - 1] == 's' || label[len - 1] == 'h')
		return label;
	return buf_text(mem, "%ss", label);
}

int32_t rule_number(const struct scenario *sc, const char *name, int32_t otherwise)
{
	const struct parameters *p = sc->parameters;

	for (int i = 0; p != NULL && i < p->count; i++) {
		if (p->defs[i].name[0] == name[0] && strcmp(p->defs[i].name, name) == 0)
			return p->values[i];
	}
	return otherwise;
}

int unit_strength(const struct unit *u)
{
	return u->figures_begun > 0 ? u->figures : u->bases;
}

int unit_strength_begun(const struct unit *u)
{
	return u->figures_begun > 0 ? u->figures_begun : u->begun;
}

bool counts_figures(const struct state *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->units[i].figures_begun > 0)
			return true;
	return false;
}

const char *strength_unit(const struct state *s)
{
	return counts_figures(s) ? "figure" : "base";
}
