"""The decoders of the tutorial, as their pages show them, before the vectors.

A usual run puts one in 40 vectors to the last steps; with `--whole` all are put to every step.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import records
from kafka_format.records import Record
from kafka_site.tutorial.standing import Standing, about, every_step, key, standings
from kafka_site.tutorial.steps import LANGUAGES, Language, Step, steps

from tests.sampling import Share

SAMPLE = 40
WITHOUT_ZSTD = {"javascript"}


@pytest.fixture(scope="module")
def vectors() -> list[Vector]:
    return about(load())


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    found: Language = request.param
    if shutil.which(found.program) is None:
        pytest.skip(f"{found.program} is not on the PATH")
    return found


def test_the_last_step_passes(language: Language, vectors: list[Vector], some: Share) -> None:
    check_last(language, some(vectors, SAMPLE, of="vectors"))


@pytest.mark.whole
def test_every_step_does_what_its_page_is_about(language: Language, vectors: list[Vector]) -> None:
    chosen = [step for step in every_step() if step.language == language]
    found = [standings(chosen, vectors)[key(step)] for step in chosen]
    assert found[0] == Standing(0, 0, len(vectors), [], [])
    passed = [standing.passed for standing in found]
    assert passed == sorted(set(passed)), "each step adds to what passes"
    assert found[steps_called("11-malformed", chosen)].wrong == 0
    (cause,) = found[steps_called("13-wrappers", chosen)].causes
    assert cause[1] == "gives the relative offsets inside v1 wrappers as they are"
    check_last(language, vectors)


@pytest.mark.whole
def test_a_payload_that_decompresses_to_too_much_is_refused(language: Language, vectors: list[Vector]) -> None:
    bomb = Record(offset=0, timestamp=0, timestamp_type=0, value=bytes(65 << 20))
    put = [
        replace(vectors[0], id=codec, codecs=(codec,), verdict=Verdict.INVALID, data=data)
        for codec in ("gzip", "snappy", "lz4", "zstd")
        for data in [records.encode([bomb], magic=2, codec=codec)]
    ]
    assert standings([steps(language)[-1]], put)[key(steps(language)[-1])].wrong == 0


def test_what_is_known_is_not_measured_again(tmp_path: Path, vectors: list[Vector]) -> None:
    kept = tmp_path / "standings.json"
    (first,) = steps(LANGUAGES[0])[:1]
    standing = standings([first], vectors[:2], kept)
    kept.write_text(kept.read_text(encoding="utf-8").replace("[0, 0, 2,", "[7, 0, 2,"), encoding="utf-8")
    assert standings([first], vectors[:2], kept)[key(first)].passed == 7
    assert standings([first], vectors[:3], kept)[key(first)] == standing[key(first)]._replace(missing=3)


def check_last(language: Language, put: list[Vector]) -> None:
    last = steps(language)[-1]
    without = [vector for vector in put if "zstd" in vector.codecs] if language.name in WITHOUT_ZSTD else []
    standing = standings([last], put)[key(last)]
    assert (standing.passed, standing.wrong, standing.causes) == (len(put) - len(without), 0, [])


def steps_called(name: str, chosen: list[Step]) -> int:
    return [step.name for step in chosen].index(name)
