/* "Yes please": a mail that takes what was suggested without the word ACCEPT, alone or before lines of its own. */
#include "base/text.h"
#include "orders/sheet.h"

#include <string.h>

enum { ASSENT_WORDS = 8, CLOSING_WORDS = 4 };

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/* Folded words, one of which says yes, or a "do" and an "ok". "Ok thanks" may only say that the mail has come. */
static bool is_assent(char *line)
{
	static const char *const yes[] = {
		"yes", "yep", "yeah", "yup", "yea", "sure", "correct", "exactly", "agreed", "agree", "oui", NULL};
	static const char *const well[] = {"ok", "okay", "okey", "okie", "good", "fine", "great", "perfect", "cool",
		"right", "that", "thats", "please", "pls", "plz", NULL};
	static const char *const deeds[] = {
		"do", "take", "use", "suggested", "suggest", "suggestion", "suggestions", "meant", "mean", NULL};
	static const char *const more[] = {"it", "this", "them", "those", "these", "all", "of", "both", "as", "you",
		"u", "say", "said", "i", "we", "is", "are", "was", "thank", "thanks", "sir", "miss", "what", "the",
		"your", "go", "with", "its", "to", "everything", NULL};
	char *rest = NULL, *word = strtok_r(line, " ", &rest);
	bool said = false, approved = false, deed = false;
	int words = 0;

	for (; word != NULL; word = strtok_r(NULL, " ", &rest)) {
		bool means_yes = is_one_of(word, yes), is_well = is_one_of(word, well),
		     is_deed = is_one_of(word, deeds);

		if (++words > ASSENT_WORDS || !(means_yes || is_well || is_deed || is_one_of(word, more)))
			return false;
		said |= means_yes;
		approved |= is_well;
		deed |= is_deed;
	}
	return said || (approved && deed);
}

/* "Yes. Not the guns": what begins so takes back some of the yes. */
static bool takes_back(char *line)
{
	static const char *const words[] = {
		"but", "not", "dont", "except", "only", "no", "never", "without", "wait", NULL};
	char *rest = NULL;

	for (char *word = strtok_r(line, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
		if (is_one_of(word, words))
			return true;
	return false;
}

/* Do the words of `text` up to its first `marks` say yes, and the rest of their line nothing against it? */
static const char *behind_yes(TALLOC_CTX *mem, const char *text, const char *marks)
{
	size_t end = strcspn(text, marks), line;
	const char *rest = text + end + strspn(text + end, ".!,; \t");

	line = strcspn(rest, "\n");
	if (text[end] == '?' || !is_assent(text_fold(mem, talloc_strndup(mem, text, end))) ||
		takes_back(text_fold(mem, talloc_strndup(mem, rest, line))))
		return NULL;
	return rest;
}

/* Is it nothing, or a name below? */
static bool is_closing(TALLOC_CTX *mem, const char *rest)
{
	const char *folded = text_fold(mem, rest);
	int words = *folded != '\0';

	for (const char *c = folded; *c != '\0'; c++)
		words += *c == ' ';
	return words <= CLOSING_WORDS && (words == 0 || *rest == '\n');
}

const char *orders_assent(TALLOC_CTX *mem, const char *text, bool *alone)
{
	TALLOC_CTX *work = talloc_new(mem);
	const char *rest;

	text += strspn(text, " \t\n");
	rest = behind_yes(work, text, "?.!;\n");
	if (rest == NULL)
		rest = behind_yes(work, text, "?.!;,\n");
	*alone = rest != NULL && is_closing(work, rest);
	talloc_free(work);
	return rest;
}
