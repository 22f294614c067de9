"""`kafka-format log transactions`, `retention`, `indexes` and `compare`."""

from pathlib import Path

from kafka_generator.log_vectors.damages import DAMAGES

from tests.command_line import Main
from tests.kafka_tools.commands.log_data import lines


def test_an_open_transaction_and_who_began_it(main: Main, data: Path) -> None:
    status, said = lines(main, "transactions", data / "payments-0")
    assert status == 1
    assert said[1].startswith("last stable offset 32: held by an open transaction; 1 offset below")
    assert any(line.startswith("    transactional id `first`: ongoing") for line in said)
    assert said[-1] == "read_committed consumers are shown no aborted record"


def test_a_partition_of_transaction_state_is_shown_as_its_coordinator_has_it(main: Main, data: Path) -> None:
    folder = next(data.glob("__transaction_state-*"))
    status, said = lines(main, "transactions", folder)
    assert status == 1
    assert said[0].startswith(f"{folder.name}: ")
    assert any(line.startswith("  first: ongoing since ") for line in said)
    assert "    on payments-0" in said


def test_aborted_records_that_are_shown(main: Main, copy: Path) -> None:
    (copy / "payments-0" / f"{2:020}.txnindex").unlink()
    _, said = lines(main, "transactions", copy / "payments-0")
    assert sum(line.startswith("  SHOWN to read_committed: ") for line in said) == 6


def test_data_that_is_deleted_too_early(main: Main, copy: Path) -> None:
    """Zeros after a time index that a broker takes for entries: 1970."""
    path = copy / "orders-0" / f"{0:020}.timeindex"
    path.write_bytes(path.read_bytes() + bytes(12))
    arguments = ("--at", "1700000700000", "--retention-ms", "86400000")
    status, said = lines(main, "retention", copy / "orders-0", *arguments)
    assert (status, said[1]) == (1, "  00000000000000000000.log: deleted: older than retention.ms")
    assert "    DELETED TOO EARLY, by 1.0 days" in said
    (copy / ".kafka_cleanshutdown").unlink()
    assert lines(main, "retention", copy / "orders-0", *arguments)[0] == 0


def test_indexes_that_can_be_trusted_and_others(main: Main, copy: Path) -> None:
    status, said = lines(main, "indexes", copy / "orders-0")
    assert (status, said[-1]) == (0, "to be trusted: every entry leads a lookup to where it must")
    DAMAGES["zeros-for-indexes"](copy / "orders-0")
    status, said = lines(main, "indexes", copy / "orders-0")
    assert status == 1
    assert any(line.startswith("  log.offset-index.trimmed: ") for line in said)


def test_replicas_that_diverge(main: Main, data: Path, copy: Path) -> None:
    """A batch that differs, with a checksum that fits; both replicas have the same epochs, so Kafka
    sees nothing."""
    DAMAGES["batch-jumps-ahead"](copy / "orders-0")
    status, said = lines(main, "compare", data / "orders-0", copy / "orders-0")
    assert status == 1
    assert any(line.startswith("  from offset 51: ") for line in said)
    assert any(line.startswith("  KAFKA DOES NOT NOTICE ") for line in said)
    assert lines(main, "compare", data / "orders-0", data / "orders-0")[0] == 0
    assert main("log", "compare", str(data / "orders-0"))[0] == 2


def test_indexes_without_an_entry_are_not_called_trusted(main: Main, tmp_path: Path) -> None:
    partition = tmp_path / "orders-0"
    partition.mkdir()
    for kind in ("log", "index", "timeindex"):
        (partition / f"{0:020}.{kind}").write_bytes(b"")
    status, said = lines(main, "indexes", partition)
    assert (status, said[-1]) == (
        0,
        "there is no entry to trust or not: lookups read segments from their first batch on",
    )
