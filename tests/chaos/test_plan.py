"""The same seed is the same plan, and a plan is one that can be carried out."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from tests.chaos.effects import all_effects
from tests.chaos.fault_table import LANES
from tests.chaos.faults import action_of
from tests.chaos.plan import THROWS, WORTH_LOSING, Fault, Plan, make_plan
from tests.chaos.workload import SHARES, Workload, content_of

POINTS = {"ingress": ["ingress.one", "ingress.two"], "consumer": ["consumer.one", "consumer.before_dlq_produce"], "poller": ["poller.one"]}


def plan_of(seed: int, seconds: float = 60.0, **overruled: object) -> Plan:
    return make_plan(seed, seconds, POINTS, **overruled)


@pytest.mark.parametrize("seed", range(20))
def test_a_seed_is_a_plan(seed: int) -> None:
    assert plan_of(seed) == plan_of(seed)
    assert plan_of(seed).as_json() != plan_of(seed + 1).as_json()


def test_overruling_a_setting_leaves_the_rest_alone() -> None:
    plain, overruled = plan_of(1), plan_of(1, database="mariadb")
    assert overruled.database == "mariadb"
    assert (plain.lives, plain.faults, plain.rate) == (overruled.lives, overruled.faults, overruled.rate)


@pytest.mark.parametrize("seed", range(20))
def test_pollers_leave_the_rest_of_the_plan_alone(seed: int) -> None:
    plain, polled = plan_of(seed), plan_of(seed, poller=True)
    assert polled == plan_of(seed, poller=True) and (polled.kind, polled.pollers) == ("poller", 2)
    assert {label: lives for label, lives in polled.lives.items() if not label.startswith("poller-")} == plain.lives
    for lane in {*plain.lanes, *polled.lanes} - {"list", "wire-list", "clock"}:  # clocks are of one program more
        assert plain.of_lane(lane) == polled.of_lane(lane)
    assert polled.of_lane("list") and not {"list", "wire-list"} & {*plain.lanes}


def test_pollers_are_often_frozen_for_longer_than_their_lease() -> None:
    lives = [life for seed in range(20) for label in ("poller-1", "poller-2") for life in plan_of(seed, poller=True).lives[label]]
    frozen = [life for life in lives if life.ending == "freeze" or life.action == "stop"]
    assert sum(life.frozen_for > 2.5 for life in frozen) > len(lives) / 4


@pytest.mark.parametrize("seed", range(50))
def test_faults_of_a_lane_follow_each_other_and_end_in_time(seed: int) -> None:
    plan = plan_of(seed)
    for lane in plan.lanes:
        faults = plan.of_lane(lane)
        assert all(before.at + before.lasts <= after.at for before, after in pairwise(faults))
        assert all(1 <= fault.at < plan.seconds for fault in faults)


@pytest.mark.parametrize("seed", range(50))
def test_what_is_restored_was_copied_before(seed: int) -> None:
    copied_at = None
    for fault in plan_of(seed).of_lane("database"):
        assert fault.kind != "restore" or (copied_at is not None and copied_at + WORTH_LOSING <= fault.at)
        if fault.how.get("copy") and copied_at is None:
            copied_at = fault.at + fault.lasts


def test_half_of_the_plans_with_three_nodes_cut_a_log_and_then_break_nothing_else_of_kafka() -> None:
    plans = [plan_of(seed, nodes=3) for seed in range(40)]
    cutting = [plan for plan in plans if plan.cuts_log]
    assert 10 < len(cutting) < 30 and not any(plan_of(seed, nodes=1).cuts_log for seed in range(40))
    assert all(callable(action_of(fault)) for plan in cutting for fault in plan.of_lane("cut"))
    assert not any("kafka" in lane for plan in cutting for lane in plan.lanes)


@pytest.mark.parametrize("lane,kind", [(lane, kind) for lane, table in LANES.items() for kind in table.kinds])
def test_every_kind_of_fault_is_written_and_comes(lane: str, kind: str) -> None:
    name = f"{lane}-1" if LANES[lane].each_node else lane
    assert callable(action_of(Fault(1.0, name, kind, 1.0)))
    assert any(fault.kind == kind for seed in range(60) for fault in plan_of(seed, rollouts=True, poller=True).of_lane(name))


def test_every_failpoint_has_its_lives() -> None:
    chosen = {life.failpoint for lives in plan_of(1, poller=True).lives.values() for life in lives}
    assert chosen >= {point for points in POINTS.values() for point in points}


def test_there_are_effects_of_every_kind() -> None:
    keys = {key for effect in all_effects() for key in effect}
    assert keys >= {"sql", "insert", "add", "set", "upsert", "mirror", "decide", "handler"}


def test_a_roll_out_changes_what_batches_write_too() -> None:
    book = next(effect for effect in all_effects(7, ["new"]) if effect["name"] == "book")
    assert (book["insert"]["row"]["revision"], book["when"]["source"]) == (7, ["new"])


def test_a_handler_never_throws() -> None:
    plan = make_plan(1, 600.0, {"ingress": ["ingress.one"], "consumer": [THROWS]})
    actions = {life.action for lives in plan.lives.values() for life in lives if life.failpoint == THROWS}
    assert "error" not in actions and {"kill", "stop"} < actions


def test_the_workload_is_the_plans() -> None:
    first, second = (list(islice(Workload(plan_of(4), created=7), 3000)) for _ in range(2))
    assert first == second
    ids = [webhook.event.id for webhook in first if webhook.honest and content_of(webhook.event.body)]
    assert len(set(ids)) > 2000, "most events are new ones"


def test_the_workload_has_everything_in_it() -> None:
    webhooks = list(islice(Workload(plan_of(4), created=7), 3000))
    assert {webhook.kind for webhook in webhooks} == {"genuine", "again", "twin", "forged", "tampered", "stale"}
    assert sum(SHARES.values()) < 1000
    assert len({webhook.event.type for webhook in webhooks}) == 11
