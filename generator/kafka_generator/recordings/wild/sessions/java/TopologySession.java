import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.*;
import org.apache.kafka.streams.kstream.*;

/** Runs an application of Kafka Streams whose topology the broker asks for: `... TopologySession.java HOST:PORT`. */
class TopologySession {
    static final String IN = "orders-topology", TABLE = "names-topology", OUT = "named-topology", GROUP = "group-topology";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> own = new HashMap<>(Map.of("bootstrap.servers", arguments[0], "client.id", "java-topology"));
        own.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        own.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        try (Admin admin = Admin.create(own)) {
            List<NewTopic> topics = new ArrayList<>();
            for (String name : List.of(IN, TABLE, OUT)) {
                topics.add(new NewTopic(name, 2, (short) 1));
            }
            admin.createTopics(topics).all().get();
            try (Producer<String, String> producer = new KafkaProducer<>(own)) {
                producer.send(new ProducerRecord<>(TABLE, "k1", "Ann")).get();
                producer.send(new ProducerRecord<>(IN, "k1", "one")).get();
            }
            try (KafkaStreams streams = new KafkaStreams(topology(), settings(arguments[0]))) {
                streams.start();
                Thread.sleep(15000);
                System.err.println("  " + admin.describeStreamsGroups(
                    List.of(GROUP), new DescribeStreamsGroupsOptions().includeTopologyDescription(true)).all().get());
            }
            admin.deleteStreamsGroups(List.of(GROUP)).all().get();
        }
    }

    /** A global table, a join with it, and a count over another key, so that there are two subtopologies. */
    static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        GlobalKTable<String, String> names = builder.globalTable(
            TABLE, Materialized.as(org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("names")));
        builder.<String, String>stream(IN)
            .leftJoin(names, (key, value) -> key, (value, name) -> value + " " + name)
            .groupBy((key, value) -> value)
            .count(Materialized.as(org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore("counts")))
            .toStream().mapValues(String::valueOf).to(OUT);
        return builder.build();
    }

    static Properties settings(String address) throws Exception {
        Properties settings = new Properties();
        settings.put("application.id", GROUP);
        settings.put("bootstrap.servers", address);
        settings.put("group.protocol", "streams");
        settings.put("default.key.serde", Serdes.StringSerde.class);
        settings.put("default.value.serde", Serdes.StringSerde.class);
        settings.put("commit.interval.ms", 500);
        settings.put("state.dir", java.nio.file.Files.createTempDirectory("streams").toString());
        return settings;
    }
}
