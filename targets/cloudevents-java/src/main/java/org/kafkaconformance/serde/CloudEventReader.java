package org.kafkaconformance.serde;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.CloudEventDeserializer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Events of CloudEvents in binary mode. */
public final class CloudEventReader {
    private CloudEventReader() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        CloudEventDeserializer deserializer = new CloudEventDeserializer();
        Questions.serve("cloudevents", System.getProperty("version", ""),
                Map.of("cloudevents", List.of("value", "payload")), question -> {
                    RecordHeaders headers = new RecordHeaders();
                    question.headers().forEach(headers::add);
                    return shown(deserializer.deserialize("topic", headers, question.data()));
                });
    }

    private static Map<String, Object> shown(CloudEvent event) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        event.getAttributeNames().forEach(name -> attributes.put(name, event.getAttribute(name).toString()));
        event.getExtensionNames().forEach(name -> attributes.put(name, event.getExtension(name).toString()));
        return Map.of("value", attributes, "payload", HexFormat.of().formatHex(event.getData().toBytes()));
    }
}
