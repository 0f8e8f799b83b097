/* base/err, buf, json, file, log, memory. */
#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_err(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct err *e = err_new(mem, ERR_GAME, true, "f:1:2", "no %s", "unit");

	(void)state;
	assert_string_equal(err_text(mem, e), "f:1:2: no unit");
	assert_string_equal(err_text(mem, err_new(mem, ERR_MAIL, false, NULL, "gone")), "gone");
	e = err_errno(mem, ENOSPC, "disk", "cannot write %d bytes", 5);
	assert_string_equal(
		err_text(mem, e), "disk: cannot write 5 bytes: the disk is full; free some space, and it goes on");
	assert_true(e->retry);
	assert_false(err_errno(mem, EACCES, NULL, "no")->retry);
	assert_string_equal(err_errno(mem, 99999, NULL, "odd")->what, "odd: error 99999");
	talloc_free(mem);
}

static void test_buf(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *b = buf_new(mem), own;
	char *text;

	(void)state;
	assert_string_equal(b->data, "");
	for (int i = 0; i < 1000; i++)
		buf_printf(b, "%d,", i);
	assert_int_equal(b->len, 3890); /* 10 * 2 + 90 * 3 + 900 * 4 */
	assert_memory_equal(b->data + b->len - 8, "998,999,", 9);
	buf_cut(b, 2);
	buf_add(b, "\0x", 2);
	buf_addc(b, 'y');
	assert_memory_equal(b->data, "0,\0xy", 6);
	text = buf_steal(mem, b);
	talloc_free(b);
	assert_memory_equal(text, "0,\0xy", 6);
	/* Exactly as long as the room, and one more. */
	for (size_t n = 250; n < 260; n++) {
		b = buf_new(mem);
		buf_printf(b, "%*s", (int)n, "x");
		assert_int_equal(strlen(b->data), n);
		buf_printf(b, "%*s", (int)n, "y");
		assert_int_equal(strlen(b->data), 2 * n);
	}
	buf_cut(b, 0);
	buf_printf(b, "%s%c%d, %d", "a", 'b', INT_MIN, INT_MAX);
	assert_string_equal(b->data, "ab-2147483648, 2147483647");
	buf_cut(b, 0);
	buf_printf(b, "%02d:%02d %02d %02d %d %03d", 0, 9, 123, -5, 0, 7);
	assert_string_equal(b->data, "00:09 123 -5 0 007");
	buf_cut(b, 0);
	buf_printf(b, "%lld %lld %d", LLONG_MIN, 1LL << 40, 7);
	assert_string_equal(b->data, "-9223372036854775808 1099511627776 7");
	/* One that nobody frees, and a text that is written at once. */
	buf_open(&own, mem);
	for (int i = 0; i < 1000; i++)
		buf_adds(&own, "abc");
	text = buf_close(&own);
	assert_int_equal(strlen(text), 3000);
	assert_int_equal(talloc_array_length(text), 3001);
	assert_string_equal(buf_text(mem, "%s %d%c, %.2s", "turn", 3, 'b', "xyz"), "turn 3b, xy");
	buf_cut(b, 0);
	buf_printf(b, "%d of 100%% %5d|%-4s|%lld %s", 0, 7, "x", 1LL << 40, "end");
	assert_string_equal(b->data, "0 of 100%     7|x   |1099511627776 end");
	talloc_free(mem);
}

static void test_json(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *b = buf_new(mem);
	struct json j;

	(void)state;
	json_begin(&j, b);
	json_open_object(&j, NULL);
	json_string(&j, "a", "q\"\\\n\x01\xC3\xA9\xFF");
	json_open_array(&j, "list");
	json_int(&j, NULL, -5);
	json_bool(&j, NULL, true);
	json_open_object(&j, NULL);
	json_close_object(&j);
	json_close_array(&j);
	json_string(&j, "none", NULL);
	json_close_object(&j);
	assert_string_equal(
		b->data, "{\"a\":\"q\\\"\\\\\\n\\u0001\xC3\xA9\xEF\xBF\xBD\",\"list\":[-5,true,{}],\"none\":null}");
	talloc_free(mem);
}

static void test_file(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char folder[] = "/tmp/galloper-base.XXXXXX", *path, *deep, *bytes;
	struct stat st;
	struct err *e;
	size_t len;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = talloc_asprintf(mem, "%s/x", folder);
	umask(022);
	assert_null(file_write(mem, path, "one\0two", 7, 0640));
	assert_null(file_write(mem, path, "two", 3, 0640)); /* over the old one */
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_null(file_read(mem, path, 3, &bytes, &len));
	assert_string_equal(bytes, "two");
	assert_int_equal(len, 3);
	e = file_read(mem, path, 2, &bytes, &len);
	assert_non_null(e);
	assert_string_equal(e->what, "this file is larger than 2 bytes");
	e = file_read(mem, folder, 100, &bytes, &len);
	assert_non_null(e);
	deep = talloc_asprintf(mem, "%s/a/b//c/", folder);
	assert_null(file_make_folder(mem, deep, 0700));
	assert_null(file_make_folder(mem, deep, 0700));
	assert_int_equal(stat(deep, &st), 0);
	e = file_make_folder(mem, talloc_asprintf(mem, "%s/y", path), 0700);
	assert_non_null(e);
	e = file_write(mem, talloc_asprintf(mem, "%s/none/x", folder), "", 0, 0600);
	assert_non_null(e);
	e = file_read(mem, talloc_asprintf(mem, "%s/none", folder), 10, &bytes, &len);
	assert_string_equal(strrchr(e->what, ':'), ": No such file or directory");
	/* Long ones, and from a pipe. */
	bytes = memset(talloc_size(mem, 100000), 'z', 100000);
	assert_null(file_write(mem, path, bytes, 100000, 0600));
	assert_null(file_read(mem, path, 100000, &bytes, &len));
	assert_int_equal(len, 100000);
	assert_int_equal(bytes[99999], 'z');
	assert_int_equal(system(talloc_asprintf(mem, "rm -r %s", folder)), 0);
	talloc_free(mem);
}

static void test_data(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *bytes;
	struct err *e;
	size_t len;

	(void)state;
	e = data_read(mem, "db/../secret", &bytes, &len);
	assert_non_null(e);
	e = data_read(mem, "/etc/passwd", &bytes, &len);
	assert_non_null(e);
	setenv("GALLOPER_DATA", "/nonexistent", 1);
	e = data_read(mem, "db/x", &bytes, &len);
	assert_string_equal(err_text(mem, e), "GALLOPER_DATA: /nonexistent is no folder");
	talloc_free(mem);
}

static void test_log(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char text[8192] = "", *long_text = memset(talloc_zero_size(mem, 5001), 'x', 5000);
	int ends[2];
	struct log l;
	ssize_t n;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	l = (struct log){.fd = ends[1], .level = LOG_LEVEL_WARN};
	log_line(&l, LOG_LEVEL_INFO, "not shown");
	log_line(&l, LOG_LEVEL_WARN, "one\nforged %d", 5);
	log_err(&l, err_new(mem, ERR_ACCOUNT, true, "host:993", "no answer"));
	log_line(&l, LOG_LEVEL_WARN,
		"550 5.7.1 <ann@oakfield.example>: no; out/ben.b+x=y@a.b/new: full, \"c@d\" @7 e@ @ f@g");
	log_line(&l, LOG_LEVEL_WARN, "%s", long_text);
	close(ends[1]);
	n = read(ends[0], text, sizeof text - 1);
	assert_true(n > 0);
	assert_non_null(strstr(text, "Z warning: one?forged 5\n"));
	assert_non_null(strstr(text, "Z warning: host:993: no answer (account, will be tried again)\n"));
	assert_non_null(strstr(text, "Z warning: 550 5.7.1 <*@*>: no; out/*@*/new: full, \"*@*\" @7 e@ @ *@*\n"));
	assert_null(strstr(text, "not shown"));
	assert_int_equal(text[n - 1], '\n');
	assert_true(n < 3000);
	close(ends[0]);
	talloc_free(mem);
}

/* Kilobytes of files that lie in this process's memory. */
static long mapped_kilobytes(void)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *status, *line;
	size_t len;
	long kilobytes;

	assert_null(file_read(mem, "/proc/self/status", 1 << 20, &status, &len));
	line = strstr(status, "RssFile:");
	assert_non_null(line);
	kilobytes = strtol(line + 8, NULL, 10);
	talloc_free(mem);
	return kilobytes;
}

/* Less is held, and all goes on as before. */
static void test_memory(void **state)
{
	long before = mapped_kilobytes();

	(void)state;
	memory_trim();
	assert_true(mapped_kilobytes() < before);
	test_err(state);
	test_file(state);
	memory_trim();
	memory_trim();
	test_file(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_err),
		cmocka_unit_test(test_buf),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
