/* galloper.conf: one definition table gives each setting its type, default, check, help, and its place in the file that
 * `galloper init` writes. Lines are "NAME VALUE" (base/line.h). Relative paths start from the file's own folder. */
#ifndef GALLOPER_CONFIG_CONFIG_H
#define GALLOPER_CONFIG_CONFIG_H

#include "base/err.h"

#include <stdint.h>

enum transport { TRANSPORT_MAILDIR, TRANSPORT_SERVER }; /* incoming: maildir|imap; outgoing: maildir|smtp */
enum security { SECURITY_TLS, SECURITY_STARTTLS };

struct server_config {
	const char *host;
	int port;
	int security; /* enum security; a connection in the clear is not offered */
	const char *user;
	/* One way to log in at most: */
	const char *password; /* from the file itself or from the password file; "" = none */
	const char *password_file;
	const char *password_command; /* for the shell: prints the password; "" or NULL = none */
	const char *token_command;    /* likewise: prints an OAuth2 access token */
};

struct config {
	const char *path; /* of the file that was read */
	const char *database;
	const char *address; /* the game's own address: From of every mail, and where orders go */
	const char *sender_name;
	const char *operator_address;      /* told about what names no game; "" = nobody */
	bool plus_addressing;              /* address+token@domain reaches the mailbox */
	const char *authentication_server; /* whose Authentication-Results are read; "" = nobody's */

	int incoming; /* enum transport */
	const char *maildir_in;
	struct server_config imap;
	const char *mailbox, *processed_folder, *rejected_folder;

	int outgoing;
	const char *maildir_out;
	struct server_config smtp;

	const char *ca_file; /* "" = the system's certificates */
	int poll_seconds;
	int network_seconds; /* deadline of one exchange with a server */
	int answers_per_hour;
	int forget_after; /* days after the end of a game, for `purge` */
	int log_level;    /* enum log_level */
};

/* Reads and checks the file. Errors are located and say what is allowed; a file with secrets that others may read is
 * an error. */
struct err *config_read(TALLOC_CTX *mem, const char *path, struct config **out) MUST_CHECK;

/* The commented file that `init` writes: every setting with its help and default. `address` and `operator_address` are
 * put in as given. On `mem`. */
char *config_sample(TALLOC_CTX *mem, const char *address, const char *operator_address);

#endif
