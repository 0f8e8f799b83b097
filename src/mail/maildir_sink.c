/* A folder of Maildirs, one a recipient (https://cr.yp.to/proto/maildir.html): FOLDER/ADDRESS/{tmp,new,cur}. A mail is
 * written to tmp/, synced, and renamed into new/, so that whoever looks there sees whole mails only. */
#include "base/address.h"
#include "base/buf.h"
#include "base/file.h"
#include "mail/sink.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, MAIL_MODE = 0600 };

struct maildir {
	struct sink sink;
	const char *folder;
	unsigned long written; /* the part of a file's name that differs within one second of one process */
};

static struct err *open_maildir(TALLOC_CTX *mem, const struct sink_settings *settings, struct sink **out)
{
	struct maildir *d;
	struct err *e = file_make_folder(mem, settings->folder, FOLDER_MODE);

	if (e != NULL)
		return e;
	d = talloc_zero(mem, struct maildir);
	d->sink.kind = &maildir_sink;
	d->folder = talloc_strdup(d, settings->folder);
	*out = &d->sink;
	return NULL;
}

/* The recipient's Maildir, made when missing; on `mem`. */
static struct err *make_maildir(TALLOC_CTX *mem, const struct maildir *d, const char *to, char **out)
{
	static const char *const parts[] = {"tmp", "new", "cur"};
	char *path = talloc_asprintf(mem, "%s/%s", d->folder, to);

	for (char *p = path + strlen(d->folder); *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct err *e = file_make_folder(mem, talloc_asprintf(path, "%s/%s", path, parts[i]), FOLDER_MODE);

		if (e != NULL)
			return e;
	}
	*out = path;
	return NULL;
}

/* Files on this system end their lines in LF. */
static struct buf *local_lines(TALLOC_CTX *mem, const char *bytes, size_t len)
{
	struct buf *b = buf_new(mem);

	while (len > 0) {
		const char *end = memmem(bytes, len, "\r\n", 2);
		size_t line = end == NULL ? len : (size_t)(end - bytes);
		size_t whole = end == NULL ? line : line + 2;

		buf_add(b, bytes, line);
		if (end != NULL)
			buf_addc(b, '\n');
		bytes += whole;
		len -= whole;
	}
	return b;
}

/* A name that no other delivery has: time, process, count and host, as the Maildir page has it. The wall clock serves
 * for difference only, so a fixed clock of ours does not come into it. */
static char *unique_name(TALLOC_CTX *mem, struct maildir *d)
{
	struct timespec now;
	char host[256] = "localhost";

	clock_gettime(CLOCK_REALTIME, &now);
	if (gethostname(host, sizeof host - 1) != 0 || strpbrk(host, "/:") != NULL)
		strcpy(host, "localhost");
	return talloc_asprintf(mem, "%lld.M%06ldP%ldQ%lu.%s", (long long)now.tv_sec, now.tv_nsec / 1000, (long)getpid(),
		++d->written, host);
}

static struct err *deliver(TALLOC_CTX *mem, struct maildir *d, const struct sink_message *m)
{
	char *path, *name, *tmp, *new;
	struct buf *b = local_lines(mem, m->bytes, m->len);
	struct err *e = make_maildir(mem, d, m->to, &path);

	if (e != NULL)
		return e;
	name = unique_name(mem, d);
	tmp = talloc_asprintf(mem, "%s/tmp/%s", path, name);
	new = talloc_asprintf(mem, "%s/new/%s", path, name);
	e = file_write(mem, tmp, b->data, b->len, MAIL_MODE);
	if (e == NULL && rename(tmp, new) != 0)
		e = err_errno(mem, errno, new, "cannot put a mail here");
	if (e == NULL)
		file_sync_folder_of(mem, new);
	else
		unlink(tmp);
	return e;
}

static void send_to_maildir(struct sink *sink, TALLOC_CTX *mem, const struct sink_message *m, struct sink_result *out)
{
	struct maildir *d = talloc_get_type_abort(sink, struct maildir);
	TALLOC_CTX *work = talloc_new(mem);
	struct err *e;

	*out = (struct sink_result){.outcome = SINK_SENT};
	if (!address_valid(m->to)) {
		out->outcome = SINK_REFUSED;
		out->text = talloc_strdup(mem, "this is no address that mail can be sent to");
		talloc_free(work);
		return;
	}
	e = deliver(work, d, m);
	if (e != NULL) {
		out->outcome = e->retry ? SINK_LATER : SINK_ACCOUNT;
		out->stop = true;
	}
	out->text = e == NULL ? talloc_strdup(mem, "put in its Maildir") : talloc_strdup(mem, err_text(work, e));
	talloc_free(work);
}

const struct sink_kind maildir_sink = {"maildir", open_maildir, send_to_maildir};
