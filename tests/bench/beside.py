"""Work on a thread of its own beside a block."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Self


class Beside(ABC):
    """Begins with the block. At its end `ended` is set, and the block waits until `_run` has returned."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._thread.join()

    @abstractmethod
    def _run(self) -> None: ...
