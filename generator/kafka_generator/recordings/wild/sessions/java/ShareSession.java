import java.time.Duration;
import java.util.*;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.config.ConfigResource;

/** Reads as a member of a share group, and administers it, as Kafka 4.4 can: `... ShareSession.java HOST:PORT`. */
class ShareSession {
    static final String TOPIC = "orders-share", GROUP = "group-share";
    static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-share");
        try (Admin admin = Admin.create(settings)) {
            attempt("create", () -> admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get());
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, GROUP);
            AlterConfigOp first = new AlterConfigOp(
                new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
            attempt("group", () -> admin.incrementalAlterConfigs(Map.of(group, List.of(first))).all().get());
            write(settings);
            read(settings, admin);
            administer(admin);
        }
    }

    static void write(Map<String, Object> settings) {
        Map<String, Object> own = new HashMap<>(settings);
        own.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        own.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        try (Producer<String, String> producer = new KafkaProducer<>(own)) {
            for (String value : List.of("accepted", "released", "rejected")) {
                producer.send(new ProducerRecord<>(TOPIC, 0, null, value));
            }
        }
    }

    static void read(Map<String, Object> settings, Admin admin) {
        Map<String, Object> own = new HashMap<>(settings);
        own.put("group.id", GROUP);
        own.put("share.acknowledgement.mode", "explicit");
        own.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        own.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        try (ShareConsumer<String, String> consumer = new KafkaShareConsumer<>(own)) {
            consumer.subscribe(List.of(TOPIC));
            int found = 0;
            for (int tries = 0; found < 4 && tries < 40; tries++) {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(500))) {
                    boolean again = one.deliveryCount().orElse((short) 1) > 1;
                    consumer.acknowledge(one, again ? AcknowledgeType.ACCEPT : AcknowledgeType.valueOf(
                        switch (one.value()) { case "released" -> "RELEASE"; case "rejected" -> "REJECT"; default -> "ACCEPT"; }));
                    found++;
                }
                consumer.commitSync();
            }
            System.err.println("  read " + found);
            attempt("describe", () -> admin.describeShareGroups(List.of(GROUP)).all().get());
        }
    }

    static void administer(Admin admin) {
        attempt("groups", () -> admin.listGroups().all().get());
        attempt("resources", () -> admin.listConfigResources().all().get());
        attempt("offsets", () -> admin.listShareGroupOffsets(Map.of(GROUP, new ListShareGroupOffsetsSpec())).all().get());
        attempt("set", () -> admin.alterShareGroupOffsets(GROUP, Map.of(FIRST, 1L)).all().get());
        attempt("forget", () -> admin.deleteShareGroupOffsets(GROUP, Set.of(TOPIC)).all().get());
        attempt("delete", () -> admin.deleteShareGroups(List.of(GROUP)).all().get());
        attempt("classic", () -> admin.describeClassicGroups(List.of("group-java-classic")).all().get());
        attempt("streams", () -> admin.describeStreamsGroups(List.of("group-streams")).all().get());
        attempt("controller", () -> admin.unregisterController(77).all().get());
    }

    /** What the broker refuses is a response, too. */
    static void attempt(String what, Callable<Object> call) {
        try {
            call.call();
        } catch (Exception error) {
            System.err.println("  " + what + ": " + (error.getCause() == null ? error : error.getCause()));
        }
    }
}
