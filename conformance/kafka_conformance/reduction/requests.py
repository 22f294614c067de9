"""Requests and responses as the subject of a search: a tree is the value of the body.

The tree has dictionaries, lists and simple values. A member that is left out has its default, so
leaving out is most of the work; then arrays and texts get shorter, and numbers smaller. The header
becomes the simplest one, if the target then still fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.compiler import Structure, version
from kafka_format.errors import EncodeError
from kafka_format.sampler.exchanges import Exchange, Kind

from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import NOT_DECLARED, MessageQuestion
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.reduction import tree as trees
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.shrink import OF_MESSAGES, Step
from kafka_conformance.reduction.tree import Part, Path, Tree

_SHOWN: Final = 60


class Requests:
    """Trees of one body in a list, each of which stands for a request or a response.

    Attributes:
        steps: how a tree is made smaller.
    """

    steps: Sequence[Step] = OF_MESSAGES

    def __init__(
        self, asker: Asker, kind: Kind, drawn: Exchange, make_question: Callable[[Exchange], MessageQuestion]
    ) -> None:
        """Keep what is asked.

        Args:
            asker: the target.
            kind: request or response.
            drawn: the first one, with its API and version.
            make_question: makes a question of one.
        """
        self._asker, self._kind, self._drawn, self._make_question = asker, kind, drawn, make_question
        self._body: Structure[Any] = version(f"{protocol.api_name(drawn.api)}_{kind}", drawn.version)

    @property
    def calls(self) -> int:
        """Questions to the target so far."""
        return self._asker.calls

    def inputs(self, tree: Tree) -> Iterator[MessageQuestion]:
        """Yield a tree as a question; nothing if it cannot be written."""
        try:
            body = self._body.decode(self._body.encode(tree[0]))
            encode = protocol.encode_request if self._kind == "request" else protocol.encode_response
            data = encode(self._drawn.api, self._drawn.version, body)
        except (EncodeError, IndexError):
            return
        yield self._make_question(self._drawn._replace(body=body, data=data))

    def bare(self, tree: Tree) -> MessageQuestion | None:
        """Return a tree as a question; None if it cannot be written."""
        return next(self.inputs(tree), None)

    def ask(self, asked: MessageQuestion) -> Result:
        """Put a request or response to the target, and judge its reply.

        Raises:
            TargetLostError: the target does not start.
        """
        form = self._asker.hello.apis.get("form", "")
        if not form:
            return Result(asked.id, self._asker.target, Outcome.UNSUPPORTED, detail=NOT_DECLARED)
        reply = self._asker.reply(lambda client: client.put_inputs(FrameKind.MESSAGE, [asked.input]))
        return judge(asked, self._asker.target, form, Reaction(0, reply, 0))

    def key(self, asked: MessageQuestion) -> bytes:
        """Return the bytes."""
        return asked.input.message

    def parts(self, tree: Tree) -> list[Part]:
        """Return the members that are left, without those that hold others."""
        return list(_leaves((0,), tree[0]))

    def without(self, tree: Tree, part: Part) -> Tree:
        """Return a copy of a tree without a member, or without an item of a list."""
        return trees.left_out(tree, part.path)


def tree_of(body: Any) -> Tree:  # noqa: ANN401 - any value of a message
    """Return a decoded body as a tree; unknown tags are tuples."""
    return [_undecorated(body)]


def _undecorated(value: Any) -> Any:  # noqa: ANN401 - any value of a message
    if hasattr(value, "_asdict"):
        return {name: _undecorated(member) for name, member in value._asdict().items()}
    if isinstance(value, list):
        return [_undecorated(item) for item in value]
    return [tuple(item) for item in value] if isinstance(value, tuple) else value


def _leaves(path: Path, value: Any) -> Iterator[Part]:  # noqa: ANN401 - any value of a tree
    pairs: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for step, member in pairs:
        yield from _leaves((*path, step), member)
    if not pairs and len(path) > 1:
        shown = f"hex:{value.hex()}" if isinstance(value, bytes) else repr(value)
        yield Part(_name(path), shown[:_SHOWN], path, None)


def _name(path: Path) -> str:
    """Return the name of a member, as `explain` has it."""
    return "body" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path[1:])
