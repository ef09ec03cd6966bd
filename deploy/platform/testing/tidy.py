"""python3 -m deploy.platform.testing.tidy [--changed | FILE…]: clang-tidy over the product's sources, with the checks of .clang-tidy.

Without files: all, in the units that build/dev compiles, each of several sources; TOGETHER of them at a time, since most of the work
is in the system's headers. Where a batch shows something, its halves are asked, and so on: what counts is what a unit alone shows. With
files: only these, with the flags of their unit; for a header, the source beside it. --changed: those that differ from HEAD, or else from
the commit before it. Exit 1 when there is a finding.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TREE = Path(os.environ.get("SLUICE_TREE", ".")).resolve()
COMMANDS = TREE / "build/dev/compile_commands.json"
PRODUCT = tuple(TREE / folder for folder in ("command", "common", "consumer", "ctl", "ingress", "poller"))
TOGETHER = 2  # units: of four, every fourth batch was no program
GCC_ONLY = {"-fpch-preprocess", "-Winvalid-pch", "-Werror"}
_SOURCE_OF_UNIT = re.compile(r'^#include "(/[^"]+\.cpp)"', re.MULTILINE)


def flags_by_unit() -> dict[Path, list[str]]:
    """The last four words of a command name the object and the unit."""
    return {Path(entry["file"]): [word for word in shlex.split(entry["command"])[1:-4] if word not in GCC_ONLY]
            for entry in json.loads(COMMANDS.read_text())}


def sources_of(unit: Path) -> list[Path]:
    return [Path(name) for name in _SOURCE_OF_UNIT.findall(unit.read_text())] or [unit]


def is_product(unit: Path) -> bool:
    return any(source.is_relative_to(folder) for source in sources_of(unit) for folder in PRODUCT)


def changed() -> list[str]:
    def git(*words: str) -> list[str]:
        return subprocess.check_output(["git", *words], cwd=TREE, text=True).splitlines()
    now = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    return now or git("diff", "--name-only", "HEAD~1")


def chosen(names: list[str] | None) -> dict[Path, list[str]]:
    """None: all."""
    units = {unit: flags for unit, flags in flags_by_unit().items() if unit.exists() and is_product(unit)}
    if names is None:
        return units
    wanted = {(TREE / name).with_suffix(".cpp") for name in names}
    return {source: flags for unit, flags in units.items() for source in sources_of(unit) if source in wanted}


def batches(units: dict[Path, list[str]]) -> list[tuple[list[Path], list[str]]]:
    """Of units that have the same flags, at most TOGETHER: as few batches as that makes, of about the same size."""
    alike: dict[tuple[str, ...], list[Path]] = {}
    for unit, flags in units.items():
        alike.setdefault(tuple(flags), []).append(unit)
    numbers = {flags: math.ceil(len(found) / TOGETHER) for flags, found in alike.items()}
    return [(found[number::numbers[flags]], list(flags)) for flags, found in alike.items() for number in range(numbers[flags])]


def findings_in(units: list[Path], flags: list[str]) -> str:
    """Names of units that are strangers may be the same: then the batch is no program, and each half may be one."""
    found = told_of(units, flags)
    if not found or len(units) == 1:
        return found
    half = len(units) // 2
    return findings_in(units[:half], flags) + findings_in(units[half:], flags)


def told_of(units: list[Path], flags: list[str]) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=COMMANDS.parent) as batch:
        batch.write("".join(f'#include "{unit}"  // NOLINT\n' for unit in units))
        batch.flush()
        subject = str(units[0]) if len(units) == 1 else batch.name
        run = subprocess.run(["clang-tidy", "--quiet", subject, "--", *flags], cwd=TREE, stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, check=False)
    return (run.stdout or run.stderr) if run.returncode else ""


def main(names: list[str]) -> int:
    units = chosen(changed() if names == ["--changed"] else names or None)
    asked = [([unit], flags) for unit, flags in units.items()] if names else batches(units)
    findings = False
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for number, found in enumerate(workers.map(lambda batch: findings_in(*batch), asked), 1):
            findings |= bool(found)
            print(f"[{number}/{len(asked)}] {found}".rstrip(), flush=True)
    print("clang-tidy has findings" if findings else f"clang-tidy: nothing found in {len(units)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
