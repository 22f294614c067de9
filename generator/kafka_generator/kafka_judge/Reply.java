import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A reply of any judge: a byte, int32 bytes that were left, and twice int32 length and bytes: JSON, and content. */
final class Reply {
    static final byte WRITTEN = 0;
    static final byte NOT_READ = 1;
    static final byte NOT_WRITTEN = 2;
    static final byte UNKNOWN = 3;
    static final byte BYTES_LEFT = 4;

    private Reply() {
    }

    static void reply(DataOutputStream out, byte status, int left, String json, String text) throws IOException {
        reply(out, status, left, json, text.getBytes(StandardCharsets.UTF_8));
    }

    static void reply(DataOutputStream out, byte status, int left, String json, byte[] content) throws IOException {
        byte[] document = json.getBytes(StandardCharsets.UTF_8);
        out.writeByte(status);
        out.writeInt(left);
        out.writeInt(document.length);
        out.write(document);
        out.writeInt(content.length);
        out.write(content);
    }
}
