/* galloperd: the daemon, one pass of it (tick), and the sandboxed mail reader that it starts from itself. */
#include "cli/command.h"

#include <malloc.h>

extern const struct command command_daemon_mail;
extern const struct command command_tick_mail;
extern const struct command command_read_mail;
extern const struct command command_doctor_mail;
extern const struct command command_reader;

int main(int argc, char **argv)
{
	static const struct command *const table[] = {
		&command_daemon_mail,
		&command_tick_mail,
		&command_doctor_mail,
		&command_read_mail,
		&command_reader,
		NULL,
	};

	/* Else the memory of a mail is given back to the system after each, and asked for again. */
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	return cli_main(argc, argv, "galloperd", table);
}
