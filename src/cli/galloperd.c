/* galloperd: the daemon, one pass of it (tick), and the sandboxed mail reader that it starts from itself. */
#include "cli/command.h"

int main(int argc, char **argv)
{
	static const struct command *const table[] = {
		NULL,
	};

	return cli_main(argc, argv, "galloperd", table);
}
