"""The first page: one message in every format, and how much there is of everything."""

from __future__ import annotations

from typing import Any

from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Part

from kafka_site.model import Site
from kafka_site.pictures.byte_map import legend
from kafka_site.stories.sizes import samples


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this page is filled with."""
    shown = samples()
    return {
        "samples": shown,
        "legend": legend([line for sample in shown for line in sample.explanation.lines]),
        "layouts": len(site.layouts),
        "apis": len({layout.api for layout in site.versioned.values() if layout.api is not None}),
        "rules": len([rule for rule in site.rules.values() if rule.about != "adapter"]),
        "vectors": len(site.vectors),
        "decoders": len(catalogue.about(Part.DECODER).keys() | catalogue.about(Part.MESSAGES).keys()),
        "reports": len({report for bug in site.bugs.reported for report in bug.reports}),
    }
