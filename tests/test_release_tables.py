"""A new release of Kafka is one row of spec/releases.yaml, and places that CONTRIBUTING names."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_format.spec.layout.release_table import load_rows, numbers, release_rows
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_generator.kafka_schemas import artifacts
from kafka_tools import schemas

ROOT = Path(__file__).parents[1]
ROW = (
    '  - {release: "9.0", version: 9.0.0, metadata_version: 990, metadata_levels: [7, 990, 991], feature_levels: [1], '
    "messages: all, target: kafka-clients, decides: true, "
    "formats: [v0, v1, v2], codecs: [none, gzip, snappy, lz4, zstd]}\n"
)
NEWEST = next(iter(release_rows().values()))
BY_HAND = {
    "spec/releases.yaml",
    "spec/enums.yaml",
    "targets/kafka-clients/manifest.yaml",
    "vectors/CHANGELOG.md",
    "CHANGELOG.md",
}


def copy_of_spec(folder: Path, row: str) -> Path:
    """A copy of spec/ with another row in front of all releases."""
    spec = folder / "spec"
    spec.mkdir()
    for entry in data.path("spec").iterdir():
        (spec / entry.name).symlink_to(entry)
    (spec / "releases.yaml").unlink()
    shutil.copy(data.path("spec") / "releases.yaml", spec)
    text = (spec / "releases.yaml").read_text(encoding="utf-8")
    (spec / "releases.yaml").write_text(text.replace("releases:\n", f"releases:\n{row}", 1), encoding="utf-8")
    return spec


@pytest.fixture(scope="module")
def invented(tmp_path_factory):
    """What a program that reads the copy says of a release that nobody has released."""
    spec = copy_of_spec(tmp_path_factory.mktemp("invented"), ROW)
    program = [sys.executable, str(ROOT / "tests" / "invented_release.py"), str(spec)]
    return json.loads(subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout)


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("newest", "9.0"),
        ("named in layouts", "9.0"),
        ("lookups in logs", "9.0"),
        ("origin of a directory", ["9.0", True]),
        ("records of topics", [9, 0]),
        ("metadata.version", [7, 990]),
        ("read as", 0),
        ("judges records", "kafka-clients@9.0.0"),
        ("decides", ["9.0.0", *(row.version for row in release_rows().values() if row.decides)]),
        ("judges messages", "9.0.0"),
        ("names fields", "9.0"),
        ("reads topics", "9.0"),
        ("judges logs", "9.0.0"),
        ("consumes", "9.0.0"),
    ],
)
def test_a_row_is_all_that_is_read(invented, what, answer):
    assert invented[what] == answer


def test_the_jars_of_a_new_release_are_fetched(invented):
    today = {jar.module for jar in artifacts.artifacts(release_rows().values()) if jar.version == NEWEST.version}
    assert set(invented["jars"]) == today
    assert {"kafka-clients", "kafka-server-common"} <= today


def test_what_is_done_by_hand_is_asked_for(invented):
    assert "version='9.0.0'" in invented["target"]  # unpinned, by the history of the manifest; to run it, pin it
    assert invented["consumer"].startswith("consumer-kafka-clients is not pinned in version 9.0.0")
    assert invented["vectors"] == [False]  # so `generate.py` asks for `--oracle`


def test_contributing_names_the_places():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## Bring in a release of Kafka\n")[2].partition("\n## ")[0]
    places = set(re.findall(r"^\d\. `([^`]+)`", section, re.MULTILINE))
    assert places == BY_HAND
    assert all((ROOT / place).is_file() for place in places)


def test_no_program_names_the_newest_release_by_itself():
    """What has to follow the newest release reads the rows; recordings keep the one they are of."""
    newest = NEWEST.version
    recorded = re.compile(
        r"generator/kafka_generator/(log_vectors|operators|recordings|start_vectors)|protocol_vectors/wild"
    )
    folders = ("reference", "tools", "conformance", "generator", "site/kafka_site", "targets")
    files = [file for folder in folders for end in ("py", "xml", "java") for file in (ROOT / folder).rglob(f"*.{end}")]
    naming = [
        file.relative_to(ROOT).as_posix()
        for file in files
        if "node_modules" not in file.parts and f'"{newest}"' in file.read_text(encoding="utf-8")
    ]
    assert [name for name in naming if not recorded.search(name)] == []


def test_rows_fit_the_schema():
    schemas.check(
        load_yaml((data.path("spec") / "releases.yaml").read_text(encoding="utf-8")), "releases", "releases.yaml"
    )


def test_every_release_since_the_metadata_version_has_one():
    """It rises with each release since 3.0 (KIP-778)."""
    rows = list(release_rows().values())
    levels = [row.metadata_version for row in rows]
    assert levels == sorted(levels, reverse=True)
    assert all((row.metadata_version > 0) == (numbers(row.name) >= (3, 0)) for row in rows)
    assert len({level for level in levels if level}) == sum(level > 0 for level in levels)


def test_no_minor_release_is_left_out():
    minors = {numbers(name)[:2] for name in release_rows()}
    for major in {major for major, _ in minors}:
        of_major = sorted(minor for other, minor in minors if other == major)
        assert of_major == list(range(of_major[0], of_major[-1] + 1))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('  - {release: "4.0", version: 4.0.2}\n', f"releases.yaml:.*{NEWEST.name} stands behind 4.0"),
        (f'  - {{release: "{NEWEST.name}", version: 4.4.0}}\n', f"{NEWEST.name} stands behind {NEWEST.name}"),
        ("  - {version: 4.5.0}\n", "`release` must be a text"),
        ('  - {release: "4.5", version: 4.5.0, judges: true}\n', "unknown key `judges`"),
        ('  - {release: "four", version: 4.5.0}\n', "`four` is not a release"),
        ('  - {release: "4.5", version: 4.5.0, metadata_version: high}\n', "`metadata_version` must be a number"),
        ('  - {release: "4.5", version: 4.5.0, metadata_version: -1}\n', "`metadata_version` must be a number"),
        ('  - {release: "4.5", version: 4.5.0, metadata_levels: [a]}\n', "`metadata_levels` must be a list of numbers"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(tmp_path, row, complaint):
    with pytest.raises(LayoutError, match=complaint):
        load_rows(copy_of_spec(tmp_path, row))
