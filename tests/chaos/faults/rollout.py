"""New configurations while events flow: each process has the new one with its next life, so old and new run side by side."""

from __future__ import annotations

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story


def effects(site: Site, fault: Fault, story: Story) -> None:
    site.roll_out()
    story.count("effects rolled out")
    story.pause(fault.lasts)


def source(site: Site, fault: Fault, story: Story) -> None:
    """Added the first time, renamed from then on."""
    site.roll_out(names_late_source=True)
    story.count("sources rolled out")
    story.pause(fault.lasts)
