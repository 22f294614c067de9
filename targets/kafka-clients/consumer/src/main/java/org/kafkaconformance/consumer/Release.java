package org.kafkaconformance.consumer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * What is not the same in every release of the consumer since 0.10.2: 2.0 brought Duration, which 4.0 left alone, 0.11
 * headers, transactions and the record batch, 2.1 zstd.
 */
final class Release {
    private static final Method POLL = method(KafkaConsumer.class, "poll", Duration.class);
    private static final Method POLL_LONG = method(KafkaConsumer.class, "poll", long.class);
    private static final Method CLOSE = method(KafkaConsumer.class, "close", Duration.class);
    private static final Method CLOSE_LONG = method(KafkaConsumer.class, "close", long.class, TimeUnit.class);
    private static final Class<?> PATTERN = type("org.apache.kafka.clients.consumer.SubscriptionPattern");
    private static final Method SUBSCRIBE_REGEX =
        PATTERN == null ? null : method(KafkaConsumer.class, "subscribe", PATTERN, ConsumerRebalanceListener.class);
    private static final Method HEADERS = method(ConsumerRecord.class, "headers");
    private static final Method KEY = method(type("org.apache.kafka.common.header.Header"), "key");
    private static final Method VALUE = method(type("org.apache.kafka.common.header.Header"), "value");

    private Release() {}

    /** True if it reads record batches, in which conversations are held. */
    static boolean readsBatches() {
        return HEADERS != null;
    }

    static List<String> formats() {
        return !readsBatches() ? List.of("v0", "v1") : List.of("v0", "v1", "v2");
    }

    static List<String> codecs() {
        boolean hasZstd = POLL != null && type("com.github.luben.zstd.ZstdOutputStream") != null;
        return hasZstd ? List.of("none", "gzip", "snappy", "lz4", "zstd") : List.of("none", "gzip", "snappy", "lz4");
    }

    static List<String> isolations() {
        return !readsBatches() ? List.of("read_uncommitted") : List.of("read_uncommitted", "read_committed");
    }

    @SuppressWarnings("unchecked")
    static ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer, long milliseconds) {
        Object got = POLL == null
            ? call(POLL_LONG, consumer, milliseconds)
            : call(POLL, consumer, Duration.ofMillis(milliseconds));
        return (ConsumerRecords<byte[], byte[]>) got;
    }

    static void close(KafkaConsumer<byte[], byte[]> consumer, long milliseconds) {
        if (CLOSE == null) {
            call(CLOSE_LONG, consumer, milliseconds, TimeUnit.MILLISECONDS);
        } else {
            call(CLOSE, consumer, Duration.ofMillis(milliseconds));
        }
    }

    /** True if the broker may resolve the expression that a consumer subscribes to (KIP-848). */
    static boolean hasRegex() {
        return SUBSCRIBE_REGEX != null;
    }

    /** True if members can give up some partitions and keep the others (KIP-429). */
    static boolean hasCooperative() {
        return type("org.apache.kafka.clients.consumer.CooperativeStickyAssignor") != null;
    }

    static void subscribe(
            KafkaConsumer<byte[], byte[]> consumer, List<String> names, String regex, ConsumerRebalanceListener listener) {
        if (regex == null) {
            consumer.subscribe(names, listener);
            return;
        }
        try {
            call(SUBSCRIBE_REGEX, consumer, PATTERN.getConstructor(String.class).newInstance(regex), listener);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static List<Map.Entry<String, byte[]>> headers(ConsumerRecord<byte[], byte[]> record) {
        List<Map.Entry<String, byte[]>> found = new ArrayList<>();
        if (HEADERS != null) {
            for (Object header : (Iterable<?>) call(HEADERS, record)) {
                found.add(new SimpleImmutableEntry<>((String) call(KEY, header), (byte[]) call(VALUE, header)));
            }
        }
        return found;
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type == null ? null : type.getMethod(name, parameters);
        } catch (NoSuchMethodException missing) {
            return null;
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException missing) {
            return null;
        }
    }

    /** Calls a method; what it throws comes as it is. */
    private static Object call(Method method, Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (IllegalAccessException missing) {
            throw new IllegalStateException(missing);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown.getCause();
        }
    }
}
