/* One more thread, for work that touches nothing but what it is handed: no database, no log, no file that others write.
 * It is done in the order in which it was given. */
#ifndef GALLOPER_BASE_WORKER_H
#define GALLOPER_BASE_WORKER_H

#include <stdbool.h>
#include <talloc.h>

enum { WORKER_HELD_MAX = 8 };

struct worker;

/* On `mem`; talloc_free waits for what has been given. The thread is started with the first piece of work; on a system
 * that has none to give, worker_give does the work itself. Waking a thread costs more than many a piece of work: it is
 * woken when so many `together` are there for it, or somebody waits for one; 1 = for each. */
struct worker *worker_new(TALLOC_CTX *mem, void (*do_work)(void *work), int together);

/* From now on, and until worker_take gives it back, the work is the thread's, with all memory that it points to and
 * writes to. No more than WORKER_HELD_MAX may be given and not taken. */
void worker_give(struct worker *w, void *work);

/* How many are given and not taken. */
int worker_held(const struct worker *w);

/* The one that was given first, done; NULL when none was given, or (not to `wait` for it) it is not done yet. */
void *worker_take(struct worker *w, bool wait);

#endif
