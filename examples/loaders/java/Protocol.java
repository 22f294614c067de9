// Puts the protocol's vectors to a codec: `kafka-conformance vectors --protocol --export out`, `java Protocol.java out`.
// The JDK reads no JSON: this reads the table, and judges by the bytes that the codec writes again.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeMap;

class Protocol {
    /** Your codec: reads a value and returns the bytes that it writes of it, and throws where it refuses. */
    static byte[] rewrite(byte[] data, String kind, String message, short version) {
        throw new UnsupportedOperationException("your codec");
    }

    static boolean passes(String[] row, byte[] data, short version) {
        byte[] written;
        try {
            written = rewrite(data, row[1], row[3], version);
        } catch (RuntimeException refused) {
            return !row[5].equals("valid"); // lenient vectors may be refused, invalid ones must be
        }
        return !row[5].equals("invalid") && (row[6].equals("false") || Arrays.equals(written, data));
    }

    public static void main(String[] arguments) throws IOException {
        var counts = new TreeMap<String, long[]>();
        for (String line : Files.readAllLines(Path.of(arguments[0], "protocol.tsv"))) {
            String[] row = line.split("\t", -1); // id, kind, api, message, versions, verdict, canonical, hex
            if (row[0].equals("id")) continue;
            for (String version : row[4].split(",")) {
                byte[] data = HexFormat.of().parseHex(row[7]);
                long[] add = {1, passes(row, data, Short.parseShort(version)) ? 1 : 0};
                counts.merge(row[5], add, (a, b) -> new long[] {a[0] + b[0], a[1] + b[1]});
            }
        }
        counts.forEach((verdict, n) -> System.out.printf("%s: %d messages, %d passed%n", verdict, n[0], n[1]));
    }
}
