#include "cli/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool number_read(const char *text, long min, long max, long *out)
{
	const char *digits = text + (text[0] == '-');

	errno = 0;
	*out = strtol(text, NULL, 10);
	return digits[0] != '\0' && strspn(digits, "0123456789") == strlen(digits) && errno == 0 && *out >= min &&
	       *out <= max;
}

int number_option(
	const struct argp_state *argp, const char *option, const char *text, int min, int max, const char *note)
{
	long n;

	if (!number_read(text, min, max, &n))
		argp_error(argp, "%s is a whole number%s%s from %d to %d, not '%s'", option,
			note[0] != '\0' ? " of " : "", note, min, max, text);
	return (int)n;
}
