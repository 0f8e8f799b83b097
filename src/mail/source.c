#include "mail/source.h"

struct source_settings source_settings_from(const struct config *c)
{
	return (struct source_settings){
		.server = &c->imap,
		.ca_file = c->ca_file,
		.network_seconds = c->network_seconds,
		.mailbox = c->mailbox,
		.processed = c->processed_folder,
		.rejected = c->rejected_folder,
		.folder = c->maildir_in,
	};
}
