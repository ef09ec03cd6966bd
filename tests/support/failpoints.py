"""The failpoints of the programs, found in their source: a new one is tested without anybody adding it to a list."""

from __future__ import annotations

import re
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
_NAME = re.compile(r'\bFP\("([^"]+)"\)')


def in_source(*folders: str) -> list[str]:
    """Names under `folders`, sorted; an AssertionError when a name stands at two places."""
    names: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((TREE / folder).rglob("*.[ch]pp")):
            for name in _NAME.findall(file.read_text()):
                assert name not in names, f'FP("{name}") stands in {file} and in {names[name]}'
                names[name] = file
    return sorted(names)


def everywhere() -> list[str]:
    return in_source("common", "ingress", "consumer", "ctl")
