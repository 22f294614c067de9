"""The pages of vectors of requests and responses: every vector has its place, links lead back."""

from pathlib import Path

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.spec import data
from kafka_site import messages
from kafka_site.addresses import Addresses
from kafka_site.messages import groups
from kafka_site.model import Site
from kafka_site.pages import apis, bugs, flags


@pytest.fixture
def one_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them take seconds; `test_every_link_leads_somewhere` does that with `--whole`."""
    texts = list(protocol.texts(data.path("vectors") / protocol.FOLDER, ["heartbeat"]))
    monkeypatch.setattr(protocol, "texts", lambda _: texts)


@pytest.mark.usefixtures("one_api")
def test_a_vector_is_where_its_id_says(tmp_path: Path) -> None:
    site = Site(Addresses())
    found = list(groups())
    for kind in (apis, bugs, flags):
        for page in kind.pages(site):
            site.addresses.add(page.addresses)
    messages.write(site, tmp_path)
    links = [page for pages in site.messages.values() for page in pages]
    assert sum(link.vectors for link in links) == sum(len(group.vectors) for group in found) > 100
    for group in found:
        text = (tmp_path / f"{group.page}.html").read_text(encoding="utf-8")
        assert all(f' id="{vector["id"]}"' in text for vector in group.vectors)
        assert f"../../protocol/heartbeat.html#{group.layout}" in text
