/* Any text as the settings, with a file for the password beside it. */
#include "base/file.h"
#include "config/config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct config *config;
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/tmp/galloper-fuzz.%d.conf", (int)getpid());
	f = fopen(path, "w");
	if (f == NULL || fwrite(bytes, 1, len, f) != len || fclose(f) != 0 || chmod(path, 0600) != 0)
		abort();
	if (config_read(mem, path, &config) == NULL && (config->poll_seconds < 1 || strpbrk(config->imap.user, "\r\n")))
		abort();
	unlink(path);
	talloc_free(mem);
	return 0;
}
