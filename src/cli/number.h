/* The one reader of whole numbers on the command line. */
#ifndef GALLOPER_CLI_NUMBER_H
#define GALLOPER_CLI_NUMBER_H

#include <argp.h>
#include <stdbool.h>

enum { TURN_MAX = 9999 };

/* Digits, perhaps after a minus sign, and nothing else; false when it is no number or out of [min, max]. */
bool number_read(const char *text, long min, long max, long *out);

/* The value of an option, "--grace"; where it is none from min to max, says so with what else there is to say (`note`,
 * "hours"; "" for nothing) and ends the program with EXIT_USAGE, so that nothing is done. */
int number_option(
	const struct argp_state *argp, const char *option, const char *text, int min, int max, const char *note);

#endif
