"""Reads what callgrind wrote: instructions by object file and function, and who called whom.

The format is valgrind's manual, "Callgrind Format Specification": names are given once with a number, "(12) name", and by
the number from then on; a line after `calls=` is the inclusive cost of that call.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

Function = tuple[str, str]  # object file's name, function

PROGRAMS = ("sluice-", "floor")  # what their names begin with
OPEN_FRAME = 0.9  # of a thread's total: no function does so much by itself

_NAME = re.compile(r"\((\d+)\)(?: (.*))?")


@dataclass
class Profile:
    """`own`: instructions in the function itself. `calls`: inclusive, `times`: how often, by (caller, callee)."""

    own: Counter[Function] = field(default_factory=Counter)
    files: dict[Function, str] = field(default_factory=dict)
    calls: Counter[tuple[Function, Function]] = field(default_factory=Counter)
    times: Counter[tuple[Function, Function]] = field(default_factory=Counter)

    def by_object(self) -> Counter[str]:
        sums: Counter[str] = Counter()
        for (library, _), cost in self.own.items():
            sums[library] += cost
        return sums

    def without(self, libraries: tuple[str, ...]) -> int:
        """Instructions outside `libraries` and outside what these call, such as malloc; what they call back counts."""
        def is_foreign(function: Function) -> bool:
            return function[0].startswith(libraries)
        into = sum(cost for (caller, callee), cost in self.calls.items() if not is_foreign(caller) and is_foreign(callee))
        back = sum(cost for (caller, callee), cost in self.calls.items()
                   if is_foreign(caller) and callee[0].startswith(PROGRAMS))
        return sum(self.own.values()) - into + back

    def callers(self, *names: str) -> Counter[Function]:
        """How often each function calls one whose name begins like one of `names`."""
        sums: Counter[Function] = Counter()
        for (caller, callee), times in self.times.items():
            if callee[1].startswith(names):
                sums[caller] += times
        return sums

    def inclusive(self) -> Counter[Function]:
        """What a function costs with all it calls; recursion counts a function more than once."""
        sums = Counter(self.own)
        for (caller, _), cost in self.calls.items():
            sums[caller] += cost
        return sums


class _Reader:
    def __init__(self) -> None:
        self.profile = Profile()
        self.names: dict[str, dict[str, str]] = {"ob": {}, "fl": {}, "fn": {}}
        self.function: Function = ("", "")
        self.object = self.file = ""
        self.callee: dict[str, str] = {}
        self.total = 0  # of everything that was counted
        self.times = 0  # of the call whose cost comes next; 0: none does

    def name(self, kind: str, text: str) -> str:
        match = _NAME.match(text)
        if match is None:
            return text
        if match[2] is not None:
            self.names[kind][match[1]] = match[2]
        return self.names[kind].get(match[1], "")

    def take(self, line: str) -> None:
        key, equals, value = line.partition("=")
        if line.startswith("summary:"):
            self.total = int(line.split()[1])
        elif equals and key.isalpha():
            self.take_field(key, value)
        elif line[:1].isdigit() or line[:1] in "+-*":
            self.take_cost(line)

    def take_field(self, key: str, value: str) -> None:
        if key == "ob":
            self.object = Path(self.name("ob", value)).name
        elif key in ("fl", "fi", "fe"):
            file = self.name("fl", value)
            if key == "fl":
                self.file = file
        elif key == "fn":
            self.function = (self.object, self.name("fn", value))
            self.profile.files.setdefault(self.function, self.file)
        elif key in ("cob", "cfi", "cfl", "cfn"):
            kind = {"cob": "ob", "cfn": "fn"}.get(key, "fl")
            self.callee[kind] = self.name(kind, value)
        elif key == "calls":
            self.times = int(value.split()[0])

    def take_cost(self, line: str) -> None:
        parts = line.split()
        if len(parts) < 2 or not parts[1].isdigit():
            return
        cost = int(parts[1])
        if self.times:
            library = Path(self.callee["ob"]).name if "ob" in self.callee else self.object
            call = self.function, (library, self.callee.get("fn", ""))
            self.profile.calls[call] += cost
            self.profile.times[call] += self.times
            self.callee, self.times = {}, 0
        else:
            self.profile.own[self.function] += cost


def read(file: Path, *, whole: bool = False) -> Profile:
    """`whole`: of a program from its start to its end, so that no function was open when counting began."""
    reader = _Reader()
    with file.open(errors="replace") as lines:
        for line in lines:
            reader.take(line.rstrip("\n"))
    if not whole:
        _drop_open_frames(reader)
    return reader.profile


def _drop_open_frames(reader: _Reader) -> None:
    """Functions that had begun when counting did, and have not returned, have all that happened since as a cost of their own:
    the thread's start, its loop. What they really did themselves is not known, and is next to nothing."""
    own = reader.profile.own
    for function in [function for function, cost in own.items() if cost > OPEN_FRAME * reader.total]:
        del own[function]
