"""What a request must be like: each word of a shape, with what fits and what does not."""

import pytest
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest
from kafka_conformance.kinds.conversation.shapes import check_shape, misfit, words


def request(told=None, **fields):
    return ClientRequest("heartbeat", 4, 1, 1, 0.0, fields=fields, told=told or {})


@pytest.mark.parametrize(
    "shape", [{"epoch": {"at": 1}}, {"epoch": {"is": "gone"}}, {"epoch": {}}, {"epoch": {"has": 1, "lacks": 2}}]
)
def test_a_word_that_is_not_known_is_refused(shape):
    with pytest.raises(ValueError, match="epoch"):
        check_shape(shape)


@pytest.mark.parametrize(
    ("said", "fits", "fits_not"),
    [
        (3, 3, 4),
        (None, None, []),
        ([], [], None),
        ({"any": [1, None]}, None, 2),
        ({"has": "t1"}, ["t1", "t2"], []),
        ({"lacks": "t1"}, ["t2"], ["t1"]),
        ({"from": 3}, 3, 2),
        ({"to": 3}, 3, 4),
        ({"from": 3}, 4, None),
        ({"is": "none"}, "", "m"),
        ({"is": "some"}, "m", "0" * 32),
        ({"is": "same"}, 7, 8),
        ({"is": "other"}, 8, 7),
        ({"is": "told"}, 5, 4),
        ({"is": "next"}, 6, 5),
        ({"is": "after"}, 8, 7),
    ],
)
def test_a_value_fits_or_not(said, fits, fits_not):
    check_shape({"epoch": said})
    before = request(epoch=7)
    assert not misfit({"epoch": said}, request({"epoch": 5}, epoch=fits), before)
    assert misfit({"epoch": said}, request({"epoch": 5}, epoch=fits_not), before) == "epoch"


def test_what_nobody_told_fits_nothing():
    assert misfit({"epoch": {"is": "next"}}, request(epoch=1)) == "epoch"


def test_another_api_does_not_fit():
    assert misfit({"request": "join_group"}, request()) == "request"
    assert not misfit({"request": "heartbeat", "node": 1}, request())


def test_words():
    shape = {"request": "fetch", "topics": {"lacks": "t1"}, "epoch": {"is": "told"}}
    assert words(shape) == "fetch with `topics` without t1, `epoch` as the broker told"
