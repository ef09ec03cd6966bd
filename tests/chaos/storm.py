"""A plan of crashes and little else: every life ends at a failpoint, servers are killed and start again at once.

What freezes, breaks wires or steps clocks is left to the other plans: there a crash waits for it. The same rules hold:
one integer is the plan, every part has dice of its own. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.chaos.plan import QUIET_AT_FIRST, RARE, RARE_HITS, Fault, Life, Plan


@dataclass(frozen=True)
class Pace:
    between: tuple[float, float]  # seconds from kill to kill
    rest: float                   # seconds from its return to the next kill, at least: machines differ


PACES = {"redis": Pace((0.3, 1.0), 0.2), "database": Pace((4.0, 8.0), 3.5), "kafka-1": Pace((18.0, 26.0), 12.0)}
LATEST_KILL = 0.97              # of the run
BACKLOG = 2000                  # records: what crashes all the time gets little done, and has to catch up in the end
HITS = {"ingress": (1, 2, 5, 12, 30), "consumer": (1, 1, 1, 2, 3, 5, 8)}  # an ingress starts in no time, and shall let traffic through
LONG_ENOUGH = (5.0, 9.0)        # seconds: to reach the failpoint. Who waits for a server longer is better started anew: clients back off
UNTIL_TERM = (1.0, 3.0)         # what is passed on the way out has to be asked for
SHORT = (0.02, 0.8)             # a death on the way in
QUICKEST_CRASH = 0.25           # seconds from start to failpoint, for the number of lives


def make_storm(seed: int, seconds: float, points: Mapping[str, Sequence[str]], *, database: str | None = None) -> Plan:
    """`points`: failpoints by tier. `database` overrules the dice without moving them."""
    dice = Random(f"{seed}/storm")
    chosen = {
        "database": dice.choice(("mysql", "mariadb")), "partitions": dice.choice((4, 8)), "ingresses": dice.choice((2, 3)),
        "consumers": dice.choice((2, 3, 3)), "workers": dice.choice((1, 1, 2)), "batch": dice.choice((1, 5, 20)),
        "lease": dice.choice(("1s", "10s")), "rate": dice.choice((60, 90, 120)), "objects": dice.choice((5, 20, 60)),
        "customers": dice.choice((2, 6, 20))}
    chosen |= {"database": database or chosen["database"]}
    lives = {f"{tier}-{number}": _lives(Random(f"{seed}/storm/{tier}-{number}"), seconds, points[tier], HITS[tier])
             for tier, count in (("ingress", chosen["ingresses"]), ("consumer", chosen["consumers"]))
             for number in range(1, count + 1)}
    kills = [kill for lane in PACES for kill in _kills(Random(f"{seed}/storm/{lane}"), lane, seconds)]
    return Plan(seed=seed, seconds=seconds, kind="storm", nodes=1, backlog=BACKLOG, session_ms=dice.choice((600, 1000)), lives=lives,
                faults=tuple(sorted(kills, key=lambda kill: (kill.at, kill.lane))), **chosen)


def _lives(dice: Random, seconds: float, points: Sequence[str], hits: Sequence[int]) -> tuple[Life, ...]:
    """Enough of them even when each ends as early as it can."""
    turns = _turns(dice, points)
    return tuple(_life(dice, next(turns), hits) for _ in range(math.ceil(seconds / QUICKEST_CRASH) + 1))


def _turns(dice: Random, points: Sequence[str]) -> Iterator[str]:
    """All of them come before one comes again."""
    while True:
        yield from dice.sample(points, len(points))


def _life(dice: Random, point: str, hits: Sequence[int]) -> Life:
    hit = dice.choice(RARE_HITS if any(word in point for word in RARE) else hits)
    if "revoke" in point:
        return _crash(dice, UNTIL_TERM, "term", point, 1)
    if dice.random() < 0.05:
        return _crash(dice, SHORT, dice.choice(("kill", "term")), point, hit)
    return _crash(dice, LONG_ENOUGH, "kill", point, hit)


def _crash(dice: Random, lasts: tuple[float, float], ending: str, point: str, hit: int) -> Life:
    return Life(round(dice.uniform(*lasts), 2), True, ending, 0.0, point, "kill", hit)


def _kills(dice: Random, lane: str, seconds: float) -> Iterator[Fault]:
    now = QUIET_AT_FIRST
    while (now := now + dice.uniform(*PACES[lane].between)) < seconds * LATEST_KILL:
        yield Fault(round(now, 2), lane, "kill", 0.0, {"rest": PACES[lane].rest})
