"""Chains and names of certificates, as the openssl program sees them."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

from .rsa import openssl

BLOCK = re.compile(r"-----BEGIN CERTIFICATE-----\s.*?-----END CERTIFICATE-----", re.DOTALL)


def blocks(text: str) -> list[str]:
    return BLOCK.findall(text)


@cache
def chains(leaf: str, between: str, trust: str, now: int, level: int) -> bool:
    """Whether the leaf leads to a self-signed certificate of `trust` at that moment."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"leaf": leaf, "between": between, "trust": trust}
        for name, text in files.items():
            Path(folder, name).write_text(text + "\n")
        arguments = ["verify", "-no-CApath", "-no-CAstore", "-attime", str(now), "-auth_level", str(level), "-CAfile", f"{folder}/trust"]
        return openssl(*arguments, *(["-untrusted", f"{folder}/between"] if between else []), f"{folder}/leaf").returncode == 0


@cache
def common_names(certificate: str) -> tuple[str, ...]:
    shown = openssl("x509", "-noout", "-subject", "-nameopt", "sep_multiline,sname,utf8,esc_ctrl", given=certificate.encode()).stdout.decode()
    return tuple(line.strip().removeprefix("CN=") for line in shown.splitlines()[1:] if line.strip().startswith("CN="))
