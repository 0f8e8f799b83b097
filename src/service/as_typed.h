/* From the plain form of a sheet back to what was typed. */
#ifndef GALLOPER_SERVICE_AS_TYPED_H
#define GALLOPER_SERVICE_AS_TYPED_H

#include "orders/sheet.h"

/* Puts the lines as they were typed into the sheet's problems, commands and what was set aside, and counts the columns
 * in them (in code points, from 1; a byte order mark counts nothing), where `plain` is text_plain of `typed` and the
 * sheet was read from it, with its lines and columns where they were. A line that is no UTF-8 stays in its plain form.
 * Nothing is done to a sheet that was refused. Time grows with the length of the text and of the lines with problems.
 */
void as_typed(struct sheet *sheet, const char *plain, size_t plain_len, const char *typed, size_t typed_len);

#endif
