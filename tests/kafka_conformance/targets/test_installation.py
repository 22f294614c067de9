import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import installation
from kafka_conformance.targets.installation import Installation
from kafka_conformance.targets.manifest import Manifest, load_all
from kafka_conformance.targets.target_kind import TargetKind
from kafka_tools.errors import UsageError

WRITE = "import sys, os; open('made', 'w').write(sys.argv[1] + os.environ['TOY'])"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """A target whose installation writes its version into a file, with a lock file and an
    adapter."""
    monkeypatch.setattr(installation, "cache_folder", lambda: tmp_path / "cache")
    here = tmp_path / "toy"
    here.mkdir()
    (here / "toy.lock").write_text("toy==1", encoding="ascii")
    (here / "adapter.py").write_text("pass", encoding="ascii")
    manifest = Manifest(
        library="toy",
        folder=here,
        name="toy",
        kind=TargetKind.DECODER,
        language="Python",
        url="https://example.org",
        issues="https://example.org",
        version="1.0",
        versions=("0.9",),
        needs={Path(sys.executable).name: "install Python"},
        install=(("{python}", "-c", WRITE, "{version}", "{here}/toy.lock"),),
        run=("{python}", "{here}/adapter.py", "{cache}"),
        env={"TOY": "-in-{version}"},
        formats=("v2",),
        codecs=("none",),
    )
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    return Installation(manifest, "1.0")


def test_installed_target_is_ready_and_filled(toy: Installation) -> None:
    with pytest.raises(NotReadyError, match="not installed; kafka-conformance targets --install toy"):
        toy.check()
    said: list[str] = []
    toy.install(said.append)
    toy.check()
    assert (toy.folder / "made").read_text(encoding="ascii") == "1.0-in-1.0"
    assert len(said) == 1


def test_each_version_has_a_folder_and_a_name_of_its_own(toy: Installation) -> None:
    older = Installation(toy.manifest, "0.9")
    toy.install(lambda _: None)
    with pytest.raises(NotReadyError, match=r"--install toy@0\.9"):
        older.check()


def test_places_are_filled_in_the_run_command(toy: Installation) -> None:
    command = toy.command()
    assert command.arguments == (sys.executable, str(toy.manifest.folder / "adapter.py"), str(toy.folder))
    assert command.environment == {"TOY": "-in-1.0"}


def test_changed_lock_file_means_not_installed(toy: Installation) -> None:
    toy.install(lambda _: None)
    (toy.manifest.folder / "toy.lock").write_text("toy==2", encoding="ascii")
    with pytest.raises(NotReadyError, match="not installed"):
        toy.check()


def test_changed_install_command_means_not_installed(toy: Installation) -> None:
    toy.install(lambda _: None)
    changed = replace(toy.manifest, install=(*toy.manifest.install, ("{python}", "-c", "pass")))
    with pytest.raises(NotReadyError, match="not installed"):
        Installation(changed, "1.0").check()


def test_other_words_in_the_manifest_change_nothing(toy: Installation) -> None:
    (toy.manifest.folder / "manifest.yaml").write_text("calls: this", encoding="ascii")
    toy.install(lambda _: None)
    (toy.manifest.folder / "manifest.yaml").write_text("calls: that", encoding="ascii")
    Installation(replace(toy.manifest, calls="that"), "1.0").check()


def test_changed_adapter_is_simply_run(toy: Installation) -> None:
    toy.install(lambda _: None)
    (toy.manifest.folder / "adapter.py").write_text("print()", encoding="ascii")
    toy.check()


def test_missing_program_is_told_with_the_advice(toy: Installation) -> None:
    needy = Installation(replace(toy.manifest, needs={"no-such-program-here": "install a JDK"}), "1.0")
    for act in (needy.check, lambda: needy.install(lambda _: None)):
        with pytest.raises(NotReadyError) as caught:
            act()
        assert (caught.value.missing, caught.value.mend) == ("no-such-program-here is not on the PATH", "install a JDK")


@pytest.mark.parametrize(("argument", "expected"), [("-I", ""), ("+1.98.1", " +1.98.1 does not start")])
def test_program_that_is_there_in_another_version_is_told(toy: Installation, argument: str, expected: str) -> None:
    program = Path(sys.executable).name
    needy = Installation(replace(toy.manifest, needs={f"{program} {argument}": "install it"}, install=()), "1.0")
    missing = needy.missing()
    assert (missing.missing if missing else "") == (program + expected if expected else "")


def test_failed_installation_shows_the_end_of_its_output_and_stays_not_ready(toy: Installation) -> None:
    script = "print('\\n'.join(map(str, range(50)))); raise SystemExit('no such package')"
    broken = Installation(replace(toy.manifest, install=(("{python}", "-c", script),)), "1.0")
    with pytest.raises(UsageError) as caught:
        broken.install(lambda _: None)
    assert caught.value.hint.splitlines()[-1] == "no such package"
    assert "\n2\n" not in caught.value.hint
    with pytest.raises(NotReadyError):
        broken.check()


def test_what_is_installed_is_not_installed_again(toy: Installation) -> None:
    said: list[str] = []
    toy.install(said.append)
    toy.install(said.append)
    assert len(said) == 1


def test_failed_reinstallation_is_not_mistaken_for_the_old_one(toy: Installation) -> None:
    toy.install(lambda _: None)
    (toy.manifest.folder / "toy.lock").write_text("toy==2", encoding="ascii")
    broken = Installation(replace(toy.manifest, install=(("{python}", "-c", "raise SystemExit(1)"),)), "1.0")
    with pytest.raises(UsageError):
        broken.install(lambda _: None)
    with pytest.raises(NotReadyError):
        toy.check()


@pytest.mark.parametrize(
    ("build_file", "text"),
    [
        ("pom.xml", "<source>../common/src</source>"),
        ("go.mod", "replace common => ../common"),
        ("src/main.rs", '#[path = "../../common/src/Frames.java"]'),
    ],
)
def test_changed_sources_in_another_folder_mean_not_installed(toy: Installation, build_file: str, text: str) -> None:
    common = toy.manifest.folder.parent / "common" / "src"
    common.mkdir(parents=True)
    (common / "Frames.java").write_text("one", encoding="ascii")
    file = toy.manifest.folder / build_file
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="ascii")
    install = (("{python}", "-c", "pass", "{here}/pom.xml" if build_file == "pom.xml" else "{here}"),)
    built = Installation(replace(toy.manifest, install=install), "1.0")
    built.install(lambda _: None)
    built.check()
    (common / "Frames.java").write_text("two", encoding="ascii")
    with pytest.raises(NotReadyError, match="not installed"):
        built.check()


def test_what_is_known_of_a_library_is_no_part_of_its_installation(toy: Installation) -> None:
    known = [toy.manifest.folder / place for place in ("findings/decoder.yaml", "confirm/main.go", "manifest.yaml")]
    for file in known:
        file.parent.mkdir(exist_ok=True)
        file.write_text("one", encoding="ascii")
    built = Installation(replace(toy.manifest, install=(("{python}", "-c", "pass", "{here}"),)), "1.0")
    built.install(lambda _: None)
    for file in known:
        file.write_text("two", encoding="ascii")
    built.check()
    (toy.manifest.folder / "main.go").write_text("package main", encoding="ascii")
    with pytest.raises(NotReadyError, match="not installed"):
        built.check()


def test_changed_lock_file_of_another_folder_means_not_installed(toy: Installation) -> None:
    other = toy.manifest.folder.parent / "other"
    other.mkdir()
    (other / "build.lock").write_text("setuptools==1", encoding="ascii")
    (other / "adapter.py").write_text("pass", encoding="ascii")
    install = (("{python}", "-c", "pass", "{here}/../other/build.lock"),)
    leaning = Installation(replace(toy.manifest, install=install), "1.0")
    leaning.install(lambda _: None)
    (other / "adapter.py").write_text("print()", encoding="ascii")
    leaning.check()
    (other / "build.lock").write_text("setuptools==2", encoding="ascii")
    with pytest.raises(NotReadyError, match="not installed"):
        leaning.check()


def test_targets_that_share_sources_with_another_say_so() -> None:
    """The old releases of Kafka are built from sources of kafka-clients, and Rust targets from the
    template."""
    for name, file in (("kafka-clients-legacy", "Frames.java"), ("rskafka", "adapter.rs"), ("sarama", "adapter.go")):
        target = Installation(load_all()[name], load_all()[name].version)
        assert file in {source.name for source in target._sources()}
