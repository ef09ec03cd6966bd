"""Waiting for something to become true, with a bound. The only place of the tests that lets time pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LONG_ENOUGH = 60.0  # seconds, on a loaded machine: a frozen process alone may keep its locks for 30 (store::idle_limit)


def wait_for(probe: Callable[[], T], what: str, within: float = LONG_ENOUGH, every: float = 0.02) -> T:
    """The first true value of `probe`. An AssertionError or OSError of `probe` means "not yet".

    After `within` seconds: AssertionError, saying `what` was waited for and what was seen last.
    """
    deadline = time.monotonic() + within
    while True:
        try:
            value = probe()
            if value:
                return value
            seen = repr(value)
        except (AssertionError, OSError) as error:
            seen = f"{type(error).__name__}: {error}"
        if time.monotonic() >= deadline:
            raise AssertionError(f"waited {within:g} s for {what}; last seen: {seen}")
        time.sleep(every)


def expect_soon(check: Callable[[], object], within: float = LONG_ENOUGH) -> None:
    """`check` asserts something that shall become true; its own AssertionError is raised after `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        try:
            check()
            return
        except AssertionError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(0.02)


def stays(check: Callable[[], object], during: float, every: float = 0.05) -> None:
    """`check` asserts something that must hold all the time; for promises that nothing happens."""
    deadline = time.monotonic() + during
    while time.monotonic() < deadline:
        check()
        time.sleep(every)
    check()
