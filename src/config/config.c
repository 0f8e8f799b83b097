#include "config/config.h"

#include "base/address.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/line.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX = 64 * 1024, PASSWORD_MAX = 4096 };

enum setting_type { TEXT, ADDRESS, PATH, NUMBER, CHOICE, FLAG };

struct setting {
	const char *name;
	enum setting_type type;
	size_t offset;
	const char *initial;
	long min, max;       /* NUMBER */
	const char *choices; /* CHOICE: words parted by blanks */
	const char *heading; /* begins a part of the sample file; NULL otherwise */
	const char *help;
};

#define AT(member) offsetof(struct config, member)

static const struct setting settings[] = {
	{"address", ADDRESS, AT(address), "galloper@localhost", 0, 0, NULL, "Who we are",
		"The game's own mail address: orders go there, and every mail comes from it."},
	{"sender-name", TEXT, AT(sender_name), "Galloper", 0, 0, NULL, NULL, "The name shown beside that address."},
	{"operator", ADDRESS, AT(operator_address), "", 0, 0, NULL, NULL,
		"Who is told about faults that belong to no game."},
	{"plus-addressing", FLAG, AT(plus_addressing), "on", 0, 1, NULL, NULL,
		"on if mail to name+anything@domain arrives too (most providers); off otherwise."},
	{"authentication-server", TEXT, AT(authentication_server), "", 0, 0, NULL, NULL,
		"The name that the mailbox's server puts first in Authentication-Results, as in mx.google.com: the "
		"referee is "
		"warned of mails that it doubts."},
	{"database", PATH, AT(database), "galloper.db", 0, 0, NULL, "Where things are kept",
		"The file with all games; everything else can be made again."},
	{"incoming", CHOICE, AT(incoming), "maildir", 0, 0, "maildir imap", "How orders arrive",
		"maildir: files in the folder below, no server needed; imap: a mailbox on a server."},
	{"maildir-in", PATH, AT(maildir_in), "mail/in", 0, 0, NULL, NULL, "The Maildir that orders arrive in."},
	{"imap-host", TEXT, AT(imap.host), "", 0, 0, NULL, NULL, "The mailbox's server."},
	{"imap-port", NUMBER, AT(imap.port), "993", 1, 65535, NULL, NULL, "993 with tls, 143 with starttls."},
	{"imap-security", CHOICE, AT(imap.security), "tls", 0, 0, "tls starttls", NULL,
		"How the connection is protected. There is no unprotected way."},
	{"imap-user", TEXT, AT(imap.user), "", 0, 0, NULL, NULL, "The account's user name."},
	{"imap-password", TEXT, AT(imap.password), "", 0, 0, NULL, NULL,
		"Its password; better in a file of its own, named below."},
	{"imap-password-file", PATH, AT(imap.password_file), "", 0, 0, NULL, NULL,
		"A file whose first line is the password, readable by you alone (chmod 600)."},
	{"imap-password-command", TEXT, AT(imap.password_command), "", 0, 0, NULL, NULL,
		"Or a command whose first line of output is the password, as in: \"pass show game\""},
	{"imap-token-command", TEXT, AT(imap.token_command), "", 0, 0, NULL, NULL,
		"Or one that prints an OAuth2 access token (Google, Microsoft); log-in is by XOAUTH2 then."},
	{"mailbox", TEXT, AT(mailbox), "INBOX", 0, 0, NULL, NULL,
		"A mailbox of the game's own. Mail that was there before is left alone."},
	{"processed-folder", TEXT, AT(processed_folder), "Processed", 0, 0, NULL, NULL,
		"Where mail goes that has been dealt with."},
	{"rejected-folder", TEXT, AT(rejected_folder), "Rejected", 0, 0, NULL, NULL,
		"Where mail goes that could not be read."},
	{"outgoing", CHOICE, AT(outgoing), "maildir", 0, 0, "maildir smtp", "How reports leave",
		"maildir: files in the folder below, one folder an address; smtp: through a server."},
	{"maildir-out", PATH, AT(maildir_out), "mail/out", 0, 0, NULL, NULL, "The folder that mails are put in."},
	{"smtp-host", TEXT, AT(smtp.host), "", 0, 0, NULL, NULL, "The server that sends."},
	{"smtp-port", NUMBER, AT(smtp.port), "465", 1, 65535, NULL, NULL, "465 with tls, 587 with starttls."},
	{"smtp-security", CHOICE, AT(smtp.security), "tls", 0, 0, "tls starttls", NULL, "As for imap-security."},
	{"smtp-user", TEXT, AT(smtp.user), "", 0, 0, NULL, NULL, "The account's user name."},
	{"smtp-password", TEXT, AT(smtp.password), "", 0, 0, NULL, NULL, "Its password, as for IMAP."},
	{"smtp-password-file", PATH, AT(smtp.password_file), "", 0, 0, NULL, NULL,
		"A file whose first line is the password."},
	{"smtp-password-command", TEXT, AT(smtp.password_command), "", 0, 0, NULL, NULL, "As for IMAP."},
	{"smtp-token-command", TEXT, AT(smtp.token_command), "", 0, 0, NULL, NULL, "As for IMAP."},
	{"ca-file", PATH, AT(ca_file), "", 0, 0, NULL, "The rest",
		"Certificates to trust instead of the system's; empty for the system's."},
	{"poll-seconds", NUMBER, AT(poll_seconds), "60", 1, 86400, NULL, NULL, "How often the daemon looks for mail."},
	{"network-seconds", NUMBER, AT(network_seconds), "60", 1, 600, NULL, NULL,
		"How long a server may take to answer."},
	{"answers-per-hour", NUMBER, AT(answers_per_hour), "10", 1, 1000, NULL, NULL,
		"Answers to one address in an hour, so that no two machines write to each other for ever."},
	{"forget-after", NUMBER, AT(forget_after), "180", 0, 3650, NULL, NULL,
		"How many days after the end of a game 'galloper purge' forgets its people."},
	{"log-level", CHOICE, AT(log_level), "info", 0, 0, "quiet warn info debug", NULL,
		"How much is written to the log."},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* The index of `word` among the blank-parted choices, or -1. */
static int choice_index(const char *choices, const char *word)
{
	size_t n = strlen(word);
	int index = 0;

	for (const char *p = choices; n > 0 && *p != '\0'; index++) {
		size_t len = strcspn(p, " ");

		if (len == n && memcmp(p, word, n) == 0)
			return index;
		p += len + strspn(p + len, " ");
	}
	return -1;
}

static const char *under_folder(TALLOC_CTX *mem, const char *folder, const char *path)
{
	return path[0] == '\0' || path[0] == '/' ? talloc_strdup(mem, path)
						 : talloc_asprintf(mem, "%s/%s", folder, path);
}

static struct err *set_value(struct config *c, const char *folder, const struct setting *s, const struct line *l)
{
	const char *word = l->words[1].text;
	void *at = (char *)c + s->offset;
	long number = 0;
	struct err *e;

	if (l->count > 2)
		return line_err(c, l, 2, "%s takes one value; put it in \"quotes\" if it has blanks", s->name);
	switch (s->type) {
	case TEXT:
		*(const char **)at = talloc_strdup(c, word);
		return NULL;
	case ADDRESS:
		if (!address_valid(word) && (word[0] != '\0' || s->initial[0] != '\0'))
			return line_err(c, l, 1, "%s is a mail address, such as game@your-school.example, not '%s'",
				s->name, word);
		*(const char **)at = talloc_strdup(c, word);
		return NULL;
	case PATH:
		*(const char **)at = under_folder(c, folder, word);
		return NULL;
	case NUMBER:
		e = line_int(c, l, 1, s->min, s->max, &number);
		*(int *)at = (int)number;
		return e;
	case FLAG:
		number = choice_index("off on", word);
		if (number < 0)
			return line_err(c, l, 1, "%s is on or off, not '%s'", s->name, word);
		*(bool *)at = number == 1;
		return NULL;
	case CHOICE:
		number = choice_index(s->choices, word);
		if (number < 0)
			return line_err(c, l, 1, "%s is one of: %s; not '%s'", s->name, s->choices, word);
		*(int *)at = (int)number;
		return NULL;
	}
	return NULL;
}

/* The defaults go through the same door as the file's own lines. */
static struct err *set_defaults(struct config *c, const char *folder)
{
	for (int i = 0; i < SETTINGS; i++) {
		struct word words[] = {{settings[i].name, 1, false}, {settings[i].initial, 1, true}};
		struct line l = {.file = "default", .raw = "", .words = words, .count = 2};
		struct err *e = set_value(c, folder, &settings[i], &l);

		if (e != NULL)
			return e;
	}
	return NULL;
}

/* The file as it is read: which settings stand in it, and where. */
struct reading {
	struct config *c;
	const char *folder;
	int line[SETTINGS]; /* 0: it does not stand there */
};

static int find_setting(const char *name)
{
	int i = 0;

	while (i < SETTINGS && strcmp(settings[i].name, name) != 0)
		i++;
	return i;
}

/* A value is wanted; "" is one only where the setting can be without. */
static struct err *check_given(struct reading *r, const struct setting *s, const struct line *l)
{
	bool optional = s->initial[0] == '\0';

	if (l->count > 1 && (l->words[1].text[0] != '\0' || optional))
		return NULL;
	if (optional)
		return line_err(r->c, l, 1, "%s has no value; write one behind it, or \"\" for none", s->name);
	return line_err(r->c, l, 1, "%s has no value; write one, as in: %s %s%s%s", s->name, s->name,
		strchr(s->initial, ' ') != NULL ? "\"" : "", s->initial, strchr(s->initial, ' ') != NULL ? "\"" : "");
}

static struct err *read_lines(struct reading *r, const char *text, size_t len)
{
	struct config *c = r->c;
	struct line_reader *reader = line_reader_new(c, c->path, text, len);
	const struct line *l;
	struct err *e;

	while ((e = line_next(c, reader, &l)) == NULL && l != NULL) {
		int i;

		if (l->count == 0)
			continue;
		i = find_setting(l->words[0].text);
		if (i == SETTINGS)
			return line_err(c, l, 0, "there is no setting '%s'", l->words[0].text);
		if (r->line[i] > 0)
			return line_err(c, l, 0, "%s stands here for the second time, after line %d", settings[i].name,
				r->line[i]);
		r->line[i] = l->number;
		e = check_given(r, &settings[i], l);
		if (e == NULL)
			e = set_value(c, r->folder, &settings[i], l);
		if (e != NULL)
			return e;
	}
	return e;
}

/* --- settings that need or exclude each other ----------------------------------------------------------------------
 */

static int line_of(const struct reading *r, const char *server, const char *rest)
{
	int i = find_setting(talloc_asprintf(r->c, "%s%s", server, rest));

	return i < SETTINGS ? r->line[i] : 0;
}

/* At that line of the file, or of all of it (0). */
static struct err *err_at_line(const struct reading *r, int line, const char *format, ...) PRINTF_LIKE(3, 4);

static struct err *err_at_line(const struct reading *r, int line, const char *format, ...)
{
	const char *where = line > 0 ? talloc_asprintf(r->c, "%s:%d", r->c->path, line) : r->c->path;
	va_list args;
	char *what;

	va_start(args, format);
	what = talloc_vasprintf(r->c, format, args);
	va_end(args);
	return err_new(r->c, ERR_PROCESS, false, where, "%s", what);
}

static struct err *check_private(const struct reading *r, int line, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && (st.st_mode & 077) != 0)
		return err_at_line(r, line,
			"other people on this machine can read %s, and it holds a password: chmod 600 it", path);
	return NULL;
}

static struct err *take_password(const struct reading *r, const char *server, struct server_config *s)
{
	int line = line_of(r, server, "-password-file");
	char *text;
	size_t len;
	struct err *e;

	if (s->password_file[0] == '\0')
		return s->password[0] == '\0' ? NULL : check_private(r, line_of(r, server, "-password"), r->c->path);
	if (s->password[0] != '\0')
		return err_at_line(r, line, "%s-password stands in line %d already: give one of the two only", server,
			line_of(r, server, "-password"));
	e = check_private(r, line, s->password_file);
	if (e != NULL)
		return e;
	e = file_read(r->c, s->password_file, PASSWORD_MAX, &text, &len);
	if (e != NULL)
		return err_at_line(r, line, "%s-password-file: %s; write the password into that file (chmod 600)",
			server, err_text(r->c, e));
	text[strcspn(text, "\r\n")] = '\0';
	if (text[0] == '\0')
		return err_at_line(r, line, "%s-password-file: the first line of %s is empty; write the password there",
			server, s->password_file);
	s->password = text;
	return NULL;
}

/* One way to log in, at most; *ways counts those there are. */
static struct err *check_ways(const struct reading *r, const char *server, const struct server_config *s, int *ways)
{
	static const char *const names[] = {"-password-command", "-token-command"};
	const char *const values[] = {s->password_command, s->token_command};

	*ways = s->password[0] != '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (values[i][0] != '\0' && ++*ways > 1)
			return err_at_line(r, line_of(r, server, names[i]),
				"%s%s stands beside another way to log in: give one of them only, of %s-password, "
				"%s-password-file, %s-password-command and %s-token-command",
				server, names[i], server, server, server, server);
	return NULL;
}

/* `chosen` is the setting whose value makes the server needed: "incoming imap". A mailbox always wants a log-in; some
 * servers send without. */
static struct err *check_server(
	const struct reading *r, const char *server, const struct server_config *s, const char *chosen, bool log_in)
{
	int ways, line = line_of(r, chosen, "");
	struct err *e = check_ways(r, server, s, &ways);

	if (e != NULL)
		return e;
	if (s->host[0] == '\0')
		return err_at_line(r, line,
			"%s %s needs %s-host, the name of the server, as in: %s-host mail.example.org", chosen, server,
			server, server);
	if (s->user[0] == '\0' && (log_in || ways > 0))
		return err_at_line(r, line, "%s %s needs %s-user, the account's user name", chosen, server, server);
	if (s->user[0] != '\0' && ways == 0)
		return err_at_line(r, line,
			"%s %s needs a password for %s-user: write it into a file (chmod 600) and name that, as in: "
			"%s-password-file %s.secret",
			chosen, server, server, server, server);
	if (strpbrk(s->user, "\r\n") != NULL || strpbrk(s->password, "\r\n") != NULL)
		return err_at_line(r, line, "%s-user and its password must be one line each", server);
	return NULL;
}

static struct err *check_whole(const struct reading *r)
{
	struct config *c = r->c;
	struct err *e = take_password(r, "imap", &c->imap);

	if (e == NULL)
		e = take_password(r, "smtp", &c->smtp);
	if (e == NULL && c->incoming == TRANSPORT_SERVER)
		e = check_server(r, "imap", &c->imap, "incoming", true);
	if (e == NULL && c->outgoing == TRANSPORT_SERVER)
		e = check_server(r, "smtp", &c->smtp, "outgoing", false);
	return e;
}

struct err *config_read(TALLOC_CTX *mem, const char *path, struct config **out)
{
	struct config *c = talloc_zero(mem, struct config);
	const char *slash = strrchr(path, '/');
	struct reading r = {.c = c, .folder = slash == NULL ? "." : talloc_strndup(c, path, (size_t)(slash - path))};
	char *text;
	size_t len;
	struct err *e;

	c->path = talloc_strdup(c, path);
	if (access(path, F_OK) != 0 && errno == ENOENT)
		e = err_new(c, ERR_PROCESS, false, path,
			"there is no such file. Go to the folder that 'galloper init' made, or name the file with -c");
	else
		e = file_read(c, path, CONFIG_MAX, &text, &len);
	if (e == NULL)
		e = set_defaults(c, r.folder);
	if (e == NULL)
		e = read_lines(&r, text, len);
	if (e == NULL)
		e = check_whole(&r);
	if (e != NULL) {
		talloc_steal(mem, e);
		talloc_free(c);
		return e;
	}
	*out = c;
	return NULL;
}

char *config_sample(TALLOC_CTX *mem, const char *address, const char *operator_address)
{
	struct buf *b = buf_new(mem);

	buf_adds(b, "# Galloper's settings. A line is a name and a value; # begins a remark.\n"
		    "# Lines that begin with # show the value in force when nothing is said.\n");
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];
		const char *value = s->initial;
		bool given = false;

		if (s->offset == AT(address) || s->offset == AT(operator_address)) {
			value = s->offset == AT(address) ? address : operator_address;
			given = value[0] != '\0';
		}
		if (s->heading != NULL)
			buf_printf(b, "\n# --- %s ---\n", s->heading);
		buf_printf(b,
			value[0] == '\0' || strpbrk(value, " #") != NULL ? "# %s\n%s%-18s \"%s\"\n"
									 : "# %s\n%s%-18s %s\n",
			s->help, given ? "" : "#", s->name, value);
	}
	return buf_finish(mem, b);
}
