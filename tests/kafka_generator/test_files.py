"""Vectors are judged before they are written: without the reference and Kafka they are refused."""

import json

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.releases import releases
from kafka_generator import files
from kafka_generator.oracle import OracleRecord, digest, fields_of, name_of, record_text
from kafka_tools.errors import UsageError

BATCH = "{batch: {base_timestamp: 1000, max_timestamp: 1000, records: [{key: k, value: v}]}}"
VALID = f"  - {{id: v2/one, title: One record, rules: [v2.offset], run: [{BATCH}]}}\n"
FLIPPED = (
    "  - {id: v2/two, title: Flipped, verdict: invalid, twin: v2/one, mutate: {flip: crc}, "
    "fault: {rule: v2.crc.covers-attributes-to-end, path: crc}}\n"
)


def folder(tmp_path, *lines):
    (tmp_path / "cases").mkdir(exist_ok=True)
    (tmp_path / "cases/table.yaml").write_text("family: table\ncases:\n" + "".join(lines), encoding="utf-8")
    return tmp_path


def judged_by_kafka(tmp_path, made, verdict=None):
    said = {
        name_of(release): {
            digest(made_case.data): verdict or record_text(made_case.judgement.answer or [], fields_of(release))
            for made_case in made
        }
        for release in releases().values()
    }
    file = tmp_path / "oracle.json"
    file.write_text(json.dumps(said), encoding="utf-8")
    return OracleRecord(file)


def test_a_valid_case_becomes_a_line(tmp_path):
    made, _ = files.make(folder(tmp_path, VALID), may_add=False, construct=False)
    text = files.texts(made, judged_by_kafka(tmp_path, made))["table"]
    vector = json.loads(text)
    assert (vector["id"], vector["verdict"], vector["canonical"]) == ("v2/one", "valid", True)
    assert vector["answer"][0]["key"] == b"k".hex()
    assert set(vector["oracle"].values()) == {"accepted"}


def test_a_mutation_has_one_fault_and_names_its_twin(tmp_path):
    made, _ = files.make(folder(tmp_path, VALID, FLIPPED), may_add=False, construct=False)
    fault = made[1].judgement.fault
    assert (fault.rule, fault.offset, fault.path_text) == ("v2.crc.covers-attributes-to-end", 17, "crc")
    assert sum(a != b for a, b in zip(made[0].data, made[1].data, strict=True)) == 1


def test_a_vector_that_no_kafka_has_judged_is_not_written(tmp_path):
    made, _ = files.make(folder(tmp_path, VALID), may_add=False, construct=False)
    with pytest.raises(LayoutError, match="`v2/one` was never put to kafka-clients"):
        files.texts(made, OracleRecord(tmp_path / "none.json"))


@pytest.mark.parametrize("said", ["refused: CorruptRecordException", "accepted 00000000"])
def test_a_vector_that_kafka_judges_otherwise_is_not_written(tmp_path, said):
    made, _ = files.make(folder(tmp_path, VALID), may_add=False, construct=False)
    record = judged_by_kafka(tmp_path, made, said)
    with pytest.raises(LayoutError, match=r"table.yaml:3: `v2/one` is to be valid, but kafka-clients .* says: " + said):
        files.texts(made, record)
    assert len(files.disagreements(made, record)) == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            VALID.replace("v2/one,", "v2/x, verdict: invalid, twin: v2/one, fault: {rule: entry.run},"),
            "the reference accepts it",
        ),
        (FLIPPED.replace("path: crc", "path: magic"), "is to break v2.crc.covers-attributes-to-end at `magic`"),
        (FLIPPED.replace("flip: crc", "flip: crcs"), "no field crcs; there are base_offset"),
        (FLIPPED.replace("twin: v2/one", "twin: v2/none"), "the twin `v2/none` is not built before this case"),
        (VALID.replace("v2/one", "v2/x").replace("key: k", "key: 5, no: 1"), "has no such field"),
        (VALID.replace("v2/one", "v2/x").replace("{batch:", "{bath:"), "unknown key `bath`"),
        (VALID.replace("v2/one", "v2/x").replace("key: k", "key: hex:0"), "is not hex"),
        (
            VALID.replace("v2/one", "v2/x").replace("base_timestamp: 1000", "base_timestamp: 99999999999999999999"),
            "does not fit int64",
        ),
    ],
)
def test_a_bad_case_names_its_line(tmp_path, line, complaint):
    with pytest.raises(LayoutError) as caught:
        files.make(folder(tmp_path, VALID, line), may_add=False, construct=False)
    assert "table.yaml:" in str(caught.value)
    assert complaint in str(caught.value)


def test_a_compressed_payload_is_stored_once_and_an_input_from_then_on(tmp_path):
    compressed = VALID.replace("base_timestamp", "attributes: {codec: gzip}, base_timestamp")
    with pytest.raises(UsageError, match=r"payloads.json lacks gzip/plain:"):
        files.make(folder(tmp_path, compressed), may_add=False, construct=False)
    made, store = files.make(folder(tmp_path, compressed), may_add=True, construct=False)
    (tmp_path / "cases/payloads.json").write_text(store.text(), encoding="utf-8")
    again, _ = files.make(tmp_path, may_add=False, construct=False)
    assert again[0].data == made[0].data


def test_an_unknown_stream_lists_the_known_ones(tmp_path):
    line = VALID.replace("base_timestamp", "stream: none-such, attributes: {codec: gzip}, base_timestamp")
    with pytest.raises(UsageError, match="there is no stream gzip/none-such"):
        files.make(folder(tmp_path, line), may_add=True, construct=False)
