"""Consumers of one topic, second by second: partitions with their backlog, pods that take turns at them, a database behind."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


RATE_OVER = 120  # seconds


@dataclass(frozen=True)
class Site:
    """What an installation is like. Rates are records per second, times seconds."""

    partitions: int = 12
    pod_rate: float = 200.0
    database_rate: float = 1e9  # all pods together; more of them do not get beyond it
    start: int = 8              # from the wish for a pod until it is in the group
    rebalance: int = 3          # a partition that moves is read by nobody for so long


@dataclass
class Partition:
    """Records by the second in which they came, oldest first."""

    waiting: deque[list[float]] = field(default_factory=deque)
    owner: int = 0
    moves_until: int = 0

    @property
    def backlog(self) -> float:
        return sum(count for _, count in self.waiting)

    def age(self, now: int) -> float:
        return now - self.waiting[0][0] if self.waiting else 0.0

    def take(self, count: float) -> None:
        while self.waiting and count > 0:
            taken = min(count, self.waiting[0][1])
            self.waiting[0][1] -= taken
            count -= taken
            if self.waiting[0][1] <= 1e-9:
                self.waiting.popleft()


class Fleet:
    """`members` pods share the partitions; those that start are not among them yet."""

    def __init__(self, site: Site, pods: int) -> None:
        self.site, self.members, self.now = site, pods, 0
        self.starting: list[int] = []  # when each joins
        self.rebalances = 0
        self.arrived: deque[float] = deque(maxlen=RATE_OVER)  # by second
        self.partitions = [Partition(owner=number % pods) for number in range(site.partitions)]

    @property
    def pods(self) -> int:
        return self.members + len(self.starting)

    @property
    def lag(self) -> float:
        return sum(partition.backlog for partition in self.partitions)

    @property
    def rate(self) -> float:
        """Records that come in a second, as rate() over two minutes says."""
        return sum(self.arrived) / len(self.arrived) if self.arrived else 0.0

    @property
    def lag_seconds(self) -> float:
        """Of the oldest record anywhere: what sluice_consumer_due_lag_seconds says."""
        return max(partition.age(self.now) for partition in self.partitions)

    def want(self, pods: int) -> None:
        while self.pods < pods:
            self.starting.append(self.now + self.site.start)
        while self.pods > pods and self.starting:
            self.starting.pop()
        if self.pods > pods:
            self._share(pods)

    def second(self, arriving: float) -> None:
        """One second: those that have started join, records come, records are applied."""
        joined = sum(at <= self.now for at in self.starting)
        if joined:
            self.starting = [at for at in self.starting if at > self.now]
            self._share(self.members + joined)
        for partition in self.partitions:
            if arriving:
                partition.waiting.append([self.now, arriving / len(self.partitions)])
        self.arrived.append(arriving)
        self._apply()
        self.now += 1

    def _share(self, members: int) -> None:
        """As few partitions as possible move: those of members that are gone, and what others have too much of."""
        self.members = members
        self.rebalances += 1
        held: list[list[Partition]] = [[] for _ in range(members)]
        homeless = [partition for partition in self.partitions if partition.owner >= members]
        for partition in self.partitions:
            if partition.owner < members:
                held[partition.owner].append(partition)
        most = -(-len(self.partitions) // members)
        for mine in held:
            homeless += mine[most:]
            del mine[most:]
        for partition in homeless:
            self._move(partition, held)
        while held and len(max(held, key=len)) - len(min(held, key=len)) > 1:
            self._move(max(held, key=len).pop(), held)

    def _move(self, partition: Partition, held: list[list[Partition]]) -> None:
        partition.owner = min(range(len(held)), key=lambda member: len(held[member]))
        held[partition.owner].append(partition)
        partition.moves_until = self.now + self.site.rebalance

    def _apply(self) -> None:
        busy = [partition for partition in self.partitions if partition.waiting and partition.moves_until <= self.now]
        owners = {partition.owner for partition in busy}
        rate = min(self.site.pod_rate, self.site.database_rate / max(1, len(owners)))
        for owner in owners:
            mine = [partition for partition in busy if partition.owner == owner]
            left = rate
            for number, partition in enumerate(sorted(mine, key=lambda each: each.backlog)):
                part = min(partition.backlog, left / (len(mine) - number))
                partition.take(part)
                left -= part
