package org.kafkaconformance.wild;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes orders with Apache Kafka's own producer: java ... Producer HOST:PORT < orders.
 *
 * Headers and transactions came with 0.11, timestamps with 0.10, flush with 0.9, so all are called by reflection: the
 * same source compiles against every release from 0.8.2 on.
 */
public final class Producer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final boolean HAS_TIMES = hasTimes();

    public static void main(String[] arguments) throws Exception {
        String version = version();
        for (JsonNode order : JSON.readTree(System.in)) {
            List<String> failures = new ArrayList<>();
            try {
                if (order.has("steps")) {
                    new Steps(settings(arguments[0], order), order.get("topic").asText(), failures).take(order.get("steps"));
                } else {
                    write(arguments[0], order);
                }
            } catch (Exception error) {
                failures.add(error.toString());
            }
            Map<String, Object> line =
                Map.of("order", order.get("name").asText(), "version", "kafka-clients " + version, "failures", failures);
            System.out.println(JSON.writeValueAsString(line));
        }
    }

    private static String version() throws Exception {
        Properties build = new Properties();
        try (InputStream stream = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            if (stream != null) { // 0.8.2 has none
                build.load(stream);
            }
        }
        return build.getProperty("version", System.getProperty("kafka.version", "unknown"));
    }

    private static void write(String address, JsonNode order) throws Exception {
        Properties settings = settings(address, order);
        boolean transactional = order.get("transactional").asBoolean();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            if (transactional) {
                call(producer, "initTransactions");
                call(producer, "beginTransaction");
            }
            List<Future<?>> sent = new ArrayList<>();
            for (JsonNode record : order.get("records")) {
                sent.add(producer.send(record(order.get("topic").asText(), record)));
            }
            if (HAS_TIMES) {
                call(producer, "flush");
            }
            for (Future<?> future : sent) {
                future.get(30, TimeUnit.SECONDS);
            }
            if (transactional) {
                call(producer, "commitTransaction");
            }
        }
    }

    private static Properties settings(String address, JsonNode order) {
        String codec = order.get("codec").asText();
        boolean hasSteps = order.has("steps");
        String serializer = "org.apache.kafka.common.serialization.ByteArraySerializer";
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.put("key.serializer", serializer);
        settings.put("value.serializer", serializer);
        settings.put("compression.type", codec);
        settings.put("linger.ms", hasSteps ? "0" : "1000");
        settings.put("batch.size", String.valueOf(1 << 20));
        if (hasSteps) { // an application that wants to know soon
            settings.put("request.timeout.ms", "2000");
            settings.put("delivery.timeout.ms", "8000");
            settings.put("max.block.ms", "8000");
            settings.put("retry.backoff.ms", "50");
        }
        settings.put("acks", order.path("acks").asText("all").replace("null", "all"));
        settings.put("enable.idempotence", order.get("idempotent").asText());
        if (order.get("transactional").asBoolean()) {
            settings.put("transactional.id", order.get("topic").asText());
        }
        if (!order.get("level").isNull()) {
            settings.put("compression." + codec + ".level", order.get("level").asText());
        }
        return settings;
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, JsonNode record) throws Exception {
        byte[] key = bytes(record.get("key")), value = bytes(record.get("value"));
        long timestamp = record.get("timestamp").asLong();
        ProducerRecord<byte[], byte[]> made =
            HAS_TIMES ? withTime(topic, timestamp, key, value) : new ProducerRecord<>(topic, 0, key, value);
        for (JsonNode header : record.get("headers")) {
            Object headers = ProducerRecord.class.getMethod("headers").invoke(made);
            headers.getClass().getMethod("add", String.class, byte[].class)
                .invoke(headers, header.get(0).asText(), bytes(header.get(1)));
        }
        return made;
    }

    @SuppressWarnings("unchecked")
    private static ProducerRecord<byte[], byte[]> withTime(String topic, long timestamp, byte[] key, byte[] value)
            throws Exception {
        return (ProducerRecord<byte[], byte[]>) ProducerRecord.class
            .getConstructor(String.class, Integer.class, Long.class, Object.class, Object.class)
            .newInstance(topic, 0, timestamp, key, value);
    }

    private static boolean hasTimes() {
        try {
            ProducerRecord.class.getMethod("timestamp");
            return true;
        } catch (NoSuchMethodException none) {
            return false;
        }
    }

    private static byte[] bytes(JsonNode text) {
        return text.isNull() ? null : text.asText().getBytes(StandardCharsets.UTF_8);
    }

    private static void call(KafkaProducer<byte[], byte[]> producer, String method) throws Exception {
        KafkaProducer.class.getMethod(method).invoke(producer);
    }
}
