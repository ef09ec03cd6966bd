"""The kinds of faults there are, how often each comes, how long it lasts, and what there is to choose about it.

A lane is something that has one fault at a time: a server, or the wire to it. `faults/` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kind:
    weight: float
    lasts: tuple[float, float]                                # seconds
    how: dict[str, tuple[float, ...]] = field(default_factory=dict)  # one of each is chosen


@dataclass(frozen=True)
class Lane:
    gap: tuple[float, float]     # seconds between the end of a fault and the next one
    kinds: dict[str, Kind]
    stays_out: float = 0.1       # share of plans without this lane
    each_node: bool = False      # one lane for each Kafka node
    only_with: frozenset[str] = frozenset()  # plans that were asked for with these alone have it


BYTES = (1, 10, 60, 200, 700, 3000, 20000)
SHARE = (0.02, 0.1, 0.5)
SOME = (0.3, 1)  # of the answers

_ANY_WIRE = {
    "delay": Kind(2, (0.5, 3), {"seconds": (0.005, 0.03, 0.2)}),
    "throttle": Kind(1, (0.5, 2), {"bytes_per_second": (2000, 20000)}),
    "cut": Kind(3, (0.3, 2), {"after": BYTES, "upwards": (0, 1)}),
    "lost_upwards": Kind(2, (0.3, 3)),
    "lost_downwards": Kind(2, (0.3, 3))}

LANES: dict[str, Lane] = {
    "redis": Lane((0.1, 1.0), {
        "kill": Kind(8, (0.0, 0.4)),
        "pause": Kind(2, (0.05, 1.5)),
        "flush": Kind(3, (0.0, 0.1)),
        "full": Kind(2, (0.5, 2)),
        "evicting": Kind(1, (0.5, 2)),
        "fail_over": Kind(2, (0.1, 0.5))}),
    "database": Lane((1.0, 5.0), {
        "kill": Kind(8, (0.0, 1.0), {"copy": (0, 0, 1)}),
        "pause": Kind(2, (0.2, 4)),
        "locks": Kind(3, (0.5, 4)),
        "read_only": Kind(2, (0.5, 3)),
        "sessions": Kind(2, (0.5, 2)),
        "disk_full": Kind(1, (0.5, 3)),
        "restore": Kind(3, (0.0, 1.0))}),
    "kafka": Lane((3.0, 12.0), {
        "kill": Kind(5, (0.0, 2.0)),
        "pause": Kind(3, (0.3, 6)),
        "disk_full": Kind(1, (0.5, 3))}, stays_out=0.2, each_node=True),
    "statements": Lane((0.5, 4.0), {
        "definition": Kind(3, (0.3, 4), {"table": (0, 1, 2)}),
        "slow": Kind(3, (0.5, 4), {"seconds": (0.3, 1.5, 8)}),
        "killed": Kind(2, (0.3, 2))}, stays_out=0.4),
    "peers": Lane((0.5, 4.0), {
        "silent": Kind(2, (0.5, 4), {"number": (3, 30, 150)}),
        "dribbling": Kind(1, (0.5, 4), {"number": (3, 30)})}, stays_out=0.4),
    "wire-redis": Lane((0.5, 4.0), {
        **_ANY_WIRE,
        "shifted": Kind(4, (0.5, 4))}, stays_out=0.25),
    "wire-database": Lane((0.5, 5.0), {
        **_ANY_WIRE,
        "lost_commit": Kind(5, (0.3, 3), {"share": SHARE}),
        "lost_answer": Kind(2, (0.3, 3), {"share": (0.01, 0.05)})}, stays_out=0.25),
    "wire-kafka": Lane((1.0, 6.0), {
        **_ANY_WIRE,
        "lost_produce": Kind(5, (0.3, 3), {"share": SHARE}),
        "lost_offset_commit": Kind(2, (0.3, 3), {"share": (0.5, 1)}),
        "lost_answer": Kind(1, (0.3, 2), {"share": (0.01, 0.05)})}, stays_out=0.25),
    "rollout": Lane((1.0, 5.0), {
        "effects": Kind(3, (0.0, 0.1)),
        "source": Kind(2, (0.0, 0.1))}, stays_out=0.0, only_with=frozenset({"rollouts"})),
    "list": Lane((0.5, 3.0), {
        "limited": Kind(3, (0.3, 3), {"share": SOME, "retry_after": (0, 1)}),
        "errors": Kind(3, (0.3, 4), {"share": SOME, "status": (500, 502, 503, 504)}),
        "no_page": Kind(1, (0.3, 2), {"share": SOME}),
        "cut": Kind(2, (0.3, 2), {"share": SOME, "says_nothing": (0, 1)}),
        "slow": Kind(2, (0.5, 4), {"seconds": (0.3, 1, 3)}),
        "away": Kind(2, (0.3, 4)),
        "odd_event": Kind(3, (0.0, 0.2), {"lacks": (0, 1, 2)})}, stays_out=0.0, only_with=frozenset({"poller"})),
    "wire-list": Lane((0.5, 4.0), _ANY_WIRE, stays_out=0.25, only_with=frozenset({"poller"})),
    "clock": Lane((1.0, 6.0), {
        "step": Kind(1, (0.5, 5), {"program": (0,), "seconds": (-7000, -250, -2, 2, 250, 7000)})}, stays_out=0.5)}
