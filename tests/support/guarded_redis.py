"""A Redis whose users have the rights of SECURITY.md."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.support.pipeline import Pipeline
from tests.support.servers import Servers

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
USERS = ("sluice-ingress", "sluice-poller", "sluice-command", "sluice-settle", "sluice-markers", "sluice-doctor")
PASSWORD = "of-a-test"
DATABASE = 1  # not the one that every client is in from the start, so that SELECT is needed
OPEN = {"auth"}  # Redis asks nobody for a right to log in


class GuardedRedis:
    """Tests come without a login and may do everything."""

    def __init__(self, servers: Servers, name: str) -> None:
        self.server = servers.own_redis(name)
        with self.client() as client:
            for line in written():
                client.execute_command(*shlex.split(line.replace("PASSWORD", PASSWORD)))

    def client(self, user: str | None = None) -> redis.Redis:
        login = {"username": user, "password": PASSWORD, "protocol": 2, "lib_name": None, "lib_version": None} if user else {}
        return redis.Redis(port=self.server.port, db=DATABASE, **login)

    def as_user(self, pipeline: Pipeline, user: str) -> None:
        """Programs that are started from now on come as this one."""
        pipeline.secrets["TEST_REDIS_PASSWORD"] = PASSWORD
        pipeline.config["redis"].update(urls=[f"redis://{self.server.address}/{DATABASE}"], username=user,
                                        password={"env": "TEST_REDIS_PASSWORD"})

    @contextmanager
    def asked(self, commands: set[str]) -> Iterator[None]:
        """Adds the commands that are sent meanwhile, also those that are refused."""
        with self.client() as client:
            client.config_resetstat()
            yield
            stats = client.info("commandstats")
        commands |= {name.removeprefix("cmdstat_") for name in stats} - {"config|resetstat"} - OPEN

    def refused(self) -> list[dict]:
        with self.client() as client:
            return client.acl_log()


def granted(user: str) -> set[str]:
    [line] = [line for line in written() if line.split()[2] == user]
    return set(re.findall(r" \+(\S+)", line))


def written() -> list[str]:
    return [line for line in SECURITY.read_text().splitlines() if line.startswith("ACL SETUSER ")]
