/* One process at a time: a daemon and a tick of cron may run together, and each job is done by one of them. */
#ifndef GALLOPER_SERVICE_LEASE_H
#define GALLOPER_SERVICE_LEASE_H

#include "service/service.h"

enum { LEASE_SECONDS = 10 * 60 };

/* This process as an owner of leases: its number, when it began, and the boot and namespaces that these mean
 * something in. On `mem`. */
char *lease_owner(TALLOC_CTX *mem);

/* May this owner still be at work? False only when it is certain that the process is gone. */
bool lease_owner_lives(const char *owner);

/* Takes or renews s->owner's lease of that name for LEASE_SECONDS. A lease whose owner is dead is taken over at once,
 * so that a crash costs no time. Called again inside a transaction it makes sure that the work is still ours. */
struct err *lease_take(const struct service *s, TALLOC_CTX *mem, const char *name, bool *got) MUST_CHECK;

/* The same, and in any case with a commit: with a durable one all that was committed before is on the disk after it. */
struct err *lease_renew(const struct service *s, TALLOC_CTX *mem, const char *name, bool *got) MUST_CHECK;

/* As lease_take, for so many seconds. */
struct err *lease_take_for(
	const struct service *s, TALLOC_CTX *mem, const char *name, int seconds, bool *got) MUST_CHECK;

/* Until when somebody holds it, by the wall clock; now, if nobody does. */
struct err *lease_until(const struct service *s, TALLOC_CTX *mem, const char *name, int64_t *until) MUST_CHECK;

/* Begins a transaction in which the lease is ours, for store_end. Where it is another's (*ours is false), or on an
 * error, none is open. */
struct err *lease_begin(const struct service *s, TALLOC_CTX *mem, const char *name, bool *ours) MUST_CHECK;

/* Gives it back; an error on the way is of no account, since the lease runs out. */
void lease_end(const struct service *s, TALLOC_CTX *mem, const char *name);

#endif
