"""What each image holds besides its program's libraries: files that are only opened at run time, which no linker knows of."""

from __future__ import annotations

from pathlib import Path

PROGRAMS = {"ingress": "sluice-ingress", "consumer": "sluice-consumer", "poller": "sluice-poller", "command": "sluice-command",
            "ctl": "sluicectl"}
NAMES = dict(PROGRAMS)  # of the images
USER = 65532

# Bodies in Chinese charsets (common/webhook/body/form_view.cpp) are verified, or read, by all of them.
CHARSETS = ("gconv/gconv-modules.cache", "gconv/GBK.so", "gconv/GB18030.so")

# How to log in to MySQL and MariaDB. Without mysql_clear_password and dialog on purpose: a server that asks for the
# password in the clear gets none.
LOGINS = tuple(f"libmariadb3/plugin/{name}.so" for name in ("caching_sha2_password", "sha256_password", "client_ed25519", "parsec"))

# In the folder of libraries.
OPENED = {"ingress": CHARSETS, **dict.fromkeys(("consumer", "poller", "command", "ctl"), CHARSETS + LOGINS)}

# The least TLS version that Debian allows, and which Debian a scanner has before it.
SETTINGS = (Path("/usr/lib/ssl/openssl.cnf"), Path("/etc/os-release"))

# The packages' own certificates: what the host trusts besides is none of the image's business.
CERTIFICATES = Path("/usr/share/ca-certificates/mozilla")
BUNDLE = "etc/ssl/certs/ca-certificates.crt"
LINKS = {"usr/lib/ssl/cert.pem": f"/{BUNDLE}"}  # where OpenSSL looks

TEXTS = {
    "etc/passwd": f"root:x:0:0:root:/:/nonexistent\nsluice:x:{USER}:{USER}:sluice:/:/nonexistent\n",
    "etc/group": f"root:x:0:\nsluice:x:{USER}:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n"}

# Where others mount something: the root is read-only.
FOLDERS = ("dev", "etc/sluice", "proc", "run/secrets", "sys", "tmp")
