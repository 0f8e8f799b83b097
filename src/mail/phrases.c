#include "mail/phrases.h"

#include "base/buf.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* At the start, and as whole words. */
static bool starts_word(const char *text, const char *words)
{
	size_t n = strlen(words);

	return strncmp(text, words, n) == 0 && (text[n] == ' ' || text[n] == '\0');
}

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

/* Somewhere, as whole words. */
static bool has_word(const char *text, const char *words)
{
	size_t n = strlen(words);

	for (const char *p = strstr(text, words); p; p = strstr(p + 1, words))
		if ((p == text || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

static bool any(const char *text, const char *const *list, bool (*test)(const char *, const char *))
{
	for (; *list; list++)
		if (test(text, *list))
			return true;
	return false;
}

/* For a test of how the text begins. Each line is compared with hundreds of phrases, few of which begin like it: hence
 * the first letters first. */
static bool any_from(const char *text, const char *const *list, bool (*test)(const char *, const char *))
{
	for (; *list; list++)
		if (**list == *text && test(text, *list))
			return true;
	return false;
}

static bool contains(const char *text, const char *what)
{
	return strstr(text, what) != NULL;
}

/* Of phrases that have letters beyond ASCII, every one. */
static bool contains_foreign(const char *text, const char *const *list)
{
	return !text_is_ascii(text, strlen(text)) && any(text, list, contains);
}

static bool equals(const char *text, const char *what)
{
	return strcmp(text, what) == 0;
}

static int words(const char *folded)
{
	int n = *folded != '\0';

	for (; *folded; folded++)
		n += *folded == ' ';
	return n;
}

/* --- replies ----------------------------------------------------------------------------------------------------- */

/* In folded form. An attribution begins with one and has the other as a word. */
static const struct attribution {
	const char *begins, *has;
} attributions[] = {
	{"on", "wrote"},
	{"at", "wrote"},
	{"in message", "writes"},
	{"am", "schrieb"},
	{"le", "a ecrit"},
	{"el", "escribio"},
	{"el", "va escriure"},
	{"il", "ha scritto"},
	{"in data", "ha scritto"},
	{"em", "escreveu"},
	{"a", "escreveu"},
	{"op", "schreef"},
	{"op", "geschreven"},
	{"den", "skrev"},
	{"pa", "skrev"},
	{"tirsdag", "skrev"},
	{"dnia", "napisal"},
	{"dnia", "napisał"},
	{"w dniu", "napisał"},
	{"dne", "napsal"},
	{"dna", "napisal"},
	{"pe", "kirjoitti"},
	{"ma", "kirjoitti"},
	{"ti", "kirjoitti"},
	{"ke", "kirjoitti"},
	{"to", "kirjoitti"},
	{"la", "kirjoitti"},
	{"su", "kirjoitti"},
	{"vao", "đa viet"},
	{"ar", "ysgrifennodd"},
	{"ar", "scriobh"},
	{"dia", "sgriobh"},
	{"quoting", "quoting"},
	{"zitat", "von"},
};

/* Said before or after a name and a date, whatever the line begins with. */
static const char *const says[] = {"wrote", "writes", "schrieb am", "schrieb", "a ecrit", "escribio", "ha scritto",
	"escreveu", "schreef", "napisał", "napisał a", "napisal a", "pisze", "skrev", "kirjoitti", "irta", "scriobh",
	"sgriobh", "ysgrifennodd", NULL};

/* Scripts that folding takes apart or that part no words: looked for as they stand. */
static const char *const says_elsewhere[] = {
	"написал", "написа:", "пише", "写道", "寫道", "작성", "のメッセージ", NULL};

static int digits_in(const char *plain)
{
	int n = 0;

	for (; *plain; plain++)
		n += *plain >= '0' && *plain <= '9';
	return n;
}

/* A date or an address: without one, "Tom wrote:" may be the pupil's own words. */
static bool dated(const char *plain)
{
	return strchr(plain, '@') != NULL || digits_in(plain) >= 4;
}

/* Is there one in what an attribution from here on would take? */
static bool dated_soon(const struct phrase_line *l, int count)
{
	int n = 0;

	for (int i = 0; i < count && i < PHRASE_ATTRIBUTION_LINES; i++) {
		n += digits_in(l[i].plain);
		if (n >= 4 || strchr(l[i].plain, '@') != NULL)
			return true;
	}
	return false;
}

/* Whole by itself: from its first word on. */
static bool is_whole_attribution(const char *folded)
{
	for (size_t i = 0; i < sizeof attributions / sizeof *attributions; i++)
		if (*folded == *attributions[i].begins && starts_word(folded, attributions[i].begins) &&
			has_word(folded, attributions[i].has))
			return true;
	return false;
}

/* A year of our time, standing alone. */
static bool has_year(const char *plain)
{
	for (const char *p = plain; *p; p++)
		if (p[0] == '2' && p[1] == '0' && isdigit((unsigned char)p[2]) && isdigit((unsigned char)p[3]) &&
			!isdigit((unsigned char)p[4]) && (p == plain || !isdigit((unsigned char)p[-1])))
			return true;
	return false;
}

/* In languages without a verb, or whose verb is not listed: "2026-11-30 9:05 GMT+01:00 Carol <c@x>:". Nobody types a
 * year and an address before a colon (Armenian has its own), or a date first and the address last, as orders. */
static bool is_year_and_address(const char *plain)
{
	const char *last = strrchr(plain, ' ');

	if (!has_year(plain) || strchr(plain, '@') == NULL)
		return false;
	return ends(plain, ":") || ends(plain, "\u055d") ||
	       (isdigit((unsigned char)plain[0]) && last != NULL && strchr(last, '@') != NULL);
}

/* Yahoo on phones goes on in the same line with what it quotes: "On ... 2026 at 17:42, Carol <c@x> wrote:   Hi Tom,".
 */
static bool is_attribution_and_more(const char *plain)
{
	const char *open = strchr(plain, '<'), *close = open ? strchr(open, '>') : NULL,
		   *colon = close ? strchr(close, ':') : NULL;
	const char *year = strstr(plain, "20"), *at = open ? strchr(open, '@') : NULL;

	return colon != NULL && colon[1] == ' ' && colon - close < 30 &&
	       strcspn(close, "0123456789;") > (size_t)(colon - close) && at != NULL && at < close && year != NULL &&
	       year < open && has_year(plain);
}

static bool is_attribution(const char *plain, const char *folded)
{
	/* Zoho puts dashes about it and no colon behind; others lose the colon. */
	bool verb_last = any(folded, says, ends) && has_year(plain);

	if (is_year_and_address(plain) || is_attribution_and_more(plain) || (verb_last && is_whole_attribution(folded)))
		return true;
	if (!ends(plain, ":") || !dated(plain))
		return false;
	if (is_whole_attribution(folded))
		return true;
	if (any(folded, says, ends) || has_word(folded, "schrieb am") || contains(plain, "schrieb:") ||
		contains_foreign(plain, says_elsewhere))
		return true;
	if ((ends(plain, ">:") || has_year(plain)) && any(folded, says, has_word))
		return true;
	return ends(plain, ">:") && strchr(plain, '@') != NULL && isdigit((unsigned char)plain[0]);
}

/* Has it a date at least, of what may go on in the next line? */
static bool begins_attribution(const struct phrase_line *l)
{
	for (size_t i = 0; i < sizeof attributions / sizeof *attributions; i++)
		if (attributions[i].begins[1] != '\0' && starts_word(l->folded, attributions[i].begins) &&
			dated(l->plain))
			return true;
	return has_year(l->plain);
}

/* How many of these lines it takes. */
static int attribution_lines(TALLOC_CTX *mem, const struct phrase_line *l, int count)
{
	struct buf *plain, *folded;
	int n = 0;

	if (!dated_soon(l, count))
		return 0;
	plain = buf_new(mem);
	folded = buf_new(mem);
	for (int i = 0; i < count && i < PHRASE_ATTRIBUTION_LINES && n == 0; i++) {
		if (*l[i].plain == '\0' || l[i].depth != l[0].depth || strlen(l[i].plain) > 400)
			break;
		buf_printf(plain, "%s%s", i ? " " : "", l[i].plain);
		buf_printf(folded, "%s%s", i ? " " : "", l[i].folded);
		if (is_attribution(plain->data, folded->data))
			n = i + 1;
	}
	talloc_free(plain);
	talloc_free(folded);
	return n;
}

/* A word or two, a colon and something more: a header's field in a language that is on no list. */
static bool is_labelled(const char *plain)
{
	const char *label = plain + strspn(plain, "*_ "), *colon = strchr(label, ':');
	int blanks = 0;

	if (colon == NULL || colon == label || colon - label > 30 ||
		(colon[1] != ' ' && colon[1] != '*' && colon[1] != '\t') ||
		colon[1 + strspn(colon + 1, "* \t")] == '\0')
		return false;
	for (const char *p = label; p < colon; p++)
		blanks += *p == ' ';
	return blanks <= 3;
}

int phrase_attribution(TALLOC_CTX *mem, const struct phrase_line *l, int count)
{
	int n = attribution_lines(mem, l, count);

	/* One that begins later must not swallow the line above it, such as an order's. */
	if (n > 1 && is_labelled(l->plain))
		return 0;
	if (n > 1 && !begins_attribution(l) && attribution_lines(mem, l + 1, n - 1) == n - 1)
		return 0;
	for (int i = 1; i < n; i++)
		if (ends(l[i].plain, ":") && is_whole_attribution(l[i].folded))
			return 0;
	return n;
}

int phrase_introduces(const struct phrase_line *l, int count)
{
	bool broken = count > 1 && l[1].depth == l->depth && (l[1].plain[0] == '<' || ends(l->plain, "<"));
	int n = broken ? 2 : 1;
	const char *last = l[n - 1].plain, *at = strchr(last, '@');
	bool addressed = at != NULL && strchr(at, '>') != NULL && (broken || strchr(last, '<') != NULL);

	/* Nextcloud: a name, an address and a date, and no colon. */
	if (n == 1 && at != NULL && has_year(last) && isdigit((unsigned char)last[strlen(last) - 1]))
		return 1;
	if (!ends(last, ":"))
		return 0;
	if (addressed || has_year(last))
		return n;
	return n == 1 && (is_whole_attribution(l->folded) || any(l->folded, says, ends)) ? n : 0;
}

/* Folded, or as they stand where folding would take them apart. */
static const char *const from_names[] = {"from", "von", "de", "de la", "da", "van", "fran", "fra", "od", "od koho",
	"lahettaja", "felado", "saatja", "nuo", "bho", "от", "від", "от кого", "Από", "kimden", "gan", "oddi wrth", "o",
	"מאת", "من", "发件人", "寄件者", "差出人", "보낸 사람", "발신", NULL};
static const char *const sent_names[] = {"sent", "date", "gesendet", "datum", "envoye", "enviado", "enviado el",
	"fecha", "inviato", "data", "verzonden", "skickat", "sendt", "dato", "wysłano", "wyslano", "odeslano",
	"lahetetty", "elkuldve", "trimis", "enviat el", "odoslane", "poslano", "saadetud", "issiusta", "отправлено",
	"надіслано", "изпратено", "дата", "Στάλθηκε", "Ημερομηνία", "gonderilme tarihi", "gonderildi", "anfonwyd",
	"seolta", "air a chur", "נשלח", "תאריך", "تاريخ", "发送时间", "日期", "送信日時", "보낸 날짜", NULL};
static const char *const to_names[] = {"to", "an", "a", "para", "aan", "till", "til", "do", "komu", "vastaanottaja",
	"cimzett", "catre", "per a", "prima", "za", "adressaat", "kam", "кому", "pour", "до", "Προς", "kime", "at",
	"chuig", "gu", "אל", "إلى", "收件人", "收件者", "宛先", "받는 사람", NULL};
static const char *const subject_names[] = {"subject", "betreff", "objet", "sujet", "cuspair", "asunto", "oggetto",
	"assunto", "onderwerp", "ogg", "amne", "emne", "temat", "tema", "predmet", "zadeva", "aihe", "targy", "subiect",
	"teema", "тема", "относно", "Θέμα", "konu", "pwnc", "abhar", "נושא", "الموضوع", "主题", "主旨", "件名", "제목",
	NULL};

enum field { FIELD_NONE, FIELD_FROM = 1, FIELD_SENT = 2, FIELD_TO = 4, FIELD_SUBJECT = 8 };

static enum field field_named(const char *name)
{
	if (any_from(name, from_names, equals))
		return FIELD_FROM;
	if (any_from(name, sent_names, equals))
		return FIELD_SENT;
	if (any_from(name, subject_names, equals))
		return FIELD_SUBJECT;
	return any_from(name, to_names, equals) ? FIELD_TO : FIELD_NONE;
}

/* Which field of a mail's header the line shows, as "From: ..." or "*From:* ...". */
static enum field field_shown(TALLOC_CTX *mem, const struct phrase_line *l)
{
	const char *plain = l->plain + strspn(l->plain, "*_| "), *colon = strpbrk(plain, *l->plain == '|' ? "|" : ":");
	enum field f = FIELD_NONE;
	char *raw, *name;

	if (colon == NULL || colon - plain > 30)
		return FIELD_NONE;
	raw = talloc_strndup(mem, plain, (size_t)(colon - plain));
	name = text_fold(raw, raw);
	while (*raw && strchr("*_ ", raw[strlen(raw) - 1]))
		raw[strlen(raw) - 1] = '\0';
	f = field_named(name);
	if (f == FIELD_NONE && !text_is_ascii(raw, strlen(raw)))
		f = field_named(raw);
	talloc_free(raw);
	return f;
}

/* "17:43" or "17.43". */
static bool has_time(const char *plain)
{
	for (const char *p = strpbrk(plain, ":."); p != NULL; p = strpbrk(p + 1, ":."))
		if (p > plain && isdigit((unsigned char)p[-1]) && isdigit((unsigned char)p[1]) &&
			isdigit((unsigned char)p[2]) && !isdigit((unsigned char)p[3]))
			return true;
	return false;
}

static bool is_dated_with_time(const char *plain)
{
	return strchr(plain, '@') == NULL && has_year(plain) && has_time(plain);
}

/* Three labelled lines or more, with an address in one and a date with its time in another, and one of these first:
 * nobody orders so. */
static int labelled_block(const struct phrase_line *l, int count)
{
	bool address = false, date = false;
	int n = 0;

	if (strchr(l->plain, '@') == NULL && !is_dated_with_time(l->plain))
		return 0;
	for (; n < count && n < PHRASE_BLOCK_LINES && is_labelled(l[n].plain); n++) {
		address = address || strchr(l[n].plain, '@') != NULL;
		date = date || is_dated_with_time(l[n].plain);
	}
	return n >= 3 && address && date ? n : 0;
}

int phrase_header_block(TALLOC_CTX *mem, const struct phrase_line *l, int count)
{
	unsigned seen = 0;
	bool told = false;
	int end = 0, labelled;

	if (count == 0)
		return 0;
	labelled = labelled_block(l, count);
	/* No unit has a name like From, Sent or Subject; "A: ..." is French for To, and an order. */
	if (!(field_shown(mem, l) & (FIELD_FROM | FIELD_SENT | FIELD_SUBJECT)))
		return labelled;
	for (int i = 0; i < count && i < PHRASE_BLOCK_LINES; i++) {
		enum field f = field_shown(mem, l + i);

		if (*l[i].plain == '\0' && __builtin_popcount(seen) >= 3)
			break;
		seen |= f;
		told = told || (f != FIELD_NONE && (strchr(l[i].plain, '@') != NULL || has_time(l[i].plain)));
		if (f != FIELD_NONE)
			end = i + 1;
	}
	/* A pupil may head a dispatch with From, To and Date; a mail program names an address, or a time of day. */
	return __builtin_popcount(seen) >= 3 && told ? end : labelled;
}

bool phrase_from_address(TALLOC_CTX *mem, const struct phrase_line *l)
{
	return strchr(l->plain, '@') != NULL && field_shown(mem, l) == FIELD_FROM;
}

static const char *const original_names[] = {"original message", "original mail", "ursprungliche nachricht",
	"ursprungliche mail", "originalnachricht", "original nachricht", "message d origine", "message original",
	"mail original", "mensaje original", "mensagem original", "messaggio originale", "oorspronkelijk bericht",
	"oprindelig besked", "oprindelig meddelelse", "ursprungligt meddelande", "originalmeddelande", "orijinal mesaj",
	"opprinnelig melding", "wiadomosc oryginalna", "oryginalna wiadomosc", "alkuperainen viesti", "puvodni zprava",
	"puvodni e mail", "povodna sprava", "eredeti uzenet", "mesaj original", "reply message", "replied message",
	NULL};
/* What a helpdesk puts above the earlier mails. */
static const char *const helpdesk_lines[] = {"type your reply above this line", "reply above this line",
	"antwort uber dieser zeile", "oberhalb dieser zeile", "reponse au dessus de cette ligne",
	"respuesta por encima de esta linea", "risposta sopra questa riga", "antwoord boven deze regel", NULL};
static const char *const forward_names[] = {"forwarded message", "forwarded by", "weitergeleitete nachricht",
	"message transfere", "message transmis", "mensaje reenviado", "mensagem encaminhada", "messaggio inoltrato",
	"doorgestuurd bericht", "videresendt besked", "vidarebefordrat meddelande", "przekazana wiadomosc",
	"vidarebefordrat brev", "wiadomosc przekazana", "przesłana wiadomosc", "videresendt melding",
	"valitetty viesti", "preposlana zprava", "tovabbitott uzenet", "mesaj redirectionat", "mensaje enviado", NULL};
static const char *const forward_lines[] = {"begin forwarded message", "anfang der weitergeleiteten nachricht",
	"debut du message reexpedie", "debut du message transfere", "inicio del mensaje reenviado",
	"inizio messaggio inoltrato", "begin doorgestuurd bericht", "vidarebefordrat brev", NULL};

/* Bold text has an asterisk before the dashes. */
static bool is_dashed(const char *plain)
{
	return plain[strspn(plain, "*")] == '-';
}

/* Folding turns d'origine into dorigine: it drops the apostrophe. */
static bool dashed(const struct phrase_line *l, const char *const *names)
{
	return is_dashed(l->plain) && any_from(l->folded, names, starts);
}

/* Notes: "-----Galloper <game@mail.test> wrote: -----". */
static bool is_dashed_attribution(const char *plain)
{
	const char *address = strchr(plain, '<');

	return ends(plain, "-----") &&
	       (contains(plain, " wrote:") || (address != NULL && strchr(address, '@') != NULL));
}

/* GroupWise: ">>> Carol <c@x> 30/11/2026 17:42 >>>", and no marks below it. */
bool phrase_between_arrows(const struct phrase_line *l)
{
	return l->depth == 3 && ends(l->plain, ">>>") && dated(l->plain);
}

/* "##- Please type your reply above this line -##"; or with no signs round it, and then by itself. */
static bool is_helpdesk_line(const struct phrase_line *l)
{
	return (strchr("#-=*~", l->plain[0]) != NULL && any(l->folded, helpdesk_lines, contains)) ||
	       starts_word(l->folded, "reply above this line") ||
	       starts_word(l->folded, "please type your reply above this line");
}

bool phrase_original_message(const struct phrase_line *l)
{
	static const char *const elsewhere[] = {"原邮件", "原始邮件", "Исходное сообщение", "원본 메시지",
		"원본 이메일", "元のメッセージ", "Оригінальне повідомлення", "Αρχικό μήνυμα", NULL};

	return dashed(l, original_names) || is_helpdesk_line(l) ||
	       (is_dashed(l->plain) &&
		       (strcmp(l->folded, "original") == 0 || is_dashed_attribution(l->plain) ||
			       starts(l->folded, "message dorigine") || contains_foreign(l->plain, elsewhere)));
}

bool phrase_forwarded(const struct phrase_line *l)
{
	return dashed(l, forward_names) || any_from(l->folded, forward_lines, equals) ||
	       (is_dashed(l->plain) && (contains(l->plain, "转发") || contains(l->plain, "Пересылаемое")));
}

/* Is the text as the pattern says? '#' stands for a number, '*' at the end for whatever follows. */
static bool is_like(const char *text, const char *pattern)
{
	for (; *pattern != '\0'; pattern++) {
		size_t digits = strspn(text, "0123456789");

		if (*pattern == '*')
			return true;
		if (*pattern == '#' ? digits == 0 : *text != *pattern)
			return false;
		text += *pattern == '#' ? digits : 1;
	}
	return *text == '\0';
}

/* From templates/; a school that words them anew loses only this. */
bool phrase_own_mail(const struct phrase_line *l)
{
	static const char *const patterns[] = {"Answer this mail with a line for each unit*",
		"with a line for each unit, above everything else*", "Answer this mail. Above everything else write*",
		"Answer any of our mails. Above everything else*", "Thank you: everything was understood*",
		"Thank you. # line could not be *", "Thank you. # lines could not be *", "This mail is for *",
		"Your mail has come, but nothing was done with it*", "Nothing of your mail was taken as an order*",
		"Nothing was done with your mail: *", "Your mail came too late for turn #*", "Your mail answers one *",
		"PLEASE NOTE: you have had as many answers*", "This is turn #, part # of #: *",
		"Turn # was not fought.", "Turn # has been resolved, and nobody *",
		"The referee has corrected the report*", "The referee has taken up an earlier line*", "NO ORDERS YET",
		"NO ORDERS YET FOR TURN #*", "WHAT YOU CAN DO", "THE FIELD AT THE END", "WHAT YOU CAN WRITE",
		"This is a drill: a small battle of *", "You play for the *", "Turn # ends *", "Turn #: the *",
		"HOW TO PLAY", "THE BATTLEFIELD", "THE MAP NOW", "THE MAP AFTER TURN #", "WHAT HAPPENED IN TURN #",
		"YOUR ORDERS FOR TURN #", "YOUR ORDERS ON THE MAP", "NOT READ AS ORDERS", "PLEASE LOOK AGAIN",
		"WHERE EVERYBODY IS", "THE RULES ON ONE PAGE"};

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (*patterns[i] == *l->plain && is_like(l->plain, patterns[i]))
			return true;
	return false;
}

bool phrase_placeholder(const struct phrase_line *l)
{
	static const char *const begins[] = {
		"[cid:", "[image", "[Image", "[Bild", "[logo", "[http", "[](http", "<http", NULL};
	const char *end = strpbrk(l->plain, *l->plain == '<' ? ">" : "])");

	if (end != NULL && strncmp(l->plain, "[](", 3) == 0)
		end = strchr(l->plain, ')');
	return end != NULL && end[1] == '\0' && any_from(l->plain, begins, starts);
}

bool phrase_rule(const struct phrase_line *l)
{
	size_t n = strspn(l->plain, "_");

	return n >= 20 && l->plain[n] == '\0';
}

/* --- ends and beginnings ----------------------------------------------------------------------------------------- */

bool phrase_signature_mark(const struct phrase_line *l)
{
	return strcmp(l->plain, "--") == 0 || strcmp(l->plain, "-- ") == 0;
}

/* "Get Outlook for iOS", in whatever language. */
static bool is_outlook_for_phone(const char *plain)
{
	return contains(plain, "Outlook") && (contains(plain, "iOS") || contains(plain, "Android"));
}

/* In whatever language: a few words with a telephone's name or a Windows program's among them. */
static bool names_device(const struct phrase_line *l)
{
	static const char *const devices[] = {"iPhone", "iPad", "iPod", NULL};
	static const char *const programs[] = {"mail ", "courrier ", "correo ", "posta ", "poczta ", "post ", NULL};
	bool windows = has_word(l->folded, "windows") && any(l->folded, programs, contains);

	return words(l->folded) <= 6 && strpbrk(l->plain, ";=") == NULL &&
	       (windows || (any(l->plain, devices, contains) && strpbrk(l->plain, ":0123456789") == NULL));
}

/* "Hello! All charge!" is an order, greeted. */
static bool has_order_word(const char *folded)
{
	static const char *const orders[] = {"hold", "charge", "attack", "assault", "advance", "move", "march", "go",
		"fire", "shoot", "volley", "retreat", "retire", "withdraw", "face", "turn", "wheel", "stay", "stand",
		"halt", "remain", "melee", "fight", "join", "leave", "rally", "ready", "wait", "help", "status",
		"orders", "map", "rules", "accept", "drill", "resend", "concede", NULL};

	return any(folded, orders, has_word);
}

bool phrase_advertisement(const struct phrase_line *l)
{
	static const char *const names[] = {"sent from", "sent via", "sent with", "sent by", "sent using",
		"sent on the", "from my iphone", "from my ipad", "from my phone", "from my mobile", "from my android",
		"from my galaxy", "sent fra", "seolta o", "air a chur bhon", "scanned by", "verzonden met",
		"get outlook for", "get the new outlook", "get bluemail", "get typeapp", "download outlook",
		"created with typeapp", "virus free", "avast logo", "please excuse", "von meinem", "von outlook",
		"diese nachricht wurde von", "gesendet von", "gesendet mit", "gesendet aus", "envoye de",
		"envoye depuis", "envoye a partir", "enviado desde", "enviado do meu", "enviado de mi",
		"enviado de samsung", "enviat des", "enviado a partir", "inviato da", "inviato dal", "scarica outlook",
		"verzonden vanaf", "verstuurd vanaf", "verzonden vanuit", "skickat fran", "sendt fra", "lahetetty",
		"wyslane z", "wysłane z", "wysłano z", "odeslano z", "odoslane z", "poslano s", "poslano z",
		"kuldve az", "trimis de pe", "anfonwyd o", "holen sie sich outlook",

		"telecharger outlook", "obtenez outlook", "obtener outlook", "obter o outlook", "yahoo mail",
		"hamta outlook", "hent outlook", NULL};
	static const char *const elsewhere[] = {"Отправлено с", "Отправлено из", "Надіслано з", "Изпратено от",
		"נשלח מה", "أُرسلت من", "Στάλθηκε από", "gönderildi", "发自我的", "从我的", "我的 iPhone", "から送信",
		"나의 iPhone에서 보냄", NULL};

	if (words(l->folded) > 25 || strlen(l->plain) >= 250)
		return false;
	if (starts(l->folded, "sent from my ") && has_order_word(l->folded)) /* and typed on in its line */
		return false;
	return any_from(l->folded, names, starts_word) || contains_foreign(l->plain, elsewhere) ||
	       is_outlook_for_phone(l->plain) || names_device(l) ||
	       (ends(l->folded, "wwwavastcom") && !starts(l->folded, "http") && !starts(l->folded, "www")) ||
	       ends(l->folded, " kuldve") || (starts_word(l->folded, "von") && ends(l->folded, " gesendet"));
}

/* A single letter may be a unit's code: "hi A hold" is no greeting. */
static bool has_code(const char *folded)
{
	for (const char *p = folded; *p; p++)
		if ((p == folded || p[-1] == ' ') && (p[1] == ' ' || p[1] == '\0'))
			return true;
	return false;
}

static bool has_digit(const char *text)
{
	return strpbrk(text, "0123456789") != NULL;
}

bool phrase_greeting(const struct phrase_line *l)
{
	static const char *const names[] = {"hi", "hiya", "yo", "hello", "hey", "dear", "good morning",
		"good afternoon", "good evening", "good day", "greetings", "morning", "afternoon", "evening",
		"to whom it may concern", "to the galloper", "your grace", "my lord", "gday", "heya", "hoi", "dag",
		"hallo", "liebe", "lieber", "guten tag", "guten morgen", "sehr geehrte", "sehr geehrter", "bonjour",
		"salut", "cher", "chere", "hola", "buenos dias", "buenas tardes", "ciao", "salve", "buongiorno", "ola",
		"bom dia", "beste", "geachte", "hej", "hei", "czesc", "dzien dobry", "shwmae", "helo", "annwyl",
		"dia duit", "dia dhuit", "a chara", "halo", "feasgar math", "madainn mhath", "latha math", NULL};
	size_t n = strlen(l->plain);
	char last = n ? l->plain[n - 1] : '\0';
	const char *colon = strchr(l->plain, ':');
	int most = last == ',' || last == '!' || last == ':' || starts_word(l->folded, "dear") ? 6 : 3;

	return any_from(l->folded, names, starts_word) && words(l->folded) <= most && !has_digit(l->plain) &&
	       !has_code(l->folded) && !has_order_word(l->folded) && strchr(l->plain, ';') == NULL &&
	       (colon == NULL || (strlen(colon) <= 3 && colon[1] != ' '));
}

bool phrase_closing(const struct phrase_line *l)
{
	static const char *const names[] = {"regards", "kind regards", "best regards", "warm regards", "many thanks",
		"kindest regards", "warmest regards", "thanks and regards", "with best wishes", "with kind regards",
		"thanks", "thank you", "thank you so much", "thank u", "thanks so much", "many thanks in advance", "ty",
		"tysm", "thank you very much", "thanks very much", "thanks a lot", "thanks in advance", "thx", "ta",
		"cheers", "best wishes", "all the best", "best", "yours sincerely", "yours faithfully", "yours truly",
		"yours", "sincerely", "love", "bye", "bye for now", "see you", "see you soon", "sincerely yours",
		"have a nice day", "have a good day", "have a great day", "have a good weekend", "have a nice weekend",
		"have a great weekend", "hope this is ok", "thanks sir", "thanks miss", "thank you sir",
		"thank you miss", "mit freundlichen grussen", "viele grusse", "liebe grusse", "danke", "vielen dank",
		"mfg", "lg", "vg", "gruss", "grusse", "schone grusse", "cordialement", "merci", "bien cordialement",
		"bonne journee", "saludos", "gracias", "un saludo", "cordiali saluti", "grazie", "saluti", "obrigado",
		"obrigada", "met vriendelijke groet", "groetjes", "groeten", "bedankt", "med vanlig halsning",
		"med vennlig hilsen", "med venlig hilsen", "hilsen", "mvh", "halsningar", "vanliga halsningar", "tack",
		"takk", "tak", "pozdrawiam", "dziekuje", "cofion", "diolch", "slainte", NULL};

	return any_from(l->folded, names, equals);
}

/* A player's own words, whatever they are about. */
static bool is_said(const struct phrase_line *l)
{
	static const char *const verbs[] = {"say", "note", "because", NULL};

	return any_from(l->folded, verbs, starts_word);
}

/* Does it speak of a mail, in whatever language? */
static bool names_mail(const char *folded)
{
	static const char *const mails[] = {"email", "e mail", "mail", "message", "communication", "attachment",
		"nachricht", "courriel", "mensaje", "correo", "messaggio", "comunicazione", "bericht", "wiadomosc",
		"ebost", "e bost", "teachdaireachd", "riomhphost", "meddelande", "meddelelse", "melding", "viesti",
		"zprava", "sprava", "uzenet", "mesaj", "mensagem", NULL};

	return any(folded, mails, contains);
}

/* A long line that speaks of a mail and says that it is secret, or for somebody: no order. */
static bool is_legal(const char *folded)
{
	static const char *const secrets[] = {"confidential", "confidentiel", "confidencia", "confidenzial", "riservat",
		"vertraulich", "vertrouwelijk", "poufn", "yfrinachol", "diomhair", "konfidentiel", "konfidentsiaal",
		"fortrolig", "luottamuksell", "duvern", "bizalmas", "gizli", "intended recipient", "addressee",
		"geadresseerde", "adresat", "destinat", "derbynnydd", NULL};

	return words(folded) >= 8 && names_mail(folded) && any(folded, secrets, contains);
}

bool phrase_disclaimer(const struct phrase_line *l, int count)
{
	static const char *const opens[] = {"confidentiality notice", "confidentiality note", "disclaimer",
		"legal disclaimer", "legal notice", "email disclaimer", "please consider the environment",
		"please think before you print", "think before you print", "if you are not the intended recipient",
		"if you have received this", "p please consider the environment", "save paper",
		"the views expressed in", "any views or opinions", "this email has been scanned",
		"this e mail has been scanned", "this message has been scanned", "this email has been checked",
		"this email was sent from a pupil", "this email was sent by a pupil", "diese e mail enthalt",
		"diese e mail wurde von avast", "der inhalt dieser e mail", "bitte denken sie an die umwelt",
		"pensez a l environnement", "pensez a lenvironnement", "this is a student account",
		"this is a pupil account", "this account is monitored", NULL};
	static const char *const subjects[] = {"registered office", "to report this", "this email", "this e mail",
		"this message", "this communication", "this transmission", "contained in this", "content of this",
		"contents of this", "ce message", "ce courriel", "este mensaje", "este correo", "questo messaggio",
		"questa e mail", "dit bericht", "deze e mail", "diese nachricht", NULL};
	static const char *const claims[] = {"confidential", "privileged", "intended solely", "intended only",
		"intended for the", "intended recipient", "addressee", "virus", "as spam", "registered in",
		"views are those", "confidentiel", "confidencial", "riservat", "vertrouwelijk", "vertraulich", NULL};

	if (is_said(l))
		return false;
	if (any_from(l->folded, opens, starts_word) || is_legal(l->folded))
		return true;
	if (!any(l->folded, subjects, contains))
		return false;
	for (int i = 0; i < count && i < 4 && *l[i].plain; i++)
		if (any(l[i].folded, claims, contains))
			return true;
	return false;
}

bool phrase_warning(const struct phrase_line *l)
{
	static const char *const opens[] = {"external email", "external e mail", "external mail", "external sender",
		"external message", "external", "this email originated", "this email came from",
		"this e mail originated", "this message originated", "this message was sent from outside",
		"this message is from an external", "this message is from an untrusted", "this message came from",
		"this e mail is from outside", "this e mail came from", "this email has been received from",
		"this e mail has been received from", "this sender is not", "this is the first time you",
		"you have not previously", "think before you click", "this email was sent from outside",
		"this email is from outside", "this email has come from", "you don t often get email",
		"you dont often get email", "some people who received this message", "caution external", "do not click",
		"be careful with this message", "use caution", "achtung externe", "externe e mail",
		"expediteur externe", "courriel externe", "report suspicious", "barracuda networks",
		"be careful with links", NULL};
	static const char *const cautions[] = {"caution", "warning", "attention", "atencion", "attenzione", "let op",
		"uwaga", "achtung", "alert", "notice", "important", "precaucion", "advertencia", "aviso",
		"avertissement", "vorsicht", "hinweis", "waarschuwing", "ostrzezenie", "rhybudd", "rabhadh", "varning",
		"advarsel", "varoitus", "cuidado", "atencao", NULL};
	static const char *const claims[] = {"external", "originated", "outside", "click", "unknown sender", "extern",
		"exterieur", "fuera de", "dallesterno", "buiten de", "spoza", "utanfor", "uden for", "utenfor",
		"ulkopuol", "fora da", NULL};

	static const char *const hints[] = {"external", "originated", "click", "sender", NULL};
	static const char *const marks[] = {"zjqcmqryfpfptbanner", "sophospsmartbanner", NULL};

	return any_from(l->folded, opens, starts_word) || any_from(l->folded, marks, starts) ||
	       contains(l->folded, "learnaboutsenderidentification") ||
	       (any_from(l->folded, cautions, starts_word) && any(l->folded, claims, contains) &&
		       (names_mail(l->folded) || any(l->folded, hints, contains)));
}

bool phrase_warning_goes_on(const struct phrase_line *l)
{
	static const char *const claims[] = {"click", "links", "attachments", "the sender", "recogni", "inky",
		"outside your", "content is safe", "learn why", "organisation", "organization", "phishing",
		"suspicious", "opening", "external", NULL};

	return any(l->folded, claims, contains);
}
