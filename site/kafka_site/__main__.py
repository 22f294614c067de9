"""Builds the site: pages into build/site/source, then HTML by Sphinx into build/site/html."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Final

from kafka_site import examples, links, messages, search
from kafka_site.addresses import Addresses
from kafka_site.decoder import scripts
from kafka_site.model import Page, Site
from kafka_site.pages import (
    apis,
    bugs,
    cases,
    clients,
    documents,
    errors,
    files,
    flags,
    proposals,
    releases,
    rules,
    structures,
    tutorial,
    vectors,
)
from kafka_site.stories import STORIES
from kafka_site.templates import ROOT, SITE, render
from kafka_site.tutorial.standing import about, every_step, key, standings
from kafka_site.tutorial.steps import FOLDER
from kafka_site.wire import versions

_MADE: Final = (
    structures,
    files,
    apis,
    rules,
    flags,
    releases,
    proposals,
    vectors,
    cases,
    errors,
    clients,
    bugs,
    tutorial,
    documents,
)
"""The kinds of pages that are made."""

BUILD: Final = ROOT / "build" / "site"


def main() -> int:
    """Build the site into build/site/html; the status is 1 if a link leads nowhere."""
    source, html = BUILD / "source", BUILD / "html"
    write(source, BUILD / "standings.json", whole=True)
    status = build(source, html)
    lost = list(links.broken_links(html))
    sys.stderr.writelines(f"a link leads nowhere: {link}\n" for link in lost)
    return status or int(bool(lost))


def build(source: Path, folder: Path, *options: str) -> int:
    """Make HTML of the pages in one folder, in another; the status is Sphinx's.

    Args:
        source: the folder of the pages.
        folder: where the HTML goes.
        options: those of Sphinx; without any, a link to nowhere fails.
    """
    strict = options or ("-q", "-W", "--keep-going")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-j", "2", *strict, str(source), str(folder)]
    return subprocess.run(command, check=False).returncode


def write(source: Path, kept: Path | None = None, only: Collection[str] = (), *, whole: bool = False) -> Site:
    """Write all pages and what they need into a folder, and return what they were made from.

    Args:
        source: the folder.
        kept: where to keep what the suite says of the tutorial's decoders; None does not ask it.
        only: paths of the pages to write; all if empty. Links to others lead nowhere then.
        whole: whether the versions of requests and responses have pages, and their vectors too:
            more than all others.
    """
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(SITE / "text", source)
    shutil.copy(SITE / "conf.py", source)
    shutil.copytree(SITE / "static", source / "_static")
    (source / "_extra").mkdir()
    with (source / "_static" / "site.css").open("a", encoding="utf-8") as css:
        css.write(examples.style())
    for step in every_step():
        shutil.copytree(FOLDER / key(step), source / "_static" / "tutorial" / key(step))
    site = Site(Addresses())
    if kept is not None:
        site.standings = standings(every_step(), about(list(site.vectors.values())), kept)
    made = known_pages(site)
    if whole:
        site.addresses.add_unlisted(versions.addresses(site))
        messages.write(site, source / "_extra")
        versions.write(site, source / "_extra")
    for page in made:
        if not only or page.path in only:
            _write(source / f"{page.path}.md", page.text())
    for path, values in STORIES.items():
        if not only or path in only:
            link = partial(site.addresses.link, page=path)
            _write(source / f"{path}.md", render(f"{path}.md", link=link, **values(site)))
        else:
            (source / f"{path}.md").unlink()
    scripts.write(source / "_static" / "decoder", site)
    search.write(source / "_static" / "search", source / "_templates", site)
    site.addresses.write(source)
    return site


def known_pages(site: Site) -> list[Page]:
    """Return all pages that are made, and tell the site their addresses."""
    made: list[Page] = [page for kind in _MADE for page in kind.pages(site)]
    for page in made:
        site.addresses.add(page.addresses)
    return made


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m kafka_site", description=__doc__).parse_args()
    sys.exit(main())
