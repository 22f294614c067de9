import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

final class Toy {
    private Toy() { }

    public static void main(String[] arguments) throws Exception {
        List<String> value = List.of("value");
        Serde.serve("toy", "1", Map.of("confluent", List.of("schema_id", "payload"), "void", value, "string", value), Toy::read);
    }

    private static Map<String, Object> read(Serde.Question question) {
        if (question.content().equals("string"))
            throw new UnsupportedOperationException("no such thing");
        if (question.content().equals("void")) {
            Serde.Header last = question.headers().get(question.headers().size() - 1);
            String said = last.value() == null ? "-" : HexFormat.of().formatHex(last.value());
            return Map.of("value", hex(last.key()) + ":" + said + ":" + hex(question.schema()));
        }
        if (question.data() == null || question.data().length == 0)
            throw new IllegalArgumentException("not so");
        return Map.of("schema_id", question.headers().size(), "payload", HexFormat.of().formatHex(question.data()));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
