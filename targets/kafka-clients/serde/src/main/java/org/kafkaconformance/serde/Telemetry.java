package org.kafkaconformance.serde;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.shaded.com.google.protobuf.ByteString;
import org.apache.kafka.shaded.com.google.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.kafka.shaded.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.kafka.shaded.com.google.protobuf.Message;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.MetricsData;

/** Metrics of clients, decompressed as a broker does it for its plugins, and parsed by the classes in Kafka's jar. */
final class Telemetry {
    private static final String UTILS = "org.apache.kafka.common.telemetry.internals.ClientTelemetryUtils";
    private static final List<String> TYPES = List.of("org.apache.kafka.common.record.internal.CompressionType",
            "org.apache.kafka.common.record.CompressionType"); // until 4.3
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int MOST = 4 << 20;

    private Telemetry() {
    }

    /** The kinds, with the parts of their answers. */
    static Map<String, List<String>> kinds() {
        Map<String, List<String>> kinds = new TreeMap<>();
        CODECS.forEach(codec -> kinds.put(codec.equals("none") ? "telemetry" : "telemetry-" + codec, List.of("value")));
        return kinds;
    }

    /** Reads metrics of a kind. */
    static Map<String, Object> read(String kind, byte[] data) throws Exception {
        if (data.length == 0 && (kind.equals("telemetry") || kind.endsWith("zstd"))) // a broker does not ask it then
            throw new UnsupportedOperationException("decompress does not return of zero bytes");
        int codec = Math.max(0, CODECS.indexOf(kind.replace("telemetry-", "")));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("value", shown(MetricsData.parseFrom(plain(data, codec))));
        return answer;
    }

    private static ByteBuffer plain(byte[] data, int codec) throws Exception {
        Object type = type().getMethod("forId", int.class).invoke(null, codec);
        for (Method method : Class.forName(UTILS).getMethods()) {
            if (!method.getName().equals("decompress"))
                continue;
            try {
                boolean isBounded = method.getParameterCount() == 3; // since 4.4
                return (ByteBuffer) (isBounded ? method.invoke(null, ByteBuffer.wrap(data), type, MOST)
                        : method.invoke(null, method.getParameterTypes()[0] == byte[].class ? data
                                : ByteBuffer.wrap(data), type));
            } catch (InvocationTargetException error) {
                throw error.getCause() instanceof Exception cause ? cause : error;
            }
        }
        throw new NoSuchMethodException("decompress");
    }

    private static Class<?> type() throws ClassNotFoundException {
        try {
            return Class.forName(TYPES.get(0));
        } catch (ClassNotFoundException error) {
            return Class.forName(TYPES.get(1));
        }
    }

    private static Object shown(Message message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        message.getAllFields().forEach((field, value) -> fields.put(field.getName(),
                field.isRepeated() ? all(field, (List<?>) value) : shown(field, value)));
        return fields;
    }

    private static List<Object> all(FieldDescriptor field, List<?> values) {
        List<Object> shown = new ArrayList<>();
        values.forEach(value -> shown.add(shown(field, value)));
        return shown;
    }

    private static Object shown(FieldDescriptor field, Object value) {
        return switch (field.getType()) {
            case MESSAGE -> shown((Message) value);
            case ENUM -> ((EnumValueDescriptor) value).getNumber();
            case FIXED64, UINT64 -> Long.toUnsignedString((long) value);
            case INT64, SFIXED64 -> value.toString();
            case UINT32 -> Integer.toUnsignedLong((int) value);
            case BYTES -> HexFormat.of().formatHex(((ByteString) value).toByteArray());
            case DOUBLE -> Double.isFinite((double) value) ? value : value.toString();
            default -> value;
        };
    }
}
