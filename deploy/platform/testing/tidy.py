"""python3 -m deploy.platform.testing.tidy [--changed | FILE…]: clang-tidy over the product's sources, with the checks of .clang-tidy.

Without files: all, in the units that build/dev compiles, each of several sources. With files: only these, with the flags of their
unit; for a header, the source beside it. --changed: those that differ from HEAD, or else from the commit before it. Exit 1 when there
is a finding.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TREE = Path(os.environ.get("SLUICE_TREE", ".")).resolve()
COMMANDS = TREE / "build/dev/compile_commands.json"
PRODUCT = tuple(TREE / folder for folder in ("common", "consumer", "ctl", "ingress", "poller"))
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


def findings_in(unit: Path, flags: list[str]) -> str:
    run = subprocess.run(["clang-tidy", "--quiet", str(unit), "--", *flags], cwd=TREE, stdin=subprocess.DEVNULL, capture_output=True,
                         text=True, check=False)
    return (run.stdout or run.stderr) if run.returncode else ""


def main(names: list[str]) -> int:
    units = chosen(changed() if names == ["--changed"] else names or None)
    findings = False
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for number, found in enumerate(workers.map(findings_in, units, units.values()), 1):
            findings |= bool(found)
            print(f"[{number}/{len(units)}] {found}".rstrip(), flush=True)
    print("clang-tidy has findings" if findings else f"clang-tidy: nothing found in {len(units)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
