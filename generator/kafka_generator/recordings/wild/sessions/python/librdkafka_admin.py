"""Ask for what librdkafka's admin client can, and read as a member of a group of KIP-848."""

import sys

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    ElectionType,
    IsolationLevel,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

TOPIC, GROUP = "orders-rdkafka-admin", "group-rdkafka-admin"
WAIT = 15


def wait(what: str, futures: object) -> None:
    """What the broker refuses is a response, too."""
    for future in futures.values() if isinstance(futures, dict) else [futures]:
        try:
            future.result(WAIT)
        except Exception as error:
            print(f"  {what}: {error}", file=sys.stderr)


def main(address: str) -> None:
    settings = {"bootstrap.servers": address, "client.id": "librdkafka-admin"}
    admin, first = AdminClient(settings), TopicPartition(TOPIC, 0)
    wait("create", admin.create_topics([NewTopic(TOPIC, 1, 1, config={"retention.ms": "86400000"})]))
    wait("partitions", admin.create_partitions([NewPartitions(TOPIC, 2)]))
    producer = Producer(settings)
    for number in range(3):
        producer.produce(TOPIC, b"order %d" % number, partition=0)
    producer.flush(WAIT)
    member(settings)
    wait("topics", admin.describe_topics(TopicCollection([TOPIC])))
    wait("cluster", admin.describe_cluster())
    wait("latest", admin.list_offsets({first: OffsetSpec.latest()}, isolation_level=IsolationLevel.READ_COMMITTED))
    wait("delete records", admin.delete_records([TopicPartition(TOPIC, 0, 1)]))
    wait("elect", admin.elect_leaders(ElectionType.PREFERRED, [first]))
    topic = ConfigResource(ConfigResource.Type.TOPIC, TOPIC)
    wait("configs", admin.describe_configs([topic]))
    change = ConfigEntry("retention.ms", "1000000", incremental_operation=AlterConfigOpType.SET)
    wait(
        "change", admin.incremental_alter_configs([ConfigResource(topic.restype, TOPIC, incremental_configs=[change])])
    )
    wait("groups", admin.list_consumer_groups())
    wait("group", admin.describe_consumer_groups([GROUP]))
    wait("offsets", admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(GROUP)]))
    moved = ConsumerGroupTopicPartitions(GROUP, [TopicPartition(TOPIC, 0, 2)])
    wait("move", admin.alter_consumer_group_offsets([moved]))
    security(admin)
    wait("delete group", admin.delete_consumer_groups([GROUP]))
    wait("delete", admin.delete_topics([TOPIC]))


def member(settings: dict[str, str]) -> None:
    own = {**settings, "group.id": GROUP, "group.protocol": "consumer", "auto.offset.reset": "earliest"}
    consumer = Consumer(own)
    consumer.subscribe([TOPIC])
    polled = [consumer.poll(0.5) for _ in range(30)]
    messages = [record for record in polled if record is not None and record.error() is None]
    if messages:
        consumer.commit(message=messages[-1], asynchronous=False)
    consumer.committed([TopicPartition(TOPIC, 0)], WAIT)
    consumer.offsets_for_times([TopicPartition(TOPIC, 0, 0)], WAIT)
    consumer.close()
    print(f"  read {len(messages)}", file=sys.stderr)


def security(admin: AdminClient) -> None:
    place = (ResourceType.TOPIC, "orders", ResourcePatternType.PREFIXED)
    rule = ("User:reader", "*", AclOperation.READ, AclPermissionType.ALLOW)
    wait("allow", admin.create_acls([AclBinding(*place, *rule)]))
    wait("acls", admin.describe_acls(AclBindingFilter(*place, *rule)))
    wait("forget", admin.delete_acls([AclBindingFilter(*place, *rule)]))
    scram = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    wait("scram", admin.alter_user_scram_credentials([UserScramCredentialUpsertion("reader", scram, b"secret")]))
    wait("users", admin.describe_user_scram_credentials(["reader"]))


main(sys.argv[1])
