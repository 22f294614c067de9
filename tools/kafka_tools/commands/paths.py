"""Files and folders on the command line, which always have a name."""

import os
from pathlib import Path
from typing import Any

import click


class NamedPath(click.Path):
    """A path that has a name: `.` stands for the folder that it is, as the name tells the topic."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - what click takes
        """Take what `click.Path` takes."""
        super().__init__(path_type=Path, **settings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's
        """Return the path; an absolute one in place of one without a name."""
        path = Path(str(super().convert(value, param, ctx)))
        return path if path.name not in ("", "..") else Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


PLACE = NamedPath(exists=True)
"""A file or folder that is there."""

FOLDER = NamedPath(exists=True, file_okay=False)
"""A folder that is there."""
