"""The pages of the specification and the targets: every table is made here, so none can drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafka_conformance.child import deaths, losses
from kafka_conformance.kinds.decoder import kind as decoder_kind
from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.target_kind import TargetKind
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    AllDefaults,
    Array,
    BytesAfter,
    Checksum,
    CountOf,
    Field,
    Fixed,
    Integer,
    LastItem,
    Layout,
    minimum_size,
)
from kafka_format.spec.releases import releases
from kafka_format.spec.rules import rules

from kafka_generator import clients_page, findings_page, message_findings_page, protocol_pages
from kafka_generator.bugs import Bug
from kafka_generator.markdown import environment, fill

if TYPE_CHECKING:
    from kafka_format.sampler import Fault

_FAMILIES = {
    "primitive": "Forms of strings and bytes",
    "message": "Messages of 0.7, v0 and v1",
    "batch": "Record batches (v2)",
    "control": "Control records",
    "compression": "Compression framing",
    "framing": "Around requests, responses and records",
    "log": "Files of a data directory",
    "content": "Inside keys and values",
    "v07": "Requests and responses of 0.7",
}

_OURS = "adapter/"
_INTERNAL = "adapter/oracle/"
"""Frames that the generator alone sends."""
"""Where the layouts of our own protocol stand; the others are Kafka's."""

ADAPTER_PAGE = "adapter-protocol.md"
REPORTS_PAGE = "reports.md"

_PAGES = ("layouts.md", "rules.md", "flags.md", "bugs.md", "targets.md", "faults.md")


def pages(
    vectors: Iterable[Mapping[str, Any]],
    bugs: Sequence[Bug] = (),
    of_protocol: Sequence[Mapping[str, Any]] = (),
    of_others: Iterable[Mapping[str, Any]] = (),
) -> dict[str, str]:
    """Return the text of every page by file name.

    Args:
        vectors: every vector of records, as JSON has it.
        bugs: what users reported.
        of_protocol: every vector of the protocol, the same.
        of_others: the vectors of log directories, and of keys and values.
    """
    spec = specification()
    known = list(vectors)
    values = {
        "families": _by_family(layout for layout in spec.layouts.values() if not layout.file.startswith(_OURS)),
        "forms": spec.forms.values(),
        "enums": spec.enums.values(),
        **OF_LAYOUTS,
        "rules": rules().values(),
        "files": list(dict.fromkeys(rule.file for rule in rules().values())),
        "broken_by": Counter(rule.broken_by for rule in rules().values()),
        "loosened": _flags_by_rule(known),
        "faults": _faults(),
        "flags": flags(),
        "bugs": bugs,
        "subjects": {subject: list(about) for subject, about in groupby(bugs, lambda bug: bug.subject)},
        "releases": releases(),
        "vector_counts": _vectors_by_rule([*known, *of_protocol], of_others),
        "flag_counts": Counter(vector["flag"] for vector in known if "flag" in vector),
        **_targets(),
    }
    templates = environment(Path(__file__).parent / "templates")
    made = {name: templates.get_template(f"{name}.j2").render(values) for name in _PAGES}
    return made | _findings_pages(known, of_protocol) | protocol_pages.pages(of_protocol)


def _vectors_by_rule(vectors: Iterable[Mapping[str, Any]], others: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Count the vectors of each rule: those that name it, and those that break it."""
    counts = Counter(rule for vector in vectors for rule in vector["rules"])
    for vector in others:
        counts.update({*vector.get("rules", ()), *vector.get("breaks", ()), *filter(None, [vector.get("rule")])})
    return counts


def _findings_pages(vectors: Sequence[Mapping[str, Any]], of_protocol: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the pages about what targets get wrong, by file name."""
    values = {
        "findings.md": findings_page.values(vectors),
        "protocol-findings.md": message_findings_page.values(of_protocol),
        clients_page.PAGE: clients_page.values(),
        "consumer-findings.md": {
            "groups": catalogue.about(Part.CONSUMER).values(),
            "part": "consumer",
            "met": "What serves it",
        },
        "producer-findings.md": {
            "groups": catalogue.about(Part.PRODUCER).values(),
            "part": "producer",
            "met": "Who meets it",
        },
    }
    templates = environment(Path(__file__).parent / "templates")
    return {name: templates.get_template(f"{name}.j2").render(values[name]) for name in values}


def with_layouts(page: str) -> str:
    """Return docs/adapter-protocol.md with the tables of its layouts made anew."""
    layouts = [layout for layout in specification().layouts.values() if layout.file.startswith(_OURS)]
    ours = [layout for layout in layouts if not layout.file.startswith(_INTERNAL)]
    template = environment(Path(__file__).parent / "templates").get_template("adapter_layouts.md.j2")
    return fill(page, "layouts", template.render(layouts=ours, **OF_LAYOUTS))


def with_limits(page: str) -> str:
    """Return docs/reports.md with the table of how often a target may die made anew."""
    template = environment(Path(__file__).parent / "templates").get_template("death_limits.md.j2")
    rendered = template.render(messages=deaths.LIMITS, records=decoder_kind.DEATHS, hang=deaths.HANG, all=vars(losses))
    return fill(page, "limits", rendered)


def _faults() -> Sequence[Fault]:
    from kafka_format.sampler import FAULTS  # noqa: PLC0415 - numpy

    return [fault for fault in FAULTS if fault.name]


def _targets() -> dict[str, Any]:
    targets = list(manifest.of_kind(TargetKind.DECODER, TargetKind.LOG_READER).values())
    programs: dict[str, list[str]] = {}
    for target in targets:
        for program, advice in target.needs.items():
            programs.setdefault(program, [])
            programs[program] += [advice] if advice not in programs[program] else []
    versions = sum(len(target.all_versions) for target in targets)
    return {"targets": targets, "target_versions": versions, "programs": programs}


def _by_family(layouts: Iterable[Layout]) -> dict[str, list[Layout]]:
    by_family: dict[str, list[Layout]] = {}
    for layout in layouts:
        folder = layout.file.split("/")[1]
        by_family.setdefault(_FAMILIES.get(folder, folder), []).append(layout)
    order = [*_FAMILIES.values(), *by_family]
    return {name: by_family[name] for name in sorted(by_family, key=order.index)}


def _size(field: Field) -> str:
    """Return how many bytes a field takes, as far as the layout fixes it."""
    if isinstance(field.type, Integer | Fixed):
        return f"0 or {field.type.size}" if field.when else str(field.type.size)
    least = minimum_size(field.type)
    return f"{least} or more" if least and not isinstance(field.type, Array) else "any"


def _there(field: Field) -> str:
    """Say when a field is there."""
    parts = []
    for condition in field.when:
        values = " or ".join(str(value) for value in sorted(condition.values))
        parts.append(f"`{condition.by}.{condition.bits.name}` is {values}")
    return " and ".join(parts)


def _default_text(field: Field) -> str:
    """Say what an encoder writes where no value is given."""
    match field.computed:
        case BytesAfter():
            return "bytes after it"
        case Checksum(algorithm=algorithm, first=first):
            return f"{algorithm} from `{first}` to the end"
        case CountOf(array=array):
            return f"count of `{array}`"
        case _:
            return f"always {field.const}" if field.const is not None else _default(field)


def _default(field: Field) -> str:
    if isinstance(field.default, LastItem):
        return f"last `{field.default.array}`: `{field.default.item_field}`"
    if not field.has_default:
        return ""
    if isinstance(field.default, AllDefaults):
        return "its defaults"
    if field.default is None:
        return "null"
    return str(field.default) if isinstance(field.default, int) else "none"


def _own_rules(field: Field) -> list[str]:
    """Return the rules that the field names itself, beyond those that all fields share."""
    shared = set(Field("", field.type, "", 0).rules.values())
    return list(dict.fromkeys(rule for rule in field.rules.values() if rule not in shared))


def _flags_by_rule(vectors: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return flags by rule: those that relax all of it, or by a vector a part."""
    by_rule: dict[str, dict[str, None]] = {rule: {} for rule in rules()}
    for flag in flags().values():
        for rule in flag.relaxes:
            by_rule[rule][flag.name] = None
    for vector in vectors:
        if "flag" in vector:
            by_rule[vector["fault"]["rule"]][vector["flag"]] = None
    return {rule: list(names) for rule, names in by_rule.items()}


OF_LAYOUTS: dict[str, Any] = {
    "size": _size,
    "filled": _default_text,
    "named": lambda names: ", ".join(f"{number} {word}" for number, word in names.values.items()),
    "there": _there,
    "own_rules": _own_rules,
}
"""What the table of a layout is made with."""
