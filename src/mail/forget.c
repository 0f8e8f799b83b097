#include "mail/forget.h"

#include "base/address.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const parts[] = {"new", "cur", "tmp"};

enum { PARTS = sizeof parts / sizeof *parts, HEADER_MAX = 64 * 1024 };

/* Is this one of the mails to be removed? */
typedef bool (*wanted)(const void *context, int folder, const char *name);

static struct err *failed(TALLOC_CTX *mem, const char *path)
{
	return err_errno(mem, errno, path, "a mail of somebody who is to be forgotten cannot be removed");
}

/* One of a Maildir's parts, which need not be there. */
static struct err *forget_in_part(TALLOC_CTX *mem, const char *path, wanted is_wanted, const void *context)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = folder < 0 ? NULL : fdopendir(folder);
	const struct dirent *entry;
	struct err *e = NULL;

	if (dir == NULL && folder >= 0)
		close(folder);
	if (dir == NULL)
		return errno == ENOENT || errno == ENOTDIR ? NULL : failed(mem, path);
	while (e == NULL && (entry = readdir(dir)) != NULL) {
		struct stat st;

		if (fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) ||
			!is_wanted(context, folder, entry->d_name))
			continue;
		if (unlinkat(folder, entry->d_name, 0) < 0 && errno != ENOENT)
			e = failed(mem, path);
	}
	fsync(folder);
	closedir(dir);
	return e;
}

static struct err *forget_in(TALLOC_CTX *mem, const char *maildir, wanted is_wanted, const void *context)
{
	struct err *e = NULL;

	for (int i = 0; e == NULL && i < PARTS; i++)
		e = forget_in_part(mem, talloc_asprintf(mem, "%s/%s", maildir, parts[i]), is_wanted, context);
	return e;
}

/* --- what came in ------------------------------------------------------------------------------------------------- */

struct uids {
	const char **list; /* sorted */
	int count;
};

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* A file's name is its uid, and flags behind a colon. */
static bool has_uid(const void *context, int folder, const char *name)
{
	const struct uids *uids = context;
	char uid[256]; /* NAME_MAX + 1 */
	const char *key = uid;
	size_t n = strcspn(name, ":");

	(void)folder;
	if (n >= sizeof uid)
		return false;
	memcpy(uid, name, n);
	uid[n] = '\0';
	return bsearch(&key, uids->list, (size_t)uids->count, sizeof *uids->list, by_text) != NULL;
}

struct err *forget_taken(TALLOC_CTX *mem, const struct source_settings *s, const char *const *uids, int count)
{
	const char *const filed[] = {s->processed, s->rejected};
	struct uids sorted = {talloc_array(mem, const char *, (unsigned)count + 1), count};
	struct err *e;

	for (int i = 0; i < count; i++)
		sorted.list[i] = uids[i];
	qsort(sorted.list, (size_t)count, sizeof *sorted.list, by_text);
	e = forget_in(mem, s->folder, has_uid, &sorted);
	for (int i = 0; e == NULL && i < 2; i++)
		e = forget_in(mem, talloc_asprintf(mem, "%s/.%s", s->folder, filed[i]), has_uid, &sorted);
	return e;
}

/* --- what went out ------------------------------------------------------------------------------------------------ */

struct ids {
	const struct forget_sent *list; /* of one recipient */
	int count;
};

/* The Message-ID of a mail as we write it; "" if none is found in its first bytes. */
static void read_message_id(int folder, const char *name, char *out, size_t room)
{
	static const char field[] = "\nMessage-ID:";
	char *header = talloc_array(NULL, char, HEADER_MAX + 2), *end;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, header + 1, HEADER_MAX);
	const char *at;
	size_t len;

	if (fd >= 0)
		close(fd);
	header[0] = '\n';
	header[n > 0 ? n + 1 : 1] = '\0';
	end = strstr(header, "\n\n");
	if (end != NULL)
		*end = '\0';
	at = strcasestr(header, field);
	at = at == NULL ? "" : at + sizeof field - 1;
	at += strspn(at, " \t\r\n");
	len = strcspn(at, " \t\r\n");
	out[0] = '\0';
	if (len < room) {
		memcpy(out, at, len);
		out[len] = '\0';
	}
	talloc_free(header);
}

static bool has_id(const void *context, int folder, const char *name)
{
	const struct ids *ids = context;
	char id[1024];

	read_message_id(folder, name, id, sizeof id);
	for (int i = 0; id[0] != '\0' && i < ids->count; i++)
		if (strcmp(ids->list[i].message_id, id) == 0)
			return true;
	return false;
}

/* Its parts and the folder, if nothing is left in them. */
static void remove_empty(TALLOC_CTX *mem, const char *maildir)
{
	for (int i = 0; i < PARTS; i++)
		rmdir(talloc_asprintf(mem, "%s/%s", maildir, parts[i]));
	rmdir(maildir);
}

static int by_recipient(const void *left, const void *right)
{
	return strcasecmp(
		((const struct forget_sent *)left)->recipient, ((const struct forget_sent *)right)->recipient);
}

struct err *forget_sent(TALLOC_CTX *mem, const struct sink_settings *s, const struct forget_sent *sent, int count)
{
	struct forget_sent *sorted = talloc_array(mem, struct forget_sent, (unsigned)count + 1);
	struct err *e = NULL;

	for (int i = 0; i < count; i++)
		sorted[i] = sent[i];
	qsort(sorted, (size_t)count, sizeof *sorted, by_recipient);
	for (int from = 0, to; e == NULL && from < count; from = to) {
		struct ids ids = {&sorted[from], 0};
		char *maildir = talloc_asprintf(mem, "%s/%s", s->folder, sorted[from].recipient);

		for (to = from; to < count && strcasecmp(sorted[to].recipient, sorted[from].recipient) == 0; to++)
			ids.count++;
		if (!address_valid(sorted[from].recipient))
			continue;
		for (char *p = maildir + strlen(s->folder); *p != '\0'; p++)
			*p = (char)tolower((unsigned char)*p);
		e = forget_in(mem, maildir, has_id, &ids);
		if (e == NULL)
			remove_empty(mem, maildir);
	}
	return e;
}
