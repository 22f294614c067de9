from dataclasses import replace

import pytest
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import conversations, loader
from kafka_generator.card import sentences
from kafka_generator.card.bugs import Bug, Found
from kafka_generator.card.clients import Client, level_of, not_run
from kafka_generator.card.rules import rules
from kafka_generator.recorded.results import Row

ALL = (Part.CONSUMER, Part.PRODUCER, Part.DECODER, Part.MESSAGES)


def bug(moment="everyday", harm="wrong", does="loses a record"):
    return Bug(f"{moment}/{harm}/{does}", Part.CONSUMER, does, Direction.DECODE, moment, harm, "v2/crc/zero")


def client(*bugs, name="ours", parts=ALL, language="Go", unexplained=0, unnamed=0):
    rows = {part: Row(name, part, "1.2", language, "", 1, 1, 0, {}) for part in parts}
    return Client(name, "", language, rows, dict.fromkeys(parts, Found()), bugs, unexplained, unnamed)


@pytest.mark.parametrize(
    ("bugs", "lacks", "level"),
    [
        ([], "", "safe"),
        ([], "parts", "unproven"),
        ([], "causes parts", "open"),
        ([bug("old")], "causes", "open"),
        ([bug("old")], "", "today"),
        ([bug("elsewhere", "fails")], "", "today"),
        ([bug("old")], "parts", "unproven"),
        ([bug("damaged"), bug("crafted", "ends")], "", "safe"),
        ([bug("everyday", "overlooked"), bug("rare")], "", "overlooks"),
        ([bug("everyday", "strays"), bug("everyday", "overlooked")], "", "strays"),
        ([bug("rare", "written"), bug("old")], "causes", "rarely-wrong"),
        ([bug("rare", "strays"), bug("old")], "parts", "rarely-stops"),
        ([bug("everyday", "unknown")], "parts", "overlooks"),
        ([bug("everyday", "fails"), bug("everyday", "overlooked")], "parts", "stops"),
        ([bug("everyday", "ends"), bug("everyday", "written")], "", "wrong"),
    ],
)
def test_the_verdict_follows_from_moment_and_harm(bugs, lacks, level):
    assert level_of(bugs, lacks.split()).name == level


GROUPS, CONSUMER = (next(one for one in rules().columns if one.name == name) for name in ("groups", "consumer"))


def in_groups(*examples, cells):
    found = Found(tuple(replace(bug(), example=example) for example in examples), unexplained=1)
    row = Row("ours", Part.CONSUMER, "1", "Go", "", 9, 9, 1, {}, cells=cells)
    return Client("ours", "", "Go", {Part.CONSUMER: row}, {Part.CONSUMER: found}, found.bugs)


def test_what_a_member_of_a_group_does_has_a_column_of_its_own():
    cells = {"records": (5, 1), "conversation/groups": (2, 1), "conversation/consumer-groups": (1, 0)}
    one = in_groups("conversation/groups/x", "conversation/frames/cut", "v2/crc/zero", cells=cells)
    assert [each.example for each in one.found_in(GROUPS).bugs] == ["conversation/groups/x"]
    assert [each.example for each in one.found_in(CONSUMER).bugs] == ["conversation/frames/cut", "v2/crc/zero"]
    assert (one.found_in(GROUPS).unexplained, one.found_in(CONSUMER).unexplained) == (0, 1)
    assert (one.asked_in(GROUPS), one.asked_in(CONSUMER)) == (3, 5)


def test_who_was_in_no_conversation_of_groups_shows_none():
    assert in_groups(cells={"records": (5, 0)}).found_in(GROUPS) is None
    assert in_groups(cells={}).found_in(GROUPS) is None


@pytest.mark.parametrize("pattern", [topic for column in rules().columns for topic in column.topics])
def test_each_topic_of_a_column_has_conversations(pattern):
    assert loader.of_family(conversations.FAMILY, (f"{pattern}/*",))


def test_nothing_is_safe_of_which_a_part_was_not_run():
    assert not_run(ALL) == []
    assert not_run([Part.CONSUMER, Part.PRODUCER, Part.MESSAGES]) == []  # a consumer has its decoder in it
    assert not_run([Part.DECODER, Part.MESSAGES]) == ["consumer", "producer"]
    assert client(parts=(Part.CONSUMER,)).level.name == "unproven"


def test_nothing_is_free_of_bugs_that_has_findings_which_nobody_explained():
    assert client(unexplained=1).level.name == "open"
    assert client(unnamed=1, parts=(Part.CONSUMER,)).level.name == "open"
    assert client().level.name == "safe"


def test_a_verdict_says_what_the_client_does_and_what_was_not_run():
    words = sentences.verdict(client(bug(), bug("old", does="refuses lz4"), parts=(Part.CONSUMER,)))
    assert words == (
        "can lose or change records in everyday use: it loses a record. With old data, it refuses lz4. "
        "Its producer and codec of requests and responses were not run."
    )


def test_what_happens_rarely_is_told_besides():
    words = sentences.verdict(client(bug("rare"), bug("everyday", "fails", does="stops")))
    assert words == "can stop or fail in everyday use: it stops. In rare circumstances, it loses a record."
    alone = sentences.verdict(client(bug("rare")))
    assert alone == "can lose or change records in rare circumstances: it loses a record."


def test_what_nobody_looked_at_is_told_with_its_circumstances():
    met = replace(bug(), met="in compacted topics")
    assert "it loses a record (in compacted topics)." in sentences.verdict(client(met))


def test_many_bugs_are_counted_not_told():
    words = sentences.verdict(client(*(bug(does=f"fails {number}") for number in range(4))))
    assert words.endswith("it fails 0; it fails 1; and 2 more.")


def test_the_others_are_named_and_told_by_the_table():
    sentence = sentences.of_language("Go", [client(), client(name="open", unnamed=2), client(name="third")])
    assert sentence.endswith("Beside it: open 1.2 and third 1.2.")


def test_a_language_without_clients_has_no_sentence():
    assert sentences.of_language("Go", [client(parts=(Part.DECODER,))]) == ""


def test_a_reader_of_values_lacks_no_other_part():
    assert not_run([Part.SERDE]) == []
    reader = client(bug(harm="fails"), parts=(Part.SERDE,))
    assert (reader.level.name, client(parts=(Part.SERDE,)).level.name) == ("stops", "safe")
    assert sentences.of_reader(reader).endswith("With what serializers write, it loses a record.")
