"""enter_image.py ROOT UID:GID [SOURCE PLACE]… -- PROGRAM [ARGUMENT]…: becomes PROGRAM in ROOT, as a container engine would start it.

In a mount namespace of its own (unshare --mount), as root: ROOT read-only, /proc, each SOURCE at PLACE; then the user, no way back
to rights, and death with whoever started this (a change of user forgets what setpriv was told of that).
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38


def mount(*arguments: str, may_fail: bool = False) -> None:
    subprocess.run(["mount", *arguments], check=not may_fail, stderr=subprocess.DEVNULL if may_fail else None)


def prepare(root: str, mounts: list[str]) -> None:
    mount("--make-rprivate", "/", may_fail=True)  # inside the platform / is no mount, and all are private already
    mount("--bind", root, root)
    mount("-t", "proc", "proc", f"{root}/proc")
    for source, place in zip(mounts[::2], mounts[1::2], strict=True):
        mount("--rbind", source, f"{root}{place}")
    mount("-o", "remount,bind,ro", root)


def become(user: str, root: str) -> None:
    uid, gid = map(int, user.split(":"))
    os.chroot(root)
    os.chdir("/")
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)


def main() -> None:
    root, user, *rest = sys.argv[1:]
    end = rest.index("--")
    environment = dict(os.environ)
    os.environ["PATH"] = "/usr/sbin:/usr/bin"
    libc = ctypes.CDLL(None)
    parent = os.getppid()
    prepare(root, rest[:end])
    become(user, root)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("whoever started this is gone")
    os.execve(rest[end + 1], rest[end + 1:], environment)


if __name__ == "__main__":
    main()
