import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;

/** Fills a node with logs whose indexes have entries, of all codecs, compacted, cut at the start, and with an open transaction: java FillMore.java ADDRESS. */
public class FillMore {
  static final long START = 1_700_000_000_000L;
  static final long HOUR = 3_600_000L;
  static String address;

  public static void main(String[] arguments) throws Exception {
    address = arguments[0];
    Map<String, String> rolled = new HashMap<>(Map.of("segment.ms", Long.toString(HOUR), "index.interval.bytes", "100"));
    Map<String, String> compacted = new HashMap<>(rolled);
    compacted.putAll(Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "delete.retention.ms", "0"));
    try (Admin admin = Admin.create(settings())) {
      admin.createTopics(List.of(topic("many", 3, rolled), topic("packed.logs", 1, rolled), topic("cleaned", 1, compacted), topic("open", 1, rolled), topic("begun-late", 1, rolled))).all().get();
      many();
      packed();
      cleaned();
      open();
      fill("begun-late", 0, 12, "none");
      admin.deleteRecords(Map.of(new TopicPartition("begun-late", 0), RecordsToDelete.beforeOffset(7))).all().get();
      for (int round = 0; round < 25; round++) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "many");
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry("retention.ms", Long.toString(900_000_000_000L + round)), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
        Thread.sleep(300);
      }
      Thread.sleep(20_000);
    }
    System.out.println("filled");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static Properties settings() {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    return settings;
  }

  static NewTopic topic(String name, int partitions, Map<String, String> configs) {
    return new NewTopic(name, partitions, (short) 1).configs(configs);
  }

  static KafkaProducer<String, String> producer(String transactionalId, String codec) {
    Properties settings = settings();
    settings.put("enable.idempotence", "true");
    settings.put("compression.type", codec);
    settings.put("linger.ms", "50");
    if (transactionalId != null) {
      settings.put("transactional.id", transactionalId);
      settings.put("transaction.timeout.ms", "900000");
    }
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  static void fill(String topic, int partition, int batches, String codec) {
    try (KafkaProducer<String, String> producer = producer(null, codec)) {
      for (int batch = 0; batch < batches; batch++) {
        for (int record = 0; record < 3; record++) {
          long timestamp = START + 2 * HOUR * (batch / 5) + 1000L * batch + record;
          producer.send(new ProducerRecord<>(topic, partition, timestamp, "key-" + batch % 4, "value " + record + " of " + batch));
        }
        producer.flush();
      }
    }
  }

  static void many() {
    for (int partition = 0; partition < 3; partition++) fill("many", partition, 15, "none");
  }

  static void packed() {
    for (String codec : List.of("gzip", "snappy", "lz4", "zstd")) fill("packed.logs", 0, 4, codec);
  }

  static void cleaned() {
    for (int round = 0; round < 3; round++) fill("cleaned", 0, 15, round == 1 ? "gzip" : "none");
  }

  /** One transaction ends, one aborts, and one stays open. */
  static void open() {
    KafkaProducer<String, String> producer = producer("opener", "none");
    producer.initTransactions();
    for (int round = 0; round < 3; round++) {
      producer.beginTransaction();
      for (int record = 0; record < 2; record++) producer.send(new ProducerRecord<>("open", 0, START + 2 * HOUR * round + record, "key", "payment " + round));
      producer.flush();
      if (round == 0) producer.commitTransaction();
      if (round == 1) producer.abortTransaction();
    }
  }
}
