package org.kafkaconformance.serde;

import io.apicurio.registry.resolver.strategy.ArtifactReference;
import io.apicurio.registry.serde.BaseSerde;
import io.apicurio.registry.serde.Default4ByteIdHandler;
import io.apicurio.registry.serde.IdHandler;
import io.apicurio.registry.serde.Legacy8ByteIdHandler;
import io.apicurio.registry.serde.protobuf.MessageIndexesUtil;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What Apicurio's deserializers read before they ask the registry. */
public final class ApicurioReader {
    private ApicurioReader() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        List<String> named = List.of("schema_id", "payload");
        Questions.serve("apicurio-registry", System.getProperty("version", ""),
                Map.of("apicurio", named, "apicurio-long", named, "apicurio-protobuf",
                        List.of("schema_id", "indexes", "payload")), ApicurioReader::read);
    }

    private static Map<String, Object> read(Questions.Question question) throws Exception {
        boolean isLong = question.content().equals("apicurio-long");
        IdHandler handler = isLong ? new Legacy8ByteIdHandler() : new Default4ByteIdHandler();
        handler.configure(Map.of(), false);
        ByteBuffer buffer = BaseSerde.getByteBuffer(question.data());
        ArtifactReference named = handler.readId(buffer);
        byte[] rest = new byte[buffer.remaining()];
        buffer.get(rest);
        InputStream payload = new ByteArrayInputStream(rest);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("schema_id", named.getContentId() != null ? named.getContentId() : named.getGlobalId());
        if (question.content().endsWith("protobuf"))
            answer.put("indexes", MessageIndexesUtil.readFrom(payload));
        answer.put("payload", HexFormat.of().formatHex(payload.readAllBytes()));
        return answer;
    }
}
