"""Records of all kinds that an answer can hold."""

from hypothesis import strategies as st
from kafka_format.records import Header, Record

INT64 = st.integers(-(2**63), 2**63 - 1)
BYTES = st.none() | st.binary(max_size=40)
RECORDS = st.builds(
    Record,
    offset=INT64,
    timestamp=INT64,
    timestamp_type=st.sampled_from([-1, 0, 1]),
    key=BYTES,
    value=BYTES,
    headers=st.lists(st.builds(Header, st.binary(max_size=9), BYTES), max_size=3).map(tuple),
    producer_id=INT64,
    producer_epoch=st.integers(-(2**15), 2**15 - 1),
    sequence=st.integers(-(2**31), 2**31 - 1),
    transactional=st.booleans(),
    control=st.booleans(),
    codec=st.integers(0, 4),
)
