import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;

/** Writes a record to three replicas, reads in a group, prints who leads the controllers: `... QuorumSession.java HOST:PORT`. */
class QuorumSession {
    static final String TOPIC = "orders-quorum", STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-quorum");
        settings.put("group.id", "group-quorum");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        try (Admin admin = Admin.create(settings)) {
            try {
                admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 3))).all().get();
                Thread.sleep(2000);
            } catch (Exception error) {
                System.err.println("  create: " + error.getMessage()); // it is there already
            }
            try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
                for (int partition = 0; partition < 3; partition++) {
                    producer.send(new ProducerRecord<>(TOPIC, partition, null, "order"));
                }
            }
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
                consumer.subscribe(List.of(TOPIC));
                for (int tries = 0, found = 0; found < 3 && tries < 40; tries++) {
                    found += consumer.poll(Duration.ofMillis(500)).count();
                }
                consumer.commitSync();
            }
            System.out.println(admin.describeMetadataQuorum().quorumInfo().get().leaderId());
        }
    }
}
