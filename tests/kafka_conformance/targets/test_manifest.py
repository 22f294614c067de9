from pathlib import Path

import pytest
import yaml
from kafka_conformance.targets import manifest
from kafka_conformance.targets.target_kind import TargetKind
from kafka_tools.errors import UsageError

DECODER = {
    "calls": "Its only function.",
    "run": ["toy", "{version}"],
    "claims": {"formats": ["v2"], "codecs": ["none"]},
}
GOOD = {
    "library": "toy",
    "language": "Python",
    "url": "https://example.org/toy",
    "issues": "https://example.org/toy/issues",
    "version": "1.0",
    "decoder": DECODER,
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


def test_no_two_targets_have_one_name_and_no_two_lock_files_one_content() -> None:
    files = sorted(manifest.TARGETS.glob("*/manifest.yaml"))
    assert sum(len(manifest.load(file)) for file in files) == len(manifest.load_all()) > len(files)
    names = ("*.lock", "go.sum", "package-lock.json")
    locks = [lock.read_bytes() for file in files for name in names for lock in file.parent.rglob(name)]
    assert len(locks) == len(set(locks))


def test_keys_that_are_left_out_are_empty(tmp_path: Path) -> None:
    [loaded] = manifest.load(write(tmp_path, GOOD))
    assert (loaded.library, loaded.name, loaded.kind) == ("toy", "toy", TargetKind.DECODER)
    assert (loaded.versions, loaded.needs, loaded.install, loaded.env) == ((), {}, (), {})
    assert loaded.all_versions == ("1.0",)


def test_a_section_takes_from_the_library_what_it_does_not_say(tmp_path: Path) -> None:
    consumer = {**DECODER, "language": "Go", "versions": ["0.9"]}
    reader = {**DECODER, "name": "toy-reader"}
    document = {**GOOD, "needs": {"toy": "get it"}, "consumer": consumer, "log_reader": reader}
    by_name = {target.name: target for target in manifest.load(write(tmp_path, document))}
    assert list(by_name) == ["toy", "consumer-toy", "toy-reader"]
    assert by_name["consumer-toy"].kind is TargetKind.CONSUMER
    assert (by_name["toy"].language, by_name["consumer-toy"].language) == ("Python", "Go")
    assert by_name["consumer-toy"].all_versions == ("1.0", "0.9")
    assert {tuple(target.needs) for target in by_name.values()} == {("toy",)}


def test_a_variant_takes_from_its_section_what_it_does_not_say(tmp_path: Path) -> None:
    variants = {"old": {"version": "0.1"}, "pure": {"env": {"PURE": "1"}}}
    document = {**GOOD, "versions": ["0.9"], "decoder": {**DECODER, "variants": variants}}
    plain, old, pure = manifest.load(write(tmp_path, document))
    assert [target.name for target in (plain, old, pure)] == ["toy", "toy-old", "toy-pure"]
    assert old.run == pure.run == plain.run
    assert pure.all_versions == plain.all_versions == ("1.0", "0.9")
    assert old.all_versions == ("0.1",)  # the other releases are those of the default version
    assert (plain.env, pure.env) == ({}, {"PURE": "1"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 1.0}, r"toy/manifest\.yaml, decoder, is wrong at \$\.version: 1\.0 is not of type 'string'"),
        ({"decoder": {**DECODER, "run": []}}, r"\$\.run: \[\] should be non-empty"),
        ({"decoder": {**DECODER, "run": "toy --serve"}}, r"\$\.run: 'toy --serve' is not of type 'array'"),
        (
            {"consumer": {**DECODER, "claims": {"formats": ["v3"], "codecs": ["none"]}}},
            r"manifest\.yaml, consumer, is wrong at \$\.claims\.formats\[0\]: 'v3' is not one of",
        ),
        ({"decoder": {**DECODER, "variants": {"2": {"run": []}}}}, r"decoder\.variants\.2, is wrong at \$\.run"),
        ({"decoder": {"calls": "Nothing."}}, r"decoder, is wrong at \$: '\w+' is a required property"),
        ({"decoder": []}, r"toy/manifest\.yaml is wrong at \$\.decoder: \[\] is not of type 'object'"),
        ({"url": "example.org"}, r"\$\.url: "),
        ({"builds": []}, r"'builds' was unexpected"),
        ({"name": "toy"}, r"toy/manifest\.yaml is wrong at \$: 'name' should not be valid"),
        ({"library": "tay"}, r"\$\.library: 'tay' is in the folder 'toy'"),
    ],
)
def test_wrong_manifest_is_named_by_file_and_place(tmp_path: Path, change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        manifest.load(write(tmp_path, {**GOOD, **change}))


def test_a_library_without_a_target_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"toy/manifest\.yaml is wrong at \$"):
        manifest.load(write(tmp_path, {key: value for key, value in GOOD.items() if key != "decoder"}))


@pytest.mark.parametrize("text", ["name: [", "\x00", "- a list"])
def test_file_that_is_no_manifest_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"^toy/manifest\.yaml"):
        manifest.load(write(tmp_path, text))
