"""Batches by the million, each a function of a seed and its index, with the answer to expect.

    from kafka_format import sampler

    block = sampler.block(seed=7, start=0, count=4096, profile="mixed")
    for index in range(4096):
        assert my_decoder(block.input(index)) == block.answer(index)

A batch that a decoder gets wrong has its name, (seed, index), for ever: `sampler.single(7, 1234)`
makes it again, alone. It depends on no state, no block size, no version of numpy and no random
generator of numpy's; hashing.py has the recipe. Only compressed bytes differ between versions of a
codec's library, and with them the lengths and checksums around them; what they decompress to, and
the answer, do not (but for 0.7, whose offsets count bytes).

Bytes and answers are written from the same columns by one encoder that follows the layouts, so no
decoder judges itself. A block is made this way: `profiles` says what batches are like, `hashing`
and `numbers` draw what each is, `records` and `contents` the records, `record_batches`,
`message_sets` and `message_sets_07` the batches around them with their `answers`; `encoder` writes
columns as bytes; and `faults` changes them, if the profile says so.

All batches are valid, but for those of the profile `hostile`: each has one of `FAULTS`, and the
verdict and the answer that follow from it (`Block.fault_of`). All of this needs numpy (the extra
`arrow`), which is imported when one of these names is first used; `exchanges` does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kafka_format.sampler.blocks import Block, block, single, twin
    from kafka_format.sampler.faults import FAULTS, Fault, apply_fault
    from kafka_format.sampler.profiles import PROFILES, Profile

__all__ = ["FAULTS", "PROFILES", "Block", "Fault", "Profile", "apply_fault", "block", "single", "twin"]

_MODULES = {
    **dict.fromkeys(("Block", "block", "single", "twin"), "blocks"),
    **dict.fromkeys(("FAULTS", "Fault", "apply_fault"), "faults"),
    **dict.fromkeys(("PROFILES", "Profile"), "profiles"),
}
"""Where each name is."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as the module has it
    """Import what needs numpy when it is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
