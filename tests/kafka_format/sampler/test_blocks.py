"""Blocks of every profile: the answers are right, and a batch is the same wherever it is made."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from kafka_conformance.protocol import answers
from kafka_format import compression, sampler
from kafka_format.records import decode, decode_v07
from kafka_format.records.entries import split
from kafka_format.records.v07 import split as split_v07
from kafka_format.sampler import Block

BATCHES = {"tiny": 5000, "mixed": 3000, "large": 100, "compressed": 2000, "legacy": 2500, "v07": 2500, "hostile": 2500}
PROFILES = list(BATCHES)


def test_these_are_all_profiles() -> None:
    assert list(sampler.PROFILES) == PROFILES


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "hostile"])
def test_the_reference_gives_every_answer(profile: str) -> None:
    block = sampler.block(20, 0, BATCHES[profile], profile)
    assert len(block) == BATCHES[profile]
    read = decode_v07 if profile == "v07" else decode
    wrong = [i for i in range(len(block)) if answers.to_bytes(read(block.input(i))) != block.answer(i)]
    assert wrong == []


@pytest.mark.parametrize("profile", [name for name in PROFILES if name not in {"v07", "hostile"}])
def test_formats_and_codecs_are_those_of_the_bytes(profile: str) -> None:
    block = sampler.block(21, 0, 300 if profile != "large" else 20, profile)
    found = set()
    for index in range(len(block)):
        data = block.input(index)
        first = next(iter(split(data)))
        attributes = data[22] if first.magic == 2 else data[17]  # the low byte of it in v2
        assert block.format_of(index) == f"v{first.magic}"
        assert block.codec_of(index) == compression.NAMES[attributes & 7]
        found.add((block.format_of(index), block.codec_of(index)))
    claims = sampler.PROFILES[profile]
    assert {version for version, _ in found} == set(claims.formats)
    assert {codec for _, codec in found} == set(claims.codecs)


def test_sets_of_v07_hold_what_they_claim() -> None:
    block, met = sampler.block(21, 0, 2000, "v07"), set()
    for index in range(len(block)):
        data, codec = block.input(index), compression.NAMES.index(block.codec_of(index))
        entries = [data[one.start + 4 : one.end] for one in split_v07(data)]
        codecs = [entry[1] & 3 if entry[0] else 0 for entry in entries]
        assert codecs[:-1] == [0] * (len(entries) - 1)
        assert (block.format_of(index), codecs[-1]) == ("v07", codec)
        met |= {(len(entries) > 1, codec, entries[0][0])}
    assert met == {(several, codec, magic) for several in (0, 1) for codec in (0, 1, 2) for magic in (0, 1)} - {
        (False, 1, 0),
        (False, 2, 0),
    }


def parts(block: Block, index: int) -> tuple[bytes, bytes, str, str, str]:
    names = block.format_of(index), block.codec_of(index), block.fault_of(index).name
    return block.input(index), block.answer(index), *names


@pytest.mark.parametrize("profile", PROFILES)
def test_a_batch_is_the_same_alone_and_in_any_block(profile: str) -> None:
    whole = sampler.block(22, 1000, 150, profile)  # more than the large profile makes at once
    for index in [0, 1, 63, 64, 148, 149]:
        assert parts(sampler.single(22, 1000 + index, profile), 0) == parts(whole, index)
    later = sampler.block(22, 1117, 33, profile)
    assert [parts(later, index) for index in range(33)] == [parts(whole, 117 + index) for index in range(33)]


def test_a_block_may_be_longer_than_what_is_made_at_once() -> None:
    most = sampler.PROFILES["tiny"].block
    block = sampler.block(23, 5, most + 2, "tiny")
    assert len(block) == most + 2
    assert parts(sampler.single(23, 5 + most, "tiny"), 0) == parts(block, most)
    assert (block.bounds[-1], block.answer_bounds[-1]) == (len(block.data), len(block.answers))


@pytest.mark.parametrize("profile", PROFILES)
def test_no_batches_are_an_empty_block(profile: str) -> None:
    block = sampler.block(24, 9, 0, profile)
    assert (len(block), block.data, block.answers) == (0, b"", b"")
    assert (block.bounds.tolist(), block.answer_bounds.tolist()) == ([0], [0])


def test_batches_differ_by_index_seed_and_profile() -> None:
    count = 20_000
    first, second = sampler.block(25, 0, count), sampler.block(26, 0, count)
    tiny = sampler.block(25, 0, count, "tiny")
    batches = [block.input(index) for block in (first, second, tiny) for index in range(count)]
    assert len(set(batches)) == 3 * count


def test_seeds_count_modulo_two_to_the_64() -> None:
    assert sampler.single(-1, 7).data == sampler.single((1 << 64) - 1, 7).data != sampler.single(1, 7).data


def test_the_last_index_can_be_made() -> None:
    last = sampler.single(27, (1 << 63) - 1)
    assert answers.to_bytes(decode(last.data)) == last.answers


@pytest.mark.parametrize(("start", "count"), [(-1, 1), (0, -1), (5, -2), ((1 << 63) - 1, 2), (1 << 63, 1)])
def test_an_index_out_of_range_is_refused(start: int, count: int) -> None:
    with pytest.raises(ValueError, match=r"do not lie within 0 and 2\^63 - 1"):
        sampler.block(0, start, count)


def test_an_unknown_profile_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"no profile is called 'huge'; the profiles are tiny, mixed, large"):
        sampler.block(0, 0, 1, "huge")


def test_importing_the_package_does_not_load_numpy() -> None:
    program = "import kafka_format.records, kafka_conformance.cli, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_profile_of_ones_own_has_batches_of_its_own() -> None:
    mixed = sampler.PROFILES["mixed"]
    assert sampler.block(5, 3, 20, mixed).data == sampler.block(5, 3, 20, "mixed").data
    pairs = replace(mixed, name="pairs", sizes=replace(mixed.sizes, records=np.array([2])))
    counts = sampler.block(5, 3, 200, pairs).columns.groups.counts
    assert set(counts.tolist()) - {1} == {2}  # a transaction marker is one record


def test_sorts_are_counted() -> None:
    block = sampler.block(3, 0, 400, "hostile")
    places = range(len(block))
    faults = [block.fault_of(place) for place in places]
    expected = Counter(
        (block.format_of(place), block.codec_of(place), faults[place].name, faults[place].rule) for place in places
    )
    assert block.sorts() == expected
    assert sampler.block(3, 0, 0).sorts() == Counter()
