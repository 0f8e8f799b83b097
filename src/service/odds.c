#include "service/odds.h"

#include "service/trial.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Many runs show their progress from the start, others when they take over a second. */
enum { WORKERS_MAX = 16, LOOK_MILLISECONDS = 200, QUIET_LOOKS = 5, MANY_RUNS = 100000 };

/* What one process has counted; in memory that it shares with the one that started it. */
struct tally {
	_Atomic long done;
	long counts[]; /* for each piece begun + 1 numbers of bases, then each expectation */
};

struct odds {
	const struct rules_case *c;
	long runs;
	int workers;
	int numbers;       /* in a tally */
	int *first;        /* for each piece: its 0 bases */
	int first_finding; /* behind the pieces' */
	size_t tally_bytes;
	char *shared;
	pid_t child[WORKERS_MAX];
};

static struct tally *tally_of(const struct odds *o, int worker)
{
	return (struct tally *)(void *)(o->shared + (size_t)worker * o->tally_bytes);
}

static void lay_out(TALLOC_CTX *mem, struct odds *o)
{
	const struct state *s = o->c->scenario->state;

	o->first = talloc_array(mem, int, (unsigned)s->count + 1);
	for (int i = 0; i < s->count; i++) {
		o->first[i] = o->numbers;
		o->numbers += s->units[i].begun + 1;
	}
	o->first_finding = o->numbers;
	for (int i = 0; i < o->c->step_count; i++)
		o->numbers += o->c->steps[i].kind == STEP_EXPECT;
	/* A multiple of any cache line, so that no two processes write the same one. */
	o->tally_bytes = (sizeof(struct tally) + sizeof(long) * (size_t)o->numbers + 255) & ~(size_t)255;
}

static void count_one(const struct odds *o, struct tally *tally, const struct trial *t)
{
	for (int i = 0; i < t->state->count; i++)
		tally->counts[o->first[i] + t->state->units[i].bases]++;
	for (int i = 0; i < t->finding_count; i++)
		tally->counts[o->first_finding + i] += t->findings[i].passed;
}

/* Every o->workers-th run. */
static void work(const struct odds *o, int worker)
{
	struct tally *tally = tally_of(o, worker);

	for (long i = worker; i < o->runs; i += o->workers) {
		struct trial *t = trial_run(NULL, o->c, o->c->seed + (uint64_t)i, false);

		count_one(o, tally, t);
		talloc_free(t);
		atomic_fetch_add_explicit(&tally->done, 1, memory_order_relaxed);
	}
}

static void show_progress(const struct odds *o, int terminal)
{
	long done = 0;

	for (int w = 0; w < o->workers; w++)
		done += atomic_load_explicit(&tally_of(o, w)->done, memory_order_relaxed);
	dprintf(terminal, "\r%ld of %ld", done, o->runs);
}

/* Whether it has ended; *failed when it did not end well. */
static bool ended(pid_t *child, int options, bool *failed)
{
	int status;
	pid_t pid = *child > 0 ? waitpid(*child, &status, options) : -1;

	if (*child <= 0)
		return true;
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return false;
	*child = 0;
	*failed |= pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	return true;
}

static struct err *await(TALLOC_CTX *mem, struct odds *o, int progress)
{
	bool failed = false;
	int looks = 0, quiet = o->runs >= MANY_RUNS ? 0 : QUIET_LOOKS;

	for (int running = o->workers; running > 0; looks++) {
		const struct timespec pause = {.tv_nsec = LOOK_MILLISECONDS * 1000000L};

		running = 0;
		for (int w = 0; w < o->workers; w++)
			running += !ended(&o->child[w], progress >= 0 ? WNOHANG : 0, &failed);
		if (running > 0 && progress >= 0) {
			nanosleep(&pause, NULL);
			if (looks >= quiet)
				show_progress(o, progress);
		}
	}
	if (progress >= 0 && looks > quiet)
		dprintf(progress, "\r\033[K");
	return failed ? err_new(mem, ERR_PROCESS, false, NULL, "a process that counts odds did not end well") : NULL;
}

static struct err *start(TALLOC_CTX *mem, struct odds *o)
{
	fflush(stdout);
	for (int w = 0; w < o->workers; w++) {
		o->child[w] = fork();
		if (o->child[w] == 0) {
			work(o, w);
			_exit(0);
		}
		if (o->child[w] < 0)
			return err_errno(mem, errno, NULL, "cannot start a process to count odds");
	}
	return NULL;
}

static void print_share(const struct odds *o, struct buf *out, long count)
{
	/* As many decimals as the runs carry. */
	buf_printf(out, ",%.*f\n", o->runs <= 10000 ? 4 : 6, (double)count / (double)o->runs);
}

static void print(const struct odds *o, struct buf *out)
{
	const struct state *s = o->c->scenario->state;
	long *sum = tally_of(o, 0)->counts;
	int finding = o->first_finding;

	for (int w = 1; w < o->workers; w++)
		for (int i = 0; i < o->numbers; i++)
			sum[i] += tally_of(o, w)->counts[i];
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (u->kind == KIND_COMMANDER) {
			buf_printf(out, "commander,%s,dead", u->code);
			print_share(o, out, sum[o->first[i]]);
			continue;
		}
		for (int bases = u->begun; bases >= 0; bases--) {
			buf_printf(out, "unit,%s,bases,%d", u->code, bases);
			print_share(o, out, sum[o->first[i] + bases]);
		}
	}
	for (int i = 0; i < o->c->step_count; i++) {
		if (o->c->steps[i].kind != STEP_EXPECT)
			continue;
		buf_printf(out, "expect,%d", o->c->steps[i].line);
		print_share(o, out, sum[finding++]);
	}
	buf_printf(out, "runs,%ld\n", o->runs);
}

struct err *odds_run(TALLOC_CTX *mem, const struct rules_case *c, long runs, int workers, int progress, struct buf *out)
{
	struct odds o = {.c = c, .runs = runs, .workers = workers};
	size_t bytes;
	struct err *e, *other;

	assert(runs >= 1 && runs <= ODDS_RUNS_MAX);
	if (o.workers < 1)
		o.workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (o.workers > WORKERS_MAX)
		o.workers = WORKERS_MAX;
	if (o.workers < 1 || runs < o.workers)
		o.workers = 1;
	lay_out(mem, &o);
	bytes = (size_t)o.workers * o.tally_bytes;
	o.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (o.shared == MAP_FAILED)
		return err_errno(mem, errno, NULL, "no memory to count odds");
	e = start(mem, &o);
	other = await(mem, &o, progress);
	if (!e)
		e = other;
	if (!e)
		print(&o, out);
	munmap(o.shared, bytes);
	return e;
}
