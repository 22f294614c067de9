import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.mirror.MirrorMaker;

/** Mirrors a topic with MirrorMaker, whose workers are those of Connect, into the same broker: `... MirrorSession.java HOST:PORT`. */
class MirrorSession {
    static final String TOPIC = "orders-mirror", GROUP = "group-mirror";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> own = new HashMap<>(Map.of("bootstrap.servers", arguments[0], "client.id", "java-mirror"));
        own.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        own.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        try (Admin admin = Admin.create(own)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
            try (Producer<String, String> producer = new KafkaProducer<>(own)) {
                producer.send(new ProducerRecord<>(TOPIC, "k1", "one")).get();
            }
            admin.alterConsumerGroupOffsets(GROUP, Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(1))).all().get();
            MirrorMaker mirror = new MirrorMaker(settings(arguments[0]), null, org.apache.kafka.common.utils.Time.SYSTEM);
            mirror.start();
            Thread.sleep(45000);
            System.err.println("  " + new TreeSet<>(admin.listTopics().names().get()));
            mirror.stop();
            mirror.awaitStop();
        }
    }

    static Map<String, String> settings(String address) {
        Map<String, String> settings = new HashMap<>();
        settings.put("clusters", "a,b");
        settings.put("a.bootstrap.servers", address);
        settings.put("b.bootstrap.servers", address);
        settings.put("a->b.enabled", "true");
        settings.put("a->b.topics", TOPIC);
        settings.put("a->b.groups", GROUP);
        settings.put("b->a.enabled", "false");
        for (String name : List.of("replication.factor", "checkpoints.topic.replication.factor",
                "heartbeats.topic.replication.factor", "offset-syncs.topic.replication.factor",
                "config.storage.replication.factor", "offset.storage.replication.factor",
                "status.storage.replication.factor")) {
            settings.put(name, "1");
        }
        settings.put("offset.storage.partitions", "1");
        settings.put("status.storage.partitions", "1");
        settings.put("sync.group.offsets.enabled", "true");
        settings.put("exactly.once.source.support", "enabled");
        settings.put("refresh.topics.interval.seconds", "5");
        settings.put("sync.topic.acls.interval.seconds", "5");
        return settings;
    }
}
