"""Faults between our programs and a server: delay, throttle, cuts, one-way loss, answers lost or out of step."""

from __future__ import annotations

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story


def break_wire(site: Site, fault: Fault, story: Story) -> None:
    for wire in site.wires_of(fault.lane):
        site.proxy.break_with(wire, kind=fault.kind, **fault.how)
    story.count(f"{fault.lane} {fault.kind}")
    story.pause(fault.lasts)
    for wire in site.wires_of(fault.lane):
        site.proxy.heal(wire)
