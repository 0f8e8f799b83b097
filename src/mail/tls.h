/* A verified TLS connection as a stream for libetpan, whose own TLS checks no certificate and knows no deadline.
 *
 * The server's certificate must lead to a known authority, be in date, and be made out to the host's name, before a
 * single byte of ours is sent over the connection. */
#ifndef GALLOPER_MAIL_TLS_H
#define GALLOPER_MAIL_TLS_H

#include "base/err.h"

#include <libetpan/mailstream_types.h>
#include <stdatomic.h>

struct tls_settings {
	const char *host;
	int port;
	const char *ca_file;     /* "" = the system's certificates */
	int seconds;             /* deadline of connecting, the name's look-up and the handshake included */
	const atomic_bool *stop; /* once it is set, everything on the stream ends as if the time were up; or NULL */
};

/* Connects and, unless `starttls`, does the handshake. *out is libetpan's to close and free. */
struct err *tls_connect(
	TALLOC_CTX *mem, const struct tls_settings *settings, bool starttls, mailstream **out) MUST_CHECK;

/* The handshake on a stream whose server has said yes to STARTTLS. An error if anything stands in the stream's buffer
 * already: that came in the clear, from whoever (CVE-2011-0411). */
struct err *tls_start(TALLOC_CTX *mem, mailstream *stream, const char *ca_file) MUST_CHECK;

/* From now on, reading and writing together may take so many seconds, however the server spreads its bytes. */
void tls_deadline(mailstream *stream, int seconds);

#endif
