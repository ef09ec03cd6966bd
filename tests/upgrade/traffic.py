"""A provider that does not stop: events of healthy objects, of objects that wait and of objects that die, through whichever ingress is there."""

from __future__ import annotations

import copy
import itertools
import threading

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

DIES = copy.deepcopy(WANTS_A_ROW)
DIES["name"] = "dies-without-a-row"
DIES["when"]["type"] = "charge.captured"
DIES["sql"][0]["rows"][0] = "park"  # without a wallet it is dead at once
CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}


def captured(customer: str, unit: str) -> Event:
    return snapshot("charge.captured", {"id": unit, "object": "charge", "customer": customer}, customer=customer, effect=1)


class Traffic:
    """Runs until the end of the `with`. The events of an object are sent one after the other, each until it is accepted."""

    def __init__(self, pipeline: Pipeline) -> None:
        pipeline.config["effects"] += [WANTS_A_ROW, DIES]
        pipeline.config["consumer"] = CONSUMER
        self.pipeline = pipeline
        self.ingresses: list[Program] = []  # who replaces one puts the other in its place first
        self.events: list[Event] = []
        self.well, self.late = fresh_id("cus"), fresh_id("cus")  # the late one has no wallet until `heal`
        self._units = [fresh_id("pi") for _ in range(6)]
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        pipeline.ledger.open_wallet(self.well)

    def __enter__(self) -> Traffic:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        assert self._failure is None, self._failure

    def goes_on(self, more: int = 15) -> None:
        wanted = len(self.events) + more
        wait_for(lambda: self._failure or len(self.events) >= wanted, "more events", 60)

    def troubled(self, unit: str, kind: str) -> Event:
        return captured(self.late, unit) if kind == "dies" else paid_invoice(self.late, unit=unit)

    def heal(self) -> None:
        self.pipeline.ledger.open_wallet(self.late)

    def _events(self) -> list[Event]:
        """A round: each healthy object, one that waits with a follower and one that dies with a follower."""
        waiting, dying = fresh_id("in"), fresh_id("ch")
        return [*(payment(self.well, 1, intent=unit) for unit in self._units),
                *(self.troubled(waiting, "waits") for _ in range(2)), *(self.troubled(dying, "dies") for _ in range(2))]

    def _run(self) -> None:
        try:
            for turn in itertools.count():
                for event in self._events() if turn % 4 == 0 else self._events()[:len(self._units)]:
                    if self._stop.wait(0.01):
                        return
                    self._deliver(event, turn)
        except BaseException as error:  # noqa: BLE001 the test's own thread raises it
            self._failure = error

    def _deliver(self, event: Event, turn: int) -> None:
        def accepted() -> bool:
            ingress = self.ingresses[(turn + next(attempts)) % len(self.ingresses)]
            return self.pipeline.provider(ingress).deliver(event).accepted
        attempts = itertools.count()
        wait_for(accepted, f"{event.id} to be accepted", 60)
        self.events.append(event)
