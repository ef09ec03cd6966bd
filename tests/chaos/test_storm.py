"""A storm is the same for the same seed, has nothing in it but crashes and kills, and reaches every failpoint."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.chaos.faults import action_of
from tests.chaos.plan import Plan
from tests.chaos.run import digests_in
from tests.chaos.storm import PACES, make_storm

POINTS = {"ingress": ["ingress.one", "ingress.two"], "consumer": ["consumer.one", "consumer.before_revoke_commit"]}


def storm_of(seed: int, seconds: float = 60.0, **overruled: str) -> Plan:
    return make_storm(seed, seconds, POINTS, **overruled)


@pytest.mark.parametrize("seed", range(20))
def test_a_seed_is_a_storm(seed: int) -> None:
    assert storm_of(seed) == storm_of(seed)
    assert storm_of(seed).as_json() != storm_of(seed + 1).as_json()


def test_overruling_the_database_leaves_the_rest_alone() -> None:
    plain, overruled = storm_of(1, database="mysql"), storm_of(1, database="mariadb")
    assert (plain.database, overruled.database) == ("mysql", "mariadb")
    assert (plain.lives, plain.faults, plain.rate) == (overruled.lives, overruled.faults, overruled.rate)


@pytest.mark.parametrize("seed", range(20))
def test_servers_are_killed_and_nothing_else_happens_to_them(seed: int) -> None:
    plan = storm_of(seed)
    assert set(plan.lanes) == set(PACES)
    for fault in plan.faults:
        assert (fault.kind, fault.lasts) == ("kill", 0.0) and callable(action_of(fault))
        assert 1 <= fault.at < plan.seconds


@pytest.mark.parametrize("seed", range(20))
def test_kills_of_a_server_keep_their_pace(seed: int) -> None:
    plan = storm_of(seed, 300.0)
    for lane, pace in PACES.items():
        gaps = [after.at - before.at for before, after in pairwise(plan.of_lane(lane))]
        assert all(pace.between[0] - 0.02 <= gap <= pace.between[1] + 0.02 for gap in gaps)
    assert len(plan.of_lane("redis")) > 300 and len(plan.of_lane("database")) > 40 and len(plan.of_lane("kafka-1")) > 9


@pytest.mark.parametrize("seed", range(20))
def test_every_life_is_a_crash_and_none_waits_for_readiness(seed: int) -> None:
    lives = [life for lives in storm_of(seed).lives.values() for life in lives]
    assert all(life.young and life.action == "kill" and life.frozen_for == 0 for life in lives)
    assert {life.ending for life in lives} == {"kill", "term"}


def test_failpoints_take_turns() -> None:
    for tier, points in POINTS.items():
        crashes = Counter(life.failpoint for life in storm_of(3).lives[f"{tier}-1"])
        assert set(crashes) == set(points) and max(crashes.values()) - min(crashes.values()) <= 1


def test_what_is_passed_on_the_way_out_is_asked_to_end() -> None:
    asked = [life for life in storm_of(3).lives["consumer-1"] if "revoke" in life.failpoint]
    assert asked and all(life.ending == "term" and life.hit == 1 for life in asked)


def test_kills_are_printed_by_lane() -> None:
    text = str(storm_of(3, 300.0))
    assert "redis: " in text and "kafka-1: " in text and len(text.splitlines()) < 20


def test_a_signature_in_a_log_is_found_wherever_it_stands() -> None:
    signature = "0123456789abcdef" * 4
    assert signature in digests_in(f"v1={signature},") and signature in digests_in(f"ff{signature}00")
    assert signature not in digests_in(signature[:-1])
