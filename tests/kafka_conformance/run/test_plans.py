"""Which vectors a target gets results of, before it is started, and what is then put to it."""

import pytest
from kafka_conformance.child.launch import Command
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.run import plans
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import conversations, directions, loader, orders

from tests import shipped

HELLO = Hello("it", "0", "Python", ("v2",), ("none",), ("offset",), checks_crc=True, settings=())


@pytest.mark.parametrize(
    ("contestant", "of_kind"),
    [
        (Contestant("decoder", Command(("it",))), [plans._decodings]),
        (Contestant("consumer", Command(("it",)), kind=TargetKind.CONSUMER), [plans._deliveries, plans._conversations]),
        (Contestant("producer", Command(("it",)), kind=TargetKind.PRODUCER), [plans._orders]),
        (
            Contestant("broker", None, kind=TargetKind.BROKER, place=object()),
            [lambda vectors, _: plans._appends(vectors)],
        ),
    ],
    ids=lambda parameter: getattr(parameter, "name", None),
)
def test_every_vector_of_a_target_is_put_or_a_gap(contestant, of_kind):
    every = [
        *list(shipped.vectors().values())[::20],
        *(vector for vector in shipped.vectors().values() if vector.format == "v07"),
        *loader.of_family(directions.DELIVER),
        *loader.of_family(conversations.FAMILY),
        *loader.of_family(orders.FAMILY),
        *loader.of_family(directions.ASSIGN),
    ]
    made = [plan(every, HELLO) for plan in of_kind]
    put = sum(len(plan.questions) + len(plan.gaps) for plan in made)
    chosen = plans.vectors_for(contestant, every)
    assert put == len(chosen) > 0
    assert {vector for plan in made for vector, _ in plan.gaps} <= {vector.id for vector in chosen}
