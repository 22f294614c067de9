package org.kafkaconformance.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.MessageFormatter;
import org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter;
import org.apache.kafka.tools.consumer.OffsetsMessageFormatter;

/** The formatters of kafka-console-consumer for what `__consumer_offsets` has, each called with one record. */
public final class KafkaFormatters {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> LONGS = Set.of("offset", "commitTimestamp", "expireTimestamp",
            "currentStateTimestamp");
    private static final Set<String> BYTES = Set.of("subscription", "assignment"); // base64 in their JSON

    private static final int TOPIC_IDS = 4;

    private KafkaFormatters() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Properties own = new Properties();
        own.load(KafkaFormatters.class.getResourceAsStream("/kafka/kafka-version.properties"));
        Map<String, List<String>> serdes = Map.of("offset-commit-value", List.of("value"), "group-metadata-value",
                List.of("value"));
        Questions.serve("kafka-tools", own.getProperty("version"), serdes, question -> {
            boolean isCommit = question.content().equals("offset-commit-value");
            MessageFormatter formatter = isCommit ? new OffsetsMessageFormatter() : new GroupMetadataMessageFormatter();
            // A commit of the group g for partition 0 of t, or the group g.
            byte[] key = HexFormat.of().parseHex(isCommit ? "000100016700017400000000" : "0002000167");
            return Map.of("value", shown(printed(formatter, key, question.data())));
        });
    }

    private static JsonNode printed(MessageFormatter formatter, byte[] key, byte[] data) throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        formatter.writeTo(new ConsumerRecord<>("__consumer_offsets", 0, 0L, key, data), new PrintStream(printed));
        return JSON.readTree(printed.toByteArray()).get("value");
    }

    private static ObjectNode shown(JsonNode value) throws IOException {
        ObjectNode shown = JSON.createObjectNode();
        shown.set("version", value.get("version"));
        value.get("data").properties()
                .forEach(field -> shown.set(field.getKey(), shown(field.getKey(), field.getValue())));
        if (shown.has("offset") && value.get("version").asInt() >= TOPIC_IDS && !shown.has("topicId"))
            shown.set("topicId", hex(new byte[16])); // their JSON leaves out a tagged field at its default
        return shown;
    }

    private static JsonNode shown(String name, JsonNode value) {
        if (LONGS.contains(name))
            return JSON.getNodeFactory().textNode(value.asText());
        if (BYTES.contains(name))
            return hex(Base64.getDecoder().decode(value.asText()));
        if (name.equals("topicId"))
            return hex(Base64.getUrlDecoder().decode(value.asText()));
        if (name.equals("members"))
            value.forEach(member -> member.properties()
                    .forEach(field -> field.setValue(shown(field.getKey(), field.getValue()))));
        return value;
    }

    private static JsonNode hex(byte[] data) {
        return JSON.getNodeFactory().textNode(HexFormat.of().formatHex(data));
    }
}
