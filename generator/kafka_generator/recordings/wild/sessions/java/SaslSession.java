import java.util.*;
import org.apache.kafka.clients.admin.*;

/** Logs in with PLAIN, with SCRAM, and with a wrong password: `... SaslSession.java HOST:PORT`. */
class SaslSession {
    static final String PASSWORD = "not-secret";

    public static void main(String[] arguments) throws Exception {
        try (Admin admin = Admin.create(settings(arguments[0], "PLAIN", "plain.Plain", PASSWORD))) {
            ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
            UserScramCredentialAlteration alice = new UserScramCredentialUpsertion("alice", info, PASSWORD);
            attempt("credentials", () -> admin.alterUserScramCredentials(List.of(alice)).all().get());
            attempt("cluster", () -> admin.describeCluster().nodes().get());
        }
        Thread.sleep(1000);
        for (String password : List.of(PASSWORD, "wrong")) {
            try (Admin admin = Admin.create(settings(arguments[0], "SCRAM-SHA-256", "scram.Scram", password))) {
                attempt("cluster", () -> admin.describeCluster().nodes().get());
            }
        }
    }

    static Map<String, Object> settings(String address, String mechanism, String module, String password) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        settings.put("client.id", "java-sasl");
        settings.put("request.timeout.ms", 5000);
        settings.put("default.api.timeout.ms", 15000);
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", mechanism);
        settings.put("sasl.jaas.config", String.format(
            "org.apache.kafka.common.security.%sLoginModule required username=alice password=\"%s\";",
            module, password));
        return settings;
    }

    interface Call { Object call() throws Exception; }

    /** What the broker refuses is a response, too. */
    static void attempt(String what, Call call) {
        try {
            call.call();
        } catch (Exception error) {
            System.err.println("  " + what + ": " + error.getMessage());
        }
    }
}
