"""The two layers of an image: what comes from Debian, and what comes from here and changes with each release."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy.images import contents, dpkg
from deploy.images.dpkg import Package, Refused
from deploy.images.tree import Tree

LIBRARY = re.compile(r"(?:=> )?(/\S+) \(0x")


@dataclass(frozen=True)
class Layers:
    """`packages` says of each file in `system` where it is from; files that are written here are not in it."""

    image: str
    system: Tree
    program: Tree
    packages: dict[str, Package]


def make(image: str, binaries: Path, licence: Path, folder: Path, epoch: int) -> Layers:
    """`folder`/system and `folder`/program. Refused when something is missing or must not be shipped."""
    program = binaries / contents.PROGRAMS[image]
    refuse_test_build(program)
    system = system_layer(image, program, folder / "system")
    own = program_layer(program, licence, folder / "program")
    packages = packages_of(system)
    describe(system, packages)
    for tree in (system, own):
        tree.set_times(epoch)
    return Layers(image, system, own, packages)


def refuse_test_build(program: Path) -> None:
    if not program.exists():
        raise Refused(f"there is no {program}: ./run build makes it")
    if b"SLUICE_FAILPOINTS" in program.read_bytes():
        raise Refused(f"{program} was built for tests: it dies when the environment asks for it")


def libraries(program: Path) -> set[Path]:
    """What the loader loads for it, the loader itself included."""
    said = subprocess.run(["ldd", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
    if "not found" in said:
        raise Refused(f"{program} lacks libraries here:\n{said}")
    return {Path(match[1]) for match in LIBRARY.finditer(said)}


def system_layer(image: str, program: Path, folder: Path) -> Tree:
    tree = Tree(folder)
    for name in filter(os.path.islink, ("/lib", "/lib64")):
        tree.link(name[1:], os.readlink(name))
    found = libraries(program)
    place = next(path.resolve().parent for path in found if path.name == "libc.so.6")
    opened = {place / name for name in contents.OPENED[image]}
    plugins = {path for path in opened if path.suffix == ".so"}
    for path in sorted(found | opened | set(contents.SETTINGS) | {more for plugin in plugins for more in libraries(plugin)}):
        tree.copy(path)
    write_texts(tree)
    return tree


def write_texts(tree: Tree) -> None:
    certificates = sorted(contents.CERTIFICATES.glob("*.crt"))
    if not certificates:
        raise Refused(f"{contents.CERTIFICATES} holds no certificates")
    tree.write(contents.BUNDLE, b"".join(file.read_bytes() for file in certificates), certificates[0])
    for name, target in contents.LINKS.items():
        tree.link(name, target)
    for name, text in contents.TEXTS.items():
        tree.write(name, text)
    for name in contents.FOLDERS:
        tree.make_folder(name, 0o1777 if name == "tmp" else 0o755)


def program_layer(program: Path, licence: Path, folder: Path) -> Tree:
    """Stripped, and without its build id, which is a digest of what was stripped: the paths of whoever compiled it."""
    tree = Tree(folder)
    name = f"usr/bin/{program.name}"
    tree.copy(program, name)
    subprocess.run(["strip", "--strip-all", "--remove-section=.note.gnu.build-id", str(folder / name)], check=True)
    tree.write("usr/share/doc/sluice/copyright", licence.read_bytes(), licence)
    return tree


def packages_of(tree: Tree) -> dict[str, Package]:
    origins = {name: origin for name, origin in tree.origins.items() if origin is not None}
    owners = dpkg.owners(origins.values())
    dpkg.check_unchanged({path: owner for path, owner in owners.items() if path.is_file() and not path.is_symlink()})
    return {name: owners[origin] for name, origin in origins.items()}


def describe(tree: Tree, packages: dict[str, Package]) -> None:
    """Each package's licence, and its entry in a form that scanners of images without a package manager read."""
    for package in sorted(set(packages.values())):
        if not package.copyright.exists():
            raise Refused(f"there is no {package.copyright}: whoever hands out {package.name} has to hand it out too")
        place = f"usr/share/doc/{package.name}/copyright"
        tree.copy(package.copyright.resolve(), place)
        tree.write(f"var/lib/dpkg/status.d/{package.name}", package.stanza)
        packages[place] = packages[f"var/lib/dpkg/status.d/{package.name}"] = package
