"""What a kind of target is: how its questions are loaded, put, judged and diagnosed.

A kind is a folder of this package and a row of `kinds.table`. The run and the reports know none by
name: they go through a `Kind`, whatever its questions and reactions are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.vector import Vector


class Question(Protocol):
    """What is put to a target about one vector."""

    @property
    def vector(self) -> Vector:
        """The vector, as reports show it."""

    @property
    def direction(self) -> Direction:
        """Whether the target is to read or to write."""


Q = TypeVar("Q", bound=Question)
R = TypeVar("R", bound=Reaction)
T_co = TypeVar("T_co", covariant=True)
_Question_contra = TypeVar("_Question_contra", bound=Question, contravariant=True)
_Reaction_co = TypeVar("_Reaction_co", bound=Reaction, covariant=True)


class Session(Protocol[_Question_contra, _Reaction_co]):
    """A target that runs, and is started again when it is lost.

    Attributes:
        notes: what happened besides the reactions, in words.
    """

    notes: list[str]

    @property
    def unsteady(self) -> str:
        """How it was lost on what it stands alone; empty if it never was."""

    @property
    def hello(self) -> Hello:
        """What the target declares."""

    def ask(self, questions: Sequence[_Question_contra]) -> Iterator[_Reaction_co]:
        """Put the questions, and yield a reaction to each, in any order.

        Raises:
            GaveUpError: the target was lost too often in a row, or does not come up again.
            StoppedError: the run was interrupted.
        """

    def ask_afresh(self, questions: Sequence[_Question_contra]) -> Iterator[_Reaction_co]:
        """Put each question to a process that has seen no other; raises the same."""

    def close(self) -> None:
        """End the target; its last complaints join the notes."""


Diagnose = Callable[[str, Sequence[Result], Mapping[str, Vector], Hello], Diagnosis]
"""Returns what the findings of a target come from; takes its name, its results, the vectors by id,
and its hello."""

Settle = Callable[[Sequence[Result], Mapping[str, Vector]], Iterable[Result]]
"""Judges again what depends on what else the target knows; takes its results and the vectors by
id."""

AskFurther = Callable[[Diagnosis, Candidate, Limits, Mapping[str, Vector], Hello], Diagnosis]
"""Asks a target what parts the causes that its results do not tell apart; takes the diagnosis, what
starts the target, its limits, the vectors by id, and its hello. Returns what is known then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyKind(ABC):
    """What is known of a kind without its questions.

    Attributes:
        name: its name, that of its folder.
        about: what `--about` calls it.
        targets: the kinds of targets that it is for.
        load: returns the vectors that are chosen, of those that it is about.
        diagnose: returns what the findings of a target come from.
        settle: returns the results that change when all has come; None if each is judged for good.
        ask_further: asks what parts causes; None if a kind has no further questions.
        undeclared: what is said of a target that declares nothing of this kind.
        plain: ids of vectors that everybody gets right, for a first look, the newest format first.
        advice: what to do about one that does not come up; `{target}` stands for its name.
        is_reducible: True if valid vectors that go wrong can be made small.
    """

    name: str
    about: str
    targets: frozenset[TargetKind]
    load: Callable[[Filters], Sequence[Vector]]
    diagnose: Diagnose
    undeclared: str
    plain: tuple[str, ...] = ()
    advice: str = "`kafka-conformance smoke {target}` looks at the adapter step by step."
    is_reducible: bool = False
    settle: Settle | None = None
    ask_further: AskFurther | None = None

    @abstractmethod
    def applied(self, do: ForEveryKind[T_co]) -> T_co:
        """Call a function that takes a kind, whatever its questions and reactions are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(AnyKind, Generic[Q, R]):
    """One kind of questions, and the kind of targets that are asked them.

    Attributes:
        questions: makes the questions about vectors; passes over vectors of other kinds.
        open: starts a target; takes what ends the run, too.
        judge: makes a result of a question, the target's hello and name, and its reaction.
        is_due: tells whether a target declares at all what a question is about.
        gap: says what a question needs that a target does not declare; empty if it declares all.
        has_third_look: True if a question on which two looks differ is put once more, alone,
            because the target is asked many at once.
    """

    questions: Callable[[Iterable[Vector]], Sequence[Q]]
    open: Callable[[Candidate, Limits, Callable[[], bool]], Session[Q, R]]
    judge: Callable[[Q, Hello, str, R], Result]
    is_due: Callable[[Q, Hello], bool] = lambda _question, _hello: True
    gap: Callable[[Q, Hello], str] = lambda _question, _hello: ""
    has_third_look: bool = False

    def applied(self, do: ForEveryKind[T_co]) -> T_co:
        """Call a function that takes a kind with this one."""
        return do(self)


class ForEveryKind(Protocol[T_co]):
    """What can be done with a kind, whatever its questions and reactions are."""

    def __call__(self, kind: Kind[Q, R], /) -> T_co:
        """Do it."""
