"""Prometheus' text format, as far as the programs use it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Sample:
    name: str
    labels: dict[str, str]
    value: float


class Samples(list[Sample]):
    """All samples of one scrape."""

    def total(self, name: str, **labels: str) -> float:
        return sum(sample.value for sample in self.named(name, **labels))

    def named(self, name: str, **labels: str) -> list[Sample]:
        return [sample for sample in self
                if sample.name == name and all(sample.labels.get(key) == value for key, value in labels.items())]

    def names(self) -> set[str]:
        return {sample.name for sample in self}


def parse(text: str) -> Samples:
    samples = Samples()
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        assert match, f"no line of the text format: {line!r}"
        samples.append(Sample(match[1], dict(_LABEL.findall(match[2] or "")), float(match[3])))
    return samples
