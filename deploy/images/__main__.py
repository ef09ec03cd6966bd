"""python3 -m deploy.images: `archives` is what ./run images does, `layers` what the Dockerfile does. Both put the same into an image."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from deploy.images import archive, contents, dockerfile, layers, release, sbom
from deploy.images.dpkg import Refused
from deploy.images.layers import Layers
from deploy.images.release import Release

TREE = Path(__file__).resolve().parents[2]


def make(image: str, binaries: Path, folder: Path, of: Release) -> tuple[Layers, str]:
    made = layers.make(image, binaries, TREE / "LICENSE", folder, of.epoch)
    return made, sbom.document(made, of)


def write_layers(binaries: Path, out: Path, of: Release) -> None:
    for image in contents.PROGRAMS:
        made, bill = make(image, binaries, out / image, of)
        file = out / "sbom" / f"{contents.NAMES[image]}.spdx.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(bill)
        os.utime(file, (of.epoch, of.epoch))
        print(f"{image}: {len(set(made.packages.values()))} packages", flush=True)


def write_archives(binaries: Path, out: Path, of: Release, registry: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    arguments = {"VERSION": of.version, "REVISION": of.revision}
    for image, name in contents.NAMES.items():
        with tempfile.TemporaryDirectory(dir=out) as scratch:
            made, bill = make(image, binaries, Path(scratch) / "layers", of)
            file = out / f"{name}-{of.version}.tar"
            whole = f"{registry}/{name}:{of.version}"
            config = dockerfile.configuration(image, arguments)
            digest = archive.write(file, whole, config, [made.system.folder, made.program.folder], of.epoch)
        file.with_suffix(".spdx.json").write_text(bill)
        print(f"{whole} {digest} {file.stat().st_size / 1e6:.1f} MB {file}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run images", allow_abbrev=False)
    parser.add_argument("what", choices=("archives", "layers"))
    parser.add_argument("--binaries", type=Path, default=TREE / "build/release/bin")
    parser.add_argument("--out", type=Path, default=TREE / "build/images")
    parser.add_argument("--registry", default="localhost")
    arguments = parser.parse_args()
    of = release.read(TREE)
    try:
        if arguments.what == "layers":
            shutil.rmtree(arguments.out, ignore_errors=True)
            write_layers(arguments.binaries, arguments.out, of)
        else:
            write_archives(arguments.binaries, arguments.out, of, arguments.registry)
    except Refused as refused:
        print(f"images: {refused}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
