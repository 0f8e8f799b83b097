#include "mail/automatic.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

static bool one_of(const char *value, const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(value, *list) == 0)
			return true;
	return false;
}

static bool robot(const char *sender)
{
	static const char *const names[] = {"mailer-daemon", "postmaster", "no-reply", "noreply", "donotreply",
		"do-not-reply", "no_reply", "listserv", "majordomo", NULL};
	char local[32];
	size_t n = strcspn(sender, "@+");

	if (n == 0 || n >= sizeof local)
		return false;
	memcpy(local, sender, n);
	local[n] = '\0';
	return one_of(local, names);
}

/* An absence note says so in the subject, in the language of its sender. The list is in folded form, but for colons,
 * which must stand there. */
static bool absent(const char *subject)
{
	static const char *const begins[] = {"auto:", "automatic reply", "auto reply", "autoreply", "out of office",
		"out of the office", "abwesenheitsnotiz", "automatische antwort", "abwesend:", "reponse automatique",
		"absence du bureau", "respuesta automatica", "fuera de la oficina", "risposta automatica", "fuori sede",
		"franvaro", "autosvar", "automatiskt svar", "automatisch antwoord", "resposta automatica",
		"automaattinen vastaus", "automatyczna odpowiedz", "undeliverable:", "delivery status notification",
		"mail delivery failed", "undelivered mail returned", "returned mail:", "unzustellbar:", NULL};
	char *mem = talloc_new(NULL), *folded = text_fold(mem, subject);
	bool found = false;

	for (const char *const *b = begins; *b && !found; b++) {
		size_t n = strcspn(*b, ":");

		found = strncmp(folded, *b, n) == 0 && ((*b)[n] == '\0' || strncasecmp(subject, *b, n + 1) == 0);
	}
	talloc_free(mem);
	return found;
}

const char *automatic_reason(const struct fields *f, const struct parts *parts, const char *sender, const char *subject)
{
	static const char *const precedences[] = {"bulk", "junk", "list", "auto_reply", NULL};
	char *mem = talloc_new(NULL), *submitted = field_main(mem, fields_get(f, "Auto-Submitted"));
	const char *path = fields_get(f, "Return-Path"), *why = "";

	if (parts && parts->report)
		why = "a report of a mail server (multipart/report)";
	else if (*submitted && strcmp(submitted, "no") != 0)
		why = "an automatic mail (Auto-Submitted)";
	else if (one_of(fields_get(f, "Precedence"), precedences))
		why = "mail in bulk (Precedence)";
	else if (fields_count(f, "List-Id"))
		why = "a mailing list (List-Id)";
	else if (fields_count(f, "Return-Path") && path[strspn(path, "<> ")] == '\0')
		why = "no return path (Return-Path: <>)";
	else if (fields_count(f, "X-Autoreply") || fields_count(f, "X-Autorespond") ||
		 fields_count(f, "X-Autoresponder"))
		why = "an automatic reply (X-Autoreply)";
	else if (robot(sender))
		why = "a robot's address";
	else if (absent(subject))
		why = "an absence note, by its subject";
	talloc_free(mem);
	return why;
}

bool automatic_own(const struct fields *f)
{
	return fields_count(f, "X-Galloper-Loop") > 0 || fields_count(f, "X-Galloper-Mail") > 0;
}

/* --- delivery reports -------------------------------------------------------------------------------------------- */

/* "rfc822; carol@school.test" without its type. */
static const char *typed_value(const char *value)
{
	const char *semicolon = strchr(value, ';');

	return semicolon ? semicolon + 1 + strspn(semicolon + 1, " \t<") : value;
}

/* The blocks of fields of a delivery-status part: the first is the server's, then one a recipient. We write to one. */
static void read_status(TALLOC_CTX *mem, const struct part *p, struct bounce *out)
{
	size_t len, at = 0;
	char *text = part_bytes(mem, p, &len);

	while (at < len && *out->recipient == '\0') {
		struct fields *f = fields_read(mem, text + at, len - at);
		const char *recipient = fields_get(f, "Final-Recipient");

		if (*recipient == '\0')
			recipient = fields_get(f, "Original-Recipient");
		if (*recipient) {
			const char *status = fields_get(f, "Status"), *action = fields_get(f, "Action");

			out->present = true;
			out->recipient = talloc_strdup(mem, typed_value(recipient));
			out->status = talloc_strndup(mem, status, strspn(status, "0123456789."));
			out->diagnostic = talloc_strdup(mem, typed_value(fields_get(f, "Diagnostic-Code")));
			out->permanent = strncasecmp(action, "failed", 6) == 0 && *status != '4';
		}
		if (f->end == 0)
			break;
		at += f->end;
	}
	talloc_free(text);
}

void bounce_read(TALLOC_CTX *mem, const struct parts *parts, struct bounce *out)
{
	for (int i = 0; i < parts->count; i++) {
		const struct part *p = &parts->list[i];
		bool headers = strcmp(p->type, "text/rfc822-headers") == 0;

		if (p->inside)
			continue;
		if (strcmp(p->type, "message/delivery-status") == 0)
			read_status(mem, p, out);
		if ((headers || strcmp(p->type, "message/rfc822") == 0) && *out->original_id == '\0' && parts->report) {
			size_t len;
			char *text = part_bytes(mem, p, &len);
			struct fields *f = fields_read(mem, text, len);

			out->original_id = talloc_strdup(mem, fields_get(f, "Message-ID"));
			talloc_free(text);
		}
	}
}
