/* Serves a reader of keys and values in C or C++ over adapter protocol 1, with nothing but the C library and POSIX: copy
 * this file. A frame is an int32 length and that many bytes, of which the first is the kind: `H` is answered with the
 * hello, `F` brings questions as JSON.
 *
 * The reader writes an object of JSON with say and say_hex, with parts by name: schema_id, guid (hex), indexes, payload
 * (hex), value; and returns 0. Or it says why not, and returns 1 to refuse, 2 for what the library does not claim to do.
 * A crash of the library is a crash of this program. */
#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bytes { unsigned char *data; int32_t size; }; /* a negative size is null */
struct header { char *key; struct bytes value; }; /* of a name the last counts */
struct question { /* the schema is that of the payload, in Avro, for readers that do not give the payload itself */
    char *content, *schema;
    struct bytes data;
    int32_t header_count;
    struct header *headers;
};
struct said { char *text; size_t size, room; };
typedef int reader(const struct question *question, struct said *to);

static inline void put(struct said *to, const void *data, size_t size) {
    if (to->size + size > to->room && !(to->text = (char *)realloc(to->text, to->room = 2 * (to->size + size)))) abort();
    if (size) memcpy(to->text + to->size, data, size);
    to->size += size;
}

static inline void say(struct said *to, const char *format, ...) {
    char text[4096];
    va_list given;
    va_start(given, format);
    int size = vsnprintf(text, sizeof text, format, given);
    va_end(given);
    put(to, text, size < 0 ? 0 : size < (int)sizeof text ? (size_t)size : sizeof text - 1);
}

static inline void say_hex(struct said *to, const unsigned char *data, int32_t size) {
    for (int32_t i = 0; i < size; i++) say(to, "%02x", data[i]);
}

static inline uint32_t number(const unsigned char *data) {
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

static inline void put_number(struct said *to, uint32_t value) {
    unsigned char wire[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16), (unsigned char)(value >> 8),
                            (unsigned char)value};
    put(to, wire, 4);
}

static inline void put_letter(struct said *to, uint32_t letter) { /* as UTF-8 */
    int more = letter < 0x80 ? 0 : letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
    unsigned char first = (unsigned char)(letter >> 6 * more | (more ? 0xff00u >> (more + 1) & 0xff : 0));
    put(to, &first, 1);
    while (more--) {
        unsigned char next = (unsigned char)(0x80 | (letter >> 6 * more & 0x3f));
        put(to, &next, 1);
    }
}

static inline uint32_t unit(const char **at) { /* four digits behind \u */
    char digits[5] = {(*at)[1], (*at)[2], (*at)[3], (*at)[4], 0};
    *at += 4;
    return (uint32_t)strtoul(digits, NULL, 16);
}

/* Reads a text from its quotation mark on, and leaves `at` at its last one; of null, at its last letter. */
static inline char *text(const char **at) {
    struct said found = {NULL, 0, 0};
    if (**at == 'n') return *at += 3, NULL;
    for (++*at; **at != '"'; ++*at) {
        const char *known;
        if (**at != '\\') {
            put(&found, *at, 1);
        } else if (*++*at == 'u') {
            uint32_t letter = unit(at);
            if (letter >> 10 == 0x36 && (*at)[1] == '\\' && (*at)[2] == 'u')
                *at += 2, letter = 0x10000 + ((letter & 0x3ff) << 10) + (unit(at) & 0x3ff);
            put_letter(&found, letter >> 11 == 0x1b ? 0xfffd : letter);
        } else {
            known = strchr("b\bf\fn\nr\rt\t", **at);
            put(&found, known ? known + 1 : *at, 1);
        }
    }
    put(&found, "", 1);
    return found.text;
}

static inline struct bytes octets(char *hex) {
    struct bytes found = {(unsigned char *)hex, hex ? (int32_t)(strlen(hex) / 2) : -1};
    for (int32_t i = 0; i < found.size; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        found.data[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return found;
}

/* Reads a question, which has texts and nulls alone: those of its headers are inside two brackets more than the rest. */
static inline struct question question(const char *at, const char *end) {
    struct question asked = {NULL, NULL, {NULL, -1}, 0, NULL};
    char *key = NULL, *name = NULL;
    for (int depth = 0; at < end; at++) {
        if (*at != '"' && *at != 'n') {
            depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
            if (*at == ']' && depth == 1) free(key), key = NULL;
            continue;
        }
        char *found = text(&at);
        if (depth == 1 && !key) {
            key = found;
        } else if (depth == 1) {
            if (!strcmp(key, "content")) asked.content = found;
            else if (!strcmp(key, "data")) asked.data = octets(found);
            else asked.schema = found;
            free(key), key = NULL;
        } else if (!name) {
            name = found;
        } else {
            size_t room = (size_t)(asked.header_count + 1) * sizeof *asked.headers;
            if (!(asked.headers = (struct header *)realloc(asked.headers, room))) abort();
            struct header header = {name, octets(found)};
            asked.headers[asked.header_count++] = header, name = NULL;
        }
    }
    return asked;
}

static inline void forget(struct question *asked) {
    for (int32_t i = 0; i < asked->header_count; i++) free(asked->headers[i].key), free(asked->headers[i].value.data);
    free(asked->content), free(asked->schema), free(asked->data.data), free(asked->headers);
}

static inline int take(void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = read(0, (char *)data + done, size - done);
        if (got <= 0) return 0;
        done += (size_t)got;
    }
    return 1;
}

/* Answers requests until the end of input. `serdes` is JSON: for each kind of content that is read the parts of answers. */
static inline void serve(const char *name, const char *version, const char *serdes, reader *read_value) {
    unsigned char head[4];
    while (take(head, 4)) {
        uint32_t size = number(head);
        unsigned char *request = (unsigned char *)malloc(size + 1);
        struct said reply = {NULL, 0, 0};
        if (!request || !take(request, size)) abort();
        put_number(&reply, 0), put(&reply, request, *request == 'H' ? 1 : 9);
        if (*request == 'H')
            say(&reply, "{\"protocol\": 1, \"name\": \"%s\", \"version\": \"%s\", \"language\": \"C\", \"serdes\": %s, "
                "\"formats\": [], \"codecs\": [], \"fields\": [], \"directions\": [], \"checks_crc\": true}", name,
                version, serdes);
        for (uint32_t at = 9; *request != 'H' && at < size; at += 4 + number(request + at)) {
            const char *json = (const char *)request + at + 4;
            struct question asked = question(json, json + number(request + at));
            struct said answer = {NULL, 0, 0};
            unsigned char status = (unsigned char)read_value(&asked, &answer);
            put(&reply, &status, 1), put_number(&reply, (uint32_t)answer.size), put(&reply, answer.text, answer.size);
            free(answer.text), forget(&asked);
        }
        struct said length = {NULL, 0, 0};
        put_number(&length, (uint32_t)reply.size - 4), memcpy(reply.text, length.text, 4);
        for (size_t done = 0; done < reply.size;) {
            ssize_t sent = write(1, reply.text + done, reply.size - done);
            if (sent <= 0) exit(1);
            done += (size_t)sent;
        }
        free(length.text), free(reply.text), free(request);
    }
}
