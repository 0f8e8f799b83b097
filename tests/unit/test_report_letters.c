/* report/template and report/html: mails are laid out in 72 columns, and nothing in a value is taken for a mark. */
#include "report_fixture.h"

#include "base/buf.h"
#include "report/html.h"
#include "report/map.h"
#include "report/template.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

static struct err *render(
	TALLOC_CTX *mem, const char *file, const char *text, const struct value *values, int count, struct letter *out)
{
	struct template *t;
	struct err *e = template_read(mem, file, text, &t);

	return e != NULL ? e : template_fill(mem, t, values, count, out);
}

static struct letter rendered(TALLOC_CTX *mem, const char *text, const struct value *values, int count)
{
	struct letter out;

	assert_null(render(mem, "t.txt", text, values, count, &out));
	return out;
}

static void test_values_and_sections(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct value values[] = {{"tag", "[x T3]"}, {"name", "Barrell's"}, {"none", ""}, {"null", NULL}};
	struct letter l = rendered(mem,
		"Subject: {{tag}} Orders{{#none}} no{{/none}}{{^none}} yes{{/none}}\n"
		"\n"
		"{{#name}}\n"
		"We have {{name}}.\n"
		"{{/name}}\n"
		"{{#null}}\n"
		"Never.\n"
		"{{/null}}\n"
		"End.\n",
		values, 4);

	(void)state;
	assert_string_equal(l.subject, "[x T3] Orders yes");
	assert_string_equal(l.text, "We have Barrell's. End.\n");
	talloc_free(mem);
}

static void test_layout(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct value values[] = {
		{"block", "one\n  two\n\nfour\n\n\n"}, {"long", "a name that takes the line beyond its end"}};
	struct letter l = rendered(mem,
		"Subject: x\n"
		"\n"
		"\n"
		"Here is a paragraph of two lines\n"
		"with {{long}} and a word.\n"
		"A HEADING\n"
		"text under it\n"
		"- an item that is long enough to be broken into two lines of\n"
		"  seventy-two columns\n"
		"- another\n"
		"\n"
		"    kept   as it is\n"
		"  {{block}}\n"
		"{{block}}\n",
		values, 2);

	(void)state;
	assert_string_equal(l.text, "Here is a paragraph of two lines with a name that takes the line beyond\n"
				    "its end and a word.\n"
				    "A HEADING\n"
				    "text under it\n"
				    "- an item that is long enough to be broken into two lines of seventy-two\n"
				    "  columns\n"
				    "- another\n"
				    "\n"
				    "    kept   as it is\n"
				    "  one\n"
				    "    two\n"
				    "\n"
				    "  four\n"
				    "one\n"
				    "  two\n"
				    "\n"
				    "four\n");
	talloc_free(mem);
}

static void test_hostile_values(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct value values[] = {
		{"a", "{{b}} {{#b}} {{/b}} %s%n \x01\x1b[31m"}, {"b", "secret"}, {"c", "x\nBcc: all@example"}};
	struct letter l = rendered(mem, "Subject: {{a}} {{c}}\n\n{{a}}\n", values, 3);

	(void)state;
	assert_string_equal(l.text, "{{b}} {{#b}} {{/b}} %s%n   [31m\n");
	assert_null(strchr(l.subject, '\n'));
	assert_null(strstr(l.subject, "secret"));
	talloc_free(mem);
}

/* A long subject is cut before its tag, at a blank where there is one, and never within a character. */
static void test_long_subjects(void **state)
{
	static const char tag[] = "[a-game-with-the-longest-name-of-all T99c qzzzzzzfqzzzzzzfpnrzzzzfq2by0cwe18z9p]";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *words = buf_new(mem), *letters = buf_new(mem), *wide = buf_new(mem), *cut = buf_new(mem);
	const struct value values[] = {{"tag", tag}, {"words", NULL}, {"letters", NULL}, {"wide", NULL}};
	struct value v[4];
	struct letter l;

	(void)state;
	for (int i = 0; i < 500; i++) {
		buf_adds(words, i == 0 ? "seven" : " seven");
		buf_addc(letters, 'x');
		buf_adds(wide, "\xF0\x9F\x90\x8E");
	}
	memcpy(v, values, sizeof v);
	v[1].text = words->data;
	v[2].text = letters->data;
	v[3].text = wide->data;
	l = rendered(mem, "Subject: {{words}} {{tag}}\n\nx\n", v, 4);
	for (int i = 0; i < 20; i++)
		buf_adds(cut, i == 0 ? "seven" : " seven");
	assert_string_equal(l.subject, talloc_asprintf(mem, "%s... %s", cut->data, tag));
	l = rendered(mem, "Subject: {{letters}} {{tag}}\n\nx\n", v, 4);
	assert_string_equal(l.subject, talloc_asprintf(mem, "%.120s... %s", letters->data, tag));
	l = rendered(mem, "Subject: {{wide}} {{tag}}\n\nx\n", v, 4);
	assert_string_equal(l.subject, talloc_asprintf(mem, "%.480s... %s", wide->data, tag));
	l = rendered(mem, "Subject: {{wide}}\n\nx\n", v, 4);
	assert_string_equal(l.subject, talloc_asprintf(mem, "%.480s...", wide->data));
	l = rendered(mem, "Subject: {{tag}}\n\nx\n", v, 4);
	assert_string_equal(l.subject, tag);
	l = rendered(mem, "Subject: short {{tag}}\n\nx\n", v, 4);
	assert_string_equal(l.subject, talloc_asprintf(mem, "short %s", tag));
	talloc_free(mem);
}

static void wrong(const char *text, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct value values[] = {{"a", "1"}, {"b", ""}};
	struct letter l;
	struct err *e = render(mem, "t.txt", text, values, 2, &l);

	assert_non_null(e);
	assert_string_equal(err_text(mem, e), expected);
	talloc_free(mem);
}

static void test_wrong_templates(void **state)
{
	(void)state;
	wrong("Subject: x\n\n{{#a}}\nx\n", "t.txt:3: a section without its end: {{a}}");
	wrong("Subject: x\n\n\n{{c}}\n", "t.txt:4: there is no value {{c}}");
	wrong("Subject: x\n\n{{#b}}{{c}}{{/b}}\n", "t.txt:3: there is no value {{c}}");
	wrong("Subject: x\n\n{{/a}}\n", "t.txt:3: there is no open section {{a}}");
	wrong("Subject: x\n\n{{#a}}{{/b}}\n", "t.txt:3: there is no open section {{b}}");
	wrong("Subject: x\n\nhello {{a\n", "t.txt:3: a mark without its end: {{a}}");
	wrong("Hello\n\n{{a}}\n", "t.txt: the first line must be 'Subject: ...'");
}

/* Whatever values are put in, no line is longer than 72 columns: all templates with all sorts of values. */
static void test_width_of_all_templates(void **state)
{
	static const char *const fillings[] = {"x", "a rather long line of words that goes on and on and then on again",
		"one\ntwo words\n\n    indented and so long that it has to be broken somewhere, but where exactly?\n",
		"Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
	TALLOC_CTX *mem = talloc_new(NULL);
	int templates = 0;
	char *folder;
	struct dirent *d;
	DIR *dir;

	(void)state;
	assert_null(data_folder(mem, &folder));
	dir = opendir(talloc_asprintf(mem, "%s/templates", folder));
	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL) {
		char *file = talloc_asprintf(mem, "templates/%s", d->d_name), *text;
		struct value values[128];
		int count = 0;
		size_t len;

		if (strstr(d->d_name, ".txt") == NULL)
			continue;
		templates++;
		assert_null(data_read(mem, file, &text, &len));
		assert_int_equal(strncmp(text, "Subject: ", 9), 0);
		for (const char *p = strstr(text, "{{"); p != NULL; p = strstr(p + 2, "{{")) {
			const char *name = p + 2 + (strchr("#^/", p[2]) != NULL);

			assert_in_range(count, 0, 127);
			values[count++].name = talloc_strndup(mem, name, strcspn(name, "}"));
		}
		for (int round = 0; round < 8; round++) {
			struct letter l;

			for (int i = 0; i < count; i++)
				values[i].text = (i + round) % 5 == 4 ? "" : fillings[(i + round) % 4];
			assert_null(render(mem, file, text, values, count, &l));
			assert_width(l.text, LETTER_COLUMNS);
			assert_null(strstr(l.text, "\n\n\n"));
			assert_null(strstr(l.text, "{{"));
		}
	}
	closedir(dir);
	assert_in_range(templates, 9, 40);
	talloc_free(mem);
}

/* --- HTML -------------------------------------------------------------------------------------------------------- */

/* Only the marks that we write ourselves, each with its end, and no bare & < or >. */
static void assert_well_formed(const char *html)
{
	const char *body = strstr(html, "<pre"), *end = strstr(html, "</pre></body></html>\n");
	int open = 0, spans = 0;

	assert_non_null(body);
	assert_non_null(end);
	for (const char *p = strchr(body, '>') + 1; p < end; p++) {
		if (strncmp(p, "<b style=\"color:#", 17) == 0) {
			assert_int_equal(open++, 0);
			p = strchr(p, '>');
		} else if (strncmp(p, "</b>", 4) == 0) {
			assert_int_equal(--open, 0);
			p += 3;
		} else if (strncmp(p, "<span class=\"", 13) == 0) {
			assert_int_equal(spans++, 0);
			p = strchr(p, '>');
		} else if (strncmp(p, "</span>", 7) == 0) {
			assert_int_equal(open, 0);
			assert_int_equal(--spans, 0);
			p += 6;
		} else if (*p == '&') {
			assert_true(strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
				    strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0);
		} else {
			assert_true(*p != '<' && *p != '>');
		}
	}
	assert_int_equal(open, 0);
	assert_int_equal(spans, 0);
}

/* The document's text: what stands in the <pre>, without marks. */
static char *text_of(TALLOC_CTX *mem, const char *html)
{
	static const char *const marks[][2] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
	const char *p = strchr(strstr(html, "<pre"), '>') + 2, *end = strstr(html, "</pre></body></html>\n");
	struct buf *out = buf_new(mem);

	while (p < end) {
		bool taken = false;

		if (*p == '<') {
			p = strchr(p, '>') + 1;
			continue;
		}
		for (size_t i = 0; i < sizeof marks / sizeof *marks && !taken; i++) {
			taken = strncmp(p, marks[i][0], strlen(marks[i][0])) == 0;
			if (taken) {
				buf_adds(out, marks[i][1]);
				p += strlen(marks[i][0]);
			}
		}
		if (!taken)
			buf_addc(out, *p++);
	}
	return out->data;
}

/* Every client sees the plain text; where rules are kept, paragraphs flow, and lines that are none stay apart. */
static void test_html_flow(void **state)
{
	static const char text[] = "Thank you: everything was understood. You can change your orders for tur\n"
				   "two until Friday.\n"
				   "\n"
				   "* Barrell's (R): move 4 inches north and fire at Camerons, if Hamilton's\n"
				   "  (dragoons) are gone.\n"
				   "* Price's (H): hold.\n"
				   "  3. This event ends so near to the end of its line that no word fits it.\n"
				   "  4. This is another.\n"
				   "\n"
				   "> Camerns: advance 4\n"
				   "  ^\n"
				   "--- ORDERS falkirk-7b turn 1 ---\n"
				   "R Barrell's: move 4 north, face west; fire j, h; charge nearest if withi\n"
				   "    6\n"
				   "S Battereau's: move 4 north, face west; fire j, h; charge nearest if it.\n"
				   "H Price's: hold\n"
				   "--- END ---\n"
				   "    D: move 4 north              # or advance 4\n";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	const char *html = html_page(mem, text, sc->state);

	(void)state;
	assert_well_formed(html);
	assert_string_equal(text_of(mem, html), text);
	assert_non_null(strstr(html, "<span class=\"p\">Thank you: everything"));
	assert_non_null(strstr(html, "two until Friday.\n</span>\n<span class=\"p i02\">* "));
	assert_non_null(
		strstr(html, "if <b style=\"color:#d43e38\">Hamilton's\n  (dragoons)</b> are gone.\n</span>* "));
	assert_non_null(strstr(html, "fits it.\n</span>  4. This"));
	assert_non_null(strstr(html, "<span class=\"c\">    D: move 4 north              # or advance 4\n</span>"));
	assert_non_null(strstr(html, ".i02{padding-left:2ch;text-indent:-2ch}\n"));
	assert_non_null(strstr(html, "<span class=\"q\">&gt; Camerns: advance 4\n  ^\n</span>--- ORDERS"));
	assert_non_null(strstr(html, "if withi\n    6\n</span><span class=\"p i02\">S "));
	talloc_free(mem);
}

static void test_html_colours(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	const char *html = html_page(mem,
		"Barrell's fire on Camerons at 9\". Cameronsx, xBarrell's.\n"
		" 8|.   .   .   .   . LiA^.   .   Ch cv6.  Hu R^6 .   .   .   = |\n"
		"--- ORDERS falkirk turn 1 ---\n"
		"R Barrell's: fire j <\n"
		"--- END ---\n"
		"Barrell's\n",
		sc->state);

	(void)state;
	assert_non_null(
		strstr(html, "<b style=\"color:#d43e38\">Barrell's</b> fire on <b style=\"color:#207bb8\">Camerons"
			     "</b> at 9&quot;. Cameronsx, xBarrell's.\n"));
	assert_non_null(strstr(html, "<b style=\"color:#d43e38\">LiA^</b>."));
	assert_non_null(strstr(html, "<b style=\"color:#d43e38\">Ch</b> <b style=\"color:#207bb8\">cv6</b>.  <b "
				     "style=\"color:#d43e38\">Hu R^6</b> ."));
	assert_non_null(strstr(html, "R Barrell's: fire j &lt;\n--- END ---\n<b "));
	assert_well_formed(html);
	talloc_free(mem);
}

static void test_html_hostile(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	const char *text, *html;

	(void)state;
	strcpy(unit_of(sc, "R")->name, "<script>alert(\"1\")</script>&");
	strcpy(unit_of(sc, "S")->code, "<");
	text = talloc_asprintf(
		mem, "%s%s: a & b </pre> <b>\n", map_draw(mem, &sc->table, sc->state, NULL), unit_of(sc, "R")->name);
	html = html_page(mem, text, sc->state);
	assert_null(strstr(html, "<script"));
	assert_well_formed(html);
	assert_well_formed(html_page(mem, text, NULL));
	talloc_free(mem);
}

/* A very long report loses its colours before it grows too large for a mail. */
static void test_html_size(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct buf *text = buf_new(mem);
	const char *html;

	(void)state;
	while (text->len < 40000)
		buf_adds(text, "Barrell's fire on Camerons\n");
	html = html_page(mem, text->data, sc->state);
	assert_in_range(strlen(html), 40000, 60000);
	assert_null(strstr(html, "<b "));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_and_sections),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_hostile_values),
		cmocka_unit_test(test_long_subjects),
		cmocka_unit_test(test_wrong_templates),
		cmocka_unit_test(test_width_of_all_templates),
		cmocka_unit_test(test_html_flow),
		cmocka_unit_test(test_html_colours),
		cmocka_unit_test(test_html_hostile),
		cmocka_unit_test(test_html_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
