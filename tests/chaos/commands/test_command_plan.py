"""A seed is a plan: the same again, with faults that end before the run does."""

from __future__ import annotations

from tests.chaos.__main__ import command_points
from tests.chaos.commands.plan import AWAY_FOR, LANES, LEASE, OWNED, WITH_OWNERS_AWAY, make_plan

SEEDS = range(40)


def test_the_same_seed_is_the_same_plan() -> None:
    assert make_plan(7, 30, command_points()) == make_plan(7, 30, command_points())
    assert make_plan(7, 30, command_points()) != make_plan(8, 30, command_points())


def test_every_failpoint_and_every_fault_is_in_some_plan() -> None:
    plans = [make_plan(seed, 30, command_points()) for seed in SEEDS]
    killed = {life.failpoint for plan in plans for lives in plan.lives.values() for life in lives if life.action == "kill"}
    assert killed == {point for points in command_points().values() for point in points}
    faults = {(fault.lane, fault.kind) for plan in plans for fault in plan.faults}
    assert faults == {("redis", "fail_over"), *((lane, kind) for lane, (_, kinds) in LANES.items() for kind in kinds)}
    assert {plan.forgets for plan in plans} == {True, False}


def test_processes_are_frozen_past_a_lease() -> None:
    lives = [life for seed in SEEDS for some in make_plan(seed, 30, command_points()).lives.values() for life in some]
    assert any(life.action == "stop" and life.frozen_for > LEASE for life in lives)


def test_some_owners_of_calls_are_away_past_their_lease_in_every_plan() -> None:
    assert LEASE < AWAY_FOR < WITH_OWNERS_AWAY[0] < 25  # seconds of faults in CI
    assert OWNED.keys() <= set(command_points()["serve"])
    assert all(make_plan(seed, 25, command_points()).lives["serve-1"][0].several for seed in SEEDS)
    assert not any(life.several for life in make_plan(7, 25, command_points()).lives["book-1"])


def test_the_database_that_is_asked_for_moves_nothing_else() -> None:
    drawn, chosen = make_plan(3, 30, command_points()), make_plan(3, 30, command_points(), database="mariadb")
    assert (drawn.lives, drawn.faults, chosen.database) == (chosen.lives, chosen.faults, "mariadb")
