/* "Yes please": a mail that takes what was suggested without the word ACCEPT. */
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
		"your", "go", "with", "its", NULL};
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

static int count_words(const char *folded)
{
	int words = *folded != '\0';

	for (const char *c = folded; *c != '\0'; c++)
		words += *c == ' ';
	return words;
}

bool orders_assent(TALLOC_CTX *mem, const char *text)
{
	TALLOC_CTX *work = talloc_new(mem);
	char *lines = talloc_strdup(work, text), *rest = NULL;
	bool assent = false, first = true;
	int words = 0;

	for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		char *folded = text_fold(work, line);

		if (folded[0] == '\0')
			continue;
		if (first)
			assent = strchr(line, '?') == NULL && is_assent(folded);
		else
			words += count_words(folded);
		if (!assent)
			break;
		first = false;
	}
	talloc_free(work);
	return assent && words <= CLOSING_WORDS;
}
