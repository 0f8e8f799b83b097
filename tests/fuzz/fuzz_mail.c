/* Any bytes through the whole mail reader, in one process; the record must survive its way over the pipe as well. */
#include "mail/decode.h"
#include "mail/reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const enum reader_mode modes[] = {READER_WHOLE, READER_COPY};
	static struct charsets *charsets; /* opening them takes longer than reading a mail */
	TALLOC_CTX *mem = talloc_new(NULL);

	if (charsets == NULL)
		charsets = charsets_open(NULL);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		struct message *m = message_read(mem, charsets, modes[i], (const char *)bytes, len), *again;
		size_t encoded;
		char *record = message_encode(mem, m, &encoded);

		if (!message_decode(mem, record, encoded, &again))
			abort();
	}
	talloc_free(mem);
	return 0;
}
