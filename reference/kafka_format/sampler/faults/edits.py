"""Changes of a few bytes."""

from __future__ import annotations

from kafka_format.sampler.faults.dice import Dice


def overwritten(data: bytes, at: int, new: bytes) -> bytes:
    """Write over what stands at `at`."""
    return data[:at] + new + data[at + len(new) :]


def flip_bit(data: bytes, first: int, last: int, dice: Dice) -> bytes:
    """Flip a bit from byte `first` to byte `last - 1`."""
    at = first + dice.below(last - first)
    return data[:at] + bytes([data[at] ^ 1 << dice.below(8)]) + data[at + 1 :]


def burst(data: bytes, first: int, last: int, dice: Dice) -> bytes:
    """Change up to 32 bits side by side, which a CRC of 32 bits always finds."""
    size = min(4, last - first)
    at = first + dice.below(last - first - size + 1)
    mask = 1 + dice.below((1 << 8 * size) - 1)
    changed = int.from_bytes(data[at : at + size], "big") ^ mask
    return data[:at] + changed.to_bytes(size, "big") + data[at + size :]


def int32(number: int) -> bytes:
    """Four bytes of an int32."""
    return (number & 0xFFFFFFFF).to_bytes(4, "big")
