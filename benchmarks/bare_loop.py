"""How much processor time a Python target takes for a batch, with nothing around it.

benchmarks/scale.py runs this in the target's own environment: `python bare_loop.py ADAPTER INPUTS`,
where INPUTS is a pickled list of batches.

Prints JSON, in microseconds a batch: `library`, until the library's own objects are there;
`fields`, until all fields of an answer are read off them, by the very code that runs in the
harness; `records`, until plain records are made of those, as a function of a user's would.
"""

import gc
import json
import pickle
import sys
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any


def load(file: str) -> ModuleType:
    """Import an adapter."""
    spec = spec_from_file_location("adapter", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def library(records: Any) -> None:
    """Do what a consumer does, and drop each object at once."""
    while (batch := records.next_batch()) is not None:
        batch.validate_crc()
        for record in batch:
            record.validate_crc() if hasattr(record, "validate_crc") else None


def microseconds(decode: Callable[[bytes], object], inputs: Sequence[bytes]) -> float:
    """Time one pass; bytes that the library refuses count like others."""
    began = process_time()
    for data in inputs:
        try:
            decode(data)
        except Exception:  # noqa: BLE001, S112 - a decoder may raise anything
            continue
    return (process_time() - began) / len(inputs) * 1e6


def main() -> None:
    """Time all, once to warm up and once that counts."""
    adapter = load(sys.argv[1])
    inputs = pickle.loads(Path(sys.argv[2]).read_bytes())  # noqa: S301 - written by the program that runs this
    loops = {
        "library": lambda data: library(adapter.MemoryRecords(data)),
        "fields": lambda data: [(state, list(rows)) for state, rows in adapter.read(data)],
        "records": lambda data: list(adapter.decode(data)),
    }
    gc.disable()
    gc.freeze()
    for loop in loops.values():
        microseconds(loop, inputs[: len(inputs) // 32])
    print(json.dumps({name: microseconds(loop, inputs) for name, loop in loops.items()}))


if __name__ == "__main__":
    main()
