"""Conversation vectors: their tables become lines with the bytes of the logs, and a page.

- `logs`: the short form of a log; `files`: the lines; `page`: docs/conversations.md
"""
