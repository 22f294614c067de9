import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;

/** Does one thing to a cluster: java Change.java ADDRESS WHAT ARGUMENTS. */
public class Change {
  static Properties settings = new Properties();

  public static void main(String[] arguments) throws Exception {
    settings.put("bootstrap.servers", arguments[0]);
    try (Admin admin = Admin.create(settings)) {
      switch (arguments[1]) {
        case "create" -> create(admin, arguments[2], Short.parseShort(arguments[3]));
        case "delete" -> admin.deleteTopics(List.of(arguments[2])).all().get();
        case "fill" -> fill(arguments[2], Integer.parseInt(arguments[3]), "value");
        case "tombstones" -> fill(arguments[2], Integer.parseInt(arguments[3]), null);
        case "raise" -> raise(admin, arguments[2], Short.parseShort(arguments[3]));
        case "move" -> move(admin, arguments[2], arguments[3]);
        default -> throw new IllegalArgumentException(arguments[1]);
      }
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static void create(Admin admin, String topic, short replicas) throws Exception {
    Map<String, String> configs = Map.of("min.insync.replicas", Integer.toString(Math.max(1, replicas - 1)));
    admin.createTopics(List.of(new NewTopic(topic, 2, replicas).configs(configs))).all().get();
  }

  static void fill(String topic, int count, String value) {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int record = 0; record < count; record++) {
        producer.send(new ProducerRecord<>(topic, 0, "key-" + record % 7, value == null ? null : value.repeat(50) + record));
        if (record % 10 == 9) producer.flush();
      }
    }
  }

  static void raise(Admin admin, String feature, short level) throws Exception {
    FeatureUpdate update = new FeatureUpdate(level, FeatureUpdate.UpgradeType.UPGRADE);
    admin.updateFeatures(Map.of(feature, update), new UpdateFeaturesOptions()).all().get();
  }

  /** Has a partition copied to another data directory, so slowly that it does not end. */
  static void move(Admin admin, String topic, String directory) throws Exception {
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
    ConfigEntry slow = new ConfigEntry("replica.alter.log.dirs.io.max.bytes.per.second", "100");
    admin.incrementalAlterConfigs(Map.of(broker, List.of(new AlterConfigOp(slow, AlterConfigOp.OpType.SET)))).all().get();
    admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, 0, 1), directory)).all().get();
    Thread.sleep(3000);
  }
}
