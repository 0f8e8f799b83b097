#include "service/doctor.h"

#include "base/file.h"
#include "service/account.h"
#include "service/battles.h"
#include "service/drill.h"
#include "service/lease.h"
#include "store/backup.h"
#include "store/games.h"

#include <dirent.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MEGABYTE = 1024 * 1024, DISK_LOW_MEGABYTES = 200, POLL_LATE_SECONDS = 900 };

/* --- findings ------------------------------------------------------------------------------------------------------
 */

void doctor_fine(struct doctor *d, TALLOC_CTX *mem, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	d->say(d->context, FINDING_FINE, talloc_vasprintf(mem, format, args), "");
	va_end(args);
}

void doctor_advise(struct doctor *d, const char *seen, const char *advice)
{
	d->advices++;
	d->say(d->context, FINDING_ADVICE, seen, advice);
}

void doctor_fault(struct doctor *d, const char *seen, const char *advice)
{
	d->faults++;
	d->say(d->context, FINDING_FAULT, seen, advice);
}

/* --- files ---------------------------------------------------------------------------------------------------------
 */

static bool others_may(const char *path, mode_t *mode)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	*mode = st.st_mode & 0777;
	return (st.st_mode & 077) != 0;
}

static void check_private(struct doctor *d, TALLOC_CTX *mem, const char *path, const char *holds)
{
	mode_t mode;

	if (others_may(path, &mode))
		doctor_fault(d,
			talloc_asprintf(
				mem, "%s can be opened by other people on this machine (mode %03o)", path, mode),
			talloc_asprintf(mem, "It holds %s. Type: chmod go= '%s'", holds, path));
}

static char *folder_of(TALLOC_CTX *mem, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? talloc_strdup(mem, ".")
			     : talloc_strndup(mem, path, slash == path ? 1 : (size_t)(slash - path));
}

static void check_disk(struct doctor *d, TALLOC_CTX *mem, const char *database)
{
	char *folder = folder_of(mem, database);
	struct statvfs fs;
	long long free_megabytes;

	if (access(folder, W_OK | X_OK) != 0)
		doctor_fault(d, talloc_asprintf(mem, "the folder %s may not be written to", folder),
			"SQLite writes beside the database too. Give the folder to the user that runs Galloper "
			"(chown).");
	if (statvfs(folder, &fs) != 0)
		return;
	free_megabytes = (long long)((double)fs.f_bavail * (double)fs.f_frsize / MEGABYTE);
	if (free_megabytes < DISK_LOW_MEGABYTES)
		doctor_fault(d,
			talloc_asprintf(mem, "only %lld MB are free on the disk of the database", free_megabytes),
			"When it is full no mail can be taken in. Delete what is not needed, or move the database.");
	else
		doctor_fine(d, mem, "%lld MB are free on the disk of the database", free_megabytes);
}

/* --- data ----------------------------------------------------------------------------------------------------------
 */

/* The battles that lie among the data files, each read as a game would. */
static void check_battles(struct doctor *d, TALLOC_CTX *mem, const char *data)
{
	DIR *folder = opendir(talloc_asprintf(mem, "%s/db/battles", data));
	int read = 0;

	for (struct dirent *f; folder != NULL && (f = readdir(folder)) != NULL;) {
		size_t n = strlen(f->d_name);
		struct scenario *sc;
		const struct ruleset *rules;
		struct chronicle *words;
		struct err *e;

		if (n < 8 || strcmp(f->d_name + n - 7, ".battle") != 0)
			continue;
		e = battle_load(mem, talloc_asprintf(mem, "%s/db/battles/%s", data, f->d_name), NULL, &sc, &rules);
		if (e == NULL)
			e = battle_words(mem, rules, &words);
		if (e != NULL)
			doctor_fault(d, err_text(mem, e), "Mend that line, or put the file back as it was delivered.");
		else
			read++;
	}
	if (folder != NULL)
		closedir(folder);
	if (read == 0)
		doctor_fault(d, "no battle can be read", "Install Galloper again: make install");
	else
		doctor_fine(d, mem, "%d battles and their rules can be read", read);
}

static void check_data(struct doctor *d, TALLOC_CTX *mem)
{
	static const char *const letters[] = {"welcome", "receipt", "reminder", "report", "debrief", "answer", "notice",
		"review", "amended", "preview", "failure", "help", "orders", NULL};
	struct err *e;
	char *data, *text;
	size_t len;
	bool whole = true;

	e = data_folder(mem, &data);
	if (e != NULL) {
		doctor_fault(d, err_text(mem, e), "Install Galloper again: make install");
		return;
	}
	for (const char *const *l = letters; *l != NULL; l++) {
		e = data_read(mem, talloc_asprintf(mem, "templates/%s.txt", *l), &text, &len);
		if (e != NULL) {
			doctor_fault(d, err_text(mem, e),
				"Put the file back: mails of this kind cannot be written without it.");
			whole = false;
		}
	}
	if (whole)
		doctor_fine(d, mem, "the templates are there, in %s", data);
	check_battles(d, mem, data);
}

/* --- the database and what it says ---------------------------------------------------------------------------------
 */

static bool check_database(struct doctor *d, TALLOC_CTX *mem, const struct config *c, struct service **out)
{
	const char *const *migrations;
	struct err *e = NULL;

	if (access(c->database, F_OK) != 0) {
		doctor_fault(d, talloc_asprintf(mem, "there is no database %s", c->database),
			"'galloper init' makes one; or the line 'database' in the configuration names the wrong file.");
		return false;
	}
	check_private(d, mem, c->database, "the pupils' addresses and mails");
	e = service_open(mem, c, false, &d->clock, d->log, out);
	if (e == NULL)
		e = store_migrations(mem, &migrations);
	if (e == NULL)
		e = store_check(mem, c->database, migrations);
	if (e != NULL) {
		doctor_fault(d, err_text(mem, e),
			"If it is damaged, stop the daemon and put the last backup back: galloper restore FILE");
		return false;
	}
	doctor_fine(d, mem, "the database %s is whole", c->database);
	return true;
}

static void check_games(struct doctor *d, TALLOC_CTX *mem, const struct service *s)
{
	struct games games = {0};
	int running = 0, drills = 0;
	struct err *e = store_games(s->store, mem, &games);

	for (int i = 0; e == NULL && i < games.count; i++) {
		const struct game *g = &games.list[i];

		drills += is_drill(g);
		if (is_drill(g) || strcmp(g->status, "running") != 0)
			continue;
		running++;
		if (!clock_zone_known(g->zone))
			doctor_fault(d,
				talloc_asprintf(
					mem, "game %s: this machine does not know the time zone %s", g->name, g->zone),
				"Install the package tzdata.");
	}
	if (e != NULL)
		doctor_fault(d, err_text(mem, e), "See above for the database.");
	else
		doctor_fine(d, mem, "%d of %d games are running", running, games.count - drills);
}

/* Does anything make the passes? */
static void check_polling(struct doctor *d, TALLOC_CTX *mem, const struct service *s)
{
	int64_t now = clock_now(&d->clock);
	struct account *account;
	struct lease_row held;
	struct err *e = store_lease_held(s->store, mem, "daemon", &held);

	if (e == NULL)
		e = account_load(s, mem, &account);
	if (e != NULL)
		doctor_fault(d, err_text(mem, e), "See above for the database.");
	else if ((held.owner != NULL && lease_owner_lives(held.owner)) || now - account->complete < POLL_LATE_SECONDS)
		doctor_fine(d, mem, "the mailbox is being polled");
	else
		doctor_advise(d, "nothing has read the mailbox in the last quarter of an hour",
			"Start the daemon (systemctl enable --now galloperd), or put cron/galloper.cron to use: the "
			"README's step \"Let it run\".");
}

static void check_clock(struct doctor *d, TALLOC_CTX *mem)
{
	static const int64_t written = 1788000000; /* when this was written: no clock that is right shows less */
	int64_t now = clock_now(&d->clock);

	if (now < written)
		doctor_fault(d, talloc_asprintf(mem, "the clock says %s", clock_text(mem, now, "UTC")),
			"That is long past. Set it: deadlines go by it. (timedatectl set-ntp true)");
	else
		doctor_fine(d, mem, "the clock says %s (UTC)", clock_text(mem, now, "UTC"));
	if (!clock_zone_known("Europe/London"))
		doctor_fault(d, "this machine knows no time zones", "Install the package tzdata.");
}

void doctor_examine(struct doctor *d, TALLOC_CTX *mem, const char *config_path)
{
	struct config *config;
	struct service *s;
	struct err *e = config_read(mem, config_path, &config);

	check_clock(d, mem);
	check_data(d, mem);
	if (e != NULL) {
		doctor_fault(d, err_text(mem, e),
			"Mend that, and call the doctor again: the rest hangs on it. (Where there is no configuration "
			"yet, "
			"'galloper init' makes one.)");
		return;
	}
	doctor_fine(d, mem, "the configuration %s can be read", config_path);
	if (config->operator_address[0] == '\0')
		doctor_advise(d, "the setting 'operator' is empty",
			"Put your own address there: it is told when mail cannot be read or sent.");
	check_disk(d, mem, config->database);
	if (!check_database(d, mem, config, &s))
		return;
	check_games(d, mem, s);
	doctor_mail(d, mem, s);
	check_polling(d, mem, s);
}
