"""The web server of the tests: pages, posts, a service of the forms, and the way to the door, which can be slow, cut
and silent."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
import time
from pathlib import Path
from typing import Any, Callable, Optional
from urllib.parse import parse_qsl

from harness import PATIENCE_SECONDS

JSON = Any
WEB = Path(__file__).resolve().parents[2] / "protocol" / "clients" / "web"
NODE = Path("/usr/share/nodejs")
"""Where Debian installs packages of Node."""
POLICY = "default-src 'self'"


def read_head(connection: socket.socket) -> tuple[str, str, dict[str, str], bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        if not more:
            raise ConnectionError
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(1 << 16)
    return method, path, headers, data if "upgrade" in headers else head + b"\r\n\r\n" + body


def answer(connection: socket.socket, status: str, kind: str, body: bytes, extra: str = "") -> None:
    connection.sendall(
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        f"Content-Security-Policy: {POLICY}\r\n{extra}\r\n".encode() + body
    )


class Server:
    """Serves each connection in a thread."""

    def __init__(self, serve: Callable[[socket.socket], None]) -> None:
        self._serve = serve
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ConnectionError, ValueError), connection:
            self._serve(connection)

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Way:
    """One connection through the front to the door."""

    def __init__(self, front: Front, near: socket.socket, far: socket.socket) -> None:
        self.front, self.near, self.far = front, near, far
        self.sent = b""

    def run(self) -> None:
        backward = threading.Thread(target=self._forward, args=(self.far, self.near, True), daemon=True)
        backward.start()
        self._forward(self.near, self.far, False)
        backward.join()

    def _forward(self, one: socket.socket, other: socket.socket, is_answer: bool) -> None:
        waiting: queue.Queue[tuple[float, bytes]] = queue.Queue()
        threading.Thread(target=self._deliver, args=(waiting, other), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                waiting.put((time.monotonic() + (self.front.delay if is_answer else 0), data))
        waiting.put((0, b""))

    def _deliver(self, waiting: queue.Queue[tuple[float, bytes]], other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                due, data = waiting.get()
                if not data:
                    break
                # The delay of a slow network; no test measures it.
                threading.Event().wait(max(0.0, due - time.monotonic()))
                self.front.open.wait()
                other.sendall(data)
        self.close()

    def close(self) -> None:
        for end in (self.near, self.far):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Front(Server):
    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.posts: list[tuple[str, dict[str, str]]] = []
        """Forms that were posted without the door: path and fields."""
        self.asked: list[JSON] = []
        """Bodies of the requests that the daemon sent to the service."""
        self.service: Callable[[JSON], JSON] = lambda _: {"id": 1}
        """The answer of the service to a body."""
        self.door_port = 0
        self.delay = 0.0
        self.refuses = False
        self.open = threading.Event()
        """While this is not set, nothing passes in either direction, and nobody learns why."""
        self.open.set()
        self.held = threading.Event()
        """While this is not set, the service does not answer."""
        self.held.set()
        self.ways: list[Way] = []
        self.upgrades = 0
        self._more = threading.Condition()
        super().__init__(self._request)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        with self._more:
            assert self._more.wait_for(condition, PATIENCE_SECONDS), f"{what} did not come about"

    def cut(self) -> None:
        """Ends all sockets, as a proxy does."""
        for way in self.ways:
            way.close()

    def _note(self, change: Callable[[], Any]) -> None:
        with self._more:
            change()
            self._more.notify_all()

    def _request(self, connection: socket.socket) -> None:
        method, path, headers, request = read_head(connection)
        if path.startswith("/formd/"):
            if "upgrade" in headers:
                self._note(lambda: setattr(self, "upgrades", self.upgrades + 1))
                if self.refuses:
                    return
            far = socket.create_connection(("127.0.0.1", self.door_port))
            far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            far.sendall(request if "upgrade" in headers
                        else request.replace(b"Connection: keep-alive", b"Connection: close"))  # fmt: skip
            way = Way(self, connection, far)
            if "upgrade" in headers:
                self.ways.append(way)
            way.run()
            return
        body = request.partition(b"\r\n\r\n")[2]
        if path.startswith("/service"):
            self._note(lambda: self.asked.append(json.loads(body)))
            self.held.wait(PATIENCE_SECONDS)
            answer(connection, "201 Created", "application/json", json.dumps(self.service(json.loads(body))).encode())
        elif method == "POST":
            self._note(lambda: self.posts.append((path, dict(parse_qsl(body.decode(), keep_blank_values=True)))))
            answer(connection, "200 OK", "text/html", b"<!doctype html><title>Posted</title><h1>Posted</h1>")
        elif path in self.pages:
            kind = "text/javascript" if path.endswith(".js") else "text/html"
            answer(connection, "200 OK", kind + "; charset=utf-8", self.pages[path].encode())
        elif path.startswith("/node/") and path.endswith(".js") and ".." not in path and (NODE / path[6:]).is_file():
            answer(connection, "200 OK", "text/javascript; charset=utf-8", (NODE / path[6:]).read_bytes())
        elif path.startswith("/web/") and (WEB / path[5:]).is_file() and ".." not in path:
            kinds = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
            answer(connection, "200 OK", kinds.get(Path(path).suffix, "text/plain") + "; charset=utf-8",
                   (WEB / path[5:]).read_bytes())  # fmt: skip
        else:
            answer(connection, "404 Not Found", "text/plain", b"Not found")
