"""A page of docs/ as a reader types it: its files are written, its commands go into one shell, and what it shows is seen."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.wait import wait_for

TREE = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"(?ms)^(?:`([\w.-]+)`:\n\n)?```(\w*)\n(.*?)^```$")
_LOOKS = re.compile(r"curl|sluicectl (doctor|lane list|dlq list|event show)|shop -e \"SELECT|#|\s")  # may be typed again
_TYPED, _FAILED = "--typed--", "--failed--"
TYPED_WITHIN = 120.0  # seconds, for one block


class TypedPage:
    """`places` are words of the page that are other words here, such as addresses: each must be on the page.

    Owns the shell and all that is started in it; `close()` ends them.
    """

    def __init__(self, page: str, folder: Path, places: Mapping[str, str], environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._text = (TREE / "docs" / page).read_text()
        missing = [place for place in places if place not in self._text]
        assert not missing, f"{page} has no {missing}"
        for place, here in places.items():
            self._text = self._text.replace(place, here)
        self._shell = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
                                       env={**os.environ, **environment}, start_new_session=True)
        self._run(f"trap 'echo {_FAILED} $BASH_COMMAND' ERR")

    def close(self) -> None:
        os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.wait()

    def type_all(self) -> int:
        """How many blocks of the page were typed or compared."""
        typed, count = "", 0
        for name, language, text in _BLOCK.findall(self._text):
            count += bool(name) or language in ("sh", "text")
            if name:
                (self.folder / name).write_text(text)
            elif language == "sh":
                typed, said = text, self._type(text)
            elif language == "text":
                self._expect(typed, said, text)
        return count

    def _expect(self, typed: str, said: str, shown: str) -> None:
        """Each line that the page shows; of what only looks, once it is so."""
        def is_seen(output: str) -> bool:
            lines = {" ".join(line.split()) for line in output.splitlines()}
            missing = [line for line in shown.splitlines() if " ".join(line.split()) not in lines]
            assert not missing, f"after\n{typed}\nthe page shows\n{missing}\nand there is\n{output}"
            return True
        if looks_only(typed):
            wait_for(lambda: is_seen(self._type(typed)), f"what the page shows after {typed!r}")
        else:
            is_seen(said)

    def _type(self, text: str) -> str:
        """What was said. All commands succeed but `effects test`, whose verdict may be no."""
        def once() -> str:
            said = self._run(text)
            print(said)
            assert _FAILED not in said or "effects test" in text, f"{text}\n{said}"
            return said or " "
        return wait_for(once, f"success of {text!r}") if looks_only(text) else once()

    def _run(self, text: str) -> str:
        assert self._shell.stdin and self._shell.stdout
        self._shell.stdin.write(f"{text}\necho {_TYPED}\n")
        self._shell.stdin.flush()
        lines: list[str] = []
        while not (line := self._shell.stdout.readline()).startswith(_TYPED):
            assert line, f"the shell ended:\n{''.join(lines)}"
            lines.append(line)
        return "".join(lines)


def looks_only(text: str) -> bool:
    return all(_LOOKS.match(line) for line in text.splitlines() if line)
