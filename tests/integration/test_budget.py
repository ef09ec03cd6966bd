"""While nothing succeeds little is dead-lettered, and a deploy that mends an effect finds its events waiting, not dead."""

from __future__ import annotations

import copy

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import open_dead_letters, waiting_in
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import stays, wait_for

CONSUMER = {"in_place": "0s"}
PARKS = copy.deepcopy(WANTS_A_ROW)
PARKS["sql"][0]["rows"][0] = "park"  # without a wallet it is given up at once
EXTRA_EFFECTS = [PARKS]


def broken(count: int) -> list[Event]:
    """One per object and customer; each is given up as long as its customer has no wallet."""
    return [paid_invoice(fresh_id("cus")) for _ in range(count)]


def waiting(pipeline: Pipeline, events: list[Event]) -> dict[str, int]:
    found = [status for event in events for status in waiting_in(pipeline, event)]
    return {status: found.count(status) for status in sorted(set(found))}


def test_broken_effect_gives_up_so_many_and_the_others_wait(bench: Pipeline) -> None:
    bench.config["consumer"] |= {"dead_letter_budget": {"events": 3, "refill": "24h", "pause_after": 0}}
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    events, healthy = broken(10), [payment(customer, 5) for _ in range(5)]
    put(bench, *events, *healthy)
    consumer = bench.consumer(role="both", start=False).start()  # it may be unready before anybody has seen it ready
    bench.ledger.expect_applied(*healthy)
    wait_for(lambda: waiting(bench, events) == {"dead": 3, "retry": 7}, "three to die and seven to wait")
    consumer.expect_not_ready("effects", PARKS["name"])
    assert consumer.metric("sluice_consumer_dlq_budget", effect=PARKS["name"]) == 0
    bench.expect_caught_up()
    wait_for(lambda: len(consumer.decisions("retried")) > 7, "those that wait to be tried again")
    assert waiting(bench, events) == {"dead": 3, "retry": 7}, "a try that fails lets nobody die"
    bench.ledger.open_wallet(*[event.customer for event in events])
    dead = {event for event, _ in open_dead_letters(bench)}
    bench.ledger.expect_applied(*[event for event in events if event.id not in dead])
    consumer.ready()


def test_process_pauses_while_nothing_succeeds_and_goes_on_with_the_first_success(bench: Pipeline) -> None:
    bench.config["consumer"] |= {"workers": 1, "dead_letter_budget": {"events": 1000, "refill": "24h", "pause_after": 5}}
    first, rest = broken(8), broken(30)
    put(bench, *first)
    consumer = bench.consumer(start=False).start()
    consumer.expect_not_ready("effects", "nothing succeeds")
    put(bench, *rest)

    def most_stand_in_the_log() -> None:
        assert len(waiting(bench, rest)) == 0 or sum(waiting(bench, rest).values()) < 10, "it reads on"
    stays(most_stand_in_the_log, during=2)
    bench.ledger.open_wallet(*[event.customer for event in rest])
    wait_for(lambda: len(bench.ledger.entries()) >= 20, "the log to be read on", within=60)
    consumer.ready()
    bench.expect_caught_up()
