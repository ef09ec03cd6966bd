"""One integer makes a plan: workload, lives of our processes, faults of everything else. Pure.

The same seed, length and list of failpoints give the same plan; nothing here looks at the world. Every part has dice of
its own, so that a change of one part leaves the others as they were. Each run gets a random selection of fault kinds
rather than all of them: faults that always come together hide each other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from random import Random
from typing import TYPE_CHECKING

from tests.chaos.fault_table import LANES, Lane

if TYPE_CHECKING:
    from tests.chaos.commands.plan import CommandPlan

QUIET_AT_FIRST = 1.0     # seconds of undisturbed traffic
LATEST_END = 0.85        # no fault starts after this share of the run
SHORTEST_LIFE = 0.3      # seconds
WORTH_LOSING = 3.0       # seconds between a copy of the database and the loss of what came after it
LONGER_FOR_A_CRASH = 4.0  # seconds: a life that ends at a failpoint shall mostly get there
HITS = (1, 1, 1, 2, 2, 3, 5, 8, 13, 30)
RARE_HITS = (1, 1, 2)    # of steps that a short life takes once or twice
CUT = "cut"              # the lane of a log that loses its end
SHORTEST_WITH_CUT = 15.0  # seconds
THROWS = "consumer.in_handler"  # an error there is the handler's own: a dead letter, which no event here deserves
RARE = ("dlq", "dead", "revoke", "offset_store")


@dataclass(frozen=True)
class Life:
    """One life of one process: what may end it from inside, and what does from outside when it still lives then."""

    lasts: float          # seconds, from its readiness on
    young: bool           # from its start on: it may end before it ever works
    ending: str           # kill, term or freeze (then kill)
    frozen_for: float     # seconds, for `freeze` and for the action `stop`
    failpoint: str = ""   # empty: none
    action: str = ""      # kill, stop, error or delay:MILLISECONDS
    hit: int = 1
    several: str = ""     # in place of those three, as SLUICE_FAILPOINTS wants it

    @property
    def failpoints(self) -> str:
        """As SLUICE_FAILPOINTS wants it."""
        return f"{self.failpoint}={self.action}@{self.hit}" if self.failpoint else self.several

    def __str__(self) -> str:
        return f"{self.failpoints or 'no failpoint'}, {self.ending} after {self.lasts} s"


@dataclass(frozen=True)
class Manners:
    """How often lives end in which way, and what their failpoints do."""

    endings: tuple[int, int, int]            # kill, term, freeze
    actions: tuple[int, int, int, int, int]  # kill, error, stop, delay, none
    longest_freeze: float                    # seconds


MANNERS = Manners((5, 4, 2), (70, 8, 8, 6, 8), 4.0)
OF_POLLERS = Manners((4, 3, 6), (45, 8, 30, 8, 9), 6.0)  # a lease is over in two and a half: who wakes up later must find that it was taken


@dataclass(frozen=True)
class Fault:
    at: float      # seconds after the first event
    lane: str      # faults of a lane follow each other, lanes run side by side
    kind: str
    lasts: float   # seconds
    how: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        said = " ".join(f"{name}={value:g}" for name, value in self.how.items())
        return f"{self.at:7.2f} s  {self.lane:14} {self.kind:12} for {self.lasts:.2f} s  {said}".rstrip()


@dataclass(frozen=True)
class Plan:
    seed: int
    seconds: float
    database: str         # mysql or mariadb
    nodes: int            # of Kafka
    partitions: int
    ingresses: int
    consumers: int
    workers: int          # of each consumer
    batch: int
    lease: str            # of a claim in Redis
    rate: int             # events per second
    objects: int          # payment objects that are in use at the same time
    customers: int        # few: their rows are fought for
    lives: dict[str, tuple[Life, ...]]
    faults: tuple[Fault, ...]
    kind: str = "mixed"    # or storm, or poller
    backlog: int = 1_000_000  # records: the provider waits while the consumers are further behind
    session_ms: int = 1000  # of consumers: for so long their group waits for a dead one
    pollers: int = 0      # of the provider's list; 0: there is none
    page: int = 100       # events of a page of the list

    def of_lane(self, lane: str) -> list[Fault]:
        return [fault for fault in self.faults if fault.lane == lane]

    @property
    def lanes(self) -> list[str]:
        return sorted({fault.lane for fault in self.faults})

    @property
    def restores(self) -> bool:
        return any(fault.kind == "restore" for fault in self.faults)

    @property
    def crash_points(self) -> set[str]:
        """Failpoints that some life shall end at."""
        return {life.failpoint for lives in self.lives.values() for life in lives if life.action == "kill"}

    @property
    def has_slow_effects(self) -> bool:
        return any(fault.lane == "statements" and fault.kind == "slow" for fault in self.faults)

    @property
    def spills(self) -> bool:
        """Whether each ingress has a journal. Of the seed alone: no other dice move."""
        return Random(f"{self.seed}/spill").random() < 0.5

    @property
    def cuts_log(self) -> bool:
        return any(fault.lane == CUT for fault in self.faults)

    @property
    def rolls_out(self) -> bool:
        return any(fault.lane == "rollout" for fault in self.faults)

    @property
    def has_late_source(self) -> bool:
        """Whether there are deliveries to a source that only a roll-out brings."""
        return any(fault.lane == "rollout" and fault.kind == "source" for fault in self.faults)

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    def __str__(self) -> str:
        return told(self, self._kills() if self.kind == "storm" else map(str, self.faults))

    def _kills(self) -> Iterator[str]:
        """Hundreds, which differ in nothing but the moment."""
        for lane in self.lanes:
            kills = self.of_lane(lane)
            yield f"{lane}: {len(kills)} kills, the first at {', '.join(f'{kill.at:g}' for kill in kills[:8])} s"


def told(plan: Plan | CommandPlan, faults: Iterable[str]) -> str:
    """A plan as people read it: its settings, its processes' lives, and `faults`, which are its own way of saying them."""
    settings = {name: value for name, value in asdict(plan).items() if name not in ("lives", "faults")}
    lines = ["plan: " + " ".join(f"{name}={value}" for name, value in settings.items())]
    lines += [f"  {label}: up to {len(lives)} lives, the first: {'; '.join(map(str, lives[:3]))}"
              for label, lives in plan.lives.items()]
    return "\n".join([*lines, *(f"  {fault}" for fault in faults)])


def make_plan(seed: int, seconds: float, points: Mapping[str, Sequence[str]], *, database: str | None = None,
              nodes: int | None = None, rollouts: bool = False, poller: bool = False) -> Plan:
    """`points`: failpoints by tier. `database` and `nodes` overrule the dice without moving them. `rollouts`: with those too.
    `poller`: with a list of events beside the webhooks, and pollers that read it."""
    dice = Random(f"{seed}/settings")
    chosen = {
        "database": dice.choice(("mysql", "mariadb")), "nodes": 3 if dice.random() < 0.15 else 1,
        "partitions": dice.choice((1, 3, 4, 8)), "ingresses": dice.choice((2, 2, 3)), "consumers": dice.choice((2, 3, 3)),
        "workers": dice.choice((1, 2, 4)), "batch": dice.choice((1, 5, 40, 300)), "lease": dice.choice(("1s", "10s")),
        "rate": dice.choice((40, 80, 120)), "objects": dice.choice((5, 20, 60)), "customers": dice.choice((2, 6, 20))}
    chosen |= {"database": database or chosen["database"], "nodes": nodes or chosen["nodes"]}
    if poller:
        chosen |= {"kind": "poller", "pollers": 2, "page": Random(f"{seed}/list").choice((3, 20, 100))}
    asked = {name for name, is_asked in (("rollouts", rollouts), ("poller", poller)) if is_asked}
    lives = {f"{tier}-{number}": _lives(Random(f"{seed}/{tier}-{number}"), seconds, points[tier], tier)
             for tier, count in (("ingress", chosen["ingresses"]), ("consumer", chosen["consumers"]), ("poller", chosen.get("pollers", 0)))
             for number in range(1, count + 1)}
    return Plan(seed=seed, seconds=seconds, lives=lives, faults=_faults(seed, seconds, chosen["nodes"], list(lives), asked), **chosen)


def _lives(dice: Random, seconds: float, points: Sequence[str], tier: str) -> tuple[Life, ...]:
    """Enough of them even when each ends as early as it can."""
    longest = dice.choice((1.0, 3.0, 8.0) if tier == "ingress" else (2.0, 4.0, 10.0))
    manners = OF_POLLERS if tier == "poller" else MANNERS
    return tuple(_life(dice, longest, points, manners) for _ in range(math.ceil(seconds / 0.4) + 1))


def _life(dice: Random, longest: float, points: Sequence[str], manners: Manners) -> Life:
    lasts = round(dice.uniform(SHORTEST_LIFE, longest), 2)
    ending = dice.choices(("kill", "term", "freeze"), manners.endings)[0]
    frozen_for = round(dice.uniform(0.2, manners.longest_freeze), 2)
    action = dice.choices(("kill", "error", "stop", "delay", ""), manners.actions)[0]
    point, delay = dice.choice(points), dice.choice((30, 300, 1500))
    if point == THROWS and action == "error":
        action = "kill"
    hit = dice.choice(RARE_HITS if any(word in point for word in RARE) else HITS)
    young = dice.random() < 0.15
    if action == "kill":
        lasts = round(lasts + LONGER_FOR_A_CRASH, 2)
    if not action:
        return Life(lasts, young, ending, frozen_for)
    return Life(lasts, young, ending, frozen_for, point, f"delay:{delay}" if action == "delay" else action, hit)


def _faults(seed: int, seconds: float, nodes: int, labels: Sequence[str], asked: Set[str]) -> tuple[Fault, ...]:
    cut = _cut(Random(f"{seed}/{CUT}"), seconds) if nodes == 3 else []
    made = list(cut)
    for lane, table in LANES.items():
        if (cut and "kafka" in lane) or not asked >= table.only_with:
            continue
        for name in [f"{lane}-{node}" for node in range(1, nodes + 1)] if table.each_node else [lane]:
            made += _of_lane(Random(f"{seed}/{name}"), name, table, seconds, nodes, labels)
    return tuple(sorted(made, key=lambda fault: (fault.at, fault.lane)))


def _cut(dice: Random, seconds: float) -> list[Fault]:
    """In half of the plans that can have it; Kafka has nothing else then: one node more that is away, and nobody elects."""
    if dice.random() < 0.5 or seconds < SHORTEST_WITH_CUT:
        return []
    return [Fault(round(seconds * dice.uniform(0.4, 0.7), 2), CUT, "unclean", round(dice.uniform(0.5, 4), 2))]


def _of_lane(dice: Random, name: str, lane: Lane, seconds: float, nodes: int, labels: Sequence[str]) -> list[Fault]:
    if dice.random() < lane.stays_out:
        return []
    wanted = {kind: entry for kind, entry in lane.kinds.items() if dice.random() < 0.7}
    pace = dice.choice((0.5, 1.0, 1.0, 2.0)) * (nodes if lane.each_node else 1)
    faults: list[Fault] = []
    now = QUIET_AT_FIRST
    while wanted and (now := now + pace * dice.uniform(*lane.gap)) < seconds * LATEST_END:
        copied = any(fault.how.get("copy") and fault.at + fault.lasts + WORTH_LOSING <= now for fault in faults)
        open_kinds = [kind for kind in wanted if copied or kind != "restore"] or ["kill"]
        kind = dice.choices(open_kinds, [lane.kinds[each].weight for each in open_kinds])[0]
        entry = lane.kinds[kind]
        how = {word: dice.choice(values) for word, values in entry.how.items()}
        if "program" in how:
            how["program"] = dice.randrange(len(labels))
        fault = Fault(round(now, 2), name, kind, round(dice.uniform(*entry.lasts), 2), how)
        faults.append(fault)
        now += fault.lasts
    return faults
