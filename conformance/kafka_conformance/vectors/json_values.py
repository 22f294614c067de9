"""Integers and bytes as users' JSON has them, read strictly: nothing is rounded, no truth value is a number."""


def integer(value: object) -> int:
    """Read an integer: a number, or a decimal string, because JavaScript's numbers lose bits past 2^53.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return int(value)
    raise ValueError("not an integer")


def octets(value: object) -> bytes | None:
    """Read bytes: hex digits, or null.

    Raises:
        ValueError: it is neither.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return bytes.fromhex(value)
    raise ValueError("not hex")


def boolean(value: object) -> bool:
    """Read a truth value.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool):
        return value
    raise ValueError("not a truth value")
