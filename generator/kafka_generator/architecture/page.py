"""docs/architecture.md, with its generated table of rooms, and the picture on it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_generator.architecture import picture
from kafka_generator.architecture.rooms import ROOT, rooms
from kafka_generator.markdown import environment, fill

PAGE: Final = "architecture.md"
PICTURE: Final = "architecture.svg"
PACKAGES: Final = ("kafka_conformance", "kafka_tools", "kafka_format")


def files() -> dict[Path, str]:
    """Return the page with its table of rooms, and the picture, by their places."""
    packages = {package: rooms(package) for package in PACKAGES}
    template = environment(Path(__file__).parent.parent / "templates").get_template("rooms.md.j2")
    page = ROOT / "docs" / PAGE
    pictures = {package: picture.draw(drawing) for package, drawing in packages.items()}
    return {
        page: fill(page.read_text(encoding="utf-8"), "rooms", template.render(packages=packages)),
        ROOT / "docs" / PICTURE: picture.svg(pictures),
    }
