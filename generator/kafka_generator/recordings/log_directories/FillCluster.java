import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes to a cluster, in rounds: java FillCluster.java ADDRESSES SETTING FIRST END; the first round makes the topics.
 *
 * java FillCluster.java ADDRESSES - ahead: waits for a line, and writes what the leader of `torn` alone acknowledges.
 */
public class FillCluster {
  static final long START = 1_700_000_000_000L;
  static final short REPLICAS = 3;
  static final int AHEAD = 20;

  static String addresses;

  public static void main(String[] arguments) throws Exception {
    addresses = arguments[0];
    if (arguments[2].equals("ahead")) {
      ahead();
      return;
    }
    int first = Integer.parseInt(arguments[2]), end = Integer.parseInt(arguments[3]);
    if (first == 0) create(arguments[1]);
    KafkaProducer<String, String> plain = producer("lz4", "all", null), paying = producer("none", "all", "paying-" + first);
    paying.initTransactions();
    for (int round = first; round < end; round++) {
      for (int at = 0; at < 6; at++) {
        String key = "key-" + at, value = "round " + round + ", " + at;
        plain.send(new ProducerRecord<>("orders", at % 2, START + 1000L * round + at, key, value));
        plain.send(new ProducerRecord<>("torn", 0, START + 1000L * round + at, key, value));
        plain.send(new ProducerRecord<>("prices", 0, START + 1000L * round + at, key, value));
      }
      plain.flush();
      paying.beginTransaction();
      for (int at = 0; at < 3; at++) paying.send(new ProducerRecord<>("payments", at % 2, START + 1000L * round, "k" + at, "round " + round));
      paying.flush();
      if (round % 3 == 1) paying.abortTransaction();
      else paying.commitTransaction();
    }
    System.out.println("written");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static void create(String segmentBytes) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", addresses);
    Map<String, String> small = Map.of(segmentBytes, "4000", "index.interval.bytes", "300", "min.insync.replicas", "1");
    Map<String, String> compacted = new HashMap<>(small);
    compacted.putAll(Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "delete.retention.ms", "0"));
    try (Admin admin = Admin.create(settings)) {
      admin.createTopics(List.of(new NewTopic("orders", 2, REPLICAS).configs(small),
          new NewTopic("payments", 2, REPLICAS).configs(small),
          new NewTopic("torn", Map.of(0, List.of(3, 1, 2))).configs(small),
          new NewTopic("prices", 1, REPLICAS).configs(compacted))).all().get();
    }
  }

  static void ahead() throws Exception {
    KafkaProducer<String, String> alone = producer("none", "1", null);
    alone.partitionsFor("torn");
    System.out.println("ready");
    System.out.flush();
    System.in.read();
    for (int at = 0; at < AHEAD; at++) alone.send(new ProducerRecord<>("torn", 0, START, "ahead", "of the others " + at)).get();
    System.out.println("written");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static KafkaProducer<String, String> producer(String codec, String acks, String transactionalId) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", addresses);
    settings.put("compression.type", codec);
    settings.put("acks", acks);
    settings.put("enable.idempotence", Boolean.toString(acks.equals("all")));
    settings.put("linger.ms", acks.equals("all") ? "100" : "0");
    if (transactionalId != null) settings.put("transactional.id", transactionalId);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }
}
