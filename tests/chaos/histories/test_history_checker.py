"""The checker sees every wrong ledger that is planted, and nothing in a right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.chaos.histories.checker import differences
from tests.chaos.histories.facts import Attempt, Facts, Inbox, LaneRow, DeadLetter, Waiting, as_json
from tests.chaos.histories.plan import History, Planned

NOW = datetime(2026, 1, 1)


def planned() -> History:
    """x: healthy; y: b is deferred and c passes it, d retries; z: e dies, f waits for it; w: g is superseded by h."""
    events = (Planned("a1", "x", "plain", ""), Planned("a2", "x", "plain", ""), Planned("b", "y", "plain", "d"),
              Planned("c", "y", "plain", ""), Planned("d", "y", "plain", "rr"), Planned("d2", "y", "plain", ""),
              Planned("e", "z", "plain", "p"), Planned("f", "z", "plain", ""), Planned("g", "w", "latest", "x"),
              Planned("h", "w", "latest", ""))
    return History(seed=1, seconds=1, database="mysql", partitions=1, wake_partitions=1, workers=1, batch=1, in_place="0s", deaths=20,
                   hurry=100, session_ms=600, roles=("main",), events=events, puts=(), orders=(), lives={})


def right() -> Facts:
    """What `planned` leaves behind before an operator sees to e."""
    order = ["a1", "a2", "c", "b", "d", "d2", "h"]
    runs = ["a1a", "a2a", "bd", "ca", "ba", "dr", "dr", "da", "d2a", "ep", "gx", "ha"]
    attempts = [Attempt(run[:-1], run[-1], NOW + timedelta(seconds=at)) for at, run in enumerate(runs)]
    return Facts(
        log=[(event.object, event.id) for event in planned().events] + [("x", "a1")],
        inbox=[*(Inbox(event, "done", None, NOW) for event in order), Inbox("e", "dead", 1), Inbox("f", "parked"),
               Inbox("g", "skipped", 1, NOW + timedelta(seconds=10.5))],
        attempts=attempts, applied=order, lanes=[LaneRow("y", 0), LaneRow("z", 2), LaneRow("w", 0)],
        waiting=[Waiting("z", 1, "dead", "e"), Waiting("z", 2, "parked", "f")],
        dead_letters=[DeadLetter("e", "park", True, None), DeadLetter("g", "data", True, "superseded")], sent_dead_letters={"e": 2, "g": 1})


def test_a_right_ledger_has_no_difference() -> None:
    assert differences(planned(), right()) == []


def test_drained_is_when_nobody_is_dead() -> None:
    assert {sentence.split()[0] for sentence in differences(planned(), right(), is_drained=True)} == {"e", "f"}


def test_facts_can_be_written_down() -> None:
    assert '"e": 2' in as_json(right())


def move(facts: Facts, event: str, place: int) -> None:
    facts.applied.remove(event)
    facts.applied.insert(place, event)


def status(facts: Facts, event: str, word: str) -> None:
    facts.inbox = [replace(row, status=word) if row.event == event else row for row in facts.inbox]


def healthy_out_of_order(facts: Facts) -> None:
    move(facts, "a2", 0)


def past_a_retry(facts: Facts) -> None:
    move(facts, "d2", 0)


def past_one_that_was_deferred_only_later(facts: Facts) -> None:
    facts.attempts.append(facts.attempts.pop(2))


def twice(facts: Facts) -> None:
    facts.applied.append("b")


def missing_effect(facts: Facts) -> None:
    facts.applied.remove("d2")


def missing_row(facts: Facts) -> None:
    facts.inbox.pop(0)


def second_row(facts: Facts) -> None:
    facts.inbox.append(facts.inbox[0])


def not_in_the_log(facts: Facts) -> None:
    facts.log.remove(("y", "d"))


def foreign(facts: Facts) -> None:
    facts.applied.append("nobody's")


def stranded(facts: Facts) -> None:
    status(facts, "e", "retry")
    facts.waiting[0] = Waiting("z", 1, "retry", "e")
    facts.dead_letters.pop(0)
    facts.sent_dead_letters.pop("e")


def follower_without_its_head(facts: Facts) -> None:
    facts.waiting.pop(0)


def follower_applied_past_the_dead(facts: Facts) -> None:
    facts.applied.append("f")
    facts.attempts.append(Attempt("f", "a", NOW))
    status(facts, "f", "done")
    facts.waiting.pop()
    facts.lanes[1] = LaneRow("z", 1)


def waits_in_another_order(facts: Facts) -> None:
    facts.waiting = [Waiting("z", 3, "dead", "e"), Waiting("z", 2, "parked", "f")]


def miscounted(facts: Facts) -> None:
    facts.lanes[1] = LaneRow("z", 1)


def owes_a_wakeup(facts: Facts) -> None:
    facts.lanes[0] = LaneRow("y", 0, is_sent=False)


def woken_for_ever(facts: Facts) -> None:
    facts.lanes[1] = LaneRow("z", 2, is_due=True)


def lane_of_a_healthy_object(facts: Facts) -> None:
    facts.lanes.append(LaneRow("x", 0))


def lane_without_its_row(facts: Facts) -> None:
    facts.lanes.pop(1)


def inbox_says_otherwise(facts: Facts) -> None:
    status(facts, "f", "retry")


def dead_without_an_entry(facts: Facts) -> None:
    facts.dead_letters.pop(0)


def two_open_entries(facts: Facts) -> None:
    facts.dead_letters.append(DeadLetter("e", "park", True, None))


def died_without_a_reason(facts: Facts) -> None:
    facts.dead_letters.append(DeadLetter("a1", "data", False, "retried"))


def skipped_unasked(facts: Facts) -> None:
    status(facts, "a1", "skipped")
    facts.applied.remove("a1")


def superseded_out_of_turn(facts: Facts) -> None:
    facts.inbox[-1] = replace(facts.inbox[-1], finished_at=NOW + timedelta(hours=1))


def superseded_by_mistake(facts: Facts) -> None:
    facts.dead_letters.append(DeadLetter("d", "exhausted", False, "superseded"))


def death_is_not_in_the_dlq(facts: Facts) -> None:
    facts.sent_dead_letters.pop("g")


def death_is_owed(facts: Facts) -> None:
    facts.dead_letters[0] = DeadLetter("e", "park", False, None)


def inbox_owes_a_death(facts: Facts) -> None:
    facts.inbox = [replace(row, dlq_sent=0) if row.event == "e" else row for row in facts.inbox]


def dead_letter_of_nobody(facts: Facts) -> None:
    facts.sent_dead_letters["a1"] = 1


def left_unread(facts: Facts) -> None:
    facts.behind.append("topic/0 is committed up to 1, its end is 2")


def incident(facts: Facts) -> None:
    facts.incidents.append("it fell")


PLANTED = [healthy_out_of_order, past_a_retry, past_one_that_was_deferred_only_later, twice, missing_effect, missing_row, second_row,
           not_in_the_log, foreign, stranded, follower_without_its_head, follower_applied_past_the_dead, waits_in_another_order,
           miscounted, owes_a_wakeup, woken_for_ever, lane_of_a_healthy_object, lane_without_its_row, inbox_says_otherwise, dead_without_an_entry,
           two_open_entries, died_without_a_reason, skipped_unasked, superseded_out_of_turn, superseded_by_mistake,
           death_is_not_in_the_dlq, death_is_owed, inbox_owes_a_death, dead_letter_of_nobody, left_unread, incident]


@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_planted_is_seen(plant: Callable[[Facts], None]) -> None:
    facts = right()
    plant(facts)
    assert differences(planned(), facts)
