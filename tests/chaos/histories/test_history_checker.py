"""The checker sees every wrong ledger that is planted, and nothing in a right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.chaos.histories.checker import differences
from tests.chaos.histories.facts import Attempt, Facts, Inbox, LaneRow, DeadLetter, Waiting, as_json
from tests.chaos.histories.kinds import Kept, said_by
from tests.chaos.histories.plan import History, Planned

NOW = datetime(2026, 1, 1)


def planned() -> History:
    """x: healthy; y: b is deferred and c passes it, d retries; z: e dies, f waits for it; w: g is superseded by h; v: i is a case that j
    passes, and k is skipped as one; u: l is a case that holds m."""
    events = (Planned("a1", "x", "plain", ""), Planned("a2", "x", "plain", ""), Planned("b", "y", "plain", "d"),
              Planned("c", "y", "plain", ""), Planned("d", "y", "plain", "rr"), Planned("d2", "y", "plain", ""),
              Planned("e", "z", "plain", "p"), Planned("f", "z", "plain", ""), Planned("g", "w", "latest", "x"),
              Planned("h", "w", "latest", ""), Planned("i", "v", "passes", "c"), Planned("j", "v", "sums", ""),
              Planned("k", "v", "passes", "c"), Planned("l", "u", "latest", "c"), Planned("m", "u", "latest", ""))
    return History(seed=1, seconds=1, database="mysql", partitions=1, wake_partitions=1, workers=1, batch=1, in_place="0s", deaths=20,
                   hurry=100, session_ms=600, roles=("main",), cases_end="retry", events=events, puts=(), orders=(), lives={})


def right() -> Facts:
    """What `planned` leaves behind before an operator sees to e."""
    order = ["a1", "a2", "c", "b", "d", "d2", "h", "j"]
    runs = ["a1a", "a2a", "bd", "ca", "ba", "dr", "dr", "da", "d2a", "ep", "gx", "ha", "ic", "ja", "kc", "lc"]
    attempts = [Attempt(run[:-1], run[-1], second(at)) for at, run in enumerate(runs)]
    return Facts(
        log=[(event.object, event.id) for event in planned().events] + [("x", "a1")],
        inbox=[*(Inbox(event, "done", None, NOW) for event in order), Inbox("e", "dead", 1), Inbox("f", "parked"),
               Inbox("g", "skipped", 1, second(10.5)), Inbox("i", "dead", 1), Inbox("k", "skipped", 1, second(14.5)),
               Inbox("l", "dead", 1), Inbox("m", "parked")],
        attempts=[attempt for attempt in attempts if attempt.event != "j"], applied=order,
        applied_at={attempt.event: attempt.at for attempt in attempts if attempt.what == "a"}, kept=kept(order),
        lanes=[LaneRow("y", 0), LaneRow("z", 2), LaneRow("w", 0), LaneRow("v", 1), LaneRow("u", 2)],
        waiting=[Waiting("z", 1, "dead", "e"), Waiting("z", 2, "parked", "f"), Waiting("v", 1, "dead", "i"),
                 Waiting("u", 1, "dead", "l"), Waiting("u", 2, "parked", "m")],
        dead_letters=[DeadLetter("e", "park", True, None), DeadLetter("g", "data", True, "superseded"),
                      case("i", second(12)), case("k", second(14), second(14.5)), case("l", second(15))],
        skipped={"k"}, sent_dead_letters=dict.fromkeys("gikl", 1) | {"e": 2})


def second(at: float) -> datetime:
    return NOW + timedelta(seconds=at)


def case(event: str, opened: datetime, closed: datetime | None = None) -> DeadLetter:
    return DeadLetter(event, "asked", True, closed and "skipped", "case", opened, closed)


def kept(order: list[str]) -> Kept:
    """As the tables of `order` have to be: worked out the long way, one event after the other."""
    unit_of = {event.id: event.object for event in planned().events}
    kept = Kept(totals=dict.fromkeys(unit_of.values(), 0))
    versions: dict[str, tuple[int, str]] = {}
    for event in order:
        unit, said = unit_of[event], said_by(event, unit_of[event])
        kept.journal.append((unit, event))
        kept.totals[unit] += said.amount
        if event != "j":
            kept.latest[unit] = event
        if (said.version, event) > versions.get(said.part, (-1, "")):
            versions[said.part] = (said.version, event)
            kept.states[said.part] = (event, said.amount, False)
        if event != "j" and said.part not in kept.claims:
            kept.claims[said.part] = event
            kept.finished.add(said.part)
            kept.given[f"{unit}-{sum(code.startswith(f'{unit}-') for code in kept.given)}"] = said.part
    return kept


def test_a_right_ledger_has_no_difference() -> None:
    assert differences(planned(), right()) == []


def test_drained_is_when_nobody_is_dead() -> None:
    assert {sentence.split()[0] for sentence in differences(planned(), right(), is_drained=True)} == {"e", "f", "i", "l", "m"}


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
    facts.attempts[2] = replace(facts.attempts[2], at=second(3.5))


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
    facts.applied_at["f"] = second(9.5)
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
    facts.inbox = [replace(row, finished_at=NOW + timedelta(hours=1)) if row.event == "g" else row for row in facts.inbox]


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


def past_a_case_that_was_opened_only_later(facts: Facts) -> None:
    facts.dead_letters[2] = case("i", second(13.5))


def past_a_case_that_was_ended_before(facts: Facts) -> None:
    """Retried, say, and not yet run: it holds then."""
    facts.dead_letters[2] = case("i", second(12), second(12.5))


def past_a_case_that_holds(facts: Facts) -> None:
    facts.applied.append("m")
    facts.applied_at["m"] = second(16)
    status(facts, "m", "done")
    facts.waiting.pop()
    facts.lanes[-1] = LaneRow("u", 1)
    facts.kept = kept(facts.applied)


def waits_behind_a_case_that_lets_it_pass(facts: Facts) -> None:
    facts.applied.remove("j")
    facts.kept = kept(facts.applied)
    status(facts, "j", "parked")
    facts.waiting.insert(3, Waiting("v", 2, "parked", "j"))
    facts.lanes[3] = LaneRow("v", 2)


def case_twice(facts: Facts) -> None:
    facts.dead_letters.insert(2, case("i", second(11), second(11.5)))


def case_of_nobody(facts: Facts) -> None:
    facts.dead_letters.append(case("a1", second(1), second(2)))


def case_is_called_a_failure(facts: Facts) -> None:
    facts.dead_letters[2] = replace(facts.dead_letters[2], kind="dead")


def failure_is_called_a_case(facts: Facts) -> None:
    facts.dead_letters[0] = replace(facts.dead_letters[0], kind="case")


def case_is_superseded(facts: Facts) -> None:
    facts.dead_letters[-1] = replace(facts.dead_letters[-1], closed_as="superseded")
    status(facts, "l", "skipped")
    facts.waiting.pop(3)
    facts.lanes[-1] = LaneRow("u", 1)


def inserted_twice(facts: Facts) -> None:
    facts.kept.journal.append(("x", "a2"))


def inserted_in_another_order(facts: Facts) -> None:
    facts.kept.journal[:2] = facts.kept.journal[1::-1]


def inserted_for_another(facts: Facts) -> None:
    facts.kept.journal.append(("stranger", "a2"))


def added_twice(facts: Facts) -> None:
    facts.kept.totals["x"] += said_by("a1", "x").amount


def set_by_an_earlier_one(facts: Facts) -> None:
    facts.kept.latest["x"] = "a1"


def states() -> dict[str, tuple]:
    return right().kept.states


def older_state(facts: Facts) -> None:
    part = next(iter(states()))
    facts.kept.states[part] = ("a0", 1, False)


def state_is_gone(facts: Facts) -> None:
    part, (event, amount, _) = next(iter(states().items()))
    facts.kept.states[part] = (event, amount, True)


def claimed_by_a_later_one(facts: Facts) -> None:
    facts.kept.claims[next(iter(facts.kept.claims))] = "d2"


def two_codes(facts: Facts) -> None:
    facts.kept.given["x-2"] = next(part for part in facts.kept.given.values() if part.startswith("x"))


def code_that_was_not_the_lowest(facts: Facts) -> None:
    facts.kept.given["w-2"] = facts.kept.given.pop("w-0")


def not_finished(facts: Facts) -> None:
    facts.kept.finished.pop()


def incident(facts: Facts) -> None:
    facts.incidents.append("it fell")


PLANTED = [healthy_out_of_order, past_a_retry, past_one_that_was_deferred_only_later, twice, missing_effect, missing_row, second_row,
           not_in_the_log, foreign, stranded, follower_without_its_head, follower_applied_past_the_dead, waits_in_another_order,
           miscounted, owes_a_wakeup, woken_for_ever, lane_of_a_healthy_object, lane_without_its_row, inbox_says_otherwise, dead_without_an_entry,
           two_open_entries, died_without_a_reason, skipped_unasked, superseded_out_of_turn, superseded_by_mistake,
           death_is_not_in_the_dlq, death_is_owed, inbox_owes_a_death, dead_letter_of_nobody, left_unread,
           past_a_case_that_was_opened_only_later, past_a_case_that_was_ended_before, past_a_case_that_holds,
           waits_behind_a_case_that_lets_it_pass, case_twice, case_of_nobody, case_is_called_a_failure, failure_is_called_a_case,
           case_is_superseded, inserted_twice, inserted_in_another_order, inserted_for_another, added_twice, set_by_an_earlier_one,
           older_state, state_is_gone, claimed_by_a_later_one, two_codes, code_that_was_not_the_lowest, not_finished, incident]


@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_planted_is_seen(plant: Callable[[Facts], None]) -> None:
    facts = right()
    plant(facts)
    assert differences(planned(), facts)
