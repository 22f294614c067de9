"""Faults: changes to sound batches of the sampler that decoders must refuse, or must tolerate.

Each batch of the profile `hostile` gets one fault, and with it a verdict. No decoder says what is
wrong with it: the fault is chosen by the hash, its rule is known before it is done, and everything
around it is put right, so that nothing else is wrong. Changes that leave a batch valid are among
them, with the answer that they lead to, and so are faults that Kafka's own readers accept by a
leniency: a decoder that accepts those must give that answer.

- `fault`: what a fault is; `dice`: its choices; `edits`: changes of a few bytes;
- `batch_header`, `batch_records`: faults of v2; `messages`: of v0 and v1; `messages_07`: of 0.7;
- `compressed_payloads`: of all formats;
- `sound_batch`, `sound_message_set`: what faults are done to, with its fields and messages found;
- `catalogue`: all of them, and how each of many batches gets one.
"""

from kafka_format.sampler.faults.catalogue import FAULTS, NO_FAULT, add_faults, apply_fault
from kafka_format.sampler.faults.fault import Fault

__all__ = ["FAULTS", "NO_FAULT", "Fault", "add_faults", "apply_fault"]
