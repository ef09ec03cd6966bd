"""The list of events of deploy/examples/polling, as tests need it: events of any age, and trouble that no example has.

A test fails at its end where somebody asked what a provider would refuse.
"""

from __future__ import annotations

import json
from dataclasses import replace

from deploy.examples.polling import event_list
from deploy.examples.polling.event_list import BadRequest as BadRequest
from deploy.examples.polling.event_list import Fault as Fault
from deploy.examples.polling.event_list import cut_short as cut_short
from deploy.examples.polling.event_list import hangs_up as hangs_up
from deploy.examples.polling.event_list import says as says
from deploy.examples.polling.listed import Listed
from tests.support.events import Event, printed


class EventList(event_list.EventList):
    def close(self) -> None:
        super().close()
        assert not self.refused, self.refused

    def add(self, *events: Event, ago: float = 0, visible_in: float = 0, delivered: bool = True) -> None:
        """Created so many seconds ago, whatever their bodies said; listed from `visible_in` seconds on."""
        with self._lock:
            for event in events:
                created, number = int(self.now - ago), next(self._numbers)
                self._put(Listed(self.dated(event, created, number), created, number, self.now + visible_in, delivered))

    @staticmethod
    def dated(event: Event, created: int, _number: int) -> Event:
        """As it was created at that time."""
        return event.with_body(printed({**json.loads(event.body), "created": created}))

    def withdraw(self, event: Event) -> None:
        """It is listed no more."""
        with self._lock:
            self._events = [one for one in self._events if one.event.id != event.id]

    def spoil(self, event: Event, **without: object) -> None:
        """Its fields are said otherwise; None: they are not there."""
        with self._lock:
            for number, one in enumerate(self._events):
                if one.event.id != event.id:
                    continue
                document = {**json.loads(one.event.body), **without}
                body = printed({name: value for name, value in document.items() if value is not None})
                self._events[number] = replace(one, event=event.with_body(body))

    def forget_before(self, ago: float) -> None:
        """As if the provider kept events for less long."""
        self._forgotten_before = self.now - ago
