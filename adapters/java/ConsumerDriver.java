import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/**
 * A consumer in Java behind the suite, with nothing but the JDK: copy this file, and call your client in Client. Then:
 * kafka-conformance smoke "cmd:java -cp 'lib/*' ConsumerDriver.java", and run the same.
 */
public final class ConsumerDriver {
    /** With "settings": ["reset", "max_bytes", "timeout", "rack", "group"] (those it knows) it takes part in conversations. */
    private static final String HELLO = """
            {"protocol": 1, "kind": "consumer", "name": "mine", "version": "1.0", "language": "Java", "checks_crc": true,
            "formats": ["v0", "v1", "v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
            "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
            "directions": ["decode"], "requests": ["deliver"], "partial": true}""";

    /** Your client. Do not catch what it throws: that is what its users are told. */
    static final class Client {
        /** For a broker host:port and an isolation level, read_uncommitted or read_committed. */
        Client(String broker, String isolation, Map<String, String> settings) { }

        /** Consumes partition 0 of these topics, each from its offset, and no others. */
        void assign(Map<String, Long> offsets) { }

        /** Polls for a tenth of a second; says with record and error what came. */
        void poll(Lines lines) throws Exception {
            Thread.sleep(100);
        }

        void close() { }
    }

    /** What the application gets. */
    static final class Lines {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        /** A type is 0 create time, 1 log append time, -1 none; header names and values follow one another. */
        void record(String topic, long offset, long timestamp, int type, byte[] key, byte[] value, List<byte[]> headers) {
            Stream<String> front = Stream.of("record", topic, "" + offset, "" + timestamp, "" + type);
            Stream<String> data = Stream.concat(Stream.of(hex(key), hex(value)), headers.stream().map(Lines::hex));
            lines.add(Stream.concat(front, data).collect(Collectors.joining("\t")));
        }

        /** An error that the application was told; the topic is ? if it names none. */
        void error(String topic, Throwable error) {
            lines.add("error\t" + topic + "\t" + error.toString().replaceAll("\\s+", " "));
        }

        private String take() {
            String said = String.join("\n", lines);
            lines.clear();
            return said;
        }

        private static String hex(byte[] content) {
            return content == null ? "-" : HexFormat.of().formatHex(content);
        }
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream replies = new DataOutputStream(System.out);
        System.setOut(System.err); // what a library prints must not stand between replies
        ConsumerDriver driver = new ConsumerDriver();
        for (byte[] head = requests.readNBytes(4); head.length == 4; head = requests.readNBytes(4)) {
            byte[] request = requests.readNBytes(java.nio.ByteBuffer.wrap(head).getInt());
            String text = new String(request, 1, request.length - 1, StandardCharsets.UTF_8);
            byte[] said = driver.answer((char) request[0], text).getBytes(StandardCharsets.UTF_8);
            replies.writeInt(1 + said.length);
            replies.write(request[0]);
            replies.write(said);
            replies.flush();
        }
        System.exit(0);
    }

    private final Lines lines = new Lines();
    private Client client;

    private String answer(char kind, String text) {
        if (kind == 'H')
            return HELLO;
        try {
            if (kind == 'P' && client != null)
                client.poll(lines);
            if (kind != 'P' && client != null)
                end();
            if (kind == 'A')
                assign(text.split("\n"));
        } catch (Exception error) {
            lines.error("?", error);
        }
        return lines.take();
    }

    private void end() {
        Client ending = client;
        client = null;
        ending.close();
    }

    private void assign(String[] rows) {
        lines.take();
        String[] words = rows[0].split("\t");
        Map<String, String> settings = new TreeMap<>();
        Arrays.stream(words).skip(2).map(word -> word.split("=", 2)).forEach(pair -> settings.put(pair[0], pair[1]));
        Map<String, Long> offsets = new TreeMap<>();
        Arrays.stream(rows).skip(1).map(row -> row.split("\t"))
                .forEach(pair -> offsets.put(pair[0], Long.parseLong(pair[1])));
        client = new Client(words[0], words[1], settings);
        client.assign(offsets);
    }
}
