"""./run walk: the incidents that are named, or all, two at a time."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
OF_RULES = "test_faster.py"  # walks nowhere
INCIDENTS = {path.stem.removeprefix("test_").replace("_", "-"): path for path in sorted(FOLDER.glob("test_*.py")) if path.name != OF_RULES}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run walk", allow_abbrev=False)
    parser.add_argument("incidents", nargs="*", metavar="INCIDENT", help=", ".join(INCIDENTS))
    chosen = parser.parse_args().incidents or list(INCIDENTS)
    unknown = [name for name in chosen if name not in INCIDENTS]
    if unknown:
        parser.error(f"no incident {', '.join(unknown)}: there are {', '.join(INCIDENTS)}")
    side_by_side = ["-n", str(min(2, len(chosen))), "--dist", "loadfile"]
    return int(pytest.main(["-q", *side_by_side, *(str(INCIDENTS[name]) for name in chosen)]))


if __name__ == "__main__":
    sys.exit(main())
