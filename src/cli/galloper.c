/* galloper: the program for people. It loads no mail library; daemon, tick and doctor are galloperd's and are passed on
 * to it. */
#include "cli/command.h"

int main(int argc, char **argv)
{
	static const struct command *const table[] = {
		NULL,
	};

	return cli_main(argc, argv, "galloper", table);
}
