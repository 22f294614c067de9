"""What went over connections without a header: requests of 0.7, and tokens of SASL."""

import pytest
from kafka_format import protocol
from kafka_format.errors import FormatError

# Written by hand from kafka.api.MultiFetchRequest and MultiProducerRequest of 0.7.2, behind the
# number of the request: int16 count, then of each int16 length and UTF-8 of the topic, int32
# partition, and int64 offset and int32 size, or int32 size and the entries.
MULTI_FETCH = "0002 0006 6f7264657273 00000000 0000000000000400 00100000 0001 61 00000003 0000000000000000 00000001"
MULTI_PRODUCE = "0001 0006 6f7264657273 ffffffff 0000000f 0000000b01003610a68668656c6c6f"
TOKEN = "00000012 0074657374007465737474657374" + "30303030"


def test_requests_of_0_7_count_their_parts_in_two_bytes() -> None:
    fetch = protocol.schema("v07_multi_fetch_request", 0)
    data = bytes.fromhex(MULTI_FETCH)
    first, second = fetch.decode(data).requests
    assert first == ("orders", 0, 1024, 1 << 20)
    assert second == ("a", 3, 0, 1)
    assert fetch.encode(fetch.decode(data)) == data
    produce = protocol.schema("v07_multi_produce_request", 0)
    (only,) = produce.decode(bytes.fromhex(MULTI_PRODUCE)).requests
    assert only == ("orders", -1, bytes.fromhex("0000000b01003610a68668656c6c6f"))


@pytest.mark.parametrize(
    ("data", "rule", "offset"),
    [
        ("0003", "count.within", 0),
        ("ffff", "protocol.array.not-null", 0),
        ("00", "field.truncated", 0),
        ("0001" + MULTI_FETCH.replace(" ", "")[4:], "protocol.body.exact", 26),
    ],
)
def test_a_wrong_count_is_refused(data: str, rule: str, offset: int) -> None:
    with pytest.raises(FormatError) as caught:
        protocol.schema("v07_multi_fetch_request", 0).decode(bytes.fromhex(data))
    assert (caught.value.rule, caught.value.offset) == (rule, offset)


def test_a_token_of_sasl_is_its_size_and_what_the_mechanism_says() -> None:
    token = protocol.schema("sasl_token", 0)
    data = bytes.fromhex(TOKEN)
    assert token.decode(data).token == data[4:]
    assert token.encode({"token": b"\0user\0secret"}) == b"\0\0\0\x0c\0user\0secret"
    with pytest.raises(FormatError, match="null"):
        token.decode(b"\xff\xff\xff\xff")
