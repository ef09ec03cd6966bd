"""An OCI layout behind the half of a registry's protocol that pulls: enough for helm."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.released import Layout

TLS_HANDSHAKE = b"\x16"  # the type of the first record, RFC 8446 section 5.1


def answer(layout: Layout, path: str) -> tuple[str, bytes] | None:
    """Media type and content of /v2/NAME/manifests/TAG-OR-DIGEST and /v2/NAME/blobs/DIGEST."""
    if path == "/v2/":
        return "application/json", b"{}"
    name, kind, which = path.removeprefix("/v2/").rsplit("/", 2)
    known = {one["digest"]: one for one in layout.index["manifests"]}
    if kind == "manifests":
        found = layout.named.get(f"{name}-{which}") or known.get(which)
        return found and (found["mediaType"], layout.blob(found))
    file = layout.folder / "blobs/sha256" / which.removeprefix("sha256:")
    return ("application/octet-stream", file.read_bytes()) if file.is_file() else None


@contextmanager
def serving(layout: Layout) -> Iterator[str]:
    """Its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answer(layout, self.path)
            self.send_response(200 if found else 404)
            kind, content = found or ("text/plain", b"")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        do_HEAD = do_GET

        def handle_one_request(self) -> None:
            """A client that tries TLS first, as containerd does, gets plain HTTP for an answer and asks again without."""
            if self.rfile.peek(1)[:1] == TLS_HANDSHAKE:
                self.wfile.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
                self.close_connection = True
            else:
                super().handle_one_request()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
