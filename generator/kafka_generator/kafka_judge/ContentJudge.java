import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;

/**
 * Reads bytes with schemas that Kafka's classes keep in constants, and writes them again.
 *
 * A question is the names of the constants, in the order of their bytes and with commas between them (int16 length and
 * UTF-8), int32 length and the bytes. A reply is as that of Judge.
 */
public final class ContentJudge {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            while (true) {
                int first = in.read();
                if (first < 0) {
                    return;
                }
                byte[] names = new byte[first << 8 | in.readUnsignedByte()];
                in.readFully(names);
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                answer(new String(names, StandardCharsets.UTF_8).split(","), ByteBuffer.wrap(content), out);
            }
        }
    }

    private static void answer(String[] names, ByteBuffer content, DataOutputStream out)
            throws IOException, ReflectiveOperationException {
        ObjectNode document = JSON.objectNode();
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try {
            for (String name : names) {
                Schema schema = schema(name);
                Struct value = schema.read(content);
                ByteBuffer part = ByteBuffer.allocate(schema.sizeOf(value));
                schema.write(part, value);
                written.writeBytes(part.array());
                document.setAll((ObjectNode) json(value));
            }
        } catch (RuntimeException | OutOfMemoryError error) {
            Reply.reply(out, Reply.NOT_READ, 0, "", error.toString());
            return;
        }
        byte status = content.hasRemaining() ? Reply.BYTES_LEFT : Reply.WRITTEN;
        Reply.reply(out, status, content.remaining(), document.toString(), written.toByteArray());
    }

    private static Schema schema(String name) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Field field = Class.forName(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
        field.setAccessible(true);
        return (Schema) field.get(null);
    }

    /** A value in the form of the JSON that Kafka's converters write. */
    private static JsonNode json(Object value) {
        if (value == null) {
            return JSON.nullNode();
        }
        if (value instanceof Struct) {
            ObjectNode document = JSON.objectNode();
            for (BoundField field : ((Struct) value).schema().fields()) {
                document.set(field.def.name, json(((Struct) value).get(field)));
            }
            return document;
        }
        if (value instanceof Object[]) {
            ArrayNode items = JSON.arrayNode();
            for (Object item : (Object[]) value) {
                items.add(json(item));
            }
            return items;
        }
        if (value instanceof ByteBuffer) {
            byte[] bytes = new byte[((ByteBuffer) value).remaining()];
            ((ByteBuffer) value).duplicate().get(bytes);
            return JSON.binaryNode(bytes);
        }
        return value instanceof String ? JSON.textNode((String) value) : JSON.numberNode(((Number) value).longValue());
    }
}
