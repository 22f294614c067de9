import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ProtoUtils;
import org.apache.kafka.common.protocol.types.Schema;

/**
 * Reads bodies with the schemas that Kafka 0.8.2 has in its code, and writes them again.
 *
 * A question is a byte (1 a request, 2 a response), int16 API key, int16 version, int32 length and the bytes of the
 * body. A reply is as that of Judge, without JSON.
 */
public final class OldJudge {
    private static final int REQUEST = 1;

    public static void main(String[] arguments) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            while (true) {
                int kind = in.read();
                if (kind < 0) {
                    return;
                }
                short api = in.readShort();
                short version = in.readShort();
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                Schema schema = kind == REQUEST
                    ? ProtoUtils.requestSchema(api, version)
                    : ProtoUtils.responseSchema(api, version);
                answer(schema, ByteBuffer.wrap(content), out);
            }
        }
    }

    private static void answer(Schema schema, ByteBuffer content, DataOutputStream out) throws IOException {
        try {
            Object value = schema.read(content);
            ByteBuffer written = ByteBuffer.allocate(schema.sizeOf(value));
            schema.write(written, value);
            Reply.reply(out, content.hasRemaining() ? Reply.BYTES_LEFT : Reply.WRITTEN, content.remaining(), "", written.array());
        } catch (RuntimeException | OutOfMemoryError error) { // it makes room for whatever a count says
            Reply.reply(out, Reply.NOT_READ, 0, "", error.toString());
        }
    }
}
