"""Stages that compute, beside those that mostly wait: they take the time of the cores that nobody else wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Self

from deploy.platform.testing import runner
from deploy.platform.testing.stages import Stage

LOOK_AGAIN = 1.0  # seconds


class Beside:
    """Carries stages out on a thread of its own, one after another. It ends when all have, and where it is broken off, it
    ends whatever stage is under way."""

    def __init__(self, carry_out: Callable[[Stage], None]) -> None:
        self._carry_out = carry_out
        self._thread = ThreadPoolExecutor(1)
        self._begun: dict[str, Future[None]] = {}

    def start(self, stage: Stage) -> None:
        self._begun[stage.name] = self._thread.submit(self._carry_out, stage)

    def wait_for(self, names: Iterable[str]) -> None:
        """Those of them that were started here."""
        for name in names:
            if name in self._begun:
                self._begun[name].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, broken_off: object, *_: object) -> None:
        try:
            if not broken_off:
                self.wait_for(self._begun)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)
            under_way = [future for future in self._begun.values() if not future.cancelled()]
            while wait(under_way, LOOK_AGAIN).not_done:
                runner.end_all()
