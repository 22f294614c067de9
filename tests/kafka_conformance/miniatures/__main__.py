"""Adapters that are wrong on purpose, one fault each, and named for it.

They decode a format of their own, so that a test can read its inputs: each byte below 0x80 is a
record with that offset, any other byte is refused. The byte 0x07 is poison: some of them fail on
it. Each runs as a process of its own: `python miniatures NAME`, where `serve` is one without a
fault.
"""

import sys

import answering
import dying
import speaking

if __name__ == "__main__":
    (vars(answering) | vars(dying) | vars(speaking))[sys.argv[1]]()
