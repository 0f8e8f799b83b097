/* The log: one line an event on standard error, time first. Names, addresses and texts of people never go in: ids only.
 * Whatever comes from outside is escaped by the caller with text_escape. As a last net, addresses in it are shown as
 * *@*: a server may put them into its words, and a Maildir's path holds them. */
#ifndef GALLOPER_BASE_LOG_H
#define GALLOPER_BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_LEVEL_QUIET, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

struct log {
	int fd;
	enum log_level level;
};

void log_line(const struct log *l, enum log_level level, const char *format, ...) PRINTF_LIKE(3, 4);
/* "error: where: what (scope, will be tried again)". */
void log_err(const struct log *l, const struct err *e);

#endif
