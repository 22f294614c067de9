"""`kafka-format explain --content KIND --schema FILE`: Avro, Protobuf and JSON Schema."""

import json
from pathlib import Path

import pytest

from tests.command_line import Main

AVRO = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}, {"name": "of", "type": "string"}]}
RECURSIVE = {"type": "record", "name": "Deep", "fields": [{"name": "next", "type": ["null", "Deep"]}]}
HEADER = "000000002a"


def said(main: Main, folder: Path, name: str, schema: object, payload: str, kind: str = "confluent") -> tuple[int, str]:
    """Explain a payload behind an id by a schema; give the status and what is said of it."""
    (folder / name).write_bytes(schema if isinstance(schema, bytes) else json.dumps(schema).encode())
    status, out, err = main("explain", "--content", kind, "--schema", str(folder / name), "--hex", HEADER + payload)
    assert "Traceback" not in err
    return status, (out.splitlines()[-1] if status == 0 else err)


def test_avro(main: Main, tmp_path: Path) -> None:
    """Numbers are zig-zag, a string has its length in front (Avro 1.12, binary encoding)."""
    pytest.importorskip("avro", reason="avro is not installed: run make")
    assert said(main, tmp_path, "o.avsc", AVRO, "540661")[1].startswith("the payload does not fit o.avsc: ")
    assert said(main, tmp_path, "o.avsc", AVRO, "540461620a") == (
        1,
        "the payload does not fit o.avsc: 1 byte left behind the value\n",
    )
    assert said(main, tmp_path, "o.avsc", AVRO, "54046162") == (0, 'payload by o.avsc: {"id": 42, "of": "ab"}')
    assert said(main, tmp_path, "f.avsc", "float", "0000c07f") == (0, 'payload by f.avsc: "nan"')  # JSON has no NaN
    assert said(main, tmp_path, "b.avsc", "bytes", "54046162") == (0, 'payload by b.avsc: "54046162"')


def test_avro_that_could_take_any_time_or_memory_is_refused(main: Main, tmp_path: Path) -> None:
    pytest.importorskip("avro", reason="avro is not installed: run make")
    empty = {"type": "record", "name": "Empty", "fields": []}
    fields = [{"name": "one", "type": empty}, {"name": "many", "type": {"type": "array", "items": "Empty"}}]
    for schema in ({"type": "array", "items": "null"}, {"type": "record", "name": "Outer", "fields": fields}):
        assert said(main, tmp_path, "n.avsc", schema, "feffffffffffffff7f")[0] == 2
    status, error = said(main, tmp_path, "d.avsc", RECURSIVE, "02" * 20_000)
    assert (status, "recursion" in error) == (1, True)


def test_json_schema(main: Main, tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["id"]}
    assert said(main, tmp_path, "o.json", schema, b'{"id": 1}'.hex()) == (0, 'payload by o.json: {"id": 1}')
    assert "'id' is a required property" in said(main, tmp_path, "o.json", schema, b"{}".hex())[1]
    assert said(main, tmp_path, "o.json", schema, "ff")[0] == 1
    assert "NaN is no JSON" in said(main, tmp_path, "o.json", {}, b"NaN".hex())[1]
    away = {"$ref": "http://127.0.0.1:9/none.json"}
    assert "Unresolvable" in said(main, tmp_path, "r.json", away, b"{}".hex())[1]  # nothing is fetched


def test_protobuf(main: Main, tmp_path: Path) -> None:
    """Indexes lead to a message of a message; a field that is unknown is said."""
    pb = pytest.importorskip("google.protobuf.descriptor_pb2", reason="protobuf is not installed: run make")
    files = pb.FileDescriptorSet()
    file = files.file.add(name="o.proto", package="shop", syntax="proto3")
    file.message_type.add(name="First")
    inner = file.message_type.add(name="Order").nested_type.add(name="Line")
    inner.field.add(name="id", number=1, type=3, label=1, json_name="id")
    schema, kind = files.SerializeToString(), "confluent-protobuf"
    assert said(main, tmp_path, "o.desc", schema, "040200082a", kind) == (0, 'payload by o.desc: {"id": "42"}')
    assert "shop.Order.Line lacks 1 field" in said(main, tmp_path, "o.desc", schema, "040200082a1001", kind)[1]
    assert "no message with the indexes [9]" in said(main, tmp_path, "o.desc", schema, "0212082a", kind)[1]
    assert said(main, tmp_path, "o.desc", schema, "040200082aff", kind)[0] == 1


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("o.avsc", b"{", "cannot be read as a schema"),
        ("o.json", b'{"type": 7}', "cannot be read as a schema"),
        ("o.desc", b"\xff", "cannot be read as a schema"),
        ("o.desc", b"", "the descriptor set has no file"),
        ("o.proto", b"", "is no schema that is known by its name"),
    ],
)
def test_files_that_are_no_schema(main: Main, tmp_path: Path, name: str, content: bytes, words: str) -> None:
    status, error = said(main, tmp_path, name, content, "00")
    assert (status, words in error) == (2, True)


def test_what_a_schema_needs(main: Main, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text("{}")
    assert main("explain", "--schema", str(tmp_path / "o.json"), "--hex", "00")[0] == 2
    assert main("explain", "--content", "int", "--schema", str(tmp_path / "o.json"), "--hex", "0000002a")[0] == 2
    status, out, _ = main(
        "explain", "--content", "confluent", "--json", "--schema", str(tmp_path / "o.json"), "--hex", HEADER + "7b7d"
    )
    assert (status, json.loads(out)["schema"]) == (0, {"file": "o.json", "value": {}, "problem": None})
