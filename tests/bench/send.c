/* The peer of our sending: nothing but libcurl, one kept connection, the same mail again and again.
 * send URL CA-FILE USER PASSWORD FROM TO FILE COUNT */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mail {
	const char *at;
	size_t left;
};

static size_t give(char *to, size_t size, size_t count, void *context)
{
	struct mail *m = context;
	size_t n = size * count < m->left ? size * count : m->left;

	memcpy(to, m->at, n);
	m->at += n;
	m->left -= n;
	return n;
}

static size_t drop(char *line, size_t size, size_t count, void *context)
{
	(void)line;
	(void)context;
	return size * count;
}

int main(int argc, char **argv)
{
	static char bytes[1 << 20];
	FILE *f = argc == 9 ? fopen(argv[7], "r") : NULL;
	size_t len = f == NULL ? 0 : fread(bytes, 1, sizeof bytes, f);
	CURL *easy = curl_easy_init();
	struct curl_slist *to;
	struct mail mail;

	if (len == 0 || easy == NULL)
		return 2;
	to = curl_slist_append(NULL, argv[6]);
	curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
	curl_easy_setopt(easy, CURLOPT_CAINFO, argv[2]);
	curl_easy_setopt(easy, CURLOPT_USERNAME, argv[3]);
	curl_easy_setopt(easy, CURLOPT_PASSWORD, argv[4]);
	curl_easy_setopt(easy, CURLOPT_MAIL_FROM, argv[5]);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, to);
	curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
	curl_easy_setopt(easy, CURLOPT_READDATA, &mail);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, drop);
	for (int i = 0; i < atoi(argv[8]); i++) {
		CURLcode code;

		mail = (struct mail){bytes, len};
		code = curl_easy_perform(easy);
		if (code != CURLE_OK) {
			fprintf(stderr, "send: %s\n", curl_easy_strerror(code));
			return 1;
		}
	}
	return 0;
}
