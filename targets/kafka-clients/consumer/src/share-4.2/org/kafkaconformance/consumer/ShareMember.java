package org.kafkaconformance.consumer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A member of a share group (KIP-932). */
public final class ShareMember implements Member {
    /** What a consumer of shares has to be told, too; all else is not known to it. */
    private static final Set<String> KNOWN = Set.of(
        "bootstrap.servers", "check.crcs", "client.rack", "default.api.timeout.ms", "fetch.max.wait.ms", "group.id",
        "request.timeout.ms");

    private final Map<String, Integer> deliveries = new HashMap<>();
    private final Set<String> renewed = new TreeSet<>();
    private List<String> lines;
    private String[] types = {};
    private KafkaShareConsumer<byte[], byte[]> consumer;

    @Override
    public void join(List<String> lines, Map<String, Object> settings, Map<String, String> asked, List<String> names) {
        this.lines = lines;
        settings.keySet().retainAll(KNOWN);
        settings.put("retry.backoff.ms", "50");
        settings.put("max.poll.records", "100000");
        if (asked.containsKey("acknowledge")) {
            types = asked.get("acknowledge").split(",");
            settings.put("share.acknowledgement.mode", "explicit");
        }
        consumer = new KafkaShareConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.setAcknowledgementCommitCallback((done, error) -> done.forEach((topic, offsets) -> say(topic, offsets, error)));
        consumer.subscribe(names);
    }

    private void say(TopicIdPartition topic, Set<Long> offsets, Exception error) {
        String what = error == null ? "acknowledged" : "acknowledge-failed";
        String why = error == null ? "" : "\t" + error.getClass().getSimpleName();
        lines.add(what + "\t" + topic.topic() + "\t" + ranges(new TreeSet<>(offsets)) + why);
    }

    private static String ranges(TreeSet<Long> offsets) {
        List<String> found = new ArrayList<>();
        for (long first : offsets) {
            if (offsets.contains(first - 1)) {
                continue;
            }
            long last = first;
            while (offsets.contains(last + 1)) {
                last++;
            }
            found.add(first == last ? "" + first : first + ".." + last);
        }
        return String.join(",", found);
    }

    /** Polls, and says of each record what was asked for; a record whose lock was renewed comes no second time. */
    @Override
    public Iterable<ConsumerRecord<byte[], byte[]>> poll(long milliseconds) {
        List<ConsumerRecord<byte[], byte[]>> got = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(milliseconds))) {
            String key = record.topic() + " " + record.offset();
            if (!renewed.remove(key)) {
                got.add(record);
                lines.add("delivered\t" + record.topic() + "\t" + record.offset() + "\tcount="
                    + record.deliveryCount().map(String::valueOf).orElse("none"));
            }
            if (types.length > 0) {
                int before = deliveries.merge(key, 1, Integer::sum) - 1;
                String type = types[(int) ((record.offset() + before) % types.length)];
                consumer.acknowledge(record, AcknowledgeType.valueOf(type.toUpperCase(Locale.ROOT)));
                if (type.equals("renew")) {
                    renewed.add(key);
                }
            }
        }
        return got;
    }

    @Override
    public void commit() {
        Map<TopicIdPartition, Optional<KafkaException>> done = consumer.commitSync();
        Optional<KafkaException> failed = done.values().stream().flatMap(Optional::stream).findFirst();
        lines.add(failed.map(error -> "commit-failed\t" + error.getClass().getSimpleName()).orElse("committed"));
    }

    @Override
    public void close(long milliseconds) {
        consumer.close(Duration.ofMillis(milliseconds));
    }
}
