/* A mailbox on a server, by libetpan over our own TLS stream (tls.c). The library's answers need watching: it gives
 * half of a FETCH as success, loses all of one for a single item that it cannot read, and is out of step after an
 * error. So what was asked for is compared with what came, and after an error of the stream or the parser the session
 * is dead. */
#include "base/clock.h"
#include "base/text.h"
#include "mail/credential.h"
#include "mail/source.h"
#include "mail/tls.h"

#include <libetpan/libetpan.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { RECONNECTS_MAX = 10, GOODBYE_SECONDS = 5 };

struct imap {
	struct source source;
	const struct source_settings *settings;
	mailimap *session; /* NULL = not connected */
	int64_t validity;
	bool broken; /* the session is out of step: no LOGOUT */
	bool can_move, can_expunge;
	const char *prefix; /* what our folders' names begin with on this server; NULL = not asked yet */
};

/* --- the session ------------------------------------------------------------------------------------------------- */

static void deadline(struct imap *m, int seconds)
{
	if (m->session && m->session->imap_stream)
		tls_deadline(m->session->imap_stream, seconds);
}

/* To be called before each command. */
static void begin(struct imap *m)
{
	deadline(m, m->settings->network_seconds);
}

static void disconnect(struct imap *m)
{
	if (m->session == NULL)
		return;
	deadline(m, GOODBYE_SECONDS);
	if (m->broken && m->session->imap_stream) { /* else mailimap_free says LOGOUT and waits */
		mailstream_close(m->session->imap_stream);
		m->session->imap_stream = NULL;
	}
	mailimap_free(m->session);
	m->session = NULL;
}

static bool is_fatal(int r)
{
	return r == MAILIMAP_ERROR_STREAM || r == MAILIMAP_ERROR_PARSE || r == MAILIMAP_ERROR_FATAL ||
	       r == MAILIMAP_ERROR_PROTOCOL || r == MAILIMAP_ERROR_DONT_ACCEPT_CONNECTION;
}

static bool succeeded(int r)
{
	return r == MAILIMAP_NO_ERROR || r == MAILIMAP_NO_ERROR_AUTHENTICATED ||
	       r == MAILIMAP_NO_ERROR_NON_AUTHENTICATED;
}

static const char *where(struct imap *m, TALLOC_CTX *mem)
{
	return talloc_asprintf(mem, "%s:%d", m->settings->server->host, m->settings->server->port);
}

/* What the server said, safe to print; without a password, which servers do not repeat. */
static const char *said(struct imap *m, TALLOC_CTX *mem)
{
	const char *text = m->session && m->session->imap_response ? m->session->imap_response : "";
	size_t n = strcspn(text, "\r\n");

	return n ? text_escape(mem, text, n > 300 ? 300 : n) : "(no reason given)";
}

static struct err *failure(struct imap *m, TALLOC_CTX *mem, int r, bool retry, const char *what)
{
	if (!is_fatal(r))
		return err_new(mem, ERR_ACCOUNT, retry, where(m, mem), "%s: %s", what, said(m, mem));
	m->broken = true;
	return err_new(mem, ERR_ACCOUNT, true, where(m, mem), "%s: %s", what,
		r == MAILIMAP_ERROR_PARSE    ? "the server's answer makes no sense"
		: r == MAILIMAP_ERROR_STREAM ? "the connection broke off or the server is silent"
					     : "the server hung up");
}

/* Refusals that pass: the server has too much to do, or has had too much of us. */
static bool passes(const char *text)
{
	static const char *const signs[] = {"temporar", "too many", "maximum number", "bandwidth", "try again",
		"unavailable", "throttled", "busy", "server error", "internal error", "backoff", "rate limit", NULL};

	for (const char *const *s = signs; *s; s++)
		if (strcasestr(text, *s))
			return true;
	return false;
}

/* --- connecting -------------------------------------------------------------------------------------------------- */

static bool knows_capabilities(const mailimap *s)
{
	return s->imap_connection_info != NULL && s->imap_connection_info->imap_capability != NULL;
}

static void forget_capabilities(mailimap *s)
{
	if (!knows_capabilities(s))
		return;
	mailimap_capability_data_free(s->imap_connection_info->imap_capability);
	s->imap_connection_info->imap_capability = NULL;
}

static struct err *upgrade(struct imap *m, TALLOC_CTX *mem)
{
	mailimap *s = m->session;
	struct err *e;
	int r;

	begin(m);
	r = mailimap_starttls(s);
	if (r != MAILIMAP_NO_ERROR) {
		m->broken = true;
		return err_new(mem, ERR_ACCOUNT, r == MAILIMAP_ERROR_STREAM, where(m, mem),
			"the server refuses STARTTLS, so the password was not sent");
	}
	e = tls_start(mem, s->imap_stream, m->settings->ca_file);
	m->broken = e != NULL;
	forget_capabilities(s); /* what was learnt in the clear is void */
	return e;
}

static struct err *greet(struct imap *m, TALLOC_CTX *mem)
{
	const struct server_config *server = m->settings->server;
	bool starttls = server->security == SECURITY_STARTTLS;
	mailstream *stream;
	const struct tls_settings settings = {
		.host = server->host,
		.port = server->port,
		.ca_file = m->settings->ca_file,
		.seconds = m->settings->network_seconds,
		.stop = m->settings->stop,
	};
	struct err *e = tls_connect(mem, &settings, starttls, &stream);
	int r;

	if (e)
		return e;
	m->session = mailimap_new(0, NULL);
	m->broken = false;
	if (m->session == NULL)
		abort();
	begin(m);
	tls_deadline(stream, m->settings->network_seconds);
	r = mailimap_connect(m->session, stream);
	if (!succeeded(r)) {
		m->broken = true;
		return err_new(mem, ERR_ACCOUNT, true, where(m, mem), "the server does not greet us: %s", said(m, mem));
	}
	if (!starttls)
		return NULL;
	if (r == MAILIMAP_NO_ERROR_AUTHENTICATED) { /* then it would not do STARTTLS, and all would be in the clear */
		m->broken = true;
		return err_new(mem, ERR_ACCOUNT, false, where(m, mem),
			"the server lets us in before STARTTLS; somebody may be in between");
	}
	return upgrade(m, mem);
}

/* One try. *refused: the server said no, in words. */
static struct err *log_in_with(struct imap *m, TALLOC_CTX *mem, const struct credential *with, bool *refused)
{
	const struct server_config *server = m->settings->server;
	int r;

	*refused = false;
	if (strpbrk(server->user, "\r\n") || strpbrk(with->secret, "\r\n"))
		return err_new(mem, ERR_ACCOUNT, false, where(m, mem), "user and password may not hold line ends");
	forget_capabilities(m->session); /* a server can do more for those that it knows */
	begin(m);
	r = with->token ? mailimap_oauth2_authenticate(m->session, server->user, with->secret)
			: mailimap_login(m->session, server->user, with->secret);
	if (r == MAILIMAP_NO_ERROR)
		return NULL;
	if (is_fatal(r))
		return failure(m, mem, r, true, "log-in failed");
	*refused = true;
	return err_new(mem, ERR_ACCOUNT, passes(said(m, mem)), where(m, mem),
		"the server refuses the log-in: check imap-user and %s: %s",
		with->token ? "imap-token-command" : "imap-password", said(m, mem));
}

/* A token that has run out looks like one that is refused: the command is asked once more, and if it prints another,
 * that is tried too. */
static struct err *log_in(struct imap *m, TALLOC_CTX *mem)
{
	struct credential with, fresh;
	bool refused = false;
	struct err *e = credential_get(mem, m->settings->server, &with), *again;

	if (e == NULL)
		e = log_in_with(m, mem, &with, &refused);
	if (e == NULL || !with.token || !refused)
		return e;
	again = credential_get(mem, m->settings->server, &fresh);
	if (again != NULL || strcmp(fresh.secret, with.secret) == 0)
		return e;
	return log_in_with(m, mem, &fresh, &refused);
}

/* Most servers say it with their answer to the log-in. */
static struct err *ask_capabilities(struct imap *m, TALLOC_CTX *mem)
{
	struct mailimap_capability_data *list = NULL;
	int r = MAILIMAP_NO_ERROR;

	begin(m);
	if (!knows_capabilities(m->session))
		r = mailimap_capability(m->session, &list);
	if (r != MAILIMAP_NO_ERROR)
		return failure(m, mem, r, true, "the server does not say what it can do");
	if (list != NULL)
		mailimap_capability_data_free(list);
	m->can_expunge = mailimap_has_uidplus(m->session);
	m->can_move = mailimap_has_extension(m->session, (char[]){"MOVE"});
	return NULL;
}

static struct err *select_mailbox(struct imap *m, TALLOC_CTX *mem)
{
	int r;

	begin(m);
	r = mailimap_select(m->session, m->settings->mailbox);
	if (r != MAILIMAP_NO_ERROR)
		return failure(m, mem, r, passes(said(m, mem)),
			talloc_asprintf(mem, "the mailbox %s cannot be opened", m->settings->mailbox));
	if (m->session->imap_selection_info == NULL || m->session->imap_selection_info->sel_uidvalidity == 0)
		return err_new(mem, ERR_ACCOUNT, true, where(m, mem), "the mailbox has no UIDVALIDITY");
	m->validity = m->session->imap_selection_info->sel_uidvalidity;
	return NULL;
}

static struct err *connect_all(struct imap *m, TALLOC_CTX *mem)
{
	struct err *e = greet(m, mem);

	if (e == NULL && m->session->imap_state != MAILIMAP_STATE_AUTHENTICATED)
		e = log_in(m, mem);
	if (e == NULL)
		e = ask_capabilities(m, mem);
	return e ? e : select_mailbox(m, mem);
}

static int close_imap(struct imap *m)
{
	disconnect(m);
	return 0;
}

static struct err *open_imap(TALLOC_CTX *mem, const struct source_settings *settings, struct source **out)
{
	struct imap *m = talloc_zero(mem, struct imap);
	struct err *e;

	m->source.kind = &imap_source;
	m->settings = settings;
	talloc_set_destructor(m, close_imap);
	e = connect_all(m, mem);
	if (e) {
		talloc_free(m);
		return e;
	}
	m->source.exist = m->session->imap_selection_info->sel_exists;
	*out = &m->source;
	return NULL;
}

/* --- what a FETCH brings ----------------------------------------------------------------------------------------- */

struct fetched {
	uint32_t uid; /* 0 = not among it */
	int64_t size, arrived;
	bool deleted;
	const char *body; /* NULL = not among it */
	size_t len;
};

/* The zone is a signed decimal hhmm: -230 is two and a half hours west. */
static int64_t utc(const struct mailimap_date_time *d)
{
	struct civil c = {.year = d->dt_year,
		.month = d->dt_month,
		.day = d->dt_day,
		.hour = d->dt_hour,
		.minute = d->dt_min,
		.second = d->dt_sec};

	return clock_utc(&c, "UTC") - (d->dt_zone / 100 * 3600 + d->dt_zone % 100 * 60);
}

static void read_static(const struct mailimap_msg_att_static *s, struct fetched *f)
{
	switch (s->att_type) {
	case MAILIMAP_MSG_ATT_UID:
		f->uid = s->att_data.att_uid;
		break;
	case MAILIMAP_MSG_ATT_RFC822_SIZE:
		f->size = s->att_data.att_rfc822_size;
		break;
	case MAILIMAP_MSG_ATT_INTERNALDATE:
		f->arrived = utc(s->att_data.att_internal_date);
		break;
	case MAILIMAP_MSG_ATT_BODY_SECTION:
		f->body = s->att_data.att_body_section->sec_body_part;
		f->len = s->att_data.att_body_section->sec_length;
		break;
	default:
		break;
	}
}

static bool has_deleted(const struct mailimap_msg_att_dynamic *d)
{
	if (d->att_list == NULL)
		return false;
	for (clistiter *i = clist_begin(d->att_list); i; i = clist_next(i)) {
		const struct mailimap_flag_fetch *f = clist_content(i);

		if (f->fl_type == MAILIMAP_FLAG_FETCH_OTHER && f->fl_flag->fl_type == MAILIMAP_FLAG_DELETED)
			return true;
	}
	return false;
}

static struct fetched read_item(const struct mailimap_msg_att *att)
{
	struct fetched f = {.arrived = -1};

	for (clistiter *i = clist_begin(att->att_list); i; i = clist_next(i)) {
		const struct mailimap_msg_att_item *item = clist_content(i);

		if (item->att_type == MAILIMAP_MSG_ATT_ITEM_STATIC)
			read_static(item->att_data.att_static, &f);
		else if (item->att_type == MAILIMAP_MSG_ATT_ITEM_DYNAMIC)
			f.deleted = f.deleted || has_deleted(item->att_data.att_dyn);
	}
	return f;
}

/* --- listing ----------------------------------------------------------------------------------------------------- */

static int in_order(const void *left, const void *right)
{
	const struct source_item *a = left, *b = right;
	long u = strtol(a->uid, NULL, 10), v = strtol(b->uid, NULL, 10);

	if (a->arrived != b->arrived)
		return a->arrived < b->arrived ? -1 : 1;
	return (u > v) - (u < v);
}

/* The library gives an answer that ends in a NO as a good one, if anything came before that: so they are counted. */
static void add_items(struct imap *m, TALLOC_CTX *mem, clist *results, int expected, struct source_list *out)
{
	int listed = 0;

	out->items = talloc_array(mem, struct source_item, (unsigned)clist_count(results));
	for (clistiter *i = clist_begin(results); i; i = clist_next(i)) {
		struct fetched f = read_item(clist_content(i));

		/* Servers put in news of other mails' flags: those come without a date. */
		if (f.uid == 0 || f.arrived < 0)
			continue;
		listed++;
		if (f.deleted)
			continue;
		out->items[out->count++] = (struct source_item){
			.validity = m->validity,
			.uid = talloc_asprintf(mem, "%u", f.uid),
			.arrived = f.arrived,
			.size = f.size,
		};
	}
	out->broken = listed < expected;
	if (out->count > 0)
		qsort(out->items, (size_t)out->count, sizeof *out->items, in_order);
}

static struct err *list_imap(struct source *source, TALLOC_CTX *mem, struct source_list *out)
{
	struct imap *m = (struct imap *)source;
	uint32_t exists = m->session->imap_selection_info->sel_exists, first = 1;
	struct mailimap_fetch_type *type;
	struct mailimap_set *set;
	clist *results = NULL;
	int r;

	*out = (struct source_list){.complete = exists <= SOURCE_LIST_MAX};
	if (exists == 0)
		return NULL;
	if (!out->complete)
		first = exists - SOURCE_LIST_MAX + 1;
	type = mailimap_fetch_type_new_fetch_att_list_empty();
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_uid());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_rfc822_size());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_internaldate());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_flags());
	set = mailimap_set_new_interval(first, exists);
	begin(m);
	r = mailimap_fetch(m->session, set, type, &results);
	mailimap_set_free(set);
	mailimap_fetch_type_free(type);
	if (r != MAILIMAP_NO_ERROR)
		return failure(m, mem, r, true, "the mails cannot be listed");
	if (results) {
		add_items(m, mem, results, (int)(exists - first + 1), out);
		mailimap_fetch_list_free(results);
	}
	return NULL;
}

/* --- fetching ---------------------------------------------------------------------------------------------------- */

struct fetch {
	struct imap *m;
	TALLOC_CTX *mem;
	const struct source_item *items; /* of this call */
	bool *taken;
	int count;
	source_take take;
	void *context;
	int reconnects;
	struct err *refused; /* by `take`: ends everything */
};

static uint32_t uid_of(const struct source_item *item)
{
	return (uint32_t)strtoul(item->uid, NULL, 10);
}

/* Of these mails those that are not taken yet (`taken` may be NULL) and lie in the mailbox as it now is; numbers that
 * follow each other as a range, which is no more than its two ends. NULL if there are none. */
static struct mailimap_set *set_of(const struct imap *m, const struct source_item *items, const bool *taken, int count)
{
	struct mailimap_set *set = mailimap_set_new_empty();
	uint32_t first = 0, last = 0;

	for (int i = 0; i < count; i++) {
		uint32_t uid = uid_of(&items[i]);

		if ((taken != NULL && taken[i]) || items[i].validity != m->validity)
			continue;
		if (first != 0 && uid != last + 1) {
			mailimap_set_add_interval(set, first, last);
			first = 0;
		}
		first = first == 0 ? uid : first;
		last = uid;
	}
	if (first != 0) {
		mailimap_set_add_interval(set, first, last);
		return set;
	}
	mailimap_set_free(set);
	return NULL;
}

static bool is_large(const struct source_item *item)
{
	return item->size > SOURCE_MAIL_MAX;
}

static void hand_over(struct fetch *f, int index, const struct fetched *got)
{
	const struct source_item *item = &f->items[index];
	TALLOC_CTX *mem = talloc_new(f->mem);
	const char *raw = got->body;
	size_t len = got->len;

	if (is_large(item)) {
		char *said_first = talloc_asprintf(mem, "X-Galloper-Too-Large: %lld\r\n", (long long)item->size);
		size_t n = strlen(said_first);

		said_first = talloc_realloc(mem, said_first, char, (unsigned)(n + len + 1));
		memcpy(said_first + n, got->body, len);
		raw = said_first;
		len += n;
	}
	f->taken[index] = true;
	f->refused = f->take(f->context, mem, item, raw, len);
	if (f->refused)
		talloc_steal(f->mem, f->refused);
	talloc_free(mem);
}

/* Unasked-for news is among the results, and a mail's bytes may be missing. */
static void take_results(struct fetch *f, int from, int to, clist *results)
{
	int next = from; /* most servers keep to the order */

	for (clistiter *i = clist_begin(results); i && f->refused == NULL; i = clist_next(i)) {
		struct fetched got = read_item(clist_content(i));

		for (int n = from; n < to && got.uid && got.body; n++, next = next + 1 < to ? next + 1 : from) {
			if (uid_of(&f->items[next]) == got.uid && !f->taken[next]) {
				hand_over(f, next, &got);
				break;
			}
		}
	}
}

/* One UID FETCH of the mails from..to that have not been taken; gives libetpan's code. */
static int fetch_range(struct fetch *f, int from, int to, bool header_only)
{
	struct mailimap_fetch_type *type = mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_section *section = header_only ? mailimap_section_new_header() : mailimap_section_new(NULL);
	struct mailimap_set *set = set_of(f->m, f->items + from, f->taken + from, to - from);
	clist *results = NULL;
	int r = MAILIMAP_NO_ERROR;

	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_uid());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_body_peek_section(section));
	if (set != NULL) {
		begin(f->m);
		r = mailimap_uid_fetch(f->m->session, set, type, &results);
		mailimap_set_free(set);
	}
	if (r == MAILIMAP_NO_ERROR && results) { /* after an error it points to what is freed already */
		take_results(f, from, to, results);
		mailimap_fetch_list_free(results);
	}
	mailimap_fetch_type_free(type);
	return r;
}

/* A new connection instead of one that is out of step. */
static struct err *reconnect(struct fetch *f)
{
	f->m->broken = true;
	disconnect(f->m);
	if (f->reconnects++ >= RECONNECTS_MAX)
		return err_new(f->mem, ERR_ACCOUNT, true, where(f->m, f->mem), "the server breaks off again and again");
	return connect_all(f->m, f->mem);
}

/* After a FETCH that ended so. A refusal may be of one mail; but a server that wants a rest is not asked for the next.
 */
static struct err *carry_on(struct fetch *f, int r)
{
	if (is_fatal(r))
		return reconnect(f);
	if (r == MAILIMAP_NO_ERROR || !passes(said(f->m, f->mem)))
		return NULL;
	return failure(f->m, f->mem, r, true, "the mails cannot be fetched");
}

static struct err *fetch_singly(struct fetch *f, int from, int to)
{
	struct err *e = NULL;

	for (int i = from; i < to && e == NULL && f->refused == NULL; i++)
		if (!f->taken[i])
			e = carry_on(f, fetch_range(f, i, i + 1, is_large(&f->items[i])));
	return e;
}

/* How many mails from `from` on go into one exchange: a large one stands alone. */
static int batch_end(const struct fetch *f, int from)
{
	int64_t bytes = f->items[from].size;
	int to = from + 1;

	while (to < f->count && to - from < SOURCE_BATCH_MAILS && !is_large(&f->items[from]) &&
		!is_large(&f->items[to]) && bytes + f->items[to].size <= SOURCE_BATCH_BYTES)
		bytes += f->items[to++].size;
	return to;
}

static struct err *fetch_imap(struct source *source, TALLOC_CTX *mem, const struct source_item *items, int count,
	source_take take, void *context, int *missed)
{
	struct fetch f = {.m = (struct imap *)source,
		.mem = mem,
		.items = items,
		.taken = talloc_zero_array(mem, bool, (unsigned)count),
		.count = count,
		.take = take,
		.context = context};
	struct err *e = NULL;

	*missed = count;
	for (int from = 0, to; from < count && e == NULL && f.refused == NULL; from = to) {
		to = batch_end(&f, from);
		e = carry_on(&f, fetch_range(&f, from, to, is_large(&items[from])));
		if (e == NULL)
			e = fetch_singly(&f, from, to);
	}
	for (int i = 0; i < count; i++)
		*missed -= f.taken[i];
	talloc_free(f.taken);
	return f.refused ? f.refused : e;
}

/* --- filing ------------------------------------------------------------------------------------------------------ */

/* Courier, Cyrus and some Dovecots keep all folders below the inbox: "INBOX.Processed" (RFC 2342). "" where they do
 * not, or do not say. */
static const char *ask_prefix(struct imap *m)
{
	struct mailimap_namespace_data *data = NULL;
	const struct mailimap_namespace_info *first;
	const char *prefix = "";

	begin(m);
	if (!mailimap_has_namespace(m->session) || mailimap_namespace(m->session, &data) != MAILIMAP_NO_ERROR)
		return prefix;
	if (data->ns_personal != NULL && !clist_isempty(data->ns_personal->ns_data_list)) {
		first = clist_content(clist_begin(data->ns_personal->ns_data_list));
		prefix = talloc_strdup(m, first->ns_prefix);
	}
	mailimap_namespace_data_free(data);
	return prefix;
}

/* The folder's name on this server, once it is known where folders are kept. */
static const char *placed(const struct imap *m, TALLOC_CTX *mem, const char *folder)
{
	const char *prefix = m->prefix == NULL ? "" : m->prefix;

	return strncasecmp(folder, prefix, strlen(prefix)) == 0 ? folder : talloc_asprintf(mem, "%s%s", prefix, folder);
}

/* Marks the mails as deleted and, where that can be done for them alone, removes them. */
static int remove_mails(struct imap *m, struct mailimap_set *set)
{
	struct mailimap_flag_list *flags = mailimap_flag_list_new_empty();
	struct mailimap_store_att_flags *store;
	int r;

	mailimap_flag_list_add(flags, mailimap_flag_new_deleted());
	store = mailimap_store_att_flags_new_add_flags_silent(flags);
	begin(m);
	r = mailimap_uid_store(m->session, set, store);
	mailimap_store_att_flags_free(store);
	if (r != MAILIMAP_NO_ERROR || !m->can_expunge)
		return r;
	begin(m);
	return mailimap_uid_expunge(m->session, set);
}

static int move_mails(struct imap *m, struct mailimap_set *set, const char *folder)
{
	struct mailimap_set *source = NULL, *target = NULL;
	uint32_t validity = 0;
	int r;

	begin(m);
	if (m->can_move)
		r = mailimap_uidplus_uid_move(m->session, set, folder, &validity, &source, &target);
	else if (m->can_expunge)
		r = mailimap_uidplus_uid_copy(m->session, set, folder, &validity, &source, &target);
	else
		r = mailimap_uid_copy(m->session, set, folder);
	if (source)
		mailimap_set_free(source);
	if (target)
		mailimap_set_free(target);
	return r == MAILIMAP_NO_ERROR && !m->can_move ? remove_mails(m, set) : r;
}

static struct err *file_chunk(
	struct imap *m, TALLOC_CTX *mem, const struct source_item *items, int count, const char *folder)
{
	struct mailimap_set *set = set_of(m, items, NULL, count);
	int r;

	if (set == NULL)
		return NULL;
	r = move_mails(m, set, placed(m, mem, folder));
	if (r != MAILIMAP_NO_ERROR && !is_fatal(r) && m->prefix == NULL) {
		m->prefix = ask_prefix(m);
		if (*m->prefix != '\0')
			r = move_mails(m, set, placed(m, mem, folder));
	}
	if (r != MAILIMAP_NO_ERROR && !is_fatal(r)) { /* most likely the folder is missing */
		begin(m);
		r = mailimap_create(m->session, placed(m, mem, folder));
		if (!is_fatal(r))
			r = move_mails(m, set, placed(m, mem, folder));
	}
	mailimap_set_free(set);
	return r == MAILIMAP_NO_ERROR
		       ? NULL
		       : failure(m, mem, r, passes(said(m, mem)),
				 talloc_asprintf(mem, "mails cannot be moved to %s", placed(m, mem, folder)));
}

static struct err *file_imap(
	struct source *source, TALLOC_CTX *mem, const struct source_item *items, int count, enum source_folder folder)
{
	struct imap *m = (struct imap *)source;
	const char *name = folder == SOURCE_PROCESSED ? m->settings->processed : m->settings->rejected;
	struct err *e = NULL;

	for (int at = 0; at < count && e == NULL; at += SOURCE_MOVE_MAILS)
		e = file_chunk(
			m, mem, items + at, count - at < SOURCE_MOVE_MAILS ? count - at : SOURCE_MOVE_MAILS, name);
	return e;
}

const struct source_kind imap_source = {
	.name = "imap",
	.open = open_imap,
	.list = list_imap,
	.fetch = fetch_imap,
	.file = file_imap,
};
