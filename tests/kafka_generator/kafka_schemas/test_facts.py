"""The layouts of the protocol say what Kafka's schemas say: nothing missing, nothing else."""

import pytest
from kafka_format.spec.layout import specification
from kafka_generator.kafka_schemas import compare, facts

RECORD = facts.read_record()


def test_the_record_covers_the_layouts_of_schemas() -> None:
    assert set(RECORD) == set(compare.layouts())


@pytest.mark.parametrize("release", sorted({release for by in RECORD.values() for release in by}, key=facts.minor))
def test_the_layouts_say_what_a_release_says(release: str) -> None:
    schemas = {name: {release: known[release]} for name, known in RECORD.items() if release in known}
    ours = compare.expected(schemas)
    wrong = [name for name in schemas if facts.digest(ours[name][release]) != schemas[name][release]]
    assert wrong == [], "run `make schemas`, which tells line by line what differs"


def test_every_version_is_in_a_release_or_older_than_the_schemas() -> None:
    """What no release of the record has would be checked by nothing."""
    for name, (layout, variants) in compare.layouts().items():
        told = "\n".join(facts.of_layouts(layout, variants, facts.minor(release)) for release in RECORD[name])
        for version in layout.versions.numbers:
            assert f"version {version}" in told


@pytest.mark.parametrize(("kind", "apis", "versions"), [("request", 95, 368), ("response", 95, 368)])
def test_as_many_as_the_facts_count(kind: str, apis: int, versions: int) -> None:
    """All that ever had a schema: 95 API keys with 368 versions of requests, and as many of
    responses."""
    layouts = [layout for layout in specification().versioned.values() if layout.kind == kind and not layout.variant_of]
    assert {layout.api for layout in layouts} == set(range(apis))
    assert sum(len(layout.versions.numbers) for layout in layouts) == versions


def test_a_difference_is_seen() -> None:
    layout, variants = compare.layouts()["FetchRequest"]
    text = facts.of_layouts(layout, variants, (4, 4))
    assert "version 18 flexible\n  max_wait_ms int32" in text
    assert "cluster_id string or null tag 0 default null" in text
    assert facts.digest(text) == RECORD["FetchRequest"]["4.4"]
    assert facts.digest(text.replace("tag 0", "tag 1")) != RECORD["FetchRequest"]["4.4"]


@pytest.mark.parametrize(
    ("schema", "release", "line"),
    [
        ("FetchResponse", (2, 6), "topics []"),
        ("FetchResponse", (2, 7), "record_set bytes or null"),
        ("FetchResponse", (3, 0), "records bytes or null"),
        ("RequestHeader", (2, 4), "client_id string or null never compact"),
        ("ConsumerGroupHeartbeatRequest", (3, 5), "client_assignors [] or null"),
        ("ApiVersionsResponse", (3, 4), "zk_migration_ready bool tag 3 default false"),
        ("DescribeProducersRequest", (4, 3), "name string"),
        ("DescribeProducersRequest", (4, 4), "name string map key"),
        ("IncrementalAlterConfigsRequest", (2, 4), "config_operation int8 map key"),
    ],
)
def test_what_releases_call_things(schema: str, release: facts.Minor, line: str) -> None:
    assert line in [text.strip() for text in facts.of_layouts(*compare.layouts()[schema], release).splitlines()]
