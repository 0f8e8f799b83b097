/* The options of `doctor`, which both programs know. */
#ifndef GALLOPER_CLI_DOCTOR_H
#define GALLOPER_CLI_DOCTOR_H

#include "cli/command.h"

enum { DOCTOR_WAIT = 60, DOCTOR_WAIT_MAX = 600 };

struct doctor_options {
	int wait; /* seconds */
};

extern const struct argp doctor_argp;

#endif
