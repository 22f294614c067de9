package org.kafkaconformance.serde;

import static org.kafkaconformance.serde.StreamsClasses.call;
import static org.kafkaconformance.serde.StreamsClasses.field;
import static org.kafkaconformance.serde.StreamsClasses.make;
import static org.kafkaconformance.serde.StreamsClasses.on;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;

/** The classes with which Kafka Streams reads its stores, its changelogs and its own topics. */
final class StreamsStores {
    private static final String STORES = "state.internals.";
    private static final String FOREIGN = "kstream.internals.foreignkeyjoin.";
    private static final String WINDOWS = STORES + "PrefixedWindowKeySchemas$";
    private static final String SESSIONS = STORES + "PrefixedSessionKeySchemas$";
    private static final List<String> VALUE = List.of("value");
    private static final List<String> BEHIND = List.of("value", "payload");

    private StreamsStores() {
    }

    /** Reads a value that is not null; null where the kind is not one of these. */
    static Map<String, Object> read(String content, byte[] data) throws Exception {
        return switch (content) {
            case "window-store-key" -> window(STORES + "WindowKeySchema", data);
            case "time-first-window-key" -> window(WINDOWS + "TimeFirstWindowKeySchema", data);
            case "key-first-window-key" -> window(WINDOWS + "KeyFirstWindowKeySchema", data);
            case "time-first-session-key" -> session(SESSIONS + "TimeFirstSessionKeySchema", data);
            case "key-first-session-key" -> session(SESSIONS + "KeyFirstSessionKeySchema", data);
            case "timestamped-value" -> timestamped("ValueAndTimestampDeserializer", data);
            case "timestamped-value-with-headers" -> timestamped("ValueTimestampHeadersDeserializer", data);
            case "aggregate-with-headers" -> aggregate(data);
            case "store-headers" -> value(headers((Headers) call(STORES + "HeadersDeserializer", "deserialize", data)));
            case "versioned-segment" -> segment(data);
            case "suppressed-value" -> StreamsBuffers.read("deserializeV3", data);
            case "suppressed-value-two" -> StreamsBuffers.read("deserializeV2", data);
            case "suppressed-value-one" -> StreamsBuffers.read("deserializeV1", data);
            case "suppressed-value-none" -> StreamsBuffers.read("deserializeV0", data);
            case "streams-assignment" -> StreamsBuffers.assignment(data);
            case "foreign-key-subscription" -> subscription(data);
            case "foreign-key-response" -> response(data);
            case "foreign-key-store-key" -> foreignKey(data);
            case "table-change" -> change(data);
            case "join-key" -> joinKey(data);
            case "join-value" -> joinValue(data);
            case "position" -> value(position(data));
            case "checkpoint-file" -> value(checkpoint(data));
            case "process-file" -> value(process(data));
            default -> null;
        };
    }

    /** The kinds that the release has classes for, with the parts of their answers. */
    static Map<String, List<String>> kinds() {
        Map<String, List<String>> kinds = new TreeMap<>();
        for (String kind : List.of("window-store-key", "time-first-window-key", "key-first-window-key",
                "time-first-session-key", "key-first-session-key", "versioned-segment", "suppressed-value",
                "suppressed-value-two", "suppressed-value-one", "suppressed-value-none", "streams-assignment",
                "table-change", "position", "checkpoint-file", "process-file"))
            kinds.put(kind, VALUE);
        for (String kind : List.of("timestamped-value", "foreign-key-subscription", "foreign-key-response",
                "foreign-key-store-key", "join-key", "join-value"))
            kinds.put(kind, BEHIND);
        if (StreamsClasses.has(STORES + "HeadersDeserializer")) {
            kinds.put("store-headers", VALUE);
            kinds.put("timestamped-value-with-headers", BEHIND);
            kinds.put("aggregate-with-headers", BEHIND);
        }
        return kinds;
    }

    private static Object read(Object deserializer, byte[] data) {
        return ((Deserializer<?>) deserializer).deserialize("topic", new RecordHeaders(), data);
    }

    static Map<String, Object> value(Object value) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("value", value);
        return answer;
    }

    private static Map<String, Object> value(Object value, Object payload) {
        Map<String, Object> answer = value(value);
        answer.put("payload", hex(payload));
        return answer;
    }

    private static Map<String, Object> window(String schema, byte[] data) throws Exception {
        Windowed<?> read = (Windowed<?>) call(schema, "fromStoreBytesKey", data, 1000L);
        Map<String, Object> times = new LinkedHashMap<>();
        times.put("key", text(((Bytes) read.key()).get()));
        times.put("start", Long.toString(read.window().start()));
        times.put("number", call(schema, "extractStoreSequence", data));
        return value(times);
    }

    private static Map<String, Object> session(String schema, byte[] data) throws Exception {
        Windowed<?> read = (Windowed<?>) call(schema, "from", Bytes.wrap(data));
        return value(Map.of("key", text(((Bytes) read.key()).get()), "end", Long.toString(read.window().end()),
                "start", Long.toString(read.window().start())));
    }

    private static Map<String, Object> timestamped(String name, byte[] data) throws Exception {
        Object read = read(make(STORES + name, new ByteArrayDeserializer()), data);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("timestamp", Long.toString((long) field(read, "timestamp")));
        if (name.contains("Headers"))
            shown.put("headers", headers((Headers) field(read, "headers")));
        return value(shown, field(read, "value"));
    }

    private static Map<String, Object> aggregate(byte[] data) throws Exception {
        Object reader = make(STORES + "AggregationWithHeadersDeserializer", new ByteArrayDeserializer());
        Object read = read(reader, data);
        return value(Map.of("headers", headers((Headers) field(read, "headers"))), field(read, "aggregation"));
    }

    private static Map<String, Object> segment(byte[] data) throws Exception {
        String name = STORES + "RocksDBVersionedStoreSegmentValueFormatter";
        Object segment = call(name, "deserialize", data);
        List<Object> versions = new ArrayList<>();
        long least = (long) field(segment, "minTimestamp");
        long from = (long) field(segment, "nextTimestamp");
        do {
            Object found = on(segment, "find", from - 1, true);
            from = (long) field(found, "validFrom");
            versions.add(Arrays.asList(Long.toString(from), Long.toString((long) field(found, "validTo")),
                    hex(field(found, "value"))));
        } while (from != least);
        return value(versions);
    }

    private static Map<String, Object> subscription(byte[] data) throws Exception {
        Supplier<String> topic = () -> "topic";
        Object serde = make(FOREIGN + "SubscriptionWrapperSerde", topic, Serdes.ByteArray());
        Object read = read(((Serde<?>) serde).deserializer(), data);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("version", field(read, "version"));
        shown.put("instruction", field(field(read, "instruction"), "value"));
        shown.put("hash", hash((long[]) field(read, "hash")));
        shown.put("partition", field(read, "primaryPartition"));
        return value(shown, field(read, "primaryKey"));
    }

    private static Map<String, Object> response(byte[] data) throws Exception {
        Object serde = make(FOREIGN + "SubscriptionResponseWrapperSerde", Serdes.ByteArray());
        Object read = read(((Serde<?>) serde).deserializer(), data);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("version", field(read, "version"));
        shown.put("hash", hash((long[]) field(read, "originalValueHash")));
        return value(shown, field(read, "foreignValue"));
    }

    private static Map<String, Object> foreignKey(byte[] data) throws Exception {
        Supplier<String> topic = () -> "topic";
        Object schema = make(FOREIGN + "CombinedKeySchema", topic, Serdes.ByteArray(), topic, Serdes.ByteArray());
        Object read;
        try {
            read = on(schema, "fromBytes", Bytes.wrap(data));
        } catch (NoSuchMethodException error) { // since 4.4 it takes headers, too
            read = on(schema, "fromBytes", Bytes.wrap(data), new RecordHeaders());
        }
        return value(Map.of("foreign_key", hex(field(read, "foreignKey"))), field(read, "primaryKey"));
    }

    private static Map<String, Object> change(byte[] data) throws Exception {
        Object read = read(make("kstream.internals.ChangedDeserializer", new ByteArrayDeserializer()), data);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("new", hex(field(read, "newValue")));
        shown.put("old", hex(field(read, "oldValue")));
        shown.put("is_latest", field(read, "isLatest"));
        return value(shown);
    }

    private static Map<String, Object> joinKey(byte[] data) throws Exception {
        Object read = read(make(STORES + "TimestampedKeyAndJoinSideDeserializer", new ByteArrayDeserializer()), data);
        return value(Map.of("timestamp", Long.toString((long) field(read, "timestamp")), "side",
                (boolean) on(read, "isLeftSide") ? "left" : "right"), field(read, "key"));
    }

    private static Map<String, Object> joinValue(byte[] data) throws Exception {
        Object read = read(make(STORES + "LeftOrRightValueDeserializer", new ByteArrayDeserializer(),
                new ByteArrayDeserializer()), data);
        if (read == null)
            return value(null, null);
        Object left = field(read, "leftValue");
        return value(Map.of("side", left != null ? "left" : "right"), left != null ? left : field(read, "rightValue"));
    }

    private static Object position(byte[] data) throws Exception {
        Object read = call(STORES + "PositionSerde", "deserialize", ByteBuffer.wrap(data));
        Map<String, Object> shown = new TreeMap<>();
        for (Object topic : (Iterable<?>) on(read, "getTopics")) {
            Map<String, Object> offsets = new TreeMap<>();
            ((Map<?, ?>) on(read, "getPartitionPositions", topic))
                    .forEach((partition, offset) -> offsets.put(partition.toString(), offset.toString()));
            shown.put((String) topic, offsets);
        }
        return shown;
    }

    private static Object checkpoint(byte[] data) throws Exception {
        File file = File.createTempFile("checkpoint", "");
        try {
            Files.write(file.toPath(), data);
            Map<String, Object> shown = new TreeMap<>();
            ((Map<?, ?>) on(make(STORES + "OffsetCheckpoint", file), "read"))
                    .forEach((partition, offset) -> shown.put(partition.toString(), offset.toString()));
            return shown;
        } finally {
            file.delete();
        }
    }

    private static Object process(byte[] data) throws Exception {
        Class<?> type = Class.forName("org.apache.kafka.streams.processor.internals.StateDirectory$StateDirectoryProcessFile");
        Object id = field(new ObjectMapper().readValue(data, type), "processId");
        if (id == null)
            throw new IllegalStateException("there is no id"); // the caller writes a new file then
        return Map.of("process_id", id.toString());
    }

    static List<Object> headers(Headers headers) {
        List<Object> shown = new ArrayList<>();
        for (Header header : headers)
            shown.add(Arrays.asList(header.key(), hex(header.value())));
        return shown;
    }

    private static String hash(long[] halves) {
        return halves == null ? null : String.format("%016x%016x", halves[0], halves[1]);
    }

    static String hex(Object bytes) {
        return bytes == null ? null : HexFormat.of().formatHex((byte[]) bytes);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
