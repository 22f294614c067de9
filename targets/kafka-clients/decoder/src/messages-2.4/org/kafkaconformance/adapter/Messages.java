package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Requests and responses: read and written by the classes that Kafka generates from its schemas, since 2.4. */
final class Messages {
    private static final int REQUEST = 0;
    private static final int RESPONSE = 1;

    /** Who asks in a version that a broker does not have is answered in version 0, as ApiVersionsResponse.parse knows. */
    private static final short API_VERSIONS = 18;
    private static final short UNSUPPORTED_VERSION = 35;

    private Messages() {
    }

    /** Reads an input and writes header and body again; throws whatever Kafka throws. */
    static void rewrite(ByteBuffer input, Reply reply) {
        int kind = input.get();
        short api = input.getShort();
        short version = input.getShort();
        if (kind != REQUEST && kind != RESPONSE)
            throw new NotSupportedException("messages of kind " + kind + " are not read");
        ApiMessageType type = type(api);
        Message body = body(type, kind);
        if (version < body.lowestSupportedVersion() || version > body.highestSupportedVersion())
            throw new NotSupportedException("no version " + version + " of " + type);
        if (isUnstable(type, version))
            throw new NotSupportedException("version " + version + " of " + type + " is not stable in this release");
        Message header = kind == REQUEST ? new RequestHeaderData() : new ResponseHeaderData();
        short headerVersion = kind == REQUEST ? type.requestHeaderVersion(version) : type.responseHeaderVersion(version);
        ByteBuffer message = Answers.bytes(input);
        header.read(new ByteBufferAccessor(message), headerVersion);
        if (kind == RESPONSE && api == API_VERSIONS && message.remaining() >= Short.BYTES
                && message.getShort(message.position()) == UNSUPPORTED_VERSION)
            version = 0;
        body.read(new ByteBufferAccessor(message), version);
        write(header, headerVersion, reply);
        write(body, version, reply);
    }

    private static ApiMessageType type(short api) {
        try {
            return ApiMessageType.fromApiKey(api);
        } catch (RuntimeException unknown) {
            throw new NotSupportedException("no API " + api);
        }
    }

    /** Since 4.0, APIs that only ZooKeeper's controllers had still have a number, and no classes. */
    private static Message body(ApiMessageType type, int kind) {
        try {
            return kind == REQUEST ? type.newRequest() : type.newResponse();
        } catch (RuntimeException removed) {
            throw new NotSupportedException("no classes of " + type);
        }
    }

    /**
     * Whether a release has a version that is not to be used yet: its layout may still change, and a later release has it
     * otherwise. Releases say so since 3.5.
     */
    private static boolean isUnstable(ApiMessageType type, short version) {
        try {
            Object highest = ApiMessageType.class.getMethod("highestSupportedVersion", boolean.class).invoke(type, false);
            return version > (short) highest;
        } catch (NoSuchMethodException earlier) {
            return false;
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    static void write(Message message, short version, Reply reply) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer written = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(written), cache, version);
        reply.putRaw(written.flip());
    }
}
