"""A broker for tests that answers to the steps of a scenario as a release of Kafka did."""

from __future__ import annotations

import re
from collections import deque
from typing import Any

from kafka_conformance.kinds.scenario.steps import End, Scenario, StepAnswer
from kafka_format import protocol, records
from kafka_format.protocol.json_form import EXACT
from kafka_format.records import Record, control

from tests.kafka_conformance.kinds.broker.fake_broker import FakeBroker, topic_id

RUN = "abc"
_KEPT = 4711
"""The first number that Kafka made up: a producer id, an epoch. The next is larger by one."""

_TEXTS = {"memberId", "leader"}
_IDS = {"topicId"}

_PLACEHOLDER = re.compile(r"\$\{?([a-z]+(?:\.id)?)\}?")


class ReplayingBroker(FakeBroker):
    """Knows `change`, which is given each answer as JSON, with its number, and may change it.

    An answer that it makes None hangs up. So many times as `loading` says, the coordinator loads.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._steps: deque[tuple[str, StepAnswer]] = deque()
        self._values: dict[str, str] = {}
        self._kept: list[str] = []
        self._count, self._topics_left, self._number = 0, 0, 0
        self.change = lambda _number, answer: answer
        self.loading = 0
        self.said = []
        self._again: tuple[str, Any] | None = None

    @property
    def left(self) -> list[str]:
        """The APIs of the steps that were not asked."""
        return [api for api, _ in self._steps]

    def learn(self, scenario: Scenario, release: str) -> None:
        """Take over the versions that a release had."""
        for answers in scenario.kafka[release].values():
            for step, answer in zip(scenario.steps, answers, strict=True):
                low, high = self.versions.get(step.api, (answer.version, answer.version))
                self.versions[step.api] = min(low, answer.version), max(high, answer.version)

    def expect(self, scenario: Scenario, release: str, end: End) -> None:
        """Answer to the next scenario as a release did."""
        pairs = zip(scenario.steps, scenario.kafka[release][end], strict=True)
        self._steps = deque((step.api, answer) for step, answer in pairs)
        self._number, self._topics_left, self._values = 0, len(scenario.topics), {}
        self._again, self._kept = None, []
        for name in (*scenario.topics, *scenario.names, *scenario.groups, *scenario.transactions):
            self._count += 1
            self._values[name] = f"kafka-conformance-{RUN}-{self._count}"
            self._values[f"{name}.id"] = topic_id(self._values[name]).hex()

    def answer(self, data: bytes) -> bytes | None:  # noqa: PLR0911 - a case each
        said = int.from_bytes(data[2:4], "big")
        if said >= 99:  # no broker can read more of such a request
            return self._of_no_version(data, said)
        request = protocol.decode_request(data)
        api = protocol.api_name(request.api)
        if api == "find_coordinator" and (not self._steps or self._steps[0][0] != api):
            return self._coordinator(request)
        while api == "delete_acls" and self._steps and self._steps[0][0] != api:
            self._steps.popleft()  # steps are left out, but not what takes away what they made
        if api == "delete_groups" and not self._steps:
            return self._written(request, request.version, {"results": []})
        if self._again is not None and api == self._again[0] and (not self._steps or self._steps[0][0] != api):
            return self._written(request, request.version, self._again[1])  # it waits for another answer
        if self._topics_left or not self._steps or self._steps[0][0] != api:
            self._topics_left -= api == "fetch"  # the last question about a topic that is made
            return super().answer(data)
        if self.loading:
            self.loading -= 1
            return self._written(request, self._steps[0][1].version, _loading(self._filled(self._steps[0][1].answer)))
        _, due = self._steps.popleft()
        answer = self.change(self._number, self._filled(due.answer))
        self._number += 1
        self._again = (api, answer)
        return None if answer is None else self._written(request, due.version, answer)

    def _of_no_version(self, data: bytes, said: int) -> bytes:
        """Answer in version 0; the correlation id stands behind the version."""
        self.said.append(said)
        _, due = self._steps.popleft()
        answer = self.change(self._number, self._filled(due.answer))
        self._number += 1
        body = EXACT.read(protocol.response("api_versions", 0), answer)
        return protocol.encode_response("api_versions", 0, body, correlation_id=int.from_bytes(data[4:8], "big"))

    def _coordinator(self, request: Any) -> bytes:
        where = {"nodeId": 1, "host": self.address.host, "port": self.address.port}
        answer = {"coordinators": [{"key": "", **where}]} if request.version >= 4 else where
        return self._written(request, request.version, answer)

    def _written(self, request: Any, version: int, answer: Any) -> bytes:
        assert request.version == version
        body = EXACT.read(protocol.response(request.api, version), _with_bytes(answer))
        return protocol.encode_response(request.api, version, body, correlation_id=request.header.correlation_id)

    def _filled(self, value: Any, field: str = "") -> Any:
        if isinstance(value, dict):
            return {key: self._filled(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item, field) for item in value]
        if not isinstance(value, str):
            return value
        whole = _PLACEHOLDER.fullmatch(value)
        if whole and whole[1] not in self._values:
            return self._made_up(whole[1], field)
        return _PLACEHOLDER.sub(lambda found: self._values[found[1]], value)

    def _made_up(self, name: str, field: str) -> Any:
        """Return what stands for a value that the scenario keeps: another one for each."""
        if name not in self._kept:
            self._kept.append(name)
        number = _KEPT + self._kept.index(name)
        return f"member-{number:012}" if field in _TEXTS else f"{number:032x}" if field in _IDS else number


def _with_bytes(value: Any) -> Any:
    """Put bytes in place of rows of records."""
    if isinstance(value, dict):
        rows = value.get("records")
        shown = {key: _with_bytes(item) for key, item in value.items()}
        return {**shown, "records": _batches(rows)} if isinstance(rows, list) else shown
    return [_with_bytes(item) for item in value] if isinstance(value, list) else value


def _batches(rows: list[dict[str, Any]]) -> str:
    """Return records in batches of one."""
    return b"".join(records.encode([_record(row)], magic=2) for row in rows).hex()


def _record(row: dict[str, Any]) -> Record:
    is_control = "control" in row
    key, value = (
        control.write(row["control"], {"coordinator_epoch": 0}) if is_control else (None, row["value"].encode())
    )
    producer = int(row.get("producerId", -1))
    return Record(
        offset=int(row["record"]),
        timestamp=int(row.get("timestamp", 0)),
        key=key,
        value=value,
        producer_id=producer,
        producer_epoch=0 if producer >= 0 else -1,
        sequence=0 if producer >= 0 and not is_control else -1,
        transactional=row.get("transactional", False),
        control=is_control,
    )


def _loading(value: Any) -> Any:
    """Put COORDINATOR_LOAD_IN_PROGRESS in place of all errors."""
    if isinstance(value, dict):
        return {key: 14 if key == "errorCode" else _loading(item) for key, item in value.items()}
    return [_loading(item) for item in value] if isinstance(value, list) else value
