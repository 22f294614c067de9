import com.amazonaws.services.schemaregistry.deserializers.GlueSchemaRegistryDeserializerDataParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.apicurio.registry.resolver.strategy.ArtifactReference;
import io.apicurio.registry.serde.BaseSerde;
import io.apicurio.registry.serde.Default4ByteIdHandler;
import io.apicurio.registry.serde.IdHandler;
import io.apicurio.registry.serde.Legacy8ByteIdHandler;
import io.apicurio.registry.serde.protobuf.MessageIndexesUtil;
import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.CloudEventDeserializer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.UUID;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The classes of Apicurio, AWS Glue and CloudEvents that read what names a schema, as judges; no registry is asked.
 * Standard input has vectors, a line of JSON each, and each is answered on a line of JSON. The class path holds
 * io.apicurio:apicurio-registry-protobuf-serde-kafka 3.1.7, software.amazon.glue:schema-registry-serde 1.1.24 and
 * io.cloudevents:cloudevents-kafka 4.0.1.
 */
public final class JudgeRegistries {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws IOException {
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            JsonNode vector = JSON.readTree(lines.nextLine());
            Map<String, Object> said = new LinkedHashMap<>();
            try {
                said.put("accepted", read(vector.get("content").asText(), bytes(vector.get("hex")), headers(vector)));
            } catch (Exception error) {
                said.put("refused", error.getClass().getSimpleName());
            } catch (OutOfMemoryError error) {
                said.put("died", "OutOfMemoryError");
            }
            System.out.println(JSON.writeValueAsString(Map.of(vector.get("id").asText(), said)));
        }
    }

    private static Map<String, Object> read(String content, byte[] data, Headers headers) throws IOException {
        return switch (content) {
            case "apicurio", "apicurio-protobuf" -> apicurio(new Default4ByteIdHandler(), data, content.length() > 8);
            case "apicurio-long" -> apicurio(new Legacy8ByteIdHandler(), data, false);
            case "glue" -> glue(ByteBuffer.wrap(data));
            default -> event(new CloudEventDeserializer().deserialize("topic", headers, data));
        };
    }

    private static Map<String, Object> apicurio(IdHandler handler, byte[] data, boolean hasIndexes)
            throws IOException {
        handler.configure(Map.of(), false);
        ByteBuffer buffer = BaseSerde.getByteBuffer(data);
        ArtifactReference named = handler.readId(buffer);
        byte[] rest = new byte[buffer.remaining()];
        buffer.get(rest);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("schema_id", named.getContentId() != null ? named.getContentId() : named.getGlobalId());
        InputStream payload = new ByteArrayInputStream(rest);
        if (hasIndexes)
            answer.put("indexes", MessageIndexesUtil.readFrom(payload));
        answer.put("payload", HexFormat.of().formatHex(payload.readAllBytes()));
        return answer;
    }

    private static Map<String, Object> glue(ByteBuffer buffer) {
        GlueSchemaRegistryDeserializerDataParser parser = GlueSchemaRegistryDeserializerDataParser.getInstance();
        StringBuilder why = new StringBuilder();
        if (!parser.isDataCompatible(buffer, why))
            throw new IllegalArgumentException(why.toString());
        UUID named = parser.getSchemaVersionId(buffer);
        return Map.of("guid", named.toString().replace("-", ""), "payload",
                HexFormat.of().formatHex(parser.getPlainData(buffer)));
    }

    private static Map<String, Object> event(CloudEvent event) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        event.getAttributeNames().forEach(name -> attributes.put(name, event.getAttribute(name).toString()));
        event.getExtensionNames().forEach(name -> attributes.put(name, event.getExtension(name).toString()));
        return Map.of("value", attributes, "payload", HexFormat.of().formatHex(event.getData().toBytes()));
    }

    private static Headers headers(JsonNode vector) {
        RecordHeaders headers = new RecordHeaders();
        vector.get("headers").forEach(header -> headers.add(header.get(0).asText(), bytes(header.get(1))));
        return headers;
    }

    private static byte[] bytes(JsonNode hex) {
        return hex.isNull() ? null : HexFormat.of().parseHex(hex.asText());
    }
}
