"""afkak: what its `Consumer` gives of a partition. Arguments: the broker's address, the topic."""

import sys
from collections.abc import Iterator

from afkak import OFFSET_EARLIEST, Consumer, KafkaClient
from afkak.common import SourcedMessage
from lines import show, show_error
from twisted.internet.defer import Deferred, inlineCallbacks
from twisted.internet.task import deferLater, react

_QUIET = 2.0  # seconds after which there are no more records


def show_all(_consumer: Consumer, messages: list[SourcedMessage]) -> None:
    for message in messages:
        show(offset=message.offset, key=message.message.key, value=message.message.value)


@inlineCallbacks  # type: ignore[untyped-decorator]  # twisted ships its types, but is not installed here
def main(reactor: object, address: str, topic: str) -> Iterator[Deferred]:
    client = KafkaClient(address, reactor=reactor)
    consumer = Consumer(client, topic, 0, show_all)
    ended = consumer.start(OFFSET_EARLIEST)
    ended.addErrback(lambda failure: show_error(failure.value))
    yield deferLater(reactor, _QUIET, lambda: None)
    if not ended.called:
        consumer.stop()
    yield client.close()


react(main, sys.argv[1:3])
