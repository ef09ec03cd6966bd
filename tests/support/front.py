"""What stands before the ingress in a cluster, as real programs on loopback: nginx, and HAProxy in the place of a load balancer."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy.stack.process import Process
from deploy.stack.server import free_port
from tests.support.program import Program
from tests.support.wait import wait_for

CLIENT = "127.0.0.9"  # where webhooks come from; the proxies and the ingress are at 127.0.0.1


@dataclass(frozen=True)
class Answer:
    status: int                # 0: none
    headers: dict[str, str]


class Front:
    """A proxy that runs from construction to `stop()`. `text` is its configuration; its log is in `folder`."""

    def __init__(self, folder: Path, name: str, command: list[str], text: str, port: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port, self.folder = port, folder
        (folder / f"{name}.conf").write_text(text)
        self._process = Process(command, folder / f"{name}.log", folder / f"{name}.pid-of-ours", cwd=folder)
        wait_for(self._listens, f"{name} to listen: {folder / name}.log", within=10)

    def _listens(self) -> bool:
        with socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True

    def stop(self) -> None:
        self._process.stop(5)


def certificate(folder: Path) -> Path:
    """One file with a key and its certificate for `localhost`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "front.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", folder / "front.key", "-out", folder / "front.crt"], check=True, capture_output=True)
    file.write_text((folder / "front.key").read_text() + (folder / "front.crt").read_text())
    return file


def nginx(folder: Path, to: int) -> Front:
    """As docs/kubernetes.md has ingress-nginx set up, in nginx's own words."""
    port, pem = free_port(), certificate(folder)
    temporary = "".join(f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    text = f"""master_process off;
daemon off;
pid {folder}/nginx.pid;
error_log stderr notice;
events {{ worker_connections 200; }}
http {{
{temporary}  access_log off;
  upstream sluice {{ server 127.0.0.1:{to}; keepalive 16; keepalive_timeout 20s; }}
  server {{
    listen 127.0.0.1:{port} ssl;
    http2 on;
    ssl_certificate {pem};
    ssl_certificate_key {pem};
    client_max_body_size 1m;
    location / {{
      proxy_pass http://sluice;
      proxy_http_version 1.1;
      proxy_request_buffering on;
      proxy_read_timeout 30s;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
  }}
}}
"""
    return Front(folder, "nginx", ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")], text, port)


def nginx_as_it_comes(folder: Path, to: int) -> Front:
    """One line in a server block: it speaks HTTP/1.0 to what is behind it, and closes."""
    port, pem = free_port(), certificate(folder)
    temporary = "".join(f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    text = f"""master_process off;
daemon off;
pid {folder}/nginx.pid;
error_log stderr notice;
events {{}}
http {{
{temporary}  access_log off;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {pem};
    ssl_certificate_key {pem};
    location / {{ proxy_pass http://127.0.0.1:{to}; }}
  }}
}}
"""
    return Front(folder, "nginx", ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")], text, port)


def haproxy_as_it_comes(folder: Path, to: int) -> Front:
    """A frontend and a server, and nothing that HAProxy does not want to be told."""
    return _haproxy(folder, f"""frontend webhooks
  mode http
  bind 127.0.0.1:{{port}} ssl crt {certificate(folder)}
  default_backend sluice
backend sluice
  mode http
  server ingress 127.0.0.1:{to}
""")


def load_balancer_of_tcp(folder: Path, to: int) -> Front:
    """Passes connections on, TLS and all, and says by PROXY protocol v2 where they come from."""
    return _haproxy(folder, f"""frontend webhooks
  mode tcp
  bind 127.0.0.1:{{port}}
  default_backend sluice
backend sluice
  mode tcp
  server ingress 127.0.0.1:{to} send-proxy-v2
""")


def load_balancer_of_http(folder: Path, to: int) -> Front:
    """Ends TLS and speaks HTTP/2 to clients; it streams, as Envoy does."""
    return _haproxy(folder, f"""frontend webhooks
  mode http
  bind 127.0.0.1:{{port}} ssl crt {certificate(folder)} alpn h2,http/1.1
  option forwardfor
  default_backend sluice
backend sluice
  mode http
  server ingress 127.0.0.1:{to}
""")


def load_balancer_of_two(folder: Path, pods: list[Program]) -> Front:
    """Asks each for its readiness every second, as a cloud's balancer does, and gives a second try to none."""
    servers = "\n".join(f"  server ingress-{number} 127.0.0.1:{pod.port} check port {pod.operations_port} inter 1s fall 2 rise 2"
                        for number, pod in enumerate(pods))
    return _haproxy(folder, f"""frontend webhooks
  mode http
  bind 127.0.0.1:{{port}}
  option forwardfor
  default_backend sluice
backend sluice
  mode http
  option httpchk GET /readyz
{servers}
""")


def _haproxy(folder: Path, ways: str) -> Front:
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    text = "global\n  maxconn 200\ndefaults\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n  timeout http-keep-alive 20s\n"
    return Front(folder, "haproxy", ["haproxy", "-db", "-f", str(folder / "haproxy.conf")], text + ways.format(port=port), port)


def post(front: Front | Program, path: str, body: bytes, headers: list[tuple[str, str]], *options: str) -> Answer:
    """By curl from CLIENT over HTTP/2, where the other side offers it. `options` such as --http1.1 are curl's."""
    words = [word for name, value in headers for word in ("--header", f"{name}: {value}")]
    command = ["curl", "--silent", "--insecure", "--max-time", "20", "--interface", CLIENT, "--http2", "--request", "POST", *words,
               "--dump-header", "-", "--output", "/dev/null", *options, f"https://127.0.0.1:{front.port}{path}"]
    if "--upload-file" not in options:
        command += ["--data-binary", "@-"]
    said = subprocess.run(command, input=body, capture_output=True, timeout=30, check=False).stdout.decode()
    lines = said.strip().rpartition("\r\n\r\n")[2].splitlines()
    if not lines:
        return Answer(0, {})
    return Answer(int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])})


# A request whose length nobody knows before its end: HTTP/2 needs none, HTTP/1.1 makes it chunked.
WITHOUT_LENGTH = ("--upload-file", "-")
