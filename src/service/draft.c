#include "service/draft.h"

#include "base/address.h"
#include "base/buf.h"
#include "base/text.h"
#include "mail/compose.h"
#include "mail/token.h"
#include "report/html.h"
#include "service/people.h"
#include "service/templates.h"
#include "store/people.h"

/* --- what is asked of the database -------------------------------------------------------------------------------- */

/* Mails of a thread hang on the last one to the same address: a deputy is shown no token of the player's. */
static struct err *find_thread(struct draft *d)
{
	const struct answered_mail *a = d->post.answers;
	const char *before = "";
	struct err *e = NULL;

	if (a != NULL && a->message_id[0] != '\0') {
		d->in_reply_to = a->message_id;
		d->references = buf_text(d->mem, "%s %s", a->references, a->message_id);
	} else if (d->post.player != NULL) {
		e = store_last_to(d->s->store, d->mem, d->post.player->id, d->row.recipient, &before);
		if (before[0] != '\0')
			d->in_reply_to = d->references = before;
	}
	return e;
}

/* What the recipient proves himself with, and whose mail it is where that must be said. */
static struct err *find_key(struct draft *d, const char **key)
{
	const struct post *p = &d->post;
	struct err *e;
	int sharing;

	*key = "";
	if (p->board == NULL || p->player == NULL)
		return NULL;
	e = store_key_among(d->s->store, d->mem, p->board->game->id, p->player->id, d->row.recipient, key, &sharing);
	if (e == NULL && sharing > 1)
		d->whose = people_label(d->mem, p->board, p->player);
	return e;
}

/* Its Message-ID and where answers to it go: both carry the token, if there is a key that signs one. */
static void make_token(struct draft *d, const char *key)
{
	const struct post *p = &d->post;
	const struct game *g = p->board != NULL ? p->board->game : NULL;
	const char *own = d->s->config->address;
	struct token token;

	if (key[0] == '\0') {
		d->tag = g != NULL ? buf_text(d->mem, "[%s]", g->name) : "";
		d->row.message_id = message_id_new(d->mem, NULL, own);
		return;
	}
	token = token_make(d->s->secret, g->id, p->player->id, g->line, p->turn, p->turn == g->turn ? g->part : 0, key);
	d->tag = token_subject_tag(d->mem, g->name, &token);
	d->row.message_id = message_id_new(d->mem, token.text, own);
	if (d->s->config->plus_addressing)
		d->reply_to = address_with_tag(d->mem, own, token.text);
}

struct err *draft_begin(const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *values,
	const char *recipient, struct draft **out)
{
	const struct game *g = p->board != NULL ? p->board->game : NULL;
	struct draft *d = talloc_zero(mem, struct draft);
	const char *key;
	struct err *e;

	d->mem = mem;
	d->s = s;
	d->post = *p;
	if (values != NULL)
		d->values = *values;
	d->row = (struct outgoing){
		.game = g != NULL ? g->id : 0,
		.player = p->player != NULL ? p->player->id : 0,
		.line = g != NULL ? g->line : 0,
		.recipient = recipient,
		.kind = p->template,
		.turn = p->turn,
		.shows = p->shows,
		.printed = p->printed != NULL ? p->printed : "",
		.made = clock_now(&s->clock),
	};
	e = templates_find(s->templates, mem, p->template, &d->template);
	if (e == NULL)
		e = find_key(d, &key);
	if (e == NULL)
		e = find_thread(d);
	if (e != NULL)
		return e;
	make_token(d, key);
	e = store_queue_row(s->store, mem, &d->row);
	if (e == NULL)
		*out = d;
	return e;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Where several people of a game have one address, each mail says whose it is. */
static void put_whose(const struct draft *d, struct letter *l)
{
	l->subject = talloc_asprintf(d->mem, "For %s: %s", d->whose, l->subject);
	l->text = talloc_asprintf(d->mem, "%s\n\n%s",
		text_wrap(d->mem,
			talloc_asprintf(d->mem,
				"This mail is for %s, one of several who have this address. Please answer it only in "
				"that name.",
				d->whose),
			LETTER_COLUMNS, 0),
		l->text);
}

static struct err *compose(struct draft *d, const struct letter *l)
{
	const struct config *c = d->s->config;
	const struct board *b = d->post.board;
	struct mail m = {
		.from_address = c->address,
		.from_name = c->sender_name,
		.to_address = d->row.recipient,
		.reply_to = d->reply_to,
		.subject = l->subject,
		.text = l->text,
		.html = html_page(d->mem, l->text, b != NULL ? b->state : NULL),
		.message_id = d->row.message_id,
		.in_reply_to = d->in_reply_to,
		.references = d->references,
		.date = d->row.made,
		.automatic = d->post.answers != NULL ? AUTO_REPLIED : AUTO_GENERATED,
		.game = b != NULL ? b->game->name : NULL,
		.kind = d->row.kind,
		.attachment = d->post.attach ? l->text : NULL,
	};
	char *bytes;
	struct err *e = mail_compose(d->mem, &m, &bytes, &d->row.len);

	if (e == NULL)
		d->row.bytes = bytes;
	return e;
}

void draft_write(struct draft *d)
{
	const struct answered_mail *a = d->post.answers;
	struct letter letter;

	if (d->work_out != NULL)
		d->work_out(d);
	put_value(&d->values, "tag", d->tag);
	d->failed = template_fill(d->mem, d->template, d->values.list, d->values.count, &letter);
	if (d->failed != NULL)
		return;
	if (d->whose != NULL)
		put_whose(d, &letter);
	if (a != NULL && a->last != NULL)
		letter.text = talloc_asprintf(d->mem, "%s\n\n%s", a->last, letter.text);
	d->failed = compose(d, &letter);
}

struct err *draft_store(struct draft *d, TALLOC_CTX *mem)
{
	return d->failed != NULL ? d->failed : store_queue_bytes(d->s->store, mem, &d->row);
}
