#include "base/worker.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>

struct worker {
	void (*do_work)(void *work);
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t given_more, done_more;
	bool started, ending;
	unsigned long together;
	void *work[WORKER_HELD_MAX];      /* number n at n % WORKER_HELD_MAX */
	unsigned long given, done, taken; /* how many so far */
};

static void *work_on(void *context)
{
	struct worker *w = context;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		void *work;

		while (w->done == w->given && !w->ending)
			pthread_cond_wait(&w->given_more, &w->lock);
		if (w->done == w->given)
			break;
		work = w->work[w->done % WORKER_HELD_MAX];
		pthread_mutex_unlock(&w->lock);
		w->do_work(work);
		pthread_mutex_lock(&w->lock);
		w->done++;
		pthread_cond_signal(&w->done_more);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static int end_worker(struct worker *w)
{
	if (w->started) {
		pthread_mutex_lock(&w->lock);
		w->ending = true;
		pthread_cond_signal(&w->given_more);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
	}
	pthread_cond_destroy(&w->done_more);
	pthread_cond_destroy(&w->given_more);
	pthread_mutex_destroy(&w->lock);
	return 0;
}

struct worker *worker_new(TALLOC_CTX *mem, void (*do_work)(void *work), int together)
{
	struct worker *w = talloc_zero(mem, struct worker);

	w->do_work = do_work;
	w->together = (unsigned long)together;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->given_more, NULL);
	pthread_cond_init(&w->done_more, NULL);
	talloc_set_destructor(w, end_worker);
	return w;
}

/* Signals are for the thread that asked for this one. */
static bool start(struct worker *w)
{
	sigset_t all, before;

	if (w->started)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->started = pthread_create(&w->thread, NULL, work_on, w) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w->started;
}

void worker_give(struct worker *w, void *work)
{
	bool enough;

	assert(worker_held(w) < WORKER_HELD_MAX);
	if (!start(w)) {
		w->do_work(work);
		w->work[w->given++ % WORKER_HELD_MAX] = work;
		w->done++;
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->work[w->given++ % WORKER_HELD_MAX] = work;
	enough = w->given - w->done >= w->together;
	pthread_mutex_unlock(&w->lock);
	if (enough)
		pthread_cond_signal(&w->given_more); /* behind the lock, which it would wake up to wait for */
}

int worker_held(const struct worker *w)
{
	return (int)(w->given - w->taken); /* the thread changes neither */
}

void *worker_take(struct worker *w, bool wait)
{
	void *work = NULL;

	pthread_mutex_lock(&w->lock);
	if (wait && w->taken == w->done)
		pthread_cond_signal(&w->given_more);
	while (wait && w->taken == w->done && w->taken < w->given)
		pthread_cond_wait(&w->done_more, &w->lock);
	if (w->taken < w->done)
		work = w->work[w->taken++ % WORKER_HELD_MAX];
	pthread_mutex_unlock(&w->lock);
	return work;
}
