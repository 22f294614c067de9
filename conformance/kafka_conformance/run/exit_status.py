"""The exit status of a run: 0 all as expected, 1 findings, 2 nothing ran or a broken set-up."""

from kafka_tools.errors import UsageError
from kafka_tools.text import plural

from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing


def exit_status(run: Run) -> int:
    """Return the exit status of a run.

    What is expected is what the known-failures files say; where an earlier run is named, what that
    one came to. A target that is not ready fails nothing as long as another one ran.
    """
    unexpected = bool(run.findings) if run.comparison is None else run.comparison.is_worse
    unsteady = any(target.standing is Standing.UNSTEADY for target in run.targets)
    if unexpected or unsteady or run.known_problems:
        return 1
    broken = any(target.standing.is_broken for target in run.targets)
    return 2 if not run.came_up or broken or run.footer.interrupted else 0


def check_came_up(run: Run) -> None:
    """Return if any target was asked anything.

    Raises:
        UsageError: none came up; the text has a line for each, and what to do next.
    """
    if not run.came_up:
        problems = [
            f"{target.name} {target.standing.predicate}: {target.problem.rstrip('.')}." for target in run.targets
        ]
        raise UsageError("\n".join(problems), _next_step(run))


def check_tested(run: Run) -> None:
    """Return if a target was tested on any vector, or did not run to its end.

    Raises:
        UsageError: no target declares what the vectors need, so all of them are gaps.
    """
    tested = any(result.outcome.was_asked for result in run.results)
    if tested or not all(target.standing.has_ended for target in run.came_up):
        return
    needs = f"this run needs, which has {plural(len(run.vectors), 'vector')}"
    problems = [
        f"{target.name} was not tested: it declares or supports nothing that {needs}." for target in run.came_up
    ]
    hint = "`--vectors 'v1/*'` chooses others, and the hello of the target declares its formats and codecs."
    raise UsageError("\n".join(problems), hint)


def _next_step(run: Run) -> str:
    """Return what to do about the first target that did not come up."""
    if any(target.standing is Standing.NOT_READY and not target.advice for target in run.targets):
        return "`kafka-conformance targets` says what they need, and `targets --install NAME` installs it."
    return run.targets[0].advice
