"""What producers and brokers wrote, as it is stored."""

import json
from pathlib import Path

from kafka_format import records
from kafka_generator import wild_cases
from kafka_generator.recordings.wild import case_file
from kafka_generator.recordings.wild.clients import Client
from kafka_generator.recordings.wild.orders import orders

ROOT = Path(__file__).parents[4]
DOCUMENTS = [json.loads(line) for line in (ROOT / wild_cases.FILE).read_text(encoding="utf-8").splitlines()]
CLIENT = Client("java", "9.9.9", (), (), frozenset(), Path("java/pom.xml"))


def test_the_script_of_every_line_is_there() -> None:
    assert [document["id"] for document in DOCUMENTS if not (ROOT / document["script"]).is_file()] == []


def test_every_id_is_there_once_and_in_order() -> None:
    ids = [document["id"] for document in DOCUMENTS]
    assert ids == sorted(set(ids))


def test_v0_and_v1_come_from_several_programs_in_every_codec() -> None:
    for form in ("v0", "v1"):
        for codec in ("none", "gzip", "snappy", "lz4"):
            programs = {
                document["producer"].split()[0] for document in DOCUMENTS if f"/{form}/{codec}/one" in document["id"]
            }
            assert len(programs) >= 3, (form, codec, programs)


def test_what_was_sent_counts_its_offsets_up_from_0() -> None:
    sent = [bytes.fromhex(document["hex"]) for document in DOCUMENTS if document["id"].endswith("-sent")]
    assert sent
    for data in sent:
        assert [record.offset for record in records.decode(data)] == list(range(5))


def test_lines_are_replaced_by_those_of_the_same_producer_and_broker(tmp_path: Path) -> None:
    file, order = tmp_path / "wild.jsonl", next(orders())
    for broker, data in (("3.9.2", b"a"), ("0.10.2.2", b"b"), ("3.9.2", b"c")):
        name = (
            order if broker == "3.9.2" else next(each_order for each_order in orders() if each_order.name != order.name)
        )
        line = case_file.line(CLIENT, name, "kafka-clients 9.9.9", broker, data)
        case_file.replace(file, CLIENT.label, broker, [line])
    documents = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert sorted((one["broker"], one["hex"]) for one in documents) == [("0.10.2.2", "62"), ("3.9.2", "63")]


def test_the_line_of_a_broker_says_who_made_it(tmp_path: Path) -> None:
    file = tmp_path / "wild.jsonl"
    data = bytes.fromhex(next(document["hex"] for document in DOCUMENTS if document["producer"]))
    case_file.replace(file, "broker-3.9.2", "3.9.2", [case_file.broker_line("3.9.2", "a", "Done", ["entry.run"], data)])
    ((case, kept),) = wild_cases.load(file)
    assert (case.id, case.title, kept) == ("wild/broker-3-9-2/a", "Done, by a broker of Kafka 3.9.2", data)
    assert case.source == "Kafka broker 3.9.2; generator/kafka_generator/recordings/wild/scenes.py"
