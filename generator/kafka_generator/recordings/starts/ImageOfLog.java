import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.util.BatchFileReader;

/** Prints the image of metadata, a line a fact with tabs between: java ImageOfLog.java SNAPSHOT|- START UNTIL SEGMENT... */
public class ImageOfLog {
  static MetadataImage image = MetadataImage.EMPTY;

  public static void main(String[] arguments) throws Exception {
    if (!arguments[0].equals("-")) replay(arguments[0], 0, Long.MAX_VALUE);
    for (int at = 3; at < arguments.length; at++) replay(arguments[at], Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
    lines(image).stream().sorted().forEach(System.out::println);
  }

  static void replay(String path, long start, long until) throws Exception {
    try (BatchFileReader reader = new BatchFileReader.Builder().setPath(path).build()) {
      while (reader.hasNext()) {
        var next = reader.next();
        if (next.isControl()) continue;
        long offset = next.batch().baseOffset();
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();  // one of all would keep settings of topics that it removes
        for (var record : next.batch().records()) {
          boolean isOfTransaction = record.message() instanceof BeginTransactionRecord || record.message() instanceof EndTransactionRecord;
          if (offset >= start && offset < until && !isOfTransaction) delta.replay(record.message());
          offset++;
        }
        image = delta.apply(MetadataProvenance.EMPTY);
      }
    }
  }

  static List<String> lines(MetadataImage image) {
    List<String> lines = new ArrayList<>();
    image.features().metadataVersion().ifPresent(level -> lines.add(line("feature", "metadata.version", level.featureLevel())));
    image.features().finalizedVersions().forEach((name, level) -> lines.add(line("feature", name, level)));
    image.cluster().brokers().values().forEach(each -> lines.add(line("broker", each.id(), each.epoch(), each.fenced(), each.inControlledShutdown(), join(each.directories()))));
    image.topics().topicsById().values().forEach(topic -> {
      lines.add(line("topic", topic.name(), topic.id()));
      topic.partitions().forEach((number, each) -> lines.add(partition(topic.name(), number, each)));
    });
    image.configs().resourceData().values().forEach(each -> each.data().forEach((name, value) -> lines.add(line("config", each.resource().type().id(), each.resource().name(), name, value))));
    lines.add(line("producers", image.producerIds().nextProducerId()));
    image.acls().acls().keySet().forEach(id -> lines.add(line("acl", id)));
    return lines;
  }

  static String partition(String topic, int number, PartitionRegistration each) {
    return line("partition", topic, number, numbers(each.replicas), numbers(each.isr), each.leader, each.leaderEpoch, each.partitionEpoch, join(Arrays.asList(each.directories)));
  }

  static String line(Object... parts) {
    return Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining("\t"));
  }

  static String numbers(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  static String join(List<Uuid> ids) {
    return ids.stream().map(Uuid::toString).collect(Collectors.joining(","));
  }
}
