import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Commits offsets of a group again and again, from 0.9 on: java CommitOffsets.java ADDRESS TIMES TOPIC... */
public class CommitOffsets {
  public static void main(String[] arguments) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    settings.put("group.id", "readers");
    settings.put("enable.auto.commit", "false");
    settings.put("key.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
    settings.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
      for (int time = 0; time < Integer.parseInt(arguments[1]); time++) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int at = 2; at < arguments.length; at++) offsets.put(new TopicPartition(arguments[at], 0), new OffsetAndMetadata(time));
        consumer.assign(List.copyOf(offsets.keySet()));
        consumer.commitSync(offsets);
      }
    }
    Runtime.getRuntime().halt(0);
  }
}
