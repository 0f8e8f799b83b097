#include "mail/limits.h"

#include "base/address.h"

#include <string.h>
#include <strings.h>

/* Google: "Gmail sending limits in Google Workspace" and "Limits for sending and getting mail"; the relay counts for
 * itself. Microsoft: "Exchange Online limits", message rate and recipient rate. */
static const struct {
	const char *host, *domain; /* of the server; of the account's address, "" = any */
	struct sending_limits limits;
} known[] = {
	{"smtp.gmail.com", "gmail.com", {LIMITS_NONE, 500}},
	{"smtp.gmail.com", "googlemail.com", {LIMITS_NONE, 500}},
	{"smtp.gmail.com", "", {LIMITS_NONE, 2000}},
	{"smtp-relay.gmail.com", "", {LIMITS_NONE, 10000}},
	{"smtp.office365.com", "", {30, 10000}},
	{"smtp-mail.outlook.com", "", {30, LIMITS_NONE}},
};

struct sending_limits sending_limits(const struct server_config *server, const char *address)
{
	const char *domain = address_valid(address) ? address_domain(address) : "";

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(server->host, known[i].host) == 0 &&
			(known[i].domain[0] == '\0' || strcasecmp(domain, known[i].domain) == 0))
			return known[i].limits;
	return (struct sending_limits){LIMITS_NONE, LIMITS_NONE};
}
