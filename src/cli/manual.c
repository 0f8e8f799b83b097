#include "cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text with what roff would take for its own: a dot or quote that begins a line, backslashes, minus signs. */
static void put_text(FILE *out, const char *text)
{
	bool line_start = true;

	for (const char *p = text; *p != '\0' && *p != '\v'; p++) {
		if (line_start && (*p == '.' || *p == '\''))
			fputs("\\&", out);
		if (*p == '\\' || *p == '-')
			fputc('\\', out);
		fputc(*p == '\\' ? 'e' : *p, out);
		line_start = *p == '\n';
	}
	fputc('\n', out);
}

/* A few words of a table as a sentence: "Make and run games." */
static void put_sentence(FILE *out, const char *text)
{
	fputc(toupper((unsigned char)text[0]), out);
	for (const char *p = text + 1; *p != '\0'; p++)
		fputs(*p == '-' ? "\\-" : (const char[]){*p, '\0'}, out);
	fputs(".\n", out);
}

/* As --help says it: with what the command's filter makes of it. */
static void put_doc(FILE *out, const struct argp *argp, const struct argp_option *o)
{
	char *doc = argp->help_filter != NULL && o->doc != NULL ? argp->help_filter(o->key, o->doc, NULL) : NULL;

	put_text(out, doc != NULL ? doc : o->doc != NULL ? o->doc : "");
	if (doc != o->doc)
		free(doc);
}

static void put_options(FILE *out, const struct argp *argp)
{
	for (const struct argp_option *o = argp->options; o != NULL && (o->name != NULL || o->key != 0); o++) {
		fputs(".TP\n.B ", out);
		if (o->key > ' ' && o->key < 127)
			fprintf(out, "\\-%c%s", o->key, o->name != NULL ? ", " : "");
		if (o->name != NULL)
			fprintf(out, "\\-\\-%s", o->name);
		if (o->arg != NULL)
			fprintf(out, " \\fI%s\\fR", o->arg);
		fputc('\n', out);
		put_doc(out, argp, o);
	}
}

/* The names in what `--json` prints, a command each. */
static void put_json(FILE *out)
{
	static const char *const shapes[][2] = {
		{"game list", "games, each as game show has it but for the players"},
		{"game show",
			"game (its name), battle, rules, status (setup, running, paused, ended), line, turn, part, "
			"deadline, held, release, timezone, every, skip, remind, grace, review, concession, players"},
		{"player list", "game, players: player (the number), role (E, J, observer, referee), name, address, "
				"units (ids; none for the whole side), command (the same in words), deputies, heard, "
				"bounced, stopped"},
		{"map", "game, title, line, turn, part, winner (E, J, draw), digest, pieces: unit (the id), code, "
			"name, side, "
			"kind, wing, bases, begun, figures, routing, column; of those on the table also square, x, y "
			"(the "
			"middle of the front edge), facing, with, locked"},
		{"orders", "game, line, turn, part, orders: unit, code, side, standing, clauses; priority"},
		{"check",
			"orders as above without side; problems: line, column, typed, message, suggestion; set_aside, "
			"commands; notes: line, text"},
		{"report", "game, turn, digest, events: key, kind, turn, phase, actor, objects, numbers, dice, reason, "
			   "ruling, "
			   "text, amended; try prints such events, a line each"},
		{"verify", "game, faults (how many), turns: line, turn, resolutions, digest, fault"},
		{"log", "an array of: number, time, actor, what, reason, before, after"},
	};

	fputs(".SH JSON\n", out);
	put_text(out,
		"With --json a command prints one JSON object in one line (log: an array). Times are written as "
		"2027-01-15T16:00:00Z, distances in thousandths of an inch, facings in degrees from north; null is "
		"what there is none of. Names may be added, never taken away.");
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		fprintf(out, ".TP\n.B %s\n", shapes[i][0]);
		put_text(out, shapes[i][1]);
	}
}

void manual_print(FILE *out, const struct command *const *table, const char *parameters)
{
	fputs(".TH GALLOPER 1 \"\" \"Galloper " VERSION "\"\n"
	      ".SH NAME\ngalloper, galloperd \\- battles of 1745\\-46 by mail\n"
	      ".SH SYNOPSIS\n.B galloper\n[\\fB\\-c\\fR \\fIFILE\\fR] [\\fB\\-\\-now\\fR \\fITIME\\fR] [\\fB\\-v\\fR] "
	      "\\fICOMMAND\\fR ...\n"
	      ".SH DESCRIPTION\n"
	      "Galloper reads orders that players mail in plain words, resolves the turns of a miniature battle, and "
	      "mails\n"
	      "back maps and combat logs. A teacher referees. The README tells how to set it up: it lies in "
	      "share/doc/galloper, under\n"
	      "/usr/local or /usr.\n"
	      ".SH OPTIONS\n"
	      ".TP\n.B \\-c \\fIFILE\\fR\nThe configuration; galloper.conf in this folder when not given.\n"
	      ".TP\n.B \\-\\-now \\fITIME\\fR\nTake this for the time, as 2027\\-01\\-15T16:00:00Z: to try things "
	      "out.\n"
	      ".TP\n.B \\-v\nSay more.\n"
	      ".SH COMMANDS\n",
		out);
	for (int i = 0; table[i] != NULL; i++) {
		const struct argp *a = table[i]->argp;

		fprintf(out, ".SS %s ", table[i]->name);
		put_text(out, table[i]->usage);
		fputs(".PP\n", out);
		put_sentence(out, table[i]->help);
		if (a->doc != NULL && strchr(a->doc, '\v') != NULL)
			put_text(out, strchr(a->doc, '\v') + 1);
		put_options(out, a);
	}
	put_json(out);
	fputs(".SH PARAMETERS\n.nf\n", out);
	put_text(out, parameters);
	fputs(".fi\n"
	      ".SH EXIT STATUS\n"
	      "0 done, 1 no (with the reason), 2 wrong usage, 3 the world failed (network, disk).\n"
	      ".SH FILES\n"
	      ".TP\n.I galloper.conf\nThe settings, each with its explanation; made by\n.BR \"galloper init\" .\n"
	      ".SH ENVIRONMENT\n"
	      ".TP\n.B GALLOPER_DATA\nThe folder that holds db/ and templates/, if not the installed one.\n",
		out);
}
