/* Sending through a server with libcurl. Three habits of its SMTP (7.88) shape this file: with a size set in advance it
 * counts the dots that it doubles and cuts the mail's end off, so none is ever set; it would use a connection again
 * that an error has left out of step, so after any error the next mail gets a new one; and its response code is the
 * last reply, which after a refusal is the farewell, so we keep the replies ourselves. */
#include "mail/smtp.h"

#include "base/address.h"
#include "base/buf.h"
#include "mail/credential.h"
#include "mail/pipe.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
	SESSION_FACTOR = 5, /* a whole exchange may take so many times what one answer may, */
	SESSION_MAX = 300,  /* and never more seconds, so that a claim on the mail outlasts two tries */
	REPLY_MAX = 1000,   /* bytes kept of a reply */
	LAST_WORD = 2000,   /* milliseconds that a mail sent whole is waited for when we are told to stop */
};

/* One message on its way. */
struct exchange {
	const char *bytes;
	size_t left;
	bool drained;
	enum smtp_stage stage;
	int reply;
	struct buf *words;
	bool more; /* the reply goes on in the next line */
	char error[CURL_ERROR_SIZE];
};

struct smtp {
	struct sink sink;
	const struct sink_settings *settings;
	const char *url;
	CURL *easy;          /* NULL: the next mail needs a new connection */
	int64_t stop_seen;   /* pipe_now; 0 = not yet told to stop */
	struct exchange now; /* here, not on the stack: the handle holds on to it until it is closed */
};

static size_t give_body(char *to, size_t size, size_t count, void *context)
{
	struct exchange *x = context;
	size_t n = size * count < x->left ? size * count : x->left;

	memcpy(to, x->bytes, n);
	x->bytes += n;
	x->left -= n;
	x->drained = x->drained || n == 0;
	return n;
}

/* A line of the server's. */
static size_t take_reply(char *line, size_t size, size_t count, void *context)
{
	struct exchange *x = context;
	size_t n = size * count, len = n;
	int code = n >= 3 ? atoi((char[4]){line[0], line[1], line[2], '\0'}) : 0;

	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	if (code == 354 && x->stage == SMTP_DATA)
		x->stage = SMTP_BODY;
	if (code >= 400 && code < 600 && (x->reply == 0 || (x->more && code == x->reply))) {
		x->reply = code;
		x->more = len > 3 && line[3] == '-';
		if (x->words->len > 0)
			buf_addc(x->words, ' ');
		if (x->words->len + len <= REPLY_MAX)
			buf_add(x->words, line, len);
	}
	return n;
}

/* What we ask of the server, so that an answer can be put to its question. Lines of AUTH hold the password: nothing of
 * them is kept. */
static int watch(CURL *easy, curl_infotype type, char *line, size_t n, void *context)
{
	static const struct {
		const char *command;
		enum smtp_stage stage;
	} stages[] = {
		{"EHLO ", SMTP_HELLO},
		{"HELO ", SMTP_HELLO},
		{"STARTTLS\r\n", SMTP_STARTTLS},
		{"AUTH ", SMTP_LOGIN},
		{"MAIL FROM:", SMTP_SENDER},
		{"RCPT TO:", SMTP_RECIPIENT},
		{"DATA\r\n", SMTP_DATA},
	};
	struct exchange *x = context;

	(void)easy;
	for (size_t i = 0; type == CURLINFO_HEADER_OUT && i < sizeof stages / sizeof stages[0]; i++) {
		if (n < strlen(stages[i].command) || memcmp(line, stages[i].command, strlen(stages[i].command)) != 0)
			continue;
		x->stage = stages[i].stage;
		x->reply = 0;
		x->more = false;
		buf_cut(x->words, 0);
	}
	return 0;
}

static bool told_to_stop(const struct smtp *s)
{
	return s->settings->stop != NULL && *s->settings->stop;
}

/* A mail that was handed over whole has most likely been taken: a moment's wait for the word saves sending it twice. */
static int stop_wanted(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct smtp *s = context;

	(void)a;
	(void)b;
	(void)c;
	(void)d;
	if (!told_to_stop(s))
		return 0;
	if (s->stop_seen == 0)
		s->stop_seen = pipe_now();
	return !s->now.drained || pipe_now() - s->stop_seen > LAST_WORD;
}

static void set_account(CURL *easy, const struct sink_settings *s, const struct credential *with)
{
	/* A protected connection or none; whom it is with is checked before a word is said. */
	curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	if (s->ca_file != NULL && s->ca_file[0] != '\0') {
		curl_easy_setopt(easy, CURLOPT_CAINFO, s->ca_file);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	if (s->server->user[0] == '\0')
		return;
	curl_easy_setopt(easy, CURLOPT_USERNAME, s->server->user);
	if (with->token) {
		curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, with->secret);
		curl_easy_setopt(easy, CURLOPT_LOGIN_OPTIONS, "AUTH=XOAUTH2");
	} else {
		curl_easy_setopt(easy, CURLOPT_PASSWORD, with->secret);
		/* Within TLS these two are enough, and every provider has one of them. */
		curl_easy_setopt(easy, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN");
	}
}

static CURL *new_handle(struct smtp *s, const struct credential *with)
{
	CURL *easy = curl_easy_init();
	long seconds = s->settings->network_seconds, whole = SESSION_FACTOR * seconds;

	if (easy == NULL)
		abort();
	curl_easy_setopt(easy, CURLOPT_URL, s->url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* whatever the environment says */
	set_account(easy, s->settings, with);
	curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, give_body);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_reply);
	curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, watch);
	curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(easy, CURLOPT_READDATA, &s->now);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, &s->now);
	curl_easy_setopt(easy, CURLOPT_DEBUGDATA, &s->now);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, s->now.error);
	curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, stop_wanted);
	curl_easy_setopt(easy, CURLOPT_XFERINFODATA, s);
	curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, seconds);
	curl_easy_setopt(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, seconds);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT, whole < SESSION_MAX ? whole : (long)SESSION_MAX);
	return easy;
}

/* libcurl says QUIT and waits two minutes for the answer, also where it was the other side's silence that made us stop:
 * then the line is cut first. */
static void hang_up(struct smtp *s, bool politely)
{
	curl_socket_t fd = CURL_SOCKET_BAD;

	if (s->easy == NULL)
		return;
	if (!politely && curl_easy_getinfo(s->easy, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK && fd != CURL_SOCKET_BAD)
		shutdown(fd, SHUT_RDWR);
	curl_easy_cleanup(s->easy);
	s->easy = NULL;
}

static int close_smtp(struct smtp *s)
{
	hang_up(s, !told_to_stop(s));
	return 0;
}

static struct err *open_smtp(TALLOC_CTX *mem, const struct sink_settings *settings, struct sink **out)
{
	const struct server_config *server = settings->server;
	bool literal = strchr(server->host, ':') != NULL;
	struct smtp *s;

	if (server->host[0] == '\0' || strspn(server->host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
							    "0123456789.-_:") != strlen(server->host))
		return err_new(mem, ERR_ACCOUNT, false, NULL, "smtp-host is no name of a server");
	s = talloc_zero(mem, struct smtp);
	s->sink.kind = &smtp_sink;
	s->settings = settings;
	s->now.words = buf_new(s);
	s->url = talloc_asprintf(s, "%s://%s%s%s:%d/%s", server->security == SECURITY_TLS ? "smtps" : "smtp",
		literal ? "[" : "", server->host, literal ? "]" : "", server->port, settings->helo);
	talloc_set_destructor(s, close_smtp);
	*out = &s->sink;
	return NULL;
}

/* A new connection, with a fresh token if it is by token. */
static bool connect_anew(struct smtp *s, TALLOC_CTX *mem, struct sink_result *out)
{
	struct credential with;
	struct err *e = credential_get(mem, s->settings->server, &with);

	if (e == NULL) {
		s->easy = new_handle(s, &with);
		return true;
	}
	*out = (struct sink_result){.outcome = SINK_NOT_REACHED, .unheard = true, .stop = true};
	out->text = talloc_strdup(mem, err_text(mem, e));
	return false;
}

/* One try. Whatever is not taken leaves the handle closed. */
static void try_once(struct smtp *s, TALLOC_CTX *mem, const struct sink_message *m, struct sink_result *out)
{
	struct exchange *x = &s->now;
	struct curl_slist *to;
	struct smtp_facts facts;

	if (s->easy == NULL && !connect_anew(s, mem, out))
		return;
	buf_cut(x->words, 0);
	*x = (struct exchange){.bytes = m->bytes, .left = m->len, .words = x->words};
	to = curl_slist_append(NULL, m->to);
	curl_easy_setopt(s->easy, CURLOPT_MAIL_FROM, m->from);
	curl_easy_setopt(s->easy, CURLOPT_MAIL_RCPT, to);
	facts.code = (int)curl_easy_perform(s->easy);
	facts.stage = x->stage;
	facts.reply = x->reply;
	facts.words = x->words->data;
	facts.drained = x->drained;
	facts.error = x->error[0] != '\0' ? x->error : curl_easy_strerror((CURLcode)facts.code);
	smtp_judge(mem, &facts, out);
	if (out->outcome != SINK_SENT)
		hang_up(s, out->reply != 0);
	curl_slist_free_all(to);
}

static void send_smtp(struct sink *sink, TALLOC_CTX *mem, const struct sink_message *m, struct sink_result *out)
{
	struct smtp *s = talloc_get_type_abort(sink, struct smtp);
	bool kept = s->easy != NULL;

	if (!address_valid(m->from) || !address_valid(m->to)) {
		*out = (struct sink_result){.outcome = SINK_REFUSED};
		out->text = talloc_strdup(mem, "this is no address that mail can be sent to");
		return;
	}
	try_once(s, mem, m, out);
	/* A server hangs up on a connection that was quiet for long: that says nothing about this mail. */
	if (kept && out->outcome == SINK_LATER && (out->reply == 421 || (out->reply == 0 && !out->stop))) {
		talloc_free(out->text);
		try_once(s, mem, m, out);
	}
}

const struct sink_kind smtp_sink = {"smtp", open_smtp, send_smtp};
