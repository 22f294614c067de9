/* Serves a decoder in C or C++ over adapter protocol 1, with nothing but the C library and POSIX: copy this file.
 *
 * The decoder does exactly what the library's own consumer does with fetched records, and mends nothing. It adds the
 * records with put_record and returns 0; or it returns 1 to refuse, or 2 for what the library does not claim to do, and
 * sets `reason`. A crash of the library is a crash of this program. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bytes { const void *data; int32_t size; }; /* a negative size is null */
struct header { struct bytes key, value; };
struct record { /* fields that the hello does not declare may stay 0 */
    int64_t offset, timestamp;
    int8_t timestamp_type; /* -1 none, 0 create time, 1 log append time */
    struct bytes key, value;
    int32_t header_count;
    struct header *headers;
    int64_t producer_id;
    int16_t producer_epoch;
    int32_t sequence;
    int8_t flags, codec; /* 1 transactional, 2 control; 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd */
};
struct reply { uint8_t *data; size_t size, room; int32_t records; };

typedef int decoder(const uint8_t *data, int32_t size, struct reply *to, const char **reason); /* see put_record */
struct message { int kind, api, version; struct bytes data; }; /* 0 request, 1 response; data: header and body */
typedef int reader(struct message message, struct reply *to, const char **reason); /* gives JSON or bytes with put */

static inline void put(struct reply *to, const void *data, size_t size) {
    if (to->size + size > to->room && !(to->data = (uint8_t *)realloc(to->data, to->room = 2 * (to->size + size))))
        abort();
    if (size) memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void set_int(uint8_t *wire, int64_t value, int size) {
    while (size-- > 0) wire[size] = (uint8_t)value, value >>= 8;
}

static inline void put_int(struct reply *to, int64_t value, int size) {
    put(to, "\0\0\0\0\0\0\0", (size_t)size), set_int(to->data + to->size - size, value, size);
}

static inline void put_bytes(struct reply *to, struct bytes item) {
    put_int(to, item.size < 0 ? -1 : item.size, 4);
    if (item.size > 0) put(to, item.data, (size_t)item.size);
}

/* Adds one record to an answer. */
static inline void put_record(struct reply *to, const struct record *record) {
    put_int(to, record->offset, 8), put_int(to, record->timestamp, 8), put_int(to, record->timestamp_type, 1);
    put_bytes(to, record->key), put_bytes(to, record->value), put_int(to, record->header_count, 4);
    for (int32_t i = 0; i < record->header_count; i++)
        put_bytes(to, record->headers[i].key), put_bytes(to, record->headers[i].value);
    put_int(to, record->producer_id, 8), put_int(to, record->producer_epoch, 2), put_int(to, record->sequence, 4);
    put_int(to, record->flags, 1), put_int(to, record->codec, 1);
    to->records++;
}

static inline int64_t take(const uint8_t **from, int size) {
    uint64_t value = **from & 0x80 ? UINT64_MAX : 0;
    while (size-- > 0) value = value << 8 | *(*from)++;
    return (int64_t)value;
}

static inline struct bytes take_bytes(const uint8_t **from) {
    struct bytes item = {NULL, (int32_t)take(from, 4)};
    item.data = *from;
    *from += item.size > 0 ? item.size : 0;
    return item;
}

/* Answers one input: a status, a length, and the answer or the reason. `read` is NULL for records. */
static inline void put_result(struct reply *to, struct message input, decoder *decode, reader *read) {
    const char *reason = "";
    size_t at = to->size, head = read ? 5 : 9;
    put(to, "\0\0\0\0\0\0\0\0", head), to->records = 0; /* status, length, count of records: filled in below */
    int status = read ? read(input, to, &reason)
                      : decode((const uint8_t *)input.data.data, input.data.size, to, &reason);
    if (status) to->size = at + 5, put(to, reason, strlen(reason));
    else if (!read) set_int(to->data + at + 5, to->records, 4);
    set_int(to->data + at, status, 1), set_int(to->data + at + 1, (int64_t)(to->size - at - 5), 4);
}

/* Answers requests until the end of input. The hello is JSON; only what it declares is asked for: no encoding here.
 * `read` is for a library that reads requests and responses; NULL for others. */
static inline void serve_messages(const char *hello, decoder *decode, reader *read) {
    FILE *replies = fdopen(dup(1), "wb");
    dup2(2, 1); /* what a library prints must not stand between replies */
    for (uint8_t head[4]; fread(head, 1, 4, stdin) == 4;) {
        const uint8_t *from = head;
        size_t size = (size_t)take(&from, 4);
        uint8_t *request = (uint8_t *)malloc(size);
        struct reply reply = {NULL, 0, 0, 0};
        if (!request || fread(request, 1, size, stdin) != size) abort();
        put_int(&reply, 0, 4); /* the length of the frame, filled in below */
        if (*(from = request) == 'H') {
            put(&reply, "H", 1), put(&reply, hello, strlen(hello));
        } else {
            int messages = *from == 'M';
            put(&reply, from, 5), from += messages ? 5 : 6; /* kind, number, and what inputs to decode are: records */
            put(&reply, from, 4);
            for (int64_t count = take(&from, 4); count > 0; count--) {
                struct message input = {0, 0, 0, {NULL, 0}};
                if (messages)
                    input.kind = (int)take(&from, 1), input.api = (int)take(&from, 2), input.version = (int)take(&from, 2);
                input.data = take_bytes(&from);
                put_result(&reply, input, decode, messages ? read : NULL);
            }
        }
        set_int(reply.data, (int64_t)reply.size - 4, 4);
        fwrite(reply.data, 1, reply.size, replies), fflush(replies);
        free(reply.data), free(request);
    }
}

/* The same for a library that reads records only. */
static inline void serve(const char *hello, decoder *decode) { serve_messages(hello, decode, NULL); }
