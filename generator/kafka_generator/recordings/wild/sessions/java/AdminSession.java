import java.time.Duration;
import java.util.*;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.*;
import org.apache.kafka.common.resource.*;

/** Asks for everything that the admin client of Kafka 3.9 can: `java -cp 'JARS/*' AdminSession.java HOST:PORT`. */
class AdminSession {
    static final String TOPIC = "orders-admin", GROUP = "group-admin";
    static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("client.id", "java-admin");
        try (Admin admin = Admin.create(settings)) {
            topics(admin);
            configurations(admin);
            groups(admin);
            transactions(admin, settings);
            security(admin);
            cluster(admin);
            attempt("delete", () -> admin.deleteTopics(List.of("orders-copy")).all().get());
            attempt("no topic", () -> admin.describeTopics(List.of("nobody-made-this")).allTopicNames().get());
        }
    }

    static void topics(Admin admin) {
        NewTopic topic = new NewTopic(TOPIC, 2, (short) 1).configs(Map.of("retention.ms", "86400000"));
        NewTopic placed = new NewTopic("orders-copy", Map.of(0, List.of(1)));
        attempt("create", () -> admin.createTopics(List.of(topic, placed)).all().get());
        attempt("again", () -> admin.createTopics(List.of(topic)).all().get());
        attempt("list", () -> admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get());
        attempt("describe", () -> admin.describeTopics(List.of(TOPIC)).allTopicNames().get());
        attempt("partitions", () -> admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(3))).all().get());
        attempt("reassign", () -> admin.alterPartitionReassignments(
            Map.of(FIRST, Optional.of(new NewPartitionReassignment(List.of(1))))).all().get());
        attempt("reassignments", () -> admin.listPartitionReassignments().reassignments().get());
        attempt("elect", () -> admin.electLeaders(ElectionType.PREFERRED, Set.of(FIRST)).partitions().get());
        attempt("latest", () -> admin.listOffsets(Map.of(FIRST, OffsetSpec.latest())).all().get());
        attempt("delete records", () -> admin.deleteRecords(Map.of(FIRST, RecordsToDelete.beforeOffset(0))).all().get());
    }

    static void configurations(Admin admin) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        DescribeConfigsOptions all = new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true);
        attempt("configs", () -> admin.describeConfigs(List.of(topic), all).all().get());
        attempt("broker", () -> admin.describeConfigs(List.of(broker)).all().get());
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry("retention.ms", "3600000"), AlterConfigOp.OpType.SET);
        attempt("alter", () -> admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get());
        ConfigResource metrics = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "all");
        AlterConfigOp push = new AlterConfigOp(new ConfigEntry("metrics", "*"), AlterConfigOp.OpType.SET);
        attempt("metrics", () -> admin.incrementalAlterConfigs(Map.of(metrics, List.of(push))).all().get());
        attempt("resources", () -> admin.listClientMetricsResources().all().get());
        attempt("log dirs", () -> admin.describeLogDirs(List.of(1)).allDescriptions().get());
        TopicPartitionReplica replica = new TopicPartitionReplica(TOPIC, 0, 1);
        attempt("move", () -> admin.alterReplicaLogDirs(Map.of(replica, "/nowhere")).all().get());
    }

    static void groups(Admin admin) {
        attempt("set", () -> admin.alterConsumerGroupOffsets(
            GROUP, Map.of(FIRST, new org.apache.kafka.clients.consumer.OffsetAndMetadata(0, "begun"))).all().get());
        attempt("list", () -> admin.listConsumerGroups().all().get());
        attempt("describe", () -> admin.describeConsumerGroups(List.of(GROUP)).all().get());
        attempt("offsets", () -> admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get());
        attempt("delete offsets", () -> admin.deleteConsumerGroupOffsets(GROUP, Set.of(FIRST)).all().get());
        attempt("remove", () -> admin.removeMembersFromConsumerGroup(
            GROUP, new RemoveMembersFromConsumerGroupOptions()).all().get());
        attempt("delete", () -> admin.deleteConsumerGroups(List.of(GROUP, "nobody-joined")).all().get());
    }

    static void transactions(Admin admin, Map<String, Object> settings) {
        Map<String, Object> own = new HashMap<>(settings);
        own.put("transactional.id", "tx-admin");
        own.put("client.id", "java-writer");
        own.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        own.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        try (Producer<String, String> producer = new KafkaProducer<>(own)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, 0, "k", "in a transaction"));
            producer.flush();
            attempt("producers", () -> admin.describeProducers(List.of(FIRST)).all().get());
            attempt("transactions", () -> admin.listTransactions().all().get());
            attempt("transaction", () -> admin.describeTransactions(List.of("tx-admin")).all().get());
            producer.abortTransaction();
            attempt("abort", () -> admin.abortTransaction(new AbortTransactionSpec(FIRST, 1L, (short) 0, 0)).all().get());
            attempt("fence", () -> admin.fenceProducers(List.of("tx-admin")).all().get());
        }
    }

    static void security(Admin admin) {
        ResourcePattern orders = new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.PREFIXED);
        AccessControlEntry entry =
            new AccessControlEntry("User:reader", "*", AclOperation.READ, AclPermissionType.ALLOW);
        attempt("allow", () -> admin.createAcls(List.of(new AclBinding(orders, entry))).all().get());
        attempt("acls", () -> admin.describeAcls(AclBindingFilter.ANY).values().get());
        attempt("forget", () -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get());
        UserScramCredentialAlteration user = new UserScramCredentialUpsertion(
            "reader", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "secret");
        attempt("scram", () -> admin.alterUserScramCredentials(List.of(user)).all().get());
        attempt("users", () -> admin.describeUserScramCredentials().all().get());
        ClientQuotaEntity reader = new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "reader"));
        ClientQuotaAlteration.Op limit = new ClientQuotaAlteration.Op("consumer_byte_rate", 1e6);
        attempt("limit", () -> admin.alterClientQuotas(List.of(new ClientQuotaAlteration(reader, List.of(limit)))).all().get());
        attempt("quotas", () -> admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get());
        attempt("token", () -> admin.createDelegationToken().delegationToken().get());
        attempt("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
        attempt("renew", () -> admin.renewDelegationToken(new byte[] {1, 2, 3}).expiryTimestamp().get());
        attempt("expire", () -> admin.expireDelegationToken(new byte[] {1, 2, 3}).expiryTimestamp().get());
    }

    static void cluster(Admin admin) {
        attempt("cluster", () -> admin.describeCluster().nodes().get());
        attempt("features", () -> admin.describeFeatures().featureMetadata().get());
        FeatureUpdate update = new FeatureUpdate((short) 999, FeatureUpdate.UpgradeType.UPGRADE);
        attempt("update", () -> admin.updateFeatures(
            Map.of("metadata.version", update), new UpdateFeaturesOptions().validateOnly(true)).all().get());
        attempt("quorum", () -> admin.describeMetadataQuorum().quorumInfo().get());
        attempt("unregister", () -> admin.unregisterBroker(77).all().get());
        Set<RaftVoterEndpoint> place = Set.of(new RaftVoterEndpoint("CONTROLLER", "127.0.0.1", 1));
        attempt("add voter", () -> admin.addRaftVoter(77, Uuid.ONE_UUID, place).all().get());
        attempt("remove voter", () -> admin.removeRaftVoter(77, Uuid.ONE_UUID).all().get());
        attempt("instance", () -> admin.clientInstanceId(Duration.ofSeconds(5)));
    }

    /** What the broker refuses is a response, too. */
    static void attempt(String what, Callable<Object> call) {
        try {
            call.call();
        } catch (Exception error) {
            System.err.println("  " + what + ": " + (error.getCause() == null ? error : error.getCause()));
        }
    }
}
