import java.util.*;
import org.apache.kafka.clients.admin.*;

/** Creates a topic and deletes it, which its broker hears from the controller: `... OldAdminSession.java HOST:PORT`. */
class OldAdminSession {
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-old-admin");
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic("orders-old-admin", 2, (short) 1))).all().get();
            Thread.sleep(1000);
            admin.deleteTopics(List.of("orders-old-admin")).all().get();
            Thread.sleep(3000);
        }
    }
}
