"""Compares what happened to customers, the mirrors, the credits and the mails. Pure."""

from __future__ import annotations

from collections import Counter

from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer, told
from deploy.examples.checks import answered, each_once, faults_happened, none, same, settled
from deploy.examples.subscriptions.books import Books
from deploy.examples.subscriptions.plan import Customer

SUCCESS = {"stripe": (200, "")}


def judge(customers: list[Customer], answers: list[Answer], books: Books, faults: dict[str, int]) -> list[Check]:
    return [*answered(answers, SUCCESS), *settled(told(answers), books.inbox), *_mirrors(customers, books), *_credits(customers, books),
            *_mails(customers, books), faults_happened(faults)]


def _mirrors(customers: list[Customer], books: Books) -> list[Check]:
    return [same("each subscription has its newest state", {who.subscription: who.status for who in customers}, books.subscriptions),
            same("who was deleted is, and nobody else", {who.id: "deleted" if who.is_deleted else "there" for who in customers},
                 books.customers),
            same("each invoice has its newest state", {name: status for who in customers for name, status in who.invoices.items()},
                 books.invoices)]


def _credits(customers: list[Customer], books: Books) -> list[Check]:
    expected = {"paid": sum(sum(who.paid.values()) for who in customers), "given back": sum(who.refunded for who in customers)}
    entries = sum(amount for _, _, amount in books.entries)
    return [each_once("each paid invoice is credited once, and no other is",
                      [(name, who.id, amount) for who in customers for name, amount in who.paid.items()], books.entries),
            same("each customer's credit is what was paid less what went back", {who.id: who.balance for who in customers}, books.balances),
            same("the sums are those of the invoices and refunds", expected,
                 {"paid": entries, "given back": entries - sum(books.balances.values())})]


def _mails(customers: list[Customer], books: Books) -> list[Check]:
    keys = Counter(mail.key for mail in books.mails)
    return [each_once("each failed attempt has one mail, and no other has one",
                      [(who.id, *attempt) for who in customers for attempt in who.failed],
                      [(mail.customer, mail.invoice, mail.attempt) for mail in books.mails]),
            none("no two mails have one idempotency key", [key for key, count in keys.items() if count != 1], of=len(keys))]
