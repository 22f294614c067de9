package org.kafkaconformance.consumer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.internals.AsyncKafkaConsumer;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceData;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceData.Assignment;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceData.HostInfo;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceData.Subtopology;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceData.TaskId;
import org.apache.kafka.clients.consumer.internals.StreamsRebalanceListener;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A member of a streams group (KIP-1071): the consumer that StreamThread makes for itself, without Kafka Streams around
 * it. Each topic is a part of the topology.
 */
public final class StreamsMember implements Member, StreamsRebalanceListener {
    private static final Set<String> OF_BROKER = Set.of("heartbeat.interval.ms", "session.timeout.ms");

    private final Map<String, String> topics = new HashMap<>();
    private List<String> lines;
    private long callback;
    private StreamsRebalanceData data;
    private AsyncKafkaConsumer<byte[], byte[]> consumer;
    private String statuses = "";
    private String endpoints = "";

    @Override
    public void join(List<String> lines, Map<String, Object> settings, Map<String, String> asked, List<String> names) {
        this.lines = lines;
        callback = Long.parseLong(asked.getOrDefault("callback", "0"));
        settings.keySet().removeAll(OF_BROKER);
        settings.put("group.protocol", "consumer");
        settings.put("enable.auto.commit", "false");
        settings.put("key.deserializer", ByteArrayDeserializer.class);
        settings.put("value.deserializer", ByteArrayDeserializer.class);
        Map<String, Subtopology> parts = new HashMap<>();
        for (String name : names) {
            String id = String.valueOf(parts.size());
            topics.put(id, name);
            parts.put(id, new Subtopology(Set.of(name), Set.of(), Map.of(), Map.of(), List.of()));
        }
        Optional<HostInfo> endpoint = Optional.ofNullable(asked.get("endpoint")).map(StreamsMember::host);
        data = new StreamsRebalanceData(UUID.randomUUID(), endpoint, Optional.empty(), parts, Map.of(), Map::of, Map::of);
        consumer = new AsyncKafkaConsumer<>(
            new ConsumerConfig(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer(), Optional.of(data));
        consumer.subscribe(names, this);
    }

    private static HostInfo host(String text) {
        String[] words = text.split(":");
        return new HostInfo(words[0], Integer.parseInt(words[1]));
    }

    @Override
    public void onTasksRevoked(Set<TaskId> tasks) {
        try {
            Thread.sleep(callback);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        say("revoked", tasks);
    }

    @Override
    public void onTasksAssigned(Assignment assignment) {
        data.setReconciledAssignment(assignment);
        say("assigned", assignment.activeTasks());
    }

    @Override
    public void onAllTasksLost() {
        Set<TaskId> tasks = data.reconciledAssignment().activeTasks();
        data.setReconciledAssignment(Assignment.EMPTY);
        say("lost", tasks);
    }

    private void say(String what, Set<TaskId> tasks) {
        String names = tasks.stream().map(task -> topics.get(task.subtopologyId())).sorted().collect(Collectors.joining("\t"));
        lines.add(names.isEmpty() ? what : what + "\t" + names);
    }

    @Override
    public Iterable<ConsumerRecord<byte[], byte[]>> poll(long milliseconds) {
        Iterable<ConsumerRecord<byte[], byte[]>> got = consumer.poll(Duration.ofMillis(milliseconds));
        String told = data.statuses().stream().map(status -> "" + status.statusCode()).collect(Collectors.joining("\t"));
        if (!told.equals(statuses) && !told.isEmpty()) {
            lines.add("status\t" + told);
        }
        statuses = told;
        String there = data.partitionsByHost().keySet().stream()
            .map(host -> host.host() + ":" + host.port()).sorted().collect(Collectors.joining("\t"));
        if (!there.equals(endpoints)) {
            lines.add("endpoint\t" + there);
        }
        endpoints = there;
        return got;
    }

    @Override
    public void commit() {
        consumer.commitSync();
        lines.add("committed");
    }

    @Override
    public void shutDown() {
        data.requestShutdown();
    }

    @Override
    public void close(long milliseconds) {
        consumer.close(Duration.ofMillis(milliseconds));
    }
}
