"""Runs of requests and responses, with the same `Run` and the same reports as of records."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import monotonic

from kafka_tools.system.interruption import interruptible

from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.message_vectors import message_vectors
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.run import messages
from kafka_conformance.run.comparison import Side, causes_of, compare
from kafka_conformance.run.header import Footer, header, now
from kafka_conformance.run.messages import MessageRun
from kafka_conformance.run.run import Run
from kafka_conformance.run.runner import Progress, RunOptions
from kafka_conformance.run.target import Standing, Target
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.vector import Vector


def run(
    contestants: Sequence[Contestant],
    asked: Sequence[MessageQuestion],
    options: RunOptions,
    on_result: Progress = lambda _: None,
) -> Run:
    """Put the questions to every contestant and return a `Run`; never raises for a target's fault.

    Args:
        contestants: the targets.
        asked: the questions.
        options: how to run, but for `directions`: messages are read.
        on_result: is called for every result as it comes, from several threads if several targets
            run at a time.
    """
    vectors = message_vectors(asked)
    head, began = header(options.command, vectors), monotonic()
    by_id = {vector.id: vector for vector in vectors}
    targets: list[Target] = []
    results: list[Result] = []
    diagnoses: dict[str, Diagnosis] = {}
    for contestant, came in _runs(contestants, asked, options, on_result):
        targets.append(_target(contestant, came))
        marked, diagnoses[contestant.name] = _diagnose(came, by_id, options)
        results += marked
    ended = {target.name for target in targets if target.standing.has_ended}
    whole = Run(
        header=head,
        targets=tuple(targets),
        vectors=vectors,
        results=tuple(results),
        footer=Footer(now(), monotonic() - began, any(target.standing is Standing.STOPPED for target in targets)),
        known_problems=options.known.problems(
            (result for result in results if result.target in ended), whole=options.whole
        ),
        diagnoses=diagnoses,
    )
    if options.earlier is None:
        return whole
    this = Side(head.started, head.suite_version, whole.targets, whole.results, causes_of(diagnoses))
    return replace(whole, comparison=compare(options.earlier, this, whole=options.whole))


def _runs(
    contestants: Sequence[Contestant], asked: Sequence[MessageQuestion], options: RunOptions, on_result: Progress
) -> Iterator[tuple[Contestant, MessageRun]]:
    """Yield what came of each contestant, in their order.

    They run some at a time, each in a thread. If the user interrupts, they end soon, with what is
    known by then.
    """
    stop = threading.Event()

    def run_target(contestant: Contestant) -> MessageRun:
        if stop.is_set():
            return MessageRun(contestant.name, None, "the run was ended", is_stopped=True)
        return messages.run(contestant, asked, options.limits, on_result=on_result, stopped=stop.is_set)

    with interruptible(), ThreadPoolExecutor(max_workers=max(1, options.jobs)) as pool:
        pending = [pool.submit(run_target, contestant) for contestant in contestants]
        for contestant, future in zip(contestants, pending, strict=True):
            try:
                came = future.result()
            except KeyboardInterrupt:
                stop.set()
                came = future.result()
            yield contestant, came


def _diagnose(came: MessageRun, vectors: Mapping[str, Vector], options: RunOptions) -> tuple[list[Result], Diagnosis]:
    """Return the results with what is known marked, and what they come from."""
    marked = [options.known.mark(result) for result in came.results]
    form = came.hello.apis.get("form", "") if came.hello else ""
    diagnosis = diagnose_messages(marked, vectors, form)
    marked = options.known.mark_causes(marked, diagnosis)
    return marked, diagnosis.with_results(marked)


def _target(contestant: Contestant, came: MessageRun) -> Target:
    """Return how far a target came; one that reads no requests at all is not ready for them."""
    if came.is_stopped:
        return Target(came.target, came.hello, Standing.STOPPED, came.problem, contestant.issues)
    if came.hello is not None and came.hello.apis:
        standing = Standing.GIVEN_UP if came.problem else Standing.RAN
        return Target(came.target, came.hello, standing, came.problem, contestant.issues)
    is_lost = contestant.command is not None and came.hello is None
    standing = Standing.DID_NOT_COME_UP if is_lost else Standing.NOT_READY
    return Target(came.target, None, standing, came.problem, contestant.issues)
