"""What can be done to any server."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from deploy.stack import Server, ServerFailed
from tests.chaos.story import Story

START_WITHIN = 300.0  # seconds, on a machine that does much else


def kill_and_start(server: Server, story: Story, lasts: float, meanwhile: Callable[[], None] = lambda: None) -> None:
    server.kill()
    story.count(f"{family(server)} kills")
    meanwhile()
    story.pause(lasts)
    bring_back(server)


def pause_and_resume(server: Server, story: Story, lasts: float) -> None:
    server.pause()
    story.count(f"{family(server)} pauses")
    story.pause(lasts)
    server.resume()


def bring_back(server: Server) -> None:
    """Started again when it ended; whatever it was, it answers when this returns."""
    if not server.running:
        server.start()
    server.resume()
    try:
        server.wait_ready(START_WITHIN)
    except ServerFailed:
        if server.running:
            raise
        server.start()  # a killed server's port may still be closing
        server.wait_ready(START_WITHIN)


def fill_disk(server: Server, story: Story, lasts: float) -> None:
    """Every byte that is left; a server that cannot stand it ends and is started again when there is room."""
    ballast = server.folder / "ballast"
    with ballast.open("wb") as handle:
        while (left := _free(server.folder)) > 0:
            try:
                os.posix_fallocate(handle.fileno(), handle.tell(), left)
                handle.seek(0, os.SEEK_END)
            except OSError:
                break
    story.count(f"{family(server)} disks filled")
    story.pause(lasts)
    ballast.unlink()
    bring_back(server)


def _free(folder: Path) -> int:
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def family(server: Server) -> str:
    return {"Redis": "redis", "Kafka": "broker", "MySQL": "database", "MariaDB": "database"}[server.name]
