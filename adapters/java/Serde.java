import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.Collectors;

/**
 * Serves a reader of keys and values in Java over adapter protocol 1, with nothing but the JDK: copy this file.
 *
 * <p>A frame is an int32 length and that many bytes, of which the first is the kind: `H` is answered with the hello, `F`
 * brings questions as JSON. An exception refuses a value, UnsupportedOperationException tells a gap, and an error, such as
 * a full heap, ends the program as it would end its users'.
 */
public final class Serde {
    /**
     * A value to be read; no data is null. The schema is that of the payload, in Avro, for readers that do not give the
     * payload itself.
     */
    public record Question(String content, byte[] data, List<Header> headers, String schema) { }

    /** A header of the record; of a name the last counts. */
    public record Header(String key, byte[] value) { }

    /** Gives an answer, with parts by name: schema_id, guid (hex), indexes, payload (hex), value. */
    public interface Reader {
        Map<String, Object> read(Question question) throws Exception;
    }

    private Serde() {
    }

    /** Answers until the end of input; `serdes` has for each kind of content that is read the parts of answers. */
    public static void serve(String name, String version, Map<String, List<String>> serdes, Reader reader)
            throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream replies = new DataOutputStream(System.out);
        System.setOut(System.err); // what a library prints must not stand between replies
        Map<String, Object> hello = new TreeMap<>(Map.of("protocol", 1, "name", name, "version", version, "language",
                "Java", "serdes", serdes, "formats", List.of(), "codecs", List.of(), "fields", List.of(), "directions",
                List.of(), "checks_crc", true));
        for (byte[] head = requests.readNBytes(4); head.length == 4; head = requests.readNBytes(4)) {
            ByteBuffer request = ByteBuffer.wrap(requests.readNBytes(ByteBuffer.wrap(head).getInt()));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            reply.write(request.get());
            if (request.get(0) == 'H')
                reply.write(json(hello).getBytes(StandardCharsets.UTF_8));
            else
                block(request, new DataOutputStream(reply), reader);
            write(replies, reply.toByteArray());
            replies.flush();
        }
    }

    private static void block(ByteBuffer from, DataOutputStream to, Reader reader) throws IOException {
        to.writeInt(from.getInt()); // the number of the block
        int count = from.getInt();
        to.writeInt(count);
        for (int i = 0; i < count; i++) {
            byte[] asked = new byte[from.getInt()];
            from.get(asked);
            int status = 0;
            String content;
            try {
                content = json(reader.read(question(new String(asked, StandardCharsets.UTF_8))));
            } catch (Exception error) {
                status = error instanceof UnsupportedOperationException ? 2 : 1;
                content = error.toString();
            }
            to.write(status);
            write(to, content.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Reads a question, which has texts and nulls alone: those of its headers are inside two brackets more. */
    private static Question question(String json) {
        Map<String, String> parts = new HashMap<>();
        List<Header> headers = new ArrayList<>();
        String key = null;
        String name = null;
        int depth = 0;
        for (int at = 0; at < json.length(); at++) {
            char letter = json.charAt(at);
            if (letter != '"' && letter != 'n') {
                depth += "{[".indexOf(letter) >= 0 ? 1 : "}]".indexOf(letter) >= 0 ? -1 : 0;
                key = letter == ']' && depth == 1 ? null : key;
                continue;
            }
            StringBuilder text = letter == 'n' ? null : new StringBuilder();
            at = text == null ? at + 3 : text(json, at + 1, text);
            String found = text == null ? null : text.toString();
            if (depth == 1) {
                if (key != null)
                    parts.put(key, found);
                key = key == null ? found : null;
            } else if (name == null) {
                name = found;
            } else {
                headers.add(new Header(name, bytes(found)));
                name = null;
            }
        }
        return new Question(parts.get("content"), bytes(parts.get("data")), headers, parts.get("schema"));
    }

    /** Reads a text from behind its quotation mark on, and gives where it ends. */
    private static int text(String json, int at, StringBuilder to) {
        for (; json.charAt(at) != '"'; at++) {
            if (json.charAt(at) != '\\') {
                to.append(json.charAt(at));
            } else if (json.charAt(++at) == 'u') {
                to.append((char) Integer.parseInt(json.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int known = "bfnrt".indexOf(json.charAt(at));
                to.append(known < 0 ? json.charAt(at) : "\b\f\n\r\t".charAt(known));
            }
        }
        return at;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map)
            return map.entrySet().stream().map(each -> json(each.getKey()) + ": " + json(each.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        if (value instanceof Iterable<?> items) {
            StringJoiner joined = new StringJoiner(", ", "[", "]");
            items.forEach(item -> joined.add(json(item)));
            return joined.toString();
        }
        if (value == null || value instanceof Number || value instanceof Boolean)
            return String.valueOf(value);
        return value.toString().chars().mapToObj(
                letter -> letter < ' ' || letter > '~' || letter == '"' || letter == '\\' ? String.format("\\u%04x", letter)
                        : Character.toString(letter)).collect(Collectors.joining("", "\"", "\""));
    }

    private static byte[] bytes(String hex) {
        return hex == null ? null : HexFormat.of().parseHex(hex);
    }

    private static void write(DataOutputStream to, byte[] data) throws IOException {
        to.writeInt(data.length);
        to.write(data);
    }
}
