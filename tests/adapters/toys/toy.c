#include "adapter.h"

static struct header headers[] = {{{"a", 1}, {"\xff", 1}}, {{"a", 1}, {NULL, -1}}};
static struct record full = {
    INT64_MIN, INT64_MAX, 1, {"\0k", 2}, {"", 0}, 2, headers, 9007199254740993, -3, INT32_MAX, 3, 4,
};

static int is(const uint8_t *data, int32_t size, const char *word) {
    return (size_t)size == strlen(word) && !memcmp(data, word, (size_t)size);
}

static int decode(const uint8_t *data, int32_t size, struct reply *to, const char **reason) {
    if (is(data, size, "all") || is(data, size, "half")) put_record(to, &full);
    if (is(data, size, "odd")) put_record(to, &(struct record){.key = {NULL, -2}, .value = {"v", INT32_MIN}});
    if (is(data, size, "print")) puts("noise"), fflush(stdout);
    if (is(data, size, "panic")) fputs("bad luck\n", stderr), abort();
    if (is(data, size, "refuses")) return *reason = "not so", 1;
    if (is(data, size, "half")) return *reason = "not to the end", 1;
    if (is(data, size, "cannot")) return *reason = "no such thing", 2;
    return 0;
}

static int message(struct message message, struct reply *to, const char **reason) {
    char head[32];
    if (is((const uint8_t *)message.data.data, message.data.size, "refuses")) return *reason = "not so", 1;
    if (is((const uint8_t *)message.data.data, message.data.size, "cannot")) return *reason = "no such thing", 2;
    put(to, head, (size_t)snprintf(head, sizeof head, "%d %d %d ", message.kind, message.api, message.version));
    put(to, message.data.data, (size_t)message.data.size);
    return 0;
}

int main(void) {
    serve_messages("{\"protocol\": 1, \"name\": \"toy\"}", decode, message);
    return 0;
}
