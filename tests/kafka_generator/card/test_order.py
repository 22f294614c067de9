"""The order of clients within a language."""

from dataclasses import replace

import pytest
from kafka_conformance.targets.catalogue import Part
from kafka_generator.card import sentences
from kafka_generator.card.order import by_language, common, could_show, ordered
from kafka_generator.recorded.results import Row

from tests.kafka_generator.card.test_clients import bug, client

NEW_GROUPS = "conversation/consumer-groups/topic-made-anew"
GROUPS = "conversation/groups/commits-with-epoch"
TOPICS = {"conversation/consumer-groups": (9, 1), "conversation/groups": (9, 1), "records": (9, 0)}


def test_the_language_leads_with_the_best_whose_consumer_and_producer_were_run():
    half = client(name="half", parts=(Part.CONSUMER,))
    clients = ordered([client(bug(), bug("everyday", "fails"), name="bad"), half, client(bug(), name="good")])
    assert [one.library for one in clients] == ["good", "bad", "half"]
    sentence = sentences.of_language("Go", clients)
    assert sentence.startswith("For Go: good 1.2 can lose")
    assert sentence.endswith("Beside it: bad 1.2 and half 1.2.")


def test_what_a_client_lacks_counts_before_its_bugs_and_is_said():
    small = replace(client(name="small"), missing=["an idempotent producer", "transactions"])
    clients = ordered([small, client(bug(), name="whole")])
    assert [one.library for one in clients] == ["whole", "small"]
    assert sentences.verdict(small).endswith("It has no idempotent producer and no transactions.")


@pytest.mark.parametrize(
    ("target", "topics", "vector", "could"),
    [
        ("consumer-sarama", TOPICS, NEW_GROUPS, False),  # it has no protocol of KIP-848
        ("consumer-franz-go", TOPICS, NEW_GROUPS, True),
        ("consumer-sarama", TOPICS, GROUPS, True),
        ("consumer-sarama", {"records": (9, 0)}, GROUPS, False),
        ("consumer-sarama", {}, "v2/crc/zero", True),
    ],
)
def test_only_who_was_asked_could_show_a_bug(target, topics, vector, could):
    row = Row(target, Part.CONSUMER, "1", "Go", "", 9, 9, 1, {}, cells=topics)
    asked = replace(client(), rows={Part.CONSUMER: row})
    assert could_show(asked, replace(bug(), example=vector)) is could


def test_what_the_others_cannot_be_asked_does_not_count():
    row = Row("consumer-sarama", Part.CONSUMER, "1", "Go", "", 9, 9, 1, {}, cells=TOPICS)
    less = client(replace(bug(), example=GROUPS), name="less")
    less = replace(less, rows={**less.rows, Part.CONSUMER: row})
    more = client(*(replace(bug(does=f"loses {many}"), example=NEW_GROUPS) for many in range(3)), name="more")
    assert common(more, [less, more]) == []
    assert [one.library for one in ordered([less, more])] == ["more", "less"]


def test_a_bug_that_changes_data_counts_before_many_that_do_not():
    two = client(bug("everyday", "fails"), bug("everyday", "ends"), name="two")
    clients = ordered([client(bug(), name="one"), two])
    assert [one.library for one in clients] == ["two", "one"]


def test_languages_stand_in_the_order_of_the_rules():
    groups = by_language([client(language="TypeScript"), client(language="Cobol"), client(language="C")])
    assert list(groups) == ["C", "JavaScript", "Other languages"]
