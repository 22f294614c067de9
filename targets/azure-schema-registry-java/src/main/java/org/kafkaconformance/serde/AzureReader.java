package org.kafkaconformance.serde;

import com.azure.core.credential.AccessToken;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.models.MessageContent;
import com.azure.core.util.BinaryData;
import com.azure.core.util.serializer.TypeReference;
import com.azure.data.schemaregistry.SchemaRegistryClientBuilder;
import com.azure.data.schemaregistry.apacheavro.SchemaRegistryApacheAvroSerializer;
import com.azure.data.schemaregistry.apacheavro.SchemaRegistryApacheAvroSerializerBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Azure's reader of Avro, which its deserializer for Kafka calls with the last header `content-type`. */
public final class AzureReader {
    private static final byte[] SCHEMA = "\"string\"".getBytes(StandardCharsets.UTF_8);

    /** The id that the registry was asked for last. */
    private static String asked;

    private AzureReader() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Questions.serve("azure-schemaregistry-kafka-avro", System.getProperty("version", ""),
                Map.of("azure", List.of("schema_id", "value")), AzureReader::read);
    }

    /** Reads a value; a serializer keeps the schemas that it has seen, so each gets a new one. */
    private static Map<String, Object> read(Questions.Question question) {
        asked = null;
        SchemaRegistryApacheAvroSerializer serializer = new SchemaRegistryApacheAvroSerializerBuilder()
                .schemaRegistryClient(new SchemaRegistryClientBuilder().fullyQualifiedNamespace("registry.invalid")
                        .credential(context -> Mono.just(new AccessToken("none", OffsetDateTime.MAX)))
                        .httpClient(request -> Mono.just(new OneSchema(request))).buildAsyncClient())
                .buildSerializer();
        byte[] type = question.headers().get("content-type");
        MessageContent message = new MessageContent().setBodyAsBinaryData(BinaryData.fromBytes(question.data()))
                .setContentType(type == null ? "" : new String(type, StandardCharsets.UTF_8));
        Object value = serializer.deserialize(message, TypeReference.createInstance(Object.class));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("schema_id", asked);
        answer.put("value", value == null ? null : value.toString());
        return answer;
    }

    /** What the registry answers to any id. */
    private static final class OneSchema extends HttpResponse {
        private OneSchema(HttpRequest request) {
            super(request);
            String path = request.getUrl().getPath();
            asked = path.substring(path.lastIndexOf('/') + 1);
        }

        @Override
        public int getStatusCode() {
            return 200;
        }

        @Override
        @Deprecated
        public String getHeaderValue(String name) {
            return getHeaders().getValue(name);
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders(Map.of("Schema-Id", asked, "Schema-Group-Name", "group", "Schema-Name", "name",
                    "Schema-Version", "1", "Content-Type", "application/json; serialization=Avro"));
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.just(ByteBuffer.wrap(SCHEMA));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(SCHEMA);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return Mono.just(new String(SCHEMA, StandardCharsets.UTF_8));
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return getBodyAsString();
        }
    }
}
