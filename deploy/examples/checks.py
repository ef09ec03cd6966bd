"""Comparisons that cannot hold by comparing nothing. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer

SETTLED = {"done", "ignored", "skipped"}


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


def answered(answers: list[Answer], success: dict[str, tuple[int, str]]) -> list[Check]:
    """`success`: for each source the status and body that its provider takes for it."""
    genuine = [one for one in answers if one.callback.genuine]
    forged = [one for one in answers if not one.callback.genuine]
    return [none("each callback was answered in its provider's own words for success",
                 [(one.callback.source, one.status, one.body) for one in genuine
                  if (one.status, one.body) != success[one.callback.source]], of=len(genuine)),
            none("no forged callback was answered with success",
                 [(one.callback.source, one.callback.kind) for one in forged if one.status < 400], of=len(forged))]


def settled(events: set[str], inbox: list[tuple[str, str]]) -> list[Check]:
    """`inbox`: event, by account and id, and status."""
    return [each_once("each event of an account has one inbox row, and no other has one", events, [event for event, _ in inbox]),
            none("each inbox row is settled", [row for row in inbox if row[1] not in SETTLED], of=len(inbox))]


def faults_happened(counts: dict[str, int], what: str = "each fault happened, and what was forged was refused at both ends") -> Check:
    """Faults that did not happen prove nothing."""
    never = [name for name, count in counts.items() if not count]
    return Check(what, bool(counts) and not never,
                 f"never: {', '.join(never)}" if never else "")
