"""Programs of the benchmark: our release, the floors in C++ with the same flags, the peers in Go."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
HERE = TREE / "tests" / "bench"
FOLDER = TREE / "build" / "bench"
PEERS = {"go-ordinary": "ordinary", "go-strongest": "strongest"}


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


def build_preset(name: str, *targets: str) -> Path:
    """The folder of its programs."""
    _run(["bash", str(TREE / "deploy/platform/build.sh"), name, *targets])
    return TREE / "build" / name / "bin"


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
        for program in PEERS.values():
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
