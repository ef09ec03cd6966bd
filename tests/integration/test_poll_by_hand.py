"""`sluicectl poll`: an operator sees the walks, clears a gap, and sends a walk on by time, while a poller runs."""

from __future__ import annotations

import json

import pytest

from tests.support.event_list import EventList
from tests.support.events import payment
from tests.support.on_call import SIGNED
from tests.support.pipeline import POLLED, Pipeline
from tests.support.wait import wait_for

OLD = 1200.0  # seconds: older than the overlap


@pytest.fixture
def polling(pipeline: Pipeline, listing: EventList) -> Pipeline:
    pipeline.polls(listing, since="1d")
    listing.add(payment("cus_1", 1), ago=OLD)
    return pipeline


def walk(polling: Pipeline, *, ends_with: int = 0) -> dict:
    said = polling.ctl("poll", "list", "--json")
    assert said.returncode == ends_with, said.stdout + said.stderr
    (only,) = json.loads(said.stdout)["walks"]
    return only


def by_hand(polling: Pipeline, *arguments: str) -> str:
    said = polling.ctl("poll", *arguments)
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.databases("mysql", "mariadb")
def test_a_gap_is_cleared_while_a_poller_runs(polling: Pipeline, listing: EventList) -> None:
    polling.poll_once()
    polling.ledger.run("UPDATE poll_walk SET gap_from = '2026-11-01 10:00:00', gap_until = '2026-11-03 12:30:00.000001'")
    program = polling.poller()
    program.expect_metric(1, "sluice_poller_leading", source=POLLED)
    assert program.metric("sluice_poller_gap_seconds", source=POLLED) > 86400
    assert walk(polling, ends_with=1)["gap_from"].startswith("2026-11-01T10:00:00")

    assert "from 2026-11-01 10:00:00 to 2026-11-03 12:30:00" in by_hand(polling, "clear-gap", POLLED)
    assert walk(polling, ends_with=1)["gap_from"], "it was only shown"
    unsigned = polling.ctl("poll", "clear-gap", POLLED, "--apply")
    assert unsigned.returncode == 2 and "--operator" in unsigned.stderr

    assert "Done." in by_hand(polling, "clear-gap", POLLED, *SIGNED)
    cleared = walk(polling)
    assert (cleared["gap_from"], cleared["operator"], cleared["reason"]) == (None, "ada", "a test")
    program.expect_metric(0, "sluice_poller_gap_seconds", source=POLLED)
    assert "no gap" in by_hand(polling, "clear-gap", POLLED, *SIGNED)


def test_a_place_is_forgotten_while_a_poller_runs(polling: Pipeline, listing: EventList) -> None:
    program = polling.poller()
    wait_for(lambda: walk(polling)["at_id"] == listing.events[0].id, "the event to be read")
    polling.ledger.run("UPDATE poll_walk SET at_id = 'evt_deleted', fence = fence + 1, holder = NULL, leased_until = UTC_TIMESTAMP(6)")
    wait_for(lambda: "forget-place" in str(program.decisions("poll_in_trouble")), "the poller to say what to do")
    assert "by time" not in polling.ctl("poll", "list").stdout
    by_hand(polling, "forget-place", POLLED, *SIGNED)
    listing.add(payment("cus_1", 1), ago=30)
    wait_for(lambda: {*polling.published()} == {event.id for event in listing.events}, "the walk to go on")
    program.expect_metric(0, "sluice_poller_in_trouble", source=POLLED)


def test_a_source_whose_list_was_not_read(polling: Pipeline) -> None:
    polling.make_database()
    assert "No list was read so far." in by_hand(polling, "list")
    unknown = polling.ctl("poll", "clear-gap", "elsewhere", *SIGNED)
    assert unknown.returncode == 1 and "elsewhere" in unknown.stderr
