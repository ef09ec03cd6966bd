"""The files of the repository, by kind, and C++ text without comments and literals."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
CPP = (".cpp", ".hpp")
NOT_OURS = {"build", ".git", "__pycache__", "node_modules", "stripe_vectors"}

# Raw strings, strings, character literals that are no digit separators, and both kinds of comments.
_NOISE = re.compile(r'R"([^(\s]*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
                    r"|//[^\n]*|/\*(?:.|\n)*?\*/")


@cache
def files(*suffixes: str, under: str = "") -> tuple[Path, ...]:
    """Files of the tree that end in one of `suffixes`."""
    found = (path for path in (TREE / under).rglob("*") if path.is_file() and path.name.endswith(suffixes))
    return tuple(sorted(path for path in found if not NOT_OURS & set(path.relative_to(TREE).parts)))


@cache
def code(path: Path) -> str:
    """The text with comments and literals blanked out; lines stay where they are."""
    def blank(match: re.Match[str]) -> str:
        text = match[0]
        quote = text[0] if text[0] in "\"'" else ""
        return quote + re.sub(r"[^\n]", " ", text[len(quote):len(text) - len(quote)]) + quote
    return _NOISE.sub(blank, path.read_text())


def name(path: Path) -> str:
    return str(path.relative_to(TREE))


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def places(path: Path, pattern: str) -> list[str]:
    """file:line of every match in the code of `path`."""
    text = code(path)
    return [f"{name(path)}:{line_of(text, match.start())}" for match in re.finditer(pattern, text)]


_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(path: Path) -> list[tuple[int, str]]:
    text = path.read_text()
    return [(line_of(text, match.start()), match[1]) for match in _INCLUDE.finditer(text)]
