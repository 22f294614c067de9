import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * A producer in Java behind the suite, with nothing but the JDK: copy this file, and call your client in produce. Then:
 * kafka-conformance smoke "cmd:java -cp 'lib/*' ProducerDriver.java", and run the same.
 */
public final class ProducerDriver {
    /** "settings" is what it can be asked to do, also: "idempotent", "transactional", "level", "acks". */
    private static final String HELLO = """
            {"protocol": 1, "kind": "producer", "name": "mine", "version": "1.0", "language": "Java", "checks_crc": true,
            "formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
            "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
            "directions": ["encode"], "requests": ["produce"], "settings": ["headers"]}""";

    /** A record to write; names and values of headers follow one another. */
    record Entry(long timestamp, byte[] key, byte[] value, List<byte[]> headers) { }

    /**
     * What to write to partition 0 of a topic. The settings are codec, and where they are asked for: level, acks,
     * idempotent, transactional (a transaction with the topic's name as its id, committed).
     */
    record Order(String topic, Map<String, String> settings, List<Entry> records) { }

    /**
     * Writes all records of an order, waits until they are sent, and gives what the application is told of failures. Do
     * not catch what your client throws: that is such a failure.
     */
    static List<String> produce(String broker, Order order) throws Exception {
        return List.of("nothing writes " + order.records.size() + " records to " + order.topic + " of " + broker);
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream replies = new DataOutputStream(System.out);
        System.setOut(System.err); // what a library prints must not stand between replies
        for (byte[] head = requests.readNBytes(4); head.length == 4; head = requests.readNBytes(4)) {
            byte[] request = requests.readNBytes(java.nio.ByteBuffer.wrap(head).getInt());
            String[] rows = new String(request, 1, request.length - 1, StandardCharsets.UTF_8).split("\n");
            if (request[0] == 'H')
                reply(replies, 'H', HELLO);
            else
                for (Order order : orders(rows))
                    reply(replies, 'O', failures(rows[0].split("\t")[0], order));
        }
        System.exit(0);
    }

    private static void reply(DataOutputStream replies, char kind, String text) throws IOException {
        byte[] said = text.getBytes(StandardCharsets.UTF_8);
        replies.writeInt(1 + said.length);
        replies.write(kind);
        replies.write(said);
        replies.flush();
    }

    private static String failures(String broker, Order order) {
        List<String> failures;
        try {
            failures = produce(broker, order);
        } catch (Exception error) {
            failures = List.of(error.toString());
        }
        return String.join("\n", failures.stream().map(text -> text.replaceAll("\\s+", " ")).toList());
    }

    private static List<Order> orders(String[] rows) {
        List<Order> orders = new ArrayList<>();
        for (String row : Arrays.asList(rows).subList(1, rows.length)) {
            String[] words = row.split("\t");
            if (words[0].equals("order")) {
                Map<String, String> settings = new TreeMap<>();
                Arrays.stream(words).skip(2).map(word -> word.split("=", 2)).forEach(pair -> settings.put(pair[0], pair[1]));
                orders.add(new Order(words[1], settings, new ArrayList<>()));
            } else {
                List<byte[]> headers = new ArrayList<>();
                Arrays.stream(words).skip(4).forEach(word -> headers.add(bytes(word)));
                Entry entry = new Entry(Long.parseLong(words[1]), bytes(words[2]), bytes(words[3]), headers);
                orders.get(orders.size() - 1).records.add(entry);
            }
        }
        return orders;
    }

    private static byte[] bytes(String text) {
        return text.equals("-") ? null : HexFormat.of().parseHex(text);
    }
}
