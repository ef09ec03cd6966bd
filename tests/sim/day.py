"""Arrivals, and what becomes of them: `python3 -m tests.sim.day` prints the table of docs/kubernetes.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.sim.autoscaler import Autoscaler, Settings
from tests.sim.fleet import Fleet, Site

Arrivals = Callable[[int], float]  # records in this second


@dataclass(frozen=True)
class Course:
    worst: float       # seconds of lag
    late: int          # seconds with more than 30 s of lag
    most_pods: int
    rebalances: int
    lag_at_end: float  # records
    pods_at_end: int
    last_change: int       # the second in which the number of pods last changed

    @property
    def cells(self) -> tuple[str, ...]:
        return f"{self.worst:.0f} s", f"{self.late / 60:.1f} min", str(self.most_pods), str(self.rebalances)


def run(site: Site, settings: Settings, arrivals: Arrivals, seconds: int = 3600) -> Course:
    fleet, autoscaler = Fleet(site, settings.least), Autoscaler(settings)
    worst, late, most = 0.0, 0, settings.least
    for now in range(seconds):
        autoscaler.second(fleet)
        fleet.second(arrivals(now))
        worst, most = max(worst, fleet.lag_seconds), max(most, fleet.pods)
        late += fleet.lag_seconds > 30
    last = autoscaler.changes[-1][0] if autoscaler.changes else 0
    return Course(worst, late, most, fleet.rebalances, fleet.lag, fleet.pods, last)


def steady(rate: float) -> Arrivals:
    return lambda _: rate


def step(low: float, high: float, begin: int = 300, end: int = 1500) -> Arrivals:
    return lambda now: high if begin <= now < end else low


def ramp(low: float, high: float, begin: int = 300, end: int = 1500) -> Arrivals:
    return lambda now: low + (high - low) * min(1.0, max(0.0, (now - begin) / (end - begin)))


def wave(low: float, high: float, period: int = 10_800) -> Arrivals:
    return lambda now: low + (high - low) * (1 - math.cos(2 * math.pi * now / period)) / 2


def replay(rate: float, held: int = 600, at: int = 900, within: int = 60) -> Arrivals:
    """A provider that reached nobody for `held` seconds sends all of it again within `within`."""
    return lambda now: 0.0 if at - held <= now < at else rate * (1 + held / within) if at <= now < at + within else rate


SITE, SETTINGS = Site(), Settings()
AT_REST = replace(SETTINGS, rate_of_pod=160)  # perPod 200, percent 80
ONE_BY_ONE = replace(SETTINGS, even=False, down_pods=(1, 60))
ROWS: list[tuple[str, Site, Settings, Arrivals]] = [
    ("300 a second, all the time", SITE, SETTINGS, steady(300)),
    ("300, and 1500 for 20 minutes", SITE, SETTINGS, step(300, 1500)),
    ("300, growing to 1800 in 20 minutes, and staying", SITE, SETTINGS, ramp(300, 1800)),
    ("300, of which 10 minutes come again within one", SITE, SETTINGS, replay(300)),
    ("**1500 for 20 minutes**, and pods start in 60 s", replace(SITE, start=60), SETTINGS, step(300, 1500)),
    ("… threshold 12000", SITE, replace(SETTINGS, threshold=12000), step(300, 1500)),
    ("… 6 pods at most, which do 1200", SITE, replace(SETTINGS, most=6), step(300, 1500)),
    ("… MySQL does 1000, with 12 pods or 6", replace(SITE, database_rate=1000), SETTINGS, step(300, 1500)),
    ("… any number of pods, down one a minute", SITE, ONE_BY_ONE, step(300, 1500)),
    ("**growing to 1800**, any number of pods, down one a minute", SITE, ONE_BY_ONE, ramp(300, 1800)),
]


RESTS: list[tuple[str, Site, Settings, Arrivals]] = [
    ("700 a second, all the time", SITE, SETTINGS, steady(700)),
    ("… with the rate too", SITE, AT_REST, steady(700)),
    ("1000, all the time, and pods start in 60 s", replace(SITE, start=60), SETTINGS, steady(1000)),
    ("… with the rate too", replace(SITE, start=60), AT_REST, steady(1000)),
    ("300, rising to 1500 and back, and pods start in 60 s", replace(SITE, start=60), SETTINGS, wave(300, 1500)),
    ("… with the rate too", replace(SITE, start=60), AT_REST, wave(300, 1500)),
]
LONG = 10_800  # seconds
HEAD = "| what comes | worst lag | above 30 s | pods at most | rebalances |\n| --- | --- | --- | --- | --- |\n"


def rows_of(rows: list[tuple[str, Site, Settings, Arrivals]], seconds: int) -> str:
    return "".join(f"| {what} | {' | '.join(run(site, settings, arrivals, seconds).cells)} |\n" for what, site, settings, arrivals in rows)


def table() -> str:
    return f"{HEAD}{rows_of(ROWS, 3600)}\nThree hours, with lag alone and with the rate trigger beside it:\n\n{HEAD}{rows_of(RESTS, LONG)}"


if __name__ == "__main__":
    print(table(), end="")
