#include "service/setup.h"

#include "base/address.h"
#include "base/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where it is empty, its making was broken off. */
static bool has_database(const struct config *config)
{
	struct stat st;

	return stat(config->database, &st) == 0 && st.st_size > 0;
}

struct err *setup_folder(TALLOC_CTX *mem, const char *folder, const char *address, const char *operator_address,
	const struct clock *clock, const struct log *log)
{
	char *path = talloc_asprintf(mem, "%s/galloper.conf", folder), *text;
	bool configured = access(path, F_OK) == 0;
	struct config *config;
	struct service *s;
	struct err *e;

	if (!address_valid(address))
		return err_new(mem, ERR_GAME, false, "", "'%s' is no mail address", address);
	if (operator_address[0] != '\0' && !address_valid(operator_address))
		return err_new(mem, ERR_GAME, false, "", "'%s' is no mail address", operator_address);
	e = configured ? NULL : file_make_folder(mem, folder, 0700);
	if (e == NULL && !configured) {
		text = config_sample(mem, address, operator_address);
		e = file_write(mem, path, text, strlen(text), 0600);
	}
	if (e == NULL)
		e = config_read(mem, path, &config);
	if (e == NULL && configured && has_database(config))
		return err_new(
			mem, ERR_GAME, false, path, "there is a configuration here already; it was left as it is");
	for (int i = 0; e == NULL && i < 3; i++) {
		static const char *const parts[] = {"cur", "new", "tmp"};

		e = file_make_folder(mem, talloc_asprintf(mem, "%s/%s", config->maildir_in, parts[i]), 0700);
	}
	if (e == NULL)
		e = file_make_folder(mem, config->maildir_out, 0700);
	if (e == NULL)
		e = service_open(mem, config, true, clock, log, &s);
	/* The mailbox is ours from now on: what is in it already is older. */
	return e;
}
