"""The order in which a compiled writer puts a structure together: backwards."""

from __future__ import annotations

from typing import NamedTuple

from kafka_format.codec.compiler.plan import FieldGroup, Plan, is_checksum, is_frame


class WriteStep(NamedTuple):
    """One step of a compiled writer, on its way from the last field of a layout to the first.

    The way goes backwards because a length or a checksum is filled in from the bytes that it
    covers. These, from the first field that it covers to the end of the structure, are called the
    tail. A record batch takes one step, and what is left is put before the tail:

        base_offset batch_length .. magic crc | attributes .. record_count | records
        |------------ group 0 --------------| |-------- group 1 ---------| |group 2|

        step:  tail = group 1 + group 2           `behind`, joined
               crc = crc32c(tail)                 the derived fields of `group`, the last one first
               batch_length = len(tail) + 9       9 bytes of group 0 follow it and count too
        rest:  group 0 + tail

    docs/compiled/record_batch.py shows the code that comes of it.

    Attributes:
        group: the fields of which one or more are filled in from the tail.
        behind: the groups after that one, up to where the tail of the step before begins.
        tail: True if there was a step before, so there is a tail already.
    """

    group: FieldGroup
    behind: tuple[FieldGroup, ...]
    tail: bool

    @property
    def in_line(self) -> bool:
        """True if the items of an array are written in line."""
        return any(group.is_in_line for group in self.behind)

    @property
    def stretches(self) -> list[list[FieldGroup]]:
        """`behind`, cut after every array whose items are written in line.

        Such items are a loop, and a loop does not fit into the one expression that joins everything
        else. So the writer makes a list of the parts of the first stretch, lets the loop add
        those of the items, adds the parts of the next stretch, and joins the list at the end. For
        groups a, b, items, c that is

            [[a, b, items], [c]]   ->   parts = [a, b]; for ... in items: parts += ...; parts += [c]

        The tail, if there is one, is the last part. Where items come last it needs a stretch of its
        own, an empty one.
        """
        stretches: list[list[FieldGroup]] = [[]]
        for group in self.behind:
            stretches[-1].append(group)
            if group.is_in_line:
                stretches.append([])
        return stretches if stretches[-1] or self.tail else stretches[:-1]


def walk_back(plan: Plan) -> tuple[list[WriteStep], WriteStep]:
    """Return a writer's steps in their order, so the last group first, and what is left after them.

    A step is due wherever a group holds a length or a checksum of what is after it.
    """
    steps: list[WriteStep] = []
    behind: list[FieldGroup] = []
    tail = False
    for group in reversed(plan.groups):
        if any(is_frame(field) or is_checksum(field) for field in group.fields):
            steps.append(WriteStep(group, tuple(behind), tail))
            behind, tail = [], True
        behind.insert(0, group)
    return steps, WriteStep(plan.groups[0], tuple(behind), tail)
