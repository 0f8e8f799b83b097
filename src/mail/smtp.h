/* How an SMTP exchange is judged: apart from the sink itself (sink.h), so that every row of the table can be tested. */
#ifndef GALLOPER_MAIL_SMTP_H
#define GALLOPER_MAIL_SMTP_H

#include "mail/sink.h"

/* The last thing we had asked for when the exchange ended. */
enum smtp_stage {
	SMTP_CONNECT,   /* the connection, TLS on it, the greeting */
	SMTP_HELLO,     /* EHLO or HELO */
	SMTP_STARTTLS,  /* and the handshake after it */
	SMTP_LOGIN,     /* AUTH and what belongs to it */
	SMTP_SENDER,    /* MAIL FROM */
	SMTP_RECIPIENT, /* RCPT TO */
	SMTP_DATA,      /* DATA, not answered yet */
	SMTP_BODY,      /* 354 was seen */
};

struct smtp_facts {
	int code; /* CURLcode */
	enum smtp_stage stage;
	int reply;         /* the answer to that last thing if it was 400 or more, else 0 */
	const char *words; /* the lines of that answer; "" if there is none */
	bool drained;      /* the whole body and so perhaps the final dot had been handed over */
	const char *error; /* libcurl's words */
};

/* Outcome, unheard, stop, reply, enhanced and text. */
void smtp_judge(TALLOC_CTX *mem, const struct smtp_facts *facts, struct sink_result *out);

#endif
