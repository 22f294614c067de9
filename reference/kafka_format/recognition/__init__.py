r"""What bytes are: candidates with their evidence, the likeliest first, or why nothing is known.

    >>> from kafka_format.recognition import recognise
    >>> best = recognise(bytes.fromhex("00120003000000010003666f6f000462617202310000")).best
    >>> best.title
    'a request of api_versions, version 3'

Entries of every format, requests and responses, the files of a data directory, records of Kafka's
own topics, captures and packets, text that stands for bytes; and, so that they are not taken for
one of these, TLS, HTTP, compressed streams, JSON and what other products write. What is found is a
guess unless a checksum, a mark or the whole of the bytes bears it out; `score` says how good.
"""

from kafka_format.recognition.model import LEAST, SURE, Candidate, Kind, Recognition
from kafka_format.recognition.recogniser import read_text, recognise

__all__ = ["LEAST", "SURE", "Candidate", "Kind", "Recognition", "read_text", "recognise"]
