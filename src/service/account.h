/* The mailbox that the configuration names, as the ledger knows it. */
#ifndef GALLOPER_SERVICE_ACCOUNT_H
#define GALLOPER_SERVICE_ACCOUNT_H

#include "service/service.h"
#include "store/mailbox.h"

/* "maildir PATH" (as from the configuration's folder) or "imap USER@HOST/MAILBOX". It is set up the first time that it
 * is asked for, and mail that had arrived before is none of ours: so it is asked for when a game is made. */
struct err *account_load(const struct service *s, TALLOC_CTX *mem, struct account **out) MUST_CHECK;

#endif
