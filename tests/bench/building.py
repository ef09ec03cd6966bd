"""Programs of the benchmark: our release, the floors in C++ with the same flags, the peers in Go."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
HERE = TREE / "tests" / "bench"
FOLDER = TREE / "build" / "bench"
PEERS = {"go-ordinary": "ordinary", "go-strongest": "strongest"}
GO_OF_COMMANDS = ("commands", "commandload")


class BuildFailed(RuntimeError):
    """With the end of what the compiler said."""


def ours(name: str) -> Path:
    """A program of the release; SLUICE_BIN names another folder."""
    return Path(os.environ.get("SLUICE_BIN") or TREE / "build/release/bin") / name


def tool(name: str) -> Path:
    return FOLDER / "bin" / name


def build_ours() -> None:
    if "SLUICE_BIN" not in os.environ:
        build_preset("release")


def build_preset(name: str, *targets: str, tree: Path = TREE) -> Path:
    """The folder of its programs."""
    _run(["bash", str(tree / "deploy/platform/build.sh"), name, *targets], env={**os.environ, "SLUICE_TREE": str(tree)})
    return tree / "build" / name / "bin"


@dataclass(frozen=True)
class Early:
    """A function that returns at once in a comparison: the line that opens it, and the statement."""

    file: str
    opens: str
    statement: str

    def in_text(self, text: str) -> str:
        if text.count(self.opens) != 1:
            raise BuildFailed(f"{self.file}: {self.opens!r} is not there once")
        return text.replace(self.opens, f"{self.opens}\n    {self.statement}")


def build_without(what: str, target: str, early: Sequence[Early]) -> Path:
    """The release of a copy of this tree in which these functions do nothing: the product has no switch for it."""
    copy = FOLDER / "without" / what
    for name in subprocess.check_output(["git", "ls-files"], cwd=TREE, text=True).splitlines():
        if (TREE / name).is_file():
            write_if_other(copy / name, with_early_ends(name, early))
    return build_preset("release", target, tree=copy)


def with_early_ends(name: str, early: Sequence[Early]) -> bytes:
    content = (TREE / name).read_bytes()
    for edit in early:
        if edit.file == name:
            content = edit.in_text(content.decode()).encode()
    return content


def write_if_other(file: Path, content: bytes) -> None:
    """What is as it was is not compiled again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_bytes() != content:
        file.write_bytes(content)


def build_tools() -> None:
    """With the compiler flags of the release preset, so that a ratio compares programs and not options."""
    presets = json.loads((TREE / "CMakePresets.json").read_text())["configurePresets"]
    release = next(preset for preset in presets if preset["name"] == "release")["cacheVariables"]
    variables = {name: value for name, value in release.items() if name.startswith("CMAKE_")}
    libraries = TREE / "build/release" if has_engine() else ""
    _run(["cmake", "-S", str(HERE), "-B", str(FOLDER), "-G", "Ninja", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", f"-DSLUICE_RELEASE={libraries}",
          *(f"-D{name}={value}" for name, value in variables.items())])
    _run(["ninja", "-C", str(FOLDER)])


def has_engine() -> bool:
    """The engine by itself is measured only where the release was built from this tree."""
    return "SLUICE_BIN" not in os.environ


def build_peers() -> str | None:
    """None, or why there are none: they need Go, and its modules once."""
    if shutil.which("go") is None:
        return "there is no Go on this machine"
    try:
        for program in (*PEERS.values(), *GO_OF_COMMANDS):
            _run(["go", "build", "-o", str(tool(program)), f"./{program}"], cwd=HERE / "peers",
                 env={**os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"})
    except BuildFailed as failure:
        return f"Go does not build them: {str(failure)[-300:]}"
    return None


def _run(command: list[str], cwd: Path = TREE, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise BuildFailed(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
