"""The templates of the two languages that no target is behind yet: every field, both ways where there is one."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_conformance.targets.folders import TEMPLATES

from tests.kafka_conformance.targets import compiled
from tests.kafka_conformance.targets.adapter_client import Adapter

C_TOY = r"""
#include "adapter.h"

static struct header headers[] = {{{"a", 1}, {"\xff", 1}}, {{"a", 1}, {NULL, -1}}};
static struct record full = {
    INT64_MIN, INT64_MAX, 1, {"\0k", 2}, {"", 0}, 2, headers, 9007199254740993, -3, INT32_MAX, 3, 4,
};

static int is(const uint8_t *data, int32_t size, const char *word) {
    return (size_t)size == strlen(word) && !memcmp(data, word, (size_t)size);
}

static int decode(const uint8_t *data, int32_t size, struct reply *to, const char **reason) {
    if (is(data, size, "all") || is(data, size, "half")) put_record(to, &full);
    if (is(data, size, "odd")) put_record(to, &(struct record){.key = {NULL, -2}, .value = {"v", INT32_MIN}});
    if (is(data, size, "print")) puts("noise"), fflush(stdout);
    if (is(data, size, "panic")) fputs("bad luck\n", stderr), abort();
    if (is(data, size, "refuses") || is(data, size, "half")) return *reason = "not so", 1;
    if (is(data, size, "cannot")) return *reason = "no such thing", 2;
    return 0;
}

int main(void) {
    serve("{\"protocol\": 1, \"name\": \"toy\"}", decode);
    return 0;
}
"""

JAVA_TOY = """
import java.util.Arrays;
import java.util.List;

public class Toy implements Adapter.Target {
    static final Adapter.Record FULL = new Adapter.Record(Long.MIN_VALUE, Long.MAX_VALUE, 1, new byte[] {0, 'k'},
            new byte[0], List.of(new Adapter.Header(new byte[] {'a'}, new byte[] {(byte) 0xff}),
            new Adapter.Header(new byte[] {'a'}, null)), 9007199254740993L, -3, Integer.MAX_VALUE, 3, 4);

    public List<Adapter.Record> decode(byte[] data) throws Exception {
        switch (new String(data)) {
            case "all": return List.of(FULL);
            case "refuses": throw new IllegalStateException("not so");
            case "cannot": throw new UnsupportedOperationException("no such thing");
            case "print": System.out.println("noise");
            default: return List.of();
        }
    }

    static boolean same(Adapter.Header one, Adapter.Header other) {
        return Arrays.equals(one.key(), other.key()) && Arrays.equals(one.value(), other.value());
    }

    static boolean isFull(Adapter.Record it) {
        return it.offset() == FULL.offset() && it.timestamp() == FULL.timestamp() && it.timestampType() == 1
                && Arrays.equals(it.key(), FULL.key()) && Arrays.equals(it.value(), FULL.value())
                && it.headers().size() == 2 && same(it.headers().get(0), FULL.headers().get(0))
                && same(it.headers().get(1), FULL.headers().get(1)) && it.producerId() == FULL.producerId()
                && it.producerEpoch() == -3 && it.sequence() == Integer.MAX_VALUE && it.flags() == 3 && it.codec() == 4;
    }

    public byte[] encode(int magic, int codec, List<Adapter.Record> records) {
        if (codec > 3)
            throw new UnsupportedOperationException("no such codec");
        return new byte[] {(byte) magic, (byte) codec, (byte) records.stream().filter(Toy::isFull).count()};
    }

    public static void main(String[] args) throws Exception {
        Adapter.serve("{\\"protocol\\": 1, \\"name\\": \\"toy\\"}", new Toy());
    }
}
"""

C_WARNINGS = ["-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
LANGUAGES = {
    "c": ("toy.c", C_TOY, ["cc", *C_WARNINGS, "-o", "toy", "toy.c"], ["./toy"]),
    "java": ("Toy.java", JAVA_TOY, ["javac", "-Xlint:all", "Adapter.java", "Toy.java"], ["java", "-cp", ".", "Toy"]),
}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def command(language: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A copy of the template with a toy behind it."""
    name, text, build, run = LANGUAGES[language]
    if shutil.which(build[0]) is None:
        pytest.skip(f"{build[0]} is not on the PATH")
    folder = tmp_path_factory.mktemp("toy")
    shutil.copy(TEMPLATES[language], folder)
    (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(build, cwd=folder, check=True, timeout=120)
    return [str(folder / Path(word).name) if word in {".", "./toy"} else word for word in run]


@pytest.fixture
def toy(command: list[str]) -> Iterator[Adapter]:
    with Adapter(command) as adapter:
        yield adapter


def test_hello_says_what_the_adapter_declares(toy: Adapter) -> None:
    assert toy.hello() == {"protocol": 1, "name": "toy"}


def test_every_field_of_a_record_is_packed(toy: Adapter) -> None:
    full, empty, refuses, cannot = toy.decode(b"all", b"empty", b"refuses", b"cannot")
    assert (full.answer, empty.answer) == ([compiled.FULL], [])
    assert (refuses.status, cannot.status) == (1, 2)
    assert refuses.text.endswith("not so")
    assert "no such thing" in cannot.text


def test_records_to_encode_arrive_in_every_field(toy: Adapter, language: str) -> None:
    if language == "c":
        pytest.skip("the template in C only decodes")
    compiled.check_records_to_encode(toy)


def test_every_negative_length_of_a_library_in_c_is_null(toy: Adapter, language: str) -> None:
    if language == "java":
        pytest.skip("an array has no negative length")
    [record] = toy.decode(b"odd")[0].answer
    assert (record.key, record.value) == (None, None)


def test_block_larger_than_a_pipe_is_read_whole(toy: Adapter) -> None:
    compiled.check_large_blocks(toy)


def test_records_before_an_error_are_no_answer(toy: Adapter, language: str) -> None:
    if language == "java":
        pytest.skip("a list is there whole or not at all")
    half, whole = toy.decode(b"half", b"all")
    assert (half.status, half.text) == (1, "not so")
    assert whole.answer == [compiled.FULL]


def test_what_a_library_prints_goes_to_standard_error(toy: Adapter) -> None:
    assert [result.status for result in toy.decode(b"print", b"empty")] == [0, 0]
    assert toy.finish() == (0, b"", "noise\n")


def test_crash_is_no_refusal(toy: Adapter, language: str) -> None:
    if language == "java":
        pytest.skip("the JVM survives what its users can do")
    compiled.check_panic(toy)
