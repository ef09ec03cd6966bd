"""What rang, in the order in which it was heard."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tests.support.wait import wait_for
from tests.walk.prometheus import Prometheus

LISTENS_EVERY = 0.2  # seconds
RINGS_WITHIN = 120.0  # seconds, of a loaded machine
ENDS_WITHIN = 150.0  # some look back for an hour, that is a minute here


@dataclass(frozen=True)
class Alarm:
    name: str
    severity: str
    labels: dict[str, str]
    annotations: dict[str, str]
    heard: float  # monotonic seconds


class Alarms:
    """Asks Prometheus whenever it is looked at; what has rung once is remembered."""

    def __init__(self, prometheus: Prometheus) -> None:
        self.prometheus = prometheus
        self.heard: dict[str, Alarm] = {}

    def look(self) -> list[dict[str, Any]]:
        """All that fire now."""
        firing = [alert for alert in self.prometheus.alerts() if alert["state"] == "firing"]
        for alert in firing:
            labels = alert["labels"]
            self.heard.setdefault(labels["alertname"], Alarm(labels["alertname"], labels["severity"], labels, alert["annotations"],
                                                             time.monotonic()))
        return firing

    def wait_for(self, name: str) -> Alarm:
        def rings() -> Alarm:
            self.look()
            assert name in self.heard, f"heard so far: {list(self.heard)}"
            return self.heard[name]
        return wait_for(rings, f"{name} to fire", RINGS_WITHIN, every=LISTENS_EVERY)

    def wait_for_silence(self, *names: str) -> None:
        """None of these rings or is about to; without names: no alert that pages."""
        def silent() -> bool:
            self.look()
            left = [alert["labels"]["alertname"] for alert in self.prometheus.alerts()
                    if (alert["labels"]["alertname"] in names if names else alert["labels"]["severity"] == "page")]
            assert not left, f"still there: {left}"
            return True
        wait_for(silent, f"{', '.join(names) or 'what pages'} to end", ENDS_WITHIN, every=LISTENS_EVERY)

    def pages(self) -> list[str]:
        return [alarm.name for alarm in self.heard.values() if alarm.severity == "page"]
