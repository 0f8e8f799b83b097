/* The database: one SQLite file for all games. This layer alone knows SQL; it gives and takes plain structs.
 *
 * Reads may be made at any time. Writes that belong together stand between store_begin and store_commit; store_rollback
 * takes them back. Each write function may also be called alone and is then a transaction of its own. After an error
 * inside a transaction it must be rolled back: nothing of it is kept then.
 *
 * Errors are ERR_PROCESS unless said otherwise: a full disk, a database that is locked, damaged or may not be written
 * to, in words for the operator. With `retry`, nothing is lost and the same call may go well later. */
#ifndef GALLOPER_STORE_STORE_H
#define GALLOPER_STORE_STORE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct store;

/* Opens the database file; talloc_free closes it. With `create` it is made when it does not exist, readable by its
 * owner only. An older one is brought up to date in one transaction; a newer one, and another program's, are refused
 * and left as they are. `migrations` is a NULL-terminated list: what leads from version n to n + 1 at index n. */
struct err *store_open(
	TALLOC_CTX *mem, const char *path, bool create, const char *const *migrations, struct store **out) MUST_CHECK;

/* Reads db/migrations/NNN.sql from 001 on, as store_open wants them. */
struct err *store_migrations(TALLOC_CTX *mem, const char *const **out) MUST_CHECK;

/* Begins a transaction that may write. It waits up to 20 seconds while another program writes. Everything that is read
 * after it is as it stays until the commit. They do not nest. */
struct err *store_begin(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
/* On success all of it is on the disk; after an error none of it is. Either way the transaction is over. */
struct err *store_commit(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
void store_rollback(struct store *s);
/* One or the other: commits if `e`, what has come of the work, is NULL, else rolls back. Hands on what went wrong. */
struct err *store_end(struct store *s, TALLOC_CTX *mem, struct err *e) MUST_CHECK;

/* The transactions from here on are committed together, which is much cheaper than one by one, with store_group_end;
 * until then nobody else sees them, nor can write. When one of them is rolled back, or fails, all of them are undone,
 * and whatever is asked of the store until the end is an error. Without a group store_group_end does nothing. */
struct err *store_group_begin(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
struct err *store_group_end(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
bool store_group_undone(const struct store *s);
/* Ends it, and takes back all of them. */
void store_group_undo(struct store *s);

/* A number that grows with every row that is changed through this store. (Other processes' changes are seen when a
 * transaction begins.) */
int64_t store_changes(struct store *s);

/* How much a commit waits for. Either way it survives the end of this process. If the machine itself fails, an ordered
 * one may be undone with all that came after it: the database is then as it was a moment before. A durable one waits
 * for the disk, and makes all before it durable too, whichever process made it. */
enum store_safety { STORE_DURABLE, STORE_ORDERED };
/* Of the commits from now on, not to be changed inside a transaction; a database that was opened is STORE_DURABLE. */
struct err *store_set_safety(struct store *s, TALLOC_CTX *mem, enum store_safety safety) MUST_CHECK;
enum store_safety store_safety(const struct store *s);

/* Gives back the memory in which pages of the database are kept. */
void store_trim(struct store *s);

/* The server's secret of that name, made of `len` random bytes when it does not exist yet. On `mem`. */
struct err *store_secret(
	struct store *s, TALLOC_CTX *mem, const char *name, size_t len, unsigned char **out) MUST_CHECK;

/* Takes or renews a lease until `until`; *got is false while another owner holds it. */
struct err *store_lease(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner, int64_t now,
	int64_t until, bool *got) MUST_CHECK;
struct lease_row {
	const char *owner; /* NULL when nobody has it */
	int64_t until;
};
/* On `mem`. */
struct err *store_lease_held(struct store *s, TALLOC_CTX *mem, const char *name, struct lease_row *out) MUST_CHECK;
struct err *store_lease_end(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner) MUST_CHECK;

/* A server account that is left alone for a while. */
struct hold {
	const char *account;
	unsigned char settings[32]; /* keyed hash of what it was tried with: other settings void the hold */
	int refusals;               /* in a row */
	int64_t until;
	const char *why;
};

/* *out is NULL when nothing holds the account. */
struct err *store_hold(struct store *s, TALLOC_CTX *mem, const char *account, struct hold **out) MUST_CHECK;
struct err *store_set_hold(struct store *s, TALLOC_CTX *mem, const struct hold *h) MUST_CHECK;
struct err *store_lift_hold(struct store *s, TALLOC_CTX *mem, const char *account) MUST_CHECK;

/* Answers given, for the bound an address and hour and the one a day to strangers; what is older than two days is
 * forgotten. store_answers_since counts those after `since` and by `now`, of one kind or of all (kind ""),
 * store_answers_of those of two kinds. What a clock that was ahead dated later does not count. */
struct err *store_answered(
	struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t now) MUST_CHECK;
struct err *store_answers_since(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t since,
	int64_t now, int *out) MUST_CHECK;
struct err *store_answers_of(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, const char *other,
	int64_t since, int64_t now, int *count, int *other_count) MUST_CHECK;

/* A line of the record of acts, which is never changed. */
struct act {
	int64_t id;
	int64_t game; /* 0 = none */
	int64_t made;
	const char *actor;  /* 'player 3', 'referee 2', 'clock', 'command line' */
	const char *what;   /* neither this nor the reason may name a person or an address: it is never forgotten */
	const char *reason; /* "" for none, as the digests */
	const char *digest_before, *digest_after;
};
struct err *store_add_act(struct store *s, TALLOC_CTX *mem, const struct act *a) MUST_CHECK;
struct acts {
	struct act *list;
	int count;
};
/* All of a game, the oldest first. */
struct err *store_acts(struct store *s, TALLOC_CTX *mem, int64_t game, struct acts *out) MUST_CHECK;
/* store_add_act in short, where no state changes. */
struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason) MUST_CHECK;

#endif
