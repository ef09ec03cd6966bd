"""The checker is silent where all is well, and names each difference that is planted."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable

import pytest

from tests.chaos.checker import differences
from tests.chaos.facts import Callback, DeadLetter, Entry, Facts, InboxRow, Published, digest
from tests.chaos.provider import Told
from tests.chaos.workload import content_of
from tests.support.pipeline import POLLED


def body(event: str, event_type: str = "payment_intent.succeeded", **thing: object) -> bytes:
    return json.dumps({"id": event, "type": event_type, "data": {"object": {"id": "pi_1", "customer": "ann", **thing}}}).encode()


def record(offset: int, event: str, content: bytes, unit: str = "pi_1") -> Published:
    return Published(0, offset, event, f"key-{event}", digest(content), unit, content)


def row(event: str, status: str, content: bytes, sent: int | None = None) -> InboxRow:
    return InboxRow(event, f"key-{event}", digest(content), status, sent, "data" if sent is not None else None)


PAID, PAID_MORE, OTHER, SAME = body("a", amount=5), body("b", amount=7), body("a", amount=500), body("a", amount=5)
DEAD, MAIL, BEHIND = body("c", amount="a lot"), body("d", "invoice.payment_failed"), body("g", amount=9)
FIRST, SECOND = body("e", "invoice.paid", number="R-1"), body("f", "invoice.paid", number="R-1")


def good() -> Facts:
    """Two payments of one object, a duplicate, a conflict, a dead event, one behind it, a mail, and two that want one
    receipt."""
    records = [record(0, "a", PAID), record(1, "b", PAID_MORE), record(2, "a", SAME), record(3, "a", OTHER),
               record(4, "c", DEAD), record(5, "d", MAIL, "in_1"), record(6, "e", FIRST, "in_2"), record(7, "f", SECOND, "in_3"),
               record(8, "g", BEHIND)]
    told = Told(accepted={content_of(each.body): "" for each in records}, accepted_unreadable={digest(b"broken")},
                authentic={digest(each.body) for each in records} | {digest(b"broken")})
    return Facts(
        told=told, records=records, quarantined=[("some key", b"broken")],
        dead_letters=[DeadLetter("a", 0, 3, "conflict", OTHER), DeadLetter("c", 0, 4, "data", DEAD),
                      DeadLetter("f", 0, 7, "data", SECOND)],
        inbox=[row("a", "done", PAID), row("b", "done", PAID_MORE), row("c", "dead", DEAD, 1), row("d", "done", MAIL),
               row("e", "done", FIRST), row("f", "dead", SECOND, 1), row("g", "parked", BEHIND)],
        entries=[Entry(1, "a", "ann", 5), Entry(2, "b", "ann", 7), Entry(5, "e", "ann", 1)], wallets={"ann": 13},
        mails=["d"], receipts={"R-1": "e"}, newest={"pi_1": ("b", 7)}, ends={0: 9, 1: 0}, committed={0: 9, 1: -1001}, applied={0: 9})


def with_callbacks(facts: Facts) -> list[Callback]:
    facts.callbacks = [Callback(0, each.offset, each.dedup_key) for each in facts.records]
    return facts.callbacks


def test_nothing_is_said_where_all_is_well() -> None:
    facts = good()
    assert differences(facts) == []
    with_callbacks(facts)
    assert differences(facts) == []


def lose_from_kafka(facts: Facts) -> None:
    facts.records.pop(1)


def lose_from_inbox(facts: Facts) -> None:
    facts.inbox.pop(1)


def second_inbox_row(facts: Facts) -> None:
    facts.inbox.append(facts.inbox[0])


def lose_effect(facts: Facts) -> None:
    facts.entries.pop(1)


def effect_twice(facts: Facts) -> None:
    facts.entries.append(Entry(9, "b", "ann", 7))
    facts.wallets["ann"] += 7


def effect_of_other_content(facts: Facts) -> None:
    facts.entries[0] = Entry(1, "a", "ann", 500)
    facts.wallets["ann"] = 508
    facts.inbox[0] = dataclasses.replace(facts.inbox[0], digest=digest(OTHER))


def half_an_effect(facts: Facts) -> None:
    facts.wallets["ann"] = 12


def wrong_order(facts: Facts) -> None:
    facts.entries[0], facts.entries[1] = Entry(2, "a", "ann", 5), Entry(1, "b", "ann", 7)


def effects_in_turns(facts: Facts) -> None:
    facts.entries[0] = dataclasses.replace(facts.entries[0], revision=2)
    facts.entries[1] = dataclasses.replace(facts.entries[1], revision=1)


def mail_twice(facts: Facts) -> None:
    facts.mails.append("d")


def both_have_the_receipt(facts: Facts) -> None:
    facts.inbox[5] = row("f", "done", SECOND)
    facts.entries.append(Entry(9, "f", "ann", 1))
    facts.wallets["ann"] += 1


def older_row(facts: Facts) -> None:
    facts.newest["pi_1"] = ("a", 5)


def callback_without_a_row(facts: Facts) -> None:
    with_callbacks(facts).pop(2)


def callback_with_two_rows(facts: Facts) -> None:
    found = with_callbacks(facts)
    found.append(found[2])


def callback_of_another_event(facts: Facts) -> None:
    found = with_callbacks(facts)
    found[2] = dataclasses.replace(found[2], dedup_key="key-z")


def mixed_row(facts: Facts) -> None:
    facts.newest["pi_1"] = ("b", 5)


def no_row(facts: Facts) -> None:
    facts.newest.clear()


def row_of_nothing(facts: Facts) -> None:
    facts.newest["pi_9"] = ("z", 1)


def lose_dead_letter(facts: Facts) -> None:
    facts.dead_letters = [dead_letter for dead_letter in facts.dead_letters if dead_letter.id != "c"]


def dead_letter_owed(facts: Facts) -> None:
    facts.inbox[2] = row("c", "dead", DEAD, 0)


def lose_conflict(facts: Facts) -> None:
    facts.dead_letters.pop(0)


def dead_without_a_reason(facts: Facts) -> None:
    facts.inbox[1] = row("b", "dead", PAID_MORE, 1)
    facts.dead_letters.append(DeadLetter("b", 0, 1, "unknown", PAID_MORE))
    facts.entries.pop(1)
    facts.wallets["ann"] = 6


def passed_a_dead_one(facts: Facts) -> None:
    facts.inbox[-1] = row("g", "done", BEHIND)
    facts.entries.append(Entry(9, "g", "ann", 9))
    facts.wallets["ann"] += 9


def parked_behind_nothing(facts: Facts) -> None:
    facts.inbox[1] = row("b", "parked", PAID_MORE)
    facts.entries.pop(1)
    facts.wallets["ann"] -= 7


def dead_letter_of_a_living_event(facts: Facts) -> None:
    facts.dead_letters.append(DeadLetter("b", 0, 1, "unknown", PAID_MORE))


def dead_letter_of_nothing(facts: Facts) -> None:
    facts.dead_letters.append(DeadLetter("b", 0, 99, "conflict", PAID_MORE))


def forged_in_kafka(facts: Facts) -> None:
    facts.told.authentic.remove(digest(PAID_MORE))


def forged_in_quarantine(facts: Facts) -> None:
    facts.quarantined.append(("key", b"who knows"))


def forged_in_inbox(facts: Facts) -> None:
    facts.inbox.append(row("x", "done", PAID))


def forged_believed(facts: Facts) -> None:
    facts.told.believed.append("forged evt_x")


def lose_quarantined(facts: Facts) -> None:
    facts.quarantined.clear()


def committed_ahead(facts: Facts) -> None:
    facts.applied[0] = 8


def not_caught_up(facts: Facts) -> None:
    facts.committed[0] = 8


def incident(facts: Facts) -> None:
    facts.incidents.append("a program fell")


def listed_and_lost(facts: Facts) -> None:
    facts.shown.contents[content_of(body("l", amount=1))] = "payment_intent.succeeded"


def listed_and_not_applied(facts: Facts) -> None:
    show(facts, body("l", amount=1), "done")
    facts.inbox.pop()


def listed_and_doubled(facts: Facts) -> None:
    show(facts, body("l", amount=1), "done")
    facts.entries += [Entry(10, "l", "ann", 1), Entry(11, "l", "ann", 1)]
    facts.wallets["ann"] += 2


def never_listed(facts: Facts) -> None:
    show(facts, body("l", "product.created"), "ignored")
    facts.shown.authentic.clear()


def listed_otherwise_and_a_conflict(facts: Facts) -> None:
    show(facts, body("b", amount=7, rendered="otherwise"))
    facts.dead_letters.append(DeadLetter("b", 0, 9, "conflict", facts.records[-1].body))


def listed_twice_with_other_content(facts: Facts) -> None:
    show(facts, body("l", "product.created"), "ignored")
    show(facts, body("l", "product.created", name="tea"))


def listed_and_not_in_quarantine(facts: Facts) -> None:
    facts.shown.unreadable.add(digest(b"no type"))


def asks_what_is_refused(facts: Facts) -> None:
    facts.shown.refused.append("both cursors")


def walked_back(facts: Facts) -> None:
    facts.walked_back.append(("a", "b"))


def gap(facts: Facts) -> None:
    facts.gaps.append(POLLED)


def show(facts: Facts, content: bytes, status: str = "") -> None:
    """Listed and read, and with a status also in the inbox."""
    event, offset = content_of(content), len(facts.records)
    facts.records.append(dataclasses.replace(record(offset, event[0], content, "pi_2"), source=POLLED))
    facts.shown.contents[event] = ""
    facts.shown.authentic.add(digest(content))
    if status:
        facts.inbox.append(row(event[0], status, content))
    facts.ends[0] = facts.committed[0] = facts.applied[0] = offset + 1


def test_what_is_listed_is_read_and_may_say_otherwise_what_a_webhook_said() -> None:
    facts = good()
    show(facts, body("l", "product.created"), "ignored")
    show(facts, body("b", amount=7, rendered="otherwise"))
    assert differences(facts) == []


@pytest.mark.parametrize("plant,said", [
    (lose_from_kafka, "is not in Kafka"), (lose_from_inbox, "it is lost"), (second_inbox_row, "2 inbox rows"),
    (lose_effect, "0 entries"), (effect_twice, "2 entries"), (effect_of_other_content, "another content was taken"),
    (half_an_effect, "wallet ann holds 12"), (wrong_order, "was applied before"), (effects_in_turns, "by effects of revision 1"),
    (mail_twice, "2 emails"),
    (callback_without_a_row, "0 callbacks are on record"), (callback_with_two_rows, "2 callbacks are on record"),
    (callback_of_another_event, "wanted 0"),
    (older_row, "the row of pi_1 shows ('a', 5)"), (mixed_row, "('b', 5)"), (no_row, "shows None"), (row_of_nothing, "the row of pi_9"),
    (both_have_the_receipt, "receipt R-1"), (lose_dead_letter, "the DLQ does not hold it"), (dead_letter_owed, "never acknowledged"),
    (lose_conflict, "conflicts with offset 0"), (dead_without_a_reason, "wanted done"),
    (passed_a_dead_one, "is done (None), wanted parked"), (parked_behind_nothing, "is parked (None), wanted done"),
    (dead_letter_of_a_living_event, "that is not dead"), (dead_letter_of_nothing, "what Kafka does not"),
    (forged_in_kafka, "never signed"), (forged_in_quarantine, "never signed"), (forged_in_inbox, "Kafka does not hold"),
    (forged_believed, "answered 2xx"), (lose_quarantined, "not in the quarantine"), (committed_ahead, "MySQL knows of 8"),
    (not_caught_up, "its end is 9"), (incident, "a program fell"), (listed_and_lost, "l (payment_intent.succeeded) was listed and is not in Kafka"),
    (listed_and_not_applied, "l at 0/9 has 0 inbox rows: it is lost"), (listed_and_doubled, "2 entries of ('l', 'ann', 1)"),
    (never_listed, "never signed: l"), (listed_otherwise_and_a_conflict, "a conflict whose content came first"),
    (listed_twice_with_other_content, "l at 0/10 conflicts with offset 9"),
    (listed_and_not_in_quarantine, "was listed and is not in the quarantine"), (asks_what_is_refused, "both cursors"), (walked_back, "went back from b to a"), (gap, "stripe-eu-list has a gap")])
def test_a_planted_difference_is_named(plant: Callable[[Facts], None], said: str) -> None:
    facts = copy.deepcopy(good())
    plant(facts)
    found = differences(facts)
    assert any(said in sentence for sentence in found), found


def cut() -> Facts:
    """The same after the log lost its end, which held a payment that was applied, a dead event and one behind that."""
    facts = good()
    gone, dead, behind = body("x", id="pi_2", amount=3), body("y", amount="much"), body("z", amount=4)
    lost = [record(9, "x", gone, "pi_2"), record(10, "y", dead, "pi_9"), record(11, "z", behind, "pi_9")]
    facts.before_cut = [*facts.records, *lost]
    facts.told.accepted |= {content_of(each.body): "" for each in lost}
    facts.told.authentic |= {digest(each.body) for each in lost}
    facts.inbox += [row("x", "done", gone), row("y", "dead", dead, 1), row("z", "parked", behind)]
    facts.dead_letters.append(DeadLetter("y", 0, 10, "data", dead))
    facts.entries.append(Entry(9, "x", "ann", 3))
    facts.wallets["ann"] += 3
    facts.newest["pi_2"] = ("x", 3)
    return facts


def never_applied(facts: Facts) -> None:
    facts.newest.pop("pi_2")
    facts.inbox = [each for each in facts.inbox if each.id not in "xyz"]
    facts.entries.pop()
    facts.wallets["ann"] -= 3
    facts.dead_letters.pop()


def came_again(facts: Facts) -> None:
    facts.records.append(record(9, "x", body("x", id="pi_2", amount=3), "pi_2"))
    facts.ends[0] = facts.committed[0] = facts.applied[0] = 10


@pytest.mark.parametrize("plant", [lambda facts: None, never_applied, came_again])
def test_what_a_log_lost_with_its_end_is_applied_or_not(plant: Callable[[Facts], None]) -> None:
    facts = cut()
    plant(facts)
    assert differences(facts) == []


def lost_applied_twice(facts: Facts) -> None:
    facts.entries.append(Entry(10, "x", "ann", 3))
    facts.wallets["ann"] += 3


def skipped_after_the_cut(facts: Facts) -> None:
    facts.records.append(record(9, "n", body("n", amount=2)))


@pytest.mark.parametrize("plant,said", [
    (lost_applied_twice, "2 ledger entries"), (skipped_after_the_cut, "it is lost"), (lose_effect, "0 entries"),
    (effect_twice, "2 entries"), (half_an_effect, "wallet ann holds"), (lose_conflict, "conflicts with offset 0"),
    (not_caught_up, "its end is 9")])
def test_nothing_else_is_excused_by_a_cut(plant: Callable[[Facts], None], said: str) -> None:
    facts = cut()
    plant(facts)
    assert any(said in sentence for sentence in differences(facts))


def test_after_a_restore_a_dead_letter_may_be_left_of_what_was_undone() -> None:
    facts = good()
    dead_letter_of_a_living_event(facts)
    facts.restored = True
    assert differences(facts) == []
