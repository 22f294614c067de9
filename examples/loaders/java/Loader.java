// Puts the golden vectors to a decoder: `kafka-conformance vectors --export out`, then `java Loader.java out`.
// The JDK reads no JSON: the manifest is a table too, and answers are in bytes, as docs/adapter-protocol.md has them.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;

class Loader {
    /** Your decoder: returns the answer, and throws where it refuses. Only the format tells v07 from the rest. */
    static byte[] decode(byte[] data, String format) {
        throw new UnsupportedOperationException("your decoder");
    }

    static boolean passes(String verdict, String format, byte[] data, byte[] answer) {
        byte[] records;
        try {
            records = decode(data, format);
        } catch (RuntimeException refused) {
            return !verdict.equals("valid"); // lenient vectors may be refused, invalid ones must be
        }
        return !verdict.equals("invalid") && Arrays.equals(records, answer);
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        var counts = new TreeMap<String, long[]>();
        for (String line : Files.readAllLines(folder.resolve("manifest.tsv"))) {
            String[] row = line.split("\t", -1); // id, direction, family, format, verdict, size, sha256, bin, answer
            if (!row[1].equals("decode")) continue;
            byte[] data = Files.readAllBytes(folder.resolve(row[7]));
            byte[] answer = row[8].isEmpty() ? null : Files.readAllBytes(folder.resolve(row[8]));
            long[] add = {1, data.length, passes(row[4], row[3], data, answer) ? 1 : 0};
            counts.merge(row[4], add, (a, b) -> new long[] {a[0] + b[0], a[1] + b[1], a[2] + b[2]});
        }
        counts.forEach((verdict, n) -> System.out.printf("%s: %d vectors, %d bytes, %d passed%n", verdict, n[0], n[1], n[2]));
    }
}
