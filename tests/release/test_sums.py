"""Checksums and signature: by sha256sum and openssl, without anything of ours, and by --verify."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.release import checksums
from tests.support import released


def openssl_verifies(folder: Path, public: Path) -> bool:
    """As docs/release.md tells those who have no tree."""
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", str(public), "-in", "SHA256SUMS",
               "-sigfile", "SHA256SUMS.sig"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def change_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_sums_are_of_all_files(release: Path) -> None:
    done = released.run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=release)
    assert done.returncode == 0, done.stdout
    listed = {line.partition("  ")[2] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert listed == released.files(release).keys() - {"SHA256SUMS", "SHA256SUMS.sig"}


def test_the_signature_is_of_the_key(release: Path, key: Path) -> None:
    assert openssl_verifies(release, key.with_name("pub.pem"))
    done = released.verify(release, "--key", key.with_name("pub.pem"))
    assert (done.returncode, done.stderr) == (0, "") and "signed by this key" in done.stdout


def test_without_a_key_it_is_said_that_nothing_was_checked(release: Path) -> None:
    done = released.verify(release)
    assert done.returncode == 0 and "signature NOT checked" in done.stdout


@pytest.mark.parametrize("name", ["SHA256SUMS", "SHA256SUMS.sig", "release.json", "images/index.json", "packages.txt"])
def test_one_byte_that_changed_is_found(copy: Path, key: Path, name: str) -> None:
    change_a_byte(copy / name)
    done = released.verify(copy, "--key", key.with_name("pub.pem"))
    assert done.returncode == 1 and name.removesuffix(".sig") in done.stderr
    assert openssl_verifies(copy, key.with_name("pub.pem")) == (not name.startswith("SHA256SUMS"))


def test_sums_that_fit_a_changed_file_are_not_signed(copy: Path, key: Path) -> None:
    change_a_byte(copy / "packages.txt")
    released.sum_up(copy)
    assert released.verify(copy).returncode == 0, "which only the signature tells"
    done = released.verify(copy, "--key", key.with_name("pub.pem"))
    assert done.returncode == 1 and "SHA256SUMS.sig is not of this key" in done.stderr


def test_another_key_is_told(release: Path, tmp_path: Path) -> None:
    other = released.make_key(tmp_path)
    assert released.verify(release, "--key", other.with_name("pub.pem")).returncode == 1


def test_a_release_without_a_signature_is_told(copy: Path, key: Path) -> None:
    (copy / "SHA256SUMS.sig").unlink()
    done = released.verify(copy, "--key", key.with_name("pub.pem"))
    assert done.returncode == 1 and "not signed" in done.stderr


@pytest.mark.parametrize("kind", [("-algorithm", "ed25519"), ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
                                  ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")], ids=["ed25519", "ecdsa", "rsa"])
def test_keys_of_each_kind_sign(release: Path, tmp_path: Path, kind: tuple[str, ...]) -> None:
    key = released.make_key(tmp_path, *kind)
    shutil.copyfile(release / "SHA256SUMS", tmp_path / "SHA256SUMS")
    checksums.sign(tmp_path, key.read_bytes())
    assert openssl_verifies(tmp_path, key.with_name("pub.pem"))
    assert checksums.signature_problems(tmp_path, key.with_name("pub.pem").read_bytes()) == []
    change_a_byte(tmp_path / "SHA256SUMS")
    assert checksums.signature_problems(tmp_path, key.with_name("pub.pem").read_bytes())


@pytest.mark.parametrize("change,said", [("rm packages.txt", "packages.txt: listed, but not there"),
                                         ("touch more", "more: there, but not listed"),
                                         ("ln -sf release.json packages.txt", "packages.txt: not as listed")])
def test_what_is_missing_or_too_much_is_told(copy: Path, change: str, said: str) -> None:
    subprocess.run(["sh", "-c", change], cwd=copy, check=True)
    done = released.verify(copy)
    assert done.returncode == 1 and said in done.stderr
