#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOG_LINE_MAX = 2048 };

#define ADDRESS_SHOWN "*@*"

static const char *level_word(enum log_level level)
{
	switch (level) {
	case LOG_LEVEL_WARN:
		return "warning";
	case LOG_LEVEL_DEBUG:
		return "debug";
	default:
		return "info";
	}
}

/* Whatever has the form of an address, also in a server's words or a path, becomes ADDRESS_SHOWN, which is no longer
 * than any. Gives the new length. */
static size_t hide_addresses(char *line, size_t len)
{
	static const char ends[] = " \t\"'`<>()[]{}/\\,;:|";
	size_t out = 0;

	for (size_t at = 0, n; at < len; at += n) {
		const char *sign;

		for (n = 0; at + n < len && strchr(ends, line[at + n]) == NULL;)
			n++;
		sign = memchr(line + at, '@', n);
		if (sign != NULL && sign > line + at && sign < line + at + n - 1) {
			memcpy(line + out, ADDRESS_SHOWN, sizeof ADDRESS_SHOWN - 1);
			out += sizeof ADDRESS_SHOWN - 1;
		} else {
			n += n == 0;
			memmove(line + out, line + at, n);
			out += n;
		}
	}
	return out;
}

/* A line is one write(2), so that the lines of two processes never mix; a stray control character, which the caller
 * should have escaped, cannot forge a second line. */
void log_line(const struct log *l, enum log_level level, const char *format, ...)
{
	char line[LOG_LINE_MAX];
	time_t now = time(NULL);
	struct tm tm;
	size_t head;
	va_list args;
	int n;

	if (level == LOG_LEVEL_QUIET || level > l->level)
		return;
	gmtime_r(&now, &tm);
	head = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ ", &tm);
	head += (size_t)snprintf(line + head, sizeof line - head, "%s: ", level_word(level));
	va_start(args, format);
	n = vsnprintf(line + head, sizeof line - head, format, args);
	va_end(args);
	if (n < 0)
		return;
	head += (size_t)n;
	if (head > sizeof line - 1)
		head = sizeof line - 1;
	for (size_t i = 0; i < head; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	head = hide_addresses(line, head);
	line[head] = '\n';
	/* There is nowhere left to complain when the log itself cannot be written. */
	if (write(l->fd, line, head + 1) < 0)
		return;
}

void log_err(const struct log *l, const struct err *e)
{
	static const char *const scope[] = {
		[ERR_MAIL] = "mail", [ERR_GAME] = "game", [ERR_ACCOUNT] = "account", [ERR_PROCESS] = "process"};

	log_line(l, LOG_LEVEL_WARN, "%s%s%s (%s%s)", e->where, *e->where ? ": " : "", e->what, scope[e->scope],
		e->retry ? ", will be tried again" : "");
}
