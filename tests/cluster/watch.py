"""What the autoscaler of a release does, over time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tests.cluster.release import Release


@dataclass
class Look:
    """What there was at a time, in seconds since the watch began."""

    at: float
    lag: int
    wanted: int
    ready: int


class Watch:
    """Looks at what there is, as often as it is asked to."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.looks: list[Look] = []
        self._began = time.monotonic()

    def look(self) -> Look:
        kube = self.release.kube
        self.looks.append(Look(time.monotonic() - self._began, self.release.lag(), kube.wanted("consumer"), kube.ready("consumer")))
        return self.looks[-1]

    def first(self, **at_least: int) -> float:
        """When lag, wanted or ready was first that high."""
        name, value = next(iter(at_least.items()))
        return next(look.at for look in self.looks if getattr(look, name) >= value)

    def changes(self) -> int:
        """How often another number of pods was wanted: each is a rebalance."""
        return sum(before.wanted != look.wanted for before, look in zip(self.looks, self.looks[1:]))

    def table(self) -> str:
        rows = [look for before, look in zip([None, *self.looks], self.looks)
                if before is None or (before.wanted, before.ready) != (look.wanted, look.ready)]
        return "\n".join(f"{look.at:6.1f} s  lag {look.lag:5}  wanted {look.wanted}  ready {look.ready}" for look in rows)
