"""What lies in an image, and what does not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from deploy.images import contents
from tests.support.image import TREE, Image

ELF = b"\x7fELF"
NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]|program interpreter: (\S+)\]")


def needs(file: Path) -> set[str]:
    said = subprocess.run(["readelf", "--wide", "--dynamic", "--program-headers", str(file)], capture_output=True, text=True, check=True)
    return {match[1] or match[2] for match in NEEDED.finditer(said.stdout)}


def test_there_is_one_program_and_no_shell(image: Image) -> None:
    programs = [name for name, member in image.members.items() if member.isfile() and re.match(r"(usr/)?s?bin/", name)]
    assert programs == [image.config["Entrypoint"][0].removeprefix("/")]
    texts = [name for name, content in image.files().items() if content.startswith(b"#!")]
    assert not texts, "scripts"
    started = [name for name, content in image.files().items() if content.startswith(ELF) and "/bin/" not in name
               and any("ld-linux" in need for need in needs(image.root / name)) and not re.search(r"\.so(\.|$)", name)]
    assert not started


def test_nothing_has_more_rights_than_it_needs(image: Image) -> None:
    members = image.members.values()
    assert {(member.uid, member.gid) for member in members} == {(0, 0)}
    assert {member.type for member in members} <= {b"0", b"2", b"5"}, "files, links and folders"
    assert not [member.name for member in members if member.mode & 0o6000], "set-user-id"
    assert [member.name for member in members if not member.issym() and member.mode & 0o022] == ["tmp"]


def test_each_library_that_is_needed_is_there(image: Image) -> None:
    """By the files' own word, not by that of the tool which found them when the image was made."""
    binaries = [name for name, content in image.files().items() if content.startswith(ELF)]
    there = {Path(name).name for name in image.members if re.fullmatch(r"usr/lib/[^/]+-linux-gnu/[^/]+", name)}
    missing = {(name, need) for name in binaries for need in needs(image.root / name)
               if not (there >= {need} if "/" not in need else resolves(image, need))}
    assert not missing
    assert len(needs(image.root / image.config["Entrypoint"][0][1:])) > 10


def resolves(image: Image, path: str) -> bool:
    """Links inside the image are relative, so that they may be followed from outside."""
    place = (image.root / path[1:]).resolve()
    return place.is_relative_to(image.root) and place.is_file()


def test_links_lead_somewhere(image: Image) -> None:
    for name, member in image.members.items():
        if member.issym():
            target = Path(member.linkname)
            place = image.root / (target.relative_to("/") if target.is_absolute() else Path(name).parent / target)
            assert place.exists(), f"{name} -> {member.linkname}"


def test_only_those_who_speak_mysql_carry_its_logins(images: dict[str, Image]) -> None:
    plugins = {target: sorted(Path(name).stem for name in image.members if "/libmariadb3/plugin/" in name and name.endswith(".so"))
               for target, image in images.items()}
    logins = ["caching_sha2_password", "client_ed25519", "parsec", "sha256_password"]
    assert plugins == {"ingress": [], "consumer": logins, "poller": logins, "command": logins, "ctl": logins}


def test_trusts_the_packages_certificates_and_no_other(image: Image) -> None:
    """What the host trusts besides, a company's proxy, is in the platform's bundle."""
    bundle = (image.root / contents.BUNDLE).read_text()
    packaged = [file.read_text().strip() for file in contents.CERTIFICATES.glob("*.crt")]
    inside = [f"{one}-----END CERTIFICATE-----" for one in bundle.split("-----END CERTIFICATE-----")[:-1]]
    assert sorted(one.strip() for one in inside) == sorted(packaged)


def test_says_what_it_is(image: Image) -> None:
    labels = {key.removeprefix("org.opencontainers.image."): value for key, value in image.config["Labels"].items()}
    assert labels["title"] in image.archive.name
    assert labels["licenses"] == "Apache-2.0"
    assert labels["version"] in image.archive.name
    assert re.fullmatch(r"[0-9a-f]{40}(-dirty)?", labels["revision"])
    assert labels["description"]
    assert image.config["User"] == f"{contents.USER}:{contents.USER}"


def test_each_package_brings_its_licence_and_is_known_to_scanners(image: Image) -> None:
    packages = {package["name"] for package in image.bill["packages"] if package["SPDXID"].startswith("SPDXRef-Package-deb-")}
    for package in packages:
        assert (image.root / f"usr/share/doc/{package}/copyright").stat().st_size > 100
        assert f"Package: {package}\n" in (image.root / f"var/lib/dpkg/status.d/{package}").read_text()
    assert "Apache License" in (image.root / "usr/share/doc/sluice/copyright").read_text()


def test_program_does_not_tell_where_it_was_built(image: Image) -> None:
    """Neither by paths nor by a digest of what held them: elsewhere it would be other bytes."""
    program = image.root / image.config["Entrypoint"][0][1:]
    assert str(TREE).encode() not in program.read_bytes()
    notes = subprocess.run(["readelf", "--notes", "--sections", str(program)], capture_output=True, text=True, check=True).stdout
    assert "Build ID" not in notes and ".debug_info" not in notes and ".symtab" not in notes
