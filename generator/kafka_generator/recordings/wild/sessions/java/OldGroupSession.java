import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;

/** Writes three records and reads them as a member of a group, with clients of 0.9 to 2.8: `... HOST:PORT`. */
class OldGroupSession {
    static final String TOPIC = "orders-old", STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-old");
        settings.put("group.id", "group-old");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
            for (int number = 0; number < 3; number++) {
                producer.send(new ProducerRecord<>(TOPIC, 0, "k", "order " + number)).get();
            }
        }
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.subscribe(Arrays.asList(TOPIC));
            int found = 0;
            for (int tries = 0; found < 3 && tries < 60; tries++) {
                found += consumer.poll(500).count();
            }
            consumer.commitSync();
            consumer.committed(new TopicPartition(TOPIC, 0));
            consumer.listTopics();
            Thread.sleep(3500);
            consumer.poll(500);
            System.err.println("  read " + found);
        }
    }
}
