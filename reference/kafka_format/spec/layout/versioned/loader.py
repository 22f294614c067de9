"""The head of a versioned layout: what it is, its versions, and which releases had them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, cast

from kafka_format.spec.layout.model import Enumeration, Surplus
from kafka_format.spec.layout.release_names import check_order, release_text, span_text
from kafka_format.spec.layout.versioned.checks import check_no_map_keys, former_names, versions_under
from kafka_format.spec.layout.versioned.fields import FieldBuilder
from kafka_format.spec.layout.versioned.model import KINDS, Kind, VersionedLayout
from kafka_format.spec.layout.versioned.versions import Versions
from kafka_format.spec.layout.yamlfile import Section, suggest

_KEYS: Final = (
    "layout", "title", "doc", "kafka", "kind", "api", "number", "topic", "behind", "source", "versions", "flexible",
    "since", "until", "unstable", "formerly", "variant_of", "surplus", "structures", "fields",
)  # fmt: skip
_HIGHEST: Final = 32767
"""The highest version that an int16 can tell."""


def build(
    top: Section, enumeration: Callable[[Section, str], Enumeration | None], is_layout: Callable[[str], bool]
) -> VersionedLayout:
    """Build a versioned layout from its file.

    Args:
        top: the file.
        enumeration: gives the enumeration that a key of a section names; None if there is no such
            key.
        is_layout: tells whether there is a versioned layout of that name.

    Raises:
        LayoutError: the file is wrong; the message has file, line and advice.
    """
    top.only(*_KEYS)
    name = top.name("layout")
    versions = _versions(top)
    flexible = _flexible(top, versions)
    builder = FieldBuilder(versions, flexible, enumeration, is_layout)
    builder.common(top.sections("structures"))
    body = builder.structure(name, top, versions)
    check_no_map_keys(top, body)
    builder.check_used()
    kind = _kind(top)
    since = _releases(top, "since", versions, whole=True)
    until = _releases(top, "until", versions, whole=False)
    for version, release in until.items():
        check_order(top.section("until"), since[version], release)
    return VersionedLayout(
        name=name,
        title=top.text("title", required=True),
        doc=top.text("doc"),
        file=top.file,
        kafka=top.text("kafka", required=True),
        kind=kind,
        api=_number(top, "api", wanted=kind in ("request", "response")),
        number=_number(top, "number", wanted=kind.startswith("record")),
        topic=top.text("topic"),
        behind=top.text("behind"),
        source=top.text("source"),
        versions=versions,
        flexible=flexible,
        since=since,
        until=until,
        unstable=_releases(top, "unstable", versions, whole=False),
        formerly=former_names(top),
        variant_of=_variant_of(top, is_layout),
        surplus=tuple(_surplus(section, versions, kind) for section in top.sections("surplus")),
        body=body,
    )


def _versions(top: Section) -> Versions:
    versions = versions_under(top, "versions", Versions(0, _HIGHEST), "the protocol")
    if not versions.numbers or versions.highest == _HIGHEST:
        raise top.error("a layout has a first and a last version", key="versions", advice="write `versions: 0-3`")
    return versions


def _flexible(top: Section, versions: Versions) -> Versions:
    flexible = versions_under(top, "flexible", versions, "the layout")
    if flexible.numbers and flexible.highest != versions.highest:
        raise top.error("versions stay flexible once they are", key="flexible", advice=f"write `{flexible.lowest}+`")
    return flexible


def _kind(top: Section) -> Kind:
    word = top.text("kind", required=True)
    if word not in KINDS:
        raise top.error(f"`{word}` is not a kind of layout", key="kind", advice=suggest(word, KINDS))
    return cast("Kind", word)


def _number(top: Section, key: str, *, wanted: bool) -> int | None:
    number = top.number(key)
    if wanted and number is None:
        raise top.error(f"has no `{key}`", key="kind", advice=f"write `{key}: NUMBER`")
    if number is not None and not wanted:
        raise top.error(f"a layout of this kind has no `{key}`", key=key)
    if number is not None and not 0 <= number <= _HIGHEST:
        raise top.error(f"{number} is not a number of 0 to {_HIGHEST}", key=key, advice="it is an int16 on the wire")
    return number


def _variant_of(top: Section, is_layout: Callable[[str], bool]) -> str:
    name = top.text("variant_of")
    if name and not is_layout(name):
        raise top.error(f"there is no layout `{name}`", key="variant_of", advice="write the name of the usual one")
    return name


def _surplus(section: Section, versions: Versions, kind: Kind) -> tuple[Versions, Surplus]:
    section.only("versions", "hex", "writer", "doc")
    if kind != "request":
        raise section.error(
            f"a {kind} has no `surplus`", key="hex", advice="brokers ignore bytes after requests; clients may not"
        )
    try:
        contents = tuple(bytes.fromhex(text) for text in section.texts("hex"))
    except ValueError:
        raise section.error("`hex` is no bytes", key="hex", advice='write `hex: ["00000000"]`') from None
    if not contents or not all(contents):
        raise section.error("`hex` has no bytes", key="hex", advice='write `hex: ["00000000"]`')
    writer, doc = section.text("writer", required=True), section.text("doc", required=True)
    return versions_under(section, "versions", versions, "the layout"), Surplus(contents, writer, doc)


def _releases(top: Section, key: str, versions: Versions, *, whole: bool) -> Mapping[int, str]:
    """Return the releases under a key, by version; `whole` if every version needs one."""
    section = top.section(key)
    releases: dict[int, str] = {}
    for text in section.values:
        try:
            covered = Versions.parse(text, versions.highest)
        except ValueError as error:
            raise section.error(str(error), key=text, advice='write `{0-3: "1.1", 4: "2.0"}`') from None
        for version in covered.numbers:
            if version not in versions or version in releases:
                raise section.error(f"version {version} is none of {versions}, or appears twice", key=text)
            releases[version] = (
                span_text(section, text) if key == "unstable" else release_text(section, text, required=True)
            )
    missing = [version for version in versions.numbers if version not in releases]
    if whole and missing:
        raise top.error(f"`{key}` says nothing of version {missing[0]}", key=key)
    return MappingProxyType(releases)
