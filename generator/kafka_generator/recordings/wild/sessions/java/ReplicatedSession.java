import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;

/** Writes transactions to two replicas, or deletes the topic: `java -cp 'JARS/*' ReplicatedSession.java HOST:PORT write|delete`. */
class ReplicatedSession {
    static final String TOPIC = "orders-replicated", STRINGS = "org.apache.kafka.common.serialization.String";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-replicated");
        settings.put("key.serializer", STRINGS + "Serializer");
        settings.put("value.serializer", STRINGS + "Serializer");
        try (Admin admin = Admin.create(settings)) {
            if (arguments[1].equals("delete")) {
                attempt("elect", () -> admin.electLeaders(org.apache.kafka.common.ElectionType.PREFERRED, null).partitions().get());
                admin.deleteTopics(List.of(TOPIC)).all().get();
                return;
            }
            attempt("create", () -> admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 2))).all().get());
            attempt("write", () -> write(settings));
        }
    }

    /** In a transaction if brokers know them: those that speak as 0.10 do not. */
    static Object write(Map<String, Object> settings) throws Exception {
        try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
            for (int partition = 0; partition < 2; partition++) {
                producer.send(new ProducerRecord<>(TOPIC, partition, "k", "order")).get();
            }
        }
        Map<String, Object> own = new HashMap<>(settings);
        own.put("transactional.id", "tx-replicated");
        own.put("max.block.ms", "15000");
        try (Producer<String, String> producer = new KafkaProducer<>(own)) {
            producer.initTransactions();
            for (boolean aborts : new boolean[] {true, false}) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(TOPIC, 0, "k", aborts ? "aborted" : "committed")).get();
                if (aborts) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        return null;
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
