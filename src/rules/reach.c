#include "rules/contact.h"

/* Straight ahead from here, is the target met within the allowance? A graze is no contact: a little farther on the two
 * have to overlap (FP9). */
static bool meets(const struct box *b, const struct box *target, int32_t allowance, int32_t *straight)
{
	enum { BEYOND = 4 * OVERLAP_TOLERANCE };
	struct box on;

	*straight = geo_travel(b, b->facing, allowance + BEYOND, target, 0);
	if (*straight > allowance)
		return false;
	on = geo_shift(*b, b->facing, *straight + BEYOND);
	return geo_overlap(&on, target);
}

bool reach_find(const struct box *charger, const struct box *target, int32_t allowance, struct reach *out)
{
	enum { WHEEL_MAX = 45 };
	bool swept[2] = {false, false}; /* the wheel that way has already met the target */

	for (int angle = 0; angle <= WHEEL_MAX; angle++) {
		struct reach best = {0};
		bool found = false;

		for (int k = 0; k < (angle ? 2 : 1); k++) {
			struct reach r = {.degrees = k ? angle : -angle};

			if (swept[k])
				continue;
			r.wheeled = geo_wheel(*charger, k ? FRONT_RIGHT : FRONT_LEFT, r.degrees);
			if (geo_overlap(&r.wheeled, target)) {
				swept[k] = true;
				r.degrees += k ? -1 : 1;
				r.wheeled = geo_wheel(*charger, k ? FRONT_RIGHT : FRONT_LEFT, r.degrees);
				r.straight = 0;
			} else if (!meets(&r.wheeled, target, allowance, &r.straight)) {
				continue;
			}
			if (!found || r.straight < best.straight)
				best = r;
			found = true;
		}
		if (found) {
			*out = best;
			return true;
		}
	}
	return false;
}

enum arc charge_face(const struct box *target, struct point start)
{
	return geo_arc(target, start);
}
