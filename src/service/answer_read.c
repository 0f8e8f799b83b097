#include "service/answer_read.h"

#include "base/buf.h"
#include "service/writer.h"
#include "store/outbox.h"

#include <string.h>

/* The sheet lines that we had printed in the very mail that is answered (in a shared mailbox it may be another's).
 * Where its Message-ID was changed on the way, those of all mails to him for this turn: an old sheet's lines undo
 * nothing. */
static struct err *printed_lines(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	const struct player *p, int turn, const char **out)
{
	struct outgoing *answered;
	char *all;
	struct err *e = writer_answered(s, mem, m, &answered);

	if (e == NULL && answered != NULL && strcmp(answered->recipient, sender) == 0) {
		*out = answered->printed;
		return NULL;
	}
	if (e == NULL)
		e = store_printed(s->store, mem, p->id, turn, &all);
	if (e == NULL)
		*out = all;
	return e;
}

/* The mail's part that is in a sheet between its marks, less what we printed there ourselves. */
static const char *sheet_part(
	TALLOC_CTX *mem, const struct typed *t, const char *printed, const struct orders_context *context)
{
	struct buf b;

	buf_open(&b, mem);
	for (int i = 0; i < t->sheet_count; i++) {
		const struct sheet_found *f = &t->sheets[i];
		char *marked =
			talloc_asprintf(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", f->game, f->turn, f->lines);

		buf_adds(&b, orders_sheet_lines(mem, marked, strlen(marked), printed, context));
	}
	return buf_close(&b);
}

struct err *answer_read(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	const struct player *p, struct orders_context *context, struct sheet **out)
{
	const char *typed = m->typed.text, *printed;

	context->sheet = "";
	if (m->typed.sheet_count > 0) {
		struct err *e = printed_lines(s, mem, m, sender, p, context->turn, &printed);

		if (e != NULL)
			return e;
		context->sheet = sheet_part(mem, &m->typed, printed, context);
	}
	context->sheet_len = strlen(context->sheet);
	*out = orders_read(mem, typed, strlen(typed), context);
	return NULL;
}
