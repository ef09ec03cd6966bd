"""Carries out the plan's faults: one thread for each lane."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Sequence

from tests.chaos.faults import action_of, statements
from tests.chaos.faults.server import bring_back
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story
from tests.support.wait import wait_for

FAST_WITHIN = 300.0  # seconds: the database may be on its way back


class LaneRunner(threading.Thread):
    """What it started lives as long as this thread, which is until the story is closed."""

    def __init__(self, lane: str, faults: Sequence[Fault], site: Site, story: Story) -> None:
        super().__init__(name=lane, daemon=True)
        self.faults, self.site, self.story = faults, site, story
        self.is_well = threading.Event()

    def run(self) -> None:
        ended = 0.0
        try:
            for fault in self.faults:
                if not self.story.pause_until(max(fault.at, ended + fault.how.get("rest", 0.0))):
                    break
                action_of(fault)(self.site, fault, self.story)
                ended = self.story.now
            self._mend()
        except Exception:  # noqa: BLE001 - shown in the verdict
            self.story.failed(f"{self.name} failed:\n{traceback.format_exc()}")
        self.is_well.set()
        self.story.closed.wait()

    def _mend(self) -> None:
        """Servers that ended while nobody looked."""
        self.story.over.wait()
        if self.name == "redis":
            for server in (self.site.redis, self.site.standby):
                bring_back(server)
        elif self.name == "database":
            bring_back(self.site.database)
        elif self.name == "cut":
            for node in self.site.nodes:
                bring_back(node)
        elif self.name == "statements":
            wait_for(lambda: statements.heal(self.site), "slow effects to be fast again", FAST_WITHIN)
        elif self.name.startswith("kafka-"):
            bring_back(self.site.nodes[int(self.name.rpartition("-")[2]) - 1])
