"""Faults of Kafka's nodes: what is acknowledged stays, what is not is answered 503."""

from __future__ import annotations

from deploy.stack import Kafka
from tests.chaos.faults import server
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story


def _node(site: Site, fault: Fault) -> Kafka:
    return site.nodes[int(fault.lane.rpartition("-")[2]) - 1]


def kill(site: Site, fault: Fault, story: Story) -> None:
    server.kill_and_start(_node(site, fault), story, fault.lasts)


def pause(site: Site, fault: Fault, story: Story) -> None:
    server.pause_and_resume(_node(site, fault), story, fault.lasts)


def disk_full(site: Site, fault: Fault, story: Story) -> None:
    if site.has_small_disks:
        server.fill_disk(_node(site, fault), story, fault.lasts)
    else:
        story.count("disks not filled: no right to mount")
