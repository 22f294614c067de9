import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.*;

/** Asks for what the admin client of Kafka 2.0 can, with clients of 2.0 to 3.9: `... OldAdminSession.java HOST:PORT`. */
class OldAdminSession {
    static final String TOPIC = "orders-old-admin", GROUP = "group-old";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-old-admin");
        try (AdminClient admin = AdminClient.create(settings)) {
            attempt("create", () -> admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get());
            Thread.sleep(1000);
            topics(admin);
            configurations(admin);
            groups(admin);
            security(admin);
            attempt("delete", () -> admin.deleteTopics(List.of(TOPIC)).all().get());
            Thread.sleep(3000);
        }
    }

    static void topics(AdminClient admin) {
        attempt("list", () -> admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get());
        attempt("describe", () -> admin.describeTopics(List.of(TOPIC)).all().get());
        attempt("partitions", () -> admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(3))).all().get());
        attempt("delete records", () -> admin.deleteRecords(
            Map.of(new TopicPartition(TOPIC, 0), RecordsToDelete.beforeOffset(0))).all().get());
        attempt("cluster", () -> admin.describeCluster().nodes().get());
        attempt("no topic", () -> admin.describeTopics(List.of("nobody-made-this")).all().get());
    }

    static void configurations(AdminClient admin) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
        attempt("configs", () -> admin.describeConfigs(
            List.of(topic), new DescribeConfigsOptions().includeSynonyms(true)).all().get());
        attempt("alter", () -> admin.alterConfigs(
            Map.of(topic, new Config(List.of(new ConfigEntry("retention.ms", "3600000"))))).all().get());
        attempt("log dirs", () -> admin.describeLogDirs(List.of(1)).all().get());
        attempt("move", () -> admin.alterReplicaLogDirs(
            Map.of(new TopicPartitionReplica(TOPIC, 0, 1), "/nowhere")).all().get());
    }

    static void groups(AdminClient admin) {
        attempt("groups", () -> admin.listConsumerGroups().all().get());
        attempt("group", () -> admin.describeConsumerGroups(List.of(GROUP)).all().get());
        attempt("offsets", () -> admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get());
        attempt("delete groups", () -> admin.deleteConsumerGroups(List.of(GROUP, "nobody-joined")).all().get());
    }

    static void security(AdminClient admin) {
        ResourcePattern orders = new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL);
        AccessControlEntry reader =
            new AccessControlEntry("User:reader", "*", AclOperation.READ, AclPermissionType.ALLOW);
        attempt("allow", () -> admin.createAcls(List.of(new AclBinding(orders, reader))).all().get());
        AclBindingFilter all = new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.TOPIC, "orders", PatternType.LITERAL), AccessControlEntryFilter.ANY);
        attempt("acls", () -> admin.describeAcls(all).values().get());
        attempt("forget", () -> admin.deleteAcls(List.of(all)).all().get());
        attempt("token", () -> admin.createDelegationToken().delegationToken().get());
        attempt("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
        attempt("renew", () -> admin.renewDelegationToken(new byte[] {1, 2, 3}).expiryTimestamp().get());
        attempt("expire", () -> admin.expireDelegationToken(new byte[] {1, 2, 3}).expiryTimestamp().get());
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
