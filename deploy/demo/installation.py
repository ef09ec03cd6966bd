"""sluice installed for the demonstration: configuration, schema, topics, and the two programs."""

from __future__ import annotations

import secrets
import subprocess
import time
from pathlib import Path
from string import Template

from deploy.stack.ask import ask
from deploy.stack.process import Process, ServerFailed
from deploy.stack.server import POLL_EVERY, free_port
from deploy.stack.stack import Stack

HERE = Path(__file__).parent
SOURCE = "stripe-eu"
READY_WITHIN = 30.0  # seconds
STOP_WITHIN = 30.0  # seconds: the grace period both programs promise to keep


class Installation:
    """Owns its programs, which die with the thread that starts them. `stack` must be running. Failure: ServerFailed."""

    # By the name of its operations address.
    commands = {"ingress": ("sluice-ingress",), "consumer": ("sluice-consumer", "--role", "both")}  # one consumer is enough here
    tables = HERE / "tables.sql"

    def __init__(self, folder: Path, binaries: Path, stack: Stack) -> None:
        self.folder, self.binaries, self.stack = folder, binaries, stack
        self.ingress_port = free_port()
        self.operations = {name: free_port() for name in self.commands}
        self._programs: dict[str, Process] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ingress_port}/v1/webhooks/{SOURCE}"

    @property
    def config(self) -> Path:
        return self.folder / "sluice.yaml"

    def prepare(self) -> None:
        """Writes the configuration, then makes sluice's tables, its topics and the application's tables."""
        self._write_secrets()
        self.config.write_text(self._filled_in())
        self.ctl("migrate", "--apply")
        self.ctl("topics", "--apply")
        with self.stack.mysql.connect() as connection, connection.cursor() as cursor:
            for statement in filter(str.strip, self.tables.read_text().split(";\n")):
                cursor.execute(statement)

    def start(self) -> None:
        """All programs, ready when this returns."""
        for name in self.commands:
            self._start(name)
        for name in self.commands:
            self._wait_ready(name)

    def kill(self, name: str) -> None:
        """SIGKILL, and another one takes its place: it may not be ready when this returns."""
        self._programs[name].kill()
        self._start(name)

    def stop(self) -> None:
        """The ingress first, so that the consumer sees everything that was answered."""
        for program in self._programs.values():
            program.stop(STOP_WITHIN)

    def still_running(self) -> bool:
        return all(program.running for program in self._programs.values())

    def ctl(self, *arguments: str, within: float = 60.0, codes: tuple[int, ...] = (0,)) -> str:
        """sluicectl's standard output; ServerFailed with what it said when its exit code is none of `codes`."""
        command = ["setpriv", "--pdeathsig", "TERM", "--", str(self.binaries / "sluicectl"), *arguments, "--config",
                   str(self.config)]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=within, check=False,
                                cwd=self.folder)
        if result.returncode not in codes:
            said = (result.stdout + result.stderr)[-3000:]
            raise ServerFailed(f"{' '.join(command)} ended with code {result.returncode}:\n{said}")
        return result.stdout

    def _start(self, name: str) -> None:
        program, *arguments = self.commands[name]
        self._programs[name] = Process([str(self.binaries / program), "--config", str(self.config), *arguments],
                                       self.folder / f"{name}.log", self.folder / f"{name}.pid", cwd=self.folder)

    def _write_secrets(self) -> None:
        folder = self.folder / "secrets"
        folder.mkdir(mode=0o700, parents=True)
        (folder / "mysql").write_text(self.stack.mysql.password)
        (folder / "stripe-2026-10").write_text(f"whsec_{secrets.token_hex(24)}")

    def _filled_in(self) -> str:
        sql = self.stack.mysql
        return Template((HERE / "sluice.yaml").read_text()).substitute(
            ingress_port=self.ingress_port, ingress_operations=self.operations["ingress"],
            consumer_operations=self.operations["consumer"], kafka=self.stack.kafka.bootstrap, redis=self.stack.redis.url,
            mysql_port=sql.port, database=sql.database, user=sql.user, secrets=self.folder / "secrets")

    def _wait_ready(self, name: str) -> None:
        program, port, deadline, said = self._programs[name], self.operations[name], time.monotonic() + READY_WITHIN, ""
        while time.monotonic() < deadline and program.running:
            status, said = ask(port, "/readyz")
            if status == 200:
                return
            time.sleep(POLL_EVERY)
        raise ServerFailed(f"the program \"{name}\" did not get ready: {said}\n{program.end_of_log()}")
