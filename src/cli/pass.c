#include "cli/pass.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static char *beside_us(TALLOC_CTX *mem, const char *name)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	return talloc_asprintf(mem, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

char *galloperd_path(TALLOC_CTX *mem)
{
	return beside_us(mem, "galloperd");
}

char *reader_path(TALLOC_CTX *mem)
{
	return beside_us(mem, "galloper-reader");
}

int pass_on(struct cli *cli)
{
	char *path = galloperd_path(cli->mem);

	execv(path, cli->whole);
	return cli_fail(cli, err_errno(cli->mem, errno, path, "the program that handles mail cannot be started"));
}
