"""Many callers at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable


def at_once(calls: list[Callable[[], object]]) -> None:
    """Each call on a thread of its own; the first failure is raised here."""
    failures: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as failure:  # noqa: BLE001 - shown in the main thread
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
