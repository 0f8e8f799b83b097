/* The first day: a folder with a configuration and a database that work at once. */
#ifndef GALLOPER_SERVICE_SETUP_H
#define GALLOPER_SERVICE_SETUP_H

#include "service/service.h"

/* Makes `folder` with galloper.conf, an empty database and the Maildirs. What is there already stays. A
 * configuration with its database is an error of ERR_GAME; one without is given a database. */
struct err *setup_folder(TALLOC_CTX *mem, const char *folder, const char *address, const char *operator_address,
	const struct clock *clock, const struct log *log) MUST_CHECK;

#endif
