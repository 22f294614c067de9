"""What is done to a sound directory to make a variant of it: a list of edits, as data.

An edit is an object with one verb, whose value is a path below the folder of the base, and what
else the verb takes:

- `remove`, `folder` (made in the place of what was there), `unreadable` (nobody may read it),
  `unwritable` (nobody may write it, or make something in it);
- `write`, `append` with `hex`; `put` with `at` and `hex`; `flip` (a bit) with `at`;
- `cut` with `to`, a size, or if negative so many bytes less; `extend` with `to`, by zeros;
- `link` (made in the place of what was there) with `to`, a path;
- `rename`, `copy` with `to`, a path; `replace` with `old` and `new`, texts.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

Edit = dict[str, Any]


def apply(folder: Path, edits: Iterable[Edit]) -> None:
    """Make edits in a folder, one after the other."""
    for edit in edits:
        verb, name = next(iter(edit.items()))
        _VERBS[verb](folder / name, folder, edit)


def remove(path: str) -> Edit:
    """Return the edit that removes a file, or a folder with all that is in it."""
    return {"remove": path}


def write(path: str, content: bytes) -> Edit:
    """Return the edit that writes a file, and the folders that it is in."""
    return {"write": path, "hex": content.hex()}


def append(path: str, content: bytes) -> Edit:
    """Return the edit that appends bytes to a file."""
    return {"append": path, "hex": content.hex()}


def overwrite(path: str, at: int, content: bytes) -> Edit:
    """Return the edit that writes bytes over those at a position of a file."""
    return {"put": path, "at": at, "hex": content.hex()}


def flip(path: str, at: int) -> Edit:
    """Return the edit that flips the lowest bit of a byte; -1 is the last one."""
    return {"flip": path, "at": at}


def cut(path: str, to: int) -> Edit:
    """Return the edit that cuts a file to a size, or if negative by so many bytes."""
    return {"cut": path, "to": to}


def rename(path: str, to: str) -> Edit:
    """Return the edit that gives a file or folder another name."""
    return {"rename": path, "to": to}


def copy(path: str, to: str) -> Edit:
    """Return the edit that copies a file or folder."""
    return {"copy": path, "to": to}


def replace(path: str, old: str, new: str) -> Edit:
    """Return the edit that replaces a text in a file, at every place."""
    return {"replace": path, "old": old, "new": new}


def folder_at(path: str) -> Edit:
    """Return the edit that makes a folder in the place of a file."""
    return {"folder": path}


def unreadable(path: str) -> Edit:
    """Return the edit after which nobody may read a file or folder."""
    return {"unreadable": path}


def unwritable(path: str) -> Edit:
    """Return the edit after which nobody may write a file, or make something in a folder."""
    return {"unwritable": path}


def extend(path: str, to: int) -> Edit:
    """Return the edit that extends a file by zeros, as preallocation does."""
    return {"extend": path, "to": to}


def link(path: str, to: str) -> Edit:
    """Return the edit that makes a symbolic link in the place of a file or folder."""
    return {"link": path, "to": to}


def _remove(path: Path, _folder: Path, _edit: Edit) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write(path: Path, _folder: Path, edit: Edit) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes.fromhex(edit["hex"]))


def _append(path: Path, _folder: Path, edit: Edit) -> None:
    path.write_bytes(path.read_bytes() + bytes.fromhex(edit["hex"]))


def _put(path: Path, _folder: Path, edit: Edit) -> None:
    data, content = bytearray(path.read_bytes()), bytes.fromhex(edit["hex"])
    data[edit["at"] : edit["at"] + len(content)] = content
    path.write_bytes(data)


def _flip(path: Path, _folder: Path, edit: Edit) -> None:
    data = bytearray(path.read_bytes())
    data[edit["at"]] ^= 1
    path.write_bytes(data)


def _cut(path: Path, _folder: Path, edit: Edit) -> None:
    path.write_bytes(path.read_bytes()[: edit["to"]])


def _rename(path: Path, folder: Path, edit: Edit) -> None:
    path.rename(folder / edit["to"])


def _copy(path: Path, folder: Path, edit: Edit) -> None:
    if path.is_dir():
        shutil.copytree(path, folder / edit["to"])
    else:
        shutil.copyfile(path, folder / edit["to"])


def _replace(path: Path, _folder: Path, edit: Edit) -> None:
    text = path.read_text(encoding="utf-8")
    if edit["old"] not in text:
        raise ValueError(f"{path} does not have {edit['old']!r}")
    path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")


def _folder(path: Path, folder: Path, edit: Edit) -> None:
    if path.exists():
        _remove(path, folder, edit)
    path.mkdir(parents=True)


def _unreadable(path: Path, _folder: Path, _edit: Edit) -> None:
    path.chmod(0)


def _unwritable(path: Path, _folder: Path, _edit: Edit) -> None:
    path.chmod(0o555 if path.is_dir() else 0o444)


def _extend(path: Path, _folder: Path, edit: Edit) -> None:
    os.truncate(path, max(edit["to"], path.stat().st_size))


def _link(path: Path, folder: Path, edit: Edit) -> None:
    if path.exists():
        _remove(path, folder, edit)
    path.symlink_to(folder / edit["to"])


_VERBS: Final[dict[str, Callable[[Path, Path, Edit], None]]] = {
    "remove": _remove,
    "write": _write,
    "append": _append,
    "put": _put,
    "flip": _flip,
    "cut": _cut,
    "rename": _rename,
    "copy": _copy,
    "replace": _replace,
    "folder": _folder,
    "unreadable": _unreadable,
    "unwritable": _unwritable,
    "extend": _extend,
    "link": _link,
}
