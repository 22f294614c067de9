/* A consumer in C behind the suite, with nothing but the C library and POSIX: copy this file, and call your client in
 * the four functions at the top. Then: kafka-conformance smoke 'cmd:./consumer', and run the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With "settings": ["reset", "max_bytes", "timeout", "rack", "group"] (those it knows) it takes part in conversations. */
static const char hello[] = "{\"protocol\": 1, \"kind\": \"consumer\", \"name\": \"mine\", \"version\": \"1.0\","
    "\"language\": \"C\", \"checks_crc\": true, \"formats\": [\"v0\", \"v1\", \"v2\"],"
    "\"codecs\": [\"none\", \"gzip\", \"snappy\", \"lz4\", \"zstd\"],"
    "\"fields\": [\"offset\", \"timestamp\", \"timestamp_type\", \"key\", \"value\", \"headers\"],"
    "\"directions\": [\"decode\"], \"requests\": [\"deliver\"], \"partial\": true}";

struct bytes { const void *data; int32_t size; }; /* a negative size is null */
struct header { struct bytes name, value; };

static void say_record(const char *topic, int64_t offset, int64_t timestamp, int type, struct bytes key,
                       struct bytes value, const struct header *headers, int32_t header_count);
static void say_error(const char *topic, const char *text); /* the topic is "?" if the error names none */

/* Makes your client, for a broker host:port and an isolation level, read_uncommitted or read_committed. `settings` are
 * NAME=VALUE, separated by tabs; usually there are none. */
static void open_client(const char *broker, const char *isolation, const char *settings) {
    (void)broker, (void)isolation, (void)settings;
}

/* Consumes partition 0 of a topic from an offset, beside those that it was called for before. */
static void assign_topic(const char *topic, int64_t offset) { (void)topic, (void)offset; }

/* Polls for a tenth of a second, and says what came; the type of a time is 0 create time, 1 log append time, -1 none. */
static void poll_client(void) {
    usleep(100000);
    if (0) say_record("", 0, 0, 0, (struct bytes){NULL, -1}, (struct bytes){"", 0}, NULL, 0), say_error("?", "");
}

/* Ends your client. */
static void close_client(void) {}

static char *said;
static size_t size, room;

static void put(const char *text, size_t length) {
    if (size + length > room && !(said = realloc(said, room = 2 * (size + length)))) abort();
    memcpy(said + size, text, length), size += length;
}

static void put_number(int64_t number) {
    char text[24];
    put(text, (size_t)snprintf(text, sizeof text, "\t%lld", (long long)number));
}

static void put_bytes(struct bytes item) {
    const unsigned char *data = item.data;
    put(item.size < 0 ? "\t-" : "\t", item.size < 0 ? 2 : 1);
    for (int32_t i = 0; i < item.size; i++)
        put(&"0123456789abcdef"[data[i] >> 4], 1), put(&"0123456789abcdef"[data[i] & 15], 1);
}

static void begin_line(const char *word, const char *topic) {
    if (size > 5) put("\n", 1);
    put(word, strlen(word)), put("\t", 1), put(topic, strlen(topic));
}

static void say_record(const char *topic, int64_t offset, int64_t timestamp, int type, struct bytes key,
                       struct bytes value, const struct header *headers, int32_t header_count) {
    begin_line("record", topic), put_number(offset), put_number(timestamp), put_number(type);
    put_bytes(key), put_bytes(value);
    for (int32_t i = 0; i < header_count; i++) put_bytes(headers[i].name), put_bytes(headers[i].value);
}

static void say_error(const char *topic, const char *text) {
    begin_line("error", topic), put("\t", 1);
    for (; *text; text++) put(*text == '\n' || *text == '\t' ? " " : text, 1);
}

static void assign(char *request) {
    char *rows = strchr(request, '\n'), *isolation = strchr(request, '\t');
    if (rows) *rows++ = 0;
    *isolation++ = 0;
    char *settings = strchr(isolation, '\t');
    if (settings) *settings++ = 0;
    open_client(request, isolation, settings ? settings : "");
    for (char *row = rows, *next; row; row = next) {
        if ((next = strchr(row, '\n'))) *next++ = 0;
        char *offset = strchr(row, '\t');
        *offset++ = 0;
        assign_topic(row, strtoll(offset, NULL, 10));
    }
}

int main(void) {
    FILE *replies = fdopen(dup(1), "wb");
    int is_open = 0;
    dup2(2, 1); /* what a library prints must not stand between replies */
    for (unsigned char head[4]; fread(head, 1, 4, stdin) == 4;) {
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        char *request = calloc(length + 1, 1);
        if (!request || fread(request, 1, length, stdin) != length) abort();
        char kind = *request;
        size = 0, put("\0\0\0\0", 4), put(&kind, 1);
        if (kind == 'H') put(hello, strlen(hello));
        if (kind == 'P' && is_open) poll_client();
        if ((kind == 'A' || kind == 'Z') && is_open) close_client(), is_open = 0;
        if (kind == 'A') assign(request + 1), is_open = 1;
        for (int i = 0; i < 4; i++) said[i] = (char)((size - 4) >> (24 - 8 * i));
        fwrite(said, 1, size, replies), fflush(replies);
        free(request);
    }
    return 0;
}
