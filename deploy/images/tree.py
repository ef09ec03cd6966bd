"""A folder that becomes one layer of an image."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


class Tree:
    """Files under `folder`, each with where it came from (None: written here). Nothing in it depends on when or by whom it is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.origins: dict[str, Path | None] = {}
        folder.mkdir(parents=True)

    def copy(self, source: Path, name: str = "") -> None:
        """A file of this system under its own path, with the links that lead to it; or under `name`, without them."""
        if name:
            self._copy_file(source, name)
            return
        source = source.parent.resolve() / source.name
        place = str(source.relative_to("/"))
        if not source.is_symlink():
            self._copy_file(source, place)
        elif place not in self.origins:
            self.link(place, os.readlink(source), source)
            self.copy(source.parent / os.readlink(source))

    def link(self, name: str, target: str, origin: Path | None = None) -> None:
        self._place(name).symlink_to(target)
        self.origins[name] = origin

    def write(self, name: str, content: str | bytes, origin: Path | None = None) -> None:
        place = self._place(name)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        place.chmod(0o644)
        self.origins[name] = origin

    def make_folder(self, name: str, mode: int = 0o755) -> None:
        """And those above it."""
        place = self._place(name)
        place.mkdir(exist_ok=True)
        place.chmod(mode)

    def set_times(self, epoch: int) -> None:
        """The last step: COPY of a Dockerfile takes times over."""
        for folder, folders, files in os.walk(self.folder, topdown=False):
            for name in (*folders, *files):
                os.utime(Path(folder) / name, (epoch, epoch), follow_symlinks=False)
        os.utime(self.folder, (epoch, epoch))

    def _copy_file(self, source: Path, name: str) -> None:
        place = self._place(name)
        shutil.copyfile(source, place)
        place.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
        self.origins[name] = source

    def _place(self, name: str) -> Path:
        """With the folders above it, whose rights are no matter of whose umask this is."""
        above = self.folder
        for part in Path(name).parts[:-1]:
            above /= part
            above.mkdir(exist_ok=True)
            above.chmod(0o755)
        return self.folder / name
