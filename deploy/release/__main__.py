"""python3 -m deploy.release version | make | verify: what ./run release does before and after the programs are built."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from deploy.images.dpkg import Refused
from deploy.release import checksums, making, provenance, source, verify

TREE = Path(__file__).resolve().parents[2]


def version(given: argparse.Namespace) -> int:
    """Refused before anything is compiled. Says the state, too, which `make --built` compares with that of its own time."""
    of = source.read(TREE, given.version, dirty=given.dirty)
    print(of.release.version, of.state)
    return 0


def make(given: argparse.Namespace) -> int:
    of = source.read(TREE, given.version, dirty=given.dirty)
    if given.built:
        source.check_state(of, given.built)
    maker = provenance.Maker(given.source, given.builder, bool(given.built))
    said = making.make(making.Making(TREE, given.binaries, of, maker), given.out, read_key(given.sign))
    print(f"sluice {said['version']}, commit {said['revision']}, in {given.out}")
    for name, what in (*said["images"].items(), ("chart", said["chart"]), *said["notBuilt"].items()):
        print(f"  {name:16}{what}")
    print(f"  {'signature':16}{checksums.SIGNATURE if given.sign else 'not signed: no --sign KEY.pem'}")
    return 0


def check(given: argparse.Namespace) -> int:
    said = verify.problems(given.folder)
    said += checksums.signature_problems(given.folder, read_key(given.key)) if given.key else []
    for sentence in said:
        print(f"release: {sentence}", file=sys.stderr)
    if not said:
        print(f"{given.folder}: ok, {'signed by this key' if given.key else 'signature NOT checked: no --key PUB.pem'}")
    return 1 if said else 0


def read_key(file: str) -> bytes:
    """Of standard input, too."""
    try:
        return Path(file).read_bytes() if file else b""
    except OSError as error:
        raise Refused(f"the key {file} cannot be read: {error.strerror}") from error


def arguments() -> argparse.Namespace:
    known = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    known.add_argument("--version", default="")
    known.add_argument("--dirty", action="store_true")
    known.add_argument("--source", default="")
    known.add_argument("--builder", default=provenance.UNNAMED)
    parser = argparse.ArgumentParser(prog="./run release", allow_abbrev=False)
    parts = parser.add_subparsers(dest="what", required=True)
    parts.add_parser("version", parents=[known]).set_defaults(do=version)
    making_one = parts.add_parser("make", parents=[known])
    making_one.set_defaults(do=make)
    making_one.add_argument("--out", type=Path, required=True)
    making_one.add_argument("--sign", default="")
    making_one.add_argument("--binaries", type=Path, default=TREE / "build/release/bin")
    making_one.add_argument("--built", default="", metavar="STATE")
    checking = parts.add_parser("verify")
    checking.set_defaults(do=check)
    checking.add_argument("folder", type=Path)
    checking.add_argument("--key", default="")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    try:
        return given.do(given)
    except Refused as refused:
        print(f"release: {refused}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
