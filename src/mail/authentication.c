#include "mail/authentication.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* "mx.school.test 1; spf=pass ...": is it from that server? */
static bool is_from(const char *line, size_t len, const char *server)
{
	size_t n = strlen(server);

	return n > 0 && len >= n && strncasecmp(line, server, n) == 0 &&
	       (len == n || line[n] == ';' || line[n] == ' ' || line[n] == '\t');
}

/* Does the line hold method=result as whole words? */
static bool says(const char *line, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 1; i + n <= len; i++)
		if (strncasecmp(line + i, what, n) == 0 && strchr("; \t", line[i - 1]) != NULL &&
			(i + n == len || !isalnum((unsigned char)line[i + n])))
			return true;
	return false;
}

/* DMARC has the last word, since it asks if the others are about the address in From. */
static const char *judge(const char *line, size_t len)
{
	bool signed_well = says(line, len, "dkim=pass");

	if (says(line, len, "dmarc=pass"))
		return NULL;
	if (says(line, len, "dmarc=fail"))
		return "dmarc=fail";
	if (says(line, len, "dkim=fail"))
		return signed_well ? NULL : "dkim=fail";
	return says(line, len, "spf=fail") && !signed_well ? "spf=fail" : NULL;
}

const char *authentication_failure(TALLOC_CTX *mem, const char *results, const char *server)
{
	for (size_t len; *results != '\0'; results += len + (results[len] == '\n')) {
		const char *why;

		len = strcspn(results, "\n");
		why = is_from(results, len, server) ? judge(results, len) : NULL;
		if (why != NULL)
			return talloc_strdup(mem, why);
	}
	return NULL;
}
