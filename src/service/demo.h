/* Two turns of Falkirk from sample mails over Maildirs, to show what Galloper does (`galloper demo`). */
#ifndef GALLOPER_SERVICE_DEMO_H
#define GALLOPER_SERVICE_DEMO_H

#include "base/clock.h"
#include "base/log.h"

/* Runs one pass of the daemon at `now` on the configuration at `config`. */
typedef struct err *demo_tick(void *context, TALLOC_CTX *mem, const char *config, int64_t now);

/* Plays in `folder`, which must not exist yet, and prints to standard output what each side sends and gets. */
struct err *demo_play(
	TALLOC_CTX *mem, const char *folder, const struct log *log, demo_tick *tick, void *context) MUST_CHECK;

#endif
