"""MySQL 9.x from Debian sid."""

from __future__ import annotations

import os
from pathlib import Path

from deploy.stack import cached
from deploy.stack.process import ServerFailed
from deploy.stack.sql_server import ACCOUNTS, SqlServer, run_as


class MySQL(SqlServer):
    """The real MySQL. Accounts use caching_sha2_password; TLS is offered with a certificate of its own making."""

    name = "MySQL"

    @staticmethod
    def available() -> bool:
        place = os.environ.get("SLUICE_MYSQL_HOME")
        return place is not None and (Path(place) / "usr/sbin/mysqld").exists()

    def _base_command(self, data: Path) -> list[str]:
        if not self.available():
            raise ServerFailed("MySQL could not be had on this machine (./run says why); MariaDB is there")
        home = cached.home_of("MYSQL")
        options = [
            "--no-defaults", f"--basedir={home}/usr", f"--datadir={data}", f"--plugin-dir={home}/usr/lib/mysql/plugin",
            f"--lc-messages-dir={home}/usr/share/mysql", f"--character-sets-dir={home}/usr/share/mysql/charsets",
            "--secure-file-priv=NULL", "--mysqlx=OFF", "--disable-log-bin", "--innodb-redo-log-capacity=64M"]
        return [*_loader(home), f"{home}/usr/sbin/mysqld", *options, *run_as()]

    def _initialise(self, data: Path) -> None:
        statements = data.with_suffix(".sql")
        statements.parent.mkdir(parents=True, exist_ok=True)
        statements.write_text("".join(f"{line};\n" for line in ACCOUNTS))
        command = [*self._base_command(data), "--initialize-insecure", f"--init-file={statements}"]
        cached.run_to_end(command, data.with_suffix(".log"))


def _loader(home: Path) -> list[str]:
    """mysqld is built for a newer system than the platform's: it gets that system's own loader and libraries."""
    loaders = sorted((home / "usr/lib64").glob("ld-linux-*.so.*")) or sorted((home / "usr/lib").glob("ld-linux-*.so.*"))
    libraries = sorted((home / "usr/lib").glob("*-linux-gnu"))
    if not loaders or not libraries:
        raise ServerFailed(f"{home} holds no loader for MySQL: remove that folder, ./run makes it anew")
    return [str(loaders[0]), "--library-path", ":".join(map(str, libraries))]
