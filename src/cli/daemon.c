/* galloperd daemon: one pass after the other. */
#include "base/memory.h"
#include "cli/open.h"
#include "cli/pass.h"
#include "cli/run.h"
#include "service/lease.h"
#include "service/pass.h"
#include "service/schedule.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
	JUMP_SECONDS = 300,     /* the wall clock may leave the machine's own by so much between two passes */
	DOUBT_SECONDS = 3600,   /* after a jump no deadline is met for so long: the clock may be set right again */
	WAIT_LONGEST = 15 * 60, /* between passes, when the ledger has failed again and again */
	FAILURES_COUNTED = 10,
};

static const char daemon_lease[] = "daemon";

/* All that a signal handler can reach; threads look at it as well. */
static atomic_bool told_to_stop, told_to_reread;
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler may set no flag that takes a lock");

static void on_signal(int number)
{
	if (number == SIGHUP)
		told_to_reread = true;
	else
		told_to_stop = true;
}

/* Signals are let in while a pass works and while it sleeps, and held back between looking at them and sleeping. */
static void take_signals(sigset_t *held)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigemptyset(held);
	sigaddset(held, SIGTERM);
	sigaddset(held, SIGINT);
	sigaddset(held, SIGHUP);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static void wait_for(const sigset_t *held, int seconds)
{
	struct timespec time = {.tv_sec = seconds};
	sigset_t before;

	sigprocmask(SIG_BLOCK, held, &before);
	if (!told_to_stop && !told_to_reread)
		ppoll(NULL, 0, &time, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

struct daemon {
	struct cli *cli;
	bool verbose;
	TALLOC_CTX *opened; /* holds the configuration and the service */
	struct service *service;
	struct pass pass;
	int64_t offset;      /* of the wall clock from the time since the boot */
	int64_t doubt_until; /* since the boot; 0 = none */
	int failures;        /* passes in a row that could not write the ledger */
};

/* If that fails, what was open stays open. */
static struct err *open_service(struct daemon *d)
{
	TALLOC_CTX *mem = talloc_new(d->cli->mem);
	struct config *config;
	struct service *s;
	struct err *e = config_read(mem, d->cli->config, &config);

	if (e == NULL)
		e = service_open(mem, config, false, &d->cli->clock, &d->cli->log, &s);
	if (e != NULL) {
		talloc_steal(d->cli->mem, e);
		talloc_free(mem);
		return e;
	}
	talloc_free(d->opened);
	d->opened = mem;
	s->stop = &told_to_stop;
	d->service = s;
	d->pass.service = s;
	d->cli->log.level = d->verbose ? LOG_LEVEL_DEBUG : (enum log_level)config->log_level;
	return NULL;
}

static int64_t since_boot(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec;
}

/* Within one run the wall clock must keep step with the machine's own. If it does not, somebody has set it; until that
 * has stood for a while, no turn is resolved because of it. */
static struct err *watch_clock(struct daemon *d, TALLOC_CTX *mem)
{
	int64_t boot = since_boot(), offset = clock_now(&d->cli->clock) - boot, jump = offset - d->offset;

	d->pass.clock_doubtful = boot < d->doubt_until;
	if (d->cli->clock.fixed >= 0 || llabs(jump) <= JUMP_SECONDS)
		return NULL;
	d->offset = offset;
	d->doubt_until = boot + DOUBT_SECONDS;
	d->pass.clock_doubtful = true;
	log_line(&d->cli->log, LOG_LEVEL_WARN, "the clock has jumped by %lld seconds; deadlines wait", (long long)jump);
	return tell_operator(d->service, mem, "clock", "The clock has jumped",
		talloc_asprintf(mem,
			"The clock of the machine that runs Galloper has jumped by %lld minutes. Set it right if it is "
			"wrong. No turn is resolved in the next hour; after that Galloper goes by the clock as it is.",
			(long long)(jump / 60)));
}

/* Says that a daemon is at work on this database, until the next pass at the latest: nobody may put another one in its
 * place meanwhile ('galloper restore'). A second daemon beside it has nothing to add. */
static struct err *show_presence(const struct daemon *d, TALLOC_CTX *mem)
{
	bool first;

	return lease_take_for(
		d->service, mem, daemon_lease, d->service->config->poll_seconds + WAIT_LONGEST + LEASE_SECONDS, &first);
}

static void one_pass(struct daemon *d)
{
	TALLOC_CTX *mem = talloc_new(d->cli->mem);
	struct passed done = {0};
	struct err *e = show_presence(d, mem);

	if (e == NULL)
		e = watch_clock(d, mem);
	if (e == NULL)
		e = pass_make(&d->pass, mem, &done);
	if (e != NULL)
		log_err(&d->cli->log, e);
	if (e == NULL)
		d->failures = 0;
	else if (d->failures < FAILURES_COUNTED)
		d->failures++;
	talloc_free(mem);
}

/* A disk that is full fills no sooner for being asked every minute. (Servers are left alone by service/hold.) */
static int pause_seconds(const struct daemon *d)
{
	int seconds = d->service->config->poll_seconds;

	for (int i = 1; i < d->failures && seconds < WAIT_LONGEST; i++)
		seconds *= 2;
	return d->failures > 1 && seconds > WAIT_LONGEST ? WAIT_LONGEST : seconds;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct daemon d = {.cli = cli, .verbose = cli->log.level == LOG_LEVEL_DEBUG};
	sigset_t held;
	struct err *e;

	argp_parse(&daemon_argp, argc, argv, 0, NULL, NULL);
	take_signals(&held);
	e = open_service(&d);
	if (e != NULL)
		return cli_fail(cli, e);
	d.pass.reader = reader_new(cli->mem, reader_path(cli->mem));
	d.offset = clock_now(&cli->clock) - since_boot();
	log_line(&cli->log, LOG_LEVEL_INFO, "begun");
	memory_trim(); /* of what was needed to start */
	while (!told_to_stop) {
		if (told_to_reread) {
			told_to_reread = false;
			e = open_service(&d);
			log_line(&cli->log, LOG_LEVEL_INFO,
				e == NULL ? "configuration read again" : "the configuration stays as it was");
			if (e != NULL)
				log_err(&cli->log, e);
			talloc_free(e);
		}
		one_pass(&d);
		memory_trim();
		wait_for(&held, pause_seconds(&d));
	}
	if (d.failures ==
		0) /* else the ledger would be waited for once more; nobody minds the lease of a dead process */
		lease_end(d.service, cli->mem, daemon_lease);
	log_line(&cli->log, LOG_LEVEL_INFO, "stopped");
	return EXIT_DONE;
}

const struct command command_daemon_mail = {"daemon", "", "make passes until told to stop", &daemon_argp, run};
