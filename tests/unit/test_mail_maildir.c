/* A Maildir as the place that mails come from: order of arrival, names that change, filing, and large mails. */
#include "base/file.h"
#include "mail/source.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

struct box {
	TALLOC_CTX *mem;
	char *folder;
	struct source_settings settings;
	struct source *source;
};

static struct box *open_box(void)
{
	struct box *b = talloc_zero(NULL, struct box);
	char name[] = "/tmp/test_mail_maildir.XXXXXX";

	assert_non_null(mkdtemp(name));
	b->mem = b;
	b->folder = talloc_strdup(b->mem, name);
	b->settings = (struct source_settings){
		.folder = b->folder, .processed = "Processed", .rejected = "Rejected", .network_seconds = 1};
	assert_null(maildir_source.open(b->mem, &b->settings, &b->source));
	return b;
}

static void close_box(struct box *b)
{
	char *command = talloc_asprintf(b->mem, "rm -rf %s", b->folder);

	assert_int_equal(system(command), 0);
	talloc_free(b->mem);
}

static void deliver(struct box *b, const char *name, const char *text, int64_t arrived)
{
	char *path = talloc_asprintf(b->mem, "%s/%s", b->folder, name);
	struct timespec times[2] = {{.tv_sec = arrived}, {.tv_sec = arrived}};

	assert_null(file_write(b->mem, path, text, strlen(text), 0600));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct err *join(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	char **all = context;

	(void)mem;
	*all = talloc_asprintf_append(*all, "%s=%.*s;", item->uid, (int)len, raw);
	return NULL;
}

static void lists_and_fetches_by_arrival(void **state)
{
	struct box *b = open_box();
	struct source_list list;
	char *all = talloc_strdup(b->mem, "");
	int missed;

	(void)state;
	deliver(b, "new/30.x.host", "third", 3000);
	deliver(b, "cur/10.x.host:2,S", "second", 2000);
	deliver(b, "new/20.x.host", "first", 1000);
	deliver(b, "cur/40.x.host:2,ST", "deleted", 500);
	deliver(b, "new/.hidden", "no mail", 500);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_int_equal(list.count, 3);
	assert_true(list.complete);
	assert_int_equal(list.items[0].arrived, 1000);
	assert_int_equal(list.items[0].validity, 1);
	/* Another program looks at it meanwhile: the flags change, the mail stays the same. */
	assert_int_equal(rename(talloc_asprintf(b->mem, "%s/new/20.x.host", b->folder),
				 talloc_asprintf(b->mem, "%s/cur/20.x.host:2,RS", b->folder)),
		0);
	assert_null(b->source->kind->fetch(b->source, b->mem, list.items, list.count, join, &all, &missed));
	assert_string_equal(all, "20.x.host=first;10.x.host=second;30.x.host=third;");
	assert_int_equal(missed, 0);
	close_box(b);
}

static void files_once_and_for_all(void **state)
{
	struct box *b = open_box();
	struct source_list list;
	char *all = talloc_strdup(b->mem, "");
	int missed;

	(void)state;
	deliver(b, "new/1.a", "one", 1000);
	deliver(b, "cur/2.a:2,", "two", 2000);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_null(b->source->kind->file(b->source, b->mem, list.items, 1, SOURCE_PROCESSED));
	assert_null(b->source->kind->file(b->source, b->mem, list.items + 1, 1, SOURCE_REJECTED));
	assert_null(b->source->kind->file(b->source, b->mem, list.items, 2, SOURCE_REJECTED)); /* gone already */
	assert_int_equal(access(talloc_asprintf(b->mem, "%s/.Processed/cur/1.a:2,S", b->folder), F_OK), 0);
	assert_int_equal(access(talloc_asprintf(b->mem, "%s/.Rejected/cur/2.a:2,S", b->folder), F_OK), 0);
	assert_null(b->source->kind->fetch(b->source, b->mem, list.items, 2, join, &all, &missed));
	assert_string_equal(all, "");
	assert_int_equal(missed, 2);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_int_equal(list.count, 0);
	close_box(b);
}

static void gives_the_header_of_a_large_mail(void **state)
{
	struct box *b = open_box();
	char *large = talloc_array(b->mem, char, SOURCE_MAIL_MAX + 2), *all = talloc_strdup(b->mem, "");
	const char *header = "From: carol@school.test\nSubject: photo\n\n";
	struct source_list list;
	int missed;

	(void)state;
	memset(large, 'x', SOURCE_MAIL_MAX + 1);
	large[SOURCE_MAIL_MAX + 1] = '\0';
	memcpy(large, header, strlen(header));
	deliver(b, "new/1.a", large, 1000);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_null(b->source->kind->fetch(b->source, b->mem, list.items, 1, join, &all, &missed));
	assert_string_equal(all, "1.a=X-Galloper-Too-Large: 6291457\nFrom: carol@school.test\nSubject: photo\n;");
	close_box(b);
}

static struct err *count(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	(void)mem;
	(void)item;
	(void)raw;
	(void)len;
	++*(int *)context;
	return NULL;
}

/* A mail program has given all of ten thousand mails other names since they were listed, and one has gone. Looking
 * each up among all takes minutes. */
static void finds_each_of_many(void **state)
{
	enum { MANY = 10000 };
	struct box *b = open_box();
	struct source_list list;
	struct timespec begun, done;
	int missed, fetched = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		int fd = open(talloc_asprintf(b->mem, "%s/cur/%d.a:2,", b->folder, i), O_WRONLY | O_CREAT, 0600);

		assert_true(fd >= 0);
		close(fd);
	}
	clock_gettime(CLOCK_MONOTONIC, &begun);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_int_equal(list.count, MANY);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(rename(talloc_asprintf(b->mem, "%s/cur/%d.a:2,", b->folder, i),
					 talloc_asprintf(b->mem, "%s/cur/%d.a:2,S", b->folder, i)),
			0);
	assert_int_equal(unlink(talloc_asprintf(b->mem, "%s/cur/77.a:2,S", b->folder)), 0);
	assert_null(b->source->kind->fetch(b->source, b->mem, list.items, list.count, count, &fetched, &missed));
	assert_int_equal(fetched, MANY - 1);
	assert_int_equal(missed, 1);
	assert_null(b->source->kind->file(b->source, b->mem, list.items, list.count, SOURCE_PROCESSED));
	clock_gettime(CLOCK_MONOTONIC, &done);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	assert_int_equal(list.count, 0);
	assert_in_range(done.tv_sec - begun.tv_sec, 0, 20);
	close_box(b);
}

static struct err *refuse(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	(void)context;
	(void)item;
	(void)raw;
	(void)len;
	return err_new(mem, ERR_PROCESS, true, NULL, "the disk is full");
}

static void stops_when_a_mail_is_not_taken(void **state)
{
	struct box *b = open_box();
	struct source_list list;
	struct err *e;
	int missed;

	(void)state;
	deliver(b, "new/1.a", "one", 1000);
	assert_null(b->source->kind->list(b->source, b->mem, &list));
	e = b->source->kind->fetch(b->source, b->mem, list.items, 1, refuse, NULL, &missed);
	assert_non_null(e);
	assert_string_equal(e->what, "the disk is full");
	close_box(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_fetches_by_arrival),
		cmocka_unit_test(files_once_and_for_all),
		cmocka_unit_test(gives_the_header_of_a_large_mail),
		cmocka_unit_test(finds_each_of_many),
		cmocka_unit_test(stops_when_a_mail_is_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
