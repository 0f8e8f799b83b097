/* galloper try FILE...: plays rules cases and says which pass. */
#include "base/file.h"
#include "cli/command.h"
#include "service/trial.h"

#include <stdio.h>

enum { CASE_BYTES_MAX = 1 << 20 };

struct try_options {
	bool log, json;
	char **files;
	int count;
};

struct score {
	int passed, failed, unread;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct try_options *o = argp->input;

	(void)arg;
	switch (key) {
	case 'l':
		o->log = true;
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = argp->argv + argp->next;
		o->count = argp->argc - argp->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(argp, "name at least one case file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"log", 'l', NULL, 0, "Print each case's log, also when it passes", 0},
	{"json", 'j', NULL, 0, "Print each event as a line of JSON; the results go to standard error", 0},
	{0},
};

static const struct argp try_argp = {options, parse, "FILE...",
	"Plays rules cases: small files that set out a few units, give orders and dice, and say what has to come of it."
	"\vEach case gives a line, ok or FAIL with the reason and its log; the last line counts them. The exit status "
	"is 1 "
	"when one fails and 2 when a file cannot be read. tests/cases/ has examples.",
	NULL, NULL, NULL};

static void print_events(TALLOC_CTX *mem, const struct trial *t)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < t->events->count; i++) {
		struct json j;

		json_begin(&j, out);
		event_json(&j, t->events->list[i], t->state);
		buf_addc(out, '\n');
	}
	fwrite(out->data, 1, out->len, stdout);
}

static void print_result(TALLOC_CTX *mem, const struct trial *t, const struct try_options *o)
{
	FILE *out = o->json ? stderr : stdout;

	if (t->failure_count == 0)
		fprintf(out, "ok %s\n", t->of->name);
	else
		fprintf(out, "FAIL %s: %s\n", t->of->name, t->failures[0]);
	for (int i = 1; i < t->failure_count; i++)
		fprintf(out, "     %s\n", t->failures[i]);
	if (o->json)
		print_events(mem, t);
	else if (o->log || t->failure_count > 0)
		fputs(trial_log(mem, t), out);
}

static void try_file(TALLOC_CTX *mem, const char *file, const struct try_options *o, struct score *score)
{
	struct rules_case *c;
	struct trial *t;
	char *text;
	size_t len;
	struct err *e = file_read(mem, file, CASE_BYTES_MAX, &text, &len);

	if (!e)
		e = case_read(mem, file, text, len, &c);
	if (e) {
		fprintf(stderr, "galloper: %s\n", err_text(mem, e));
		score->unread++;
		return;
	}
	t = trial_run(mem, c, c->seed, true);
	if (t->failure_count == 0)
		score->passed++;
	else
		score->failed++;
	print_result(mem, t, o);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct try_options o = {0};
	struct score score = {0};

	if (argp_parse(&try_argp, argc, argv, 0, NULL, &o))
		return EXIT_USAGE;
	for (int i = 0; i < o.count; i++) {
		TALLOC_CTX *mem = talloc_new(cli->mem);

		try_file(mem, o.files[i], &o, &score);
		talloc_free(mem);
	}
	fprintf(o.json ? stderr : stdout, "%d passed, %d failed\n", score.passed, score.failed);
	if (score.unread > 0)
		return EXIT_USAGE;
	return score.failed > 0 ? EXIT_NO : EXIT_DONE;
}

const struct command command_try = {
	"try", "[--log] [--json] FILE...", "play rules cases and say which pass", &try_argp, run};
