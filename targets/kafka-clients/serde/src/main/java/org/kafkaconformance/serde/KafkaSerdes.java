package org.kafkaconformance.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.BooleanDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.DoubleDeserializer;
import org.apache.kafka.common.serialization.FloatDeserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.ListDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.ShortDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.UUIDDeserializer;
import org.apache.kafka.common.serialization.VoidDeserializer;
import org.apache.kafka.streams.kstream.SessionWindowedDeserializer;
import org.apache.kafka.streams.kstream.TimeWindowedDeserializer;
import org.apache.kafka.streams.kstream.Windowed;

/** Kafka's own deserializers, each called with the bytes of one value. */
public final class KafkaSerdes {
    private static final Map<String, Deserializer<?>> DESERIALIZERS = new HashMap<>();

    static {
        DESERIALIZERS.put("boolean", new BooleanDeserializer());
        DESERIALIZERS.put("short", new ShortDeserializer());
        DESERIALIZERS.put("int", new IntegerDeserializer());
        DESERIALIZERS.put("long", new LongDeserializer());
        DESERIALIZERS.put("float", new FloatDeserializer());
        DESERIALIZERS.put("double", new DoubleDeserializer());
        DESERIALIZERS.put("uuid", new UUIDDeserializer());
        DESERIALIZERS.put("string", new StringDeserializer());
        DESERIALIZERS.put("void", new VoidDeserializer());
        DESERIALIZERS.put("list-int", list(new IntegerDeserializer()));
        DESERIALIZERS.put("list-long", list(new LongDeserializer()));
        DESERIALIZERS.put("list-uuid", list(new UUIDDeserializer()));
        DESERIALIZERS.put("list-string", list(new StringDeserializer()));
        DESERIALIZERS.put("window", new TimeWindowedDeserializer<>(new StringDeserializer(), 1000L));
        DESERIALIZERS.put("session", new SessionWindowedDeserializer<>(new StringDeserializer()));
    }

    private KafkaSerdes() {
    }

    @SuppressWarnings("unchecked")
    private static <T> Deserializer<?> list(Deserializer<T> inner) {
        return new ListDeserializer<>((Class<List<T>>) (Class<?>) ArrayList.class, inner);
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Properties own = new Properties();
        own.load(KafkaSerdes.class.getResourceAsStream("/kafka/kafka-version.properties"));
        Map<String, List<String>> serdes = new HashMap<>();
        DESERIALIZERS.keySet().forEach(content -> serdes.put(content, List.of("value")));
        serdes.putAll(StreamsStores.kinds());
        serdes.putAll(Telemetry.kinds());
        Questions.serve("kafka-clients", own.getProperty("version"), serdes, question -> {
            if (question.content().startsWith("telemetry"))
                return Telemetry.read(question.content(), question.data());
            if (!DESERIALIZERS.containsKey(question.content()))
                return StreamsStores.read(question.content(), question.data());
            Object value = DESERIALIZERS.get(question.content()).deserialize("topic", question.data());
            Map<String, Object> answer = new HashMap<>();
            answer.put("value", shown(question.content(), value));
            return answer;
        });
    }

    private static Object shown(String content, Object value) {
        if (value instanceof Windowed<?> windowed) {
            Map<String, Object> times = new HashMap<>();
            times.put("key", windowed.key());
            times.put("start", Long.toString(windowed.window().start()));
            if (content.equals("session"))
                times.put("end", Long.toString(windowed.window().end()));
            return times;
        }
        if (value instanceof List<?> list)
            return list.stream().map(item -> shown(content, item)).collect(Collectors.toCollection(ArrayList::new));
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? (Object) number : Double.toString(number);
        }
        return value instanceof Long || value instanceof java.util.UUID ? value.toString() : value;
    }
}
