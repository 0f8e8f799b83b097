/* galloperd: the daemon, one pass of it (tick), and what else needs a mail server. */
#include "cli/command.h"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

extern const struct command command_daemon_mail;
extern const struct command command_tick_mail;
extern const struct command command_resolve_mail;
extern const struct command command_read_mail;
extern const struct command command_doctor_mail;

#ifndef __SANITIZE_ADDRESS__ /* which says more */
/* Where the system has no memory left for us, and after any fault of ours, the end is at least no silent one. */
static void last_word(int number)
{
	static const char text[] =
		"galloperd: ended at once, for want of memory or by a fault of its own. Nothing that was "
		"taken in is lost; the next start goes on from there.\n";

	(void)number;
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(3);
}

static void say_last_word(void)
{
	struct sigaction act = {.sa_handler = last_word, .sa_flags = (int)SA_RESETHAND}; /* then it takes its course */

	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGBUS, &act, NULL);
	sigaction(SIGABRT, &act, NULL);
}
#endif

int main(int argc, char **argv)
{
	static const struct command *const table[] = {
		&command_daemon_mail,
		&command_tick_mail,
		&command_resolve_mail,
		&command_doctor_mail,
		&command_read_mail,
		NULL,
	};

#ifndef __SANITIZE_ADDRESS__
	say_last_word();
#endif
	/* Else the memory of a mail is given back to the system after each, and asked for again. */
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	return cli_main(argc, argv, "galloperd", table);
}
