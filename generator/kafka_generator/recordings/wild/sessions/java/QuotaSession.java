import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.*;

/** Goes beyond quotas of every kind, so that responses say for how long: `... QuotaSession.java HOST:PORT`. */
class QuotaSession {
    static final String TOPIC = "orders-quota", NAME = "java-quota", STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", NAME);
        settings.put("linger.ms", "0");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
            alter(admin, Map.of(ClientQuotaEntity.CLIENT_ID, NAME), Map.of(
                "producer_byte_rate", 3000.0, "consumer_byte_rate", 3000.0, "controller_mutation_rate", 1.0));
            alter(admin, Collections.singletonMap(ClientQuotaEntity.USER, null), Map.of("request_percentage", 200.0));
            alter(admin, Map.of(ClientQuotaEntity.IP, "127.0.0.1"), Map.of("connection_creation_rate", 1000.0));
            System.err.println("  " + admin.describeClientQuotas(ClientQuotaFilter.contains(List.of(
                ClientQuotaFilterComponent.ofEntity(ClientQuotaEntity.CLIENT_ID, NAME),
                ClientQuotaFilterComponent.ofEntityType(ClientQuotaEntity.USER)))).entities().get());
            admin.describeClientQuotas(ClientQuotaFilter.containsOnly(List.of(
                ClientQuotaFilterComponent.ofDefaultEntity(ClientQuotaEntity.USER)))).entities().get();
            Thread.sleep(1500);
            try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
                for (int number = 0; number < 4; number++) {
                    producer.send(new ProducerRecord<>(TOPIC, "k", "x".repeat(6000))).get();
                }
            }
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
                consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
                consumer.seekToBeginning(List.of(new TopicPartition(TOPIC, 0)));
                int found = 0;
                for (int tries = 0; found < 8 && tries < 20; tries++) {
                    found += consumer.poll(Duration.ofMillis(500)).count();
                    if (found == 4) {
                        consumer.seekToBeginning(List.of(new TopicPartition(TOPIC, 0)));
                    }
                }
                System.err.println("  read " + found);
            }
            for (int number = 0; number < 12; number++) {
                NewTopic topic = new NewTopic("orders-quota-" + number, 10, (short) 1);
                attempt("create", () -> admin.createTopics(
                    List.of(topic), new CreateTopicsOptions().retryOnQuotaViolation(false)).all().get());
            }
            alter(admin, Map.of(ClientQuotaEntity.CLIENT_ID, NAME), Collections.singletonMap("producer_byte_rate", null));
        }
    }

    static void alter(Admin admin, Map<String, String> entity, Map<String, Double> limits) {
        List<ClientQuotaAlteration.Op> changes = new ArrayList<>();
        limits.forEach((key, limit) -> changes.add(new ClientQuotaAlteration.Op(key, limit)));
        attempt("alter", () -> admin.alterClientQuotas(
            List.of(new ClientQuotaAlteration(new ClientQuotaEntity(entity), changes))).all().get());
    }

    interface Call { Object call() throws Exception; }

    /** What the broker refuses is a response, too. */
    static void attempt(String what, Call call) {
        try {
            call.call();
        } catch (Exception error) {
            System.err.println("  " + what + ": " + error.getMessage());
        }
    }
}
