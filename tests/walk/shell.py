"""The shell of whoever is on call: bash, with what the runbooks' README puts into it, and a kubectl that asks the test."""

from __future__ import annotations

import json
import os
import socketserver
import subprocess
import threading
from pathlib import Path

from tests.walk.kubectl import Cluster, Said

COMMAND_WITHIN = 150.0  # seconds: a roll-out of all pods
ASKING = """#!/usr/bin/env python3
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    connection.sendall(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]).encode() + b"\\n")
    answer = json.load(connection.makefile())
sys.stdout.write(answer["out"]), sys.stderr.write(answer["err"])
sys.exit(answer["code"])
"""


class Shell:
    """`close()` ends what it listens with. Commands are typed one after the other."""

    def __init__(self, folder: Path, cluster: Cluster, profile: str) -> None:
        self._bin = folder / "bin"
        self._bin.mkdir()
        self._profile = folder / "profile.sh"
        self._profile.write_text(profile)
        self._server = Asked(cluster)
        for name in ("kubectl", "helm"):
            (self._bin / name).write_text(ASKING.format(address=self._server.server_address))
            (self._bin / name).chmod(0o755)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def types(self, command: str) -> Said:
        done = subprocess.run(["bash", "-c", f"source {self._profile} > /dev/null\n{command}"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=COMMAND_WITHIN,
                              env={"PATH": f"{self._bin}:/usr/bin:/bin", "USER": "ada", "LANG": "C.UTF-8"})
        return Said(done.stdout, done.stderr, done.returncode)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class Asked(socketserver.UnixStreamServer):
    """One question after the other, on one thread: programs that a roll-out starts die with the thread that started them."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        # An address without a file: folders of tests are too deep for the 108 bytes of a path.
        super().__init__(f"\0sluice-walk-{os.getpid()}-{id(self)}", AskedOnce)


class AskedOnce(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, Asked)
        try:
            said = server.cluster.answer(json.loads(self.rfile.readline()))
        except Exception as error:  # the test hears of it by what the command says
            said = Said(err=f"{type(error).__name__}: {error}\n", code=1)
        self.wfile.write(json.dumps(vars(said)).encode())
