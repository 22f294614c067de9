"""One target behind the adapter protocol, kept alive over many blocks, and its word on every batch.

Blocks of thousands go over the pipe while all is well, two at a time, so that the target decodes one while the next one
is generated. When the target is lost in one, a `Session` puts the same inputs again in small blocks and finds the batch
that kills it; then the large blocks go on. A target that is lost for good is given up until the end of the task, and
says so.
"""

import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from kafka_conformance.launch import Command, Limits, TargetLost
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import InputKind, Reply, Status
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.client import BlockClient
from kafka_conformance.scale.expected import Expected
from kafka_conformance.scale.judging import V07, declared, judged
from kafka_conformance.session import DecodeQuestion, GaveUpError, Loss, Session

SEARCH_SECONDS = 60.0
"""Time that a task spends on the batches that kill one target. A target that needs more dies of so many that a few more
tell nothing new, and each hang alone costs the limit of a batch two or three times."""


@dataclass(slots=True)
class _Asked:
    """Inputs of one kind that were put in one frame, and to whom."""

    kind: InputKind
    numbers: Sequence[int]
    inputs: list[bytes]
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
        self._patience = SEARCH_SECONDS
        self._open: deque[_Open] = deque()

    def put(self, batches: Batches) -> None:
        """Put the batches to the target; at most two may be open.

        Only formats and codecs that it declares are put; the others have the outcome `unsupported`.
        """
        opened = _Open(batches)
        self._open.append(opened)
        client = self._alive()
        if client is None:
            opened.checked.not_put.update(range(len(batches)))
            return
        numbers = declared(batches, client.hello, self.target, opened.checked.results)
        old: Sequence[int] = ()
        if any(version == V07 for version, *_ in batches.sorts):
            old = [number for number in numbers if batches.sort(number)[0] == V07]
            numbers = [number for number in numbers if batches.sort(number)[0] != V07]
        for kind, chosen in ((InputKind.RECORDS, numbers), (InputKind.MESSAGE_SET_07, old)):
            if chosen:
                inputs = [batches.inputs[number] for number in chosen]
                opened.asked.append(_Asked(kind, chosen, inputs, client, client.put_block(inputs, kind)))

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
            except TargetLost as lost:
                self.problem = f"did not come up: it {lost.detail}"
        return None if self.problem else self._client

    def _start(self) -> BlockClient:
        self._client = BlockClient(self._command, self._limits)
        return self._client

    def _take(self, opened: _Open, asked: _Asked) -> None:
        client = self._alive()
        if client is None:
            opened.checked.not_put.update(asked.numbers)
            return
        if client is not asked.client:  # which was lost on other batches
            asked.client, asked.block_id = client, client.put_block(asked.inputs, asked.kind)
        hello, batches = client.hello, opened.batches
        verdicts = bytes(map(batches.block.verdicts.__getitem__, asked.numbers))
        due = Expected(asked.block_id, [batches.answers[number] for number in asked.numbers], hello, verdicts)
        words = self._words(client, asked, due)
        if words is None:
            return
        for place in due.differing(_replies(words, len(asked.inputs))):
            number = asked.numbers[place]
            if place not in words:
                opened.checked.not_put.add(number)
                continue
            result = judged(batches, number, hello, self.target, words[place])
            if result.outcome is not Outcome.PASSED:
                opened.checked.results[number] = result

    def _words(self, client: BlockClient, asked: _Asked, due: Expected) -> Mapping[int, Reply | Loss] | None:
        """Wait for the reply to the block that was put; None if all of it is right."""
        try:
            replies = client.take_block(asked.block_id, due.equals)
        except TargetLost as lost:
            return self._put_again(asked.inputs, asked.kind, lost)
        return None if replies is None else dict(enumerate(replies))

    def _put_again(self, inputs: Sequence[bytes], kind: InputKind, lost: TargetLost) -> Mapping[int, Reply | Loss]:
        """Put the inputs of a lost block again, and find the ones that kill the target."""
        words: dict[int, Reply | Loss] = {}
        began = monotonic()
        try:
            session = Session(self._start)
            for word in session.ask([DecodeQuestion(kind, data) for data in inputs]):
                words[word.question] = word.reply
                if monotonic() - began > self._patience:
                    self.problem = f"given up: it {lost.detail}, and so on, for {SEARCH_SECONDS:g} s"
                    break
            self.notes += [*session.notes, *filter(None, [session.unsteady])]
        except TargetLost as again:
            self.problem = f"did not come up again: it {again.detail}"
        except GaveUpError as given_up:
            self.problem = str(given_up)
        self._patience -= monotonic() - began
        if not self.problem and lost.outcome is not Outcome.HUNG and not _losses(words):
            self.notes.append(
                f"the target {lost.detail}, on one of {len(inputs)} batches, and on none when they came again"
            )
        return words


def tied(command: Command) -> Command:
    """Have Linux end the target together with us: Spark ends its workers with SIGKILL when a run is interrupted."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return command
    return replace(command, arguments=(setpriv, "--pdeathsig", "KILL", *command.arguments))


def _replies(words: Mapping[int, Reply | Loss], count: int) -> list[Reply]:
    """A reply for every input; where none came stands one that is never right."""
    given = (words.get(place) for place in range(count))
    return [word if isinstance(word, Reply) else Reply(Status.UNSUPPORTED, b"") for word in given]


def _losses(words: Mapping[int, Reply | Loss]) -> bool:
    return any(isinstance(word, Loss) for word in words.values())
