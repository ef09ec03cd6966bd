"""python3 -m deploy.platform.testing.coverage: what the unit tests of the signature engine reached. Exit 1 below the bars."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("unit_verify", "unit_vectors", "unit_verify_scratch", "unit_verify_comparisons")
FOLDER = "common/webhook"
BARS = {"lines": 95.0, "branches": 90.0}  # percent of the folder


def profiles(tree: Path) -> Path:
    return tree / "build" / "coverage" / "profiles"


def measured(tree: Path) -> dict[str, dict]:
    """By file, from llvm-cov: {"lines": {"count", "covered"}, "branches": …}."""
    merged = profiles(tree) / "all.profdata"
    raw = sorted(str(file) for file in profiles(tree).glob("*.profraw"))
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", str(merged), *raw], check=True)
    first, *others = (str(tree / "build" / "coverage" / "bin" / program) for program in PROGRAMS)
    objects = [option for other in others for option in ("-object", other)]
    report = subprocess.run(["llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", first, *objects,
                             str(tree / FOLDER)], check=True, stdout=subprocess.PIPE, text=True).stdout
    files = json.loads(report)["data"][0]["files"]
    return {str(Path(file["filename"]).relative_to(tree)): file["summary"] for file in files}


def total(files: dict[str, dict]) -> dict[str, dict]:
    return {what: {key: sum(file[what][key] for file in files.values()) for key in ("count", "covered")} for what in BARS}


def share(summary: dict, what: str) -> float:
    """Percent; of nothing all is reached."""
    return 100.0 * summary[what]["covered"] / summary[what]["count"] if summary[what]["count"] else 100.0


def line(name: str, summary: dict) -> str:
    cells = (f"{summary[what]['covered']:7} /{summary[what]['count']:5} {share(summary, what):6.1f} %" for what in BARS)
    return f"{name:48}{''.join(cells)}"


def main() -> int:
    tree = Path(os.environ["SLUICE_TREE"])
    files = measured(tree)
    whole = total(files)
    print(f"{'':48}" + "".join(f"{what:>22}" for what in BARS))
    print(*(line(name, files[name]) for name in sorted(files)), line("in all", whole), sep="\n")
    low = [f"{what} {share(whole, what):.1f} % of {bar:g} %" for what, bar in BARS.items() if share(whole, what) < bar]
    print(f"too little: {', '.join(low)}" if low else "enough: " + ", ".join(f"{bar:g} % of the {what}" for what, bar in BARS.items()))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
