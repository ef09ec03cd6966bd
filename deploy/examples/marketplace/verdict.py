"""Compares what happened to the sellers, the ledger, the balances and the messages. Pure."""

from __future__ import annotations

from collections import Counter

from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer, told
from deploy.examples.checks import answered, each_once, faults_happened, none, same, settled
from deploy.examples.marketplace.books import Books
from deploy.examples.marketplace.plan import Entry, Seller, distinct
from deploy.examples.marketplace.providers import SUCCESS

BOOKED = {"north": "what two endpoints of one account told is booked once",
          "south": "what another account told under the same numbers and event ids is booked too, and once",
          "east": "each item is booked once, however often its batch came, and in whichever parts"}


def judge(sellers: list[Seller], answers: list[Answer], books: Books, faults: dict[str, int]) -> list[Check]:
    return [*answered(answers, SUCCESS), *settled(told(answers), books.inbox), *_ledger(sellers, books), *_sums(sellers, books),
            *_messages(sellers, books), faults_happened(faults)]


def met(sellers: list[Seller], answers: list[Answer]) -> dict[str, int]:
    """How often that was there which makes a marketplace hard."""
    taken = {(one.callback.source, event) for one in answers if one.status == 200 for event in one.callback.events}
    endpoints = Counter(event for _, event in taken)
    ids = Counter(event.partition("/")[2] for event in endpoints)
    return {"an event came by two endpoints of one account": sum(count == 2 for count in endpoints.values()),
            "two accounts had events of one id": sum(count == 2 for count in ids.values()),
            "a batch had an item with a broken signature": sum(one.callback.kind == "broken-item" for one in answers),
            "a batch came again in part, with something new": sum(len(seller.later) for seller in sellers)}


def _ledger(sellers: list[Seller], books: Books) -> list[Check]:
    of_batches = [entry for seller in sellers for batch in seller.deliveries if len(batch) > 1
                  for entry in distinct(event.entry for event in batch)]
    broken = {event.entry.payment for seller in sellers for batch in seller.broken for event in batch}
    payments = _by_payment(of_batches)
    return [*(each_once(BOOKED[seller.name], seller.entries, [entry for entry in books.entries if entry.seller == seller.name])
              for seller in sellers),
            none("nothing is booked of a batch with a broken item", [entry for entry in books.entries if entry.payment in broken],
                 of=len(broken)),
            same("the items of a payment are booked in the order of their batch", payments,
                 {payment: entries for payment, entries in _by_payment(books.entries).items() if payment in payments})]


def _sums(sellers: list[Seller], books: Books) -> list[Check]:
    expected, ledger, sold, early = {seller.name: seller.balance for seller in sellers}, Counter(), set(), []
    for entry in books.entries:
        ledger[entry.seller] += entry.amount
        sold |= {(entry.seller, entry.payment)} if entry.kind == "sale" else set()
        if (entry.kind == "payout" and ledger[entry.seller] < 0) or (entry.kind == "refund" and (entry.seller, entry.payment) not in sold):
            early.append(entry)
    return [same("each seller's balance is its sales less refunds and payouts", expected, books.balances),
            same("each seller's ledger has the same sum", expected, ledger),
            none("no payout was more than the balance, and no refund came before its sale", early, of=len(books.entries))]


def _messages(sellers: list[Seller], books: Books) -> list[Check]:
    told, keys = [entry for _, entry in books.messages], Counter(key for key, _ in books.messages)
    return [each_once("each entry was told once, and nothing else was", [entry for seller in sellers for entry in seller.entries], told),
            same("each seller was told in the order of its ledger", _by_place(books.entries), _by_place(told)),
            none("no two messages have one idempotency key", [key for key, count in keys.items() if count != 1], of=len(keys))]


def _by_payment(entries: list[Entry]) -> dict[str | None, list[Entry]]:
    found: dict[str | None, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.payment, []).append(entry)
    return found


def _by_place(entries: list[Entry]) -> dict[tuple[str, int], Entry]:
    """Of each seller the first, the second and so on."""
    seen: Counter[str] = Counter()
    placed = {}
    for entry in entries:
        placed[entry.seller, seen[entry.seller]] = entry
        seen[entry.seller] += 1
    return placed
