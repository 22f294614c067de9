"""librdkafka's C API, as far as a consumer needs it; the library is that of a wheel."""

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Final

_CONSUMER: Final = 1
_OK: Final = 0
_UNKNOWN: Final = -2
"""`RD_KAFKA_CONF_UNKNOWN`: there is no setting of this name."""

_ERROR_BYTES: Final = 512


class Message(ctypes.Structure):
    """`rd_kafka_message_t`."""

    _fields_ = [
        ("err", c_int),
        ("rkt", c_void_p),
        ("partition", c_int32),
        ("payload", c_void_p),
        ("len", c_size_t),
        ("key", c_void_p),
        ("key_len", c_size_t),
        ("offset", c_int64),
        ("private", c_void_p),
    ]


class Partition(ctypes.Structure):
    """`rd_kafka_topic_partition_t`."""

    _fields_ = [
        ("topic", c_char_p),
        ("partition", c_int32),
        ("offset", c_int64),
        ("metadata", c_void_p),
        ("metadata_size", c_size_t),
        ("opaque", c_void_p),
        ("err", c_int),
        ("private", c_void_p),
    ]


class Partitions(ctypes.Structure):
    """`rd_kafka_topic_partition_list_t`."""

    _fields_ = [("cnt", c_int), ("size", c_int), ("elems", POINTER(Partition))]


def load(folder: Path) -> Any:  # noqa: ANN401 - a shared library has no type
    """Load the library below a folder into which a wheel was unpacked.

    Wheels of the first releases do not say where their own libraries are, so those are loaded
    before it. Their plug-ins are not: one of them would load the machine's own librdkafka, if there
    is one, whose functions would then be called instead.
    """
    files = sorted(folder.rglob("*.so*"))
    library = next(file for file in files if file.name.startswith("librdkafka"))
    others = [file for file in library.parent.glob("lib*.so*") if file != library]
    for _ in range(len(others) + 1):
        try:
            return _typed(ctypes.CDLL(str(library)))
        except OSError:
            others = [file for file in others if not _is_loaded(file)]
    return _typed(ctypes.CDLL(str(library)))


def _is_loaded(file: Path) -> bool:
    try:
        ctypes.CDLL(str(file), ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


def _typed(library: Any) -> Any:  # noqa: ANN401 - a library of ctypes
    for name, result, arguments in (
        ("rd_kafka_version_str", c_char_p, []),
        ("rd_kafka_err2name", c_char_p, [c_int]),
        ("rd_kafka_err2str", c_char_p, [c_int]),
        ("rd_kafka_conf_new", c_void_p, []),
        ("rd_kafka_conf_destroy", None, [c_void_p]),
        ("rd_kafka_conf_set", c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t]),
        ("rd_kafka_new", c_void_p, [c_int, c_void_p, c_char_p, c_size_t]),
        ("rd_kafka_poll_set_consumer", c_int, [c_void_p]),
        ("rd_kafka_queue_get_consumer", c_void_p, [c_void_p]),
        ("rd_kafka_topic_partition_list_new", POINTER(Partitions), [c_int]),
        ("rd_kafka_topic_partition_list_add", POINTER(Partition), [POINTER(Partitions), c_char_p, c_int32]),
        ("rd_kafka_topic_partition_list_destroy", None, [POINTER(Partitions)]),
        ("rd_kafka_assign", c_int, [c_void_p, POINTER(Partitions)]),
        ("rd_kafka_subscribe", c_int, [c_void_p, POINTER(Partitions)]),
        ("rd_kafka_position", c_int, [c_void_p, POINTER(Partitions)]),
        ("rd_kafka_consume_batch_queue", ctypes.c_ssize_t, [c_void_p, c_int, POINTER(POINTER(Message)), c_size_t]),
        ("rd_kafka_topic_name", c_char_p, [c_void_p]),
        ("rd_kafka_message_timestamp", c_int64, [POINTER(Message), POINTER(c_int)]),
        ("rd_kafka_message_headers", c_int, [POINTER(Message), POINTER(c_void_p)]),
        (
            "rd_kafka_header_get_all",
            c_int,
            [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_void_p), POINTER(c_size_t)],
        ),
        ("rd_kafka_message_destroy", None, [POINTER(Message)]),
        ("rd_kafka_consumer_close", c_int, [c_void_p]),
        ("rd_kafka_queue_destroy", None, [c_void_p]),
        ("rd_kafka_destroy", None, [c_void_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def has_setting(library: Any, name: str) -> bool:  # noqa: ANN401 - what ctypes loads has no type
    """Tell whether a release has a setting."""
    return _set(library, name, "") != _UNKNOWN


def takes(library: Any, name: str, value: str) -> bool:  # noqa: ANN401 - what ctypes loads has no type
    """Tell whether a release has a setting, and takes a value for it."""
    return _set(library, name, value) == _OK


def _set(library: Any, name: str, value: str) -> int:  # noqa: ANN401 - what ctypes loads has no type
    text = ctypes.create_string_buffer(_ERROR_BYTES)
    conf = library.rd_kafka_conf_new()
    try:
        return int(library.rd_kafka_conf_set(conf, name.encode(), value.encode(), text, _ERROR_BYTES))
    finally:
        library.rd_kafka_conf_destroy(conf)


class Client:
    """A consumer, `rd_kafka_t`."""

    def __init__(self, library: Any, settings: dict[str, str]) -> None:  # noqa: ANN401 - a library of ctypes
        """Make it; settings that this release does not know are left out.

        Raises:
            RuntimeError: librdkafka does not make it.
        """
        self.library = library
        text = ctypes.create_string_buffer(_ERROR_BYTES)
        conf = library.rd_kafka_conf_new()
        for name, value in settings.items():
            library.rd_kafka_conf_set(conf, name.encode(), value.encode(), text, _ERROR_BYTES)
        self._client = library.rd_kafka_new(_CONSUMER, conf, text, _ERROR_BYTES)
        if not self._client:
            raise RuntimeError(text.value.decode())
        library.rd_kafka_poll_set_consumer(self._client)
        self._queue = library.rd_kafka_queue_get_consumer(self._client)
        self._subscribe, self._words = library.rd_kafka_subscribe, library.rd_kafka_err2str

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Consume partition 0 of these topics from these offsets, and nothing else.

        Raises:
            RuntimeError: librdkafka refuses.
        """
        error = self._with_list(topics, self.library.rd_kafka_assign)[0]
        if error != _OK:
            raise RuntimeError(self.library.rd_kafka_err2str(error).decode())

    def subscribe(self, topics: Sequence[str]) -> None:
        """Consume what the group assigns of these topics.

        Raises:
            RuntimeError: librdkafka refuses.
        """
        error = self._with_list([(name, 0) for name in topics], self._subscribe)[0]
        if error != _OK:
            raise RuntimeError(self._words(error).decode())

    def positions(self, topics: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return the next offset of each topic; negative where there is none."""
        return self._with_list(topics, self.library.rd_kafka_position)[1]

    def consume(self, most: int, milliseconds: int) -> list[Any]:
        """Return the messages and errors that are there: pointers to `Message`, to be destroyed."""
        pointers = (POINTER(Message) * most)()
        count = self.library.rd_kafka_consume_batch_queue(self._queue, milliseconds, pointers, most)
        return [pointers[index] for index in range(max(count, 0))]

    def close(self) -> None:
        """End it."""
        self.library.rd_kafka_queue_destroy(self._queue)
        self.library.rd_kafka_consumer_close(self._client)
        self.library.rd_kafka_destroy(self._client)

    def _with_list(self, topics: Sequence[tuple[str, int]], function: Any) -> tuple[int, list[tuple[str, int]]]:  # noqa: ANN401 - a function of ctypes
        listed = self.library.rd_kafka_topic_partition_list_new(len(topics))
        try:
            for name, offset in topics:
                self.library.rd_kafka_topic_partition_list_add(listed, name.encode(), 0).contents.offset = offset
            error = int(function(self._client, listed))
            elements = listed.contents.elems
            return error, [(elements[index].topic.decode(), elements[index].offset) for index in range(len(topics))]
        finally:
            self.library.rd_kafka_topic_partition_list_destroy(listed)


def headers(library: Any, message: Any) -> list[tuple[bytes, bytes | None]]:  # noqa: ANN401 - a library and a structure of ctypes
    """Return the headers of a message.

    Raises:
        ValueError: librdkafka cannot read them; the text is its own.
    """
    headers_pointer, name, value, size = c_void_p(), c_char_p(), c_void_p(), c_size_t()
    error = library.rd_kafka_message_headers(message, byref(headers_pointer))
    if error != _OK:
        name_of_error = library.rd_kafka_err2name(error).decode()
        if name_of_error == "_NOENT":
            return []
        raise ValueError(f"{name_of_error}: {library.rd_kafka_err2str(error).decode()}")
    pairs: list[tuple[bytes, bytes | None]] = []
    while library.rd_kafka_header_get_all(headers_pointer, len(pairs), byref(name), byref(value), byref(size)) == _OK:
        pairs.append((name.value or b"", content(value.value, size.value)))
    return pairs


def content(place: int | None, size: int) -> bytes | None:
    """Return the bytes at a place; None for a null pointer."""
    return None if place is None else ctypes.string_at(place, size)
