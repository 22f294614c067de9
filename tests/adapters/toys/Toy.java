import java.util.Arrays;
import java.util.List;

public class Toy implements Adapter.Target {
    static final Adapter.Record FULL = new Adapter.Record(Long.MIN_VALUE, Long.MAX_VALUE, 1, new byte[] {0, 'k'},
            new byte[0], List.of(new Adapter.Header(new byte[] {'a'}, new byte[] {(byte) 0xff}),
            new Adapter.Header(new byte[] {'a'}, null)), 9007199254740993L, -3, Integer.MAX_VALUE, 3, 4);

    public List<Adapter.Record> decode(byte[] data) throws Exception {
        switch (new String(data)) {
            case "all": return List.of(FULL);
            case "refuses": throw new IllegalStateException("not so");
            case "cannot": throw new UnsupportedOperationException("no such thing");
            case "print": System.out.println("noise");
            default: return List.of();
        }
    }

    static boolean same(Adapter.Header one, Adapter.Header other) {
        return Arrays.equals(one.key(), other.key()) && Arrays.equals(one.value(), other.value());
    }

    static boolean isFull(Adapter.Record it) {
        return it.offset() == FULL.offset() && it.timestamp() == FULL.timestamp() && it.timestampType() == 1
                && Arrays.equals(it.key(), FULL.key()) && Arrays.equals(it.value(), FULL.value())
                && it.headers().size() == 2 && same(it.headers().get(0), FULL.headers().get(0))
                && same(it.headers().get(1), FULL.headers().get(1)) && it.producerId() == FULL.producerId()
                && it.producerEpoch() == -3 && it.sequence() == Integer.MAX_VALUE && it.flags() == 3 && it.codec() == 4;
    }

    public byte[] encode(int magic, int codec, List<Adapter.Record> records) {
        if (codec > 3)
            throw new UnsupportedOperationException("no such codec");
        return new byte[] {(byte) magic, (byte) codec, (byte) records.stream().filter(Toy::isFull).count()};
    }

    public byte[] message(int kind, int api, int version, byte[] data) {
        switch (new String(data)) {
            case "refuses": throw new IllegalStateException("not so");
            case "cannot": throw new UnsupportedOperationException("no such thing");
            default: return (kind + " " + api + " " + version + " " + new String(data)).getBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        Adapter.serve("{\"protocol\": 1, \"name\": \"toy\"}", new Toy());
    }
}
