"""Compares what was asked, what callers were told, and what MySQL has. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator

from deploy.demo.verdict import Check
from deploy.examples.charging.books import DONE, Books
from deploy.examples.charging.plan import HOT, Plan
from deploy.examples.charging.traffic import Traffic
from deploy.examples.checks import each_once, faults_happened, none, same

CHARGED, REFUSED = 200, 409


def judge(plan: Plan, traffic: Traffic, books: Books, faults: dict[str, int]) -> list[Check]:
    stored = [books.stored.get(click.key, (0, 0, b"")) for click in plan.clicks]
    charged = [click for click, (_, status, _) in zip(plan.clicks, stored, strict=True) if status == CHARGED]
    refused = [click for click, (_, status, _) in zip(plan.clicks, stored, strict=True) if status == REFUSED]
    started = {merchant: plan.balances[merchant] - cost for merchant, cost in books.sums.items()}
    return [
        each_once("each click has its first response under its key, and nothing else has one", [click.key for click in plan.clicks],
                  [key for key, (state, _, _) in books.stored.items() if state == DONE]),
        each_once("each click whose response says so was charged once, and no other",
                  [(one.merchant, one.id, one.price) for one in charged], books.ledger),
        same("each balance is what it was at the start less the merchant's ledger", plan.balances | started, books.balances),
        same("each merchant with money enough paid for every click of it", {name: plan.asked[name] for name in plan.rich},
             {name: books.sums.get(name, 0) for name in plan.rich}),
        none("no click was refused that the balance covers", [one for one in refused if one.price <= books.balances[one.merchant]],
             of=len(refused)),
        none("each response that a caller got is the first one", list(_other_responses(plan, traffic, stored)), of=len(traffic.responses)),
        none("no click was executed for two requests", [number for number, times in traffic.executed.items() if times > 1],
             of=len(traffic.executed)),
        none("each click that was accepted through Kafka is booked", [number for number in traffic.accepted if stored[number][0] != DONE],
             of=len(traffic.accepted)),
        none("each look-up told the truth", list(_untrue(traffic, stored)), of=len(traffic.looked_up)),
        none("each click was answered in the end", traffic.given_up, of=len(plan.clicks)),
        none("callers were told nothing else", traffic.strange, of=sum(traffic.answers.values())),
        faults_happened(_accepted(plan, traffic), "clicks of both hot merchants went through Kafka"),
        faults_happened(faults, "each fault happened")]


def _other_responses(plan: Plan, traffic: Traffic, stored: list[tuple[int, int, bytes]]) -> Iterator[tuple]:
    for number, told in traffic.responses.items():
        if set(told) != {stored[number][1:]}:
            yield plan.clicks[number], dict(told), stored[number]


def _untrue(traffic: Traffic, stored: list[tuple[int, int, bytes]]) -> Iterator[tuple]:
    """A click that was looked up had been sent and answered: it is never absent, and what is done stays as it is."""
    for number, standing in traffic.looked_up:
        response = standing.get("response") or {}
        said = (response.get("status"), str(response.get("body", "")).encode())
        if standing["state"] not in ("done", "in_progress") or (standing["state"] == "done" and said != stored[number][1:]):
            yield number, json.dumps(standing), stored[number]


def _accepted(plan: Plan, traffic: Traffic) -> dict[str, int]:
    counts = dict.fromkeys(HOT, 0)
    for number in traffic.accepted:
        counts[plan.clicks[number].merchant] = counts.get(plan.clicks[number].merchant, 0) + 1
    return counts
