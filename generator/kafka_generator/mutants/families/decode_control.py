"""Control records."""

from __future__ import annotations

from kafka_format.records import control, decoding
from kafka_format.records.model import CONTROL_BIT

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "v2")

_OF_TRANSACTIONS = ("abort", "commit")


@mutant(
    "control/taken-for-data",
    rules=["v2.control"],
    source=["dpkp/kafka-python#2361", "IBM/sarama#1898", "platformatic/kafka#137", "obsidiandynamics/kafdrop#64"],
)
def taken_for_data(patch: Patch) -> None:
    """Does not look at the bit of control batches."""
    patch.result(decoding._record, lambda record: record._replace(control=False))


@mutant("control/only-in-transactions", rules=["control.batch.attributes"], source=["zendesk/ruby-kafka#893"])
def only_in_transactions(patch: Patch) -> None:
    """Takes control batches that are not transactional for data."""
    patch.result(decoding._record, lambda record: record._replace(control=record.control and record.transactional))


@mutant(
    "control/unknown-type-refused",
    rules=["control.type.unknown"],
    source=["redpanda-data/redpanda#1135", "apache/kafka#14985", "apache/kafka#21866"],
)
def unknown_type_refused(patch: Patch) -> None:
    """Refuses control types that it does not know."""
    patch.refuse_result(control.read, when=lambda record: record.type == control.UNKNOWN)


@mutant("control/transaction-markers-only", rules=["control.value.schema"], source=["apache/kafka#21866"])
def transaction_markers_only(patch: Patch) -> None:
    """Refuses all control types but abort and commit."""
    patch.refuse_result(control.read, when=lambda record: record.type not in _OF_TRANSACTIONS)


@mutant("control/higher-version-refused", rules=["control.key.version.newer"], source=["apache/kafka#21866"])
def higher_version_refused(patch: Patch) -> None:
    """Refuses keys of a version above 0."""
    patch.refuse_result(control.read, when=lambda record: record.version)


@mutant("control/one-record-a-batch", rules=["control.batch.records"])
def one_record_a_batch(patch: Patch) -> None:
    """Refuses a control batch of several records."""
    patch.refuse(decoding._records, when=lambda batch: batch.attributes & CONTROL_BIT and len(batch.records) > 1)


@mutant("control/newer-marker-refused", rules=["control.marker.version.newer"])
def newer_marker_refused(patch: Patch) -> None:
    """Refuses transaction markers whose value has a version above 0."""
    patch.refuse_result(control.read, when=lambda record: record.type in _OF_TRANSACTIONS and record.fields.version)


@mutant("control/tagged-fields-refused", rules=["tagged-fields.unknown"])
def tagged_fields_refused(patch: Patch) -> None:
    """Refuses control records with tagged fields that it does not know."""
    patch.refuse_result(
        control.read, when=lambda record: getattr(getattr(record.fields, "tagged_fields", None), "fields", ())
    )
