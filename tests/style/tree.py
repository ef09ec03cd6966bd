"""The house as its includes tell it: rooms (folders with sources), which room leans on which, and what breaks its rules."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from sources import includes, name

MOST_SOURCES = 30  # in one folder: more are no longer seen at a glance
# Nouns of every file, which nobody spells with a folder's name.
OF_ALL = ("common", "common/telemetry", "common/operations")

Rooms = Mapping[str, set[str]]


def room(path: Path | str) -> str:
    return str(path if isinstance(path, str) else name(path)).rpartition("/")[0]


def leans(paths: tuple[Path, ...]) -> Rooms:
    """For each room those that its files include from."""
    rooms: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        rooms[room(path)] |= {room(target) for _, target in includes(path) if "/" in target and not target.endswith(".pb.h")} - {room(path)}
    return rooms


def circle(rooms: Rooms) -> list[str]:
    """Rooms that lean on each other in a ring, as the ring; none: []."""
    done: set[str] = set()

    def walk(here: str, way: tuple[str, ...]) -> list[str]:
        if here in way:
            return [*way[way.index(here):], here]
        if here in done:
            return []
        found = next((ring for there in sorted(rooms.get(here, ())) if (ring := walk(there, (*way, here)))), [])
        done.add(here)
        return found
    return next((ring for start in sorted(rooms) if (ring := walk(start, ()))), [])


def crowded(paths: tuple[Path, ...]) -> list[str]:
    return [f"{folder}: {count} sources" for folder, count in Counter(map(room, paths)).items() if count > MOST_SOURCES]


# Names that are only declared here, to be defined elsewhere.
_DECLARED = re.compile(r"namespace [\w:]+ \{\n(?:(?:class|struct|enum class) \w+;\n)+\}")
_NAMESPACE = re.compile(r"(?m)^namespace sluice((?:::\w+)*) \{")


def strangers(path: Path) -> Iterator[str]:
    """Namespaces of a file that no folder around it is named by."""
    folders = name(path).split("/")[:-1]
    for match in _NAMESPACE.finditer(_DECLARED.sub("", path.read_text())):
        own = match[1].split("::")[1:]
        if (own and own[0] not in folders) or (not own and room(path) not in OF_ALL):
            yield f"{name(path)}: namespace sluice{match[1]}"
