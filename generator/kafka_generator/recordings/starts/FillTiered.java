import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** Fills a node that has remote storage, and waits until it alone has the oldest segments: java FillTiered.java ADDRESS. */
public class FillTiered {
  static final long HOUR = 3_600_000L;
  static final long START = 1_700_000_000_000L;

  public static void main(String[] arguments) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    Map<String, String> rolled = Map.of("segment.ms", Long.toString(HOUR));
    Map<String, String> tiered = Map.of("segment.ms", Long.toString(HOUR), "remote.storage.enable", "true", "local.retention.bytes", "400", "retention.ms", "-1", "file.delete.delay.ms", "500");
    try (Admin admin = Admin.create(settings)) {
      admin.createTopics(List.of(new NewTopic("tiered", 2, (short) 1).configs(tiered), new NewTopic("plain", 1, (short) 1).configs(rolled))).all().get();
      for (int partition = 0; partition < 2; partition++) fill(settings, "tiered", partition);
      fill(settings, "plain", 0);
      admin.deleteRecords(Map.of(new TopicPartition("tiered", 1), RecordsToDelete.beforeOffset(4))).all().get();
      for (int partition = 0; partition < 2; partition++) await(admin, new TopicPartition("tiered", partition));
      Thread.sleep(8_000);
    }
    System.out.println("filled");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Three segments: an hour of record time ends one. */
  static void fill(Properties given, String topic, int partition) {
    Properties settings = new Properties();
    settings.putAll(given);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int batch = 0; batch < 9; batch++) {
        for (int record = 0; record < 2; record++) {
          long timestamp = START + 2 * HOUR * (batch / 3) + 1000L * batch + record;
          producer.send(new ProducerRecord<>(topic, partition, timestamp, "key-" + batch, "value " + record + " of " + batch));
        }
        producer.flush();
      }
    }
  }

  static void await(Admin admin, TopicPartition partition) throws Exception {
    for (int round = 0; round < 120; round++) {
      if (admin.listOffsets(Map.of(partition, OffsetSpec.earliestLocal())).all().get().get(partition).offset() >= 6) return;
      Thread.sleep(1000);
    }
    throw new IllegalStateException(partition + " keeps its segments");
  }
}
