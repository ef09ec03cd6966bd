"""The log of webhooks loses its end: a broker that lacks the last records becomes its leader, as on-call may order."""

from __future__ import annotations

from confluent_kafka import KafkaException

from tests.chaos.faults.server import START_WITHIN, bring_back
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story
from tests.support.wait import wait_for

WITHIN = 120.0  # seconds, for what Kafka decides
ENDS_WITHIN = 20.0  # seconds, for records to arrive in every partition
FULL, BEHIND = 2, 3


def unclean(site: Site, fault: Fault, story: Story) -> None:
    """Node 3 misses what node 2 takes meanwhile. Once we look at what is there, nothing is answered any more. Where node 2 cannot
    tell what is there, no log is cut."""
    full, behind = site.nodes[FULL - 1], site.nodes[BEHIND - 1]
    behind.kill()
    wait_for(lambda: _asked(site, "in_sync") == [[FULL]] * site.plan.partitions, "node 2 to be alone", WITHIN)
    story.pause(fault.lasts)
    if not _knows_its_ends(site):
        bring_back(behind)
        return
    wires = site.wires_of("wire-kafka")
    for wire in wires:
        site.proxy.break_with(wire, kind="lost_downwards")
    site.before_cut = site.pipeline.log.read(site.pipeline.topic, WITHIN)
    full.kill()
    bring_back(behind)
    wait_for(lambda: _is_elected(site), "node 3 to lead", START_WITHIN)
    for wire in wires:
        site.proxy.heal(wire)
    bring_back(full)
    story.count("logs cut")


def _knows_its_ends(site: Site) -> bool:
    """A partition that node 2 has only just come to lead tells no end before its next record, and none may come."""
    try:
        return bool(wait_for(lambda: site.pipeline.log.ends(site.pipeline.topic), "the ends of all partitions", ENDS_WITHIN))
    except AssertionError:
        return False


def _is_elected(site: Site) -> bool:
    for number, leader in enumerate(_asked(site, "leaders") or []):
        if leader != BEHIND:
            _elect(site, number)
    return _asked(site, "leaders") == [BEHIND] * site.plan.partitions


def _elect(site: Site, partition: int) -> None:
    try:
        site.pipeline.log.elect_unclean(site.pipeline.topic, partition)
    except (KafkaException, OSError, AssertionError):
        return


def _asked(site: Site, question: str) -> list | None:
    """None: a node took the question with it."""
    try:
        return getattr(site.pipeline.log, question)(site.pipeline.topic)
    except KafkaException:
        return None
