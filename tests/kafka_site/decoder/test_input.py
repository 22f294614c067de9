"""What people paste: hex in any spelling, dumps of tools, base64, and what is none of these."""

from pathlib import Path

import pytest

from tests.kafka_site.decoder.scripts import ask

BYTES = "0000000000000005000000590000000202ff"

SPELLINGS = {
    "plain": BYTES,
    "spaced": "00 00 00 00 00 00 00 05 00 00 00 59 00 00 00 02 02 FF\n",
    "lines": "0000000000000005\n0000005900000002\n02ff",
    "prefixed": "0x0000000000000005, 0x0000005900000002, 0x02ff",
    "escaped": r"\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x59\x00\x00\x00\x02\x02\xff",
    "a list": "[0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x05,0x00,0x00,0x00,0x59,0x00,0x00,0x00,0x02,0x02,0xff]",
    "xxd": "00000000: 0000 0000 0000 0005 0000 0059 0000 0002  ...........Y....\n00000010: 02ff                 ..\n",
    "hexdump -C": "00000000  00 00 00 00 00 00 00 05  00 00 00 59 00 00 00 02  |...........Y....|\n"
    "00000010  02 ff                                             |..|\n00000012\n",
    "od -A x -t x1": "000000 00 00 00 00 00 00 00 05 00 00 00 59 00 00 00 02\n000010 02 ff\n000012\n",
    "wireshark": "0000   00 00 00 00 00 00 00 05 00 00 00 59 00 00 00 02   ...........Y....\n0010   02 ff      ..\n",
    "tcpdump -X": "\t0x0000:  0000 0000 0000 0005 0000 0059 0000 0002  ...........Y....\n\t0x0010:  02ff    ..\n",
    "xxd -i": "unsigned char one_bin[] = {\n  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00,\n"
    "  0x59, 0x00, 0x00, 0x00, 0x02, 0x02, 0xff\n};\nunsigned int one_bin_len = 18;\n",
    "wireshark's C array": "/* Frame (18 bytes) */\nstatic const unsigned char pkt1[18] = {\n"
    "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, /* ........ */\n"
    "0x00, 0x00, 0x00, 0x59, 0x00, 0x00, 0x00, 0x02, /* ...Y.... */\n0x02, 0xff /* .. */\n};\n",
    "wireshark's hex stream": BYTES,
    "Java's Arrays.toString": "[0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 89, 0, 0, 0, 2, 2, -1]",
    "Python's repr": r"b'\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Y\x00\x00\x00\x02\x02\xff'",
    "a string of Go": r'"\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Y\x00\x00\x00\x02\x02\xff"',
    "base64": "AAAAAAAAAAUAAABZAAAAAgL/",
    "base64 for links": "AAAAAAAAAAUAAABZAAAAAgL_",
}

REPEATED = (
    "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000030  01 |.|\n00000031\n"
)
"""What hexdump -C makes of 48 zeros and a one."""

COMPLAINTS = {
    "words of hexdump": (
        "0000000 0000 0000 0000 0500 0000 5900 0000 0200\n0000010 ff02\n0000012\n",
        "bytes of each pair have changed places",
    ),
    "a dump with lines cut out": (
        "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000039  01 |.|\n",
        "Lines are left out before 00000039",
    ),
    "a dump of more than there is": ("00000000  00 00 |..|\n*\nfffffff0  01 |.|\n", "has more than"),
    "numbers that are no bytes": ("[0, 256, 3]", "256 is no byte"),
    "an odd digit": ("000", "3 hex digits, and a byte has two: one is missing"),
    "text": ("hello, world", "neither hex nor base64"),
    "a letter among digits": ("00 00 0g 00!", "first sign that is no hex digit is “g” in place 8"),
}


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, dict[str, str]]:
    texts = [*SPELLINGS.values(), REPEATED, *(text for text, _ in COMPLAINTS.values())]
    return dict(zip(texts, ask(folder, [{"text": text} for text in texts]), strict=True))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_bytes_are_understood(spelling: str, answers: dict[str, dict[str, str]]) -> None:
    assert answers[SPELLINGS[spelling]] == {"hex": BYTES}


def test_lines_that_a_dump_leaves_out_are_there(answers: dict[str, dict[str, str]]) -> None:
    assert answers[REPEATED] == {"hex": "00" * 48 + "01"}


def test_a_literal_has_all_escapes_and_letters_that_are_hex_digits_too(folder: Path) -> None:
    data = bytes(range(256)) + b"'abc\" \\x00"
    assert ask(folder, [{"text": repr(data)}]) == [{"hex": data.hex()}]


@pytest.mark.parametrize("case", COMPLAINTS)
def test_what_is_no_bytes_is_refused_with_advice(case: str, answers: dict[str, dict[str, str]]) -> None:
    text, expected = COMPLAINTS[case]
    assert expected in answers[text]["complaint"]
