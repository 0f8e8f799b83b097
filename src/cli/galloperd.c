/* galloperd: the daemon, one pass of it (tick), and the sandboxed mail reader that it starts from itself. */
#include "cli/command.h"

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

	return cli_main(argc, argv, "galloperd", table);
}
