/* Ground that stops movement (FP12, FP13), where the option says that it counts. */
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

static bool counts(const struct turn *t)
{
	return parameter(t, P_TERRAIN) == TERRAIN_GROUND;
}

static bool is_impassable(const struct terrain *g)
{
	return g->kind == TERRAIN_BOG || g->kind == TERRAIN_RAVINE;
}

/* The shortest way along `by` to one of the ground's edges. */
static int32_t edge_travel(const struct terrain *g, const struct box *b, struct point by, int32_t limit)
{
	for (int i = 0; i + 1 < g->count || (g->closed && i < g->count); i++) {
		int32_t go = geo_travel_by_line(b, by, g->points[i], g->points[(i + 1) % g->count]);

		if (go < limit)
			limit = go;
	}
	return limit;
}

int32_t ground_travel(const struct turn *t, const struct box *b, struct point by, bool walls)
{
	int32_t limit = geo_length(by.x, by.y);

	for (int i = 0; counts(t) && i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if (is_impassable(g) || (walls && g->kind == TERRAIN_WALL))
			limit = edge_travel(g, b, by, limit);
	}
	return limit;
}

int32_t wall_travel(const struct turn *t, const struct box *b, struct point by)
{
	int32_t limit = geo_length(by.x, by.y);

	for (int i = 0; counts(t) && i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if (g->kind == TERRAIN_WALL && !geo_box_meets_path(b, g->points, g->count, g->closed))
			limit = edge_travel(g, b, by, limit);
	}
	return limit;
}

bool ground_blocks(const struct turn *t, const struct box *b, bool walls)
{
	for (int i = 0; counts(t) && i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if ((is_impassable(g) || (walls && g->kind == TERRAIN_WALL)) &&
			geo_box_meets_path(b, g->points, g->count, g->closed))
			return true;
	}
	return false;
}
