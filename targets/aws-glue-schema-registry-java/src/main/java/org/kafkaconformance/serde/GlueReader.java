package org.kafkaconformance.serde;

import com.amazonaws.services.schemaregistry.deserializers.GlueSchemaRegistryDeserializerDataParser;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What AWS Glue's deserializers read before they ask the registry. */
public final class GlueReader {
    private GlueReader() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Questions.serve("aws-glue-schema-registry", System.getProperty("version", ""),
                Map.of("glue", List.of("guid", "payload")), question -> read(ByteBuffer.wrap(question.data())));
    }

    private static Map<String, Object> read(ByteBuffer buffer) {
        GlueSchemaRegistryDeserializerDataParser parser = GlueSchemaRegistryDeserializerDataParser.getInstance();
        StringBuilder why = new StringBuilder();
        if (!parser.isDataCompatible(buffer, why))
            throw new IllegalArgumentException(why.toString());
        String named = parser.getSchemaVersionId(buffer).toString().replace("-", "");
        return Map.of("guid", named, "payload", HexFormat.of().formatHex(parser.getPlainData(buffer)));
    }
}
