import com.amazonaws.services.schemaregistry.deserializers.GlueSchemaRegistryDeserializerDataParser;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** AWS Glue: what its parser gives of a value. The last argument is a file. */
class ReadValue {
    public static void main(String[] arguments) throws Exception {
        ByteBuffer value = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[arguments.length - 1])));
        Thread reader = new Thread(() -> read(value));
        reader.setDaemon(true);
        reader.start();
        reader.join(10_000);
        if (reader.isAlive())
            System.out.println("error: it reads for 10 s, " + reader.getState());
    }

    private static void read(ByteBuffer value) {
        try {
            byte[] data = GlueSchemaRegistryDeserializerDataParser.getInstance().getPlainData(value);
            System.out.println("payload of " + data.length + " bytes");
        } catch (Exception error) {
            System.out.println("error: " + error);
        }
    }
}
