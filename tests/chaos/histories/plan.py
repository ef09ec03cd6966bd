"""One integer makes a history of lanes: objects, their events with what befalls them, lives of our processes, operators. Pure.

As with the other plans every part has dice of its own. Times are seconds from the first event on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random

from tests.chaos.histories.script import ASKS, DEFERS, FAILURES, KILLS_AT_ONCE, KINDS, UNKNOWN, UNKNOWN_AT_MOST
from tests.chaos.plan import THROWS, Life

ROLES = (("main", "retry"), ("main", "main", "retry"), ("main", "retry", "retry"), ("main", "main", "retry", "retry"),
         ("both", "both"), ("main", "both"), ("both", "retry"))
LETTERS = "ddddddrrrrppxxuulcccc"
MOST_FAILURES = 4          # of one event: the delay after a fifth is too long, hurried or not
SHARES = {"plain": 6, "holds": 2, "latest": 2, "thrice": 2, "brief": 2, "needs": 4, "makes": 1, "passes": 5, "sums": 3}
LAST_PUT = 0.8             # of the run
LASTS = ((0.05, 0.3), (0.2, 1.0), (0.5, 2.0))  # seconds, of a life
LONGER = (0.8, 2.5)        # that shall mostly get to its failpoint
FREEZES = (0.3, 2.0)       # some past the session's time-out
WITHOUT_FAILPOINT = 0.25
ENOUGH_LIVES = 0.4         # seconds from start to end, the shortest
ACTIONS = ("kill", "kill", "kill", "kill", "kill", "stop", "stop", "stop", "error", "delay:300")
HITS = (1, 1, 1, 1, 2, 2, 3, 5)
ONE_DEATH = 1              # where the budget is that small, nobody dies: there are cases only
OF_LANES = ("lane", "enter", "wakeup", "row", "pass", "failure", "death", "dlq", "command")  # in names of failpoints


@dataclass(frozen=True)
class Planned:
    """An event. Its id and its object's have the seed in them."""

    id: str
    object: str
    kind: str
    script: str

    @property
    def is_well(self) -> bool:
        return not self.script and not KINDS[self.kind].needs_a_row

    @property
    def can_die(self) -> bool:
        """Of a failure. Zombies may take a letter without leaving a trace: then it does not."""
        failures = sum(self.script.count(letter) for letter in FAILURES)
        return (any(letter in self.script for letter in KILLS_AT_ONCE)
                or (UNKNOWN in self.script and failures >= UNKNOWN_AT_MOST)
                or (self.kind == "thrice" and failures >= 3)
                or (self.kind == "brief" and DEFERS in self.script))

    @property
    def is_superseded_when_dead(self) -> bool:
        return KINDS[self.kind].policy.get("after_dead") == "skip_superseded"


@dataclass(frozen=True)
class Put:
    """Records for the main topic. An event may come again, later than it came first."""

    at: float
    events: tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Of an operator, about one of those that wait at that moment, if any does."""

    at: float
    action: str  # retry or skip
    pick: float  # where in their list, 0 to 1
    twice: bool  # the command comes again


@dataclass(frozen=True)
class History:
    seed: int
    seconds: float
    database: str
    partitions: int
    wake_partitions: int
    workers: int
    batch: int
    in_place: str
    deaths: int           # consumer.dead_letter_budget.events
    hurry: int
    session_ms: int
    cases_end: str        # retry, skip, or ctl: sluicectl skips them with what comes up behind
    roles: tuple[str, ...]
    events: tuple[Planned, ...]
    puts: tuple[Put, ...]
    orders: tuple[Order, ...]
    lives: dict[str, tuple[Life, ...]]

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    def __str__(self) -> str:
        apart = ("events", "puts", "orders", "lives")
        settings = {name: value for name, value in asdict(self).items() if name not in apart}
        lines = ["history: " + " ".join(f"{name}={value}" for name, value in settings.items())]
        for unit in dict.fromkeys(event.object for event in self.events):
            line = [f"{event.kind}{':' * bool(event.script)}{event.script}" for event in self.events if event.object == unit]
            lines.append(f"  {unit}: {' '.join(line)}")
        lines.append(f"  {len(self.puts)} puts of {sum(len(put.events) for put in self.puts)} records, {len(self.orders)} orders")
        lines += [f"  {label}: {'; '.join(map(str, lives[:4]))} …" for label, lives in self.lives.items()]
        return "\n".join(lines)


def make_history(seed: int, points: Mapping[str, Sequence[str]], *, seconds: float, database: str | None = None) -> History:
    """`points`: failpoints by role, main and retry. `database` overrules the dice without moving them."""
    dice = Random(f"{seed}/lanes")
    chosen = {
        "database": dice.choice(("mysql", "mariadb")), "partitions": dice.choice((1, 1, 2, 3)), "wake_partitions": dice.choice((1, 2)),
        "workers": dice.choice((1, 2, 4)), "batch": dice.choice((1, 5, 40)), "in_place": dice.choice(("0s", "0s", "100ms", "2s")),
        "deaths": dice.choice((0, ONE_DEATH, 20, 20)), "hurry": dice.choice((50, 100, 100)), "session_ms": dice.choice((600, 1000)),
        "roles": dice.choice(ROLES), "cases_end": dice.choice(("retry", "skip", "ctl"))}
    chosen["database"] = database or chosen["database"]
    events = _events(Random(f"{seed}/lanes/events"), seed)
    if chosen["deaths"] == ONE_DEATH:
        events = tuple(_case_instead(event) for event in events)
    return History(
        seed=seed, seconds=seconds, events=events, puts=_puts(Random(f"{seed}/lanes/puts"), events, seconds),
        orders=_orders(Random(f"{seed}/lanes/orders"), seconds), lives=_lives(seed, chosen["roles"], points, seconds), **chosen)


def _events(dice: Random, seed: int) -> tuple[Planned, ...]:
    """In one order of all objects; the first object has no trouble at all."""
    objects = [f"pi_{seed:x}_{number}" for number in range(dice.choice((2, 3, 3, 5)))]
    troubles = {unit: dice.choice((0.2, 0.4, 0.7)) if number else 0.0 for number, unit in enumerate(objects)}
    count = dice.randint(20, 80)
    return tuple(_event(dice, f"evt_{seed:x}_{number}", unit, troubles[unit])
                 for number, unit in enumerate(dice.choice(objects) for _ in range(count)))


def _event(dice: Random, name: str, unit: str, trouble: float) -> Planned:
    if dice.random() >= trouble:
        kinds = [kind for kind in SHARES if trouble or not KINDS[kind].needs_a_row]
        return Planned(name, unit, dice.choices(kinds, [SHARES[kind] for kind in kinds])[0], "")
    kind = dice.choices(list(SHARES), list(SHARES.values()))[0]
    script = _script(dice) if KINDS[kind].has_script else ""
    return Planned(name, unit, kind, ASKS + script if KINDS[kind].lets_cases_pass else script)


def _case_instead(event: Planned) -> Planned:
    return replace(event, script=ASKS) if event.can_die else event


def _script(dice: Random) -> str:
    script = ""
    for letter in dice.choices(LETTERS, k=dice.choice((1, 1, 2, 3, 5, 9))):
        if letter not in FAILURES or sum(script.count(each) for each in FAILURES) < MOST_FAILURES:
            script += letter
    return script


def _puts(dice: Random, events: Sequence[Planned], seconds: float) -> tuple[Put, ...]:
    """In order, in bursts; one in eight comes again at any time."""
    edges = sorted(dice.sample(range(1, len(events)), dice.choice((2, 6, 12))))
    slices = [tuple(range(start, end)) for start, end in zip([0, *edges], [*edges, len(events)], strict=True)]
    moments = [0.0, *sorted(round(dice.uniform(0, seconds * LAST_PUT), 2) for _ in edges)]
    first = dict(zip((number for part in slices for number in part),
                     (at for at, part in zip(moments, slices, strict=True) for _ in part), strict=True))
    again = [Put(round(dice.uniform(first[number], seconds), 2), (number,) * dice.choice((1, 1, 2)))
             for number in first if dice.random() < 0.12]
    return tuple(sorted([Put(at, part) for at, part in zip(moments, slices, strict=True)] + again, key=lambda put: put.at))


def _orders(dice: Random, seconds: float) -> tuple[Order, ...]:
    made = [Order(round(dice.uniform(0.2, 1.0) * seconds, 2), dice.choice(("retry", "retry", "skip")), round(dice.random(), 3),
                  dice.random() < 0.2) for _ in range(dice.choice((0, 0, 2, 5)))]
    return tuple(sorted(made, key=lambda order: order.at))


def _lives(seed: int, roles: Sequence[str], points: Mapping[str, Sequence[str]], seconds: float) -> dict[str, tuple[Life, ...]]:
    made = {}
    for number, role in enumerate(roles, 1):
        dice = Random(f"{seed}/lanes/{role}-{number}")
        open_points = [point for name in ("main", "retry") if role in (name, "both") for point in points[name]]
        made[f"{role}-{number}"] = tuple(_life(dice, open_points) for _ in range(int(seconds / ENOUGH_LIVES) + 1))
    return made


def _life(dice: Random, points: Sequence[str]) -> Life:
    lasts, longer, frozen_for = (round(dice.uniform(*between), 2) for between in (dice.choice(LASTS), LONGER, FREEZES))
    ending = dice.choices(("kill", "term", "freeze"), (4, 3, 3))[0]
    action, point, hit = dice.choice(ACTIONS), _point(dice, points), dice.choice(HITS)
    if point == THROWS and action == "error":
        action = "kill"
    if dice.random() < WITHOUT_FAILPOINT:
        return Life(lasts, False, ending, frozen_for)
    return Life(longer, False, ending, frozen_for, point, action, hit)


def _point(dice: Random, points: Sequence[str]) -> str:
    """Mostly one that only events in trouble pass."""
    of_lanes = [point for point in points if any(word in point for word in OF_LANES)]
    return dice.choice(of_lanes if of_lanes and dice.random() < 0.8 else points)
