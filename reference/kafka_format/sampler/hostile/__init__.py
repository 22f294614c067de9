"""Hostile batches: sound ones of the sampler, each with one fault, and with the verdict that follows from the fault.

No decoder says what is wrong with a batch: the fault is chosen by the hash, its rule is known before it is done, and
everything around it is put right, so that nothing else is wrong. Changes that leave a batch valid are among them, with
the answer that they lead to, and so are faults that Kafka's own readers accept by a leniency: who accepts those must
give that answer.

- `model`: what a fault is; `payloads`: damage to compressed payloads;
- `batches` and `batch_records`: v2; `messages`: v0 and v1; `old_messages`: 0.7;
- `choosing`: gives each of many batches its fault.
"""

from kafka_format.sampler.hostile.choosing import FAULTS, NO_FAULT, done_to, harmed
from kafka_format.sampler.hostile.model import Fault

__all__ = ["FAULTS", "NO_FAULT", "Fault", "done_to", "harmed"]
