"""Guards over the repository: what may be in it, how it is locked, and that its wheel is
complete."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from kafka_generator import markdown

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# Put together here, so that this file does not hold what it looks for.
HOSTS = [
    ".".join(words)
    for words in [
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("repo1", "maven", "org"),
        ("repo", "maven", "apache", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("proxy", "golang", "org"),
        ("sum", "golang", "org"),
        ("crates", "io"),
        ("deb", "debian", "org"),
    ]
]
FOLDERS = ["work", "root", "home"]
# A host ends where a word ends: the name of an index's repository, `NAME-index`, is no host.
SUSPECT = [*map(str.encode, HOSTS), *(f"/{folder}/".encode() for folder in FOLDERS)]
"""What a file has in it that is worth a look at each of its lines."""

FORBIDDEN = re.compile(
    rf"(?<![\w-])(?:{'|'.join(map(re.escape, HOSTS))})(?![\w-])|(?<![\w.*\}}-])/(?:{'|'.join(FOLDERS)})/"
)


def tracked(*patterns: str) -> list[Path]:
    """The files that git knows, of all the patterns; the test is skipped where this is no
    checkout."""
    listing = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name.decode() for name in listing.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in tracked()
        if any(word in (data := path.read_bytes()) for word in SUSPECT)
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1)
        if (match := FORBIDDEN.search(line))
    ]
    assert found == []


@pytest.mark.parametrize("text", [f"see {HOSTS[0]}/simple", f"https://{HOSTS[8]}", "'/" + "root/x'", "in /" + "work/a"])
def test_the_guard_sees(text: str) -> None:
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("text", [f"rust-lang/{HOSTS[8]}-index", "a/work/b", "{cache}/work/", "my" + HOSTS[0]])
def test_the_guard_lets_pass(text: str) -> None:
    assert not FORBIDDEN.search(text)


def test_locks_hold_hashes_and_no_addresses() -> None:
    locks = tracked("*.lock")
    assert {"base.lock", "build.lock", "dev.lock", "jdk.lock"} <= {path.name for path in locks}
    for path in locks:
        if "--hash=" in (text := path.read_text()):
            assert faults_of_a_lock(text) == [], path


def test_the_base_has_the_releases_of_the_whole() -> None:
    base, whole = (pinned_in(ROOT / "requirements" / name) for name in ("base.lock", "dev.lock"))
    assert len(base) > 10
    assert base.items() <= whole.items()


def pinned_in(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([\w.-]+)==([^ ]+)", lock.read_text(encoding="utf-8")))


def faults_of_a_lock(text: str) -> list[str]:
    """Entries of a pip lock that are not one pinned version with hashes, and lines that carry an
    address."""
    entries = re.sub(r"\\\n", "", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines()
    pinned = re.compile(r"[\w.-]+==\S+( ; .+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*")
    return [entry for entry in entries if entry.strip() and not pinned.fullmatch(entry)]


@pytest.mark.parametrize(
    "entry",
    [
        "a==1",
        "a>=1 --hash=sha256:" + "0" * 64,
        "a==1 --hash=sha256:" + "0" * 63,
        "a @ https://example.com/a.whl --hash=sha256:" + "0" * 64,
        "--index-url https://example.com/simple",
    ],
)
def test_a_faulty_lock_is_seen(entry: str) -> None:
    sound = "b==2 ; python_full_version >= '3.12' \\\n    --hash=sha256:" + "1" * 64 + "\n    # via c\n"
    assert faults_of_a_lock(sound) == []
    assert faults_of_a_lock(sound + entry) == [entry]


def test_every_tool_works_for_the_oldest_python() -> None:
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert PYPROJECT["tool"]["mypy"]["python_version"] == oldest
    assert PYPROJECT["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    assert f"OLDEST = ({oldest.replace('.', ', ')})" in (ROOT / "requirements/install.py").read_text()
    assert f"--python-version={oldest}" in (ROOT / "requirements/lock.py").read_text()


def test_prose_keeps_to_100_columns() -> None:
    pages = [(page.relative_to(ROOT), page.read_text(encoding="utf-8")) for page in tracked("*.md")]
    prose = [(name, text) for name, text in pages if "{%" not in text]  # texts of the site may be templates
    assert [str(name) for name, text in prose if markdown.wrap(text) != text] == []


def test_what_the_pages_tell_to_type_exists() -> None:
    tasks = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    pages = tracked("*.md", ".ci/run")
    asked = {task for page in pages for task in re.findall(r"(?m)(?:^|`)make (?:--?\w+ )?([a-z]+)", page.read_text())}
    assert asked
    assert asked <= tasks


def test_every_task_is_listed_with_what_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (tasks,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert re.findall(r"^  make ([\w-]+) +\S", listed, re.MULTILINE) == tasks.split()


def test_the_floors_import_only_those_below() -> None:
    upward = [path for path in tracked("reference/**.py") if "kafka_conformance" in path.read_text()]
    assert upward == []


def test_start_up_loads_nothing_heavy() -> None:
    heavy = {"numpy", "pandas", "pyarrow", "pyspark", "hypothesis", "pytest"}
    code = "import sys, kafka_format, kafka_conformance.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert heavy & set(loaded.split()) == set()
