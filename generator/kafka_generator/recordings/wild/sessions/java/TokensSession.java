import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.token.delegation.DelegationToken;

/** Logs in with OAUTHBEARER and with a delegation token, which it makes, renews and ends: `... TokensSession.java HOST:PORT`. */
class TokensSession {
    static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";
    static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
    static final String BEARER = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule";

    public static void main(String[] arguments) throws Exception {
        String address = arguments[0];
        try (Admin admin = admin(address, "PLAIN", PLAIN + " required username=alice password=not-secret;")) {
            KafkaPrincipal renewer = new KafkaPrincipal("User", "bob");
            DelegationToken token = admin.createDelegationToken(
                new CreateDelegationTokenOptions().renewers(List.of(renewer))).delegationToken().get();
            Thread.sleep(2000); // for the broker to hear of it
            attempt("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
            attempt("renew", () -> admin.renewDelegationToken(token.hmac()).expiryTimestamp().get());
            login(address, "SCRAM-SHA-256", String.format("%s required username=\"%s\" password=\"%s\" tokenauth=\"true\";",
                SCRAM, token.tokenInfo().tokenId(), token.hmacAsBase64String()));
            attempt("expire", () -> admin.expireDelegationToken(token.hmac()).expiryTimestamp().get());
            attempt("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
        }
        login(address, "OAUTHBEARER", BEARER + " required unsecuredLoginStringClaim_sub=\"alice\" unsecuredLoginExtension_flow=\"night\";");
        login(address, "OAUTHBEARER", BEARER + " required unsecuredLoginStringClaim_sub=\"carol\" unsecuredLoginLifetimeSeconds=\"2\";");
    }

    /** Asks for the cluster for so long that the client has to log in again. */
    static void login(String address, String mechanism, String module) throws Exception {
        try (Admin admin = admin(address, mechanism, module)) {
            for (int tries = 0; tries < 6; tries++) {
                attempt("cluster", () -> admin.describeCluster().nodes().get());
                Thread.sleep(1000);
            }
        }
    }

    static Admin admin(String address, String mechanism, String module) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        settings.put("client.id", "java-tokens");
        settings.put("request.timeout.ms", 5000);
        settings.put("default.api.timeout.ms", 15000);
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", mechanism);
        settings.put("sasl.jaas.config", module);
        return Admin.create(settings);
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
