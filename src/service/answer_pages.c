#include "service/answer_pages.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

/* In HTML a text of that length is well below the size from which webmail hides the rest. */
enum { TEXT_MAX = 30 * 1000 };

void add_page(TALLOC_CTX *mem, struct command_results *results, const struct answer_page *page)
{
	results->pages = talloc_realloc(mem, results->pages, struct answer_page, (unsigned)results->page_count + 1);
	results->pages[results->page_count++] = *page;
}

char *pages_text(TALLOC_CTX *mem, const struct command_results *results)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < results->page_count; i++)
		buf_printf(out, "%s%s", i > 0 ? "\n" : "", results->pages[i].text);
	return out->data;
}

/* A line of capitals, as all headings in mails are. */
static void put_heading(struct buf *out, const char *title)
{
	for (; *title != '\0'; title++)
		buf_addc(out, (char)toupper((unsigned char)*title));
	buf_adds(out, "\n\n");
}

/* A blank line, where something stands above it. */
static void put_gap(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == '\n')
		buf_cut(out, out->len - 1);
	buf_adds(out, out->len > 0 ? "\n\n" : "");
}

/* One mail: `said`, and the pages from `first` up to `*next`, which is the first that it has no room for. */
static struct err *mail_some(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct command_results *results, const char *subject, const char *said,
	int first, int *next)
{
	struct buf *out = buf_new(mem);
	bool headed = said[0] != '\0' || results->page_count - first > 1;
	int64_t shows = 0;
	int i = first;

	buf_adds(out, said);
	for (; i < results->page_count; i++) {
		const struct answer_page *page = &results->pages[i];

		if (i > first && out->len + strlen(page->text) > TEXT_MAX)
			break;
		put_gap(out);
		if (headed)
			put_heading(out, page->title);
		buf_adds(out, page->text);
		if (!headed || page->renumbers)
			subject = page->title;
		if (page->shows != 0)
			shows = page->shows;
	}
	*next = i;
	return letter_answer_showing(s, mem, b, p, to, subject, out->data, shows);
}

struct err *letter_results(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct command_results *results, const char *subject, const char *said)
{
	struct err *e = NULL;
	int next = 0;

	if (said[0] == '\0' && results->page_count == 0)
		return NULL;
	do {
		e = mail_some(s, mem, b, p, to, results, subject, next == 0 ? said : "", next, &next);
	} while (e == NULL && next < results->page_count);
	return e;
}
