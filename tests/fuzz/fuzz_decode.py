"""Coverage-guided fuzzing with atheris: `fuzz_decode.py CORPUS -max_total_time=600`.

Needs `pip install -e .[fuzz]`. The corpus folder is filled with the vectors if it is empty.
Whatever is thrown that is no FormatError ends the run, and libFuzzer writes the input that did it
to a file.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

with atheris.instrument_imports(include=["kafka_format"]):
    from kafka_format import compression, protocol
    from kafka_format.broker import consumer
    from kafka_format.broker.conversion import down_convert
    from kafka_format.broker.offsets import TopicState, assign
    from kafka_format.explain.inside import How
    from kafka_format.explain.lines import explain, explain_v07
    from kafka_format.explain.requests import explain_request, explain_response
    from kafka_format.records import decode, decode_v07
    from kafka_format.sampler import exchanges
    from kafka_format.spec.flags import flags

from tests.fuzz.promises import LIMIT, check
from tests.fuzz.seeds import seeds

ALL = frozenset(flags())
PAIRS = exchanges.pairs("response")
READERS = (
    decode,
    decode_v07,
    *(partial(compression.decompress, codec) for codec in compression.NAMES[1:]),
    lambda data, **allowed: assign(data, 7, TopicState(codec="gzip"), **allowed),
    lambda data, **allowed: down_convert(data, 0, 3, **allowed),
    lambda data, flags, **_: protocol.decode_request(data, flags=flags),
)


def one_input(data: bytes) -> None:
    """Read the bytes with every reader, strictly and with all flags."""
    for reader in READERS:
        check(reader, data, frozenset())
        check(reader, data, ALL)
    for allowed in (frozenset(), ALL):
        consumer.deliver(data, 1, consumer.READ_COMMITTED, [(7, 0)], flags=allowed, limit=LIMIT)
        explain(data, flags=allowed, limit=LIMIT)
        explain_v07(data, flags=allowed, limit=LIMIT)
        explain_request(data, how=How(flags=allowed, limit=LIMIT))
    api, version = PAIRS[sum(data[:4]) % len(PAIRS)]
    check(lambda data, flags, **_: protocol.decode_response(data, api, version, flags=flags), data, frozenset())
    explain_response(data, api, version, how=How(limit=LIMIT))


def main() -> None:
    """Run libFuzzer with its own options."""
    for folder in [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")][:1]:
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            for index, data in enumerate(seeds(("v07", "v0", "v1", "v2"))):
                (folder / f"vector-{index}").write_bytes(data)
            for kind in ("request", "response"):
                for message in exchanges.draw(kind, seed=1, start=0, count=500):
                    (folder / f"{kind}-{message.number}").write_bytes(message.data)
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
