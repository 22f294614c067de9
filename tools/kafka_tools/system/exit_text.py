"""What to say about a process that has ended."""

import signal

_SHELL_SIGNAL_BASE = 128


def exit_words(code: int) -> str:
    """Return an exit status as text; as in `subprocess`, a negative one is a signal."""
    if code < 0:
        return f"was killed by {_signal_words(-code)}"
    if code == 0:
        return "exited with status 0 before it had answered"
    if _SHELL_SIGNAL_BASE < code < _SHELL_SIGNAL_BASE + signal.NSIG:
        return f"exited with status {code}, which is how a shell reports {_signal_words(code - _SHELL_SIGNAL_BASE)}"
    return f"exited with status {code}"


def _signal_words(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"signal {number}"
