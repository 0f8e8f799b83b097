/* `galloper doctor`: tries everything that a real set-up needs, one thing after the other, and says of each fault what
 * to do about it, in words for a teacher. It changes nothing but this: one mail to the game's own address, which is
 * filed as processed when it has come back. */
#ifndef GALLOPER_SERVICE_DOCTOR_H
#define GALLOPER_SERVICE_DOCTOR_H

#include "base/clock.h"
#include "base/log.h"
#include "mail/reader.h"
#include "service/service.h"

enum finding {
	FINDING_FINE,
	FINDING_ADVICE, /* works, but could be better or may surprise */
	FINDING_FAULT,
};

/* Takes a finding: what was looked at and seen, and (for all but FINDING_FINE) what to do. */
typedef void (*doctor_say)(void *context, enum finding finding, const char *seen, const char *advice);

struct doctor {
	doctor_say say;
	void *context;
	struct clock clock;
	const struct log *log;
	struct reader *reader;
	int wait_seconds;    /* for the mail to oneself; 0: none is sent */
	int faults, advices; /* out */
};

/* Examines the set-up of that configuration file, as far as the faults let it go. */
void doctor_examine(struct doctor *d, TALLOC_CTX *mem, const char *config_path);

/* A finding, for the parts of the examination: prints what was seen like printf. */
void doctor_fine(struct doctor *d, TALLOC_CTX *mem, const char *format, ...) PRINTF_LIKE(3, 4);
void doctor_advise(struct doctor *d, const char *seen, const char *advice);
void doctor_fault(struct doctor *d, const char *seen, const char *advice);

/* The part about mail: mailbox, sending, and a mail to oneself (doctor_mail.c). */
void doctor_mail(struct doctor *d, TALLOC_CTX *mem, const struct service *s);

#endif
