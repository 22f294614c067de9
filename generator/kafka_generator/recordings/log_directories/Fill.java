import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Fills a broker with one topic of each kind, so that its directory has every file: java Fill.java ADDRESS SETTING. */
public class Fill {
  /** The create time of the first record; the others follow from it, so that only append times change from run to run. */
  static final long START = 1_700_000_000_000L;

  static String address;

  public static void main(String[] arguments) throws Exception {
    address = arguments[0];
    String segmentBytes = arguments[1]; // `segment.bytes`, which 4.1 and newer refuse below 1 MiB, or its internal form
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    try (Admin admin = Admin.create(settings)) {
      Map<String, String> small = Map.of(segmentBytes, "2500", "index.interval.bytes", "300");
      admin.createTopics(List.of(topic("orders", small, Map.of()),
          topic("payments", small, Map.of()),
          topic("events", small, Map.of("message.timestamp.type", "LogAppendTime")),
          topic("prices", small, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "delete.retention.ms", "0"))
      )).all().get();
      orders();
      events();
      prices();
      payments();
      consume();
      admin.deleteRecords(Map.of(new TopicPartition("orders", 0), RecordsToDelete.beforeOffset(7))).all().get();
    }
    System.out.println("filled");
    System.out.flush();
    Runtime.getRuntime().halt(0); // so that the last transaction stays open
  }

  static NewTopic topic(String name, Map<String, String> small, Map<String, String> more) {
    Map<String, String> all = new java.util.HashMap<>(small);
    all.putAll(more);
    return new NewTopic(name, 1, (short) 1).configs(all);
  }

  static KafkaProducer<String, String> producer(String codec, String transactionalId) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    settings.put("compression.type", codec);
    settings.put("linger.ms", "1000");
    settings.put("enable.idempotence", transactionalId != null || codec.equals("none"));
    if (transactionalId != null) settings.put("transactional.id", transactionalId);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  /** Batches of one to three records in four codecs; the timestamps of every fifth batch step back. */
  static void orders() {
    List<String> codecs = List.of("none", "gzip", "lz4", "zstd");
    List<KafkaProducer<String, String>> producers = codecs.stream().map(codec -> producer(codec, null)).toList();
    for (int batch = 0; batch < 60; batch++) {
      KafkaProducer<String, String> producer = producers.get(batch % 4);
      for (int record = 0; record <= batch % 3; record++) {
        long timestamp = START + 1000L * batch + 10 * record - (batch % 5 == 4 ? 2500 : 0);
        producer.send(new ProducerRecord<>("orders", 0, timestamp, "order-" + batch, "item " + record + " of order " + batch));
      }
      producer.flush();
    }
    producers.forEach(KafkaProducer::close);
  }

  /** Records with the time of the broker. */
  static void events() {
    try (KafkaProducer<String, String> producer = producer("none", null)) {
      for (int batch = 0; batch < 20; batch++) {
        producer.send(new ProducerRecord<>("events", 0, null, "event " + batch));
        producer.flush();
      }
    }
  }

  /** Ten keys written twenty times, two of them deleted near the end. */
  static void prices() {
    try (KafkaProducer<String, String> producer = producer("none", null)) {
      for (int round = 0; round < 20; round++) {
        for (int key = 0; key < 10; key++) {
          String value = round == 18 && key < 2 ? null : "price " + round;
          producer.send(new ProducerRecord<>("prices", 0, START + 100L * round + key, "product-" + key, value));
        }
        producer.flush();
      }
    }
  }

  /** Transactions that commit, that abort, that overlap; and one that stays open. */
  static void payments() throws Exception {
    KafkaProducer<String, String> first = producer("none", "first");
    KafkaProducer<String, String> second = producer("none", "second");
    first.initTransactions();
    second.initTransactions();
    for (int round = 0; round < 8; round++) {
      first.beginTransaction();
      pay(first, "first", round);
      second.beginTransaction();
      pay(second, "second", round);
      if (round % 2 == 0) first.abortTransaction();
      else first.commitTransaction();
      if (round % 3 == 2) second.abortTransaction();
      else second.commitTransaction();
    }
    first.beginTransaction();
    pay(first, "first", 8);
  }

  static void pay(KafkaProducer<String, String> producer, String who, int round) {
    producer.send(new ProducerRecord<>("payments", 0, START + 1000L * round, who, who + " pays " + round));
    producer.flush();
  }

  /** A consumer of a group that commits what it has read. */
  static void consume() {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    settings.put("group.id", "readers");
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(Set.of("orders"));
      int count = 0;
      for (int round = 0; round < 60 && count < 120; round++) {
        for (ConsumerRecord<String, String> ignored : consumer.poll(Duration.ofMillis(500))) count++;
      }
      consumer.commitSync();
    }
  }
}
