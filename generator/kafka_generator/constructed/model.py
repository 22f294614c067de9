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
    """Bytes, what they show, and what must be said of them.

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


def finish(one: Construction) -> Case:
    """Return the case. Where bytes are wrong, the reference says which rule is broken and where.

    Raises:
        LayoutError: it breaks another rule, or none.
    """
    section = Section(f"construction `{one.id}`", 1, {}, {})
    broken = _broken(one, section) if one.verdict != "valid" else None
    return Case(
        id=one.id,
        title=one.title,
        family=one.family,
        verdict=one.verdict,
        rules=(broken.rule,) if broken else tuple(one.rules),
        flag=one.flag,
        section=section,
        run=(),
        twin=one.twin,
        mutate=None,
        broken=broken.rule if broken else "",
        path=broken.path_text if broken else "",
        source=f"construction: {one.family}",
        input=INPUTS[one.input],
    )


def _broken(one: Construction, section: Section) -> FormatError:
    try:
        INPUTS[one.input].decode(one.data, frozenset())
    except FormatError as error:
        if error.rule in one.rules:
            return error
        raise section.error(f"is to break {' or '.join(sorted(one.rules))}, but: {error}") from None
    raise section.error(f"is to be {one.verdict}, but the reference accepts it")


def in_id(path: FieldPath) -> str:
    """Return a field's path as part of an id: `records-0/key` for `records[0].key`."""
    return path_text(path).replace("[", "-").replace("]", "").replace(".", "/")
