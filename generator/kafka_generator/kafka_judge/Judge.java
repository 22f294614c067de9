import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Reads bytes with the message classes that Kafka generates from its schemas, and writes them again.
 *
 * A question is a byte (0 a body, 1 a request, 2 a response with its header), the name of a class (int16 length and
 * UTF-8; empty for 1 and 2), int16 API key, int16 version, int32 length and the bytes. A reply is a byte, int32 bytes
 * that were left, and twice int32 length and bytes: what Kafka's converter writes as JSON (empty where it has none),
 * and by the first byte 0 and 4 the bytes written again; 1 what reading threw; 2 what writing threw; 3 where there is
 * no such class or version. 4 is 0 where bytes were left. The program ends where its input ends.
 */
public final class Judge {
    private static final byte BODY = 0;
    private static final byte REQUEST = 1;
    private static final byte RESPONSE = 2;
    private static final String MESSAGES = "org.apache.kafka.common.message.";

    private final Map<String, Constructor<?>> constructors = new HashMap<>();
    private final Map<Class<?>, Method> converters = new HashMap<>();

    public static void main(String[] arguments) throws IOException {
        Judge judge = new Judge();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out))) {
            while (true) {
                int kind = in.read();
                if (kind < 0) {
                    return;
                }
                String name = in.readUTF();
                short api = in.readShort();
                short version = in.readShort();
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                judge.answer(kind, name, api, version, content, out);
            }
        }
    }

    private void answer(int kind, String name, short api, short version, byte[] content, DataOutputStream out)
            throws IOException {
        Message header = null;
        short headerVersion = 0;
        Message body;
        try {
            if (kind == BODY) {
                body = message(name);
            } else {
                ApiMessageType type = ApiMessageType.fromApiKey(api);
                header = message(MESSAGES + (kind == REQUEST ? "RequestHeaderData" : "ResponseHeaderData"));
                headerVersion = kind == REQUEST ? type.requestHeaderVersion(version) : type.responseHeaderVersion(version);
                body = (Message) (kind == REQUEST ? type.newRequest() : type.newResponse());
            }
        } catch (RuntimeException error) {
            body = null;
        }
        if (body == null || version < body.lowestSupportedVersion() || version > body.highestSupportedVersion()) {
            Reply.reply(out, Reply.UNKNOWN, 0, "", "no " + name + " of version " + version);
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(content);
        try {
            if (kind == REQUEST) {
                RequestHeader.parse(ByteBuffer.wrap(content));
            }
            if (header != null) {
                header.read(new ByteBufferAccessor(buffer), headerVersion);
            }
            if (kind == RESPONSE && api == ApiMessageType.API_VERSIONS.apiKey()) {
                int start = buffer.position();
                body = apiVersions(buffer, version);
                version = readAs(content, start, version);
            } else {
                body.read(new ByteBufferAccessor(buffer), version);
            }
        } catch (RuntimeException | OutOfMemoryError error) { // 2.7 makes room for whatever a count says
            Reply.reply(out, Reply.NOT_READ, 0, "", error.toString());
            return;
        }
        String json = "";
        try {
            json = header == null ? json(body, version) : "[" + json(header, headerVersion) + "," + json(body, version) + "]";
            byte[] written = written(header, headerVersion, body, version);
            Reply.reply(out, buffer.hasRemaining() ? Reply.BYTES_LEFT : Reply.WRITTEN, buffer.remaining(), json, written);
        } catch (RuntimeException error) {
            Reply.reply(out, Reply.NOT_WRITTEN, buffer.remaining(), json, error.toString());
        }
    }

    /** Reads the response of ApiVersions as clients do: again in version 0 where it is not of the version asked. */
    private static Message apiVersions(ByteBuffer buffer, short version) {
        Class<?> type = org.apache.kafka.common.requests.ApiVersionsResponse.class;
        try {
            for (Method method : type.getMethods()) {
                if (method.getName().equals("parse") && method.getParameterCount() == 2) {
                    boolean takesBuffer = method.getParameterTypes()[0] == ByteBuffer.class;
                    Object in = takesBuffer ? buffer : new ByteBufferAccessor(buffer);
                    Object response = method.invoke(null, in, version);
                    return (Message) type.getMethod("data").invoke(response);
                }
            }
        } catch (InvocationTargetException error) {
            throw (RuntimeException) error.getCause();
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
        throw new IllegalStateException("ApiVersionsResponse has no parse");
    }

    /** The version in which the parsing above came to its end: the one that was asked, or 0. */
    private static short readAs(byte[] content, int start, short version) {
        ByteBuffer again = ByteBuffer.wrap(content, start, content.length - start);
        try {
            ApiMessageType.API_VERSIONS.newResponse().read(new ByteBufferAccessor(again), version);
            return version;
        } catch (RuntimeException error) {
            return 0;
        }
    }

    private static byte[] written(Message header, short headerVersion, Message body, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int size = body.size(cache, version);
        ObjectSerializationCache headerCache = new ObjectSerializationCache();
        size += header == null ? 0 : header.size(headerCache, headerVersion);
        ByteBuffer written = ByteBuffer.allocate(size);
        ByteBufferAccessor accessor = new ByteBufferAccessor(written);
        if (header != null) {
            header.write(accessor, headerCache, headerVersion);
        }
        body.write(accessor, cache, version);
        return Arrays.copyOf(written.array(), written.position());
    }

    /** What the converter beside a class makes of its values; empty where there is none. */
    private String json(Message message, short version) {
        Class<?> type = message.getClass();
        try {
            if (!converters.containsKey(type)) {
                converters.put(type, converter(type));
            }
            Method converter = converters.get(type);
            return converter == null ? "" : converter.invoke(null, message, version).toString();
        } catch (ReflectiveOperationException error) {
            return "";
        }
    }

    private static Method converter(Class<?> type) {
        try {
            return Class.forName(type.getName() + "JsonConverter").getMethod("write", type, short.class);
        } catch (ReflectiveOperationException | LinkageError error) {
            return null;
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
}
