import io.confluent.kafka.serializers.schema.id.SchemaId;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Scanner;

/**
 * Confluent's own class SchemaId as a judge. Standard input has lines of a name, a kind of content, and in hex what
 * names the schema (the header, or the value), with tabs between them; each is answered on a line of JSON. Compile it
 * with the source of SchemaId from github.com/confluentinc/schema-registry, and with kafka-clients 4.4.0.
 */
public final class JudgeConfluent {
    public static void main(String[] arguments) {
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            String[] asked = lines.nextLine().split("\t", -1);
            SchemaId schema = new SchemaId(asked[1].endsWith("protobuf") ? "PROTOBUF" : "AVRO");
            String said;
            try {
                ByteBuffer rest = schema.fromBytes(ByteBuffer.wrap(HexFormat.of().parseHex(asked[2])));
                byte[] payload = new byte[rest.remaining()];
                rest.get(payload);
                String guid = schema.getGuid() == null ? null : schema.getGuid().toString().replace("-", "");
                guid = guid == null ? "null" : '"' + guid + '"';
                said = "{\"accepted\": {\"schema_id\": " + schema.getId() + ", \"guid\": " + guid + ", \"indexes\": "
                        + schema.getMessageIndexes() + ", \"payload\": \"" + HexFormat.of().formatHex(payload) + "\"}}";
            } catch (Exception error) {
                said = "{\"refused\": \"" + error.getClass().getSimpleName() + "\"}";
            } catch (OutOfMemoryError error) {
                said = "{\"died\": \"OutOfMemoryError\"}";
            }
            System.out.println("{\"" + asked[0] + "\": " + said + "}");
        }
    }
}
