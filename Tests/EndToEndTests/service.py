"""An HTTP service that notes its requests, and answers when a test says so."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Optional

from harness import PATIENCE_SECONDS


class Asked(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    """By name in small letters."""
    body: Any


class Service:
    """On a port of its own, while it is entered. Requests are held until `answer` is called; from then on none is."""

    def __init__(self) -> None:
        self.requests: list[Asked] = []
        self.statuses: list[int] = []
        """Of the next answers; 200 when there are none."""
        self._more = threading.Condition()
        self._answers = threading.Event()
        self._server: Optional[ThreadingHTTPServer] = None

    def __enter__(self) -> Service:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service._serve(self)

            def do_GET(self) -> None:
                service._serve(self)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server
        self._answers.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        assert self._server
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self) -> None:
        self._answers.set()

    def wait_for(self, count: int) -> list[Asked]:
        """All requests, when there are so many."""
        with self._more:
            self._more.wait_for(lambda: len(self.requests) >= count, PATIENCE_SECONDS)
            assert len(self.requests) >= count, f"{count} requests are awaited, and these came: {self.requests}"
            return list(self.requests)

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._more:
            self.requests.append(Asked(handler.command, handler.path, headers, json.loads(body) if body else None))
            self._more.notify_all()
        self._answers.wait()
        with self._more:
            status = self.statuses.pop(0) if self.statuses else 200
        answer = b'{"name":"Kim"}'
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(answer)))
            handler.end_headers()
            handler.wfile.write(answer)
        except (BrokenPipeError, ConnectionResetError):
            # The caller was killed before it got the answer.
            handler.close_connection = True
