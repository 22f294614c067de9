import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Subscribes to the metrics of clients, and is one that sends them: `... TelemetrySession.java HOST:PORT`. */
class TelemetrySession {
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", arguments[0], "client.id", "java-telemetry"));
        try (Admin admin = Admin.create(settings)) {
            ConfigResource subscription = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "all");
            List<AlterConfigOp> operations = new ArrayList<>();
            Map.of("interval.ms", "1000", "metrics", "org.apache.kafka.consumer.connection").forEach((name, value) ->
                operations.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
            admin.incrementalAlterConfigs(Map.of(subscription, operations)).all().get();
        }
        settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.assign(List.of(new TopicPartition("orders-telemetry", 0)));
            for (int times = 0; times < 16; times++) {
                consumer.poll(Duration.ofMillis(500));
            }
        }
    }
}
