/* The edge of the table (FP14), and ground that stops movement or costs some (ruleset.ground). */
#include "rules/field.h"

#include <stdlib.h>

bool on_table(const struct turn *t, const struct box *b)
{
	return geo_within(b, (struct point){0, 0}, (struct point){t->sc->table.width, t->sc->table.height});
}

int32_t table_travel(const struct turn *t, const struct box *b, struct point by)
{
	const struct table *table = &t->sc->table;
	int32_t length = geo_length(by.x, by.y), limit = length;
	struct point corner[4];

	geo_corners(b, corner);
	for (int c = 0; c < 4; c++) {
		const int32_t at[] = {corner[c].x, corner[c].y}, d[] = {by.x, by.y};
		const int32_t end[] = {table->width, table->height};

		for (int k = 0; k < 2; k++) {
			int64_t room = d[k] > 0 ? end[k] - at[k] : at[k], need = labs(d[k]);

			if (need > room) {
				int64_t go = room <= 0 ? 0 : room * length / need;

				limit = go < limit ? (int32_t)go : limit;
			}
		}
	}
	return limit;
}

static int32_t cost_of(const struct turn *t, const struct terrain *g, bool walls)
{
	return t->rules->ground(t, g->kind, walls);
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

	for (int i = 0; i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if (cost_of(t, g, walls) == GROUND_STOPS)
			limit = edge_travel(g, b, by, limit);
	}
	return limit;
}

int32_t ground_cost_travel(const struct turn *t, const struct box *b, struct point by, int32_t *cost)
{
	int32_t limit = geo_length(by.x, by.y);

	*cost = 0;
	for (int i = 0; i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];
		int32_t costs = cost_of(t, g, false), go;

		if (costs <= 0 || geo_box_meets_path(b, g->points, g->count, g->closed))
			continue;
		go = edge_travel(g, b, by, limit);
		if (go < limit) {
			limit = go;
			*cost = costs;
		}
	}
	return limit;
}

bool ground_blocks(const struct turn *t, const struct box *b, bool walls)
{
	for (int i = 0; i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if (cost_of(t, g, walls) == GROUND_STOPS && geo_box_meets_path(b, g->points, g->count, g->closed))
			return true;
	}
	return false;
}

bool ground_counts(const struct turn *t)
{
	for (int i = 0; i < t->sc->table.terrain_count; i++)
		if (cost_of(t, &t->sc->table.terrain[i], true) != GROUND_FREE)
			return true;
	return false;
}
