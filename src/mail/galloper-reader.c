/* galloper-reader: the sandboxed child that every reading of a mail starts (reader.h). A program of its own, so that it
 * loads what reading needs and nothing that could reach a network. */
#include "mail/reader.h"

#include <malloc.h>

int main(void)
{
	/* Else the memory of a mail is given back to the system after each, and asked for again. */
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	return reader_child();
}
