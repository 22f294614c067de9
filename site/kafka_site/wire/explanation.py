"""Bytes of a vector of the protocol, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafka_format.explain.lines import Explanation, explain_structure
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.topic_records import explain_key, explain_value
from kafka_format.protocol.records import KEYED


def explain_vector(vector: Mapping[str, Any]) -> Explanation:
    """Explain the bytes of a vector of the protocol, as the first of its versions.

    Args:
        vector: the vector, as JSON has it.
    """
    data, version = bytes.fromhex(vector["hex"]), vector["versions"][0]
    match vector["kind"]:
        case "framed_request":
            return explain_request(data).explanation
        case "framed_response":
            return explain_response(data, vector["api"], version).explanation
        case "framed_record_key":
            return explain_key(vector["topic"], data)
        case "framed_record_value":
            key = f"{vector['layout'].removesuffix('_value')}_key" if vector["topic"] in KEYED else ""
            return explain_value(vector["topic"], data, key)
        case _:
            return explain_structure(vector["layout"], data, version)
