"""What command lines have in common: groups of commands by sections, and how a program ends.

Exit status: 0 all as expected, 1 findings or something broken, 2 wrong usage or a broken set-up.
Whatever the user did wrong is one message that says what to do next, never a traceback.
"""

import importlib
import io
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import click
from kafka_format.errors import LayoutError

from kafka_tools.errors import UsageError
from kafka_tools.text import fold

WRONG_USAGE: Final = 2
_WIDEST: Final = 1 << 30
"""Where lines are not folded: there is no edge."""

SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""How every program tells of its options."""


class SectionedGroup(click.Group):
    """Commands whose `--help` has sections; those that no section names come last."""

    def __init__(self, *, sections: Mapping[str, Iterable[str]], **settings: Any) -> None:  # noqa: ANN401 - what click takes
        """Take the headings, each with its commands."""
        super().__init__(**settings)
        self._sections = {heading: list(names) for heading, names in sections.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the sections."""
        named = [name for names in self._sections.values() for name in names]
        return named + [name for name in super().list_commands(ctx) if name not in named]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        names = self.list_commands(ctx)
        widest = max(map(len, names), default=0)
        rest = names[sum(map(len, self._sections.values())) :]
        for heading, listed in (self._sections | ({"Others": rest} if rest else {})).items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{widest}}", self.line(ctx, name)) for name in listed])

    def line(self, ctx: click.Context, name: str) -> str:
        """Return what `--help` says of a command."""
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=100) if command is not None else ""


class LazyGroup(SectionedGroup):
    """Imports a command's module when it is run, so that `--help` stays quick."""

    def __init__(
        self,
        *,
        package: str,
        sections: Mapping[str, Mapping[str, str]],
        modules: Mapping[str, str] = MappingProxyType({}),
        **settings: Any,  # noqa: ANN401 - what click takes
    ) -> None:
        """Take the commands.

        Args:
            package: the package of their modules.
            sections: by heading, each command with its line in `--help`.
            modules: the module of each command in it; else it is the one of the command's name.
            settings: what click takes.
        """
        super().__init__(sections=sections, **settings)
        self._package, self._modules = package, modules
        self._lines = {name: line for lines in sections.values() for name, line in lines.items()}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command; None if there is no such command."""
        del ctx
        if cmd_name not in self._lines:
            return None
        name = cmd_name.replace("-", "_")
        module = importlib.import_module(f"{self._package}.{self._modules.get(cmd_name, name)}")
        command: click.Command = getattr(module, f"{name}_command" if cmd_name in self._modules else "command")
        return command

    def line(self, ctx: click.Context, name: str) -> str:
        """Return what `--help` says of a command, without importing it."""
        del ctx
        return self._lines[name]


def run(commands: click.Group, name: str) -> None:
    """Run a command line of that name and exit; errors are shown in words."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be UTF-8
    try:
        status = commands.main(prog_name=name, standalone_mode=False)
    except click.exceptions.Abort:
        status = WRONG_USAGE
    except click.ClickException as error:
        error.show()
        status = WRONG_USAGE
    except UsageError as error:
        width = shutil.get_terminal_size().columns if sys.stderr.isatty() else _WIDEST
        for line in f"{name}: {error.message}\n{error.hint}".rstrip().splitlines():
            click.echo(fold(line, width), err=True)
        status = WRONG_USAGE
    except LayoutError as error:
        click.echo(f"{name}: the specification cannot be used: {error}", err=True)
        status = WRONG_USAGE
    except BrokenPipeError:
        # The reader of our output, a pager or `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"{name}: {what}", err=True)
        status = WRONG_USAGE
    sys.exit(status or 0)
