"""The wall clock of one of our programs is stepped and comes back."""

from __future__ import annotations

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story

CONSUMER_AHEAD = 60  # seconds: what a consumer writes to be tried later waits for so long more, and the run has to see it through


def step(site: Site, fault: Fault, story: Story) -> None:
    label, clock = list(site.clocks.items())[int(fault.how["program"])]
    seconds = int(fault.how["seconds"])
    clock.step(min(seconds, CONSUMER_AHEAD) if label.startswith("consumer") else seconds)
    story.count("clocks stepped")
    story.pause(fault.lasts)
    clock.step(0)
