/* galloperd doctor. */
#include "base/text.h"
#include "cli/doctor.h"
#include "cli/pass.h"
#include "service/doctor.h"

#include <stdio.h>

enum { DOCTOR_COLUMNS = 80 };

static void say(void *context, enum finding finding, const char *seen, const char *advice)
{
	static const char *const marks[] = {
		[FINDING_FINE] = "ok   ", [FINDING_ADVICE] = "note ", [FINDING_FAULT] = "FAULT"};

	TALLOC_CTX *mem = talloc_new(context);

	printf("%s\n", text_wrap(mem, talloc_asprintf(mem, "%s %s", marks[finding], seen), DOCTOR_COLUMNS, 6));
	if (*advice)
		printf("      %s\n", text_wrap(mem, talloc_asprintf(mem, "-> %s", advice), DOCTOR_COLUMNS - 6, 9));
	talloc_free(mem);
	fflush(stdout);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct doctor_options o = {DOCTOR_WAIT};
	struct doctor d = {.say = say,
		.context = cli->mem,
		.clock = cli->clock,
		.log = &cli->log,
		.reader = reader_new(cli->mem, reader_path(cli->mem))};

	argp_parse(&doctor_argp, argc, argv, 0, NULL, &o);
	d.wait_seconds = o.wait;
	doctor_examine(&d, cli->mem, cli->config);
	if (d.faults == 0)
		printf("\nAll is well%s.\n", d.advices > 0 ? "; read the notes" : "");
	else
		printf("\n%d fault%s. Mend the first, then call the doctor again.\n", d.faults,
			d.faults == 1 ? "" : "s");
	return d.faults == 0 ? EXIT_DONE : EXIT_NO;
}

const struct command command_doctor_mail = {
	"doctor", "", "try the whole set-up and say what to mend", &doctor_argp, run};
