"""The checker is silent where all is well, and names each difference that is planted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.chaos.commands.checker import Facts, differences
from tests.chaos.commands.told import CHARGE, IN_MYSQL, Asked, Told

SMALL, POOR, HOT, CALL = (Asked(CHARGE, "k1", "ann", 5), Asked(CHARGE, "k2", "bob", 9), Asked(CHARGE, "k3", "eve", 7),
                          Asked(IN_MYSQL, "k4", "", 1))
WELL = 8.0  # seconds
PAID, REFUSED = b'{"charged":5}', b'{"error":"insufficient_balance"}'


def told(asked: Asked, at: float, status: int = 0, body: bytes = b"", **more: object) -> Told:
    return Told(asked, at, at + 0.1, status, body, **more)


def good() -> Facts:
    """A small account whose caller had no answer at first, one with too little money, a hot one, and a call that was looked up."""
    return Facts(
        told=[told(SMALL, 1, 409, problem="in_progress"), told(SMALL, 2, 200, PAID, mark="true"),
              told(SMALL, 3, 200, PAID, standing="done"),
              told(POOR, 1, standing="absent"), told(POOR, 2, 409, REFUSED, mark="false"),
              told(HOT, 1, 200, has_location=True), told(HOT, 2, standing="in_progress"), told(HOT, 3, 200, b"7", mark="true"),
              told(CALL, 1, 503, problem="not_executed"), told(CALL, 2, standing="failed"), told(CALL, 3, 202, has_location=True),
              told(CALL, 4, 200, b"1", mark="false"), told(CALL, 5, 409, problem="in_progress", other_body=True),
              *(told(asked, WELL + 1, 422, problem="key_reused", other_body=True) for asked in (SMALL, POOR, HOT, CALL))],
        ledger=[("k1", "ann", 5), ("k3", "eve", 7)], start={"ann": 10, "bob": 8, "eve": 10}, balances={"ann": 5, "bob": 8, "eve": 3},
        executions=["k4"], responses={"k4": b"1"}, executed_at={"k4": 2.5}, well_at=WELL)


def also(*more: Told) -> Callable[[Facts], Facts]:
    return lambda facts: replace(facts, told=[*facts.told, *more])


def without_refusals(facts: Facts) -> Facts:
    return replace(facts, told=[one for one in facts.told if not one.other_body or one.asked != POOR])


def with_(**changed: object) -> Callable[[Facts], Facts]:
    return lambda facts: dataclasses.replace(facts, **changed)


def test_all_is_well() -> None:
    assert differences(good()) == []


@pytest.mark.parametrize(("plant", "words"), [
    (also(told(SMALL, 4, 200, b"other", mark="true")), "two responses"),
    (also(told(CALL, 5, 200, b"1", mark="false")), "two requests"),
    (also(told(SMALL, 4, 500, problem="failed")), "may not be told"),
    (also(told(SMALL, 4)), "may not be told"),
    (also(told(SMALL, 1, 503, problem="not_executed")), "may not be told"),
    (also(told(SMALL, 4, standing="absent")), "after it had a response"),
    (also(told(SMALL, 4, 200, has_location=True)), "as if it had none"),
    (also(told(CALL, 6, 503, problem="not_executed")), "as if it had none"),
    (also(told(CALL, 6, 200, b"1", mark="true", other_body=True)), "another body"),
    (also(told(HOT, 6, 200, has_location=True, other_body=True)), "another body"),
    (also(told(POOR, 9.5, 409, problem="in_progress", other_body=True)), "not refused, though all was well"),
    (also(told(POOR, 9.5, 409, problem="key_reused", other_body=True)), "not refused, though all was well"),
    (without_refusals, "not refused, though all was well"),
    (also(told(CALL, 2.6, standing="failed")), "failed for a caller after the service had executed it"),
    (also(told(CALL, 2.6, 503, problem="not_executed")), "not_executed for a caller after the service had executed it"),
    (also(told(HOT, 1.5, standing="absent")), "after it had been accepted"),
    (also(told(SMALL, 1, standing="failed")), "has failed"),
    (also(told(Asked(CHARGE, "k5", "ann", 1), 1, 202, has_location=True)), "no response in the end"),
    (with_(ledger=[("k1", "ann", 5), ("k3", "eve", 7), ("k3", "eve", 7)]), "2 times in the ledger"),
    (with_(ledger=[("k1", "ann", 5)]), "0 times in the ledger"),
    (with_(balances={"ann": 5, "bob": 8, "eve": 2}), "eve began with 10"),
    (with_(start={"ann": 10, "bob": 9, "eve": 10}, balances={"ann": 5, "bob": 9, "eve": 3}), "was refused, though 9 is left"),
    (with_(executions=["k4", "k4"]), "executed k4 2 times"),
    (with_(responses={"k4": b"2"}), "the service has b'2'"),
    (with_(responses={}, executions=[]), "the service has None")])
def test_each_difference_is_named(plant: Callable[[Facts], Facts], words: str) -> None:
    found = differences(plant(good()))
    assert any(words in one for one in found), found


def test_what_may_be_forgotten_may_be_told_to_be_executed_twice_but_not_otherwise() -> None:
    again = also(told(CALL, 5, standing="absent"), told(CALL, 6, 200, b"1", mark="false"), told(CALL, 9, 202, has_location=True, other_body=True))(good())
    assert differences(again) and not differences(replace(again, forgotten=IN_MYSQL))
    assert differences(replace(also(told(CALL, 5, 200, b"2", mark="true"))(good()), forgotten=IN_MYSQL))
