"""The error codes that the broker answers with, by their names in spec/enums.yaml (`error`)."""

from typing import Final

from kafka_format.spec.layout import specification

_number = specification().enums["error"].number

NO_ERROR: Final = _number("none")
OFFSET_OUT_OF_RANGE: Final = _number("offset_out_of_range")
CORRUPT_MESSAGE: Final = _number("corrupt_message")
UNKNOWN_TOPIC_OR_PARTITION: Final = _number("unknown_topic_or_partition")
NOT_LEADER_OR_FOLLOWER: Final = _number("not_leader_or_follower")
MESSAGE_TOO_LARGE: Final = _number("message_too_large")
NOT_COORDINATOR: Final = _number("not_coordinator")
UNKNOWN_MEMBER_ID: Final = _number("unknown_member_id")
UNSUPPORTED_SASL_MECHANISM: Final = _number("unsupported_sasl_mechanism")
UNSUPPORTED_VERSION: Final = _number("unsupported_version")
INVALID_REQUEST: Final = _number("invalid_request")
OUT_OF_ORDER_SEQUENCE_NUMBER: Final = _number("out_of_order_sequence_number")
INVALID_PRODUCER_EPOCH: Final = _number("invalid_producer_epoch")
INVALID_TXN_STATE: Final = _number("invalid_txn_state")
INVALID_PRODUCER_ID_MAPPING: Final = _number("invalid_producer_id_mapping")
FETCH_SESSION_ID_NOT_FOUND: Final = _number("fetch_session_id_not_found")
INVALID_FETCH_SESSION_EPOCH: Final = _number("invalid_fetch_session_epoch")
FENCED_LEADER_EPOCH: Final = _number("fenced_leader_epoch")
UNKNOWN_LEADER_EPOCH: Final = _number("unknown_leader_epoch")
MEMBER_ID_REQUIRED: Final = _number("member_id_required")
PRODUCER_FENCED: Final = _number("producer_fenced")
UNKNOWN_TOPIC_ID: Final = _number("unknown_topic_id")
FENCED_MEMBER_EPOCH: Final = _number("fenced_member_epoch")
INVALID_RECORD_STATE: Final = _number("invalid_record_state")
SHARE_SESSION_NOT_FOUND: Final = _number("share_session_not_found")
INVALID_SHARE_SESSION_EPOCH: Final = _number("invalid_share_session_epoch")
INVALID_REGULAR_EXPRESSION: Final = _number("invalid_regular_expression")
