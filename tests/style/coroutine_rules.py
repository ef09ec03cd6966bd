"""The rules that keep coroutines readable, and safe with compilers that get clever ones wrong.

1. One co_await in a statement, its result bound: `const auto x = co_await f(y);`, or `co_await f(y);` of an awaitable without
   a result, or `co_return co_await f(y);`. Never in a condition, a ternary, an initializer list or an argument.
2. Only named arguments: no braces and no lambdas in a statement with co_await.
3. Coroutines are functions or members, never capturing lambdas.
4. The executor is fetched on a line of its own before co_spawn.
5. Coroutines stay in ingress and command/http.

Alone: python3 tests/style/coroutine_rules.py; exit 1 and one line per breach.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from sources import code, files, line_of, name

_BOUND = re.compile(r"^(?:co_return\s+|\(void\)\s*|(?:[\w:<>,*&\s\[\].]|->|std::tie\([\w, ]+\))*[^=!<>]=\s*)?co_await\b")
_LAMBDA_COROUTINE = re.compile(r"\[[^\]\[]*\w[^\]\[]*\]\s*(?:\([^)]*\))?[^{};]*->\s*[\w:]*awaitable\b")
_SPAWN = re.compile(r"\bco_spawn\s*\(\s*co_await\b")


def breaches(path: Path) -> Iterator[str]:
    text = code(path)
    where = name(path)
    waits = list(re.finditer(r"\bco_await\b", text))
    if waits and not where.startswith(("ingress/", "command/http/", "tests/unit/ingress/")):
        yield f"{where}:{line_of(text, waits[0].start())}: coroutines stay in ingress and command/http"
    for position, statement in statements(text, waits):
        place = f"{where}:{line_of(text, position)}"
        if statement.count("co_await") > 1:
            yield f"{place}: more than one co_await in a statement"
        elif not _BOUND.match(statement):
            yield f"{place}: the result of co_await is not bound first: {' '.join(statement.split())[:80]}"
        after = statement.partition("co_await")[2]
        if "{" in after or re.search(r"[(,]\s*\[", after):
            yield f"{place}: braces or a lambda in a statement with co_await"
    for match in _LAMBDA_COROUTINE.finditer(text):
        yield f"{where}:{line_of(text, match.start())}: a capturing lambda is a coroutine"
    for match in _SPAWN.finditer(text):
        yield f"{where}:{line_of(text, match.start())}: the executor of co_spawn is fetched in the same line"


def statements(text: str, waits: list[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """Each statement that has a co_await, once, with its position."""
    seen = -1
    for wait in waits:
        if wait.start() < seen:
            continue
        begin = max(text.rfind(mark, 0, wait.start()) for mark in ";{}") + 1
        end = text.find(";", wait.start())
        begin += len(text[begin:]) - len(text[begin:].lstrip())
        yield begin, without_guard(text[begin:end])
        seen = end


def without_guard(statement: str) -> str:
    """The statement that an `if (…)`, `while (…)`, `else` or `case …:` without co_await stands before."""
    while guard := re.match(r"(?:case\s+[\w:]+\s*:|default\s*:|else\b|(?:if|while|for)\s*\()\s*", statement):
        end = guard.end()
        depth = guard[0].count("(")
        while depth and end < len(statement):
            depth += {"(": 1, ")": -1}.get(statement[end], 0)
            end += 1
        if depth or "co_await" in statement[:end]:
            break
        statement = statement[end:].lstrip()
    return statement


def all_breaches() -> list[str]:
    return [breach for path in files(".cpp", ".hpp") for breach in breaches(path)]


if __name__ == "__main__":
    found = all_breaches()
    print("\n".join(found) or "no breach of the coroutine rules")
    sys.exit(1 if found else 0)
