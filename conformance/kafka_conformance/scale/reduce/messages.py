"""Reduction of a generated request or response: a smaller value that the target still fails on.

The value is a tree of plain values. A member that is left out has its default, so leaving out is
most of the work; then arrays and texts get shorter, and numbers smaller. The header becomes the
simplest one, if the target then still fails.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.versions import CompiledVersion, version
from kafka_format.errors import EncodeError
from kafka_format.sampler import exchanges

from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import NOT_DECLARED, MessageQuestion
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.shrink import OutOfBudgetError, Shrinker
from kafka_conformance.reduction.tree import Path, at, set_at
from kafka_conformance.run.generated_messages import PROFILES, question
from kafka_conformance.scale.reduce.search import CALLS, failure_kind
from kafka_conformance.scale.results.reductions import Effort, Failure, GeneratedBatch, Minimal, Reduced, ReducedCause

PARTS: Final = 50
"""Most parts that are listed."""

_SHOWN: Final = 60

Tree = list[dict[str, Any]]
"""The body in a list of one, as trees of batches are lists of entries."""


def reduce(
    batch: GeneratedBatch, asker: Asker, seconds: float, progress: Callable[[str], None] = lambda _: None
) -> Reduced:
    """Make a finding small; the arguments are those of `reduce.run.reduce`.

    Raises:
        TargetLostError: the target does not start.
    """
    began, calls = monotonic(), asker.calls
    search = MessageSearch(batch, asker, lambda: monotonic() - began > seconds, progress)
    size = len(search.question.vector.data)
    cause, finished = ReducedCause(), True
    if search.result.outcome.is_finding:
        try:
            finished = search.run()
            cause = search.cause() if finished else cause
        except OutOfBudgetError:
            finished = False
    effort = Effort(asker.calls - calls, round(monotonic() - began, 3), finished)
    return Reduced(replace(batch, size=size), _failure(search), search.minimal(), cause, effort)


class MessageSearch:
    """Asks about candidates, and remembers the last one that failed in the same way.

    Attributes:
        question: the smallest request or response so far.
        result: what the target did with it.
    """

    def __init__(
        self, batch: GeneratedBatch, asker: Asker, late: Callable[[], bool], tell: Callable[[str], None]
    ) -> None:
        """Ask about the request or response itself."""
        self._asker, self._late, self._tell = asker, late, tell
        self._kind = PROFILES[batch.profile]
        drawn = exchanges.single(self._kind, batch.seed, batch.index)
        self._name, self._seed, self._profile = protocol.api_name(drawn.api), batch.seed, batch.profile
        self._drawn = drawn
        self._body: CompiledVersion[Any] = version(f"{self._name}_{self._kind}", drawn.version)
        self.question = question(batch.profile, batch.seed, drawn)
        self.result = ask(asker, self.question)
        self._failure = failure_kind(self.result)
        self._last_call = asker.calls + CALLS
        self.tree: Tree = [plain(drawn.body)]

    @property
    def hello(self) -> Any:  # noqa: ANN401 - Hello, of the asker
        """What the target declares."""
        return self._asker.hello

    def run(self) -> bool:
        """Make the value smaller; return whether every candidate was tried."""
        shrinker = _MessageShrinker(self.tree, self.fails)
        try:
            shrinker.run()
        except OutOfBudgetError:
            return False
        finally:
            self.tree = shrinker.tree
        return True

    def cause(self) -> ReducedCause:
        """Find the members without which the target is right: each one alone, or else all together.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        parts = list(_leaves(self.tree))
        enough = tuple(_text(path, value) for path, value in parts if self._passes(_without(self.tree, path)))
        return ReducedCause(enough or tuple(_text(*part) for part in parts), bool(enough))

    def fails(self, candidate: Tree) -> bool:
        """Tell whether the target fails on a value as it did on the first."""
        made = self._make_question(candidate)
        if made is None:
            return False
        result = self._ask(made)
        if failure_kind(result) != self._failure:
            return False
        self.question, self.result = made, result
        self._tell(f"{self._asker.calls:,} questions, {len(made.vector.data):,} bytes left")
        return True

    def minimal(self) -> Minimal:
        """Return the smallest bytes, and what is in them."""
        parts = list(_leaves(self.tree))
        data = self.question.vector.data
        return Minimal(
            format=self._kind,
            codec=f"{self._name} {self._drawn.version}",
            size=len(data),
            hex=data.hex(),
            fault="",
            twin="",
            redone=True,
            parts=tuple(_text(*part) for part in parts[:PARTS]),
            part_count=len(parts),
        )

    def _make_question(self, candidate: Tree) -> MessageQuestion | None:
        """Return a value as a question; None if it cannot be written."""
        try:
            body = self._body.decode(self._body.encode(candidate[0]))
            encode = protocol.encode_request if self._kind == "request" else protocol.encode_response
            data = encode(self._drawn.api, self._drawn.version, body)
        except (EncodeError, IndexError):
            return None
        return question(self._profile, self._seed, self._drawn._replace(body=body, data=data))

    def _passes(self, candidate: Tree) -> bool:
        made = self._make_question(candidate)
        return made is not None and self._ask(made).outcome is Outcome.PASSED

    def _ask(self, asked: MessageQuestion) -> Result:
        if self._late() or self._asker.calls >= self._last_call:
            raise OutOfBudgetError
        return ask(self._asker, asked)


def ask(asker: Asker, asked: MessageQuestion) -> Result:
    """Put a request or response to a target, and judge its reply.

    Raises:
        TargetLostError: the target does not start.
    """
    form = asker.hello.apis.get("form", "")
    if not form:
        return Result(asked.id, asker.target, Outcome.UNSUPPORTED, detail=NOT_DECLARED)
    reply = asker.reply(lambda client: client.put_inputs(FrameKind.MESSAGE, [asked.input]))
    return judge(asked, asker.target, form, Reaction(0, reply, 0))


class _MessageShrinker(Shrinker):
    """Leaves out members, shortens arrays, texts and bytes, and makes numbers small."""

    def run(self) -> None:
        """Go over the tree until nothing changes any more."""
        before: Any = []
        while before != self.tree:
            before = self.tree
            self._each(_is_member, self._leave_out, outermost=True)
            self._each(_is_list, self._shorten, outermost=True)
            self._each(_is_content, self._content)
            self._each(_is_number, self._number)

    def _leave_out(self, path: Path) -> None:
        owner = at(self.tree, path[:-1])
        if isinstance(owner, dict) and path[-1] in owner:  # what it stood in may be left out by now
            self._keep(_without(self.tree, path))

    def _content(self, path: Path) -> None:
        """Shorten a text or bytes."""
        value = at(self.tree, path)
        self._try(path, value[:0])
        self._cut(path, len(at(self.tree, path)), at(self.tree, path))


def plain(value: Any) -> Any:  # noqa: ANN401 - any value of a message
    """Return a decoded value as dictionaries, lists and plain values; unknown tags as tuples."""
    if hasattr(value, "_asdict"):
        return {name: plain(member) for name, member in value._asdict().items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return [tuple(item) for item in value] if isinstance(value, tuple) else value


def _without(tree: Tree, path: Path) -> Tree:
    """Return a copy of a tree without a member, or without an item of a list."""
    *above, last = path
    owner = at(tree, tuple(above))
    if isinstance(owner, dict):
        return set_at(tree, tuple(above), {name: value for name, value in owner.items() if name != last})
    return set_at(tree, tuple(above), [item for index, item in enumerate(owner) if index != last])


def _leaves(tree: Tree) -> Iterator[tuple[Path, Any]]:
    """Yield the members that are left, without those that hold others."""
    yield from _leaves_in((0,), tree[0])


def _leaves_in(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:  # noqa: ANN401 - any value of a tree
    pairs: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for step, member in pairs:
        yield from _leaves_in((*path, step), member)
    if not pairs and len(path) > 1:
        yield path, value


def _text(path: Path, value: Any) -> str:  # noqa: ANN401 - any value of a tree
    """Return a member as `explain` names it, with its value."""
    name = "body"
    for step in path[1:]:
        name += f"[{step}]" if isinstance(step, int) else f".{step}"
    shown = f"hex:{value.hex()}" if isinstance(value, bytes) else repr(value)
    return f"{name} = {shown[:_SHOWN]}"


def _is_member(path: Path, _value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(path[-1], str)


def _is_list(_path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, list)


def _is_content(_path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, str | bytes) and bool(value)


def _is_number(_path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, int) and not isinstance(value, bool)


def _failure(search: MessageSearch) -> Failure:
    result, hello = search.result, search.hello
    return Failure(
        library=hello.name,
        version=hello.version,
        outcome=str(result.outcome),
        symptom=failure_kind(result)[1],
        path=result.path,
        expected=result.expected,
        got=result.got or result.detail,
        detail=result.detail,
    )
