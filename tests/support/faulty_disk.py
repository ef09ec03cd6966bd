"""A disk that fails, and one that forgets at a power cut what was not synced, for one folder of one program."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.preloaded import build_library

SOURCE = Path(__file__).with_suffix(".cpp")


class FaultyDisk:
    """Holds `folder`, which a program writes; beside it lies what is known of the disk."""

    def __init__(self, beside: Path) -> None:
        self.folder = beside / "spill"
        self._orders, self._ledger, self._gone = beside / "orders", beside / "ledger", beside / "gone"
        for folder in (self.folder, self._gone):
            folder.mkdir(parents=True)
        self._ledger.touch()
        self.works()

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(build_library(SOURCE)), "FAULTY_DISK_FOLDER": str(self.folder), "FAULTY_DISK_ORDERS": str(self._orders),
                "FAULTY_DISK_LEDGER": str(self._ledger), "FAULTY_DISK_GONE": str(self._gone)}

    def works(self) -> None:
        self._orders.write_text("")

    def fails(self, call: str, how: str = "EIO") -> None:
        """From now on; calls and ways are those of faulty_disk.cpp."""
        fresh = self._orders.with_suffix(".new")
        fresh.write_text(f"{call} {how}\n")
        fresh.rename(self._orders)

    @property
    def segments(self) -> list[Path]:
        return sorted(self.folder.glob("*.spill"))

    def lose_power(self, *, garbage: bool = False) -> None:
        """The program was killed: of its files stays what was synced. `garbage`: what was not is something else now."""
        synced: dict[str, int] = {}
        known: set[str] = set()
        removed: set[str] = set()
        for line in self._ledger.read_text().splitlines():
            words = line.split()
            if words[0] == "sync":
                synced[words[2]] = int(words[1])
            elif words[0] == "remove":
                removed.add(words[1])
            else:
                known = set(synced) - removed
                removed = set()
        for name in removed & known:
            (self._gone / name).rename(self.folder / name)
        for file in self.segments:
            if file.name not in known:
                file.unlink()
                continue
            size = file.stat().st_size
            os.truncate(file, synced[file.name])
            if garbage:
                with file.open("ab") as stream:
                    stream.write(os.urandom(size - synced[file.name]))
