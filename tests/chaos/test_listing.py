"""The list of a run: events come by all ways, late ones in time, and an answer is of the moment that its Date says."""

from __future__ import annotations

import json
import urllib.request
from collections import Counter
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from itertools import islice

import pytest

from deploy.stack.server import free_port
from tests.chaos.listing import NEEDED, OVERLAP, RATE, ChaosList, Way, as_listed, in_a_page, way_of
from tests.chaos.plan import Plan, make_plan
from tests.chaos.provider import digest
from tests.chaos.workload import Workload, content_of
from tests.support.events import payment

LISTED = Way(is_sent=False, is_listed=True)


def plan_of(*, poller: bool) -> Plan:
    return make_plan(4, 60.0, {tier: [f"{tier}.one"] for tier in ("ingress", "consumer", "poller")}, poller=poller)


@pytest.fixture
def listing() -> Iterator[ChaosList]:
    listing = ChaosList(free_port(), plan_of(poller=True))
    yield listing
    listing.close()


def answer(listing: ChaosList) -> tuple[bytes, float]:
    """A page, and the Date of it."""
    request = urllib.request.Request(f"{listing.url}/v1/events?limit=100", headers={"Authorization": f"Bearer {listing.key}"})
    with urllib.request.urlopen(request, timeout=10) as reply:
        return reply.read(), parsedate_to_datetime(reply.headers["Date"]).timestamp()


def ids(page: bytes) -> list[str]:
    return [event["id"] for event in json.loads(page)["data"]]


def test_an_event_comes_by_webhook_by_the_list_or_both() -> None:
    plan = plan_of(poller=True)
    first, second = ([way_of(plan, webhook) for webhook in islice(Workload(plan, created=7), 3000)] for _ in range(2))
    assert first == second
    assert min(Counter((way.is_sent, way.is_listed) for way in first)[each] for each in ((True, False), (False, True), (True, True))) > 300
    assert all(way.is_sent or way.is_listed for way in first) and 100 < sum(way.differs for way in first) < 1000
    late = [way.late for way in first if way.late]
    assert len(late) > 300 and max(late) <= OVERLAP


def test_only_the_first_telling_of_an_event_is_listed() -> None:
    plan = plan_of(poller=True)
    listed = [webhook for webhook in islice(Workload(plan, created=7), 3000) if way_of(plan, webhook).is_listed]
    assert {webhook.kind for webhook in listed} == {"genuine"}
    assert len({webhook.event.id for webhook in listed}) == len(listed)


def test_without_pollers_all_comes_by_webhook() -> None:
    plan = plan_of(poller=False)
    assert {way_of(plan, webhook) for webhook in islice(Workload(plan, created=7), 300)} == {Way(is_sent=True)}


def test_the_checker_knows_an_event_as_it_stands_in_a_page(listing: ChaosList) -> None:
    event = payment(created=int(listing.now))
    listing.tell(event, Way(is_sent=True, is_listed=True, differs=True))
    body = as_listed(event, Way(is_sent=True, differs=True)).body
    assert in_a_page(body) in answer(listing)[0]
    assert listing.shown.authentic == {digest(in_a_page(body))} and set(listing.shown.contents) == {content_of(body)} != {content_of(event.body)}


def test_its_date_is_of_the_moment_that_the_page_shows(listing: ChaosList) -> None:
    """Also where the answer takes its time."""
    listing.be_slow(0.5)
    _, date = answer(listing)
    assert listing.now - date >= 0.5 * RATE - 1


def test_a_late_event_is_listed_in_its_place(listing: ChaosList) -> None:
    late, early = payment(created=int(listing.now) - 1), payment(created=int(listing.now))
    listing.tell(late, Way(is_sent=False, is_listed=True, late=OVERLAP))
    listing.tell(early, LISTED)
    assert ids(answer(listing)[0]) == [early.id]
    listing.pass_time(OVERLAP)
    assert ids(answer(listing)[0]) == [early.id, late.id]
    assert listing.shown.last == early.id
    assert (listing.up_to(late.id), listing.up_to(early.id)) == ({late.id}, {late.id, early.id})


@pytest.mark.parametrize("lacks", NEEDED)
def test_an_odd_event_is_in_a_page_and_known(listing: ChaosList, lacks: str) -> None:
    listing.tell_odd("evt_odd", lacks)
    assert lacks not in json.loads(answer(listing)[0])["data"][0]
    assert (len(listing.shown.contents), len(listing.shown.unreadable)) == ((1, 0) if lacks == "created" else (0, 1))
    assert listing.shown.last == ("evt_odd" if lacks == "type" else None)
