"""Words that stand for a target on the command line, or in front of one, where no name does.

They are apart from `resolve`, since an adapter that starts needs nothing else of it.
"""

from typing import Final

REFERENCE: Final = "reference"
PYTHON: Final = "python:"
PROGRAM: Final = "cmd:"
