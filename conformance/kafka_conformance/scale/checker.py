"""One target, kept alive over many blocks, and its word on every batch.

Blocks of thousands go over the pipe while all is well. When the target is lost in one, a `Session` puts the same
inputs again in small blocks and finds the batch that kills it; then the large blocks go on. A target that is lost for
good is given up until the end of the task, and says so.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic

from kafka_conformance import answers, judge
from kafka_conformance.launch import Command, Limits, TargetLost
from kafka_conformance.outcomes import Hello, Outcome, Result
from kafka_conformance.protocol import InputKind, Reply, Status
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.client import BlockClient
from kafka_conformance.scale.expected import Expected
from kafka_conformance.session import DecodeQuestion, GaveUpError, Loss, Session, Word
from kafka_conformance.vectors import Vector, Verdict

SEARCH_SECONDS = 60.0
"""Time that a task spends on the batches that kill one target. A target that needs more dies of so many that a few more
tell nothing new, and each hang alone costs the limit of a batch two or three times."""

_V07 = "v07"


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
        self._command = _tied(command)
        self._limits = limits
        self._client: BlockClient | None = None
        self._patience = SEARCH_SECONDS

    def check(self, batches: Batches) -> Checked:
        """Put the batches to the target and judge what it makes of them.

        Only formats and codecs that it declares are put; the others have the outcome `unsupported`.
        """
        checked = Checked({}, set())
        client = self._alive()
        if client is None:
            checked.not_put.update(range(len(batches)))
            return checked
        numbers = _declared(batches, client.hello, self.target, checked.results)
        old = [number for number in numbers if batches.formats[number] == _V07]
        new = numbers if not old else [number for number in numbers if batches.formats[number] != _V07]
        for kind, chosen in ((InputKind.RECORDS, new), (InputKind.MESSAGE_SET_07, old)):
            if chosen:
                self._check_kind(batches, chosen, kind, checked)
        return checked

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

    def _check_kind(self, batches: Batches, numbers: Sequence[int], kind: InputKind, checked: Checked) -> None:
        client = self._alive()
        if client is None:
            checked.not_put.update(numbers)
            return
        hello, inputs = client.hello, [batches.inputs[number] for number in numbers]
        block_id = client.put_block(inputs, kind)
        due = Expected(block_id, [batches.answers[number] for number in numbers], hello)
        words = self._words(client, inputs, kind, due)
        if words is None:
            return
        for place in due.differing(_replies(words, len(inputs))):
            number = numbers[place]
            if place not in words:
                checked.not_put.add(number)
            elif (result := self._judged(batches, number, hello, words[place])).outcome is not Outcome.PASSED:
                checked.results[number] = result

    def _words(
        self, client: BlockClient, inputs: Sequence[bytes], kind: InputKind, due: Expected
    ) -> Mapping[int, Reply | Loss] | None:
        """Wait for the reply to the block that was put; None if all of it is right."""
        try:
            replies = client.take_block(due.equals)
        except TargetLost as lost:
            return self._put_again(inputs, kind, lost)
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
            self.notes += session.notes
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

    def _judged(self, batches: Batches, number: int, hello: Hello, word: Reply | Loss) -> Result:
        vector = _vector(batches, number)
        if isinstance(word, Reply) and word.status == Status.ANSWER:
            vector = replace(vector, answer=tuple(answers.to_json(answers.from_bytes(batches.answers[number]))))
        return judge.judge_decode(vector, hello, self.target, Word(number, word, 0.0))


def _tied(command: Command) -> Command:
    """Have Linux end the target together with us: Spark ends its workers with SIGKILL when a run is interrupted."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return command
    return replace(command, arguments=(setpriv, "--pdeathsig", "KILL", *command.arguments))


def _declared(batches: Batches, hello: Hello, target: str, results: dict[int, Result]) -> Sequence[int]:
    """Numbers of the batches that the target declares to read; the others get their results here."""
    if set(batches.formats) <= set(hello.formats) and set(batches.codecs) <= set(hello.codecs):
        return range(len(batches))
    numbers = []
    for number in range(len(batches)):
        reason = judge.gap(_vector(batches, number), hello)
        if reason:
            results[number] = Result(str(batches.start + number), target, Outcome.UNSUPPORTED, detail=reason)
        else:
            numbers.append(number)
    return numbers


def _vector(batches: Batches, number: int) -> Vector:
    """A batch as `judge` takes it; the answer is left to whoever needs it."""
    index = batches.start + number
    return Vector(
        id=str(index),
        title=f"generated batch {index}",
        format=batches.formats[number],
        family="scale",
        formats=(batches.formats[number],),
        codecs=(batches.codecs[number],),
        rules=(),
        verdict=Verdict.VALID,
        data=batches.inputs[number],
    )


def _replies(words: Mapping[int, Reply | Loss], count: int) -> list[Reply]:
    """A reply for every input; where none came stands one that is never right."""
    given = (words.get(place) for place in range(count))
    return [word if isinstance(word, Reply) else Reply(Status.UNSUPPORTED, b"") for word in given]


def _losses(words: Mapping[int, Reply | Loss]) -> bool:
    return any(isinstance(word, Loss) for word in words.values())
