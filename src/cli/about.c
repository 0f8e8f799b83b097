#include "cli/about.h"

#include "cli/number.h"
#include "service/battles.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct about about;
	const char *what; /* as usage names it: GAME, FILE */
};

error_t about_parse(int key, char *arg, struct argp_state *argp)
{
	struct reading *reading = argp->input;
	struct about *about = &reading->about;
	const char *what = reading->what;

	switch (key) {
	case 't':
		about->turn = number_option(argp, "--turn", arg, 1, TURN_MAX, "");
		return 0;
	case 'j':
		about->json = true;
		return 0;
	case 'p':
		about->text = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num > 0)
			argp_error(argp, "one %s only", what);
		about->what = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (what[0] != '[')
			argp_error(argp, "which %s?", what);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

struct about about_read(const struct argp *argp, int argc, char **argv)
{
	struct reading reading = {.what = argp->args_doc};

	argp_parse(argp, argc, argv, 0, NULL, &reading);
	return reading.about;
}

/* argp frees what it is given in the text's place. */
char *about_battles(int key, const char *text, void *input)
{
	static const char mark[] = "{battles}";
	const char *at = text == NULL ? NULL : strstr(text, mark), *names;
	TALLOC_CTX *mem;
	char *out = NULL;

	(void)key;
	(void)input;
	if (at == NULL)
		return (char *)(uintptr_t)text;
	mem = talloc_new(NULL);
	if (battle_names(mem, &names) == NULL)
		out = strdup(talloc_asprintf(mem, "%.*s%s%s", (int)(at - text), text, names, at + strlen(mark)));
	talloc_free(mem);
	return out != NULL ? out : (char *)(uintptr_t)text;
}
