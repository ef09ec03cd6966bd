"""Files that texts and comments name are there: a rename takes them along."""

from __future__ import annotations

import re

from sources import CPP, files, name

NAMED = re.compile(r"(?<![\w/<.-])((?:[\w-]+/)*[\w-]+\.(?:cpp|hpp))\b")
INCLUDED = re.compile(r'^\s*#\s*include .*$', re.MULTILINE)


def missing(text: str, tree: frozenset[str]) -> list[str]:
    """Named with a folder, as a path or its end; without one, as the name of any file."""
    return [named for named in NAMED.findall(INCLUDED.sub("", text))
            if not any(path == named or path.endswith(f"/{named}") for path in tree)]


def test_files_that_are_named_exist() -> None:
    tree = frozenset(name(path) for path in files(*CPP))
    named = {name(path): missing(path.read_text(encoding="utf-8"), tree)
             for path in files(*CPP, ".md", ".sql")}
    assert not {path: names for path, names in named.items() if names}


def test_a_name_of_before_is_seen() -> None:
    tree = frozenset({"consumer/a/b.hpp"})
    assert missing("see (b.hpp), a/b.hpp and `consumer/a/b.hpp`", tree) == []
    assert missing("see c.hpp and x/b.hpp", tree) == ["c.hpp", "x/b.hpp"]
