"""Changes of the reference while it runs: what a mutant is made with.

A patch puts another function in the place of one of the reference, in every module that has it by
name, and puts the right one back in the end. Functions are named by themselves
(`patch.skip(sent._check_count)`), so mypy knows whether they are there and what they take, and no
formatting of the reference matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import isgeneratorfunction
from types import ModuleType
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout import Layout, Specification, loader
from kafka_format.spec.layout.model import Field
from kafka_format.spec.layout.versioned import resolver
from kafka_format.spec.layout.yamlfile import suggest
from kafka_format.spec.rules import rules
from kafka_tools.errors import UsageError

from kafka_generator.mutants.reach import Reached
from kafka_generator.mutants.reference import code_of, fresh, of_specification, place_of, reference_modules
from kafka_generator.mutants.specifications import replace_parts

P = ParamSpec("P")
R = TypeVar("R")


class _Change(NamedTuple):
    """One attribute that was changed, and what it was before."""

    owner: ModuleType | type
    name: str
    right: object


class Patch:
    """The changes that one mutant makes."""

    def __init__(self) -> None:
        self._changes: list[_Change] = []
        self._reach: set[Reached] | None = set()

    @property
    def is_empty(self) -> bool:
        """True if nothing was changed."""
        return not self._changes

    def is_met(self, reached: frozenset[Reached]) -> bool:
        """Tell whether the right reference, by all that it reaches, meets something changed."""
        return self._reach is None or not self._reach.isdisjoint(reached)

    def replace(self, right: Callable[P, R], wrong: Callable[P, R]) -> None:
        """Put `wrong` in the place of a function, or of a method given as `Class.method`.

        Raises:
            UsageError: nothing has `right` under its name.
        """
        owner, name = place_of(right)
        self._meet(code_of(right))
        if isinstance(owner, type):
            self._set(owner, name, wrong)
            return
        for module in reference_modules():
            for alias, value in list(vars(module).items()):
                if value is right:
                    self._set(module, alias, wrong)

    def wrap(self, right: Callable[P, R], wrong: Callable[Concatenate[Callable[P, R], P], R]) -> None:
        """Replace a function by `wrong`, which gets the right one before the arguments."""

        @wraps(right)
        def bound(*args: P.args, **kwargs: P.kwargs) -> R:
            return wrong(right, *args, **kwargs)

        self.replace(right, bound)

    def result(self, right: Callable[P, R], change: Callable[[R], R]) -> None:
        """Let a function return what `change` makes of its result."""

        def wrong(right: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
            return change(right(*args, **kwargs))

        self.wrap(right, wrong)

    def within(self, function: Callable[P, R], change: Callable[[Patch], None]) -> None:
        """Let a change hold only while a function runs.

        Raises:
            UsageError: it is a generator, which runs after it was called.
        """
        if isgeneratorfunction(function):
            raise UsageError(f"{function.__qualname__} is a generator.", "Name a function that calls it.")

        def wrong(right: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
            inner = Patch()
            try:
                change(inner)
                return right(*args, **kwargs)
            finally:
                inner.undo()

        self.wrap(function, wrong)

    def always(self, right: Callable[P, R], *, returns: R) -> None:
        """Let a function return one value, whatever it is given."""
        self.replace(right, lambda *_args, **_kwargs: returns)

    def skip(self, check: Callable[P, None]) -> None:
        """Let a function that returns nothing do nothing."""
        self.replace(check, lambda *_args, **_kwargs: None)

    def refuse(self, right: Callable[P, R], when: Callable[P, object]) -> None:
        """Let a function raise a ValueError for arguments that `when` is true of."""

        def wrong(right: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
            if when(*args, **kwargs):
                raise ValueError
            return right(*args, **kwargs)

        self.wrap(right, wrong)

    def refuse_result(self, right: Callable[P, R], when: Callable[[R], object]) -> None:
        """Let a function raise a ValueError instead of returning what `when` is true of."""

        def wrong(right: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
            result = right(*args, **kwargs)
            if when(result):
                raise ValueError
            return result

        self.wrap(right, wrong)

    def constant(self, module: ModuleType, name: str, value: object) -> None:
        """Give a constant of a module another value, also in modules that have it from there.

        Raises:
            UsageError: the module has no such constant.
        """
        if name not in vars(module):
            raise UsageError(f"{module.__name__} has no {name}.", suggest(name, vars(module)))
        right = vars(module)[name]
        self._meet(None)
        for user in reference_modules():
            if vars(user).get(name) is right:
                self._set(user, name, value)

    def allow(self, *broken: str) -> None:
        """Let these rules not be checked where fields are read.

        Raises:
            UsageError: there is no such rule.
        """
        for rule in broken:
            if rule not in rules():
                raise UsageError(f"there is no rule `{rule}`.", suggest(rule, rules()))
        self.wrap(Reader.allows, lambda right, self, rule: rule in broken or right(self, rule))

    def layout(self, name: str, change: Callable[[Layout], Layout]) -> None:
        """Let the reference read and write by a changed layout."""
        layout = loader.find(name)
        self.specification(replace_parts(loader.specification(), layouts={layout.name: change(layout)}))

    def field(self, layout: str, name: str, **changes: Any) -> None:
        """Change attributes of one field of a layout.

        Raises:
            UsageError: the layout has no such field.
            TypeError: a field has no such attribute.
        """
        right = _field(layout, name)
        wrong = replace(right, **changes)
        fields = tuple(wrong if field is right else field for field in loader.find(layout).fields)
        self.layout(layout, lambda layout: replace(layout, fields=fields))

    def remove(self, layout: str, name: str) -> None:
        """Take a field out of a layout.

        Raises:
            UsageError: the layout has no such field.
        """
        fields = tuple(field for field in loader.find(layout).fields if field is not _field(layout, name))
        self.layout(layout, lambda layout: replace(layout, fields=fields))

    def form(self, name: str, **changes: Any) -> None:
        """Change attributes of a form, a kind of length and content."""
        right = loader.specification().forms[name]
        self.specification(replace_parts(loader.specification(), forms={name: replace(right, **changes)}))

    def enum(self, name: str, values: Mapping[int, str]) -> None:
        """Give an enumeration other numbers and names."""
        right = loader.specification().enums[name]
        self._meet(None)  # enumerations have other users than layouts
        self.specification(replace_parts(loader.specification(), enums={name: replace(right, values=values)}))

    def specification(self, wrong: Specification) -> None:
        """Let the reference be made of another specification."""
        right = loader.specification()
        for layout in right.layouts.values():
            if wrong.layouts[layout.name] != layout:
                self._meet(layout.name)
        self.result(loader.specification, lambda _: wrong)
        for cached in of_specification():
            self.replace(cached, fresh(cached))

    def versions(self, change: Callable[[Layout], Layout]) -> None:
        """Let every version of the protocol's layouts be read and written by a changed layout."""
        self._meet(None)
        self.result(resolver.resolve, change)

    def undo(self) -> None:
        """Put the right ones back."""
        while self._changes:
            owner, name, right = self._changes.pop()
            setattr(owner, name, right)

    def _meet(self, place: Reached | None) -> None:
        """Note what is wrong now; None is something that cannot be told from a vector's reach."""
        if place is None:
            self._reach = None
        elif self._reach is not None:
            self._reach.add(place)

    def _set(self, owner: ModuleType | type, name: str, wrong: object) -> None:
        self._changes.append(_Change(owner, name, vars(owner)[name]))
        setattr(owner, name, wrong)


def _field(layout: str, name: str) -> Field:
    fields = {field.name: field for field in loader.find(layout).fields}
    if name not in fields:
        raise UsageError(f"{layout} has no field `{name}`.", suggest(name, fields))
    return fields[name]
