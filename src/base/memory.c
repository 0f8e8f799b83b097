#include "base/memory.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Parts that can be written to hold addresses which the loader has put in, so they stay. */
static int give_back(struct dl_phdr_info *object, size_t size, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)size;
	(void)context;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
		uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;

		if (part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0)
			madvise((void *)start, end - start, MADV_DONTNEED); /* NOLINT: an address is a number here */
	}
	return 0;
}

void memory_trim(void)
{
	malloc_trim(0);
	dl_iterate_phdr(give_back, NULL);
}
