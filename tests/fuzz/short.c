/* short SECONDS DICTIONARY FILE...: a fuzz target's short run without libFuzzer, with whatever compiler built the rest:
 * each file as it is, then for so long files with a few places changed, words of the dictionary put in and pieces of
 * other files. The changes are the same in each run of the same length of time, but for how many of them there are. */
#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INPUT_MAX = 6000, FILE_MAX = 1 << 20, CHANGES_MAX = 6, WORDS_MAX = 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

struct text {
	char *bytes;
	size_t len;
};

/* Knuth's MMIX generator: good enough to choose places. */
static size_t choose(uint64_t *seed, size_t below)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return below == 0 ? 0 : (size_t)(*seed >> 33) % below;
}

static void put(struct text *t, size_t at, const char *bytes, size_t len)
{
	if (t->len + len > INPUT_MAX)
		return;
	memmove(t->bytes + at + len, t->bytes + at, t->len - at);
	memcpy(t->bytes + at, bytes, len);
	t->len += len;
}

static void change(
	struct text *t, uint64_t *seed, const struct text *words, size_t word_count, const struct text *other)
{
	size_t at = choose(seed, t->len + 1), n = choose(seed, t->len - at + 1), from;

	switch (choose(seed, 5)) {
	case 0:
		if (at < t->len)
			t->bytes[at] = (char)choose(seed, 256);
		break;
	case 1:
		n = n > 40 ? 40 : n;
		memmove(t->bytes + at, t->bytes + at + n, t->len - at - n);
		t->len -= n;
		break;
	case 2:
		from = choose(seed, other->len);
		n = other->len - from > 200 ? 200 : other->len - from;
		put(t, at, other->bytes + from, n);
		break;
	case 3:
		t->len = at;
		break;
	default:
		if (word_count > 0) {
			from = choose(seed, word_count);
			put(t, at, words[from].bytes, words[from].len);
		}
	}
}

/* The words of a libFuzzer dictionary: "word" a line, with \xNN, \\ and \". */
static size_t read_words(char *dictionary, struct text words[WORDS_MAX])
{
	size_t count = 0;

	for (char *line = strtok(dictionary, "\n"); line != NULL && count < WORDS_MAX; line = strtok(NULL, "\n")) {
		char *to = line, *from = line + 1;

		if (*line != '"')
			continue;
		while (*from != '"' && *from != '\0') {
			if (from[0] == '\\' && from[1] == 'x') {
				*to++ = (char)strtol((char[]){from[2], from[3], '\0'}, NULL, 16);
				from += 4;
			} else {
				from += *from == '\\';
				*to++ = *from++;
			}
		}
		words[count++] = (struct text){line, (size_t)(to - line)};
	}
	return count;
}

static void run_one(const struct text *t)
{
	/* Of its own length on the heap, so that the sanitizer sees a step beyond the end. */
	uint8_t *copy = malloc(t->len + (t->len == 0));

	memcpy(copy, t->bytes, t->len);
	LLVMFuzzerTestOneInput(copy, t->len);
	free(copy);
}

int main(int argc, char **argv)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct text *files = talloc_array(mem, struct text, (unsigned)argc), words[WORDS_MAX], changed;
	time_t end;
	size_t count = 0, word_count, runs = 0;
	char *dictionary;
	uint64_t seed = 1746;

	if (argc < 4 || file_read(mem, argv[2], FILE_MAX, &dictionary, NULL) != NULL)
		return 2;
	word_count = read_words(dictionary, words);
	changed.bytes = talloc_size(mem, INPUT_MAX);
	for (int i = 3; i < argc; i++)
		if (file_read(mem, argv[i], INPUT_MAX, &files[count].bytes, &files[count].len) == NULL)
			run_one(&files[count++]);
	end = time(NULL) + atoi(argv[1]);
	for (; time(NULL) < end; runs++) {
		const struct text *file = &files[choose(&seed, count)];

		memcpy(changed.bytes, file->bytes, file->len);
		changed.len = file->len;
		for (size_t n = 1 + choose(&seed, CHANGES_MAX); n > 0; n--)
			change(&changed, &seed, words, word_count, &files[choose(&seed, count)]);
		run_one(&changed);
	}
	printf("%zu files and %zu changed ones\n", count, runs);
	talloc_free(mem);
	return 0;
}
