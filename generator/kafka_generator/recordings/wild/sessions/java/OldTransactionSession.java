import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;

/** Passes records on in transactions, with clients of 0.11 to 3.9: `... OldTransactionSession.java HOST:PORT`. */
class OldTransactionSession {
    static final String TOPIC = "orders-old-tx", STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-old-tx");
        settings.put("transactional.id", "tx-old");
        settings.put("group.id", "group-old-tx");
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        try (Producer<String, String> producer = new KafkaProducer<>(settings);
                KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, 0, "k", "aborted")).get();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, 0, "k", "committed")).get();
            producer.commitTransaction();
            consumer.subscribe(Arrays.asList(TOPIC));
            int found = 0;
            for (int tries = 0; found < 1 && tries < 60; tries++) {
                found += consumer.poll(500).count();
            }
            TopicPartition first = new TopicPartition(TOPIC, 0);
            consumer.offsetsForTimes(Map.of(first, 0L));
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(first, new OffsetAndMetadata(1, "passed")), "group-old-tx");
            producer.commitTransaction();
            consumer.committed(first);
            System.err.println("  read " + found);
        }
    }
}
