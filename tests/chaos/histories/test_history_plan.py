"""A seed is a history, and one that can be carried out."""

from __future__ import annotations

import pytest

from tests.chaos.histories.plan import ONE_DEATH, History, Planned, make_history
from tests.chaos.histories.script import KINDS, effects
from tests.chaos.plan import THROWS

POINTS = {"main": ["consumer.one", "consumer.after_wakeup"], "retry": ["retry.two", "consumer.after_wakeup"]}
SEEDS = range(100)


def history_of(seed: int, **overruled: str) -> History:
    return make_history(seed, POINTS, seconds=5.0, **overruled)


@pytest.mark.parametrize("seed", range(20))
def test_a_seed_is_a_history(seed: int) -> None:
    assert history_of(seed) == history_of(seed)
    assert history_of(seed).as_json() != history_of(seed + 1).as_json()


def test_overruling_the_database_leaves_the_rest_alone() -> None:
    plain, overruled = history_of(1, database="mysql"), history_of(1, database="mariadb")
    assert (plain.database, overruled.database) == ("mysql", "mariadb")
    assert (plain.events, plain.puts, plain.lives, plain.orders) == (overruled.events, overruled.puts, overruled.lives, overruled.orders)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_event_is_put_in_its_turn_and_duplicates_come_later(seed: int) -> None:
    plan = history_of(seed)
    came = [number for put in plan.puts for number in put.events]
    assert list(dict.fromkeys(came)) == list(range(len(plan.events)))
    assert all(0 <= put.at <= plan.seconds for put in plan.puts)
    assert [put.at for put in plan.puts] == sorted(put.at for put in plan.puts)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_object_has_no_trouble(seed: int) -> None:
    plan = history_of(seed)
    healthy = f"pi_{seed:x}_0"
    assert all(event.is_well for event in plan.events if event.object == healthy)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_roles_are_played_and_processes_die_at_failpoints_of_theirs(seed: int) -> None:
    plan = history_of(seed)
    assert {"main", "both"} & set(plan.roles) and {"retry", "both"} & set(plan.roles)
    for role, lives in zip(plan.roles, plan.lives.values(), strict=True):
        known = {"", *(point for name in POINTS if role in (name, "both") for point in POINTS[name])}
        assert {life.failpoint for life in lives} <= known


def test_a_handler_never_throws() -> None:
    plan = make_history(1, {role: [THROWS] for role in POINTS}, seconds=600.0)
    actions = {life.action for lives in plan.lives.values() for life in lives}
    assert "error" not in actions and {"kill", "stop"} < actions


def test_seeds_reach_everything() -> None:
    plans = [history_of(seed) for seed in SEEDS]
    assert {event.kind for plan in plans for event in plan.events} == set(KINDS)
    assert set("drpxulc") == {letter for plan in plans for event in plan.events for letter in event.script}
    assert {plan.cases_end for plan in plans} == {"retry", "skip", "ctl"}
    assert {order.action for plan in plans for order in plan.orders} == {"retry", "skip"}
    endings = {life.ending for plan in plans for lives in plan.lives.values() for life in lives}
    assert endings == {"kill", "term", "freeze"}


def test_where_one_death_is_too_many_there_are_cases_and_nobody_dies() -> None:
    plans = [plan for plan in map(history_of, SEEDS) if plan.deaths == ONE_DEATH]
    assert plans and not any(event.can_die for plan in plans for event in plan.events)
    assert sum("c" in event.script for plan in plans for event in plan.events) > 5 * len(plans)


def test_cases_of_both_kinds_have_events_behind_them() -> None:
    found = {KINDS[case.kind].lets_cases_pass for plan in map(history_of, SEEDS) for place, case in enumerate(plan.events)
             if "c" in case.script and any(later.object == case.object for later in plan.events[place + 1:])}
    assert found == {True, False}


@pytest.mark.parametrize(("kind", "script", "can_die"), [
    ("plain", "", False), ("plain", "dddrrr", False), ("plain", "rp", True), ("plain", "x", True), ("plain", "uu", False),
    ("plain", "cc", False),
    ("plain", "rru", True), ("thrice", "rr", False), ("thrice", "rdrr", True), ("brief", "d", True), ("holds", "d", False),
    ("latest", "lll", False)])
def test_who_can_die(kind: str, script: str, can_die: bool) -> None:
    assert Planned("e", "o", kind, script).can_die == can_die


def test_each_kind_is_an_effect() -> None:
    found = {effect["name"]: effect for effect in effects("shop")}
    assert set(found) > set(KINDS)
    assert {key for effect in found.values() for key in effect} >= {"sql", "insert", "add", "set", "upsert", "decide", "handler"}
    assert found["passes"]["after_case"] == "pass"
    assert found["holds"]["while_deferred"] == "hold" and found["latest"]["after_dead"] == "skip_superseded"
