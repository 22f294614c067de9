"""Several tables list releases of Kafka, each for its own use: all know the newest one."""

from kafka_format.log import origin
from kafka_format.spec.layout import release_names
from kafka_format.spec.layout.release_names import numbers
from kafka_format.spec.releases import releases
from kafka_generator.protocol_vectors import oracle

MINORS = [(major, minor) for major, (first, last) in release_names._MINORS.items() for minor in range(first, last + 1)]
NEWEST = max(MINORS)


def test_the_newest_release_judges_the_vectors() -> None:
    assert numbers(next(iter(releases()))) == NEWEST
    assert numbers(next(iter(oracle.RELEASES))) == NEWEST


def test_every_release_that_is_listed_is_a_release() -> None:
    listed = {numbers(name)[:2] for name in (*releases(), *oracle.RELEASES, *origin._LEVELS.values())}
    assert listed <= set(MINORS)


def test_every_release_since_the_metadata_version_has_one() -> None:
    """`log origin` names a release by its metadata.version (KIP-778), which rises since 3.0."""
    named = [numbers(name) for name in origin._LEVELS.values()]
    assert named == [release for release in MINORS if release >= (3, 0)]
