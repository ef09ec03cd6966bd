"""The archive of the clients in a release: all that a service needs, and it works where it is unpacked."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

from deploy.images.release import Release
from deploy.release import clients
from tests.support.released import VERSION

ROOT = f"sluice-clients-{VERSION}"


def unpacked(archive: bytes, into: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(into, filter="data")
    return into / ROOT


def packed(tree: Path) -> bytes:
    return clients.pack(tree, Release(version=VERSION, revision="0" * 40, epoch=1_700_000_000))


def test_a_release_has_them(release: Path, clone: Path) -> None:
    assert (release / f"{ROOT}.tar.gz").read_bytes() == packed(clone)


def test_they_are_those_of_the_tree(clone: Path, tmp_path: Path) -> None:
    folder = unpacked(packed(clone), tmp_path)
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    tree = {f"python/{path.name}": path for path in (clone / "clients/python").glob("*.py")}
    tree |= {f"cpp/sluice/{path.name}": path for path in (clone / "clients/cpp/sluice").iterdir()}
    tree |= {"clients.md": clone / "docs/clients.md", "LICENSE": clone / "LICENSE"}
    assert found == {name: path.read_bytes() for name, path in tree.items()}
    assert {"python/sluice_command.py", "cpp/sluice/command_client.hpp"} <= found.keys()


def test_what_lies_beside_a_client_does_not_go_along(clone: Path, another: Path) -> None:
    (another / "clients/python/__pycache__").mkdir()
    (another / "clients/python/__pycache__/sluice_command.pyc").write_text("x")
    (another / "clients/python/secret.key").write_text("x")
    assert packed(another) == packed(clone), "the same files are the same bytes"


def test_the_clients_work_where_they_are_unpacked(clone: Path, tmp_path: Path) -> None:
    folder = unpacked(packed(clone), tmp_path)
    done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(folder / 'python')!r}); import sluice_command; "
                           "print(sluice_command.CommandClient.__name__)"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "CommandClient\n"), done.stderr
    headers = {str(path.relative_to(folder / "cpp")): path.read_text() for path in (folder / "cpp").rglob("*.hpp")}
    assert {name for text in headers.values() for name in re.findall(r'#include [<"](sluice/.+)[>"]', text)} <= headers.keys()
