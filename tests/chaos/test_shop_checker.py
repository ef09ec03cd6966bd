"""The checker on subscriptions and orders: silent where all is well, and it names each difference that is planted."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import pytest

from tests.chaos.checker import differences
from tests.chaos.facts import DeadLetter, Entry, Facts, Message, digest
from tests.chaos.test_checker import body, good, record, row
from tests.chaos.workload import content_of

BEGUN, CHANGED, OLDER = (body(event, f"customer.subscription.{kind}", id="sub_1", item="i", amount=amount, version=version)
                         for event, kind, amount, version in (("p", "created", 3, 1), ("q", "updated", 4, 5), ("r", "created", 6, 2)))
ENDED, LATE = (body(event, f"customer.subscription.{kind}", id="sub_2", item="j", amount=1, version=version)
               for event, kind, version in (("s", "deleted", 1), ("t", "updated", 9)))
PAYS, AGAIN, LESS, OTHER_PAYS = (body(event, "checkout.session.completed", id="cs_1", order=order, amount=amount)
                                 for event, order, amount in
                                 (("u", "O-1", 1001), ("v", "O-1", 1001), ("w", "O-4", 999), ("o", "O-4", 1004)))
SHOP = {"p": BEGUN, "q": CHANGED, "r": OLDER, "s": ENDED, "t": LATE, "u": PAYS, "v": AGAIN, "w": LESS, "o": OTHER_PAYS}


def shop() -> Facts:
    """Two subscriptions with an item each, and payments of two orders in one object: the second and the third are cases."""
    facts = good()
    facts.records += [record(9 + number, event, content, json.loads(content)["data"]["object"]["id"])
                      for number, (event, content) in enumerate(SHOP.items())]
    facts.told.accepted |= {content_of(content): "" for content in SHOP.values()}
    facts.told.authentic |= {digest(content) for content in SHOP.values()}
    facts.inbox += [row(event, "dead", content, 1) if event in "vw" else row(event, "done", content) for event, content in SHOP.items()]
    facts.dead_letters += [DeadLetter("v", 0, 15, "paid_twice", AGAIN), DeadLetter("w", 0, 16, "amount_mismatch", LESS)]
    facts.cases = [("v", "paid_twice"), ("w", "amount_mismatch")]
    facts.newest |= {"i": ("q", 4), "j": ("s", None)}
    facts.bookings = [Entry(number, event, "ann", amount) for number, (event, amount) in enumerate(zip("pqrst", (3, 4, 6, 1, 1), strict=True))]
    facts.booked, facts.lasts = {"ann": 15}, {"sub_1": "r"}
    facts.orders = {"O-1": ("u", "GIVEN"), "O-4": ("o", "GIVEN")}
    facts.codes = {"p1-000": "O-1", "p1-001": "O-1", "p1-002": "O-4", "p1-003": "O-4"}
    facts.outbox = [Message("told", "ann", f"told-{event}", event) for event in "pqrst"] + [
        Message("begun", "sub_1", f"begun-{event}", event) for event in "pr"]
    facts.messages = list(facts.outbox)
    facts.ends[0] = facts.committed[0] = facts.applied[0] = 18
    return facts


def test_nothing_is_said_where_all_is_well() -> None:
    assert differences(shop()) == []


def told_by_none(facts: Facts) -> None:
    facts.messages.pop(2)


def told_though_dead(facts: Facts) -> None:
    facts.messages.append(Message("told", "ann", "told-v", "v"))


def told_under_two_keys(facts: Facts) -> None:
    facts.messages.append(dataclasses.replace(facts.messages[0], idempotency="another"))


def told_in_another_order(facts: Facts) -> None:
    facts.messages[0], facts.messages[1] = facts.messages[1], facts.messages[0]


def not_taken(facts: Facts) -> None:
    facts.messages[-1] = dataclasses.replace(facts.messages[-1], is_taken=False)


def taken_in_another_order(facts: Facts) -> None:
    """The first is answered with an error, and comes again behind the second."""
    facts.messages.append(facts.messages[0])
    facts.messages[0] = dataclasses.replace(facts.messages[0], is_taken=False)


def bodies_swapped(facts: Facts) -> None:
    first, second = facts.messages[:2]
    facts.messages[:2] = [dataclasses.replace(first, event=second.event), dataclasses.replace(second, event=first.event)]


def told_under_another_record_key(facts: Facts) -> None:
    facts.messages[0] = dataclasses.replace(facts.messages[0], key="bob")


def told_without_a_key(facts: Facts) -> None:
    facts.messages[0] = dataclasses.replace(facts.messages[0], idempotency="")


def written_in_another_order(facts: Facts) -> None:
    facts.outbox[0], facts.outbox[1] = facts.outbox[1], facts.outbox[0]
    facts.messages[0], facts.messages[1] = facts.messages[1], facts.messages[0]


def not_sent(facts: Facts) -> None:
    facts.unsent = 1


def inserted_twice(facts: Facts) -> None:
    facts.bookings.append(Entry(9, "t", "ann", 1))
    facts.booked["ann"] += 1


def not_inserted(facts: Facts) -> None:
    facts.bookings.pop()
    facts.booked["ann"] -= 1


def added_twice(facts: Facts) -> None:
    facts.booked["ann"] += 6


def booked_in_another_order(facts: Facts) -> None:
    facts.bookings[0], facts.bookings[1] = Entry(1, "p", "ann", 3), Entry(0, "q", "ann", 4)


def booked_in_turns(facts: Facts) -> None:
    facts.bookings[0] = dataclasses.replace(facts.bookings[0], revision=2)


def set_by_an_earlier_one(facts: Facts) -> None:
    facts.lasts["sub_1"] = "p"


def never_set(facts: Facts) -> None:
    facts.lasts.clear()


def older_item(facts: Facts) -> None:
    facts.newest["i"] = ("r", 6)


def brought_back(facts: Facts) -> None:
    facts.newest["j"] = ("t", 1)


def paid_by_two(facts: Facts) -> None:
    facts.inbox = [row("v", "done", AGAIN) if each.id == "v" else each for each in facts.inbox]
    facts.orders["O-1"] = ("v", "GIVEN")


def paid_by_another(facts: Facts) -> None:
    facts.orders["O-1"] = ("v", "GIVEN")


def paid_without_codes(facts: Facts) -> None:
    facts.orders["O-1"] = ("u", "PENDING")


def a_code_too_many(facts: Facts) -> None:
    facts.codes["p1-004"] = "O-4"


def codes_of_nobody(facts: Facts) -> None:
    facts.codes["p0-000"] = "O-3"


def not_the_lowest_code(facts: Facts) -> None:
    facts.codes["p1-005"] = facts.codes.pop("p1-000")


def case_twice(facts: Facts) -> None:
    facts.cases.append(facts.cases[0])


def case_of_another_class(facts: Facts) -> None:
    facts.cases[0] = ("v", "amount_mismatch")


def no_case(facts: Facts) -> None:
    facts.cases.pop()


def waits_behind_a_case(facts: Facts) -> None:
    facts.inbox = [row("o", "parked", OTHER_PAYS) if each.id == "o" else each for each in facts.inbox]


@pytest.mark.parametrize("plant,said", [
    (inserted_twice, "the bookings has 2 entries"), (not_inserted, "the bookings has 0 entries"),
    (added_twice, "of the bookings add up to 15"),
    (booked_in_another_order, "was applied before"), (booked_in_turns, "by effects of revision 0"),
    (set_by_an_earlier_one, "was last set by p, wanted r"), (never_set, "was last set by None"),
    (older_item, "the row of i shows ('r', 6)"),
    (brought_back, "the newest event that was applied is ('s', None)"), (paid_by_two, "applied: ['u', 'v']"),
    (paid_by_another, "order O-1 is ('v', 'GIVEN'), applied: ['u']"), (paid_without_codes, "order O-1 is ('u', 'PENDING')"),
    (a_code_too_many, "order O-4 has 3 codes, wanted 2"), (codes_of_nobody, "order O-3 has 1 codes, wanted 0"),
    (not_the_lowest_code, "that are not the lowest"), (case_twice, "2 cases are ('v', 'paid_twice')"),
    (case_of_another_class, "0 cases are ('v', 'paid_twice')"), (no_case, "0 cases are ('w', 'amount_mismatch')"),
    (waits_behind_a_case, "is parked (None), wanted done or dead"),
    (told_by_none, "nobody was told: ('told', 'r')"), (told_though_dead, "of an event that was not applied: ('told', 'v')"),
    (told_under_two_keys, "came under 2 keys"), (told_in_another_order, "came after a later one of its key"), (not_sent, "1 messages were not sent"),
    (not_taken, "nobody was told: ('begun', 'r')"), (taken_in_another_order, "came after a later one of its key"),
    (bodies_swapped, "under its key"), (told_under_another_record_key, "under its key"), (told_without_a_key, "has nothing under its key"),
    (written_in_another_order, "was written before that of an earlier event")])
def test_a_planted_difference_is_named(plant: Callable[[Facts], None], said: str) -> None:
    facts = shop()
    plant(facts)
    found = differences(facts)
    assert any(said in sentence for sentence in found), found


def shop_is_cut() -> Facts:
    """The same, but the log lost the subscriptions and orders, which were applied."""
    facts = shop()
    facts.before_cut = facts.records
    facts.records = facts.records[:9]
    facts.ends[0] = facts.committed[0] = facts.applied[0] = 9
    return facts


def half_applied(facts: Facts) -> None:
    """And restored meanwhile: what is gone need not be whole, but for each event."""
    facts.inbox = [each for each in facts.inbox if each.id not in "rtuo"]
    facts.bookings = [each for each in facts.bookings if each.event not in "rt"]
    facts.booked["ann"] -= 7
    facts.lasts = {"sub_1": "p"}


@pytest.mark.parametrize("plant", [lambda facts: None, half_applied])
def test_what_a_log_lost_of_the_shop_is_applied_or_not(plant: Callable[[Facts], None]) -> None:
    facts = shop_is_cut()
    plant(facts)
    assert differences(facts) == []


@pytest.mark.parametrize("plant,said", [
    (lambda facts: facts.bookings.append(facts.bookings[0]), "p was lost with the end of a log, and has 2 bookings"),
    (lambda facts: facts.codes.update({"p1-007": "O-1"}), "not the lowest"),
    (lambda facts: facts.booked.update(ann=16), "wallet ann holds")])
def test_nothing_else_of_the_shop_is_excused(plant: Callable[[Facts], None], said: str) -> None:
    facts = shop_is_cut()
    plant(facts)
    assert any(said in sentence for sentence in differences(facts)), differences(facts)
