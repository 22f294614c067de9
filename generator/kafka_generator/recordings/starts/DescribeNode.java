import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Prints what the coordinators of a node have, a line a fact with tabs between: java DescribeNode.java ADDRESS. */
public class DescribeNode {
  public static void main(String[] arguments) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    settings.put("request.timeout.ms", "20000");
    settings.put("default.api.timeout.ms", "60000");
    List<String> lines = new ArrayList<>();
    try (Admin admin = Admin.create(settings)) {
      List<String> names = new ArrayList<>();
      for (ConsumerGroupListing each : groups(admin)) {
        names.add(each.groupId());
        lines.add(String.join("\t", "group", each.groupId(), each.type().map(Object::toString).orElse("Classic").toLowerCase()));
      }
      for (String name : names) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> each : admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get().entrySet()) {
          lines.add(String.join("\t", "offset", name, each.getKey().toString(), Long.toString(each.getValue().offset())));
        }
      }
      for (TransactionListing each : transactions(admin)) {
        lines.add(String.join("\t", "transaction", each.transactionalId(), each.state().toString(), Long.toString(each.producerId())));
        TransactionDescription more = admin.describeTransactions(List.of(each.transactionalId())).description(each.transactionalId()).get();
        lines.add(String.join("\t", "producer", each.transactionalId(), Integer.toString(more.producerEpoch()), Long.toString(more.transactionTimeoutMs()), more.topicPartitions().toString()));
      }
    }
    lines.stream().sorted().forEach(System.out::println);
    System.out.println("described");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Coordinators that load say so by an error of the listing: it is asked again. */
  static Collection<ConsumerGroupListing> groups(Admin admin) throws Exception {
    for (int round = 0; round < 10; round++) {
      var result = admin.listConsumerGroups();
      if (result.errors().get().isEmpty()) return result.valid().get();
      Thread.sleep(1000);
    }
    return List.of();
  }

  static Collection<TransactionListing> transactions(Admin admin) throws Exception {
    for (int round = 0; round < 10; round++) {
      try {
        return admin.listTransactions().all().get();
      } catch (java.util.concurrent.ExecutionException error) {
        Thread.sleep(1000);
      }
    }
    return List.of();
  }
}
