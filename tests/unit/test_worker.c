/* A worker does what it is given in order, and gives it back done. */
#include "base/worker.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct sum {
	int number, upto;
	long total;
	pthread_t thread; /* that did it */
};

static void add_up(void *work)
{
	struct sum *s = work;

	for (int i = 1; i <= s->upto; i++)
		s->total += i;
	s->thread = pthread_self();
}

static void give_and_take(int together)
{
	struct worker *w = worker_new(NULL, add_up, together);
	int given = 0, taken = 0;

	assert_null(worker_take(w, true));
	while (taken < 100) {
		struct sum *s;

		while (given < 100 && worker_held(w) < WORKER_HELD_MAX) {
			s = talloc_zero(NULL, struct sum);
			s->number = given++;
			s->upto = 1000 * (s->number % 7);
			worker_give(w, s);
		}
		s = worker_take(w, true);
		assert_int_equal(s->number, taken++);
		assert_int_equal(s->total, (long)s->upto * (s->upto + 1) / 2);
		assert_false(pthread_equal(s->thread, pthread_self()));
		talloc_free(s);
	}
	assert_int_equal(worker_held(w), 0);
	assert_null(worker_take(w, false));
	talloc_free(w);
}

static void test_in_order(void **state)
{
	(void)state;
	give_and_take(1);
	give_and_take(4);
	give_and_take(WORKER_HELD_MAX);
}

/* What nobody takes back is done all the same before the worker is gone, be it too little to wake it for. */
static void test_ends_after_its_work(void **state)
{
	(void)state;
	for (int count = 1; count <= WORKER_HELD_MAX; count++) {
		struct worker *w = worker_new(NULL, add_up, 4);
		struct sum sums[WORKER_HELD_MAX] = {{0}};

		for (int i = 0; i < count; i++) {
			sums[i].upto = 100000;
			worker_give(w, &sums[i]);
		}
		talloc_free(w);
		for (int i = 0; i < count; i++)
			assert_int_equal(sums[i].total, 5000050000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_ends_after_its_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
