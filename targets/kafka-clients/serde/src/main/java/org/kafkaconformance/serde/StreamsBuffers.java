package org.kafkaconformance.serde;

import static org.kafkaconformance.serde.StreamsClasses.call;
import static org.kafkaconformance.serde.StreamsClasses.on;
import static org.kafkaconformance.serde.StreamsStores.headers;
import static org.kafkaconformance.serde.StreamsStores.hex;
import static org.kafkaconformance.serde.StreamsStores.value;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;

/** The buffer of suppress, in the forms of four releases, and what the leader of a group assigns. */
final class StreamsBuffers {
    private static final String HELPER = "state.internals.TimeOrderedKeyValueBufferChangelogDeserializationHelper";
    private static final String ASSIGNMENT = "processor.internals.assignment.AssignmentInfo";

    private StreamsBuffers() {
    }

    /** Reads what waits in a buffer, with the method for its form. */
    static Map<String, Object> read(String method, byte[] data) throws Exception {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("topic", 0, 0L, new byte[0], data);
        Bytes key = Bytes.wrap(new byte[0]);
        boolean isOld = method.endsWith("V0") || method.endsWith("V1"); // these take the value before, too
        Object read = isOld ? call(HELPER, method, record, key, null) : call(HELPER, method, record, key);
        Object buffered = on(read, "bufferValue");
        Map<String, Object> shown = new LinkedHashMap<>();
        if (!method.endsWith("V0"))
            shown.putAll(context(on(buffered, "context")));
        if (!isOld)
            shown.put("prior", hex(on(buffered, "priorValue")));
        shown.put("old", hex(on(buffered, "oldValue")));
        shown.put("new", hex(on(buffered, "newValue")));
        shown.put("time", Long.toString((long) on(read, "time")));
        return value(shown);
    }

    private static Map<String, Object> context(Object context) throws Exception {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("timestamp", Long.toString((long) on(context, "timestamp")));
        shown.put("offset", Long.toString((long) on(context, "offset")));
        shown.put("topic", on(context, "topic"));
        shown.put("partition", on(context, "partition"));
        shown.put("headers", headers((Headers) on(context, "headers")));
        return shown;
    }

    /** Reads the user data of an assignment. */
    static Map<String, Object> assignment(byte[] data) throws Exception {
        Object read = call(ASSIGNMENT, "decode", ByteBuffer.wrap(data));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("version", on(read, "version"));
        shown.put("commonly_supported_version", on(read, "commonlySupportedVersion"));
        shown.put("active_tasks", texts((Iterable<?>) on(read, "activeTasks")));
        shown.put("standby_tasks", sets(on(read, "standbyTasks")));
        shown.put("hosts", sets(on(read, "partitionsByHost")));
        shown.put("standby_hosts", sets(on(read, "standbyPartitionByHost")));
        shown.put("error_code", on(read, "errCode"));
        shown.put("next_rebalance_ms", on(read, "nextRebalanceMs").toString());
        return value(shown);
    }

    private static Map<String, Object> sets(Object partitions) throws Exception {
        Map<String, Object> shown = new TreeMap<>();
        for (Map.Entry<?, ?> each : ((Map<?, ?>) partitions).entrySet())
            shown.put(name(each.getKey()), texts((Iterable<?>) each.getValue()).stream().sorted().toList());
        return shown;
    }

    private static String name(Object of) throws Exception {
        return of.getClass().getSimpleName().equals("HostInfo") ? on(of, "host") + ":" + on(of, "port") : of.toString();
    }

    private static List<String> texts(Iterable<?> found) {
        List<String> shown = new ArrayList<>();
        found.forEach(each -> shown.add(each.toString()));
        return shown;
    }
}
