"""KEDA's kafka scaler and the HPA behind it, as far as they decide how many pods there are.

KEDA: the lag of all partitions together, cut at partitions x threshold, read each `polling` seconds and kept in between; with
ensureEvenDistributionOfPartitions rounded up to what divides the partitions.
The second trigger is the rate of events, as the chart's query words it: pods wanted, rounded up to what divides the partitions.
HPA: of each trigger ceil(value / threshold), the highest of them; nothing inside a tolerance of a tenth, so many pods up and down in a
time, and down only to the highest wish of the last `patience` seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tests.sim.fleet import Fleet

TOLERANCE = 0.1


@dataclass(frozen=True)
class Settings:
    """As in values.yaml under consumer.autoscaling; `sync` is the cluster's."""

    least: int = 2
    most: int = 12
    threshold: float = 1500.0
    polling: int = 10
    sync: int = 15
    up: tuple[int, int] = (6, 15)     # pods, seconds
    down: tuple[int, int] = (50, 300)  # percent, seconds
    down_pods: tuple[int, int] = (0, 0)  # in place of percent
    patience: int = 300
    rate_of_pod: float = 0.0  # a pod should have that much to do at most (rate.perPod x rate.percent); 0: lag alone
    even: bool = True  # only numbers of pods that divide the partitions


class Autoscaler:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lag_pods = self.rate_pods = 0.0
        self.wishes: list[tuple[int, int]] = []   # when, how many
        self.changes: list[tuple[int, int]] = []  # when, how many more

    def second(self, fleet: Fleet) -> None:
        now = fleet.now
        if now % self.settings.polling == 0:
            partitions = len(fleet.partitions)
            self.lag_pods = self._even(fleet.lag / self.settings.threshold, partitions)
            if self.settings.rate_of_pod:
                self.rate_pods = self._even(fleet.rate / self.settings.rate_of_pod, partitions)
        if now % self.settings.sync == 0:
            pods = self._decide(now, fleet.pods)
            if pods != fleet.pods:
                self.changes.append((now, pods - fleet.pods))
                fleet.want(pods)

    def _even(self, pods: float, partitions: int) -> float:
        """What KEDA answers, in pods: never more than one for each partition, and with `even` a number that divides them."""
        if self.settings.even:
            pods = next((number for number in range(max(1, math.ceil(pods)), partitions) if partitions % number == 0), partitions)
        return min(pods, partitions)

    def _decide(self, now: int, pods: int) -> int:
        wish = max(pods if abs(wanted / pods - 1) <= TOLERANCE else math.ceil(wanted) for wanted in (self.lag_pods, self.rate_pods))
        wish = min(self.settings.most, max(self.settings.least, wish))
        self.wishes = [each for each in self.wishes if each[0] > now - self.settings.patience] + [(now, wish)]
        if wish > pods:
            return min(wish, pods - self._changed(now, self.settings.up[1], +1) + self.settings.up[0])
        settled = max(count for _, count in self.wishes)
        if settled < pods:
            return max(settled, self._least_now(now, pods))
        return pods

    def _least_now(self, now: int, pods: int) -> int:
        """How far down the policy lets it go."""
        count, within = self.settings.down_pods
        if count:
            return pods + self._changed(now, within, -1) - count
        percent, within = self.settings.down
        return math.ceil((pods + self._changed(now, within, -1)) * (1 - percent / 100))

    def _changed(self, now: int, within: int, sign: int) -> int:
        """How many pods were added (or taken away) in the last seconds, as a positive number."""
        return sum(sign * count for when, count in self.changes if when > now - within and sign * count > 0)
