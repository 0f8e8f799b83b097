/* A Maildir as a mailbox (https://cr.yp.to/proto/maildir.html): mails lie in new/ and cur/, one a file; filing one is a
 * rename into the folder .NAME beside them (Maildir++). */
#include "base/file.h"
#include "mail/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, MAILDIR_VALIDITY = 1, SCANS_MAX = 16 };

/* A mail's file as it was named when the folders were last looked through. */
struct file {
	const char *uid; /* the unique name */
	const char *path;
};

struct maildir {
	struct source source;
	const struct source_settings *settings;
	struct file *files; /* by uid */
	int count;
	int scans_left; /* names that change under us cost one each; a mail not found after the last is for later */
};

static const char *const halves[] = {"new", "cur"};

static struct err *account_errno(TALLOC_CTX *mem, int number, const char *where, const char *what)
{
	return err_new(mem, ERR_ACCOUNT, true, where, "%s: %s", what, strerror(number));
}

static struct err *make_maildir(TALLOC_CTX *mem, const char *folder)
{
	static const char *const all[] = {"tmp", "new", "cur"};
	struct err *e = NULL;

	for (size_t i = 0; i < sizeof all / sizeof *all && e == NULL; i++)
		e = file_make_folder(mem, talloc_asprintf(mem, "%s/%s", folder, all[i]), FOLDER_MODE);
	if (e)
		e->scope = ERR_ACCOUNT;
	return e;
}

static struct err *open_maildir(TALLOC_CTX *mem, const struct source_settings *settings, struct source **out)
{
	struct err *e = make_maildir(mem, settings->folder);
	struct maildir *m;

	if (e)
		return e;
	m = talloc_zero(mem, struct maildir);
	m->source.kind = &maildir_source;
	m->settings = settings;
	*out = &m->source;
	return NULL;
}

/* The file's flags follow ":2,"; the unique name stands before. T marks a mail as deleted. */
static bool is_deleted(const char *name)
{
	const char *flags = strstr(name, ":2,");

	return flags && strchr(flags, 'T');
}

static int by_uid(const void *left, const void *right)
{
	return strcmp(((const struct file *)left)->uid, ((const struct file *)right)->uid);
}

static struct err *scan_half(struct maildir *m, TALLOC_CTX *mem, const char *half)
{
	char *folder = talloc_asprintf(mem, "%s/%s", m->settings->folder, half);
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (dir == NULL)
		return account_errno(mem, errno, folder, "the mailbox cannot be read");
	while ((entry = readdir(dir)) != NULL) {
		if (*entry->d_name == '.')
			continue;
		if ((m->count & (m->count - 1)) == 0)
			m->files = talloc_realloc(m, m->files, struct file, m->count ? 2 * (unsigned)m->count : 1);
		m->files[m->count++] = (struct file){
			.uid = talloc_strndup(m->files, entry->d_name, strcspn(entry->d_name, ":")),
			.path = talloc_asprintf(m->files, "%s/%s", folder, entry->d_name),
		};
	}
	closedir(dir);
	return NULL;
}

static struct err *scan(struct maildir *m, TALLOC_CTX *mem)
{
	struct err *e = NULL;

	TALLOC_FREE(m->files);
	m->count = 0;
	for (size_t i = 0; i < sizeof halves / sizeof *halves && e == NULL; i++)
		e = scan_half(m, mem, halves[i]);
	if (m->count > 0)
		qsort(m->files, (size_t)m->count, sizeof *m->files, by_uid);
	return e;
}

static int in_order(const void *left, const void *right)
{
	const struct source_item *a = left, *b = right;

	if (a->arrived != b->arrived)
		return a->arrived < b->arrived ? -1 : 1;
	return strcmp(a->uid, b->uid);
}

static struct err *list_maildir(struct source *s, TALLOC_CTX *mem, struct source_list *out)
{
	struct maildir *m = (struct maildir *)s;
	struct err *e = scan(m, mem);

	*out = (struct source_list){.complete = true};
	out->items = talloc_zero_array(mem, struct source_item, (unsigned)m->count + 1);
	for (int i = 0; i < m->count && e == NULL; i++) {
		const struct file *f = &m->files[i];
		struct stat st;

		if (is_deleted(strrchr(f->path, '/')) || stat(f->path, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		out->items[out->count++] = (struct source_item){
			.validity = MAILDIR_VALIDITY,
			.uid = talloc_strdup(out->items, f->uid),
			.arrived = st.st_mtime,
			.size = st.st_size,
		};
	}
	if (out->count > 0)
		qsort(out->items, (size_t)out->count, sizeof *out->items, in_order);
	if (out->count > SOURCE_LIST_MAX) {
		out->items += out->count - SOURCE_LIST_MAX;
		out->count = SOURCE_LIST_MAX;
		out->complete = false;
	}
	return e;
}

static const char *look_up(const struct maildir *m, const char *uid)
{
	const struct file wanted = {.uid = uid};
	const struct file *found =
		m->count == 0 ? NULL : bsearch(&wanted, m->files, (size_t)m->count, sizeof wanted, by_uid);

	return found != NULL && access(found->path, F_OK) == 0 ? found->path : NULL;
}

/* The mail's file as it is named now, since another program may change flags and halves; NULL if it is gone. It is
 * good until the next call. */
static const char *find(struct maildir *m, TALLOC_CTX *mem, const char *uid)
{
	const char *path = look_up(m, uid);

	if (path != NULL || m->scans_left == 0)
		return path;
	m->scans_left--;
	return scan(m, mem) == NULL ? look_up(m, uid) : NULL;
}

/* The header of a mail that is too large, with the field that says so before it. */
static struct err *read_header(TALLOC_CTX *mem, const char *path, int64_t size, char **raw, size_t *len)
{
	enum { HEADER_MAX = 64 * 1024 };
	char *text = talloc_asprintf(mem, "X-Galloper-Too-Large: %lld\n", (long long)size), *end;
	size_t said = strlen(text);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return account_errno(mem, errno, path, "a mail cannot be read");
	text = talloc_realloc(mem, text, char, (unsigned)said + HEADER_MAX + 1);
	n = read(fd, text + said, HEADER_MAX);
	close(fd);
	if (n < 0)
		return account_errno(mem, errno, path, "a mail cannot be read");
	text[said + (size_t)n] = '\0';
	end = strstr(text, "\n\n");
	if (end == NULL)
		end = strstr(text, "\n\r\n");
	*raw = text;
	*len = end ? (size_t)(end + 1 - text) : said + (size_t)n;
	return NULL;
}

static struct err *fetch_one(struct maildir *m, TALLOC_CTX *mem, const struct source_item *item, source_take take,
	void *context, int *missed)
{
	const char *path = find(m, mem, item->uid);
	char *raw = NULL;
	struct stat st;
	struct err *e;
	size_t len = 0;

	if (path == NULL || stat(path, &st) < 0) {
		(*missed)++;
		return NULL;
	}
	if (st.st_size > SOURCE_MAIL_MAX)
		e = read_header(mem, path, st.st_size, &raw, &len);
	else
		e = file_read(mem, path, SOURCE_MAIL_MAX, &raw, &len);
	if (e) {
		e->scope = ERR_ACCOUNT;
		e->retry = true;
		return e;
	}
	return take(context, mem, item, raw, len);
}

static struct err *fetch_maildir(struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count,
	source_take take, void *context, int *missed)
{
	struct maildir *m = (struct maildir *)s;

	*missed = 0;
	m->scans_left = SCANS_MAX;
	for (int i = 0; i < count; i++) {
		TALLOC_CTX *mail = talloc_new(mem);
		struct err *e;

		if (m->settings->stop != NULL && *m->settings->stop != 0) {
			*missed += count - i;
			break;
		}
		e = fetch_one(m, mail, &items[i], take, context, missed);

		if (e)
			return talloc_steal(mem, e);
		talloc_free(mail);
	}
	return NULL;
}

static struct err *file_maildir(
	struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count, enum source_folder folder)
{
	struct maildir *m = (struct maildir *)s;
	const char *name = folder == SOURCE_PROCESSED ? m->settings->processed : m->settings->rejected;
	char *target = talloc_asprintf(mem, "%s/.%s", m->settings->folder, name);
	struct err *e = make_maildir(mem, target);

	m->scans_left = SCANS_MAX;
	for (int i = 0; i < count && e == NULL; i++) {
		const char *path = find(m, mem, items[i].uid), *to;

		if (path == NULL)
			continue;
		to = talloc_asprintf(target, "%s/cur/%s:2,S", target, items[i].uid);
		if (rename(path, to) < 0 && errno != ENOENT)
			e = account_errno(mem, errno, to, "a mail cannot be moved");
	}
	return e;
}

const struct source_kind maildir_source = {
	.name = "maildir",
	.open = open_maildir,
	.list = list_maildir,
	.fetch = fetch_maildir,
	.file = file_maildir,
};
