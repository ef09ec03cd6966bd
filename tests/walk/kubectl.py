"""What kubectl and helm would say of the installation: what the pages ask them, and in what they surprise.

`get --raw` shows no body of an answer that is an error, `logs` of a deployment are of one of its pods, and of a selector the last ten
lines of each (kubectl 1.32, as tried). What is not known here is an error, and remembered.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.support.program import binary
from tests.walk.installation import Installation, Pod

COMPONENT = "app.kubernetes.io/component="
RAW = re.compile(r"/api/v1/namespaces/payments/pods/([^:/]+):9090/proxy(/\w+)$")
LAST_OF_A_SELECTOR = 10
CONFIG = "/etc/sluice/sluice.yaml"


@dataclass(frozen=True)
class Said:
    out: str = ""
    err: str = ""
    code: int = 0


class Cluster:
    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.not_known: list[str] = []

    def answer(self, words: list[str]) -> Said:
        match words:
            case ["kubectl", "config", "set-context", *_]:
                return Said('Context "here" modified.\n')
            case ["kubectl", "get", "--raw", path] if match := RAW.match(path):
                return self._raw(self.installation.pod(match[1]), match[2])
            case ["kubectl", "get", "pods", *options]:
                return self._pods(options)
            case ["kubectl", "logs", *options]:
                return self._logs(options)
            case ["kubectl", "exec", *options] if "--" in options:
                return self._exec(options[:options.index("--")], options[options.index("--") + 1:])
            case ["helm", "history", "sluice"]:
                lines = [f"{one.number}  deployed  {one.description}" for one in self.installation.revisions]
                return Said("\n".join(["REVISION  STATUS  DESCRIPTION", *lines]) + "\n")
            case ["helm", "rollback", "sluice"]:
                self.installation.rollback()
                return Said("Rollback was a success! Happy Helming!\n")
        self.not_known.append(" ".join(words))
        return Said(err=f"not known here: {' '.join(words)}\n", code=1)

    def _raw(self, pod: Pod, path: str) -> Said:
        status, body = pod.program.get(path)
        if status >= 400:
            return Said(err="Error from server (ServiceUnavailable): the server is currently unable to handle the request\n", code=1)
        return Said(body)

    def _pods(self, options: list[str]) -> Said:
        pods = [pod for pod in self.installation.pods if not options or f"{COMPONENT}{pod.component}" in options]
        lines = [f"{pod.name}   {int(pod.ready)}/1   Running" for pod in pods]
        return Said("\n".join(["NAME   READY   STATUS", *lines]) + "\n")

    def _logs(self, options: list[str]) -> Said:
        parser = argparse.ArgumentParser(exit_on_error=False)
        parser.add_argument("of", nargs="?", default="")
        parser.add_argument("-l", dest="selector", default="")
        parser.add_argument("--since", default="24h")
        parser.add_argument("--tail", type=int)
        asked = parser.parse_args(options)
        selected = asked.selector.startswith(COMPONENT)
        of = asked.selector.removeprefix(COMPONENT) if selected else asked.of.removeprefix("deploy/sluice-")
        pods = self.installation.of(of)[:None if selected else 1]
        last = asked.tail if asked.tail is not None else LAST_OF_A_SELECTOR if selected else -1
        lines = [line for pod in pods for line in tail(lines_since(pod, asked.since), last)]
        return Said("".join(f"{line}\n" for line in lines), code=0 if pods else 1)

    def _exec(self, where: list[str], command: list[str]) -> Said:
        component = where[-1].removeprefix("deploy/sluice-")
        program, *arguments = command
        if program == "sluicectl" and component == "ctl":
            done = self.installation.pipeline.ctl_within(120, *arguments)
        else:
            pod = self.installation.of(component)[0]
            told = [str(pod.program.config_file) if word == CONFIG else word for word in arguments]
            done = subprocess.run([str(binary(program)), *told], capture_output=True, text=True, timeout=60, check=False,
                                  env={**self.installation.pipeline.secrets, "PATH": "/usr/bin:/bin"})
        return Said(done.stdout, done.stderr, done.returncode)


def tail(lines: list[str], count: int) -> list[str]:
    return lines if count < 0 else lines[-count:]


def lines_since(pod: Pod, since: str) -> list[str]:
    """`since` as kubectl takes it: 15m, 2h."""
    span = timedelta(**{{"s": "seconds", "m": "minutes", "h": "hours"}[since[-1]]: int(since[:-1])})
    earliest = datetime.now(UTC) - span
    return [line for line in pod.program.out.read_text().splitlines() if datetime.fromisoformat(json.loads(line)["time"]) >= earliest]
