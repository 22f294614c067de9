package org.kafkaconformance.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves a reader of keys and values over adapter protocol 1: a frame is an int32 length and that many bytes, of which
 * the first is the kind; `H` is answered with the hello, `F` brings a block of questions as JSON.
 */
public final class Questions {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is asked: the kind of content, the value or null, and the headers, of which the last of a name counts. */
    public record Question(String content, byte[] data, Map<String, byte[]> headers) { }

    /** Reads a value. An exception refuses it, UnsupportedOperationException is a gap, an error ends the program. */
    public interface Reader {
        Map<String, Object> read(Question question) throws Exception;
    }

    private Questions() {
    }

    /** Answers until the end of input; `serdes` says for each kind of content which parts of answers there are. */
    public static void serve(String name, String version, Map<String, List<String>> serdes, Reader reader)
            throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream replies = new DataOutputStream(System.out);
        System.setOut(System.err); // what a library prints must not stand between replies
        Map<String, Object> hello = new LinkedHashMap<>(Map.of("protocol", 1, "name", name, "version", version,
                "language", "Java", "formats", List.of(), "codecs", List.of(), "fields", List.of(), "checks_crc", true,
                "directions", List.of()));
        hello.put("serdes", serdes);
        for (byte[] head = requests.readNBytes(4); head.length == 4; head = requests.readNBytes(4)) {
            ByteBuffer request = ByteBuffer.wrap(requests.readNBytes(ByteBuffer.wrap(head).getInt()));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            reply.write(request.get());
            if (request.get(0) == 'H')
                JSON.writeValue(reply, hello);
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
            byte[] question = new byte[from.getInt()];
            from.get(question);
            int status = 0;
            byte[] content;
            try {
                content = JSON.writeValueAsBytes(reader.read(question(JSON.readTree(question))));
            } catch (Exception error) {
                status = error instanceof UnsupportedOperationException ? 2 : 1;
                content = error.toString().getBytes("UTF-8");
            }
            to.write(status);
            write(to, content);
        }
    }

    private static Question question(JsonNode asked) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        asked.get("headers").forEach(header -> headers.put(header.get(0).asText(), bytes(header.get(1))));
        return new Question(asked.get("content").asText(), bytes(asked.get("data")), headers);
    }

    private static byte[] bytes(JsonNode hex) {
        return hex.isNull() ? null : HexFormat.of().parseHex(hex.asText());
    }

    private static void write(DataOutputStream to, byte[] data) throws IOException {
        to.writeInt(data.length);
        to.write(data);
    }
}
