#include "service/lease.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

/* A process as /proc/PID/stat has it (proc(5)). */
struct process {
	unsigned long long
		start; /* clock ticks since the boot: a number that was given out again; 0 = not to be seen */
	bool ended;    /* with all its threads; its parent has not asked after it yet */
};

static struct process find_process(long pid)
{
	enum { STATE = 3, THREADS = 20, START = 22 };
	struct process p = {0, true};
	char path[64], line[LINE_MAX_BYTES];
	char *field;
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return p;
	n = fread(line, 1, sizeof line - 1, f);
	fclose(f);
	line[n] = '\0';
	field = strrchr(line, ')'); /* of the name, which may hold blanks and brackets */
	for (int i = STATE; field != NULL && i <= START; i++) {
		field = strchr(field + 1, ' ');
		if (field != NULL && i == STATE)
			p.ended &= field[1] == 'Z' || field[1] == 'X';
		else if (field != NULL && i == THREADS)
			p.ended &= strtol(field, NULL, 10) <= 1;
		else if (field != NULL && i == START)
			p.start = strtoull(field, NULL, 10);
	}
	return p;
}

static void read_space(const char *path, char *space, size_t size)
{
	ssize_t n = readlink(path, space, size - 1);

	space[n > 0 ? n : 0] = '\0';
}

/* The boot and the namespaces of processes and of time: within one of each, process numbers and when they began can be
 * compared. "" when the boot is not to be seen: then with nobody. */
static char *machine(TALLOC_CTX *mem)
{
	char boot[64] = "", space[64] = "", time[64] = "";
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	read_space("/proc/self/ns/pid", space, sizeof space);
	read_space("/proc/self/ns/time", time, sizeof time);
	if (f != NULL) {
		if (fgets(boot, sizeof boot, f) == NULL)
			boot[0] = '\0';
		fclose(f);
	}
	boot[strcspn(boot, "\n")] = '\0';
	if (boot[0] == '\0')
		return talloc_strdup(mem, "");
	return talloc_asprintf(mem, "%s %s %s", boot, space, time);
}

char *lease_owner(TALLOC_CTX *mem)
{
	char *where = machine(mem);
	char *owner = talloc_asprintf(mem, "%ld %llu %s", (long)getpid(), find_process(getpid()).start, where);

	talloc_free(where);
	return owner;
}

bool lease_owner_lives(const char *owner)
{
	char *where = machine(NULL);
	char *rest;
	long pid = strtol(owner, &rest, 10);
	unsigned long long start = strtoull(rest, &rest, 10);
	bool comparable = pid > 0 && start != 0 && *where != '\0' && *rest == ' ' && strcmp(rest + 1, where) == 0;
	struct process p;

	talloc_free(where);
	if (!comparable)
		return true;
	p = find_process(pid);
	if (p.start != 0)
		return p.start == start && !p.ended;
	/* Another user's process may be hidden from /proc, but not from this. */
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

/* Is it ours, and for a good while yet? Then it need not be written: while it has not run out, and this process lives,
 * nobody takes it. More than all of its time is left when the clock was set back. */
static bool is_fresh(const struct service *s, const struct lease_row *held, int64_t now, int seconds)
{
	int64_t left = held->until - now;

	return held->owner != NULL && strcmp(held->owner, s->owner) == 0 && left > seconds / 2 && left <= seconds;
}

/* Leases are about processes that run, so they are held by the wall clock even when --now fixes the game's. */
static int64_t wall_now(void)
{
	return clock_now(&(struct clock){.fixed = -1});
}

struct err *lease_until(const struct service *s, TALLOC_CTX *mem, const char *name, int64_t *until)
{
	struct lease_row held;
	struct err *e = store_lease_held(s->store, mem, name, &held);

	*until = e == NULL && held.owner != NULL ? held.until : wall_now();
	return e;
}

static struct err *write_lease(const struct service *s, TALLOC_CTX *mem, const char *name, int seconds, bool *got)
{
	int64_t now = wall_now();
	struct lease_row held = {.owner = NULL};
	struct err *e = store_lease(s->store, mem, name, s->owner, now, now + seconds, got);

	if (e == NULL && !*got)
		e = store_lease_held(s->store, mem, name, &held);
	if (e == NULL && !*got && held.owner != NULL && !lease_owner_lives(held.owner)) {
		e = store_lease_end(s->store, mem, name, held.owner);
		if (e == NULL)
			e = store_lease(s->store, mem, name, s->owner, now, now + seconds, got);
	}
	return e;
}

struct err *lease_take_for(const struct service *s, TALLOC_CTX *mem, const char *name, int seconds, bool *got)
{
	struct lease_row held = {.owner = NULL};
	struct err *e = store_lease_held(s->store, mem, name, &held);

	*got = e == NULL && is_fresh(s, &held, wall_now(), seconds);
	return e != NULL || *got ? e : write_lease(s, mem, name, seconds, got);
}

/* Taken back and given again: SQLite does not write a row that is as it was, as one renewed within its second is. */
static struct err *rewrite_lease(const struct service *s, TALLOC_CTX *mem, const char *name, bool *got)
{
	struct err *e = write_lease(s, mem, name, LEASE_SECONDS, got);

	if (e == NULL && *got)
		e = store_lease_end(s->store, mem, name, s->owner);
	return e == NULL && *got ? write_lease(s, mem, name, LEASE_SECONDS, got) : e;
}

struct err *lease_renew(const struct service *s, TALLOC_CTX *mem, const char *name, bool *got)
{
	struct err *e = store_begin(s->store, mem);

	return e != NULL ? e : store_end(s->store, mem, rewrite_lease(s, mem, name, got));
}

struct err *lease_take(const struct service *s, TALLOC_CTX *mem, const char *name, bool *got)
{
	return lease_take_for(s, mem, name, LEASE_SECONDS, got);
}

struct err *lease_begin(const struct service *s, TALLOC_CTX *mem, const char *name, bool *ours)
{
	struct err *e = store_begin(s->store, mem);

	*ours = false;
	if (e != NULL)
		return e;
	e = lease_take(s, mem, name, ours);
	if (e != NULL || !*ours)
		store_rollback(s->store);
	return e;
}

void lease_end(const struct service *s, TALLOC_CTX *mem, const char *name)
{
	struct err *e = store_lease_end(s->store, mem, name, s->owner);

	talloc_free(e);
}
