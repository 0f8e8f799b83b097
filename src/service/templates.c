#include "service/templates.h"

#include "base/file.h"

#include <string.h>

struct found {
	const char *name;
	struct template *template;
};

struct templates {
	struct found *list;
	int count;
};

struct templates *templates_new(TALLOC_CTX *mem)
{
	return talloc_zero(mem, struct templates);
}

void templates_forget(struct templates *all)
{
	TALLOC_FREE(all->list);
	all->count = 0;
}

struct err *templates_read(TALLOC_CTX *mem, const char *file, struct template **out)
{
	char *text;
	size_t len;
	struct err *e = data_read(mem, file, &text, &len);

	return e != NULL ? e : template_read(mem, file, text, out);
}

struct err *templates_find(struct templates *all, TALLOC_CTX *mem, const char *name, const struct template **out)
{
	struct template *t;
	struct err *e;

	for (int i = 0; i < all->count; i++) {
		*out = all->list[i].template;
		if (strcmp(all->list[i].name, name) == 0)
			return NULL;
	}
	e = templates_read(mem, talloc_asprintf(mem, "templates/%s.txt", name), &t);
	if (e != NULL)
		return e;
	all->list = talloc_realloc(all, all->list, struct found, (unsigned)all->count + 1);
	all->list[all->count++] = (struct found){talloc_strdup(all->list, name), talloc_steal(all->list, t)};
	*out = t;
	return NULL;
}
