"""One module for each family of faults. A fault is a function of (site, fault, story): it breaks something, lets time pass
and mends it again, on a thread that lives as long as the run."""

from __future__ import annotations

from collections.abc import Callable

from tests.chaos.faults import clock, cut, database, kafka, listing, peers, redis, rollout, statements, wire
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story

Action = Callable[[Site, Fault, Story], None]

_MODULES = {"redis": redis, "database": database, "kafka": kafka, "cut": cut, "statements": statements, "peers": peers, "rollout": rollout,
            "list": listing, "wire": wire, "clock": clock}


def action_of(fault: Fault) -> Action:
    """Raises AttributeError for a kind that nobody wrote."""
    module = _MODULES[fault.lane.partition("-")[0]]
    return getattr(module, fault.kind if module is not wire else "break_wire")
