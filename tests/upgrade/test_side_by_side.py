"""Both releases at work in one installation: a rolling upgrade, a rollback, and commands of either sluicectl."""

from __future__ import annotations

import itertools

import pytest

from tests.support.events import fresh_id
from tests.support.ledger import BUSINESS_TABLES
from tests.support.lanes import expect_lanes_at_rest, open_dead_letters
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for
from tests.upgrade.releases import KINDS, NEW, OLD, ctl, start
from tests.upgrade.traffic import Traffic, captured

pytestmark = [pytest.mark.databases("mysql", "mariadb"), pytest.mark.timeout(400)]
SIGNED = ("--operator", "ada", "--reason", "the wallet is there", "--apply", "--rate", "1000/s", "--wait", "60")


class Fleet:
    """Two processes of each kind."""

    def __init__(self, pipeline: Pipeline, release: str) -> None:
        self.pipeline = pipeline
        self.members = {kind: [start(pipeline, kind, release) for _ in range(2)] for kind in KINDS}

    def switch(self, kind: str, place: int, release: str) -> None:
        """One more of `release`, then one less of the other: `ingresses` is never empty."""
        members = self.members[kind]
        old = members[place]
        members[place] = start(self.pipeline, kind, release)
        assert old.stop() == 0, old.story()


def expect_all_once_and_in_order(traffic: Traffic) -> None:
    pipeline = traffic.pipeline
    pipeline.ledger.expect_applied(*traffic.events, within=60)
    pipeline.ledger.expect_each_objects_order(traffic.events)
    pipeline.expect_caught_up()
    expect_lanes_at_rest(pipeline)


def retry_all(pipeline: Pipeline, releases: itertools.cycle) -> None:
    """Until nobody is dead any more: followers die when their turn comes, unless the cause is gone."""
    def none_is_dead() -> bool:
        if open_dead_letters(pipeline):
            ctl(pipeline, next(releases), "dlq", "retry", "--everything", *SIGNED, codes=(0, 1))
        return not open_dead_letters(pipeline)
    wait_for(none_is_dead, "no dead events", 90)


def test_rolling_upgrade_and_rollback_under_load(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    pipeline.create_topics()
    pipeline.create_database()
    ctl(pipeline, OLD, "migrate", "--apply")
    pipeline.ledger.run(*BUSINESS_TABLES)
    traffic = Traffic(pipeline)
    fleet = Fleet(pipeline, OLD)
    traffic.ingresses = fleet.members["ingress"]
    with traffic:
        traffic.goes_on()
        ctl(pipeline, NEW, "migrate", "--apply")  # the release before goes on with the tables of the next
        for release in (NEW, OLD):  # the upgrade, and its rollback; tables are not rolled back
            for place, kind in itertools.product(range(2), reversed(KINDS)):
                fleet.switch(kind, place, release)
                traffic.goes_on(6)
            ctl(pipeline, release, "dlq", "list")
        assert "up to date" in ctl(pipeline, OLD, "migrate").stdout
    assert open_dead_letters(pipeline), "nothing died: the test shows less than it should"
    traffic.heal()
    retry_all(pipeline, itertools.cycle([OLD, NEW]))
    expect_all_once_and_in_order(traffic)


@pytest.mark.parametrize(("ingress", "consumer", "retry", "tool"), [(OLD, NEW, OLD, NEW), (NEW, OLD, NEW, OLD)])
def test_each_reads_what_the_other_wrote(pipeline: Pipeline, ingress: str, consumer: str, retry: str, tool: str) -> None:
    """Records of webhooks, wakeups and commands are each written by one release and read by the other."""
    pipeline.make_database()
    traffic = Traffic(pipeline)
    traffic.ingresses = [start(pipeline, "ingress", ingress)]
    for kind, release in (("consumer", consumer), ("retry_role", retry)):
        start(pipeline, kind, release)
    with traffic:
        traffic.goes_on(20)
    wait_for(lambda: len(open_dead_letters(pipeline)) > 0, "a death")
    traffic.heal()
    retry_all(pipeline, itertools.cycle([tool]))
    expect_all_once_and_in_order(traffic)


@pytest.mark.parametrize(("main", "retry"), [(OLD, NEW), (NEW, OLD)])
def test_skipped_by_one_release_what_died_in_the_other(pipeline: Pipeline, main: str, retry: str) -> None:
    pipeline.make_database()
    traffic = Traffic(pipeline)
    provider = pipeline.provider(start(pipeline, "ingress", main))
    start(pipeline, "consumer", main)
    start(pipeline, "retry_role", retry)
    unit = fresh_id("ch")
    head, follower = captured(traffic.late, unit), captured(traffic.late, unit)
    for event in (head, follower):
        provider.deliver(event).expect(200)
    wait_for(lambda: open_dead_letters(pipeline), "the head to be dead")
    traffic.heal()
    ctl(pipeline, retry, "dlq", "skip", "--everything", *SIGNED)
    pipeline.ledger.expect_status(head, "skipped")
    pipeline.ledger.expect_applied(follower)
