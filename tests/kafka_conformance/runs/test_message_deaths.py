"""A target that dies of one kind of bytes is not started again for each of them."""

import sys
from collections import Counter
from pathlib import Path

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.runs import messages
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors import protocol

DIES = """
import os
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format.errors import FormatError

def dies(asked):
    try:
        return message.read(asked)
    except FormatError as error:
        if error.rule == "string.utf8":
            os._exit(3)
        raise

reference._ANSWERS = {**reference._ANSWERS, MessageInput: dies}
loop.serve_standard_streams(reference.reference)
"""


def test_a_kind_of_deaths_is_put_so_often_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES, encoding="utf-8")
    asked = messages.questions(protocol.load(families=["heartbeat", "list_groups"]))
    asked = [one for one in asked if one.id.partition("@")[0].endswith(("/not-utf8", "/typical"))]
    dying = [one for one in asked if one.vector.rules == ("string.utf8",)]
    contestant = Contestant("dies", Command((sys.executable, "dies.py"), tmp_path))
    found = messages.run(contestant, asked, Limits(), messages.DeathLimits(deaths=5, portion=10))
    outcomes = Counter(result.outcome for result in found.results)
    assert outcomes[Outcome.PASSED] == len(asked) - len(dying)
    assert 5 <= outcomes[Outcome.CRASHED] < 15
    assert outcomes[Outcome.UNSUPPORTED] == len(dying) - outcomes[Outcome.CRASHED] > 0
    assert [result.vector for result in found.results] == [question.id for question in asked]
