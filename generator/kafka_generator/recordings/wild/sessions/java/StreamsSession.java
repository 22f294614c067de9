import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.streams.*;
import org.apache.kafka.streams.kstream.*;
import org.apache.kafka.common.serialization.Serdes;

/** Runs an application of Kafka Streams as a streams group, and administers the group: `... StreamsSession.java HOST:PORT`. */
class StreamsSession {
    static final String IN = "orders-streams", OUT = "counted-streams", GROUP = "group-streams";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", arguments[0], "client.id", "java-streams"));
        try (Admin admin = Admin.create(settings)) {
            List<NewTopic> topics = List.of(new NewTopic(IN, 2, (short) 1), new NewTopic(OUT, 2, (short) 1));
            attempt("create", () -> admin.createTopics(topics).all().get());
            write(settings);
            run(arguments[0], admin);
            attempt("offsets", () -> admin.listStreamsGroupOffsets(Map.of(GROUP, new ListStreamsGroupOffsetsSpec()))
                .partitionsToOffsetAndMetadata(GROUP).get());
            attempt("delete", () -> admin.deleteStreamsGroups(List.of(GROUP)).all().get());
        }
    }

    static void write(Map<String, Object> settings) {
        Map<String, Object> own = new HashMap<>(settings);
        own.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        own.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        try (Producer<String, String> producer = new KafkaProducer<>(own)) {
            producer.send(new ProducerRecord<>(IN, "k1", "one"));
            producer.send(new ProducerRecord<>(IN, "k2", "two"));
        }
    }

    /** Regroups by another key, so that there is a topic between, and counts, so that there is a changelog. */
    static void run(String address, Admin admin) throws Exception {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(IN).groupBy((key, value) -> value)
            .count(Materialized.as(org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("counts")))
            .toStream().mapValues(String::valueOf).to(OUT);
        Properties settings = new Properties();
        settings.put("application.id", GROUP);
        settings.put("bootstrap.servers", address);
        settings.put("group.protocol", "streams");
        settings.put("default.key.serde", Serdes.StringSerde.class);
        settings.put("default.value.serde", Serdes.StringSerde.class);
        settings.put("commit.interval.ms", 500);
        settings.put("state.dir", java.nio.file.Files.createTempDirectory("streams").toString());
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            streams.start();
            Thread.sleep(12000);
            attempt("describe", () -> admin.describeStreamsGroups(List.of(GROUP)).all().get());
            attempt("list", () -> admin.listGroups(ListGroupsOptions.forStreamsGroups()).all().get());
        }
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
