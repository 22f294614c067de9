import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;

/** Writes records and transactions, and reads them as members of groups: `... GroupSession.java HOST:PORT PROTOCOL`. */
class GroupSession {
    static final String STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        String address = arguments[0], protocol = arguments[1], topic = "orders-" + protocol;
        write(address, topic);
        Map<String, Object> settings = settings(address, "java-" + protocol, protocol);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.subscribe(List.of(topic));
            read(consumer, 2);
            consumer.commitSync();
            consumer.commitSync(Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1, Optional.of(0), "one")));
            consumer.committed(Set.of(new TopicPartition(topic, 0)));
            consumer.offsetsForTimes(Map.of(new TopicPartition(topic, 0), 0L));
            consumer.beginningOffsets(Set.of(new TopicPartition(topic, 0)));
            consumer.listTopics();
            pass(address, topic, consumer.groupMetadata());
            Thread.sleep(3500);
            consumer.poll(Duration.ofMillis(500));
        }
    }

    static Map<String, Object> settings(String address, String name, String protocol) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        settings.put("client.id", name);
        settings.put("group.id", "group-" + name);
        settings.put("group.protocol", protocol);
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        if (protocol.equals("classic")) {
            settings.put("group.instance.id", name + "-1");
        }
        return settings;
    }

    static void read(KafkaConsumer<String, String> consumer, int expected) {
        int found = 0;
        for (int tries = 0; found < expected && tries < 60; tries++) {
            found += consumer.poll(Duration.ofMillis(500)).count();
        }
        System.err.println("  read " + found);
    }

    static Producer<String, String> producer(String address, String name) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        settings.put("client.id", name);
        settings.put("transactional.id", name);
        settings.put("compression.type", "gzip");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        Producer<String, String> producer = new KafkaProducer<>(settings);
        producer.initTransactions();
        return producer;
    }

    static void write(String address, String topic) {
        try (Producer<String, String> producer = producer(address, "writer-" + topic)) {
            for (String word : List.of("aborted", "committed")) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(topic, 0, "k1", word + " 1"));
                producer.send(new ProducerRecord<>(topic, 0, "k2", word + " 2"));
                producer.flush();
                if (word.equals("aborted")) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
    }

    /** Commits offsets of the group in a transaction. */
    static void pass(String address, String topic, ConsumerGroupMetadata group) {
        try (Producer<String, String> producer = producer(address, "passing-" + topic)) {
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, "k3", "passed on"));
            producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(2)), group);
            producer.commitTransaction();
        }
    }
}
