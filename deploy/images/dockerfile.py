"""What the Dockerfile says of an image's configuration. The archives made without it say the same, since they read it here."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).with_name("Dockerfile")


@dataclass
class Stage:
    base: str
    lines: list[tuple[str, str]] = field(default_factory=list)  # instruction, the rest


def stages(text: str) -> dict[str, Stage]:
    """By name; comments and continued lines are dealt with, here-documents are not: there is none."""
    found: dict[str, Stage] = {}
    current: Stage | None = None
    for line in re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines():
        instruction, _, rest = line.strip().partition(" ")
        if instruction == "FROM":
            base, _, name = rest.split()
            current = found[name] = Stage(base)
        elif instruction and current:
            current.lines.append((instruction, rest))
    return found


def configuration(target: str, arguments: Mapping[str, str], text: str = "") -> dict:
    """The `config` of an OCI image for stage `target`, its bases' included."""
    known = stages(text or FILE.read_text())
    config: dict = {"Env": [], "Labels": {}, "ExposedPorts": {}}
    for stage in _with_bases(known, target):
        for instruction, rest in stage.lines:
            _apply(config, instruction, _filled(rest, arguments))
    return {key: value for key, value in config.items() if value}


def _with_bases(known: dict[str, Stage], target: str) -> list[Stage]:
    stage = known[target]
    return [*(_with_bases(known, stage.base) if stage.base in known else []), stage]


def _filled(text: str, arguments: Mapping[str, str]) -> str:
    return re.sub(r"\$\{(\w+)\}", lambda match: arguments[match[1]], text)


def _apply(config: dict, instruction: str, rest: str) -> None:
    match instruction:
        case "ENV":
            config["Env"] += shlex.split(rest)
        case "LABEL":
            config["Labels"] |= dict(pair.split("=", 1) for pair in shlex.split(rest))
        case "EXPOSE":
            config["ExposedPorts"] |= {f"{port}/tcp": {} for port in rest.split()}
        case "USER" | "WORKDIR":
            config["User" if instruction == "USER" else "WorkingDir"] = rest
        case "ENTRYPOINT":
            config["Entrypoint"] = json.loads(rest)
        case "ARG" | "COPY":
            pass
        case _:
            raise ValueError(f"{instruction} is not known here: teach deploy/images/dockerfile.py, or leave it out of the Dockerfile")
