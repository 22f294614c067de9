#include "serde.h"

static int read_value(const struct question *question, struct said *to) {
    if (!strcmp(question->content, "string")) return say(to, "no such thing"), 2;
    if (!strcmp(question->content, "void")) {
        const struct header *last = &question->headers[question->header_count - 1];
        say(to, "{\"value\": \"");
        say_hex(to, (const unsigned char *)last->key, (int32_t)strlen(last->key));
        say(to, last->value.size < 0 ? ":-" : ":"), say_hex(to, last->value.data, last->value.size);
        say(to, ":"), say_hex(to, (const unsigned char *)question->schema, (int32_t)strlen(question->schema));
        return say(to, "\"}"), 0;
    }
    if (question->data.size <= 0) return say(to, "not so"), 1;
    say(to, "{\"schema_id\": %d, \"payload\": \"", (int)question->header_count);
    say_hex(to, question->data.data, question->data.size);
    return say(to, "\"}"), 0;
}

int main(void) {
    serve("toy", "1", "{\"confluent\": [\"schema_id\", \"payload\"], \"void\": [\"value\"], \"string\": [\"value\"]}",
          read_value);
    return 0;
}
