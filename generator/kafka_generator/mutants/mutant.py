"""A mutant: the reference with one thing changed on purpose, and all else right.

`family` gives the decorator by which the modules of `families` declare theirs.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from kafka_format.spec.layout.yamlfile import suggest
from kafka_format.spec.rules import rules
from kafka_tools.errors import UsageError

from kafka_generator.mutants.patch import Patch

Change = Callable[[Patch], None]
"""What makes the reference wrong."""

PROTOCOL: Final = ("decode-protocol", "encode-protocol")
"""What a mutant of requests, responses and schema records can be wrong in."""

LOG: Final = "read-log"
"""What a mutant of readers of log directories is wrong in."""

CONTENT: Final = "read-content"
"""What a mutant of readers of keys and values is wrong in."""

START: Final = "read-start"
"""What a mutant of readers of starts is wrong in."""

DIRECTIONS: Final = ("decode", "encode", "deliver", "assign", "convert", *PROTOCOL, LOG, START, CONTENT)
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
_SCOPES: Final = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_VARIABLES: Final = {
    (ast.Name, "id"),
    (ast.arg, "arg"),
    (ast.FunctionDef, "name"),
    (ast.ExceptHandler, "name"),
    (ast.MatchAs, "name"),
    (ast.MatchStar, "name"),
    (ast.MatchMapping, "rest"),
}
"""Where a program says the name of a variable."""

_declared: Final[dict[str, Mutant]] = {}


def declared_in(package: ModuleType) -> list[Mutant]:
    """Return the mutants that the modules of a package declare, by direction and family.

    Raises:
        UsageError: a declaration is wrong.
    """
    modules = [module.name for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")]
    for name in modules:
        import_module(name)
    found = (mutant for mutant in _declared.values() if mutant.change.__module__ in modules)
    return sorted(found, key=lambda mutant: (mutant.direction, mutant.family))


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

    Formatting, comments, docstrings, decorators and the names of local variables do not count, and
    all releases of Python give the same.
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


def _plain(node: Any, names: Mapping[str, str] | None = None) -> Any:
    """Return a part of a program as tuples; `names` are what the local variables are called in it.

    They are None outside of functions.
    """
    if names is None and isinstance(node, _SCOPES):
        names = _local_names(node)
    if isinstance(node, list):
        return tuple(_plain(item, names) for item in node)
    return (type(node).__name__, *_fields(node, names)) if isinstance(node, ast.AST) else node


def _fields(node: ast.AST, names: Mapping[str, str] | None) -> Iterator[tuple[str, Any]]:
    for name, value in ast.iter_fields(node):
        has_docstring = name == "body" and isinstance(node, _DOCUMENTED) and ast.get_docstring(node)
        kept = value[1:] if has_docstring else value
        if name != "decorator_list" and kept not in (None, []):
            if names is not None and (type(node), name) in _VARIABLES:
                yield name, names.get(kept, kept)
            else:
                yield name, _plain(kept, names)


def _local_names(scope: ast.AST) -> dict[str, str]:
    """Return by number the names that a function binds, in nested functions and loops too.

    Arguments that are given by keyword alone keep theirs, since callers say them. (Those of other
    arguments mypy compares with the right function's.)
    """
    nodes = list(ast.walk(scope))
    said = {argument.arg for node in nodes if isinstance(node, ast.arguments) for argument in node.kwonlyargs}
    said |= {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    bound = dict.fromkeys(name for node in nodes if node is not scope and (name := _bound_name(node)))
    return {name: f"local {number}" for number, name in enumerate(bound) if name not in said}


def _bound_name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ExceptHandler(name=name):
            return name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
            return name
    return None
