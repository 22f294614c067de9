import java.time.Duration;
import java.util.*;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;

/** Reads topics by a regular expression that the broker resolves, and by one of the client: `... RegexSession.java HOST:PORT`. */
class RegexSession {
    static final String STRINGS = "org.apache.kafka.common.serialization.String", GROUP = "group-regex";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-regex");
        settings.put("client.rack", "rack-a");
        settings.put("group.id", GROUP);
        settings.put("group.protocol", "consumer");
        settings.put("group.remote.assignor", "range");
        settings.put("auto.offset.reset", "earliest");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        settings.put("key.deserializer", STRINGS + "Deserializer");
        settings.put("value.deserializer", STRINGS + "Deserializer");
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic("regex-one", 2, (short) 1), new NewTopic("regex-two", 1, (short) 1))).all().get();
            try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
                producer.send(new ProducerRecord<>("regex-one", "k", "one")).get();
                producer.send(new ProducerRecord<>("regex-two", "k", "two")).get();
            }
            try (KafkaConsumer<String, String> first = new KafkaConsumer<>(settings);
                    KafkaConsumer<String, String> second = new KafkaConsumer<>(settings)) {
                first.subscribe(new SubscriptionPattern("regex-(one|two)"));
                read(first, 2);
                second.subscribe(Pattern.compile("regex-t.*"));
                read(second, 0);
                read(first, 0);
                admin.describeConsumerGroups(List.of(GROUP)).all().get();
                admin.listGroups(new ListGroupsOptions()).all().get();
                first.subscribe(new SubscriptionPattern("regex-("));
                read(first, 0);
            } catch (Exception error) {
                System.err.println("  regex: " + error.getMessage());
            }
            admin.deleteTopics(List.of("regex-one", "regex-two")).all().get();
        }
    }

    static void read(KafkaConsumer<String, String> consumer, int expected) {
        int found = 0;
        for (int tries = 0; tries < (expected > 0 ? 40 : 12) && (expected == 0 || found < expected); tries++) {
            found += consumer.poll(Duration.ofMillis(500)).count();
        }
        System.err.println("  read " + found);
    }
}
