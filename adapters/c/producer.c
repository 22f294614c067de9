/* A producer in C behind the suite, with nothing but the C library and POSIX: copy this file, and call your client in
 * `produce`. Then: kafka-conformance smoke 'cmd:./producer', and run the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "settings" is what it can be asked to do, also: "idempotent", "transactional", "level", "acks". */
static const char hello[] = "{\"protocol\": 1, \"kind\": \"producer\", \"name\": \"mine\", \"version\": \"1.0\","
    "\"language\": \"C\", \"checks_crc\": true, \"formats\": [\"v2\"],"
    "\"codecs\": [\"none\", \"gzip\", \"snappy\", \"lz4\", \"zstd\"],"
    "\"fields\": [\"offset\", \"timestamp\", \"timestamp_type\", \"key\", \"value\", \"headers\"],"
    "\"directions\": [\"encode\"], \"requests\": [\"produce\"], \"settings\": [\"headers\"]}";

struct bytes { unsigned char *data; int32_t size; }; /* a negative size is null */
struct record {
    int64_t timestamp;
    struct bytes key, value;
    int32_t header_count;
    struct bytes *headers; /* name, value, name, value, ... */
};
struct order {
    const char *topic, *codec;
    const char *level, *acks; /* NULL: the client's own */
    int idempotent, transactional; /* a transaction has the topic's name as its id, and is committed */
    int32_t record_count;
    struct record *records;
};

static void say_failure(const char *text); /* says what the application was told of a failure */

/* Writes all records of an order to partition 0 of its topic, and waits until they are sent. */
static void produce(const char *broker, const struct order *order) {
    char text[200];
    snprintf(text, sizeof text, "nothing writes %d records to %s of %s", (int)order->record_count, order->topic, broker);
    say_failure(text);
}

static char *said;
static size_t size, room;

static void put(const char *text, size_t length) {
    if (size + length > room && !(said = realloc(said, room = 2 * (size + length)))) abort();
    memcpy(said + size, text, length), size += length;
}

static void say_failure(const char *text) {
    if (size > 5) put("\n", 1);
    for (; *text; text++) put(*text == '\n' || *text == '\t' ? " " : text, 1);
}

static void reply(FILE *replies) {
    for (int i = 0; i < 4; i++) said[i] = (char)((size - 4) >> (24 - 8 * i));
    fwrite(said, 1, size, replies), fflush(replies);
    size = 0, put("\0\0\0\0O", 5);
}

/* Cuts a text at the next such character, and returns what is behind it; NULL if there is none. */
static char *cut(char *text, char at) {
    char *place = text ? strchr(text, at) : NULL;
    if (place) *place++ = 0;
    return place;
}

static void *more(void *items, int32_t count, size_t item) {
    void *room_for = realloc(items, (size_t)(count + 1) * item);
    if (!room_for) abort();
    return room_for;
}

/* Reads hex in place. */
static struct bytes content(char *text) {
    struct bytes item = {(unsigned char *)text, *text == '-' ? -1 : 0};
    for (; item.size >= 0 && text[0] && text[1]; text += 2) {
        char pair[3] = {text[0], text[1], 0};
        item.data[item.size++] = (unsigned char)strtol(pair, NULL, 16);
    }
    return item;
}

static struct record record_of(char *timestamp) {
    struct record made = {0, {NULL, -1}, {NULL, -1}, 0, NULL};
    char *key = cut(timestamp, '\t'), *value = cut(key, '\t'), *next = cut(value, '\t');
    made.timestamp = strtoll(timestamp, NULL, 10), made.key = content(key), made.value = content(value);
    for (char *name = next; name; name = next, made.header_count++) {
        char *text = cut(name, '\t');
        next = cut(text, '\t');
        made.headers = more(made.headers, 2 * made.header_count + 1, sizeof *made.headers);
        made.headers[2 * made.header_count] = content(name), made.headers[2 * made.header_count + 1] = content(text);
    }
    return made;
}

static struct order order_of(char *topic) {
    struct order made = {topic, "none", NULL, NULL, 0, 0, 0, NULL};
    for (char *name = cut(topic, '\t'), *next; name; name = next) {
        next = cut(name, '\t');
        char *value = cut(name, '=');
        if (!strcmp(name, "codec")) made.codec = value;
        if (!strcmp(name, "level")) made.level = value;
        if (!strcmp(name, "acks")) made.acks = value;
        if (!strcmp(name, "idempotent")) made.idempotent = 1;
        if (!strcmp(name, "transactional")) made.transactional = 1;
    }
    return made;
}

static void finish(const char *broker, struct order *order, FILE *replies) {
    if (!order->topic) return;
    produce(broker, order), reply(replies);
    for (int32_t i = 0; i < order->record_count; i++) free(order->records[i].headers);
    free(order->records);
    *order = (struct order){NULL, NULL, NULL, NULL, 0, 0, 0, NULL};
}

static void answer(char *request, FILE *replies) {
    struct order order = {NULL, NULL, NULL, NULL, 0, 0, 0, NULL};
    char *row = cut(request, '\n'), *next;
    cut(request, '\t'); /* the broker; its release stands behind it */
    for (; row; row = next) {
        next = cut(row, '\n');
        char *words = cut(row, '\t');
        if (!strcmp(row, "order")) {
            finish(request, &order, replies), order = order_of(words);
        } else {
            order.records = more(order.records, order.record_count, sizeof *order.records);
            order.records[order.record_count++] = record_of(words);
        }
    }
    finish(request, &order, replies);
}

int main(void) {
    FILE *replies = fdopen(dup(1), "wb");
    dup2(2, 1); /* what a library prints must not stand between replies */
    for (unsigned char head[4]; fread(head, 1, 4, stdin) == 4;) {
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        char *request = calloc(length + 1, 1);
        if (!request || fread(request, 1, length, stdin) != length) abort();
        size = 0, put("\0\0\0\0", 4), put(request, 1);
        if (*request == 'H') put(hello, strlen(hello)), reply(replies);
        else answer(request + 1, replies);
        free(request);
    }
    return 0;
}
