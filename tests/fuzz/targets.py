"""The targets and what one input may cost: more is a finding."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

TREE = Path(os.environ.get("SLUICE_TREE", Path(__file__).resolve().parents[2]))
BUILD = TREE / "build" / "fuzz"
MEMORY = 1024  # MiB of one process, sanitizers included
AT_ONCE = 64   # MiB in one allocation
PATIENCE = 30  # seconds for one input, by the wall: a busy machine must not look like a finding


@dataclass(frozen=True)
class Target:
    """`longest` is the largest input in bytes that is made up; seeds may be larger. `signed_requests`: those of tests/vectors
    are seeds too. `keeps`: some memory stays from one input to the next, so leaks are looked for at the end only and not at
    every input that took some. `compares`: also what was compared with what guides it."""

    name: str
    longest: int
    signed_requests: bool = False
    keeps: bool = False
    compares: bool = True

    @property
    def program(self) -> Path:
        return BUILD / "bin" / f"fuzz_{self.name}"

    @property
    def seeds(self) -> Path:
        return TREE / "tests" / "fuzz" / self.name / "seeds"

    @property
    def made_seeds(self) -> Path:
        return BUILD / "seeds" / self.name

    @property
    def dictionary(self) -> Path:
        return TREE / "tests" / "fuzz" / self.name / "dictionary"

    @property
    def corpus(self) -> Path:
        return BUILD / "corpus" / self.name

    @property
    def fresh_corpus(self) -> Path:
        return BUILD / "fresh" / self.name

    @property
    def findings(self) -> Path:
        return BUILD / "findings" / self.name

    def guidance(self) -> list[str]:
        return [f"-max_len={self.longest}", f"-dict={self.dictionary}", f"-use_value_profile={self.compares:d}",
                f"-detect_leaks={not self.keeps:d}"]

    def limits(self) -> list[str]:
        return [f"-rss_limit_mb={MEMORY}", f"-malloc_limit_mb={AT_ONCE}", f"-timeout={PATIENCE}"]


TARGETS = {target.name: target for target in (
    Target("gate", 18 * 1024), Target("beast", 18 * 1024), Target("signature", 2 * 1024), Target("recipe", 4 * 1024),
    Target("engine", 4 * 1024, signed_requests=True, keeps=True, compares=False),
    Target("json", 1024), Target("extract", 4 * 1024),
    Target("envelope", 4 * 1024), Target("resp", 4 * 1024), Target("config", 4 * 1024),
    Target("values", 1024), Target("placeholders", 2 * 1024), Target("key", 1024))}
