/* Pieces of text that cost a reader of orders much when they stand there over and over: for what becomes of them
 * (test_orders_hostile.c) and for what they cost (tests/bench/core.c). */
#ifndef GALLOPER_TESTS_ORDERS_PIECES_H
#define GALLOPER_TESTS_ORDERS_PIECES_H

#include <string.h>
#include <talloc.h>

static const char *const pieces[] = {"R: hold. ", "a, ", "R, ", "if ", "not ", "R: if c within 8 then ", "(", "\"",
	"charge ", "then ", "R: fire at c, ", "blah, ", "blah blah. ", "1. ", "R: move 4 north, ", "\xC3\xA9", ":", "-",
	"R Barrell's ", "Macdonalds ", "what? ", "R: hold? ", "all except ", "and ", "R: move to H4 via ", "with R ",
	"unless c within 8 and ", "fire\n", "R\n", "R,\n", "  x\n", "R:", "R: hold because ", "say to all: ", "cancel ",
	"#", "don't move, ", "hold with c, ", "fire at c then ", "Gen. Gen. ", "can u ", "priority ", "R: blah unles, ",
	"Gen. ", "4 1/2 ", "if c or ", "otherwise ", "same as ", "keep fighting, ", "no wait ", "R too, ",
	"gun 1, 2, "};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* `before`, and then `piece` over and over. On `mem`. */
static char *repeat(TALLOC_CTX *mem, const char *before, const char *piece, size_t bytes)
{
	char *text = talloc_array(mem, char, (unsigned)bytes + 1);
	size_t n = strlen(piece), from = strlen(before);

	memcpy(text, before, from);
	for (size_t i = 0; i + from < bytes; i++)
		text[from + i] = piece[i % n];
	text[bytes] = '\0';
	return text;
}

#endif
