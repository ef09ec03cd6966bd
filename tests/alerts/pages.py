"""The runbook pages: one per family, sections in one order, an anchor per alert."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "deploy/runbooks"
SECTIONS = ["Meaning", "Impact", "Diagnosis", "Mitigation", "Verification"]
LEAST_WORDS = 8
_METRIC = re.compile(r"\b(?:webhook|sluice|keda|kube)_[a-z0-9_]+\b")


def pages() -> list[Path]:
    return sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")


def sections(text: str) -> dict[str, str]:
    """Text under each heading of the second level, in order."""
    parts = re.split(r"(?m)^## (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def alerts_explained(text: str) -> list[str]:
    """Headings of the third level under Meaning: their anchors are what `runbook_url` ends in."""
    return re.findall(r"(?m)^### (\w+)$", sections(text).get("Meaning", ""))


def faults(text: str) -> list[str]:
    """What a page lacks."""
    found = sections(text)
    if list(found) != SECTIONS:
        return [f"its sections are {', '.join(found)}, not {', '.join(SECTIONS)}"]
    thin = [f"{name} says next to nothing" for name, body in found.items() if len(body.split()) < LEAST_WORDS]
    without = [f"{name} has no command" for name in ("Diagnosis", "Verification") if "```" not in found[name]]
    empty = [f"{name} is not explained" for name, body in explanations(text).items() if len(body.split()) < LEAST_WORDS]
    return thin + without + empty


def explanations(text: str) -> dict[str, str]:
    parts = re.split(r"(?m)^### (\w+)$", sections(text).get("Meaning", ""))
    return dict(zip(parts[1::2], parts[2::2]))


def metrics_named(text: str) -> set[str]:
    return set(_METRIC.findall(text))


def commands(text: str) -> list[list[str]]:
    """Every `sluicectl …` of a page, as words; what stands behind a pipe or a comment is not its own."""
    found = re.findall(r"sluicectl ([a-z][^\n`|#]*)", text)
    return [shlex.split(command.replace("…", "x").rstrip(" ;:,.")) for command in found]


def decisions_named(text: str) -> set[str]:
    """Words of the log that a page looks for: "decision":"dead", also as "decision":"(dead|retried)"."""
    found = re.findall(r'"decision":"\(?([a-z_|]+)\)?"', text)
    return {word for words in found for word in words.split("|")}
