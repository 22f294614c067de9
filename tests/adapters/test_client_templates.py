"""The templates for consumers and producers: all languages speak the same lines."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest
from kafka_conformance.protocol.hello import hello_request, parse_hello
from kafka_conformance.targets.folders import TEMPLATES

SAID = "record\tt\t7\t1000\t1\t6b\t-\t68\t00\nerror\t?\tit is gone"
"""What each consumer is made to say: a record with a null value and a header, and an error."""

GAPS = {
    "python": (
        "        time.sleep(0.1)\n        return ()",
        (
            '        yield record("t", 7, 1000, 1, b"k", None, [("h", b"\\0")])\n'
            '        yield error("?", "it  is\\tgone")'
        ),
    ),
    "java": (
        "            Thread.sleep(100);",
        (
            'lines.record("t", 7, 1000, 1, new byte[] {107}, null, List.of(new byte[] {104}, new byte[] {0}));'
            'lines.error("?", new Throwable() { public String toString() { return "it  is\\tgone"; } });'
        ),
    ),
    "go": (
        "error { return nil }",
        (
            "error {\n"
            'sayRecord("t", 7, 1000, 1, []byte("k"), nil, Header{"h", []byte{0}})\n'
            'sayError("?", fmt.Errorf("it  is\\tgone"))\n'
            "return nil }"
        ),
    ),
    "rust": (
        "_lines: &mut Lines) -> Result<(), String> {\n        thread::sleep(Duration::from_millis(100));",
        (
            "_lines: &mut Lines) -> Result<(), String> {\n"
            "        thread::sleep(Duration::from_millis(1));\n"
            '        _lines.record("t", 7, 1000, 1, Some(b"k"), None, &[(b"h", Some(b"\\0"))]);\n'
            '        _lines.error("?", "it  is\\tgone");'
        ),
    ),
    "javascript": (
        "async assign(topics) { this.topics = topics; }",
        (
            "async assign() {\n"
            "    this.lines.record('t', { offset: 7n, timestamp: 1000, timestampType: 1, key: 'k', "
            "value: null, headers: [['h', Buffer.of(0)]] });\n"
            "    throw { name: 'it  is', message: 'gone' };\n"
            "  }"
        ),
    ),
    "c": (
        "    usleep(100000);",
        (
            '    struct header h = {{"h", 1}, {"", 1}};\n'
            '    say_record("t", 7, 1000, 1, (struct bytes){"k", 1}, '
            '(struct bytes){NULL, -1}, &h, 1), say_error("?", "it is\\tgone");'
        ),
    ),
}
"""By language, what stands in a gap of the consumer, and what is put there."""

WARNINGS = ("-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")
BUILD: dict[str, Callable[[str], tuple[str, ...]]] = {
    "go": lambda name: ("go", "build", "-o", "made", name),
    "rust": lambda name: ("rustc", "--edition=2021", "-D", "warnings", "-o", "made", name),
    "c": lambda name: ("cc", *WARNINGS, "-o", "made", name),
}
START = {"python": sys.executable, "java": "java", "javascript": "node"}

Start = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Makes the template of a language and a kind, once, and returns its command."""

    @cache
    def make(language: str, kind: str) -> list[str]:
        template, folder = TEMPLATES[language][kind], tmp_path_factory.mktemp(f"{language}-{kind}")
        words = BUILD[language](template.name) if language in BUILD else (START[language],)
        if shutil.which(words[0]) is None:
            pytest.skip(f"{words[0]} is not on the PATH")
        text = template.read_text(encoding="utf-8")
        if kind == "consumer":
            gap, filled = GAPS[language]
            assert gap in text
            text = text.replace(gap, filled)
        (folder / template.name).write_text(text, encoding="utf-8")
        if language in BUILD:
            subprocess.run(words, cwd=folder, check=True, timeout=1800)
            return [str(folder / "made")]
        return [words[0], str(folder / template.name)]

    return make


def ask(command: list[str], *requests: bytes) -> list[bytes]:
    """Put requests to a program, end its input, and return its replies."""
    frames = b"".join(len(body).to_bytes(4, "big") + body for body in requests)
    done = subprocess.run(command, input=frames, stdout=subprocess.PIPE, timeout=600, check=True)
    replies, left = [], done.stdout
    while left:
        size = int.from_bytes(left[:4], "big")
        replies.append(left[4 : 4 + size])
        left = left[4 + size :]
    return replies


@pytest.mark.parametrize("language", TEMPLATES)
def test_a_consumer_says_what_it_gets(language: str, start: Start) -> None:
    assigned = b"A127.0.0.1:1\tread_committed\nt\t7\nu\t0"
    replies = ask(start(language, "consumer"), hello_request(), assigned, b"P", b"Z", assigned, b"Z", b"Z")
    hello = parse_hello(replies[0])
    assert (hello.kind, hello.name, hello.settings) == ("consumer", "mine", None)
    said = b"\n".join(reply[1:] for reply in replies[1:3]).strip(b"\n").decode()
    assert said == (SAID.replace("it is", "it is:") if language == "javascript" else SAID)
    assert [reply[:1] for reply in replies] == [b"H", b"A", b"P", b"Z", b"A", b"Z", b"Z"]


@pytest.mark.parametrize("language", TEMPLATES)
def test_a_producer_gets_its_orders(language: str, start: Start) -> None:
    orders = b"O127.0.0.1:1\t3.9.2\norder\torders\tcodec=none\nrecord\t1000\t6b\t-\nrecord\t1000\t-\t\t68\t00\t68\t-"
    orders += b"\norder\tmore\tcodec=gzip\tlevel=9\tacks=0\tidempotent=true\ttransactional=true\nrecord\t-1\t\t00"
    hello, *replies = ask(start(language, "producer"), hello_request(), orders)
    declared = parse_hello(hello)
    assert (declared.kind, declared.formats, declared.settings) == ("producer", ("v2",), ("headers",))
    assert [reply.decode() for reply in replies] == [
        "Onothing writes 2 records to orders of 127.0.0.1:1",
        "Onothing writes 1 records to more of 127.0.0.1:1",
    ]


def test_hellos_of_all_languages_declare_the_same(start: Start) -> None:
    own = {"language", "fields"}
    for kind in ("consumer", "producer"):
        said = {}
        for language in TEMPLATES:
            document = json.loads(ask(start(language, kind), hello_request())[0][1:])
            said[language] = {name: value for name, value in document.items() if name not in own}
        assert all(declared == said["python"] for declared in said.values())
