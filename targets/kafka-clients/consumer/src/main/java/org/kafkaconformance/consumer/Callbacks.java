package org.kafkaconformance.consumer;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** Says what an application is told of its partitions, and takes its time when it loses some. */
final class Callbacks implements ConsumerRebalanceListener {
    private final List<String> lines;
    private final long milliseconds;

    Callbacks(List<String> lines, long milliseconds) {
        this.lines = lines;
        this.milliseconds = milliseconds;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        say("assigned", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        say("revoked", partitions);
    }

    /** Overrides nothing before 2.4, which calls it revoked. */
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        say("lost", partitions);
    }

    private void say(String what, Collection<TopicPartition> partitions) {
        String names = partitions.stream().map(TopicPartition::topic).sorted().collect(Collectors.joining("\t"));
        lines.add(names.isEmpty() ? what : what + "\t" + names);
    }
}
