"""What to say about a child that is gone: exit status, signal, what it wrote instead of a reply."""

import re
from typing import Final

from kafka_format.primitives.counts import byte_count

from kafka_conformance.protocol.frames import MAX_FRAME

_PRINTABLE = range(32, 127)

_LINES: Final = 3
"""Lines of standard error that are quoted."""

_ERROR: Final = re.compile(r"(?:Exception in thread .*|(?:[\w$]+\.)*[\w$]*(?:Error|Exception)\b.*|panic): ")
"""How the line begins in which Node.js, Java or Go says what ended a program."""


def rubbish_words(inbox: bytes, length: int) -> str:
    """Return a text about bytes that came where a frame should start.

    Text is the usual case and deserves the usual advice.
    """
    line = inbox[:80].split(b"\n")[0].strip()
    if line and all(byte in _PRINTABLE for byte in line.replace(b"\t", b" ")):
        return f"wrote text to standard output, which is for replies only: {line.decode()!r}; log to standard error"
    return f"claims a reply of {byte_count(length)}; one has 1 to {MAX_FRAME} (it starts {inbox[:16].hex(' ')})"


def silence_words(inbox: bytes, seconds: float) -> str:
    """Return a text about a child that did not answer in time."""
    if not inbox:
        return f"gave no reply for {seconds:g} s"
    came = f"{byte_count(len(inbox))} came, starting {inbox[:16].hex(' ')}"
    return f"stopped in the middle of a reply for {seconds:g} s: {came}"


def stderr_words(text: str) -> str:
    """Quote the end of standard error, as a part of a longer sentence; empty if there is none.

    Node.js, Java and Go write long tails behind the line that says what is wrong; then that line
    is quoted alone.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    tail = lines[-_LINES:]
    errors = [line for line in lines if _ERROR.match(line)]
    quoted = errors[-1:] if errors and errors[-1] not in tail else tail
    return "; on standard error: " + " / ".join(quoted) if quoted else ""
