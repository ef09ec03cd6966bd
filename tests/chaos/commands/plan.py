"""One integer makes a plan of commands: who calls, which process dies when, and what becomes of servers. Pure.

As in the other plans each part has dice of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random

from tests.chaos.commands.told import IN_REDIS
from tests.chaos.plan import LATEST_END, LONGER_FOR_A_CRASH, QUIET_AT_FIRST, SHORTEST_LIFE, Fault, Life, told

WITHIN, LEASE = 1, 6        # seconds, of a call
HITS = (1, 1, 1, 2, 3, 5, 8, 20)
# A call's owner is overtaken only here, and only if it is away for longer than its lease: the share of calls that are. Most at the step
# whose owner sends the call although it is another's by then.
OWNED = {"command.before_call": 0.3, "command.call_recorded": 0.1, "command.call_sent": 0.05, "command.call_taken_over": 0.05,
         "command.call_asked": 0.05}
AWAY_FOR = LEASE + 4.0      # seconds: when the next owner has had time to begin, and its lease is not over
WITH_OWNERS_AWAY = (AWAY_FOR + 5.0, AWAY_FOR + 10.0)  # seconds, of a life
# A response that leaves before its COMMIT gets away only if that takes a while; then the process or the database dies.
SLOW_COMMIT, WITH_SLOW_COMMITS = "command.before_commit=delay:500@p0.8", (1.5, 5.0)
SOON = (1, 1, 2, 3)         # most processes that stop do so in a call
FORGETS = 0.25              # of plans
ENDINGS = (5, 4)            # kill, freeze (then kill)
ACTIONS = {"kill": 45, "stop": 20, "delay": 5, "": 5}
OF_SERVERS = ACTIONS | {"owners": 15, "slow": 10}  # the process works, but some of its calls are away, or some COMMITs are slow
FROZEN = ((0.2, 2.0), (LEASE + 2.0, LEASE + 5.0))  # seconds: for a moment, or past a lease, so that others go on with what was begun
LANES = {"redis": ((0.5, 4.0), {"kill": (0.0, 1.0), "pause": (0.1, 2.0), "switch_over": (0.0, 1.0)}),
         "database": ((3.0, 8.0), {"kill": (0.0, 1.0), "pause": (0.2, 4.0)}),
         "kafka-1": ((5.0, 12.0), {"kill": (0.0, 1.5), "pause": (0.3, 4.0)})}


@dataclass(frozen=True)
class CommandPlan:
    seed: int
    seconds: float
    database: str          # mysql or mariadb
    partitions: int        # of the topic of hot accounts
    workers: int           # of each process that serves
    callers: int           # each with one request at a time
    small: int             # accounts
    hot: int
    ledger_first: bool     # before the balance: where that is too low, the row of the ledger is taken back
    forgets: bool          # a fail-over of Redis loses what the standby has not got
    lives: dict[str, tuple[Life, ...]]  # by process: serve-1, book-1 and so on
    faults: tuple[Fault, ...]
    kind: str = "commands"

    def of_lane(self, lane: str) -> list[Fault]:
        return [fault for fault in self.faults if fault.lane == lane]

    @property
    def lanes(self) -> list[str]:
        return sorted({fault.lane for fault in self.faults})

    @property
    def forgotten(self) -> str:
        """A command whose records may be lost; empty: none."""
        return IN_REDIS if self.forgets else ""

    @property
    def rolls_out(self) -> bool:
        return False

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    def __str__(self) -> str:
        return told(self, map(str, self.faults))


def make_plan(seed: int, seconds: float, points: Mapping[str, Sequence[str]], *, database: str | None = None) -> CommandPlan:
    """`points`: failpoints by role. `database` overrules the dice without moving them."""
    dice = Random(f"{seed}/commands")
    chosen = {"database": dice.choice(("mysql", "mariadb")), "partitions": dice.choice((1, 3)), "workers": dice.choice((1, 2, 8)),
              "callers": dice.choice((12, 20)), "small": dice.choice((2, 6, 20)), "hot": dice.choice((1, 3))}
    chosen |= {"database": database or chosen["database"], "ledger_first": dice.random() < 0.5, "forgets": dice.random() < FORGETS}
    lives = {f"{role}-{number}": _lives(Random(f"{seed}/{role}-{number}"), seconds, points[role]) for role in points for number in (1, 2)}
    for label, kind in (("serve-1", "owners"), ("serve-2", "slow")):  # whatever the dice say, in each run
        lives[label] = (SPECIAL[kind](Random(f"{seed}/{kind}")), *lives[label])
    faults = [fault for lane in LANES for fault in _faults(Random(f"{seed}/{lane}"), lane, seconds)]
    if chosen["forgets"]:
        faults = [replace(fault, kind="fail_over") if fault.kind == "switch_over" else fault for fault in faults]
    return CommandPlan(seed=seed, seconds=seconds, lives=lives, faults=tuple(sorted(faults, key=lambda one: (one.at, one.lane))), **chosen)


def _lives(dice: Random, seconds: float, points: Sequence[str]) -> tuple[Life, ...]:
    longest = dice.choice((3.0, 8.0))
    return tuple(_life(dice, longest, points) for _ in range(math.ceil(seconds / 0.5) + 1))


def _life(dice: Random, longest: float, points: Sequence[str]) -> Life:
    lasts, ending = round(dice.uniform(SHORTEST_LIFE, longest), 2), dice.choices(("kill", "freeze"), ENDINGS)[0]
    makes_calls = OWNED.keys() <= set(points)
    frozen_for, action = round(dice.uniform(*dice.choice(FROZEN)), 2), _drawn(dice, OF_SERVERS if makes_calls else ACTIONS)
    point, delay, hit = dice.choice(points), dice.choice((30, 300, 1500)), dice.choice(HITS)
    if action in SPECIAL:
        return SPECIAL[action](dice)
    if action == "stop" and makes_calls and dice.random() < 0.7:
        point, hit, frozen_for = _drawn(dice, OWNED), dice.choice(SOON), round(dice.uniform(*FROZEN[1]), 2)
    if not action:
        return Life(lasts, dice.random() < 0.15, ending, frozen_for)
    if action in ("kill", "stop"):  # who was frozen goes on for a while
        lasts = round(lasts + LONGER_FOR_A_CRASH + (frozen_for if action == "stop" else 0), 2)
    return Life(lasts, False, ending, frozen_for, point, f"delay:{delay}" if action == "delay" else action, hit)


def _drawn(dice: Random, weights: Mapping[str, float]) -> str:
    return dice.choices(list(weights), list(weights.values()))[0]


def _with_owners_away(dice: Random) -> Life:
    """The process works, and lives to see them come back."""
    away = ";".join(f"{point}=delay:{round(AWAY_FOR * 1000)}@p{share}" for point, share in OWNED.items())
    return Life(round(dice.uniform(*WITH_OWNERS_AWAY), 2), young=False, ending="kill", frozen_for=0, several=away)


def _with_slow_commits(dice: Random) -> Life:
    return Life(round(dice.uniform(*WITH_SLOW_COMMITS), 2), young=False, ending="kill", frozen_for=0, several=SLOW_COMMIT)


SPECIAL = {"owners": _with_owners_away, "slow": _with_slow_commits}


def _faults(dice: Random, lane: str, seconds: float) -> list[Fault]:
    gap, kinds = LANES[lane]
    if dice.random() < 0.15:
        return []
    faults: list[Fault] = []
    now = QUIET_AT_FIRST
    while (now := now + dice.uniform(*gap)) < seconds * LATEST_END:
        kind = dice.choice(list(kinds))
        faults.append(Fault(round(now, 2), lane, kind, round(dice.uniform(*kinds[kind]), 2)))
        now += faults[-1].lasts
    return faults
