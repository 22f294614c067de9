import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewTopic;

/** Makes topics of one partition, from 0.11 on: java CreateTopics.java ADDRESS NAME,SETTING=VALUE,... */
public class CreateTopics {
  public static void main(String[] arguments) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", arguments[0]);
    List<NewTopic> topics = new ArrayList<>();
    for (String text : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      String[] parts = text.split(",");
      Map<String, String> configs = new HashMap<>();
      for (int at = 1; at < parts.length; at++) configs.put(parts[at].split("=")[0], parts[at].split("=")[1]);
      topics.add(new NewTopic(parts[0], 1, (short) 1).configs(configs));
    }
    AdminClient.create(settings).createTopics(topics).all().get();
    Runtime.getRuntime().halt(0);
  }
}
