"""The wall clock of one of our programs is stepped and comes back."""

from __future__ import annotations

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story


def step(site: Site, fault: Fault, story: Story) -> None:
    clock = list(site.clocks.values())[int(fault.how["program"])]
    clock.step(int(fault.how["seconds"]))
    story.count("clocks stepped")
    story.pause(fault.lasts)
    clock.step(0)
