"""The consumer's SQL on real servers: GoogleTest programs, on all of --database side by side."""

from __future__ import annotations

import os
import subprocess

import pytest

from deploy.stack import Redis, SqlServer
from tests.support.crowd import at_once
from tests.support.program import binary
from tests.support.servers import Servers


@pytest.mark.timeout(600)
@pytest.mark.parametrize("program", ["store_integration", "retry_integration", "command_integration"])
def test_on_real_servers(servers: Servers, program: str) -> None:
    at_once([lambda server=server: expect_passes(program, server, servers.own_redis(f"redis-of-{program}-{server.name}"))
             for server in servers.databases.values()])


def expect_passes(program: str, server: SqlServer, redis: Redis) -> None:
    place = f"127.0.0.1:{server.port}:{server.admin}:{server.admin_password}:{server.database}"
    run = subprocess.run([binary(program), "--gtest_brief=1"], env={**os.environ, "SLUICE_TEST_MYSQL": place, "SLUICE_TEST_REDIS": redis.address},
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{server.name}: {run.stdout[-8000:]}{run.stderr[-2000:]}"
    assert "[  PASSED  ]" in run.stdout
