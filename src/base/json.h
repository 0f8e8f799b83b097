/* Writing JSON: a value at a time, commas and escapes by the writer. */
#ifndef GALLOPER_BASE_JSON_H
#define GALLOPER_BASE_JSON_H

#include "base/buf.h"

#include <stdint.h>

enum { JSON_DEPTH_MAX = 32 };

struct json {
	struct buf *out;
	int depth;
	bool first[JSON_DEPTH_MAX];
};

void json_begin(struct json *j, struct buf *out);
/* `name` is NULL inside an array or at the top. */
void json_open_object(struct json *j, const char *name);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *name);
void json_close_array(struct json *j);
void json_string(struct json *j, const char *name, const char *value); /* NULL value -> null */
void json_int(struct json *j, const char *name, int64_t value);
void json_bool(struct json *j, const char *name, bool value);

#endif
