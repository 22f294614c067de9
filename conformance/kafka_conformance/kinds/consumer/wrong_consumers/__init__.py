"""Wrong consumers by name, and what each makes of the answer to a fetch.

They go wrong where a consumer does more than decode: in transactions, in the position, in the
order and the number of records, at gaps, at what is damaged. `causes` looks among them for the one
that a target behaves like.
"""

from typing import Final

from kafka_conformance.kinds.consumer.wrong_consumers.errors import OF_ERRORS
from kafka_conformance.kinds.consumer.wrong_consumers.positions import OF_POSITION
from kafka_conformance.kinds.consumer.wrong_consumers.record_lists import OF_RECORDS
from kafka_conformance.kinds.consumer.wrong_consumers.transactions import OF_TRANSACTIONS
from kafka_conformance.kinds.consumer.wrong_consumers.ways import Consumed, Way, WrongConsumer, position_moved

__all__ = ["WRONG_CONSUMERS", "Consumed", "Way", "WrongConsumer", "position_moved"]

WRONG_CONSUMERS: Final = (*OF_TRANSACTIONS, *OF_POSITION, *OF_RECORDS, *OF_ERRORS)
"""All of them, the most usual first: of those that a target does not tell apart, the first is
named."""
