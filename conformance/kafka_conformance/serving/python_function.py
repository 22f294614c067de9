"""A `python:module:function` target: any function from bytes to records, made fit to be served.

Records may be mappings or objects. Compared are offset, timestamp, key, value and headers, and of
the other fields of a record those that the function returns for plain records. The module may
declare other fields in a dictionary `HELLO`, with the keys of a hello: fields, formats, codecs,
checks_crc, name, version, url.
"""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any

from kafka_format import records
from kafka_format.records import Header, Record
from kafka_format.records.formats import MAGICS
from kafka_tools.errors import UsageError

from kafka_conformance.protocol.hello import CODECS, FIELDS, Direction, Hello
from kafka_conformance.serving import error_text, trial
from kafka_conformance.serving.functions import Served

USUAL_FIELDS = ("offset", "timestamp", "key", "value", "headers")
"""The fields that a function returns unless its module says otherwise."""

_MORE_FIELDS = tuple(field for field in FIELDS if field not in {*USUAL_FIELDS, "control"})
"""What it may return besides; control records are left out unless its module declares them."""

_MAY_DECLARE = set(Hello.__dataclass_fields__) - {"directions", "partial"}


def load(target: str) -> Served:
    """Import a `module:function` of the user's, ready to be served.

    It decodes plain records first, in a process of its own, so that records which are not as
    declared are reported once, before any vector, and so that no field which they have goes unseen.

    Raises:
        UsageError: there is no such thing, it declares what there is not, or its records lack what
            it declares.
    """
    function = PythonFunction(target)
    function.try_out()
    return Served(function.hello, function.decode, function.record)


class PythonFunction:
    """An imported decode function.

    Attributes:
        hello: what it declares.
        decode: the function itself.
    """

    def __init__(self, target: str) -> None:
        """Import what `module:function` names.

        Raises:
            UsageError: the module does not import, has no such function, or declares what there is
                not.
        """
        module_name, _, function_name = target.partition(":")
        if not module_name or not function_name:
            raise UsageError(f"{target!r} is not module:function.", "For example: python:my_decoder:decode.")
        module = _import(module_name)
        function = getattr(module, function_name, None)
        if not callable(function):
            raise UsageError(f"{module_name} has no function {function_name!r}.", "Write it as python:module:function.")
        self._target = target
        self._declares_fields = "fields" in getattr(module, "HELLO", {})
        self.hello = _hello(target, module)
        self.decode: Callable[[bytes], Iterable[Any]] = (
            function if "control" in self.hello.fields else _without_control(function)
        )

    def try_out(self) -> None:
        """Decode plain records of the newest format that it declares, and look at what comes back.

        Unless its module declares the fields, those that all the records have are compared, too.
        What it refuses or gets wrong is for the vectors to tell, and so are crashes and hangs: it
        is tried in a process of its own.

        Raises:
            UsageError: a declared field is missing, or of a kind that no answer can hold.
        """
        magic = max((number for name, number in MAGICS.items() if name in self.hello.formats), default=None)
        if magic is None:
            return
        more = trial.try_apart(partial(self._try, records.encode(_PLAIN[magic], magic=magic)))
        if more and not self._declares_fields:
            fields = tuple(field for field in FIELDS if field in {*self.hello.fields, *more})
            self.hello = replace(self.hello, fields=fields)

    def _try(self, data: bytes) -> list[str]:
        """Return what its records have besides what is declared."""
        try:
            items = list(self.decode(data))
        except Exception:  # noqa: BLE001 - a decoder may raise anything
            return []
        for item in items:
            self.record(item)
        return [field for field in _MORE_FIELDS if items and all(self._has(item, field) for item in items)]

    def _has(self, item: Any, field: str) -> bool:
        try:
            self._field(item, field)
        except UsageError:
            return False
        return True

    def record(self, item: Any) -> Record:
        """Turn what the function returned into a record; fields that are not declared are zero.

        Raises:
            UsageError: a declared field is missing, or of a kind that no answer can hold.
        """
        values = {field: self._field(item, field) for field in self.hello.fields}
        return Record(**{**_ZERO, **values})

    def _field(self, item: Any, field: str) -> Any:
        try:
            value = item[field] if isinstance(item, Mapping) else getattr(item, field)
        except (KeyError, AttributeError):
            hint = "Declare in HELLO = {'fields': [...]} which fields the records have."
            raise UsageError(f"{self._target} returned a record without the field {field}.", hint) from None
        try:
            return _KINDS[field](value)
        except (TypeError, ValueError):
            raise UsageError(f"{self._target} returned {value!r} as {field} of a record.", _ADVICE) from None


def _without_control(function: Callable[[bytes], Iterable[Any]]) -> Callable[[bytes], Iterable[Any]]:
    """Leave out control records, as adapters do that do not declare `control`.

    A function may give them all the same, with `control` set: what decodes whole batches does.
    """

    def decode(data: bytes) -> Iterable[Any]:
        return (item for item in function(data) if not _is_control(item))

    return decode


def _is_control(item: Any) -> bool:
    return bool(item.get("control") if isinstance(item, Mapping) else getattr(item, "control", False))


_TIME = 1_700_000_000_000
_V1 = (Record(7, _TIME, 0, b"key", b"value"), Record(8, _TIME + 1000, 0, None, b""))
_V0 = tuple(record._replace(timestamp=-1, timestamp_type=-1) for record in _V1)
_V2 = (*_V1, Record(9, _TIME + 2000, 0, b"key", None, (Header(b"header", b"content"),)))
_PLAIN = (_V0, _V1, _V2)
"""Records to try a function with, by magic."""

_BITS = 64

_ADVICE = (
    "Integers are int of at most 64 bits, key and value are bytes or None, "
    "headers are pairs of bytes, and bytes or None."
)


def _integer(value: object) -> int:
    """Return an integer of 64 bits; Python has larger ones, and a decoder may return them."""
    if isinstance(value, int) and -(1 << _BITS - 1) <= value < 1 << _BITS - 1:
        return int(value)
    raise TypeError


def _octets(value: object) -> bytes | None:
    if value is None or isinstance(value, bytes | bytearray | memoryview):
        return None if value is None else bytes(value)
    raise TypeError


def _headers(value: Iterable[tuple[bytes, bytes | None]]) -> tuple[Header, ...]:
    return tuple(Header(_octets(key) or b"", _octets(content)) for key, content in value)


_KINDS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(FIELDS, _integer),
    **dict.fromkeys(("key", "value"), _octets),
    **dict.fromkeys(("transactional", "control"), bool),
    "headers": _headers,
}

_ZERO: Mapping[str, Any] = {
    **dict.fromkeys(FIELDS, 0),
    "key": None,
    "value": None,
    "headers": (),
    "transactional": False,
    "control": False,
}


def _import(name: str) -> ModuleType:
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - sys.path holds strings
    try:
        return importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - a module may raise anything while it is imported
        hint = "It is looked for in the current folder and in the Python environment of kafka-conformance."
        raise UsageError(f"cannot import {name}: {error_text.text_of(error).decode()}.", hint) from None


def _hello(target: str, module: ModuleType) -> Hello:
    declared = getattr(module, "HELLO", {})
    unknown = [key for key in declared if key not in _MAY_DECLARE]
    if unknown:
        hint = f"It may have {', '.join(sorted(_MAY_DECLARE))}."
        raise UsageError(f"HELLO of {module.__name__} has an unknown key {unknown[0]!r}.", hint)
    return Hello(
        name=declared.get("name", target),
        version=declared.get("version", str(getattr(module, "__version__", "unknown"))),
        language=declared.get("language", "Python"),
        formats=tuple(declared.get("formats", ("v0", "v1", "v2"))),
        codecs=tuple(declared.get("codecs", CODECS)),
        fields=tuple(declared.get("fields", USUAL_FIELDS)),
        checks_crc=declared.get("checks_crc", True),
        directions=(Direction.DECODE,),
        url=declared.get("url", ""),
        partial=True,
    )
