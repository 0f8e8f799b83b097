/* Sending what the outbox holds. */
#ifndef GALLOPER_SERVICE_DISPATCH_H
#define GALLOPER_SERVICE_DISPATCH_H

#include "mail/sink.h"
#include "service/service.h"

struct dispatched {
	int sent, refused, later;
	int room;            /* how many more the provider takes now; the rest waits for the next pass */
	bool stopped;        /* the server is away or refuses our account: the rest waits */
	bool refused_us;     /* the latter: somebody has to do something about it */
	const char *trouble; /* why, in words for the operator; "" for none */
};

/* Mails that a process had in hand when it died, or this one when the disk failed it, are uncertain, and due now:
 * without this they would wait for its claim to run out. To be called when nothing is being sent. */
struct err *dispatch_recover(const struct service *s, TALLOC_CTX *mem) MUST_CHECK;

/* Sends every mail that is due, one row at a time, until the outbox is empty, the sink says stop, or we are told to. A
 * row's state is written after each; back-off with jitter is its own. `lease` is renewed on the way, and nothing more
 * is sent once it is another's. */
struct err *dispatch(const struct service *s, TALLOC_CTX *mem, struct sink *sink, const char *lease,
	struct dispatched *out) MUST_CHECK;

/* Seconds until the next try after `tries` vain ones: 1, 2, 4 ... minutes, at most four hours, a quarter more or less
 * by `random` (any number). */
int dispatch_backoff(int tries, uint32_t random);

#endif
