/* Memory that a process which waits most of the time need not hold. */
#ifndef GALLOPER_BASE_MEMORY_H
#define GALLOPER_BASE_MEMORY_H

/* Gives back to the system what the heap has free, and the pages of programs and libraries that nobody has changed:
 * most of those were touched once, by the loader. What is needed again comes back from the system's cache. */
void memory_trim(void);

#endif
