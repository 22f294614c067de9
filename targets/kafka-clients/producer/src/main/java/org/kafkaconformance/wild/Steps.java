package org.kafkaconformance.wild;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * An application that does one thing after another, as docs/your-client.md says, and what it is told of each. It does what
 * the documentation of KafkaProducer shows: of an error that is not said to be fatal, it aborts, and goes on. It compiles
 * against old releases, which have no transactions and are not asked for steps.
 */
final class Steps {
    private static final List<String> FATAL = List.of(
        "ProducerFencedException", "OutOfOrderSequenceException", "AuthorizationException", "UnsupportedVersionException",
        "InvalidPidMappingException", "IllegalStateException");

    private final Properties settings;
    private final String topic;
    private final List<String> told;
    private final boolean isTransactional;

    Steps(Properties settings, String topic, List<String> told) {
        this.settings = settings;
        this.topic = topic;
        this.told = told;
        this.isTransactional = settings.containsKey("transactional.id");
    }

    void take(JsonNode steps) throws Exception {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings);
        try {
            if (isTransactional) {
                call(producer, "initTransactions");
            }
            for (JsonNode step : steps) {
                take(producer, step);
            }
        } catch (Exception error) {
            told.add("dead " + name(error));
        } finally {
            KafkaProducer.class.getMethod("close", java.time.Duration.class).invoke(producer, java.time.Duration.ofSeconds(2));
        }
    }

    private void take(KafkaProducer<byte[], byte[]> producer, JsonNode step) throws Exception {
        String what = step.get(0).asText();
        if (what.equals("send")) {
            await(send(producer, step));
            return;
        }
        try {
            call(producer, "beginTransaction");
            Map<String, Future<RecordMetadata>> sent = send(producer, step);
            if (what.equals("abandon")) {
                call(producer, "flush");
                call(producer, "abortTransaction");
                told.add("aborted");
                return;
            }
            call(producer, "commitTransaction");
            await(sent);
            told.add("committed");
        } catch (Exception error) {
            told.add("failed " + name(error));
            if (isFatal(error)) {
                throw error;
            }
            call(producer, "abortTransaction");
            told.add("aborted");
        }
    }

    private Map<String, Future<RecordMetadata>> send(KafkaProducer<byte[], byte[]> producer, JsonNode step) {
        Map<String, Future<RecordMetadata>> sent = new LinkedHashMap<>();
        for (int index = 1; index < step.size(); index++) {
            String value = step.get(index).asText();
            byte[] data = value.getBytes(StandardCharsets.UTF_8);
            sent.put(value, producer.send(new ProducerRecord<>(topic, 0, null, data)));
        }
        return sent;
    }

    private void await(Map<String, Future<RecordMetadata>> sent) throws Exception {
        for (Map.Entry<String, Future<RecordMetadata>> each : sent.entrySet()) {
            try {
                each.getValue().get(20, TimeUnit.SECONDS);
                told.add("sent " + each.getKey());
            } catch (ExecutionException error) {
                told.add("unsent " + each.getKey() + " " + error.getCause().getClass().getSimpleName());
            }
        }
    }

    private static boolean isFatal(Exception error) {
        for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass()) {
            if (FATAL.contains(type.getSimpleName())) {
                return true;
            }
        }
        return error.getCause() instanceof Exception && isFatal((Exception) error.getCause());
    }

    private static String name(Exception error) {
        return error.getClass().getSimpleName();
    }

    /** Calls a method; what it throws comes as it is. */
    private static void call(KafkaProducer<byte[], byte[]> producer, String method) throws Exception {
        try {
            KafkaProducer.class.getMethod(method).invoke(producer);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause() instanceof Exception ? (Exception) thrown.getCause() : thrown;
        }
    }
}
