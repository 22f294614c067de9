"""What the stories measure and show: each module's `values` fills the text of the same name in site/text/stories."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from kafka_site.model import Site
from kafka_site.stories import checksums, deliveries, fetches, lookups, offsets, sizes, varints

STORIES: Final[Mapping[str, Callable[[Site], dict[str, Any]]]] = MappingProxyType(
    {
        "sizes": sizes.values,
        "offsets": offsets.values,
        "deliveries": deliveries.values,
        "lookups": lookups.values,
        "fetches": fetches.values,
        "varints": varints.values,
        "checksums": checksums.values,
    }
)
"""By the names of their texts."""
