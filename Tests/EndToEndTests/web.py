"""The door for browsers, `formd-web`, and a browser's side of a WebSocket (RFC 6455) that can also do what no browser
does."""

from __future__ import annotations

import base64
import itertools
import json
import os
import socket
import struct
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

import witness
from harness import JSON, PATIENCE_SECONDS, ROOT, Caller, Daemon, Process, formd_binary

ORIGIN = "https://shop.example.com"
HOST = "shop.example.com"
SUBPROTOCOL = "formd.1"

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
WEB: dict[str, JSON] = {
    "address": "127.0.0.1:0",
    "hosts": [HOST],
    "origins": [ORIGIN],
    "forms": {"login": {"open": True}, "feedback": {"open": True, "keep": "30m"}, "signup": {"open": False}},
}


def web_binary() -> Path:
    return Path(os.environ.get("FORMD_WEB_BIN") or formd_binary().parent / "formd-web")


class Door(Process):
    """`formd-web` in front of the daemon of a socket."""

    def __init__(
        self,
        folder: Path,
        daemon: Path,
        web: Optional[dict[str, JSON]] = None,
        arguments: tuple[str, ...] = (),
        wait: bool = True,
        files: Optional[int] = None,
    ) -> None:
        config = folder / "web.json"
        config.touch(mode=0o600)
        config.write_text(json.dumps({"web": WEB if web is None else web}), encoding="utf-8")
        limited = ["bash", "-c", f'ulimit -n {files} && exec "$0" "$@"'] if files else []
        super().__init__([*limited, str(web_binary()), "--config", str(config), "--socket", str(daemon), *arguments])
        self.port = 0
        if wait:
            line = self.line_with("listening", "address=127.0.0.1:")
            self.port = int(line.split("address=127.0.0.1:")[1].split()[0])

    def connect(self) -> socket.socket:
        """A fresh connection on which nothing was sent."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)

    def ask(self, path: str, method: str = "GET", **headers: str) -> Response:
        """One request of HTTP. A header with an empty text is left out."""
        with self.connect() as connection:
            connection.sendall(head(path, method, headers))
            return Response.of(connection)

    def browser(self, **headers: str) -> Browser:
        """A browser that has upgraded."""
        return Browser(self, **headers)

    def refused(self, **headers: str) -> Response:
        """The answer to an upgrade that is refused."""
        response = self.ask("/formd/socket", **{**upgrade_headers(), **headers})
        assert response.status != 101, response
        return response


def head(path: str, method: str, headers: dict[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1"]
    for name, value in {"Host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
        if value:
            lines.append(f"{name}: {value}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def upgrade_headers() -> dict[str, str]:
    return {
        "Origin": ORIGIN,
        "Upgrade": "websocket",
        "Connection": "keep-alive, Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec_WebSocket_Protocol": SUBPROTOCOL,
    }


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @classmethod
    def of(cls, connection: socket.socket) -> Response:
        """Reads an answer to its end; the connection ends with it."""
        received = b""
        while data := receive(connection):
            received += data
        return cls.parse(received)

    @classmethod
    def parse(cls, received: bytes) -> Response:
        top, _, body = received.partition(b"\r\n\r\n")
        first, *lines = top.decode("latin-1").split("\r\n")
        assert first.startswith("HTTP/1.1 "), received
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return cls(int(first.split()[1]), headers, body)


def receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 16)
    except ConnectionResetError:
        return b""


class Close(NamedTuple):
    """What a close frame says."""

    code: int
    reason: str


_browsers = itertools.count(1)


class Browser(Caller):
    """One WebSocket to the door."""

    def __init__(self, door: Door, **headers: str) -> None:
        self.socket = door.connect()
        self.socket.sendall(head("/formd/socket", "GET", {**upgrade_headers(), **headers}))
        self._unread = b""
        while b"\r\n\r\n" not in self._unread:
            data = receive(self.socket)
            assert data, f"the door has ended the connection: {self._unread!r}"
            self._unread += data
        top, _, self._unread = self._unread.partition(b"\r\n\r\n")
        self.response = Response.parse(top + b"\r\n\r\n")
        assert self.response.status == 101, self.response
        self._next_id = 0
        self.recording = witness.Recording(f"browser-{next(_browsers)}")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    # Out

    def send_frame(self, opcode: int, data: bytes, first: int = 0x80, mask: bool = True) -> None:
        self.socket.sendall(frame(opcode, data, first, mask))

    def send_text(self, text: str) -> None:
        self.recording.sent(text.encode())
        self.send_frame(TEXT, text.encode())

    def send(self, method: str, params: Optional[dict[str, JSON]] = None, number: JSON = None) -> None:
        message: dict[str, JSON] = {"jsonrpc": "2.0", "method": method}
        if number is not None:
            message["id"] = number
        if params is not None:
            message["params"] = params
        text = json.dumps(message, ensure_ascii=False)
        if number is None:
            # No answer tells whether the door passes a notification on, so it is not recorded.
            self.send_frame(TEXT, text.encode())
        else:
            self.send_text(text)

    # In

    def _take(self, count: int) -> Optional[bytes]:
        while len(self._unread) < count:
            data = receive(self.socket)
            if not data:
                return None
            self._unread += data
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    def read_frame(self) -> Optional[tuple[int, bytes]]:
        """The next frame: its opcode and data; None at the end of the connection."""
        start = self._take(2)
        if start is None:
            return None
        assert start[0] & 0x80 and not start[0] & 0x70, "the door splits no message, and uses no extension"
        assert not start[1] & 0x80, "a server does not mask"
        length = start[1]
        if length >= 126:
            extended = self._take(2 if length == 126 else 8)
            assert extended is not None
            length = int.from_bytes(extended, "big")
        data = self._take(length)
        assert data is not None, "the connection ended inside a frame"
        return start[0] & 0x0F, data

    def read(self) -> JSON:
        """The next message. Pings are answered."""
        while True:
            got = self.read_frame()
            assert got is not None, "the connection ended without a close frame"
            opcode, data = got
            if opcode == PING:
                self.send_frame(PONG, data)
                continue
            assert opcode == TEXT, f"not a message: {opcode} {data!r}"
            message = json.loads(data)
            # The door refuses methods that exist; the protocol's document says nothing of that.
            if message.get("error", {}).get("code") != -32601:
                self.recording.received(data)
            return message

    def exchange(self, method: str, params: Optional[dict[str, JSON]] = None) -> tuple[JSON, list[JSON]]:
        """One request: its answer, and the messages before it."""
        self._next_id += 1
        self.send(method, params, self._next_id)
        before: list[JSON] = []
        while True:
            message = self.read()
            if "method" not in message and message.get("id") == self._next_id:
                return message, before
            before.append(message)

    def closed(self) -> Close:
        """Waits for the close frame of the door, answers it, and waits for the end of the connection."""
        while True:
            got = self.read_frame()
            assert got is not None, "the connection ended without a close frame"
            opcode, data = got
            if opcode == CLOSE:
                break
        reason = Close(int.from_bytes(data[:2], "big"), data[2:].decode())
        try:
            self.send_frame(CLOSE, data[:2])
        except OSError:
            pass
        while receive(self.socket):
            pass
        return reason


def frame(opcode: int, data: bytes, first: int = 0x80, mask: bool = True) -> bytes:
    """A frame; `first` has FIN and the reserved bits."""
    start = bytes([first | opcode])
    bit = 0x80 if mask else 0
    if len(data) < 126:
        start += bytes([bit | len(data)])
    elif len(data) < 1 << 16:
        start += bytes([bit | 126]) + struct.pack("!H", len(data))
    else:
        start += bytes([bit | 127]) + struct.pack("!Q", len(data))
    if not mask:
        return start + data
    key = os.urandom(4)
    return start + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(data))


def every_method() -> Iterator[JSON]:
    """Each method of the protocol's document."""
    yield from json.loads((ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8"))["methods"]


def kept(daemon: Daemon, form: str = "login") -> str:
    """The key of a session that a program has opened and left."""
    with daemon.connect() as program:
        return program.call("session/open", {"form": form, "locale": "en", "keep": "10m"})["key"]
