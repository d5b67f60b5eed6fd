"""A proxy between clients and a daemon that cuts connections where a test says."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

JSON = Any

Point = Callable[[Optional[str], JSON], bool]
"""Decides whether to cut a connection in the place of a message. It gets the method (of an answer: its request's
method) and the message."""


def at_request(method: str) -> Point:
    """The next request of that method does not reach the daemon."""
    return lambda name, message: name == method and "method" in message and "id" in message


def at_answer(method: str) -> Point:
    """The daemon has executed that method; its answer does not reach the client."""
    return lambda name, message: name == method and "method" not in message


def at_event(method_name: Optional[str], message: JSON) -> bool:
    """The next event does not reach the client."""
    return method_name == "session/update" and bool(message["params"].get("events"))


class Proxy:
    """Listens on `path`, and passes on line by line what clients and the daemon at `target` say."""

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target
        self.connections = 0
        """How many there were."""
        self._lock = threading.Lock()
        self._points: list[Point] = []
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listen()

    def cut(self, point: Point) -> None:
        """Cuts the first connection that reaches the point."""
        with self._lock:
            self._points.append(point)

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """All connections are cut, and no client can connect in this context."""
        self.end()
        try:
            yield
        finally:
            self._listen()

    def end(self) -> None:
        # The end of a socket wakes a thread that waits in accept(2); closing the socket does not.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listening.close()
        self.path.unlink()
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            _end(pair)

    def _listen(self) -> None:
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(self.path))
        self._listening.listen()
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            pair = (client, daemon)
            try:
                daemon.connect(str(self.target))
            except OSError:
                _end(pair)
                continue
            methods: dict[JSON, str] = {}
            with self._lock:
                self.connections += 1
                self._pairs.append(pair)
            for source, sink in (pair, pair[::-1]):
                threading.Thread(target=self._pass_on, args=(source, sink, pair, methods), daemon=True).start()

    def _pass_on(
        self,
        source: socket.socket,
        sink: socket.socket,
        pair: tuple[socket.socket, socket.socket],
        methods: dict[JSON, str],
    ) -> None:
        with contextlib.suppress(OSError), source.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                method = message.get("method")
                if method is None:
                    method = methods.get(message.get("id"))
                elif "id" in message:
                    methods[message["id"]] = method
                if self._is_at_a_point(method, message):
                    break
                sink.sendall(line)
        _end(pair)

    def _is_at_a_point(self, method: Optional[str], message: JSON) -> bool:
        with self._lock:
            point = next((one for one in self._points if one(method, message)), None)
            if point is not None:
                self._points.remove(point)
            return point is not None


def _end(pair: tuple[socket.socket, socket.socket]) -> None:
    for one in pair:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
