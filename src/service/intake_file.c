/* Filing: mails that are done with leave the mailbox. The mailbox is asked on a thread of its own, while others are
 * still being acted on. */
#include "base/worker.h"
#include "service/account.h"
#include "service/intake.h"
#include "service/lease.h"

#include <string.h>

struct filing {
	const struct service *s;
	struct source *mailbox;
	const char *lease;
	struct worker *mover;
	bool over; /* for trouble, or because nothing moves any more */
};

enum { FOLDERS = SOURCE_REJECTED + 1 };

static const char *const folder_names[FOLDERS] = {[SOURCE_PROCESSED] = "Processed", [SOURCE_REJECTED] = "Rejected"};

/* Mails that go to one folder. */
struct going {
	struct source_item *items;
	int64_t *ids;
	int count;
	bool moved;
};

/* What is moved together. In a context of its own: until it is moved it is the thread's. */
struct round {
	struct source *mailbox;
	struct going to[FOLDERS];
	struct err *failed;
};

static void move(void *context)
{
	struct round *r = context;

	for (int folder = 0; folder < FOLDERS && r->failed == NULL; folder++) {
		struct going *g = &r->to[folder];

		if (g->count > 0)
			r->failed =
				r->mailbox->kind->file(r->mailbox, r, g->items, g->count, (enum source_folder)folder);
		g->moved = r->failed == NULL;
	}
}

static void sort_by_folder(struct round *r, const struct incomings *done)
{
	for (int folder = 0; folder < FOLDERS; folder++) {
		struct going *g = &r->to[folder];

		g->items = talloc_zero_array(r, struct source_item, (unsigned)done->count);
		g->ids = talloc_array(r, int64_t, (unsigned)done->count);
		for (int i = 0; i < done->count; i++) {
			const struct incoming *m = &done->list[i];

			if (strcmp(m->folder, folder_names[folder]) != 0)
				continue;
			g->items[g->count] = (struct source_item){.validity = m->validity, .uid = m->uid};
			g->ids[g->count++] = m->id;
		}
	}
}

/* The thread must be done with the mailbox before that is closed. */
static int end_filing(struct filing *f)
{
	struct round *r;

	while ((r = worker_take(f->mover, true)) != NULL)
		talloc_free(r);
	talloc_free(f->mover);
	return 0;
}

struct filing *intake_filing(const struct service *s, TALLOC_CTX *mem, struct source *mailbox, const char *lease)
{
	struct filing *f = talloc_zero(mem, struct filing);

	f->s = s;
	f->mailbox = talloc_steal(f, mailbox);
	f->lease = lease;
	f->mover = worker_new(f, move, 1);
	talloc_set_destructor(f, end_filing);
	return f;
}

static struct err *note_moved(const struct filing *f, TALLOC_CTX *mem, const struct round *r, int *moved)
{
	struct store *store = f->s->store;
	struct err *e = store_begin(store, mem);

	for (int folder = 0; folder < FOLDERS; folder++) {
		const struct going *g = &r->to[folder];

		for (int i = 0; g->moved && i < g->count && e == NULL; i++) {
			e = store_mail_moved(store, mem, g->ids[i]);
			++*moved;
		}
	}
	return store_end(store, mem, e);
}

/* Sends off what there is to move. */
static struct err *begin_round(struct filing *f, TALLOC_CTX *mem)
{
	struct round *r = talloc_zero(NULL, struct round);
	struct incomings done = {0};
	struct account *account;
	bool mine = true;
	struct err *e = account_load(f->s, r, &account);

	r->mailbox = f->mailbox;
	if (e == NULL)
		e = store_mail_to_move(f->s->store, r, account->id, &done);
	if (e == NULL && done.count > 0)
		e = lease_take(f->s, r, f->lease, &mine);
	f->over = e != NULL;
	if (e == NULL && mine && done.count > 0) {
		sort_by_folder(r, &done);
		worker_give(f->mover, r);
		return NULL;
	}
	if (e != NULL)
		talloc_steal(mem, e);
	talloc_free(r);
	return e;
}

/* Notes what has been moved of the round that was sent off. */
static struct err *end_round(struct filing *f, TALLOC_CTX *mem, struct round *r, int *moved, const struct err **trouble)
{
	int before = *moved;
	struct err *e = note_moved(f, r, r, moved);

	f->over = e != NULL || r->failed != NULL || *moved == before;
	*trouble = service_stopping(f->s) ? NULL : talloc_steal(mem, r->failed); /* else we broke it off ourselves */
	if (e != NULL)
		talloc_steal(mem, e);
	talloc_free(r);
	return e;
}

struct err *intake_file(struct filing *f, TALLOC_CTX *mem, bool all, int *moved, const struct err **trouble)
{
	struct err *e = NULL;
	bool going;

	*moved = 0;
	*trouble = NULL;
	do {
		struct round *r = worker_take(f->mover, all);

		if (r != NULL)
			e = end_round(f, mem, r, moved, trouble);
		if (e == NULL && !f->over && worker_held(f->mover) == 0 && !service_stopping(f->s))
			e = begin_round(f, mem);
		going = worker_held(f->mover) > 0;
	} while (e == NULL && all && going);
	return e;
}
