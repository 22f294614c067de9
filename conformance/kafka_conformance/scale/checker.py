"""One target behind the adapter protocol, kept alive over many blocks, and its word on every batch.

Blocks of thousands go over the pipe while all is well, two at a time, so that the target decodes one while the next one
is generated. When the target is lost in one, its batches are put again until the one that kills it is found; then the
large blocks go on, without what is known to kill it. A target that is lost for good is given up until the end of the
task, and says so.
"""

import shutil
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import InputKind, Reply, Status
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.client import BlockClient
from kafka_conformance.scale.expected import Expected
from kafka_conformance.scale.judging import V07, declared, judged
from kafka_conformance.scale.searching import Search
from kafka_conformance.scale.sparing import Sparing


@dataclass(slots=True)
class _Asked:
    """Batches of one kind that were put in one frame, and to whom."""

    kind: InputKind
    numbers: Sequence[int]
    client: BlockClient
    block_id: int


@dataclass(slots=True)
class _Open:
    """Batches whose replies are still to come."""

    batches: Batches
    checked: Checked = field(default_factory=lambda: Checked({}, set()))
    asked: list[_Asked] = field(default_factory=list)


class Checker:
    """A target under test. Always `close` it.

    Attributes:
        target: its name.
        problem: why it was given up; empty while it lives.
        notes: what happened besides, for instance a crash that did not happen again.
    """

    def __init__(self, target: str, command: Command, limits: Limits) -> None:
        """Describe the target; it starts with the first batches."""
        self.target = target
        self.problem = ""
        self.notes: list[str] = []
        self._command = tied(command)
        self._limits = limits
        self._client: BlockClient | None = None
        self._sparing = Sparing(target, limits.deaths)
        self._search = Search(self._start, self._sparing, limits.patience)
        self._open: deque[_Open] = deque()

    def put(self, batches: Batches) -> None:
        """Put the batches to the target; at most two may be open.

        Only formats and codecs that it declares are put; the others have the outcome `unsupported`. Of what is known to
        kill it, it is `spared`.
        """
        opened = _Open(batches)
        self._open.append(opened)
        client = self._alive()
        if client is None:
            opened.checked.not_put.update(range(len(batches)))
            return
        self._sparing.put(batches)
        numbers = declared(batches, client.hello, self.target, opened.checked.results)
        old: Sequence[int] = ()
        if any(version == V07 for version, *_ in batches.sorts):
            old = [number for number in numbers if batches.sort(number)[0] == V07]
            numbers = [number for number in numbers if batches.sort(number)[0] != V07]
        for kind, chosen in ((InputKind.RECORDS, numbers), (InputKind.MESSAGE_SET_07, old)):
            opened.asked += self._ask(opened, client, kind, chosen)

    def take(self) -> Checked:
        """Wait for what the target makes of the batches that were put first, and judge it."""
        opened = self._open.popleft()
        for asked in opened.asked:
            self._take(opened, asked)
        if self._open and self._client is not None:
            self._client.flush()
        return opened.checked

    def close(self) -> None:
        """End the target. How it behaves at the end of its input is for `smoke` to say."""
        if self._client is not None:
            self._client.close()

    def _alive(self) -> BlockClient | None:
        """The running target, started if need be; None once it is given up."""
        if self._client is None and not self.problem:
            try:
                self._start()
            except TargetLostError as lost:
                self.problem = f"did not come up: it {lost.detail}"
        return None if self.problem else self._client

    def _start(self) -> BlockClient:
        self._client = BlockClient(self._command, self._limits)
        return self._client

    def _ask(self, opened: _Open, client: BlockClient, kind: InputKind, numbers: Sequence[int]) -> Iterator[_Asked]:
        """Put what is not known to kill the target, if there is anything."""
        left = self._sparing.spare(opened.batches, numbers, opened.checked.results)
        if left:
            inputs = [opened.batches.inputs[number] for number in left]
            yield _Asked(kind, left, client, client.put_block(inputs, kind))

    def _take(self, opened: _Open, asked: _Asked) -> None:
        client = self._alive()
        if client is None:
            opened.checked.not_put.update(asked.numbers)
        elif client is asked.client:
            self._judge(opened, asked)
        else:  # the other one was lost on other batches
            for again in self._ask(opened, client, asked.kind, asked.numbers):
                self._judge(opened, again)

    def _judge(self, opened: _Open, asked: _Asked) -> None:
        hello, batches = asked.client.hello, opened.batches
        verdicts = bytes(map(batches.block.verdicts.__getitem__, asked.numbers))
        due = Expected(asked.block_id, [batches.answers[number] for number in asked.numbers], hello, verdicts)
        words = self._words(opened, asked, due)
        if words is None:
            return
        for place in due.differing(_replies(words, asked.numbers)):
            number = asked.numbers[place]
            if number in words:
                result = judged(batches, number, hello, self.target, words[number])
                if result.outcome is not Outcome.PASSED:
                    opened.checked.results[number] = result
            elif number not in opened.checked.results:
                opened.checked.not_put.add(number)

    def _words(self, opened: _Open, asked: _Asked, due: Expected) -> Mapping[int, Reply | Loss] | None:
        """Wait for the word on each batch of a block, by its number; None if all of it is right."""
        try:
            replies = asked.client.take_block(asked.block_id, due.equals)
        except TargetLostError as lost:
            found = self._search.run(opened.batches, asked.kind, asked.numbers, lost)
            opened.checked.results.update(found.spared)
            self.problem = found.problem
            self.notes += found.notes
            return found.words
        return None if replies is None else dict(zip(asked.numbers, replies, strict=True))


def tied(command: Command) -> Command:
    """Have Linux end the target together with us: Spark ends its workers with SIGKILL when a run is interrupted."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return command
    return replace(command, arguments=(setpriv, "--pdeathsig", "KILL", *command.arguments))


def _replies(words: Mapping[int, Reply | Loss], numbers: Sequence[int]) -> list[Reply]:
    """A reply for every batch; where none came stands one that is never right."""
    given = map(words.get, numbers)
    return [word if isinstance(word, Reply) else Reply(Status.UNSUPPORTED, b"") for word in given]
