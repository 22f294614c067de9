"""A mutant: the reference with one thing changed on purpose, and all else right.

`family` gives the decorator by which the modules of `families` declare theirs.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, Final

from kafka_conformance.errors import UsageError
from kafka_format.spec.layout.yamlfile import suggest
from kafka_format.spec.rules import rules

from kafka_generator.mutants.patch import Patch

Change = Callable[[Patch], None]
"""What makes the reference wrong."""

PROTOCOL: Final = ("decode-protocol", "encode-protocol")
"""What a mutant of requests, responses and schema records can be wrong in."""

DIRECTIONS: Final = ("decode", "encode", "deliver", "assign", "convert", *PROTOCOL)
"""What a mutant can be wrong in."""

MUTATION: Final = ("mutation",)
"""The source of a likely misreading that nobody has reported."""


@dataclass(frozen=True)
class Mutant:
    """One thing that is wrong on purpose.

    Attributes:
        id: stable name: what is concerned, and what is wrong with it.
        does: the sentence that tells what it does wrong.
        direction: what it is wrong in, one of `DIRECTIONS`.
        family: what it is grouped with.
        source: where it is drawn from: bug reports (`owner/repository#number` or
            `owner/repository@commit`), or `mutation`.
        change: makes the reference wrong.
        rules: the rules that it breaks and no bytes can; one of their vectors must kill it.
    """

    id: str
    does: str
    direction: str
    family: str
    source: tuple[str, ...]
    change: Change
    rules: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Changes when `change` does something else, or does it in another way."""
        return digest(self.change)


_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef)
_declared: Final[dict[str, Mutant]] = {}


def all_mutants() -> list[Mutant]:
    """Return the mutants that were declared so far."""
    return list(_declared.values())


def family(direction: str, name: str) -> Callable[..., Callable[[Change], Change]]:
    """Return the decorator that declares one family's mutants, to stand before their changes.

    It takes the id, and `rules` and `source` as `Mutant` has them; without a source it is
    `mutation`. The docstring of the function is what the mutant does.

    Raises:
        UsageError: a declaration is wrong: it says which, and what is wrong with it.
    """
    if direction not in DIRECTIONS:
        raise UsageError(f"there is no direction `{direction}`.", suggest(direction, DIRECTIONS))

    def mutant(id_: str, *, rules: Sequence[str] = (), source: Sequence[str] = MUTATION) -> Callable[[Change], Change]:
        def declare(change: Change) -> Change:
            does = " ".join((inspect.getdoc(change) or "").split())
            _check(id_, does, rules)
            _declared[id_] = Mutant(id_, does, direction, name, tuple(source), change, tuple(rules))
            return change

        return declare

    return mutant


def _check(id_: str, does: str, broken: Sequence[str]) -> None:
    if id_ in _declared:
        raise UsageError(f"`{id_}` is declared twice.", "Give one of them another id.")
    if not does.endswith("."):
        raise UsageError(f"{id_} has no docstring.", "Say in one sentence what the mutant does.")
    for rule in broken:
        if rule not in rules():
            raise UsageError(f"{id_}: there is no rule `{rule}`.", suggest(rule, rules()))


def digest(change: Change) -> str:
    """Return a digest of a change's program text, with its module's functions that it calls.

    Formatting, comments, docstrings and decorators do not count, and all releases of Python give
    the same.
    """
    definitions = _definitions(inspect.getmodule(change))
    needed, waiting = set[str](), [change.__name__]
    while waiting:
        name = waiting.pop()
        needed.add(name)
        names = {node.id for node in ast.walk(definitions[name]) if isinstance(node, ast.Name)}
        waiting += sorted(names & definitions.keys() - needed)
    return hashlib.sha256(repr([_plain(definitions[name]) for name in sorted(needed)]).encode()).hexdigest()[:8]


def program(source: str) -> str:
    """Return a module's program text without what digests leave out: see `digest`."""
    return repr(_plain(ast.parse(source)))


@cache
def _definitions(module: ModuleType) -> dict[str, ast.stmt]:
    """Return the functions and constants of a module by name."""
    definitions: dict[str, ast.stmt] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        match node:
            case ast.FunctionDef(name=name):
                definitions[name] = node
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                definitions[name] = node
    return definitions


def _plain(node: Any) -> Any:
    """Return a part of a program as tuples."""
    if isinstance(node, list):
        return tuple(map(_plain, node))
    return (type(node).__name__, *_fields(node)) if isinstance(node, ast.AST) else node


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name, value in ast.iter_fields(node):
        has_docstring = name == "body" and isinstance(node, _DOCUMENTED) and ast.get_docstring(node)
        kept = value[1:] if has_docstring else value
        if name != "decorator_list" and kept not in (None, []):
            yield name, _plain(kept)
