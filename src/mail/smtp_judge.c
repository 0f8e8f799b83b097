#include "mail/smtp.h"

#include "base/text.h"

#include <ctype.h>
#include <curl/curl.h>
#include <string.h>

enum { ANY = -1, NONE = 0, WORDS_MAX = 500 };

/* A rule holds when everything that it names is so; the first that holds decides. */
struct rule {
	int code;                    /* CURLcode, or ANY */
	enum smtp_stage first, last; /* stages, both included */
	int reply_from, reply_to;    /* NONE, NONE: there is no reply; ANY, ANY: with or without one */
	const char *enhanced;        /* the enhanced code begins so; NULL: whatever it is */
	enum sink_outcome outcome;
	bool stop;
	const char *say;
};

#define EVERY_STAGE SMTP_CONNECT, SMTP_BODY
#define ENVELOPE SMTP_SENDER, SMTP_BODY
#define ANY_REPLY ANY, ANY
#define NO_REPLY NONE, NONE
#define FOR_NOW 400, 499
#define FOR_GOOD 500, 599

static const struct rule rules[] = {
	/* clang-format off */
	{CURLE_OK, EVERY_STAGE, ANY_REPLY, NULL, SINK_SENT, false, "taken by the server"},

	/* Before anything secret is said. */
	{CURLE_PEER_FAILED_VERIFICATION, EVERY_STAGE, ANY_REPLY, NULL, SINK_ACCOUNT, true,
		"the server's certificate is not to be trusted, so nothing was sent: check smtp-host and ca-file"},
	{CURLE_SSL_CACERT_BADFILE, EVERY_STAGE, ANY_REPLY, NULL, SINK_ACCOUNT, true,
		"the certificates to trust cannot be read: check ca-file"},
	{CURLE_USE_SSL_FAILED, EVERY_STAGE, FOR_NOW, NULL, SINK_LATER, true, "the server cannot protect the connection now"},
	{CURLE_USE_SSL_FAILED, EVERY_STAGE, ANY_REPLY, NULL, SINK_ACCOUNT, true,
		"the server offers no STARTTLS, and nothing is sent unprotected: check smtp-port and smtp-security"},
	{CURLE_COULDNT_RESOLVE_PROXY, EVERY_STAGE, ANY_REPLY, NULL, SINK_LATER, true, "the server's name cannot be looked up"},
	{CURLE_COULDNT_RESOLVE_HOST, EVERY_STAGE, ANY_REPLY, NULL, SINK_LATER, true,
		"the server's name cannot be looked up: is the network there, and smtp-host right?"},
	{CURLE_COULDNT_CONNECT, EVERY_STAGE, ANY_REPLY, NULL, SINK_LATER, true, "the server cannot be reached"},
	{CURLE_SSL_CONNECT_ERROR, EVERY_STAGE, ANY_REPLY, NULL, SINK_LATER, true,
		"no protected connection came about: if this stays so, check smtp-port and smtp-security"},
	{CURLE_URL_MALFORMAT, EVERY_STAGE, ANY_REPLY, NULL, SINK_ACCOUNT, true, "smtp-host is no name of a server"},
	{CURLE_LOGIN_DENIED, EVERY_STAGE, FOR_NOW, NULL, SINK_LATER, true, "the server cannot log us in now"},
	{CURLE_LOGIN_DENIED, EVERY_STAGE, ANY_REPLY, NULL, SINK_ACCOUNT, true,
		"the server refuses our user name or password: check smtp-user and smtp-password"},

	/* The server's own words, where they say who is meant: RFC 3463, and what the large providers make of it. */
	{ANY, EVERY_STAGE, 530, 530, NULL, SINK_ACCOUNT, true, "the server wants us to log in first: check smtp-user"},
	{ANY, EVERY_STAGE, 534, 538, NULL, SINK_ACCOUNT, true, "the server does not let our account in: check smtp-user"},
	{ANY, EVERY_STAGE, 421, 421, NULL, SINK_LATER, true, "the server is closing down or wants fewer mails"},
	{ANY, SMTP_CONNECT, SMTP_LOGIN, 400, 599, NULL, SINK_LATER, true, "the server does not want to talk to us now"},
	{ANY, ENVELOPE, FOR_GOOD, "5.4.5", SINK_ACCOUNT, true, "our account has sent all that it may for today"},
	{ANY, ENVELOPE, 554, 554, "5.2.0", SINK_ACCOUNT, true, "our account has sent all that it may for now"},
	{ANY, ENVELOPE, FOR_GOOD, "5.7.", SINK_ACCOUNT, true, "the server does not let our account send this"},
	{ANY, SMTP_SENDER, SMTP_SENDER, FOR_NOW, NULL, SINK_LATER, true, "the server takes no mail of ours now"},
	{ANY, SMTP_SENDER, SMTP_SENDER, FOR_GOOD, NULL, SINK_ACCOUNT, true,
		"the server refuses our own address as the sender: check address and smtp-user"},
	{ANY, SMTP_RECIPIENT, SMTP_BODY, FOR_NOW, NULL, SINK_LATER, false, "the server does not take this mail now"},
	{ANY, SMTP_RECIPIENT, SMTP_DATA, FOR_GOOD, NULL, SINK_REFUSED, false, "the server refuses this recipient"},
	{ANY, SMTP_BODY, SMTP_BODY, FOR_GOOD, NULL, SINK_REFUSED, false, "the server refuses this mail"},

	/* No answer. A body that was not handed over whole had no final dot, so cannot have been taken. */
	{CURLE_OPERATION_TIMEDOUT, SMTP_CONNECT, SMTP_DATA, NO_REPLY, NULL, SINK_LATER, true, "the server does not answer"},
	{CURLE_ABORTED_BY_CALLBACK, SMTP_CONNECT, SMTP_DATA, NO_REPLY, NULL, SINK_LATER, true, "we were told to stop"},
	{CURLE_SEND_ERROR, SMTP_CONNECT, SMTP_DATA, NO_REPLY, NULL, SINK_LATER, false, "the connection was lost"},
	{CURLE_RECV_ERROR, SMTP_CONNECT, SMTP_DATA, NO_REPLY, NULL, SINK_LATER, false, "the connection was lost"},
	{ANY, SMTP_BODY, SMTP_BODY, NO_REPLY, NULL, SINK_UNCERTAIN, false,
		"the connection was lost after the mail was sent, before the server said that it has it"},
	{ANY, EVERY_STAGE, ANY_REPLY, NULL, SINK_LATER, true, "the exchange with the server failed"},
	/* clang-format on */
};

/* "5.1.1" from "550-5.1.1 The account ..."; "" if there is none. */
static void read_enhanced(const char *words, char out[12])
{
	const char *p = strlen(words) > 4 ? words + 4 : "";
	size_t n = strspn(p, "0123456789.");

	out[0] = '\0';
	if (n < 5 || n > 11 || strchr("245", *p) == NULL || p[1] != '.' ||
		(p[n] != ' ' && p[n] != '\0' && p[n] != '\r'))
		return;
	memcpy(out, p, n);
	out[n] = '\0';
}

static bool reply_fits(const struct rule *r, int reply)
{
	return r->reply_from == ANY || (reply >= r->reply_from && reply <= r->reply_to);
}

static bool holds(const struct rule *r, const struct smtp_facts *f, const char *enhanced)
{
	return (r->code == ANY || r->code == f->code) && f->stage >= r->first && f->stage <= r->last &&
	       reply_fits(r, f->reply) &&
	       (r->enhanced == NULL || strncmp(enhanced, r->enhanced, strlen(r->enhanced)) == 0);
}

void smtp_judge(TALLOC_CTX *mem, const struct smtp_facts *facts, struct sink_result *out)
{
	const struct rule *r = rules;
	const char *more = facts->reply != 0 ? facts->words : facts->error;
	char *escaped = text_escape(NULL, more, strnlen(more, WORDS_MAX));

	*out = (struct sink_result){.reply = facts->reply};
	read_enhanced(facts->words, out->enhanced);
	while (!holds(r, facts, out->enhanced)) /* the last rule always holds */
		r++;
	out->outcome = r->outcome;
	out->stop = r->stop;
	out->unheard = r->outcome != SINK_SENT && facts->stage <= SMTP_SENDER;
	out->text = facts->code == CURLE_OK || *escaped == '\0' ? talloc_strdup(mem, r->say)
								: talloc_asprintf(mem, "%s (%s)", r->say, escaped);
	if (out->outcome == SINK_UNCERTAIN && !facts->drained) {
		out->outcome = SINK_LATER;
		out->text = talloc_strdup(mem, "the connection was lost before the mail was sent whole");
	}
	talloc_free(escaped);
}
