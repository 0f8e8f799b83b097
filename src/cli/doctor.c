/* galloper doctor: galloperd does it (doctor_mail.c). */
#include "cli/doctor.h"
#include "cli/number.h"
#include "cli/pass.h"

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct doctor_options *o = argp->input;

	switch (key) {
	case 'w':
		o->wait = number_option(argp, "--wait", arg, 0, DOCTOR_WAIT_MAX, "seconds");
		return 0;
	case ARGP_KEY_ARG:
		argp_error(argp, "doctor takes no arguments");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"wait", 'w', "SECONDS", 0, "How long to wait for a mail to ourselves (60); 0: send none", 0},
	{0},
};

const struct argp doctor_argp = {options, parse, "",
	"Tries everything that Galloper needs, one thing after the other: configuration, files, database, mailbox, "
	"sending, "
	"a mail to itself and what became of it. Says of each fault what to do about it. The exit status is 1 when "
	"there "
	"are faults.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct doctor_options o = {DOCTOR_WAIT};

	argp_parse(&doctor_argp, argc, argv, 0, NULL, &o);
	return pass_on(cli);
}

const struct command command_doctor = {
	.name = "doctor",
	.usage = "",
	.help = "try the whole set-up and say what to mend",
	.argp = &doctor_argp,
	.run = run,
};
