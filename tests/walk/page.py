"""A runbook as on-call reads it: from the place that the alert's runbook_url names, downwards, never back."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "deploy/runbooks"
_FENCE = re.compile(r"(?ms)^( *)```(\w*)\n(.*?)^ *```$")
_INLINE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"(?m)^#{2,3} (.+)$")


class Page:
    def __init__(self, file: Path, anchor: str) -> None:
        self.file = file.resolve()
        self.text = self.file.read_text()
        self.at = self._heading(anchor).end()

    @classmethod
    def of_alert(cls, runbook_url: str) -> Page:
        name, _, anchor = runbook_url.partition("#")
        return cls(FOLDER / name, anchor)

    def section(self, name: str) -> Page:
        """Reads on from there."""
        found = re.compile(rf"(?m)^## {re.escape(name)}$").search(self.text, self.at)
        assert found, f"{self.file.name} has no section {name} further on"
        self.at = found.end()
        return self

    def command(self, *words: str) -> str:
        """The next command of this section that has all these words, as it stands."""
        found = [(place, text) for place, text in self._commands() if self.at <= place < self._end() and all(word in text for word in words)]
        assert found, f"{self.file.name} says nothing like {words} here: {self.text[self.at:self._end()]}"
        self.at = found[0][0] + 1
        return found[0][1]

    def told(self, sentence: str) -> Page:
        """The section says so, further on: what on-call then does by hand."""
        pattern = r"\s+".join(re.escape(word) for word in sentence.split())
        found = re.compile(pattern).search(self.text, self.at, self._end())
        assert found, f"{self.file.name} does not say {sentence!r} here: {self.text[self.at:self._end()]}"
        self.at = found.end()
        return self

    def yaml(self) -> Any:
        """The next block of configuration."""
        [block, *_] = [found for found in _FENCE.finditer(self.text, self.at, self._end()) if found[2] == "yaml"]
        self.at = block.end()
        return yaml.load(textwrap.dedent(block[3]), Loader=yaml.BaseLoader)  # a time stays as it is written

    def follow(self, words: str) -> Page:
        """The link with these words, further on."""
        found = re.compile(rf"\[{re.escape(words)}\]\(([^)]+)\)").search(self.text, self.at, self._end())
        assert found, f"{self.file.name} has no link {words!r} here"
        self.at = found.end()
        name, _, anchor = found[1].partition("#")
        return Page(self.file.parent / name if name else self.file, anchor)

    def _heading(self, anchor: str) -> re.Match[str]:
        [found] = [match for match in _HEADING.finditer(self.text) if slug(match[1]) == anchor]
        return found

    def _end(self) -> int:
        found = re.compile(r"(?m)^## ").search(self.text, self.at)
        return found.start() if found else len(self.text)

    def _commands(self) -> list[tuple[int, str]]:
        """With their places. Of a block that shows what is answered, what stands behind `$ `."""
        found = []
        for fence in _FENCE.finditer(self.text):
            lines = [(fence.start(3) + line.start(), line[0].strip()) for line in re.finditer(r"(?m)^.+$", fence[3])]
            shown = [(place, text.removeprefix("$ ")) for place, text in lines if text.startswith("$ ")]
            found += shown or (lines if fence[2] == "sh" else [])
        blank = _FENCE.sub(lambda fence: " " * len(fence[0]), self.text)
        return sorted(found + [(match.start(), match[1]) for match in _INLINE.finditer(blank)])


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def profile() -> str:
    """What the README has everybody put into the shell."""
    [block] = [fence[3] for fence in _FENCE.finditer((FOLDER / "README.md").read_text()) if fence[2] == "sh"]
    return block
