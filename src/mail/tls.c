#include "mail/tls.h"

#include "mail/pipe.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <libetpan/mailstream.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	STREAM_BUFFER = 8192,
	SLICE = 200, /* milliseconds between two looks at whether we are told to stop */
};

struct connection {
	int fd;
	int64_t deadline; /* pipe_now's milliseconds */
	const atomic_bool *stop;
	char host[256];
	char where[280];      /* host:port */
	gnutls_session_t tls; /* NULL = in the clear */
	gnutls_certificate_credentials_t credentials;
};

/* Milliseconds until the next look at the clock and at the order to stop; 0 when there are none left. */
static int slice(const struct connection *c)
{
	int64_t left = c->stop != NULL && *c->stop ? 0 : c->deadline - pipe_now();

	return left <= 0 ? 0 : left < SLICE ? (int)left : SLICE;
}

static bool wait_for(const struct connection *c, short events)
{
	struct pollfd p = {.fd = c->fd, .events = events};
	int left, n = 0;

	while (n == 0 && (left = slice(c)) > 0) {
		n = poll(&p, 1, left);
		if (n < 0 && errno == EINTR)
			n = 0;
	}
	if (n == 0)
		errno = ETIMEDOUT;
	return n > 0;
}

/* --- the driver -------------------------------------------------------------------------------------------------- */

/* The end of the stream is -1: libetpan 1.9.4 takes 0 for "try again", for ever. The deadline is looked at before
 * each read, so that a server that sends a byte now and then does not live for ever either. */
static ssize_t low_read(mailstream_low *low, void *bytes, size_t room)
{
	struct connection *c = low->data;

	while (slice(c) > 0) {
		ssize_t n = c->tls ? gnutls_record_recv(c->tls, bytes, room) : recv(c->fd, bytes, room, 0);
		bool again = c->tls ? n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED
				    : n < 0 && (errno == EAGAIN || errno == EINTR);

		if (n > 0)
			return n;
		if (n < 0 && c->tls && !again && !gnutls_error_is_fatal((int)n))
			continue;
		if (!again || !wait_for(c, POLLIN))
			return -1;
	}
	return -1;
}

static ssize_t low_write(mailstream_low *low, const void *bytes, size_t len)
{
	struct connection *c = low->data;

	while (slice(c) > 0) {
		ssize_t n = c->tls ? gnutls_record_send(c->tls, bytes, len) : send(c->fd, bytes, len, MSG_NOSIGNAL);
		bool again = c->tls ? n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED
				    : n < 0 && (errno == EAGAIN || errno == EINTR);

		if (n > 0)
			return n;
		if (!again || !wait_for(c, POLLOUT))
			return -1;
	}
	return -1;
}

static void release(struct connection *c)
{
	if (c->tls)
		gnutls_deinit(c->tls);
	if (c->credentials)
		gnutls_certificate_free_credentials(c->credentials);
	if (c->fd >= 0)
		close(c->fd);
	c->tls = NULL;
	c->credentials = NULL;
	c->fd = -1;
}

static int low_close(mailstream_low *low)
{
	release(low->data);
	return 0;
}

static int low_fd(mailstream_low *low)
{
	return ((struct connection *)low->data)->fd;
}

static void low_free(mailstream_low *low)
{
	free(low->data);
	free(low);
}

/* libetpan declares the driver without const, but only reads it. */
static mailstream_low_driver driver = {
	.mailstream_read = low_read,
	.mailstream_write = low_write,
	.mailstream_close = low_close,
	.mailstream_get_fd = low_fd,
	.mailstream_free = low_free,
};

/* --- the handshake ----------------------------------------------------------------------------------------------- */

/* Why the certificate was refused, in words for whoever set this up. */
static struct err *refused(TALLOC_CTX *mem, const struct connection *c)
{
	unsigned status = gnutls_session_get_verify_cert_status(c->tls);
	gnutls_datum_t text = {NULL, 0};
	struct err *e;

	gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0);
	e = err_new(mem, ERR_ACCOUNT, false, c->where,
		"the server's certificate is refused, so the password was not sent: %s",
		text.data ? (char *)text.data : "not verified");
	gnutls_free(text.data);
	return e;
}

static struct err *prepare(TALLOC_CTX *mem, struct connection *c, const char *ca_file)
{
	int trusted;

	if (gnutls_certificate_allocate_credentials(&c->credentials) < 0 ||
		gnutls_init(&c->tls, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0)
		return err_new(mem, ERR_PROCESS, true, c->where, "out of memory");
	trusted = *ca_file ? gnutls_certificate_set_x509_trust_file(c->credentials, ca_file, GNUTLS_X509_FMT_PEM)
			   : gnutls_certificate_set_x509_system_trust(c->credentials);
	if (trusted <= 0)
		return err_new(mem, ERR_ACCOUNT, false, *ca_file ? ca_file : c->where,
			"there are no certificates of authorities here; install ca-certificates or set ca_file");
	gnutls_set_default_priority(c->tls);
	gnutls_credentials_set(c->tls, GNUTLS_CRD_CERTIFICATE, c->credentials);
	gnutls_server_name_set(c->tls, GNUTLS_NAME_DNS, c->host, strlen(c->host));
	gnutls_session_set_verify_cert(c->tls, c->host, 0);
	gnutls_transport_set_int(c->tls, c->fd);
	gnutls_handshake_set_timeout(c->tls, GNUTLS_INDEFINITE_TIMEOUT); /* the deadline is ours */
	return NULL;
}

static struct err *handshake(TALLOC_CTX *mem, struct connection *c, const char *ca_file)
{
	struct err *e = prepare(mem, c, ca_file);
	int r;

	if (e)
		return e;
	do {
		r = gnutls_handshake(c->tls);
		if ((r == GNUTLS_E_AGAIN || r == GNUTLS_E_INTERRUPTED) &&
			!wait_for(c, gnutls_record_get_direction(c->tls) ? POLLOUT : POLLIN))
			return err_new(mem, ERR_ACCOUNT, true, c->where, "the server is silent (TLS)");
	} while (r < 0 && !gnutls_error_is_fatal(r) && slice(c) > 0);
	if (r == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
		return refused(mem, c);
	if (r < 0)
		return err_new(mem, ERR_ACCOUNT, true, c->where, "TLS fails: %s", gnutls_strerror(r));
	return NULL;
}

/* --- connecting -------------------------------------------------------------------------------------------------- */

/* One address; the descriptor is in c->fd, or -1 with errno. */
static void try_address(struct connection *c, const struct addrinfo *a)
{
	int failed = 0;
	socklen_t len = sizeof failed;

	c->fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
	if (c->fd < 0)
		return;
	if (connect(c->fd, a->ai_addr, a->ai_addrlen) == 0)
		return;
	if (errno == EINPROGRESS && wait_for(c, POLLOUT) &&
		getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &failed, &len) == 0 && failed == 0)
		return;
	failed = failed ? failed : errno;
	close(c->fd);
	c->fd = -1;
	errno = failed;
}

struct look_up {
	struct gaicb request;
	struct addrinfo hints;
	char host[256], service[16];
};

/* The host's addresses, as getaddrinfo gives them; it answers in its own time, so a thread of the C library's asks it
 * and we wait no longer than for anything else. */
static int look_up(const struct connection *c, int port, struct addrinfo **found)
{
	struct look_up *l = calloc(1, sizeof *l);
	struct gaicb *list[1];
	int r;

	if (l == NULL)
		abort();
	snprintf(l->host, sizeof l->host, "%s", c->host);
	snprintf(l->service, sizeof l->service, "%d", port);
	l->hints = (struct addrinfo){.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	l->request = (struct gaicb){.ar_name = l->host, .ar_service = l->service, .ar_request = &l->hints};
	list[0] = &l->request;
	r = getaddrinfo_a(GAI_NOWAIT, list, 1, NULL);
	for (int left; r == 0 && (r = gai_error(&l->request)) == EAI_INPROGRESS && (left = slice(c)) > 0; r = 0) {
		struct timespec time = {.tv_nsec = left * 1000000L};

		gai_suspend((const struct gaicb *const *)list, 1, &time);
	}
	*found = r == 0 ? l->request.ar_result : NULL;
	/* An answer that still comes is written here: then this is left to it. */
	if (r != EAI_INPROGRESS || gai_cancel(&l->request) == EAI_CANCELED)
		free(l);
	return r == EAI_INPROGRESS ? EAI_AGAIN : r;
}

static struct err *connect_host(TALLOC_CTX *mem, struct connection *c, int port)
{
	struct addrinfo *found;
	int r = look_up(c, port, &found);

	if (r != 0)
		return err_new(mem, ERR_ACCOUNT, true, c->where, "the server's name is not known: %s", gai_strerror(r));
	errno = EADDRNOTAVAIL;
	for (const struct addrinfo *a = found; a && c->fd < 0; a = a->ai_next)
		try_address(c, a);
	r = errno;
	freeaddrinfo(found);
	return c->fd < 0 ? err_new(mem, ERR_ACCOUNT, true, c->where, "the server cannot be reached: %s", strerror(r))
			 : NULL;
}

struct err *tls_connect(TALLOC_CTX *mem, const struct tls_settings *settings, bool starttls, mailstream **out)
{
	struct connection *c = calloc(1, sizeof *c); /* libetpan frees it */
	mailstream_low *low;
	struct err *e;

	if (c == NULL)
		return err_new(mem, ERR_PROCESS, true, settings->host, "out of memory");
	c->fd = -1;
	c->deadline = pipe_now() + settings->seconds * 1000;
	c->stop = settings->stop;
	snprintf(c->host, sizeof c->host, "%s", settings->host);
	snprintf(c->where, sizeof c->where, "%s:%d", c->host, settings->port);
	e = connect_host(mem, c, settings->port);
	if (e == NULL && !starttls)
		e = handshake(mem, c, settings->ca_file);
	if (e) {
		release(c);
		free(c);
		return e;
	}
	low = mailstream_low_new(c, &driver);
	*out = low ? mailstream_new(low, STREAM_BUFFER) : NULL;
	if (*out == NULL)
		abort(); /* as talloc does when memory ends: there is no way on */
	return NULL;
}

struct err *tls_start(TALLOC_CTX *mem, mailstream *stream, const char *ca_file)
{
	struct connection *c = mailstream_get_low(stream)->data;

	if (stream->read_buffer_len != 0)
		return err_new(mem, ERR_ACCOUNT, true, c->where,
			"the server sent something in the clear after STARTTLS; somebody may be in between");
	return handshake(mem, c, ca_file);
}

void tls_deadline(mailstream *stream, int seconds)
{
	struct connection *c = mailstream_get_low(stream)->data;

	c->deadline = pipe_now() + seconds * 1000;
}
