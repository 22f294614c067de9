r"""What surrounds bytes in a text, or spells them oddly, changed into what the readers know.

A table of patterns and what stands for each instead, in the order in which they are applied. The
page's decoder has the same table (kafka_site.decoder.data): patterns are such as Python and
JavaScript both understand, where `^` and `$` are the start and end of a line.
"""

from __future__ import annotations

import re
from typing import Final

_HEX: Final = "[0-9a-fA-F]"

TABLE: Final = (
    ("[\u200b\u200c\u200d\u2060\ufeff]", ""),  # what chats put between letters
    (r"^[ \t]*(?:```|~~~)\w*[ \t]*$", ""),  # fences of Markdown
    (r"^>[ \t]?", ""),  # quotes of mails, and prompts
    (rf"(?<={_HEX})uy;", ","),  # F#
    (rf"(?<={_HEX})(?:uy\b|'u8\b|\.toByte\b(?!\())", ""),  # F#, Nim, Scala
    (r"\[\|(?=\s*(?:0x|\d))", "["),
    (r"\|\](?=\s*$)", "]"),
    (r"@\[(?=0)", "["),  # Nim
    (rf"(?<=[ {{(,])&H({_HEX}{{1,2}})(?=[,)}} ])", r"0x\1"),  # Visual Basic
    (rf"\$({_HEX}{{2}})(?=[,)])", r"0x\1"),  # Delphi
    (rf"(?<=[ (])#x({_HEX}{{2}})(?=[ )])", r"0x\1"),  # Lisp
    (rf"(?<![\w`])0?({_HEX}{{2}})[hH]\b", r"0x\1"),  # assemblers
    (r"^[ \t]*(?:\.byte|db|DB|dc\.b)[ \t]+", ""),
    (rf"\\x\{{({_HEX}{{2}})\}}", r"\\x\1"),  # Perl
    (rf"\\x\{{({_HEX})\}}", r"\\x0\1"),
    (rf"^<((?:{_HEX}{{8}} )*{_HEX}{{2,8}})>[ \t]*$", r"\1"),  # NSData
    (rf"^\{{length = \d+, bytes = 0x((?:{_HEX}{{8}} )*{_HEX}{{2,8}})\}}$", r"\1"),
    (rf"ArrayBuffer \{{\s*\[Uint8Contents\]: <((?:{_HEX}{{2}} ?)*)>,\s*byteLength: \d+\s*\}}", r"<Buffer \1>"),
    (r", buffer: ArrayBuffer\(\d+\), byteLength: \d+, byteOffset: \d+, length: \d+[^\]]*\]", "]"),  # Chrome
    ("^[┌├└][─┬┼┴┐┤┘]+[ \t]*$", ""),  # hexyl
    (" ┊ ", "  "),
    ("┊", ""),
    ("│", "|"),
    (rf"^({_HEX}{{8}})`({_HEX}{{8}})(?=[ \t])", r"\1\2"),  # WinDbg
    (rf"^{_HEX}{{4}}:({_HEX}{{4}})(?=  )", r"\1"),  # debug.exe
    (rf"^({_HEX}{{4}}) - (?={_HEX}{{2}}[ -])", r"\1  "),  # openssl -debug
    (rf"(?<=[ \t]{_HEX}{{2}})-(?={_HEX}{{2}}(?: |$))", " "),
    (rf"^[ \t]*\[\d+\] (?=(?:{_HEX}{{2}}(?: |$))+$)", ""),  # R
    (rf"^[ \t]*\d+[ \t]+(?={_HEX}{{8}}: )", ""),  # numbers of lines
    (rf"^[A-Za-z][\w .-]{{0,40}}[:=][ \t]*(?=(?:0[xX])?{_HEX}{{2}}(?:[ :,-]?{_HEX}{{2}}){{3,}}[ \t]*$)", ""),
    (r"^[A-Z][A-Za-z0-9 ,.()-]{0,40}\bbytes?\)?:[ \t]*$", ""),
    (r"^Typ=\d+ Len=\d+(?: CharacterSet=\w+)?: ", ""),  # DUMP of Oracle
    (rf"^\[(?:size=\d+ )?hex=({_HEX}+)\]$", r"\1"),  # Okio
)
"""Patterns, and what stands for each instead."""

_TABLE: Final = tuple((re.compile(pattern, re.MULTILINE), instead) for pattern, instead in TABLE)
_YAML: Final = "!!binary |"
_SIGNS: Final = re.compile("[\u200b\u200c\u200d\u2060\ufeff`~>uTt&$#hHxByd\\\\<{AÂ┌│:=\\[!-]")
"""One of these is in every text that a pattern changes."""


def tidied(text: str) -> str:
    """Return a text without what surrounds bytes, its numbers as most languages have them."""
    text = text.rpartition(_YAML)[2]
    for pattern, instead in _TABLE if _SIGNS.search(text) else ():
        text = pattern.sub(instead, text)
    return text
