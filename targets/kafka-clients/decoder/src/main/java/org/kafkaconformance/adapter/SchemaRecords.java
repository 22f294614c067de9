package org.kafkaconformance.adapter;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.serialization.AbstractApiMessageSerde;

/** Records of Kafka's own topics: read and written by the classes that its coordinators, controllers and managers use. */
final class SchemaRecords {
    /** Enumerations of records whose keys say what they are; a release has those of its coordinators. */
    private static final Map<String, String> KEYED = Map.of(
            "__consumer_offsets", "org.apache.kafka.coordinator.group.generated.CoordinatorRecordType",
            "__share_group_state", "org.apache.kafka.coordinator.share.generated.CoordinatorRecordType",
            "__transaction_state", "org.apache.kafka.coordinator.transaction.generated.CoordinatorRecordType");

    /** Enumerations of records whose values say what they are. */
    private static final Map<String, String> FRAMED = Map.of(
            "__cluster_metadata", "org.apache.kafka.common.metadata.MetadataRecordType",
            "__remote_log_metadata",
            "org.apache.kafka.server.log.remote.metadata.storage.generated.MetadataRecordType");

    private SchemaRecords() {
    }

    /** The topics whose records this release has classes for. */
    static List<String> topics() {
        Map<String, String> all = new TreeMap<>(KEYED);
        all.putAll(FRAMED);
        return all.keySet().stream().filter(topic -> exists(all.get(topic))).toList();
    }

    /** Reads the value of a record, or its key if there is no value, and writes it again; throws what Kafka throws. */
    static void rewrite(ByteBuffer input, Reply reply) {
        input.get();
        short number = input.getShort();
        short version = input.getShort();
        ByteBuffer record = Answers.bytes(input);
        String topic = StandardCharsets.UTF_8.decode(Answers.bytes(record)).toString();
        ByteBuffer key = Answers.bytes(record);
        ByteBuffer value = Answers.bytes(record);
        if (!topics().contains(topic))
            throw new NotSupportedException("no classes of records of " + topic);
        if (!isKnown(FRAMED.getOrDefault(topic, KEYED.get(topic)), number))
            throw new NotSupportedException("no record " + number + " of " + topic);
        if (FRAMED.containsKey(topic) && version > message(FRAMED.get(topic), number).highestSupportedVersion())
            throw new NotSupportedException("no version " + version + " of record " + number + " of " + topic);
        if (FRAMED.containsKey(topic))
            framed(FRAMED.get(topic), value, reply);
        else
            keyed(KEYED.get(topic), key, value, reply);
    }

    /** As CoordinatorRecordSerde reads records: a number in front of a key, a version in front of a value. */
    private static void keyed(String types, ByteBuffer key, ByteBuffer value, Reply reply) {
        short number = key.getShort();
        Object type = call(types, null, "fromId", number);
        ApiMessage message = (ApiMessage) call(types, type, value == null ? "newRecordKey" : "newRecordValue");
        short version = value == null ? 0 : value.getShort();
        if (value != null && (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()))
            throw new NotSupportedException("no version " + version + " of " + type);
        message.read(new ByteBufferAccessor(value == null ? key : value), version);
        reply.putRaw(ByteBuffer.allocate(Short.BYTES).putShort(value == null ? number : version).flip());
        Messages.write(message, version, reply);
    }

    /** As the controllers read their log: a version of the frame, a number and a version in front of the value. */
    private static void framed(String types, ByteBuffer value, Reply reply) {
        AbstractApiMessageSerde serde = new AbstractApiMessageSerde() {
            @Override
            public ApiMessage apiMessageFor(short number) {
                return message(types, number);
            }
        };
        ApiMessageAndVersion read = serde.read(new ByteBufferAccessor(value), value.remaining());
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer written = ByteBuffer.allocate(serde.recordSize(read, cache));
        serde.write(read, cache, new ByteBufferAccessor(written));
        reply.putRaw(written.flip());
    }

    private static ApiMessage message(String types, short number) {
        return (ApiMessage) call(types, call(types, null, "fromId", number), "newMetadataRecord");
    }

    /** Whether this release still has, or has already, a record of that number. */
    private static boolean isKnown(String types, short number) {
        try {
            return call(types, null, "fromId", number) != null;
        } catch (UnsupportedVersionException unknown) {
            return false;
        }
    }

    private static Object call(String name, Object self, String method, Object... arguments) {
        try {
            Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {short.class};
            return Class.forName(name).getMethod(method, types).invoke(self, arguments);
        } catch (InvocationTargetException error) {
            throw error.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(error);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private static boolean exists(String name) {
        try {
            Class.forName(name);
            return true;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }
}
