#include "service/mailtext.h"

#include "base/file.h"
#include "base/text.h"
#include "mail/decode.h"
#include "mail/field.h"

#include <string.h>

enum { FILE_MAX = 16 * 1024 * 1024 };

char *mailtext(TALLOC_CTX *mem, const char *bytes, size_t len)
{
	struct fields *f = fields_read(mem, bytes, len);
	const char *name = field_parameter(mem, fields_get(f, "Content-Type"), "boundary");
	const char *boundary = talloc_asprintf(mem, "--%s", name != NULL ? name : ""), *end = bytes + len;
	const char *part = name != NULL && name[0] != '\0' ? strstr(bytes + f->end, boundary) : NULL;
	size_t start = f->end, out;

	if (part != NULL) {
		const char *next = strstr(part + strlen(boundary), boundary);

		part += strlen(boundary);
		part += strcspn(part, "\n");
		part += *part == '\n';
		end = next == NULL ? end : next;
		f = fields_read(mem, part, (size_t)(end - part));
		bytes = part;
		start = f->end;
	}
	return decode_transfer(
		mem, fields_get(f, "Content-Transfer-Encoding"), bytes + start, (size_t)(end - bytes) - start, &out);
}

static void add_lines(TALLOC_CTX *mem, struct buf *out, const char *text)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "\n"), shown = n > 0 && text[n - 1] == '\r' ? n - 1 : n;

		buf_printf(out, "%s\n", text_escape(mem, text, shown));
		text += n + (text[n] == '\n');
	}
}

struct err *mailtext_of_file(TALLOC_CTX *mem, const char *path, struct buf *out)
{
	static const char *const shown[] = {"From", "To", "Date", "Subject"};
	const struct charsets *charsets = charsets_open(mem);
	char *raw;
	size_t len;
	struct fields *f;
	struct err *e = file_read(mem, strcmp(path, "-") == 0 ? "/dev/stdin" : path, FILE_MAX, &raw, &len);

	if (e != NULL)
		return e;
	f = fields_read(mem, raw, len);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		const char *value = decode_words(mem, charsets, fields_get(f, shown[i]));

		if (value[0] != '\0')
			buf_printf(out, "%s: %s\n", shown[i], text_escape(mem, value, strlen(value)));
	}
	buf_addc(out, '\n');
	add_lines(mem, out, mailtext(mem, raw, len));
	return NULL;
}
