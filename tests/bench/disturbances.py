"""What happens to the ingress while its memory is watched: servers that go, clients that misbehave, sources that change."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import Counter
from collections.abc import Callable

from tests.bench import hostile
from tests.bench.arena import Arena
from tests.bench.targets import Target
from tests.support.http_raw import NoAnswer, RawConnection

RELOADS = 5  # each time
PAUSE = 6.0  # seconds that the broker hangs
SETTLED = 1.5  # seconds between reloads: the file is looked at once a second
ABANDONED = 20  # connections, each left in the middle of a large body


class Disturbances:
    """Kills Redis, kills and pauses the broker in turns; each time with hostile clients and reloads. To be used by the thread
    that started the servers: what they start again dies with it."""

    def __init__(self, arena: Arena, target: Target) -> None:
        self.counts: Counter[str] = Counter()
        self._arena, self._target = arena, target
        self._faults = itertools.cycle([self._redis_killed, self._broker_killed, self._broker_paused])
        self._wait = threading.Event().wait

    def next(self) -> str:
        """The fault's name."""
        fault: Callable[[], None] = next(self._faults)
        fault()
        self._misbehave()
        self._reload()
        name = fault.__name__.strip("_").replace("_", " ")
        self.counts[name] += 1
        return name

    def _redis_killed(self) -> None:
        self._arena.redis.kill()
        self._wait(2)
        self._arena.redis.restart()

    def _broker_killed(self) -> None:
        self._arena.kafka.kill()
        self._arena.kafka.restart()

    def _broker_paused(self) -> None:
        self._arena.kafka.pause()
        self._wait(PAUSE)
        self._arena.kafka.resume()

    def _misbehave(self) -> None:
        large = hostile.forged(b"a" * (hostile.LIMIT - 1))
        bodies = [hostile.brackets(hostile.LIMIT - 1), hostile.nested(64), hostile.many_members(hostile.LIMIT)]
        for request in [hostile.bad_head(), hostile.long_head(), hostile.many_fields(65), hostile.unknown_path(), hostile.too_large(),
                        large, *map(hostile.authentic, bodies)]:
            self._exchange(request)
        for _ in range(ABANDONED):
            with RawConnection(self._target.port) as connection:
                connection.send(large[:len(large) // 2])
        self.counts["connections abandoned in a body"] += ABANDONED

    def _exchange(self, request: bytes) -> None:
        with RawConnection(self._target.port) as connection, contextlib.suppress(NoAnswer):
            connection.send(request)
            self.counts[f"hostile requests answered {connection.read_answer().status}"] += 1

    def _reload(self) -> None:
        """With a source more, and without it again."""
        for number in range(RELOADS):
            self._target.more_sources = [another_source()] if number % 2 == 0 else []
            self._target.configure(self._arena.kafka, self._arena.redis)
            self.counts["reloads"] += 1
            self._wait(SETTLED)


def another_source() -> dict:
    return {"name": "another", "recipe": "stripe", "principal": "another", "keys": [{"id": f"k{number}", "value": {"env": "BENCH_SECRET"}} for number in range(16)]}
