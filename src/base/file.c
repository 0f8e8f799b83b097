#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_READ = 16384, DATA_MAX = 4 << 20 };

/* All of `fd` up to `max` bytes; the size that the file claims is only a hint (it may be a pipe or grow). */
static struct err *read_all(TALLOC_CTX *mem, int fd, const char *path, size_t max, char **out, size_t *len)
{
	size_t room = FIRST_READ, used = 0;
	char *bytes = talloc_size(mem, room);

	for (;;) {
		ssize_t n = read(fd, bytes + used, room - 1 - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			struct err *e = err_errno(mem, errno, path, "cannot read this file");

			talloc_free(bytes);
			return e;
		}
		if (n == 0)
			break;
		used += (size_t)n;
		if (used > max) {
			talloc_free(bytes);
			return err_new(mem, ERR_PROCESS, false, path, "this file is larger than %zu bytes", max);
		}
		if (used == room - 1) {
			room *= 2;
			bytes = talloc_realloc_size(mem, bytes, room);
		}
	}
	bytes[used] = '\0';
	*out = bytes;
	if (len)
		*len = used;
	return NULL;
}

struct err *file_read(TALLOC_CTX *mem, const char *path, size_t max, char **out, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct err *e;

	if (fd < 0)
		return err_errno(mem, errno, path, "cannot open this file");
	e = read_all(mem, fd, path, max, out, len);
	close(fd);
	return e;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A new file beside `path`; its name is in *name (on `mem`). -1 with errno. open(2) instead of mkstemp(3), so that the
 * umask is kept to. */
static int open_beside(TALLOC_CTX *mem, const char *path, int mode, char **name)
{
	for (int try = 0; try < 100; try++) {
		struct timespec now;
		int fd;

		clock_gettime(CLOCK_MONOTONIC, &now);
		*name = talloc_asprintf(mem, "%s.%ld-%ld.tmp", path, (long)getpid(), now.tv_nsec);
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, (mode_t)mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
		talloc_free(*name);
	}
	errno = EEXIST;
	return -1;
}

void file_sync_folder_of(TALLOC_CTX *mem, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? talloc_strndup(mem, path, (size_t)(slash - path) + 1) : talloc_strdup(mem, ".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	talloc_free(folder);
}

struct err *file_write(TALLOC_CTX *mem, const char *path, const void *bytes, size_t len, int mode)
{
	char *name = NULL;
	int fd = open_beside(mem, path, mode, &name);
	int bad;

	if (fd < 0)
		return err_errno(mem, errno, path, "cannot write beside this file");
	bad = write_all(fd, bytes, len) || fsync(fd) ? errno : 0;
	if (close(fd) && !bad)
		bad = errno;
	if (!bad && rename(name, path))
		bad = errno;
	if (bad)
		unlink(name);
	talloc_free(name);
	if (bad)
		return err_errno(mem, bad, path, "cannot write this file");
	file_sync_folder_of(mem, path);
	return NULL;
}

struct err *file_move(TALLOC_CTX *mem, const char *from, const char *to)
{
	if (rename(from, to) != 0)
		return err_errno(mem, errno, from, "cannot move this file to %s", to);
	file_sync_folder_of(mem, to);
	return NULL;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct err *file_make_folder(TALLOC_CTX *mem, const char *path, int mode)
{
	char *part = talloc_strdup(mem, path);
	struct err *e = NULL;

	for (char *at = part; *at && !e;) {
		char kept;

		at += strspn(at, "/");
		at += strcspn(at, "/");
		kept = *at;
		*at = '\0';
		if (mkdir(part, (mode_t)mode)) {
			int number = errno;

			if (!is_folder(part))
				e = err_errno(mem, number, part, "cannot make this folder");
		}
		*at = kept;
	}
	talloc_free(part);
	return e;
}

static bool holds_data(TALLOC_CTX *mem, const char *folder)
{
	char *db = talloc_asprintf(mem, "%s/db", folder), *templates = talloc_asprintf(mem, "%s/templates", folder);
	bool both = is_folder(db) && is_folder(templates);

	talloc_free(db);
	talloc_free(templates);
	return both;
}

/* The nearest folder above the running program that holds both, or whose share/galloper does (so that what was
 * installed may lie under any prefix); NULL when there is none. */
static char *above_program(TALLOC_CTX *mem)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	while ((slash = strrchr(path, '/'))) {
		char *installed;

		*slash = '\0';
		if (holds_data(mem, *path ? path : "/"))
			return talloc_strdup(mem, *path ? path : "/");
		installed = talloc_asprintf(mem, "%s/share/galloper", path);
		if (holds_data(mem, installed))
			return installed;
		talloc_free(installed);
	}
	return NULL;
}

struct err *data_folder(TALLOC_CTX *mem, char **out)
{
	const char *told = getenv("GALLOPER_DATA");

	if (told && *told) {
		if (!is_folder(told))
			return err_new(mem, ERR_PROCESS, false, "GALLOPER_DATA", "%s is no folder", told);
		*out = talloc_strdup(mem, told);
		return NULL;
	}
	*out = above_program(mem);
	if (*out)
		return NULL;
	if (holds_data(mem, INSTALLED_DATA)) {
		*out = talloc_strdup(mem, INSTALLED_DATA);
		return NULL;
	}
	return err_new(mem, ERR_PROCESS, false, NULL,
		"cannot find the folders db and templates: neither above the program nor in %s; set GALLOPER_DATA to "
		"the "
		"folder that holds them",
		INSTALLED_DATA);
}

struct err *data_read(TALLOC_CTX *mem, const char *name, char **out, size_t *len)
{
	char *folder = NULL, *path;
	struct err *e;

	if (strstr(name, "..") || *name == '/')
		return err_new(mem, ERR_PROCESS, false, name, "this is no name of a data file");
	e = data_folder(mem, &folder);
	if (e)
		return e;
	path = talloc_asprintf(mem, "%s/%s", folder, name);
	e = file_read(mem, path, DATA_MAX, out, len);
	talloc_free(path);
	talloc_free(folder);
	return e;
}
