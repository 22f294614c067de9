"""Ask for what kafka-python's admin client can."""

import inspect
import sys
from collections.abc import Callable

from kafka import KafkaProducer
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ConfigResource,
    ConfigResourceType,
    KafkaAdminClient,
    NewTopic,
    ResourcePattern,
    ResourceType,
)

TOPIC, GROUP = "orders-python-admin", "group-kafka-python"


def attempt(what: str, call: Callable[[], object]) -> None:
    """What the broker refuses is a response, too."""
    try:
        call()
    except Exception as error:
        print(f"  {what}: {type(error).__name__} {error}", file=sys.stderr)


def main(address: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=address, client_id="kafka-python-admin")
    attempt("create", lambda: admin.create_topics([NewTopic(TOPIC, 1, 1, topic_configs={"retention.ms": "86400000"})]))
    producer = KafkaProducer(bootstrap_servers=address, client_id="kafka-python-writer")
    for number in range(3):
        producer.send(TOPIC, b"order %d" % number)
    producer.close()
    topic = ConfigResource(ConfigResourceType.TOPIC, TOPIC, configs={"retention.ms": "3600000"})
    attempt("configs", lambda: admin.describe_configs([topic]))
    attempt("alter", lambda: admin.alter_configs([topic]))
    pattern = ResourcePattern(ResourceType.TOPIC, "orders")
    rule = {"principal": "User:reader", "host": "*", "resource_pattern": pattern}
    allow = ACL(operation=ACLOperation.READ, permission_type=ACLPermissionType.ALLOW, **rule)
    every = ACLFilter(operation=ACLOperation.ANY, permission_type=ACLPermissionType.ANY, **rule)
    attempt("allow", lambda: admin.create_acls([allow]))
    attempt("acls", lambda: admin.describe_acls(every))
    attempt("forget", lambda: admin.delete_acls([every]))
    for name in ("list_topics", "describe_topics", "describe_cluster", "list_consumer_groups", "list_groups"):
        ask(admin, name)
    for name in ("describe_log_dirs", "describe_metadata_quorum", "describe_features", "describe_client_quotas"):
        ask(admin, name)
    for name in ("list_partition_reassignments", "list_transactions", "describe_user_scram_credentials"):
        ask(admin, name)
    attempt("group", lambda: admin.describe_groups([GROUP]))
    attempt("offsets", lambda: admin.list_group_offsets(GROUP))
    attempt("delete group", lambda: admin.delete_groups([GROUP]))
    attempt("delete", lambda: admin.delete_topics([TOPIC]))
    admin.close()


def ask(admin: KafkaAdminClient, name: str) -> None:
    """Call a method that needs no arguments, if this release has it."""
    method = getattr(admin, name, None)
    needs = (
        [
            parameter
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is parameter.empty
        ]
        if method
        else []
    )
    if method and not needs:
        attempt(name, method)


main(sys.argv[1])
