from pathlib import Path

import pytest
import yaml
from kafka_conformance.errors import UsageError
from kafka_conformance.targets import manifest

GOOD = {
    "name": "toy",
    "language": "Python",
    "url": "https://example.org/toy",
    "issues": "https://example.org/toy/issues",
    "version": "1.0",
    "calls": "Its only function.",
    "run": ["toy", "{version}"],
    "claims": {"formats": ["v2"], "codecs": ["none"]},
}


def write(folder: Path, document: object, name: str = "toy") -> Path:
    file = folder / name / "manifest.yaml"
    file.parent.mkdir()
    file.write_text(document if isinstance(document, str) else yaml.safe_dump(document), encoding="utf-8")
    return file


def test_known_targets_load_and_pin_their_versions() -> None:
    manifests = manifest.load_all()
    assert {"aiokafka", "kafka-python", "kafka-clients"} <= manifests.keys()
    for name in ("aiokafka", "kafka-python"):
        folder = manifests[name].folder
        assert f"=={manifests[name].version}\n" in (folder / "requirements.in").read_text(encoding="utf-8")
        assert "--hash=sha256:" in (folder / "requirements.lock").read_text(encoding="utf-8")


def test_keys_that_are_left_out_are_empty(tmp_path: Path) -> None:
    loaded = manifest.load(write(tmp_path, GOOD))
    assert (loaded.versions, loaded.needs, loaded.install, loaded.env) == ((), {}, (), {})
    assert loaded.all_versions == ("1.0",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 1.0}, r"toy/manifest\.yaml is wrong at \$\.version: 1\.0 is not of type 'string'"),
        ({"run": []}, r"\$\.run: \[\] should be non-empty"),
        ({"run": "toy --serve"}, r"\$\.run: 'toy --serve' is not of type 'array'"),
        ({"claims": {"formats": ["v3"], "codecs": ["none"]}}, r"\$\.claims\.formats\[0\]: 'v3' is not one of"),
        ({"url": "example.org"}, r"\$\.url: "),
        ({"builds": []}, r"'builds' was unexpected"),
        ({"name": "tay"}, r"\$\.name: 'tay' is in the folder 'toy'"),
    ],
)
def test_wrong_manifest_is_named_by_file_and_place(tmp_path: Path, change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        manifest.load(write(tmp_path, {**GOOD, **change}))


@pytest.mark.parametrize("text", ["name: [", "\x00", "- a list"])
def test_file_that_is_no_manifest_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"^toy/manifest\.yaml"):
        manifest.load(write(tmp_path, text))
