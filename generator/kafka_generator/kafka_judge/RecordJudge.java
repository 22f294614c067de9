import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.share.ShareCoordinatorRecordSerde;
import org.apache.kafka.coordinator.transaction.TransactionCoordinatorRecordSerde;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.serialization.AbstractApiMessageSerde;
import org.apache.kafka.server.common.serialization.BytesApiMessageSerde;
import org.apache.kafka.server.log.remote.metadata.storage.generated.MetadataRecordType;

/**
 * Reads keys and values of Kafka's own topics with the classes that brokers read them with, and writes them again.
 *
 * A question is a byte (0 a key, 1 a value), the topic (int16 length and UTF-8), int16 number of the key that belongs
 * to a value, int32 length and the bytes. A reply is as that of Judge.
 */
public final class RecordJudge {
    private static final byte KEY = 0;

    public static void main(String[] arguments) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            while (true) {
                int kind = in.read();
                if (kind < 0) {
                    return;
                }
                String topic = in.readUTF();
                short number = in.readShort();
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                answer(kind == KEY, topic, number, content, out);
            }
        }
    }

    private static void answer(boolean isKey, String topic, short number, byte[] content, DataOutputStream out)
            throws IOException {
        try {
            CoordinatorRecordSerde serde = serde(topic);
            if (serde == null) {
                framed(topic, content, out);
            } else if (isKey) {
                CoordinatorRecord record = serde.deserialize(ByteBuffer.wrap(content), null);
                Reply.reply(out, Reply.WRITTEN, 0, json(record.key(), (short) 0), serde.serializeKey(record));
            } else {
                CoordinatorRecord record = serde.deserialize(anyKey(serde, number), ByteBuffer.wrap(content));
                ApiMessageAndVersion value = record.value();
                Reply.reply(out, Reply.WRITTEN, 0, json(value.message(), value.version()), serde.serializeValue(record));
            }
        } catch (RuntimeException | ReflectiveOperationException error) {
            Reply.reply(out, Reply.NOT_READ, 0, "", error.toString());
        }
    }

    private static CoordinatorRecordSerde serde(String topic) {
        return switch (topic) {
            case "__consumer_offsets" -> new GroupCoordinatorRecordSerde();
            case "__transaction_state" -> new TransactionCoordinatorRecordSerde();
            case "__share_group_state" -> new ShareCoordinatorRecordSerde();
            default -> null;
        };
    }

    private static void framed(String topic, byte[] content, DataOutputStream out) throws IOException {
        if (topic.equals("__cluster_metadata")) {
            AbstractApiMessageSerde serde = MetadataRecordSerde.INSTANCE;
            ApiMessageAndVersion read = serde.read(new ByteBufferAccessor(ByteBuffer.wrap(content)), content.length);
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer written = ByteBuffer.allocate(serde.recordSize(read, cache));
            serde.write(read, cache, new ByteBufferAccessor(written));
            Reply.reply(out, Reply.WRITTEN, 0, json(read.message(), read.version()), written.array());
            return;
        }
        BytesApiMessageSerde serde = new BytesApiMessageSerde() {
            @Override
            public ApiMessage apiMessageFor(short key) {
                return MetadataRecordType.fromId(key).newMetadataRecord();
            }
        };
        ApiMessageAndVersion read = serde.deserialize(content);
        Reply.reply(out, Reply.WRITTEN, 0, json(read.message(), read.version()), serde.serialize(read));
    }

    /** A key with the defaults of its fields, for the number that a value needs. */
    private static ByteBuffer anyKey(CoordinatorRecordSerde serde, short number) throws ReflectiveOperationException {
        Method make = CoordinatorRecordSerde.class.getDeclaredMethod("apiMessageKeyFor", short.class);
        make.setAccessible(true);
        try {
            return ByteBuffer.wrap(MessageUtil.toCoordinatorTypePrefixedBytes((ApiMessage) make.invoke(serde, number)));
        } catch (InvocationTargetException error) {
            throw (RuntimeException) error.getCause();
        }
    }

    /** What the converter beside a class makes of its values; empty where there is none. */
    private static String json(Message message, short version) {
        try {
            Method converter = Class.forName(message.getClass().getName() + "JsonConverter")
                    .getMethod("write", message.getClass(), short.class);
            return converter.invoke(null, message, version).toString();
        } catch (ReflectiveOperationException | LinkageError error) {
            return "";
        }
    }
}
