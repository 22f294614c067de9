"""What the site takes from others: inflate (pako), zstd (libzstd, by zstddec) and MiniSearch.

npm brings them by the hashes of site/decoder/package-lock.json. They are put into one script, with
their licenses; nothing of them is in the repository. Where there is no npm the page does without,
and leaves payloads of gzip and zstd closed.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from kafka_site.decoder.bundle import SOURCES
from kafka_site.templates import ROOT

FOLDER: Final = ROOT / "build" / "decoder"
_LOCK: Final = "package-lock.json"
_PATIENCE: Final = 120
_NPM: Final = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


class NoLibrariesError(Exception):
    """They cannot be brought; the text says why."""


def script() -> str:
    """Return the script with the libraries.

    Raises:
        NoLibrariesError: npm is missing, or reaches no registry.
    """
    brought = modules()
    pako, zstddec = brought / "pako", brought / "zstddec"
    inflate = (pako / "dist" / "browser" / "pako_inflate.umd.min.js").read_text(encoding="utf-8")
    reader = (zstddec / "dist" / "zstddec.mjs").read_text(encoding="utf-8")
    code = re.search(r'const wasm = "([A-Za-z0-9+/=]+)"', reader)
    if code is None:
        raise NoLibrariesError("zstddec has no WebAssembly where it had it")
    licenses = "\n".join((folder / "LICENSE").read_text(encoding="utf-8") for folder in (pako, zstddec))
    return (
        f"/*! pako and zstddec\n\n{licenses}\n*/\n"
        "(function () {\nvar module = { exports: {} };\nvar exports = module.exports;\n"
        f"{_without_map(inflate)}\n"
        f'globalThis.kafkaLibraries = {{ pako: module.exports, zstd: "{code[1]}" }};\n'
        "}());\n"
    )


def search_script() -> str:
    """Return the script of the search's library, MiniSearch.

    Raises:
        NoLibrariesError: npm is missing, or reaches no registry.
    """
    folder = modules() / "minisearch"
    code = (folder / "dist" / "umd" / "index.js").read_text(encoding="utf-8")
    licence = (folder / "LICENSE.txt").read_text(encoding="utf-8")
    return f"/*! MiniSearch\n\n{licence}\n*/\n{_without_map(code)}"


def _without_map(text: str) -> str:
    return re.sub(r"^//# sourceMappingURL=.*$", "", text, flags=re.MULTILINE)


def modules() -> Path:
    """Return the folder that npm has filled, once for each state of the lock.

    npm fills a folder of its own, which takes its place whole: of several builds at a time, each
    finds nothing or all.
    """
    lock = (SOURCES / _LOCK).read_bytes()
    kept = FOLDER / hashlib.sha256(lock).hexdigest()[:16]
    modules = kept / "node_modules"
    if modules.is_dir():
        return modules
    if shutil.which("npm") is None:
        raise NoLibrariesError("there is no npm")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="npm-") as name:
        filled = Path(name) / "filled"
        filled.mkdir()
        _fill(filled)
        # Another build may have been quicker: its folder is as good, and is not to be moved away.
        with contextlib.suppress(OSError):
            filled.rename(kept)
    return modules


def _fill(folder: Path) -> None:
    for name in ("package.json", _LOCK):
        shutil.copy(SOURCES / name, folder)
    try:
        done = subprocess.run(_NPM, cwd=folder, capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        raise NoLibrariesError(f"npm brought nothing in {_PATIENCE} seconds") from None
    if done.returncode:
        raise NoLibrariesError(f"npm brings none: {done.stderr.strip()[-300:]}")
