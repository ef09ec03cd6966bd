"""Compares the list with the tables, and its ids with those of the inbox. Pure."""

from __future__ import annotations

from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer
from deploy.examples.checks import answered, each_once, faults_happened, none, same, settled
from deploy.examples.polling.books import Books
from deploy.examples.polling.says import Says

SUCCESS = {"stripe-webhook": (200, "")}


def judge(says: Says, events: set[str], answers: list[Answer], refused: list[str], asked: int, went_on: bool, books: Books,
          faults: dict[str, int]) -> list[Check]:
    """`events`: of the list, by account and id. `refused`: of so many requests that were asked. `went_on`: the follower of the
    killed poller began where that had come to, or a page before."""
    twice, ids = books.by_list & books.by_webhook, [event.rpartition("/")[2] for event, _ in books.inbox]
    return [*settled(events, books.inbox),
            each_once("what came by list and by webhook has one inbox row", twice, [id for id in ids if id in twice]),
            *_tables(says, books), *answered(answers, SUCCESS)[:1],
            none("the list was never asked what Stripe would refuse", refused, of=asked),
            Check("who followed the killed poller read one page again at most", went_on),
            faults_happened(faults, "each fault happened")]


def _tables(says: Says, books: Books) -> list[Check]:
    return [same("each customer is as the list says, also who was deleted", says.customers, books.customers),
            same("each subscription has its newest status", says.subscriptions, books.subscriptions),
            each_once("each paid invoice is there once, and no other is",
                      [(invoice, *paid) for invoice, paid in says.paid.items()], books.income),
            same("each customer's sum is that of the list", says.sums, books.sums)]
