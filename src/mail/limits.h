/* How much the large providers let one account send, by their published figures: a mail too many locks the account for
 * hours, so we stop before that. We keep one connection to send and one to read, fewer than any of them allows. */
#ifndef GALLOPER_MAIL_LIMITS_H
#define GALLOPER_MAIL_LIMITS_H

#include "config/config.h"

enum { LIMITS_NONE = 1000000 };

struct sending_limits {
	int minute, day; /* mails; LIMITS_NONE where nothing is known */
};

/* By the server's name, and for Gmail by whether `address` is a free account's. */
struct sending_limits sending_limits(const struct server_config *server, const char *address);

#endif
