"""What is put to a target, by its kind: the questions, how they are judged, and the gaps."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from kafka_conformance.child.deaths import Kind
from kafka_conformance.child.session import Reaction, Session
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker import questions
from kafka_conformance.kinds.broker.judge import judge_appends
from kafka_conformance.kinds.broker.session import BrokerSession
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.kinds.consumer.judge import judge_delivery
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.session import ConsumerSession
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.kinds.conversation.judge import judge_talk
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.conversation.session import ConversationSession
from kafka_conformance.kinds.decoder import encode_questions, judge
from kafka_conformance.kinds.producer import questions as orders
from kafka_conformance.kinds.producer.judge import judge_sending
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.session import ProducerSession
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import conversations, directions
from kafka_conformance.vectors import orders as order_vectors
from kafka_conformance.vectors.vector import Vector

AnySession = Session | ConsumerSession | ConversationSession | ProducerSession | BrokerSession

_OF_CLIENTS = frozenset({directions.DELIVER, conversations.FAMILY, order_vectors.FAMILY})
"""The families of the vectors that are about consumers alone, or about producers."""

_NOT_DECODED = _OF_CLIENTS | {directions.ASSIGN}
"""The families that decoders are not put."""

_NOT_CONSUMED = frozenset({directions.ASSIGN, order_vectors.FAMILY})
"""The families that consumers are not put."""


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """What is put to a target, one question a case.

    Attributes:
        cases: what the questions are about.
        questions: the questions.
        judge: takes a case, the target's hello and name, and its reaction; returns a result.
        gaps: ids of vectors that are not put, and why.
        kinds: the kind of each question: of one that a decoder hangs on again and again, the others
            are not asked. Empty where all are asked.
    """

    cases: Sequence[Any]
    questions: Sequence[Any]
    judge: Callable[[Any, Hello, str, Reaction], Result]
    gaps: Sequence[tuple[str, str]] = ()
    kinds: Sequence[Kind] = ()


def of(session: AnySession, vectors: Sequence[Vector], directions: AbstractSet[Direction]) -> Iterator[QuestionPlan]:
    """Yield what is put in a session, of the directions that are wanted and declared."""
    hello = session.hello
    if isinstance(session, BrokerSession):
        yield _appends(vectors)
    elif isinstance(session, ProducerSession):
        yield _orders(vectors, hello)
    elif isinstance(session, ConversationSession):
        yield _conversations(vectors, hello)
    elif isinstance(session, ConsumerSession):
        yield _deliveries(vectors, hello)
    else:
        asked = directions & set(hello.directions)
        if Direction.DECODE in asked:
            yield _decodings(vectors, hello)
        if Direction.ENCODE in asked:
            yield _encodings(vectors, hello)


def vectors_for(contestant: Contestant, vectors: Iterable[Vector]) -> list[Vector]:
    """Return the vectors of which a target gets a result, be it that it has a gap there."""
    if contestant.kind is TargetKind.PRODUCER:
        return [vector for vector in vectors if vector.family == order_vectors.FAMILY]
    if contestant.kind is TargetKind.BROKER:
        return [vector for vector in vectors if vector.family not in _OF_CLIENTS and questions.question(vector)]
    others = _NOT_CONSUMED if contestant.kind is TargetKind.CONSUMER else _NOT_DECODED
    return [vector for vector in vectors if vector.family not in others]


def _appends(vectors: Sequence[Vector]) -> QuestionPlan:
    appends = (questions.question(vector) for vector in vectors if vector.family not in _OF_CLIENTS)
    putable = [question for question in appends if question is not None]
    return QuestionPlan(putable, putable, judge_appends)


def _orders(vectors: Sequence[Vector], hello: Hello) -> QuestionPlan:
    chosen = [orders.order(vector) for vector in vectors if vector.family == order_vectors.FAMILY]
    gaps = [(order.vector.id, reason) for order in chosen if (reason := _unable(order, hello))]
    putable = [order for order in chosen if not _unable(order, hello)]
    return QuestionPlan(putable, putable, judge_sending, gaps)


def _unable(order: Order, hello: Hello) -> str:
    """Say what a producer cannot do; empty if it can write the order."""
    if missing := [name for name in order.needs if name not in (hello.settings or ())]:
        return f"cannot be asked for {', '.join(missing)}"
    return judge.gap(order.vector, hello)


def _conversations(vectors: Sequence[Vector], hello: Hello) -> QuestionPlan:
    chosen = [catalogue.conversation(vector) for vector in vectors if vector.family == conversations.FAMILY]
    gaps = [(conversation.vector.id, reason) for conversation in chosen if (reason := _lack(conversation, hello))]
    putable = [conversation for conversation in chosen if not _lack(conversation, hello)]
    return QuestionPlan(putable, putable, judge_talk, gaps)


def _lack(conversation: Conversation, hello: Hello) -> str:
    """Say what a client lacks for a conversation; empty if it can take part.

    One that cannot be told how long to wait does as it does.
    """
    if hello.settings is None:
        return "takes part in no conversations"
    if conversation.isolation not in hello.isolations:
        return f"has no isolation level {conversation.isolation}"
    missing = [name for name in conversation.settings if name not in _known_settings(conversation, hello)]
    return f"has no setting for {', '.join(missing)}" if missing else ""


def _known_settings(conversation: Conversation, hello: Hello) -> set[str]:
    """Return what can be set, whether it is declared or not.

    Every client with groups is told where a group begins that has committed nothing.
    """
    of_groups = {"reset"} if "group" in conversation.settings else set()
    return {*(hello.settings or ()), *of_groups, "timeout"}


def _deliveries(vectors: Sequence[Vector], hello: Hello) -> QuestionPlan:
    putable, gaps = [], []
    for vector in vectors:
        if vector.family in _NOT_CONSUMED or vector.family == conversations.FAMILY:
            continue
        view = None if views.is_as_sent(vector) else views.view(vector)
        if reason := judge.gap(view.vector if view else vector, hello) or _why_unfetched(vector, view, hello):
            gaps.append((vector.id, reason))
        else:
            putable.append(view)
    return QuestionPlan(putable, putable, judge_delivery, gaps)


def _why_unfetched(vector: Vector, view: View | None, hello: Hello) -> str:
    """Say why a consumer cannot fetch it; empty if it can."""
    if views.is_as_sent(vector):
        return "no broker serves what a producer sends without giving it offsets"
    if view is None:
        return "no consumer fetches from its first offset"
    return "" if view.isolation in hello.isolations else f"has no isolation level {view.isolation}"


def _decodings(vectors: Sequence[Vector], hello: Hello) -> QuestionPlan:
    chosen = [vector for vector in vectors if vector.family not in _NOT_DECODED]
    gaps = [(vector.id, reason) for vector in chosen if (reason := judge.gap(vector, hello))]
    putable = [vector for vector in chosen if not judge.gap(vector, hello)]
    asked = [judge.decode_question(vector) for vector in putable]
    return QuestionPlan(putable, asked, judge.judge_decode, gaps, [_kind(vector, "") for vector in putable])


def _kind(vector: Vector, doing: str) -> Kind:
    """Return what vectors have in common: formats and codecs, and the rule that is broken."""
    what = f"{doing}{', '.join(vector.formats)} with {', '.join(vector.codecs)}"
    where = f"it breaks {vector.fault.rule}" if vector.fault and not doing else "nothing is wrong"
    return Kind(what, f"{what} where {where}", f"{what} where {where}")


def _encodings(vectors: Sequence[Vector], hello: Hello) -> QuestionPlan:
    putable = [vector for vector in encode_questions.encodable(vectors) if not judge.gap(vector, hello)]
    asked = [encode_questions.question(vector) for vector in putable]
    return QuestionPlan(
        putable, asked, judge.judge_encode, kinds=[_kind(vector, "the writing of ") for vector in putable]
    )
