"""The account's list of events beside its webhooks: which events come by which way, and a list whose clock runs fast.

An overlap is a minute at least: a list whose clock is as slow as ours would not see one pass before the run is over. It begins
behind ours by less than the hour that a poller allows, and is never ahead: what a poller's own clock calls young would stay so.
"""

from __future__ import annotations

import bisect
import json
import threading
import time
from dataclasses import dataclass, field
from random import Random

from deploy.examples.polling import event_list
from deploy.examples.polling.listed import Listed, Parameters
from tests.chaos.plan import Plan
from tests.chaos.provider import digest
from tests.chaos.workload import Webhook, content_of
from tests.support.event_list import EventList, Fault
from tests.support.events import CANARY, Event, printed

RATE = 10        # seconds of its clock in one of ours
BEHIND = 3000.0  # seconds, at first
OVERLAP = 60     # seconds of its clock: an event is listed so late at most
POLL = {"since": "3h", "interval": "30s", "overlap": f"{OVERLAP}s", "timeout": "2s", "budget": 100}
# Each write of a checkpoint that goes back leaves a row: a process that has lost the lease changes nothing.
WATCHED = [
    "CREATE TABLE walked_back (until VARBINARY(255) NULL, was VARBINARY(255) NULL)",
    "CREATE TRIGGER walk_back BEFORE UPDATE ON poll_walk FOR EACH ROW BEGIN"
    " IF NEW.at_created < OLD.at_created OR NEW.complete_until < OLD.complete_until THEN"
    " INSERT INTO walked_back VALUES (NEW.at_id, OLD.at_id); END IF; END"]
NEEDED = ("type", "id", "created")  # without the first two an event of the list cannot be read, without the last two it is no place


@dataclass(frozen=True)
class Way:
    is_sent: bool            # as a webhook
    is_listed: bool = False
    late: float = 0.0     # seconds after its creation, by the list's clock
    differs: bool = False    # the list renders it by another API version


@dataclass
class Shown:
    """What the list was given, for the checker."""

    contents: dict[tuple[str, str], str] = field(default_factory=dict)  # (event id, content) -> type
    authentic: set[str] = field(default_factory=set)                    # SHA-256 of events as they stand in a page
    unreadable: set[str] = field(default_factory=set)                   # of those, the ones that nobody can read
    last: str | None = None                                             # the newest that can be a checkpoint
    refused: list[str] = field(default_factory=list)                    # requests that no honest client makes


def way_of(plan: Plan, webhook: Webhook) -> Way:
    """The same for the same event of the same plan. Pure."""
    if not webhook.is_first or not plan.pollers:
        return Way(is_sent=True)
    dice = Random(f"{plan.seed}/way/{webhook.event.id}")
    is_sent, is_listed = dice.choice(((True, False), (False, True), (True, True), (True, True)))
    late = dice.uniform(0, OVERLAP) if dice.random() < 0.3 else 0.0
    return Way(is_sent, is_listed, round(late, 1) if is_listed else 0.0, is_listed and dice.random() < 0.3)


def as_listed(event: Event, way: Way) -> Event:
    document = json.loads(event.body) | {"pending_webhooks": 0}
    if way.differs:
        document["api_version"] = "2024-06-20"
        document["data"]["object"]["rendered"] = "by the account's version"
    return event.with_body(printed(document))


def in_a_page(body: bytes) -> bytes:
    """Two steps further in."""
    return body.replace(b"\n", b"\n    ")


class ChaosList(EventList):
    """Each answer is of one moment, which is its Date: what was listed then is in it."""

    def __init__(self, port: int, plan: Plan) -> None:
        self.shown = Shown()
        self._began = time.time()
        self._answering = threading.local()
        self._dice = Random(f"{plan.seed}/list/answers")
        self._trouble: tuple[Fault, float] = (0, 0.0)  # and the share of answers that have it
        self._slow = 0.0
        self._newest = (0, 0)  # of those that can be a checkpoint
        super().__init__(port=port, most=plan.page, refused=self.shown.refused)
        self._server.handle_error = lambda *_: None  # connections that break are no news

    @property
    def now(self) -> float:
        real = time.time()
        fast = self._began - BEHIND + RATE * (real - self._began) + self._passed
        return getattr(self._answering, "moment", 0.0) or min(fast, real)

    def tell(self, event: Event, way: Way) -> None:
        self._show(as_listed(event, way), json.loads(event.body)["created"], way.late)

    def tell_odd(self, name: str, lacks: str) -> None:
        """One without what a reader needs."""
        created = int(self.now)
        document = {"id": name, "object": "event", "created": created, "type": "product.created",
                    "data": {"object": {"id": name, "description": CANARY}}, "livemode": False}
        del document[lacks]
        self._show(Event(name, "product.created", printed(document)), created, 0.0, is_place=lacks == "type", is_readable=lacks == "created")

    def up_to(self, place: str) -> set[str]:
        """Ids of readable events that a walk which is there has passed."""
        with self._lock:
            position = next(one.position for one in self._events if one.event.id == place)
            return {one.event.id for one in self._events if one.position <= position} & {event for event, _ in self.shown.contents}

    def close(self) -> None:
        """What it refused is for the checker."""
        event_list.EventList.close(self)

    # trouble

    def break_with(self, answer: Fault, share: float) -> None:
        self._trouble = (answer, share)

    def be_slow(self, seconds: float) -> None:
        self._slow = seconds

    def heal(self) -> None:
        self._trouble, self._slow = (0, 0.0), 0.0

    def _show(self, event: Event, created: int, late: float, *, is_place: bool = True, is_readable: bool = True) -> None:
        as_it_stands = digest(in_a_page(event.body))
        with self._lock:
            self.shown.authentic.add(as_it_stands)
            if is_readable:
                self.shown.contents[content_of(event.body)] = event.type
            else:
                self.shown.unreadable.add(as_it_stands)
            listed = Listed(event, created, next(self._numbers), created + late)
            bisect.insort(self._events, listed, key=lambda one: one.position)
            if is_place and listed.position > self._newest:
                self._newest, self.shown.last = listed.position, event.id

    def _fault_for(self, parameters: Parameters) -> Fault:
        self._answering.moment = 0.0
        self._answering.moment = self.now
        if self._slow:
            threading.Event().wait(self._slow)
        answer, share = self._trouble
        return answer if answer and self._dice.random() < share else super()._fault_for(parameters)
