"""One construction, and how it becomes a case."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from kafka_format.errors import FieldPath, FormatError, path_text
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.cases import Case
from kafka_generator.inputs import INPUTS


@dataclass(frozen=True, slots=True)
class Construction:
    """A constructed vector: its bytes, its title, and its rules.

    Attributes:
        id: what it shows, the family first.
        title: the same as a sentence.
        data: the bytes.
        rules: for valid, the rules it is about; for the others, those that may be the broken one.
        verdict: valid, invalid or lenient.
        flag: for lenient.
        twin: id of the valid construction that differs in the fault only.
        input: a name in `INPUTS`.
        recipe: what describes the bytes where they are too many to be written out.
    """

    id: str
    title: str
    data: bytes
    rules: Collection[str]
    verdict: str = "valid"
    flag: str = ""
    twin: str = ""
    input: str = "run"
    recipe: Mapping[str, Any] | None = None

    @property
    def family(self) -> str:
        """The file that the vector stands in."""
        return self.id.split("/")[0]


def finish(construction: Construction) -> Case:
    """Return the case. Where bytes are wrong, the reference says which rule is broken and where.

    Raises:
        LayoutError: it breaks another rule, or none.
    """
    section = Section(f"construction `{construction.id}`", 1, {}, {})
    broken = _expected_error(construction, section) if construction.verdict != "valid" else None
    return Case(
        id=construction.id,
        title=construction.title,
        family=construction.family,
        verdict=construction.verdict,
        rules=(broken.rule,) if broken else tuple(construction.rules),
        flag=construction.flag,
        section=section,
        run=(),
        twin=construction.twin,
        mutate=None,
        broken=broken.rule if broken else "",
        path=broken.path_text if broken else "",
        source=f"construction: {construction.family}",
        input=INPUTS[construction.input],
    )


def _expected_error(construction: Construction, section: Section) -> FormatError:
    try:
        INPUTS[construction.input].decode(construction.data, frozenset())
    except FormatError as error:
        if error.rule in construction.rules:
            return error
        raise section.error(f"is to break {' or '.join(sorted(construction.rules))}, but: {error}") from None
    raise section.error(f"is to be {construction.verdict}, but the reference accepts it")


def in_id(path: FieldPath) -> str:
    """Return a field's path as part of an id: `records-0/key` for `records[0].key`."""
    return path_text(path).replace("[", "-").replace("]", "").replace(".", "/")
