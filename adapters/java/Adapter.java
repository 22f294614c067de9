import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Serves a decoder in Java over adapter protocol 1, with nothing but the JDK: copy this file.
 *
 * <p>The functions do exactly what the library's own consumer does with fetched records, and mend nothing. An exception
 * refuses, UnsupportedOperationException tells a gap, and an error, such as a full heap, ends the program as it would
 * end its users'.
 */
public final class Adapter {
    /** One record of an answer. Flags: 1 transactional, 2 control. What the hello does not declare may be 0. */
    public record Record(long offset, long timestamp, int timestampType, byte[] key, byte[] value, List<Header> headers,
            long producerId, int producerEpoch, int sequence, int flags, int codec) { }

    public record Header(byte[] key, byte[] value) { }

    /**
     * A library: `decode` takes the records of a fetch response, `encode` gives one batch or message set, `message`
     * takes header and body of a request (kind 0) or response (1) and gives JSON, or what the library writes of it.
     */
    public interface Target {
        List<Record> decode(byte[] data) throws Exception;

        default byte[] encode(int magic, int codec, List<Record> records) throws Exception {
            throw new UnsupportedOperationException("it only decodes");
        }

        default byte[] message(int kind, int api, int version, byte[] data) throws Exception {
            throw new UnsupportedOperationException("it reads records only");
        }
    }

    /** Answers requests until the end of input. The hello is JSON; only what it declares is asked for. */
    public static void serve(String hello, Target target) throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream replies = new DataOutputStream(System.out);
        System.setOut(System.err); // what a library prints must not stand between replies
        for (byte[] head = requests.readNBytes(4); head.length == 4; head = requests.readNBytes(4)) {
            ByteBuffer request = ByteBuffer.wrap(requests.readNBytes(ByteBuffer.wrap(head).getInt()));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            byte kind = request.get();
            reply.write(kind);
            if (kind == 'H')
                reply.writeBytes(hello.getBytes(StandardCharsets.UTF_8));
            else
                block(kind, request, new DataOutputStream(reply), target);
            write(replies, reply.toByteArray());
            replies.flush();
        }
    }

    private static void block(byte kind, ByteBuffer from, DataOutputStream to, Target target) throws IOException {
        to.writeInt(from.getInt()); // the number of the block
        if (kind == 'D')
            from.get(); // what the inputs are: 0, records, unless 0.7 is declared
        int count = from.getInt();
        to.writeInt(count);
        for (int i = 0; i < count; i++) {
            int what = kind == 'D' ? 0 : from.get(); // magic, or the kind of message
            int codec = kind == 'E' ? from.get() : 0;
            int api = kind == 'M' ? from.getShort() : 0;
            int version = kind == 'M' ? from.getShort() : 0;
            byte[] input = bytes(from);
            result(to, () -> switch (kind) {
                case 'D' -> answer(target.decode(input));
                case 'M' -> target.message(what, api, version, input);
                default -> target.encode(what, codec, records(input));
            });
        }
    }

    private static void result(DataOutputStream to, Callable<byte[]> work) throws IOException {
        int status = 0;
        byte[] content;
        try {
            content = work.call();
        } catch (Exception error) {
            status = error instanceof UnsupportedOperationException ? 2 : 1;
            content = error.toString().getBytes(StandardCharsets.UTF_8);
        }
        to.write(status);
        write(to, content);
    }

    private static byte[] answer(List<Record> records) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(answer);
        to.writeInt(records.size());
        for (Record record : records) {
            to.write(ByteBuffer.allocate(17).putLong(record.offset).putLong(record.timestamp)
                    .put((byte) record.timestampType).array());
            write(to, record.key);
            write(to, record.value);
            to.writeInt(record.headers.size());
            for (Header header : record.headers) {
                write(to, header.key);
                write(to, header.value);
            }
            to.write(ByteBuffer.allocate(16).putLong(record.producerId).putShort((short) record.producerEpoch)
                    .putInt(record.sequence).put((byte) record.flags).put((byte) record.codec).array());
        }
        return answer.toByteArray();
    }

    private static List<Record> records(byte[] answer) {
        ByteBuffer from = ByteBuffer.wrap(answer);
        return Stream.generate(() -> new Record(from.getLong(), from.getLong(), from.get(), bytes(from), bytes(from),
                headers(from), from.getLong(), from.getShort(), from.getInt(), from.get(), from.get()))
                .limit(from.getInt()).toList();
    }

    private static List<Header> headers(ByteBuffer from) {
        return Stream.generate(() -> new Header(bytes(from), bytes(from))).limit(from.getInt()).toList();
    }

    private static byte[] bytes(ByteBuffer from) {
        int size = from.getInt();
        byte[] data = new byte[Math.max(0, size)];
        from.get(data);
        return size < 0 ? null : data;
    }

    private static void write(DataOutputStream to, byte[] data) throws IOException {
        to.writeInt(data == null ? -1 : data.length);
        to.write(data == null ? new byte[0] : data);
    }
}
