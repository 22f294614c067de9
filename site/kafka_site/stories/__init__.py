"""What the stories show: each module's `values` fills the text of its name in site/text/stories."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from kafka_site.decoder import links
from kafka_site.model import Site
from kafka_site.stories import (
    checksums,
    compactions,
    deliveries,
    fetches,
    front,
    lookups,
    offsets,
    path,
    prices,
    sizes,
    transactions,
    trust,
    varints,
    wrappers,
)

STORIES: Final[Mapping[str, Callable[[Site], dict[str, Any]]]] = MappingProxyType(
    {
        "index": front.values,
        "stories/path": path.values,
        "stories/sizes": sizes.values,
        "stories/prices": prices.values,
        "stories/offsets": offsets.values,
        "stories/wrappers": wrappers.values,
        "stories/transactions": transactions.values,
        "stories/compactions": compactions.values,
        "stories/deliveries": deliveries.values,
        "stories/lookups": lookups.values,
        "stories/fetches": fetches.values,
        "stories/varints": varints.values,
        "stories/checksums": checksums.values,
        "trust": trust.values,
        "decoder": links.values,
    }
)
"""By the paths of their texts in site/text, which are those of their pages too."""
