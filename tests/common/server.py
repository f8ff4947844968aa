"""What the stand-ins of other people's servers share: a real HTTP server on this machine, in a thread."""

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers requests, and logs nothing."""

    def body(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send_json(self, status: int, document: object) -> None:
        self.send(status, json.dumps(document).encode(), "application/json")

    def send(self, status: int, body: bytes = b"", kind: str = "", **headers: str) -> None:
        """Answer with a body; `headers` are those of the answer besides its type and length."""
        self.send_response(status)
        for name, value in (headers | ({"Content-Type": kind} if kind else {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        return


@contextmanager
def serving(
    handler: type[BaseHTTPRequestHandler],
    *,
    port: int = 0,
    address: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> Iterator[int]:
    """Run a server for the duration of the block, and give its port; port 0 takes a free one."""
    server = ThreadingHTTPServer((address, port), handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
