"""What to say about a child that is gone: exit status, signal, what it wrote instead of a reply."""

from kafka_format.primitives.counts import byte_count

from kafka_conformance.protocol.frames import MAX_FRAME

_PRINTABLE = range(32, 127)


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
    """Quote the end of standard error, as a part of a longer sentence; empty if there is none."""
    tail = [line.strip() for line in text.splitlines() if line.strip()][-3:]
    return "; on standard error: " + " / ".join(tail) if tail else ""
