"""Regenerate everything that is generated; `--check` writes nothing and fails on any drift."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "reference"), str(ROOT / "conformance"), str(ROOT / "generator")]

from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets.catalogue import Part
from kafka_format.errors import LayoutError
from kafka_format.spec.releases import releases
from kafka_generator import (
    attributes,
    brokers_page,
    bugs,
    compiled_samples,
    contributed_page,
    diagnosis_page,
    files,
    front_page,
    history_page,
    kind_tables,
    log_readers_page,
    markdown,
    matrix,
    pages,
    value_types,
)
from kafka_generator.architecture import page as architecture
from kafka_generator.card import page as card
from kafka_generator.card import picture as clients_picture
from kafka_generator.constructed import pairs
from kafka_generator.content_vectors import files as content_files
from kafka_generator.content_vectors import oracle as content_oracle
from kafka_generator.content_vectors.kills import ContentKills
from kafka_generator.conversations import files as conversations
from kafka_generator.coverage import by_mutant, measure, model, page
from kafka_generator.coverage.model import Cell
from kafka_generator.directions import files as directions
from kafka_generator.directions.tables import DirectionCase
from kafka_generator.drift import drift
from kafka_generator.kafka_judge import missing
from kafka_generator.kafka_schemas import artifacts, compare
from kafka_generator.log_vectors import coverage_page as log_coverage
from kafka_generator.log_vectors import files as log_files
from kafka_generator.log_vectors.kills import LogKills
from kafka_generator.mutants import record_kills
from kafka_generator.mutants.kill_table import Table
from kafka_generator.mutants.protocol import protocol_kills
from kafka_generator.oracle import OracleRecord
from kafka_generator.protocol_vectors import cells as protocol_cells
from kafka_generator.protocol_vectors import files as protocol
from kafka_generator.reach import table as reach_table
from kafka_generator.reach.origins import Origins
from kafka_generator.recorded import results
from kafka_generator.recorded.record import record as record_reports
from kafka_generator.scenarios import files as scenarios
from kafka_generator.start_vectors import files as start_files
from kafka_generator.start_vectors.kills import StartKills
from kafka_generator.unjudged import Unjudged
from kafka_tools.errors import UsageError
from kafka_tools.system import resources

VECTORS = ROOT / "vectors"
JARS = ROOT / ".targets" / "kafka-schemas"


def main() -> int:
    """Generate or check; 0 if all is well, 1 on drift, 2 on a wrong case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is not what would be written"
    )
    parser.add_argument(
        "--oracle",
        nargs="*",
        metavar="RELEASE",
        choices=list(releases()),
        help="ask releases of kafka-clients again, `4.4` or all if none is named (`make oracle` installs them)",
    )
    parser.add_argument(
        "--protocol-oracle",
        action="store_true",
        help="ask Kafka's message classes about new vectors (needs a JDK, `make schemas`)",
    )
    parser.add_argument(
        "--log-oracle", action="store_true", help="ask Kafka's log classes again (needs a JDK and Maven)"
    )
    parser.add_argument(
        "--content-oracle",
        action="store_true",
        help="ask the classes that own a format about keys and values again (`content_vectors.oracle` names them)",
    )
    parser.add_argument(
        "--search", action="store_true", help="search examples for layout cells that have none, and store them"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="print what the vectors cover; fail if a cell has no vector"
    )
    parser.add_argument(
        "--schemas",
        type=Path,
        metavar="JARS",
        help="compare the layouts of the protocol with the schemas in Kafka's jars (`make schemas` fetches them)",
    )
    parser.add_argument("--kills", action="store_true", help="test every mutant with every vector again")
    parser.add_argument(
        "--record",
        type=Path,
        nargs="+",
        metavar="REPORT",
        help="take what was found from the report.json of runs, or the folders that have them, into docs/recorded",
    )
    options = parser.parse_args()
    resources.collect_seldom()
    try:
        return _ask_about_the_protocol() if options.protocol_oracle else _generate(options)
    except (LayoutError, NotReadyError, UsageError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _generate(options: argparse.Namespace) -> int:
    if options.schemas:
        return _compare(options.schemas)
    if options.record:
        _write(record_reports(options.record))
    if options.search:
        from kafka_generator import search  # noqa: PLC0415 - Hypothesis is only needed here

        search.extend(VECTORS / "cases" / "found.jsonl")
        pairs.extend()
    made, store = files.make(VECTORS, may_add=not options.check)
    cases = directions.make(VECTORS, store)
    record = OracleRecord(VECTORS / "cases" / "oracle.json")
    if options.oracle is not None and not _ask_about_records(options.oracle, made, cases, record):
        return 2
    known_bugs = bugs.load(VECTORS / "bugs.yaml")
    reports = bugs.by_vector(known_bugs)
    reach = reach_table.load(VECTORS / reach_table.FILE)
    unjudged = Unjudged(are_allowed=not (options.check or options.coverage))
    texts = files.texts(made, record, reports, reach, unjudged)
    contents = {VECTORS / f"{family}.jsonl": text for family, text in texts.items()}
    origins = Origins(reach, [(item.case, item.data) for item in made])
    contents |= directions.texts(VECTORS, cases, reports, origins, unjudged)
    vectors = [json.loads(line) for text in contents.values() for line in text.splitlines()]
    bugs.check(known_bugs, [vector["id"] for vector in vectors])
    reach_table.check(reach, vectors)
    contents[VECTORS / "cases" / "payloads.json"] = store.text()
    families_of_protocol = protocol.documents(VECTORS, protocol.make(), unjudged)
    contents |= protocol.contents(VECTORS, families_of_protocol)
    if options.content_oracle:
        content_oracle.ask(VECTORS)
    of_content = content_files.texts(VECTORS)
    contents |= of_content
    of_logs, of_starts = log_files.contents(VECTORS, ask=options.log_oracle), start_files.contents(VECTORS)
    contents |= of_logs | of_starts
    log_vectors = [log_files.parse(text) for text in of_logs.values()]
    content_vectors = [json.loads(line) for text in of_content.values() for line in text.splitlines()]
    contents[ROOT / "docs" / log_coverage.PAGE] = log_coverage.page(*log_vectors, start_files.variants(of_starts))
    contents |= conversations.contents(VECTORS, unjudged) | scenarios.contents(VECTORS, unjudged)
    of_protocol = [vector for family in families_of_protocol.values() for vector in family]
    written = pages.pages(vectors, known_bugs, of_protocol, chain(*log_vectors, content_vectors))
    contents |= {ROOT / "docs" / name: text for name, text in written.items()}
    contents |= {ROOT / "reference" / "kafka_format" / name: text for name, text in value_types.stubs().items()}
    cells = [*measure.measure(vectors, store), *protocol_cells.cells(of_protocol)]
    if not (options.check or options.coverage):
        _write(contents)  # the mutants are put to the vectors that are there
    known, late = _kills(options, vectors, chain.from_iterable(log_vectors), cells)
    late |= _fill_pages(vectors, known, len(of_protocol))
    cells += by_mutant.cells(known, vectors)
    late |= {VECTORS / page.FILE: page.text(cells, vectors), ROOT / "docs" / page.PAGE: page.page(cells, vectors)}
    if options.coverage:
        return _cover(cells, len(vectors))
    if options.check:
        return _check(contents | late) or _empty(cells)
    _write(late)
    for notice in unjudged.notices():
        print(notice, file=sys.stderr)
    return _empty(cells)


def _ask_about_records(
    names: list[str], made: list[files.BuiltVector], cases: list[DirectionCase], record: OracleRecord
) -> bool:
    """Ask releases, or all, about the vectors of records; False if they contradict a verdict."""
    judges = [releases()[name] for name in names or releases()]
    asked = files.for_the_oracle(made)
    record.ask(asked, judges)
    record.save([question.data for question in asked])
    disagreements = files.disagreements(made, record)
    if any(judge.decides for judge in judges):
        disagreements += directions.ask(VECTORS, cases)
    for error in disagreements:
        print(error, file=sys.stderr)
    return not disagreements


def _ask_about_the_protocol() -> int:
    """Ask Kafka's message classes about the protocol's vectors; 2 if they contradict a verdict."""
    if problem := missing(JARS):
        raise NotReadyError("Kafka's message classes cannot be asked", problem)
    families = protocol.make()
    disagreements = protocol.ask(VECTORS, families, JARS)
    for error in disagreements:
        print(error, file=sys.stderr)
    if disagreements:
        return 2
    _write(protocol.contents(VECTORS, protocol.documents(VECTORS, families)))
    return 0


def _fill_pages(vectors: list[dict[str, Any]], kills: Table, of_protocol: int) -> dict[Path, str]:
    """Return the hand-written pages with their generated parts, and the picture of README.md."""
    readme, protocol = ROOT / front_page.PAGE, ROOT / "docs" / pages.ADAPTER_PAGE
    reports = ROOT / "docs" / pages.REPORTS_PAGE
    brokers = ROOT / "docs" / brokers_page.PAGE
    made = {
        readme: front_page.with_example(
            front_page.with_figures(readme.read_text(encoding="utf-8"), vectors, kills, of_protocol)
        ),
        protocol: pages.with_layouts(protocol.read_text(encoding="utf-8")),
        reports: pages.with_limits(reports.read_text(encoding="utf-8")),
        brokers: brokers_page.with_results(brokers.read_text(encoding="utf-8")),
    }
    made |= {ROOT / "docs" / matrix.PICTURE: matrix.picture(results.of(Part.DECODER))}
    made |= {ROOT / "docs" / clients_picture.PICTURE: clients_picture.picture(card.ordered())}
    made |= {ROOT / "docs" / diagnosis_page.PAGE: diagnosis_page.page()}
    made |= {ROOT / "docs" / contributed_page.PAGE: contributed_page.page()} | history_page.files(ROOT / "docs")
    for name, part in log_readers_page.PAGES.items():
        page = ROOT / "docs" / name
        made[page] = log_readers_page.with_findings(page.read_text(encoding="utf-8"), part)
    for name in kind_tables.PAGES:
        page = ROOT / "docs" / name
        made[page] = kind_tables.with_tables((made.get(page) or page.read_text(encoding="utf-8")), name)
    made |= {artifacts.POM: artifacts.text()}
    return made | architecture.files() | compiled_samples.files(ROOT / "docs")


def _compare(jars: Path) -> int:
    """Compare the protocol's layouts with the schemas in a folder of jars; 1 if they differ."""
    differences = compare.check(jars)
    print(*differences, f"{len(differences)} lines differ", sep="\n")
    return 1 if differences else 0


def _kills(
    options: argparse.Namespace,
    vectors: list[dict[str, Any]],
    log_vectors: Iterable[dict[str, Any]],
    cells: list[Cell],
) -> tuple[Table, dict[Path, str]]:
    """Return the kill table of records; the text of all of them, and their page.

    What they lack is asked first, if files are to be written; otherwise the text of a stale one is
    empty.
    """
    of_records = record_kills.RecordKills(VECTORS, vectors, cells)
    of_protocol = protocol_kills.ProtocolKills(VECTORS)
    contents: dict[Path, str] = {}
    for table in (of_records, of_protocol, LogKills(VECTORS, log_vectors), StartKills(VECTORS), ContentKills(VECTORS)):
        is_stale = options.kills or not table.is_in_step(table.known)
        may_ask = not (options.check or options.coverage)
        if is_stale and may_ask:
            table.known = table.ask(table.empty if options.kills else table.known)
        contents[table.file] = "" if is_stale and not may_ask else table.text()
    page = record_kills.page(of_records.known, protocol_kills.page(of_protocol.known))
    return of_records.known, contents | {ROOT / "docs" / "kills.md": page}


def _cover(cells: list[Cell], vectors: int) -> int:
    """Print the coverage and write build/coverage.json; 1 if a cell is empty."""
    print(measure.table(model.count_by_kind(cells)))
    file = ROOT / "build" / "coverage.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(model.document(cells), indent=0) + "\n", encoding="utf-8")
    empty = sum(cell.is_empty for cell in cells)
    print(f"\n{vectors} vectors, {len(cells)} cells, {empty} without a vector; see build/coverage.json")
    return _empty(cells)


def _empty(cells: list[Cell]) -> int:
    """Tell which cells of the coverage are empty; 1 if one is."""
    empty = [cell for cell in cells if cell.is_empty]
    for cell in empty:
        print(f"no vector: {cell.kind}: {cell.name}; add one to vectors/cases", file=sys.stderr)
    return 1 if empty else 0


def _in_columns(contents: dict[Path, str]) -> dict[Path, str]:
    """Return the files with the prose of their pages at 100 columns."""
    return {file: markdown.wrap(text) if file.suffix == ".md" else text for file, text in contents.items()}


def _check(contents: dict[Path, str]) -> int:
    stale = [*drift(_in_columns(contents), ROOT), *attributes.complaints(contents, ROOT)]
    for complaint in stale:
        print(complaint, file=sys.stderr)
    print(f"generate.py --check: {len(contents)} files, {len(stale)} stale")
    return 1 if stale else 0


def _write(contents: dict[Path, str]) -> None:
    for file, text in _in_columns(contents).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        protocol.write(file, text)
        print(f"{file.relative_to(ROOT)}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    sys.exit(main())
