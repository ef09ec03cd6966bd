"""Faults of Redis: only duplicates may come of them."""

from __future__ import annotations

import redis as client

from deploy.stack import Redis
from tests.chaos.faults.server import bring_back, kill_and_start, pause_and_resume
from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story
from tests.support.wait import wait_for

LITTLE = 2 << 20  # bytes: hardly more than Redis needs for itself


def ask(server: Redis, *command: object) -> object:
    with client.Redis(port=server.port, socket_timeout=5) as connection:
        return connection.execute_command(*command)


def kill(site: Site, fault: Fault, story: Story) -> None:
    kill_and_start(site.redis, story, fault.lasts)


def pause(site: Site, fault: Fault, story: Story) -> None:
    pause_and_resume(site.redis, story, fault.lasts)


def flush(site: Site, fault: Fault, story: Story) -> None:
    ask(site.redis, "FLUSHALL")
    story.count("redis flushed")


def full(site: Site, fault: Fault, story: Story) -> None:
    _limited(site, fault, story, "noeviction")


def evicting(site: Site, fault: Fault, story: Story) -> None:
    _limited(site, fault, story, "allkeys-lru")


def switch_over(site: Site, fault: Fault, story: Story) -> None:
    """As people do it: the standby has every write before it takes over. For a while whoever is connected can only read."""
    ask(site.standby, "REPLICAOF", "127.0.0.1", site.redis.port)
    wait_for(lambda: _hands_over(site), "the standby of Redis to follow")
    wait_for(lambda: ask(site.standby, "ROLE")[0] == b"master", "the standby of Redis to take over")
    story.pause(fault.lasts)
    site.redis, site.standby = site.standby, site.redis
    site.proxy.retarget("redis", site.redis.port)
    story.count("redis fail-overs")


def _hands_over(site: Site) -> bool:
    try:
        return bool(ask(site.redis, "FAILOVER", "TO", "127.0.0.1", site.standby.port))
    except client.ResponseError:  # it does not follow yet
        return False


def _limited(site: Site, fault: Fault, story: Story, policy: str) -> None:
    ask(site.redis, "CONFIG", "SET", "maxmemory-policy", policy, "maxmemory", LITTLE if policy != "noeviction" else 1)
    story.count(f"redis full, {policy}")
    story.pause(fault.lasts)
    ask(site.redis, "CONFIG", "SET", "maxmemory", 0)


def fail_over(site: Site, fault: Fault, story: Story) -> None:
    """The standby has what replication had brought when the primary died. For a while both say they are replicas."""
    ask(site.standby, "REPLICAOF", "127.0.0.1", site.redis.port)
    story.pause(fault.lasts)
    ask(site.redis, "REPLICAOF", "127.0.0.1", site.standby.port)  # READONLY for those who are connected
    story.pause(fault.lasts)
    site.redis.kill()
    site.redis, site.standby = site.standby, site.redis
    ask(site.redis, "REPLICAOF", "NO", "ONE")
    site.proxy.retarget("redis", site.redis.port)
    story.count("redis kills")
    story.count("redis fail-overs")
    bring_back(site.standby)
