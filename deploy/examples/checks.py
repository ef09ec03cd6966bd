"""Comparisons that cannot hold by comparing nothing. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from deploy.demo.verdict import Check


def same(what: str, expected: dict, found: dict) -> Check:
    """Key by key; a key that is missing is a difference, unless zero was expected."""
    if not expected:
        return Check(what, False, "nothing to compare")
    different = [key for key in {*expected, *found} if expected.get(key, 0) != found.get(key, 0)]
    detail = "" if not different else (f"{len(different)} differences, first {different[0]}: "
                                       f"expected {expected.get(different[0])}, found {found.get(different[0])}")
    return Check(what, not different, detail)


def each_once(what: str, expected: Iterable[object], found: Iterable[object]) -> Check:
    return same(what, dict.fromkeys(expected, 1), Counter(found))


def none(what: str, exceptions: Iterable[object], *, of: int) -> Check:
    """Of so many that were looked at none is an exception."""
    exceptions = list(exceptions)
    if not of:
        return Check(what, False, "nothing was looked at")
    return Check(what, not exceptions, f"{len(exceptions)} of {of}, first {exceptions[0]}" if exceptions else "")


def happened(what: str, counts: dict[str, int]) -> Check:
    """Faults that did not happen prove nothing."""
    never = [name for name, count in counts.items() if not count]
    return Check(what, bool(counts) and not never, f"never: {', '.join(never)}" if never else "")
