import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Fills a node with few records of many kinds: java FillNode.java ADDRESS; `new` behind it: groups of 4.4 as well. */
public class FillNode {
  static final long START = 1_700_000_000_000L;
  static final int SEGMENT_SECONDS = 3600;

  static String address;

  public static void main(String[] arguments) throws Exception {
    address = arguments[0];
    boolean isNew = arguments.length > 1;
    try (Admin admin = Admin.create(settings())) {
      Map<String, String> rolled = Map.of("segment.ms", Integer.toString(SEGMENT_SECONDS * 1000));
      Map<String, String> compacted = new HashMap<>(rolled);
      compacted.put("cleanup.policy", "compact");
      admin.createTopics(List.of(topic("plain", 2, rolled), topic("gone", 1, Map.of("file.delete.delay.ms", "500")), topic("kept", 1, compacted),
          topic("paid", 1, rolled))).all().get();
      plain();
      kept();
      paid();
      commit("group-a", 5, false);
      commit("group-b", 7, false);
      if (isNew) commit("group-c", 3, true);
      for (int round = 0; round < 10; round++) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "plain");
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry("retention.ms", Long.toString(900_000_000_000L + round)), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
      }
      admin.deleteTopics(List.of("gone")).all().get();
      admin.createPartitions(Map.of("kept", NewPartitions.increaseTo(2))).all().get();
    }
    if (isNew) share();
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

  static KafkaProducer<String, String> producer(String transactionalId) {
    Properties settings = settings();
    settings.put("enable.idempotence", "true");
    if (transactionalId != null) settings.put("transactional.id", transactionalId);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  /** Three segments a partition: an hour of record time ends one. */
  static void plain() {
    try (KafkaProducer<String, String> producer = producer(null)) {
      for (int batch = 0; batch < 9; batch++) {
        for (int partition = 0; partition < 2; partition++) {
          for (int record = 0; record < 2; record++) {
            long timestamp = START + 1000L * SEGMENT_SECONDS * (batch / 3) * 2 + 1000L * batch + record;
            producer.send(new ProducerRecord<>("plain", partition, timestamp, "key-" + batch, "value " + record + " of " + batch));
          }
          producer.flush();
        }
      }
    }
  }

  static void kept() {
    try (KafkaProducer<String, String> producer = producer(null)) {
      for (int batch = 0; batch < 6; batch++) {
        producer.send(new ProducerRecord<>("kept", 0, START + 1000L * batch, "key-" + batch % 2, "value " + batch));
        producer.flush();
      }
    }
  }

  /** Two transactional ids, each with commits and an abort. */
  static void paid() {
    for (int who = 0; who < 2; who++) {
      try (KafkaProducer<String, String> producer = producer("payer-" + who)) {
        producer.initTransactions();
        for (int round = 0; round < 3; round++) {
          producer.beginTransaction();
          producer.send(new ProducerRecord<>("paid", 0, START + 1000L * round, "payer-" + who, "payment " + round));
          producer.flush();
          if (round == 1) producer.abortTransaction();
          else producer.commitTransaction();
        }
      }
    }
  }

  static void commit(String group, long offset, boolean isNew) {
    Properties settings = settings();
    settings.put("group.id", group);
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "earliest");
    if (isNew) settings.put("group.protocol", "consumer");
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(Set.of("plain"));
      for (int round = 0; round < 60 && consumer.assignment().isEmpty(); round++) consumer.poll(Duration.ofMillis(500));
      consumer.commitSync(Map.of(new TopicPartition("plain", 0), new OffsetAndMetadata(offset)));
    }
  }

  /** A share group that has taken what there is; through reflection, since 3.9 has no such consumer. */
  static void share() throws Exception {
    Properties settings = settings();
    settings.put("group.id", "group-s");
    settings.put("key.deserializer", StringDeserializer.class.getName());
    settings.put("value.deserializer", StringDeserializer.class.getName());
    try (Admin admin = Admin.create(settings())) {
      ConfigResource group = new ConfigResource(ConfigResource.Type.valueOf("GROUP"), "group-s");
      admin.incrementalAlterConfigs(Map.of(group, List.of(new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET)))).all().get();
    }
    Class<?> kind = Class.forName("org.apache.kafka.clients.consumer.KafkaShareConsumer");
    AutoCloseable consumer = (AutoCloseable) kind.getConstructor(Properties.class).newInstance(settings);
    kind.getMethod("subscribe", java.util.Collection.class).invoke(consumer, Set.of("plain"));
    for (int round = 0; round < 20; round++) kind.getMethod("poll", Duration.class).invoke(consumer, Duration.ofMillis(500));
    kind.getMethod("commitSync").invoke(consumer);
    consumer.close();
  }
}
