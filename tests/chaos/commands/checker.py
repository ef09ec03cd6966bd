"""What must hold between what callers were told, what the tables have and what the service did. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.chaos.commands.told import CALLS, CHARGE, Asked, Told

CHARGED, REFUSED = 200, 409
EXECUTED = 200  # of the service
REUSED = (422, "key_reused")
# Problems that callers may be told while something is broken. All of them mean: the same again.
MAY_BE_TOLD = {"in_progress", "unavailable", "busy"}
MAY_BE_TOLD_OF_CALLS = {*MAY_BE_TOLD, "not_executed"}
MAY_BE_TOLD_OTHERS = {"key_reused", "in_progress", "unavailable", "busy"}  # of another body


@dataclass(frozen=True)
class Facts:
    told: list[Told]
    ledger: list[tuple[str, str, int]]     # key, account, price; a list, since a row could be there twice
    start: Mapping[str, int]               # balances
    balances: Mapping[str, int]
    executions: list[str]                  # of the service, by the caller's key
    responses: Mapping[str, bytes]         # of the service, by the caller's key
    executed_at: Mapping[str, float]       # seconds, the first time, by the caller's key
    well_at: float                         # seconds; from then on nothing is broken
    forgotten: str = ""                    # a command whose records may be lost, and whose service knows its keys again


def differences(facts: Facts) -> list[str]:
    by_key: defaultdict[Asked, list[Told]] = defaultdict(list)
    for one in facts.told:
        if not one.other_body:
            by_key[one.asked].append(one)
    first = {asked: response for asked, told in by_key.items() if (response := _first(told))}
    kept = {asked: told for asked, told in by_key.items() if asked.command != facts.forgotten}
    return [*_strange(facts.told), *_no_response(by_key, first), *_one_response(by_key, first), *_afterwards(kept),
            *_not_refused(facts, kept.keys() & first), *_not_true(kept, facts.executed_at), *_of_ledger(facts, first), *_of_calls(facts, first)]


def _first(told: list[Told]) -> tuple[int, bytes] | None:
    return next((one.response for one in sorted(told, key=lambda one: one.told_at) if one.response), None)


def _strange(told: Iterable[Told]) -> Iterator[str]:
    for one in told:
        if one.other_body:
            if not (one.goes_on or one.problem in MAY_BE_TOLD_OTHERS):
                yield f"another body under a key that has its response was told something that it may not be told: {one}"
        elif not (one.mark or one.standing or one.is_accepted or one.goes_on or one.problem in _may_be_told(one.asked)):
            yield f"a caller was told something that it may not be told: {one}"


def _may_be_told(asked: Asked) -> set[str]:
    return MAY_BE_TOLD_OF_CALLS if asked.command in CALLS else MAY_BE_TOLD


def _not_refused(facts: Facts, responded: Iterable[Asked]) -> Iterator[str]:
    """Once all is well, each key that has its response was sent with another body."""
    told: defaultdict[Asked, list[tuple[int, str]]] = defaultdict(list)
    for one in facts.told:
        if one.other_body and one.sent_at >= facts.well_at:
            told[one.asked].append((one.status, one.problem))
    for asked in responded:
        if set(told[asked]) != {REUSED}:
            yield f"another body under {asked} was not refused, though all was well: it was told {told[asked] or 'nothing'}"


def _no_response(by_key: Mapping[Asked, list[Told]], first: Mapping[Asked, tuple[int, bytes]]) -> Iterator[str]:
    yield from (f"{asked} has no response in the end, though it was sent again" for asked in by_key if asked not in first)


def _one_response(by_key: Mapping[Asked, list[Told]], first: Mapping[Asked, tuple[int, bytes]]) -> Iterator[str]:
    for asked, told in by_key.items():
        for other in {one.response for one in told if one.response} - {first.get(asked)}:
            yield f"two responses of {asked}: {first[asked]} and {other}"


def _afterwards(by_key: Mapping[Asked, list[Told]]) -> Iterator[str]:
    """What was told once holds for all that was sent afterwards."""
    for asked, told in by_key.items():
        if sum(one.mark == "false" for one in told) > 1:
            yield f"two requests of {asked} were told that they were executed"
        yield from _after_an_answer(asked, told)


def _after_an_answer(asked: Asked, told: list[Told]) -> Iterator[str]:
    responded = min((one.told_at for one in told if one.response), default=float("inf"))
    accepted = min((one.told_at for one in told if one.is_accepted), default=float("inf"))
    for one in told:
        if one.standing and one.standing != "done" and one.sent_at > responded:
            yield f"{asked} was {one.standing} for a look-up after it had a response"
        if (one.is_accepted or one.mark == "false" or one.problem == "not_executed") and one.sent_at > responded:
            yield f"{asked} had a response, and then was told {one.status} {one.problem or one.body!r}, as if it had none"
        if one.standing == "absent" and one.sent_at > accepted:
            yield f"{asked} was absent for a look-up after it had been accepted"
        if one.standing == "failed" and asked.command == CHARGE:
            yield f"{asked} has failed"


def _not_true(by_key: Mapping[Asked, list[Told]], executed_at: Mapping[str, float]) -> Iterator[str]:
    """From its execution on nobody may be told that a call was not executed."""
    for asked, told in by_key.items():
        since = executed_at.get(asked.key, float("inf")) if asked.command in CALLS else float("inf")
        for one in told:
            if one.sent_at > since and (one.standing in ("absent", "failed") or one.problem == "not_executed"):
                yield f"{asked} was {one.standing or one.problem} for a caller after the service had executed it"


def _of_ledger(facts: Facts, first: Mapping[Asked, tuple[int, bytes]]) -> Iterator[str]:
    charges = {asked: status for asked, (status, _) in first.items() if asked.command == CHARGE}
    expected = {(asked.key, asked.account, asked.price): 1 for asked, status in charges.items() if status == CHARGED}
    found = Counter(facts.ledger)
    for row in {*expected, *found}:
        if expected.get(row, 0) != found.get(row, 0):
            yield f"{row} is {found.get(row, 0)} times in the ledger, and {expected.get(row, 0)} times in what callers were told"
    spent: Counter[str] = Counter()
    for _, account, price in facts.ledger:
        spent[account] += price
    for account, start in facts.start.items():
        if facts.balances[account] != start - spent[account] or facts.balances[account] < 0:
            yield f"{account} began with {start}, its ledger has {spent[account]}, and {facts.balances[account]} is left"
    for asked, status in charges.items():
        if status == REFUSED and asked.price <= facts.balances[asked.account]:
            yield f"{asked} was refused, though {facts.balances[asked.account]} is left"


def _of_calls(facts: Facts, first: Mapping[Asked, tuple[int, bytes]]) -> Iterator[str]:
    times = Counter(facts.executions)
    yield from (f"the service executed {key} {number} times" for key, number in times.items() if number > 1)
    for asked, (status, body) in first.items():
        if asked.command in CALLS and (status != EXECUTED or body != facts.responses.get(asked.key)):
            yield f"{asked} was answered with {status} {body!r}; the service has {facts.responses.get(asked.key)!r}"
