package org.kafkaconformance.consumer;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A member of a group of a sort that not every release has, nor KafkaConsumer. */
public interface Member {
    /**
     * Joins a group.
     *
     * @param lines takes what the application is told
     * @param settings of the client, by Kafka's names
     * @param asked the settings, by the suite's names
     * @param names the topics
     */
    void join(List<String> lines, Map<String, Object> settings, Map<String, String> asked, List<String> names);

    /** Returns the records that came. */
    Iterable<ConsumerRecord<byte[], byte[]>> poll(long milliseconds);

    /** Commits what the application has, and says how that went. */
    void commit();

    /** Wants all members of the group to end. */
    default void shutDown() {
        throw new UnsupportedOperationException("only a member of a streams group can");
    }

    void close(long milliseconds);

    /** Returns a member of groups of this protocol; null if this release has none. */
    static Member of(String protocol) {
        try {
            String name = protocol.substring(0, 1).toUpperCase() + protocol.substring(1) + "Member";
            return (Member) Class.forName("org.kafkaconformance.consumer." + name).getConstructor().newInstance();
        } catch (ReflectiveOperationException missing) {
            return null;
        }
    }
}
