"""Puts the vectors to a decoder: `python3 loader.py out`.

The folder comes from `kafka-conformance vectors --export out`.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def decode(data: bytes, fmt: str) -> list[dict]:
    """Your decoder: returns what `answer` has, or raises. Only `fmt` tells v07 from the rest."""
    raise NotImplementedError("your decoder")


def passes(vector: dict, data: bytes) -> bool:
    try:
        records = decode(data, vector["format"])
    except Exception:
        return vector["verdict"] != "valid"  # lenient vectors may be refused, invalid ones must be
    return vector["verdict"] != "invalid" and records == vector["answer"]


folder, seen, size, passed = Path(sys.argv[1]), Counter(), Counter(), Counter()
for row in json.loads((folder / "manifest.json").read_text("utf-8"))["vectors"]:
    if row["direction"] == "decode":
        data = (folder / row["bin"]).read_bytes()
        vector = json.loads((folder / row["json"]).read_text("utf-8"))
        seen[row["verdict"]] += 1
        size[row["verdict"]] += len(data)
        passed[row["verdict"]] += passes(vector, data)
for verdict in sorted(seen):
    print(f"{verdict}: {seen[verdict]} vectors, {size[verdict]} bytes, {passed[verdict]} passed")
