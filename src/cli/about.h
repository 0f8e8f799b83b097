/* The command line of a command that is about one thing: `log GAME`, `report GAME --turn N --json`, `read FILE.eml`.
 * And what several commands say of a battle. */
#ifndef GALLOPER_CLI_ABOUT_H
#define GALLOPER_CLI_ABOUT_H

#include "cli/command.h"

struct about {
	const char *what; /* the one word; NULL only where args_doc puts it in [brackets] */
	int turn;         /* --turn N, where the command has that option; else 0 */
	bool json;        /* --json, likewise */
	bool text;        /* --text, likewise */
};

/* Reads the words of a command whose argp has the parser below; ends the program where they are wrong. */
struct about about_read(const struct argp *argp, int argc, char **argv);
error_t about_parse(int key, char *arg, struct argp_state *argp);

/* For a command's table of options, with what they mean there. */
#define ABOUT_TURN(doc)                                                                                                \
	{                                                                                                              \
		"turn", 't', "N", 0, doc, 0                                                                            \
	}
#define ABOUT_JSON(doc)                                                                                                \
	{                                                                                                              \
		"json", 'j', NULL, 0, doc, 0                                                                           \
	}

/* An option of a battle's name, and the help filter that puts the battles there are in its place. */
#define ABOUT_BATTLE(key)                                                                                              \
	{                                                                                                              \
		"battle", key, "NAME", 0, "The battle: {battles}; or the path of a .battle file", 0                    \
	}
char *about_battles(int key, const char *text, void *input);

#endif
