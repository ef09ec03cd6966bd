"""MariaDB of the platform."""

from __future__ import annotations

from pathlib import Path

from deploy.stack import cached
from deploy.stack.sql_server import ACCOUNTS, SqlServer, run_as


class MariaDB(SqlServer):
    """Accounts use mysql_native_password; TLS is offered with a certificate that the data folder's template brought.

    Left to itself the server makes an RSA key at each start, which takes longer than all the rest of it.
    """

    name = "MariaDB"

    def _base_command(self, data: Path) -> list[str]:
        return ["/usr/sbin/mariadbd", "--no-defaults", "--basedir=/usr", f"--datadir={data}",
                "--innodb-log-file-size=64M", f"--ssl-cert={data}/own-cert.pem", f"--ssl-key={data}/own-key.pem", *run_as()]

    def _initialise(self, data: Path) -> None:
        data.parent.mkdir(parents=True, exist_ok=True)
        log = data.with_suffix(".log")
        cached.run_to_end(["mariadb-install-db", "--no-defaults", "--auth-root-authentication-method=normal",
                           "--skip-test-db", "--basedir=/usr", f"--datadir={data}", *run_as()], log)
        cached.run_to_end(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                           "-days", "3650", "-subj", "/CN=localhost", "-keyout", f"{data}/own-key.pem",
                           "-out", f"{data}/own-cert.pem"], log)
        # Without FLUSH a bootstrapping server does not know that accounts exist.
        statements = "".join(f"{line};\n" for line in ["FLUSH PRIVILEGES", *ACCOUNTS])
        cached.run_to_end([*self._base_command(data), "--bootstrap"], log, stdin=statements)
