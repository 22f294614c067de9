"""`vectors --explain`: the bytes of a golden vector as an annotated hex dump."""

from collections.abc import Sequence

from kafka_format.explain import requests
from kafka_format.explain.contents import explain_content
from kafka_format.explain.lines import Explanation
from kafka_format.explain.topic_records import explain_key, explain_value
from kafka_format.protocol.records import KEYED
from kafka_tools.commands.explain import explain_bytes, show, show_frames
from kafka_tools.commands.options import ReadingOptions
from kafka_tools.errors import UsageError

from kafka_conformance.vectors.contents import headers_of
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import AnyVector, Subject, Vector

_STRICT = ReadingOptions(frozenset(), "", None, None)


def explain_vector(chosen: Sequence[AnyVector]) -> int:
    """Print what each byte of a vector is; the exit status is 1 if something is wrong with it.

    Raises:
        UsageError: it is not one alone, or has several files.
    """
    if len(chosen) != 1:
        raise UsageError("--explain shows one vector.", "Name it: --id v2/gzip/plain")
    (vector,) = chosen
    if isinstance(vector, ProtocolVector):
        return _explain_of_protocol(vector)
    if not isinstance(vector, Vector):
        raise UsageError(
            f"{vector.id} is made of files.", "Without --explain it is shown as JSON, with their contents."
        )
    if vector.subject is Subject.CONTENT:
        return show(explain_content(vector.document["content"], vector.data, headers_of(vector.document)))
    return show(explain_bytes(vector.data, None, _STRICT, None, v07=vector.format == "v07", topic=""))


def _explain_of_protocol(vector: ProtocolVector) -> int:
    """Show the bytes of a vector of the protocol, as the first of its versions."""
    number = vector.versions[0]
    if vector.kind == "framed_request":
        return show_frames([requests.explain_request(vector.data)])
    if vector.kind == "framed_response" and vector.api is not None:
        explained = requests.explain_response(vector.data, vector.api, number)
        return show_frames([explained])
    if vector.topic:
        explanation = _explain_record(vector)
    else:
        explanation = explain_bytes(vector.data, vector.layout, _STRICT, number, v07=False, topic="")
    return show(explanation)


def _explain_record(vector: ProtocolVector) -> Explanation:
    """Explain a key or a value with what stands in front of it in its topic."""
    if vector.kind == "framed_record_key":
        return explain_key(vector.topic, vector.data)
    key_layout = f"{vector.layout.removesuffix('_value')}_key" if vector.topic in KEYED else ""
    return explain_value(vector.topic, vector.data, key_layout)
