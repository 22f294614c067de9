import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Reads bytes with the message classes that Kafka generates from its schemas, and writes them again.
 *
 * A question is the name of a class (int16 length and UTF-8), int16 version, int32 length and the bytes. A reply is a
 * byte, int32 length and bytes: 0 and the bytes written again; 1 and what reading threw; 2 and what writing threw; 3
 * where there is no such class or version. The program ends where its input ends.
 */
public final class Judge {
    private static final byte WRITTEN = 0;
    private static final byte NOT_READ = 1;
    private static final byte NOT_WRITTEN = 2;
    private static final byte UNKNOWN = 3;

    private final Map<String, Constructor<?>> constructors = new HashMap<>();

    public static void main(String[] arguments) throws IOException {
        Judge judge = new Judge();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            while (true) {
                in.mark(1);
                if (in.read() < 0) {
                    return;
                }
                in.reset();
                String name = in.readUTF();
                short version = in.readShort();
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                judge.answer(name, version, content, out);
            }
        }
    }

    private void answer(String name, short version, byte[] content, DataOutputStream out) throws IOException {
        Message message = message(name);
        if (message == null || version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
            reply(out, UNKNOWN, "no " + name + " of version " + version);
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(content);
        try {
            message.read(new ByteBufferAccessor(buffer), version);
        } catch (RuntimeException error) {
            reply(out, NOT_READ, error.toString());
            return;
        }
        if (buffer.hasRemaining()) {
            reply(out, NOT_READ, buffer.remaining() + " bytes left");
            return;
        }
        try {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer written = ByteBuffer.allocate(message.size(cache, version));
            message.write(new ByteBufferAccessor(written), cache, version);
            reply(out, WRITTEN, Arrays.copyOf(written.array(), written.position()));
        } catch (RuntimeException error) {
            reply(out, NOT_WRITTEN, error.toString());
        }
    }

    private Message message(String name) {
        try {
            if (!constructors.containsKey(name)) {
                constructors.put(name, Class.forName(name).getConstructor());
            }
            return (Message) constructors.get(name).newInstance();
        } catch (ReflectiveOperationException error) {
            return null;
        }
    }

    private static void reply(DataOutputStream out, byte status, String text) throws IOException {
        reply(out, status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void reply(DataOutputStream out, byte status, byte[] content) throws IOException {
        out.writeByte(status);
        out.writeInt(content.length);
        out.write(content);
    }
}
