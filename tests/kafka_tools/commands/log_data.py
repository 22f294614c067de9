"""What tests of `kafka-format log` share: a real broker's directory, and what they do to copies."""

from pathlib import Path

from tests.command_line import Main

NEWEST = "kafka-4.4.0-stopped"


def lines(main: Main, *arguments: str | Path) -> tuple[int, list[str]]:
    status, out, _ = main("log", *map(str, arguments))
    return status, out.splitlines()


def first(folder: Path, kind: str) -> Path:
    return min(folder.glob(f"*.{kind}"))


def last(folder: Path, kind: str) -> Path:
    return max(folder.glob(f"*.{kind}"))


def mark(data: Path, checkpoint: str, row: str) -> None:
    (data / checkpoint).write_text(f"0\n1\n{row}\n")


def one(said: list[str]) -> str:
    """Return the one line about records that no consumer finds."""
    (line,) = [line for line in said if line.startswith("NOT FOUND BY CONSUMERS: ")]
    return line
