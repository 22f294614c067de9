"""Puts the vectors of the protocol to a codec: `protocol.py FOLDER`.

The folder comes from `kafka-conformance vectors --about messages --export out`.

An export is not needed: `gzip.open` reads the files of vectors/protocol as they are.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def decode(data: bytes, kind: str, message: str, version: int) -> dict:
    """Your codec: returns what `value` has, and raises where it refuses."""
    raise NotImplementedError("your codec")


def passes(vector: dict, version: int) -> bool:
    try:
        value = decode(bytes.fromhex(vector["hex"]), vector["kind"], vector["message"], version)
    except Exception:
        return vector["verdict"] != "valid"  # lenient vectors may be refused, invalid ones must be
    return vector["verdict"] != "invalid" and value == vector["value"]


folder, seen, passed = Path(sys.argv[1]), Counter(), Counter()
for entry in json.loads((folder / "protocol.json").read_text("utf-8"))["files"]:
    for line in (folder / entry["file"]).read_text("utf-8").splitlines():
        vector = json.loads(line)
        for version in vector["versions"]:
            seen[vector["verdict"]] += 1
            passed[vector["verdict"]] += passes(vector, version)
for verdict in sorted(seen):
    print(f"{verdict}: {seen[verdict]} messages, {passed[verdict]} passed")
