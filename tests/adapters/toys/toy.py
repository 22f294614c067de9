import sys

from python_adapter import NotSupported, Record, serve

HEADERS = ((b"a", b"\xff"), (b"a", None))
FULL = Record(
    -(2**63), 2**63 - 1, 1, b"\0k", b"", HEADERS, 2**53 + 1, -3, 2**31 - 1, transactional=True, control=True, codec=4
)


def decode(data):
    if data in (b"all", b"half"):
        yield FULL
    if data == b"half":
        raise KeyError("not to the end")
    if data == b"refuses":
        raise ValueError("not so")
    if data == b"cannot":
        raise NotSupported("no such thing")
    if data == b"print":
        sys.stdout.write("noise\n")
    if data == b"far":
        yield Record(2**63, -(2**64))


def encode(magic, codec, records):
    if codec > 3:
        raise NotSupported("no such codec")
    return bytes([magic, codec, records.count(FULL)])


def message(kind, api, version, data):
    if data == b"refuses":
        raise ValueError("not so")
    if data == b"cannot":
        raise NotSupported("no such thing")
    return b"%d %d %d " % (kind, api, version) + data


serve({"name": "toy"}, decode, encode, message)
