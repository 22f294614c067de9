"""Start Kafka on variants: `python -m kafka_generator.recordings.starts [PATTERN...]`."""

from __future__ import annotations

import argparse
import fnmatch
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_generator.recordings.starts import nodes, outcomes, watching
from kafka_generator.start_vectors import files
from kafka_generator.start_vectors.cases import cases

_AT_ONCE: Final = 2


def main() -> int:
    """Ask Kafka about the variants that are new or were changed, or whose ids are named."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.starts", description=__doc__)
    parser.add_argument("patterns", nargs="*", help="ids of variants that are asked again, with * and ?")
    patterns = parser.parse_args().patterns
    path, bases = files.FOLDER / files.VARIANTS, files.bases()
    known = {line["id"]: line for line in files.read(path)}
    made = {line["id"]: line for line in (case.line() for case in cases(bases))}
    todo = [line for line in made.values() if files.is_new(line, known) or _is_named(line["id"], patterns)]
    sys.stderr.write(f"{len(todo)} of {len(made)} variants\n")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for line, kafka in pool.map(lambda line: (line, _ask(line, bases)), todo):
            made[line["id"]]["kafka"] = kafka
            came = ", ".join(f"{release} {said['result']}" for release, said in kafka.items())
            sys.stderr.write(f"{line['id']}: {came}\n")
            known[line["id"]] = made[line["id"]]
            files.write(path, [each for name in made if (each := known.get(name)) is not None])
    files.write(path, [{**line, "kafka": known[name]["kafka"]} for name, line in made.items()])
    path.write_text(files.contents(files.FOLDER.parent)[path], encoding="utf-8")  # with the rules that each breaks
    return 0


def _is_named(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _ask(line: dict[str, Any], bases: dict[str, dict[str, bytes]]) -> dict[str, Any]:
    return {release: start(line, bases, release) for release in line["releases"]}


def start(line: dict[str, Any], bases: dict[str, dict[str, bytes]], release: str) -> dict[str, Any]:
    """Start a release on a variant; return what came."""
    with TemporaryDirectory(prefix="start-") as scratch:
        folder = Path(scratch).resolve()
        files.lay_out(bases[line["base"]], line["edits"], folder)
        if line["role"] == nodes.ZOOKEEPER:
            with nodes.zookeeper(folder) as address:
                return _watch(line, folder, release, nodes.free_ports(), address)
        if line["role"] != "broker":
            ports = nodes.free_ports()
            is_dynamic = line["base"].startswith(files.DYNAMIC)
            quorum = nodes.dynamic_quorum(ports) if is_dynamic else nodes.static_quorum({1: ports})
            return _watch(line, folder, release, ports, quorum)
        with TemporaryDirectory(prefix="controller-") as other:
            return _with_controller(line, bases, release, folder, Path(other).resolve())


def _with_controller(
    line: dict[str, Any], bases: dict[str, dict[str, bytes]], release: str, folder: Path, other: Path
) -> dict[str, Any]:
    """Start a broker, beside the controller of its cluster."""
    files.lay_out(bases["controller"], [], other)
    ports = nodes.free_ports()
    setting = nodes.Setting("controller", 1, nodes.static_quorum({1: ports}), [other / "data"])
    settings = other / "server.properties"
    settings.write_text(setting.text(release, ports), encoding="utf-8")
    controller = nodes.Node(release, settings, other / "log.txt")
    try:
        watching.await_start(controller)
        return _watch(line, folder, release, nodes.free_ports(), setting.quorum)
    finally:
        controller.kill()


def _watch(line: dict[str, Any], folder: Path, release: str, ports: nodes.Ports, quorum: str) -> dict[str, Any]:
    roles = {"combined": "broker,controller"}.get(line["role"], line["role"])
    dirs = [folder / name for name in line["log_dirs"]]
    number = 2 if line["role"] == "broker" else 1
    settings = folder / "server.properties"
    more = "".join(f"{name}={value.format(folder=folder)}\n" for name, value in line.get("settings", {}).items())
    settings.write_text(nodes.Setting(roles, number, quorum, dirs, more).text(release, ports), encoding="utf-8")
    user = nodes.UNPRIVILEGED if nodes.is_root() else None
    if user is not None:
        nodes.own(folder, user)
    before = outcomes.sizes(folder)
    node = nodes.Node(release, settings, folder / "log.txt", user)
    try:
        result = watching.watch(node)
    finally:
        node.kill()
    changed = outcomes.of_files(before, outcomes.sizes(folder))
    return {"result": str(result), **outcomes.of_log(node.log(), folder), **changed}


if __name__ == "__main__":
    sys.exit(main())
