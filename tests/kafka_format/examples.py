"""How many examples a property gets: a share of the profile's, so that one option scales all.

`pytest --hypothesis-profile=thorough` runs ten times as many; the default suits a run on every
change.
"""

from hypothesis import HealthCheck, settings


def examples(percent: int = 100) -> settings:
    """Return the settings of a property that needs this share of the profile's examples."""
    number = max(1, settings.default.max_examples * percent // 100)
    return settings(max_examples=number, suppress_health_check=[HealthCheck.too_slow])
