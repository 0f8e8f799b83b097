#include "service/battles.h"

#include "base/file.h"
#include "base/text.h"

#include <glob.h>
#include <string.h>

enum { BATTLE_BYTES_MAX = 1 << 20, NAME_MAX_LENGTH = 40 };

static bool is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') || (len > 7 && strcmp(name + len - 7, ".battle") == 0);
}

/* A name becomes part of a path, so it is letters, in whatever case, digits and hyphens only. */
static char *small_name(TALLOC_CTX *mem, const char *name)
{
	size_t len = strlen(name);
	char *small = len <= NAME_MAX_LENGTH ? talloc_strdup(mem, name) : NULL;

	for (size_t i = 0; small != NULL && i < len; i++)
		if (small[i] >= 'A' && small[i] <= 'Z')
			small[i] = (char)(small[i] - 'A' + 'a');
	return small != NULL && len > 0 && strspn(small, "abcdefghijklmnopqrstuvwxyz0123456789-") == len ? small : NULL;
}

static struct err *fetch_rules(TALLOC_CTX *mem, struct battle_source *out)
{
	char *path, *bytes;
	struct err *e;

	if (small_name(mem, out->rules_name) == NULL || !ruleset_find(out->rules_name))
		return err_new(mem, ERR_GAME, false, out->rules_place,
			"there is no rule set \"%s\"; there are fastplay and shreds", out->rules_name);
	path = talloc_asprintf(mem, "db/rules/%s.rules", out->rules_name);
	e = data_read(mem, path, &bytes, &out->rules_len);
	out->rules_file = path;
	out->rules = e ? NULL : bytes;
	return e;
}

struct err *battle_names(TALLOC_CTX *mem, const char **out)
{
	char *folder, *names = talloc_strdup(mem, "");
	struct err *e = data_folder(mem, &folder);
	glob_t found;

	if (e)
		return e;
	if (glob(talloc_asprintf(mem, "%s/db/battles/*.battle", folder), 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *file = strrchr(found.gl_pathv[i], '/') + 1;

			names = talloc_asprintf_append(names, "%s%.*s", i ? ", " : "", (int)strcspn(file, "."), file);
		}
		globfree(&found);
	}
	*out = names;
	return NULL;
}

/* There is none of that name: which there are. */
static struct err *no_battle(TALLOC_CTX *mem, const char *name)
{
	const char *names;
	struct err *e = battle_names(mem, &names);

	if (e)
		return e;
	return err_new(mem, ERR_GAME, false, NULL,
		"there is no battle '%s'; there is: %s. Or give the path of a .battle file", name, names);
}

struct err *battle_fetch(
	TALLOC_CTX *mem, const char *name_or_path, const char *rules_override, struct battle_source *out)
{
	const char *name = small_name(mem, name_or_path);
	struct err *e;
	char *bytes;

	*out = (struct battle_source){.rules_place = "", .name = talloc_strdup(mem, name_or_path)};
	if (is_path(name_or_path)) {
		out->battle_file = talloc_strdup(mem, name_or_path);
		e = file_read(mem, name_or_path, BATTLE_BYTES_MAX, &bytes, &out->battle_len);
	} else if (name != NULL) {
		out->name = name;
		out->battle_file = talloc_asprintf(mem, "db/battles/%s.battle", name);
		e = data_read(mem, out->battle_file, &bytes, &out->battle_len);
		if (e)
			return no_battle(mem, name_or_path);
	} else {
		return no_battle(mem, text_escape(mem, name_or_path, strlen(name_or_path)));
	}
	if (!e)
		out->battle = bytes;
	if (!e && rules_override)
		out->rules_name = talloc_strdup(mem, rules_override);
	else if (!e)
		e = scenario_rules_name(
			mem, out->battle_file, out->battle, out->battle_len, &out->rules_name, &out->rules_place);
	if (e)
		e->scope = ERR_GAME; /* whoever named the file has to mend it */
	return e ? e : fetch_rules(mem, out);
}

/* The rule set and its parameters. */
static struct err *parse_rules(
	TALLOC_CTX *mem, const struct battle_source *source, const struct ruleset **rules, struct parameters **base)
{
	*rules = ruleset_find(source->rules_name);
	if (!*rules)
		return err_new(mem, ERR_PROCESS, false, source->battle_file, "there is no rule set \"%s\"",
			source->rules_name);
	*base = parameters_new(mem, (*rules)->parameters, (*rules)->parameter_count);
	(*base)->rules = (*rules)->name;
	return parameters_read(mem, *base, source->rules_file, source->rules, source->rules_len);
}

struct err *battle_parse(
	TALLOC_CTX *mem, const struct battle_source *source, struct scenario **sc, const struct ruleset **rules)
{
	struct parameters *base;
	struct err *e = parse_rules(mem, source, rules, &base);

	if (!e)
		e = scenario_read(mem, source->battle_file, source->battle, source->battle_len, base, sc);
	if (!e && (*rules)->muster)
		(*rules)->muster(*sc);
	return e;
}

struct err *battle_parse_leniently(TALLOC_CTX *mem, const struct battle_source *source, struct scenario **sc,
	const struct ruleset **rules, struct bad_lines *bad)
{
	struct parameters *base;
	struct err *e = parse_rules(mem, source, rules, &base);

	if (e)
		return e;
	*sc = scenario_read_leniently(mem, source->battle_file, source->battle, source->battle_len, base, bad);
	if ((*rules)->muster)
		(*rules)->muster(*sc);
	return NULL;
}

struct err *battle_load(TALLOC_CTX *mem, const char *name_or_path, const char *rules_override, struct scenario **sc,
	const struct ruleset **rules)
{
	struct battle_source source;
	struct err *e = battle_fetch(mem, name_or_path, rules_override, &source);

	return e ? e : battle_parse(mem, &source, sc, rules);
}

struct err *battle_words(TALLOC_CTX *mem, const struct ruleset *rules, struct chronicle **out)
{
	char *name = talloc_asprintf(mem, "templates/%s.events", rules->name), *text;
	size_t len;
	struct err *e = data_read(mem, name, &text, &len);

	if (!e)
		e = chronicle_read(mem, name, text, len, out);
	return e;
}
