"""The sampler's requests and responses: reproducible by seed and index, whole, of all APIs."""

import pytest
from kafka_format import protocol
from kafka_format.sampler import exchanges
from kafka_format.sampler.exchanges import Kind


@pytest.mark.parametrize("kind", ["request", "response"])
def test_each_is_whole_and_says_what_it_holds(kind: Kind) -> None:
    for message in exchanges.draw(kind, seed=5, start=0, count=1000):
        if kind == "request":
            request = protocol.decode_request(message.data)
        else:
            request = protocol.decode_response(message.data, message.api, message.version)
        assert (request.api, request.version, request.body) == (message.api, message.version, message.body)


@pytest.mark.parametrize("kind", ["request", "response"])
def test_one_is_that_of_its_seed_and_index(kind: Kind) -> None:
    drawn = list(exchanges.draw(kind, seed=5, start=100, count=50))
    assert [one.number for one in drawn] == list(range(100, 150))
    assert exchanges.single(kind, 5, 120) == drawn[20]
    assert len({sample.data for sample in drawn}) > 40
    assert exchanges.single(kind, 6, 120).data != drawn[20].data


def test_all_apis_and_versions_come_up() -> None:
    known = set(exchanges.pairs("response"))
    assert len(known) == 368
    seen = {(message.api, message.version) for message in exchanges.draw("response", seed=1, start=0, count=4000)}
    assert seen == known
