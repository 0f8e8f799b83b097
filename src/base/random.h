/* Secret bytes come from libsodium. For a scripted week that has to come out the same every time, its source can be
 * replaced by a fixed one. */
#ifndef GALLOPER_BASE_RANDOM_H
#define GALLOPER_BASE_RANDOM_H

#include <stdint.h>

/* From here on every "random" byte of this process follows from `text` and `now` alone. For tests: nothing that is made
 * after this call is secret. Called once, before anything else asks for bytes. */
void random_fix(const char *text, int64_t now);

#endif
