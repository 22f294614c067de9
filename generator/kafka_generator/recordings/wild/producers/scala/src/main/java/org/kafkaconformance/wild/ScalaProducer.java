package org.kafkaconformance.wild;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.javaapi.producer.Producer;
import kafka.producer.KeyedMessage;
import kafka.producer.ProducerConfig;

/**
 * Writes orders with Apache Kafka's first producer, which was written in Scala, and left with 0.11: java ...
 * ScalaProducer HOST:PORT < orders.
 *
 * It sends a list of messages as one message set, and knows no timestamps: those of v1 are the time of writing.
 */
public final class ScalaProducer {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        String version = "Scala producer " + System.getProperty("kafka.version");
        for (JsonNode order : JSON.readTree(System.in)) {
            List<String> failures = new ArrayList<>();
            try {
                write(arguments[0], order);
            } catch (Exception error) {
                failures.add(error.toString());
            }
            Map<String, Object> line =
                Map.of("order", order.get("name").asText(), "version", version, "failures", failures);
            System.out.println(JSON.writeValueAsString(line));
        }
        System.exit(0); // the producers of some releases leave threads behind
    }

    private static void write(String address, JsonNode order) {
        Producer<byte[], byte[]> producer = new Producer<>(new ProducerConfig(settings(address, order)));
        try {
            List<KeyedMessage<byte[], byte[]>> messages = new ArrayList<>();
            for (JsonNode record : order.get("records")) {
                messages.add(new KeyedMessage<>(
                    order.get("topic").asText(), bytes(record.get("key")), bytes(record.get("value"))));
            }
            producer.send(messages);
        } finally {
            producer.close();
        }
    }

    private static Properties settings(String address, JsonNode order) {
        Properties settings = new Properties();
        settings.put("metadata.broker.list", address);
        settings.put("serializer.class", "kafka.serializer.DefaultEncoder");
        settings.put("compression.codec", order.get("codec").asText());
        settings.put("producer.type", "sync");
        settings.put("request.required.acks", "1");
        settings.put("message.send.max.retries", "20"); // the first question makes the topic
        settings.put("retry.backoff.ms", "250");
        return settings;
    }

    private static byte[] bytes(JsonNode text) {
        return text.isNull() ? null : text.asText().getBytes(StandardCharsets.UTF_8);
    }
}
