"""Asks the registries for newer releases than the recorded ones.

`python -m kafka_generator.recorded.newer [TARGET...]` prints them, and returns 1 if there are any.
With `--run` it runs each as older releases are run, and records it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.manifest import History
from kafka_tools.errors import UsageError

from kafka_generator.recorded import history, results

_ASK: Final[Mapping[str, tuple[str, ...]]] = {
    "pypi": (sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", "{package}"),
    "npm": ("npm", "view", "{package}", "version", "--json"),
    "go": ("go", "list", "-m", "-json", "{package}@latest"),
    "crates": ("cargo", "info", "--registry", "crates-io", "{package}"),
    "maven": ("mvn", "-B", "dependency:resolve", "-DexcludeTransitive=true"),
}
"""The commands by which the registries' own clients tell the newest release."""

_POM: Final = """<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>newer</groupId><artifactId>newer</artifactId><version>0</version>
  <dependencies><dependency>
    <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>RELEASE</version>
  </dependency></dependencies>
</project>
"""
"""What Maven resolves: the newest release of a library."""

_SAID: Final = {
    "pypi": r"\(([0-9][\w.+-]*)\)",
    "crates": r"(?m)^version: ([0-9][\w.+-]*)",
    "maven": r"\[INFO\] +[\w.-]+:[\w.-]+:jar:([0-9][\w.+-]*):compile",
}
"""Where a client's words name the release."""

_SECONDS: Final = 120


class Newer(NamedTuple):
    """A release that is newer than the recorded ones."""

    target: str
    recorded: str
    release: str


def newer(names: Collection[str] = ()) -> Iterator[Newer]:
    """Yield newer releases of the targets that have a history; of all if none is named.

    Raises:
        UsageError: a registry does not answer, or a target is unknown or has no history.
    """
    for name in names:
        if resolve.installation(name).manifest.history is None:
            raise UsageError(f"no registry can be asked about {name}.", "Its manifest has no `history`.")
    recorded = [row for part in history.PARTS for row in results.load(part) if not row.problem]
    for target in manifest.load_all().values():
        mine = [row for row in recorded if row.library == target.library]
        pinned = max((*(row.version for row in mine if row.is_newest), target.version), key=results.release)
        is_old = target.version != pinned  # of a library with several targets, the newest one stands for it
        if target.history is None or is_old or (names and target.name not in names):
            continue
        last = max((*(row.version for row in mine), pinned), key=results.release)
        release = newest(target.history)
        if results.release(release) > results.release(last):
            yield Newer(target.name, last, release)


def newest(of: History) -> str:
    """Return the newest release that a registry has.

    Raises:
        UsageError: it does not answer.
    """
    command = [word.format(package=of.package) for word in _ASK[of.registry]]
    with tempfile.TemporaryDirectory() as folder:  # go must not see the module of the checkout
        if of.registry == "maven":
            group, artifact = of.package.split(":")
            Path(folder, "pom.xml").write_text(_POM.format(group=group, artifact=artifact), encoding="utf-8")
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=_SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or error
            raise UsageError(f"{of.registry} does not say which releases of {of.package} there are: {said}.") from error
    return parse(of.registry, done.stdout)


def parse(registry: str, said: str) -> str:
    """Return the release that a client printed; `said` is all that it did.

    Raises:
        UsageError: it is not understood.
    """
    try:
        if registry == "go":
            return str(json.loads(said)["Version"]).removeprefix("v")
        if registry == "npm":
            return str(json.loads(said))
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{registry} answers {said[:100]!r}, which names no release.") from None
    found = re.search(_SAID[registry], said)
    if found is None:
        raise UsageError(f"{registry} answers {said[:100]!r}, which names no release.")
    return found[1]


def main() -> int:
    """Print the newer releases, and run them if asked to; return 1 if there are any, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="targets with a history; all if none is named")
    parser.add_argument("--run", action="store_true", help="install, run and record them, too")
    options = parser.parse_args()
    found = 0
    for one in newer(options.targets):
        found += 1
        click.echo(f"{one.target}: {one.release}; recorded is {one.recorded}")
        if options.run:
            installed = resolve.installation(f"{one.target}@{one.release}")
            for part in history.about(installed.manifest):
                click.echo(f"  {part}: {history.take(history.Missing(installed, part))}")
    if not found:
        click.echo("No registry has a newer release than the recorded ones.")
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UsageError as error:
        sys.exit(f"error: {error}")
