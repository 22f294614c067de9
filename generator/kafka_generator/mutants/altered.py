"""A second reference beside the right one, with edits: what is imported while it is active is wrong on purpose.

Only modules that an edit reaches are imported anew; all others are shared with the right reference, which makes an
alteration cheap. Everything that is to be wrong has to be imported and run while `altered` is active, because modules
import lazily.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType

from kafka_format.spec import data
from kafka_format.spec.layout import Specification
from kafka_format.spec.layout.loader import load

from kafka_generator.mutants.source import PACKAGE, ROOT, Edit, apply, dependents, module_of, spec_root

_SPEC = "spec/"
_LOADER = f"{PACKAGE}.spec.layout.loader"
_COMPILER = f"{PACKAGE}.codec.compiler.structure"
_READINGS = f"{PACKAGE}.codec.readings"
_PLAN = f"{PACKAGE}.codec.compiler.plan"


def specification_edits(edits: Iterable[Edit]) -> tuple[list[Edit], list[Edit]]:
    """Part the edits of spec/, whose paths start with `spec/`, from those of the source."""
    known = list(edits)
    of_spec = [one for one in known if one.file.startswith(_SPEC)]
    return of_spec, [one for one in known if one not in of_spec]


def specification_with(edits: Iterable[Edit]) -> Specification:
    """Load the specification with edits in its files, whose paths start with `spec/`.

    Raises:
        UsageError: a file does not have the old text exactly once.
        LayoutError: it is no specification any more.
    """
    with TemporaryDirectory() as folder:
        spec = Path(folder) / "spec"
        shutil.copytree(data.path("spec"), spec)
        for file, text in apply(edits, spec_root()).items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        return load(spec)


@contextmanager
def altered(edits: Sequence[Edit], specification: Specification | None = None) -> Iterator[None]:
    """Make the reference wrong: by edits of its source and of spec/, or by another specification.

    Raises:
        UsageError: a file does not have the old text exactly once.
    """
    of_spec, of_source = specification_edits(edits)
    spec = specification_with(of_spec) if of_spec else specification
    texts = apply(of_source, ROOT)
    finder = _Finder({module_of(file): (ROOT / file, text) for file, text in texts.items()})
    names = dependents([*finder.edited, *([_LOADER] if spec else [])])
    with _anew(names, finder) as right:
        if spec:
            _tell(spec)
        if _COMPILER in names and _PLAN not in names:
            # The templates are the same, and reading them takes longer than all the rest.
            vars(importlib.import_module(_COMPILER))["environment"] = vars(right[_COMPILER])["environment"]
        with importlib.import_module(_READINGS).interpreter_only():  # edits change its steps; the quick code has none
            yield


def _tell(spec: Specification) -> None:
    """Give the specification to the loader, and to the package that has its function by name."""
    for name in (_LOADER, f"{PACKAGE}.spec.layout"):
        vars(importlib.import_module(name))["specification"] = lambda: spec


@contextmanager
def _anew(names: set[str], finder: _Finder) -> Iterator[Mapping[str, ModuleType]]:
    """Forget these modules, so that they are imported again; yield the right ones, and put them back in the end."""
    right = {name: importlib.import_module(name) for name in names}
    attributes = _of_packages(names)
    for package, child in attributes:
        del vars(package)[child]
    for name in names:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield right
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(right)
        for (package, child), value in attributes.items():
            setattr(package, child, value)


def _of_packages(names: set[str]) -> dict[tuple[ModuleType, str], object]:
    """Return what packages have under the names of these modules: as long as it is there, nothing is imported."""
    found: dict[tuple[ModuleType, str], object] = {}
    for package, _, child in (name.rpartition(".") for name in names):
        if package and child in vars(sys.modules[package]):
            found[sys.modules[package], child] = vars(sys.modules[package])[child]
    return found


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules whose text is edited."""

    def __init__(self, edited: Mapping[str, tuple[Path, str]]) -> None:
        self.edited = edited

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.edited:
            return None
        path, text = self.edited[fullname]
        return importlib.util.spec_from_file_location(fullname, path, loader=_Loader(fullname, path, text))


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from a text that is not quite that of its file."""

    def __init__(self, fullname: str, path: Path, text: str) -> None:
        super().__init__(fullname, str(path))
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.get_filename(fullname), "exec", dont_inherit=True)
