"""What brokers are made to write."""

import pytest
from kafka_format.spec.rules import rules
from kafka_generator.recordings.wild.orders import FEW
from kafka_generator.recordings.wild.scenes import CONVERTED, SCENES, Scene, SceneBatch


def test_settings_change_before_the_batch_that_they_are_for() -> None:
    batches = (SceneBatch(FEW), SceneBatch(FEW, alters={"a": "b"}))
    scene = Scene("topic", "Title", (), {"c": "d"}, batches)
    steps = list(scene.steps())
    assert [step["do"] for step in steps] == ["create", "deliver", "alter", "deliver"]
    assert (steps[0]["settings"], steps[2]["settings"]) == ({"c": "d"}, {"a": "b"})


@pytest.mark.parametrize("release", SCENES)
def test_the_scenes_of_a_broker_have_names_of_their_own_and_known_rules(release: str) -> None:
    scenes = list(SCENES[release]())
    assert len({scene.name for scene in scenes}) == len(scenes)
    assert {rule for scene in scenes for rule in scene.rules} <= set(rules())
    assert {version for scene in scenes for version in scene.fetches} <= set(CONVERTED)
