// kafka-clients: what `KafkaConsumer.poll` gives. Arguments: the broker's address, the topic, a file that is not read,
// the isolation level, and settings as `name=value`: group, protocol.

import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

class Consume {
    static final int SECONDS = 8;

    public static void main(String[] arguments) {
        Map<String, String> given = new HashMap<>();
        for (int index = 4; index < arguments.length; index++) {
            String[] pair = arguments[index].split("=", 2);
            given.put(pair[0], pair[1]);
        }
        Properties settings = new Properties();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("auto.offset.reset", "earliest");
        settings.put("isolation.level", arguments[3]);
        settings.put("auto.commit.interval.ms", 100);
        settings.put("metadata.max.age.ms", 500);
        settings.put("enable.auto.commit", given.containsKey("group"));
        if (given.containsKey("group")) {
            settings.put("group.id", given.get("group"));
            settings.put("group.protocol", given.getOrDefault("protocol", "classic"));
        }
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            if (given.containsKey("group")) consumer.subscribe(List.of(arguments[1]));
            else {
                consumer.assign(List.of(new TopicPartition(arguments[1], 0)));
                consumer.seekToBeginning(consumer.assignment());
            }
            show(consumer);
        }
        System.exit(0);
    }

    static void show(KafkaConsumer<byte[], byte[]> consumer) {
        long end = System.currentTimeMillis() + SECONDS * 1000;
        String last = "";
        while (System.currentTimeMillis() < end) {
            try {
                for (ConsumerRecord<byte[], byte[]> one : consumer.poll(Duration.ofMillis(100)))
                    System.out.println("offset=" + one.offset() + " value=" + HexFormat.of().formatHex(one.value()));
            } catch (RuntimeException error) {
                String words = error.getClass().getSimpleName() + ": " + error.getMessage();
                if (!words.equals(last)) System.out.println("error: " + words);
                last = words;
            }
        }
    }
}
