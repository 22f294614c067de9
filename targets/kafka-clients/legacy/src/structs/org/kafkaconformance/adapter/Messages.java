package org.kafkaconformance.adapter;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.Type;

/**
 * Requests and responses: read and written by the schemas that Kafka had in Java code, before it generated classes.
 *
 * <p>Where the schemas stand moved twice: ProtoUtils up to 0.10.2, ApiKeys since 0.11; the headers' in Protocol up to
 * 0.11, with the headers since 1.0.
 */
final class Messages {
    private static final int REQUEST = 0;
    private static final int RESPONSE = 1;
    private static final int CONTROLLED_SHUTDOWN = 7;
    private static final String COMMON = "org.apache.kafka.common.";

    /** What brokers of 0.8 sent, without a client id. RequestHeader has it too, where nobody can reach it. */
    private static final Schema CONTROLLED_SHUTDOWN_V0_HEADER = new Schema(new Field("api_key", Type.INT16, ""),
            new Field("api_version", Type.INT16, ""), new Field("correlation_id", Type.INT32, ""));

    private Messages() {
    }

    /** Reads an input and writes header and body again; throws whatever Kafka throws. */
    static void rewrite(ByteBuffer input, Reply reply) {
        int kind = input.get();
        short api = input.getShort();
        short version = input.getShort();
        if (kind != REQUEST && kind != RESPONSE)
            throw new NotSupportedException("messages of kind " + kind + " are not read");
        String word = kind == REQUEST ? "request" : "response";
        Schema body = body(word, api, version);
        Schema header = kind == REQUEST && api == CONTROLLED_SHUTDOWN && version == 0
                ? CONTROLLED_SHUTDOWN_V0_HEADER
                : header(word);
        ByteBuffer message = Answers.bytes(input);
        Struct readHeader = (Struct) header.read(message);
        Struct readBody = (Struct) body.read(message);
        write(readHeader, reply);
        write(readBody, reply);
    }

    private static Schema body(String word, short api, short version) {
        try {
            return (Schema) (exists("protocol.ProtoUtils")
                    ? Class.forName(COMMON + "protocol.ProtoUtils").getMethod(word + "Schema", int.class, int.class)
                            .invoke(null, (int) api, (int) version)
                    : ApiKeys.class.getMethod(word + "Schema", short.class).invoke(ApiKeys.forId(api), version));
        } catch (InvocationTargetException | IllegalArgumentException unknown) {
            throw new NotSupportedException("no version " + version + " of API " + api);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Schema header(String word) {
        boolean isWithHeaders = !exists("protocol.ProtoUtils") && !hasHeaders();
        String place = word.equals("request") ? "requests.RequestHeader" : "requests.ResponseHeader";
        try {
            return (Schema) (isWithHeaders
                    ? Class.forName(COMMON + place).getField("SCHEMA").get(null)
                    : Class.forName(COMMON + "protocol.Protocol").getField(word.toUpperCase() + "_HEADER").get(null));
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private static boolean hasHeaders() {
        try {
            return Class.forName(COMMON + "protocol.Protocol").getField("REQUEST_HEADER") != null;
        } catch (ReflectiveOperationException moved) {
            return false;
        }
    }

    private static boolean exists(String name) {
        try {
            return Class.forName(COMMON + name) != null;
        } catch (ClassNotFoundException gone) {
            return false;
        }
    }

    private static void write(Struct struct, Reply reply) {
        ByteBuffer written = ByteBuffer.allocate(struct.sizeOf());
        struct.writeTo(written);
        written.flip();
        reply.putRaw(written);
    }
}
