/* Where mails leave: a server (smtp.c) or a folder of Maildirs (maildir_sink.c). Each is a `struct sink_kind`; the
 * program that links it hands it to whoever sends. */
#ifndef GALLOPER_MAIL_SINK_H
#define GALLOPER_MAIL_SINK_H

#include "config/config.h"

#include <stdatomic.h>
#include <stddef.h>

enum sink_outcome {
	SINK_SENT,        /* taken over by the other side: done */
	SINK_LATER,       /* not taken, may be next time: back off and try again */
	SINK_REFUSED,     /* this recipient or this mail will never be taken: a hard bounce */
	SINK_ACCOUNT,     /* our account or our settings: stop the queue and tell the operator */
	SINK_NOT_REACHED, /* no server was asked: the command for the password failed. The mail's tries are its own */
	SINK_UNCERTAIN,   /* perhaps taken: send the same bytes (so the same Message-ID) once more */
};

struct sink_result {
	enum sink_outcome outcome;
	bool unheard;      /* it never came to this mail: the connection, the log-in or our own address was refused */
	bool stop;         /* other mails would fare the same now: leave the queue alone until the back-off is over */
	int reply;         /* the server's code, 400 to 599; 0 if there is none */
	char enhanced[12]; /* "5.1.1" (RFC 3463); "" if there is none */
	char *text; /* for the operator: what happened and, where it is ours to mend, what to do; on send's `mem`. May
		       hold the server's words, escaped, and so the recipient's address, which the log hides */
};

struct sink_message {
	const char *bytes; /* whole mail, CRLF (compose.h) */
	size_t len;
	const char *from; /* envelope; both must be address_valid, else SINK_REFUSED */
	const char *to;
};

struct sink_settings {
	const struct server_config *server; /* smtp */
	const char *helo;                   /* smtp: the name we give ourselves, the domain of the game's address */
	const char *ca_file;                /* "" = the system's certificates */
	int network_seconds;     /* deadline of connecting and of each answer; a whole mail may take five times that, at
				    most 300 */
	const atomic_bool *stop; /* smtp: once it is set, an exchange under way is broken off; NULL: never */
	const char *folder;      /* maildir: the root, made when missing; mails go to FOLDER/ADDRESS/new */
};

/* The settings of the configuration; strings stay the configuration's. */
struct sink_settings sink_settings_from(const struct config *c);

struct sink;

struct sink_kind {
	const char *name;
	/* A sink on `mem`; talloc_free closes it (politely: within the deadline). Nothing is connected yet: an error is
	 * a mistake in the settings or a folder that cannot be made. The settings must live as long as the sink. */
	struct err *(*open)(TALLOC_CTX *mem, const struct sink_settings *settings, struct sink **out);
	/* Sends one message to one recipient and says how that went. Never fails otherwise. Connections are kept from
	 * one message to the next, and never after anything odd. */
	void (*send)(struct sink *sink, TALLOC_CTX *mem, const struct sink_message *m, struct sink_result *out);
};

struct sink {
	const struct sink_kind *kind;
};

extern const struct sink_kind maildir_sink;
extern const struct sink_kind smtp_sink; /* needs libcurl: in galloperd only */

/* "sent", "later", ...: as the outbox and the log say it. */
const char *sink_outcome_name(enum sink_outcome outcome);

#endif
