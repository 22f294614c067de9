"""Text for people: plurals, and texts from outside made fit to show."""

from kafka_tools.text import one_line, plural, printable

__all__ = ["one_line", "plural", "printable"]
