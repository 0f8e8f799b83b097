#include "mail/sink.h"

#include <string.h>

struct sink_settings sink_settings_from(const struct config *c)
{
	const char *at = strchr(c->address, '@');

	return (struct sink_settings){
		.server = &c->smtp,
		.helo = at == NULL ? "localhost" : at + 1,
		.ca_file = c->ca_file,
		.network_seconds = c->network_seconds,
		.folder = c->maildir_out,
	};
}

const char *sink_outcome_name(enum sink_outcome outcome)
{
	switch (outcome) {
	case SINK_SENT:
		return "sent";
	case SINK_LATER:
		return "later";
	case SINK_REFUSED:
		return "refused";
	case SINK_ACCOUNT:
		return "account";
	case SINK_NOT_REACHED:
		return "not reached";
	case SINK_UNCERTAIN:
		return "uncertain";
	}
	return "?";
}
