/* Facing and turning.
 *
 *   face = ("face"|"facing") (direction | unit | place)
 *   turn = "turn" ("left"|"right"|"about"|"around") [ angle ] | "wheel" ("left"|"right") [ angle ]
 */
#include "orders/parse.h"

int parse_angle(struct parser *p, int otherwise)
{
	int32_t number;
	int from;

	skip_before_number(p);
	take_key(p, KEY_A);
	here(p);
	from = p->pos;
	if (!number_begins(p) || !parse_number(p, &number))
		return otherwise;
	take_degrees(p);
	if (number <= 0 || number > 360000 || number % 1000 != 0) {
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"An angle is a whole number from 1 to 360 degrees.");
		return otherwise;
	}
	return number / 1000;
}

struct clause *parse_face(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_FACE);
	int before = p->failures, from;

	if (take_key(p, KEY_ABOUT)) {
		c->face = (struct face){.kind = FACE_TURN, .degrees = 180, .unit = -1};
		return c;
	}
	c->face.unit = -1;
	if (key_here(p) == KEY_SKIP && key_ahead(p, 1) == KEY_COMPASS)
		advance(p); /* "the north" */
	here(p);
	from = p->pos;
	if (parse_heading(p, &c->face.heading)) {
		c->face.kind = FACE_HEADING;
	} else if (number_begins(p)) {
		advance(p);
		problem(p, PROBLEM_UNREADABLE, from, p->pos,
			talloc_asprintf(p->mem, "%s degrees", typed_text(p, from, p->pos)), NULL,
			"A bare number is inches; for a bearing write `%s degrees`.", typed_text(p, from, p->pos));
	} else if (is_place_next(p, &c->face.place, c->face.square)) {
		c->face.kind = FACE_PLACE;
	} else {
		if (!take_key(p, KEY_TOWARD))
			take_key(p, KEY_TO);
		c->face.kind = FACE_UNIT;
		c->face.unit = want_piece(p, ROLE_EITHER, "a direction, a unit or a square");
	}
	return p->failures == before ? c : NULL;
}

struct clause *parse_turn(struct parser *p, enum key verb)
{
	struct clause *c = new_clause(p, CLAUSE_FACE);
	int before = p->failures, start, angle = verb == KEY_WHEEL ? 45 : 90;
	bool given;
	enum key key;

	here(p);
	start = p->pos;
	take_key(p, KEY_TO);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	given = number_begins(p);
	if (given)
		angle = parse_angle(p, angle);
	if (given && key_here(p) == KEY_TO)
		advance(p);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	key = key_here(p);
	c->face.unit = -1;
	c->face.kind = verb == KEY_WHEEL ? FACE_WHEEL : FACE_TURN;
	if (key == KEY_LEFT || key == KEY_RIGHT) {
		advance(p);
		if (!given)
			angle = parse_angle(p, angle);
		c->face.degrees = key == KEY_LEFT ? -angle : angle;
		if (c->face.degrees == -180 && verb == KEY_TURN)
			c->face.degrees = 180;
	} else if ((key == KEY_ABOUT || key == KEY_BACK) && verb == KEY_TURN && !given) {
		advance(p);
		take_key(p, KEY_FACE);
		c->face.degrees = number_begins(p) ? parse_angle(p, 180) : 180;
	} else if (verb == KEY_TURN && !given) {
		p->pos = start;
		if (key_here(p) == KEY_AND || key_ahead(p, 1) == KEY_FACE)
			advance(p);
		take_key(p, KEY_FACE);
		return parse_face(p);
	} else {
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL, "Left or right? Write `%s left %d`.",
			verb == KEY_WHEEL ? "wheel" : "turn", angle);
	}
	return p->failures == before ? c : NULL;
}
