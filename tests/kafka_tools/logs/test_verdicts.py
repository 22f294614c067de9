"""Broken rules for people: what is the same is said once."""

from pathlib import Path

from kafka_format.log.verification import Breach
from kafka_tools.logs import verdicts

FILE = Path("orders-0/00000000000000000000.index")
FIRST = Breach("log.offset-index.batch", FILE, "entry 0 points at byte 7", 0, 3)


def test_what_a_rule_says_of_a_file_is_said_once() -> None:
    assert len(list(verdicts.lines(FIRST))) == 4
    again = list(verdicts.lines(FIRST._replace(position=8), FIRST))
    assert again == [f"{FILE}, byte 8, offset 3: entry 0 points at byte 7", "  log.offset-index.batch, as above"]
    elsewhere = FIRST._replace(path=FILE.with_name("00000000000000000009.index"))
    assert len(list(verdicts.lines(elsewhere, FIRST))) == 4
