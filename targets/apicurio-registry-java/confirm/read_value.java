import io.apicurio.registry.serde.BaseSerde;
import io.apicurio.registry.serde.Default4ByteIdHandler;
import io.apicurio.registry.serde.protobuf.MessageIndexesUtil;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Apicurio: what its id handler and the reader of its indexes give of a value. The last argument is a file. */
class ReadValue {
    public static void main(String[] arguments) throws Exception {
        ByteBuffer buffer = BaseSerde.getByteBuffer(Files.readAllBytes(Path.of(arguments[arguments.length - 1])));
        Default4ByteIdHandler handler = new Default4ByteIdHandler();
        handler.configure(Map.of(), false);
        try {
            System.out.println("id=" + handler.readId(buffer).getContentId());
            byte[] rest = new byte[buffer.remaining()];
            buffer.get(rest);
            System.out.println("indexes=" + MessageIndexesUtil.readFrom(new ByteArrayInputStream(rest)));
        } catch (Exception | OutOfMemoryError error) {
            System.out.println("error: " + error);
        }
    }
}
