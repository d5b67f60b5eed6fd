"""An attack, and the tools of its attackers."""

from __future__ import annotations

import array
import collections
import fcntl
import importlib
import itertools
import json
import os
import pkgutil
import re
import select
import signal
import socket
import termios
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Optional

JSON = Any

ERROR = re.compile(rb'"error":\{"code":(-?\d+)')


@dataclass
class Tally:
    """The observations of attackers."""

    answers: int = 0
    """Answers of the daemon, including errors."""
    errors: collections.Counter[int] = field(default_factory=collections.Counter)
    """Answers that are errors, by code."""
    faults: collections.Counter[str] = field(default_factory=collections.Counter)
    """Breaches of the protocol, in words. Each is a defect, whatever the times and the memory are."""
    hang_ups: int = 0
    """Connections that the daemon closed."""

    def add(self, other: Tally) -> None:
        self.answers += other.answers
        self.errors += other.errors
        self.faults += other.faults
        self.hang_ups += other.hang_ups


@dataclass(frozen=True)
class Attack:
    """One attack. Each attacker is a process, which repeats `round` until its time is up.

    Everything that a round holds open ends with it. A round that fills the daemon ends with `Target.hold`.
    """

    name: str
    sentence: str
    """The attack, in one sentence."""
    round: Callable[[Target], None]
    attackers: int = 1
    forms: dict[str, JSON] = field(default_factory=dict)
    """Definitions in the forms folder, by name."""
    bystander: str = "change"
    """The request of the bystander: `change` a field of the login form, `http` or `sql` for a tap on the form of that
    name."""
    is_log_read: bool = True
    """Whether the daemon's stderr is read."""
    peak_bytes_max: int = 400_000_000
    """How much memory the daemon may take."""
    descriptors: Optional[int] = None
    """How many files the daemon may have open."""
    has_door: bool = False
    """Whether formd-web runs beside the daemon. Then the bystander is a browser."""
    refusals: frozenset[int] = frozenset()
    """Codes of the protocol's errors. The daemon must send at least one of them to the attackers."""


ATTACKS: dict[str, Attack] = {}
"""All attacks by name, in the order in which they are printed."""


def attack(
    name: str, sentence: str, *, refusals: Iterable[int] = (), **options: Any
) -> Callable[..., Callable[[Target], None]]:
    """Makes a function the round of a new attack."""

    def register(round: Callable[[Target], None]) -> Callable[[Target], None]:
        assert name not in ATTACKS, name
        ATTACKS[name] = Attack(name, sentence, round, refusals=frozenset(refusals), **options)
        return round

    return register


def all_attacks() -> dict[str, Attack]:
    """Every attack of the folder `attacks`."""
    from . import attacks

    for module in pkgutil.iter_modules(attacks.__path__):
        importlib.import_module(f"{attacks.__name__}.{module.name}")
    return ATTACKS


class Target:
    """The daemon as an attacker sees it."""

    def __init__(
        self, path: Path, forms: Path, pid: int, index: int = 0, dose: float = 1.0, door: Optional[int] = None
    ) -> None:
        self.path = path
        self.forms = forms
        """The folder that the daemon reads its forms from."""
        self.pid = pid
        self.index = index
        """The attacker's number, from 0 on."""
        self.door = door
        """The port of formd-web, if it runs."""
        self.tally = Tally()
        self.is_holding: Callable[[], None] = lambda: None
        """Called when the round has done all its work."""
        self._dose = dose

    def share(self, count: int) -> int:
        """The given number in a whole round; fewer in a test, which plays a small round."""
        return max(1, round(count * self._dose))

    def connect(self) -> Client:
        return Client(self)

    def browse(self) -> Browser:
        """A browser that is connected through formd-web."""
        return Browser(self)

    def reload(self) -> None:
        os.kill(self.pid, signal.SIGHUP)

    def hold(self, *_: object) -> None:
        """Does nothing more until the time is up, and keeps its arguments open."""
        self.is_holding()
        while True:
            signal.pause()


class Client:
    """A connection in line framing. Its messages are counted in the target's tally."""

    def __init__(self, target: Target) -> None:
        self.tally = target.tally
        self._unread = bytearray()
        self._id = 0
        self.socket = self._connect(target)

    def _connect(self, target: Target) -> socket.socket:
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(str(target.path))
        return connected

    def framed(self, line: bytes) -> bytes:
        """A line as it is sent."""
        return line

    def messages(self, data: bytes) -> list[bytes]:
        """The messages that end with these bytes."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        return lines

    def send(self, *lines: bytes) -> None:
        """Sends lines and reads nothing. If the daemon takes no more, it waits until the time is up."""
        self.socket.sendall(b"".join(map(self.framed, lines)))

    def call(self, method: str, **params: JSON) -> JSON:
        """One request and its answer: the result, or None for an error, which is counted."""
        self._id += 1
        self.send(request(self._id, method, **params))
        while True:
            message = json.loads(self.read())
            if "method" not in message:
                return message.get("result")

    def read(self) -> bytes:
        """The next line."""
        start = 0
        while (end := self._unread.find(b"\n", start)) < 0:
            start = len(self._unread)
            self._unread += self._receive()
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        self._count(line)
        return line

    @property
    def unread_bytes(self) -> int:
        """The unread bytes of the socket."""
        count = array.array("i", [0])
        fcntl.ioctl(self.socket, termios.FIONREAD, count)
        return count[0]

    def pump(self, *lines: bytes) -> None:
        """Sends requests, one a line, while it reads, until each has its answer or the daemon hangs up, which is
        counted."""
        end = self.tally.answers + len(lines)
        unsent = memoryview(b"".join(map(self.framed, lines)))
        poll = select.poll()
        self.socket.setblocking(False)
        try:
            while self.tally.answers < end:
                poll.register(self.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
                ready = poll.poll()[0][1]
                if ready & ~select.POLLOUT:
                    self._read_some()
                elif ready & select.POLLOUT:
                    unsent = self._send_some(unsent)
        except ConnectionError:
            self.tally.hang_ups += 1
        finally:
            self.socket.setblocking(True)

    def _send_some(self, data: memoryview) -> memoryview:
        try:
            return data[self.socket.send(data) :]
        except BrokenPipeError:
            # The daemon's messages before it hung up can still be read.
            return data[:0]

    def _read_some(self) -> None:
        for line in self.messages(self._receive()):
            self._count(line)

    def skip(self) -> None:
        """Reads one line without keeping it, because it is too long."""
        while b"\n" not in (chunk := self._receive()):
            pass
        self._unread = bytearray(chunk[chunk.index(b"\n") + 1 :])

    def _receive(self) -> bytes:
        chunk = self.socket.recv(1 << 20)
        if not chunk:
            raise ConnectionError("the daemon closed the connection")
        return chunk

    def _count(self, line: bytes | bytearray) -> None:
        if b'"method":"' in line[:80]:
            return
        self.tally.answers += 1
        # The id is before the error, and may be long.
        if error := ERROR.search(line):
            self.tally.errors[int(error[1])] += 1

    def close(self) -> None:
        self.socket.close()


class Browser(Client):
    """A browser's WebSocket (RFC 6455) to formd-web. Each browser has an address of its own."""

    _count_of_browsers = itertools.count()

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self._waiting: list[bytes] = []

    def _connect(self, target: Target) -> socket.socket:
        assert target.door is not None
        connected = socket.create_connection(("127.0.0.1", target.door))
        connected.sendall(self.upgrade(target.index))
        # Nothing follows the head before the browser's first message.
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            more = connected.recv(1024)
            if not more:
                raise ConnectionError("the door closed the connection")
            head += more
        if b" 101 " not in head[:20]:
            raise ConnectionError(f"the upgrade was refused: {head!r}")
        return connected

    @classmethod
    def upgrade(cls, attacker: int) -> bytes:
        """A request for a WebSocket, from the next address."""
        number = next(cls._count_of_browsers)
        return (
            "GET /formd/socket HTTP/1.1\r\nHost: bench.example\r\nOrigin: https://bench.example\r\n"
            f"X-Forwarded-For: 10.{attacker}.{number >> 8 & 255}.{number & 255}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: formd.1\r\n\r\n"
        ).encode()

    def framed(self, line: bytes) -> bytes:
        """A text frame. The key of the mask is zero, so the data stays as it is."""
        count = len(line)
        length = bytes([0x80 | count]) if count < 126 else b"\xfe" + count.to_bytes(2, "big")
        return b"\x81" + length + b"\0\0\0\0" + line

    def messages(self, data: bytes) -> list[bytes]:
        self._unread += data
        texts = []
        start = 0
        while (frame := self._frame(start)) is not None:
            opcode, body, start = frame
            if opcode == 1:
                texts.append(body)
        del self._unread[:start]
        return texts

    def _frame(self, start: int) -> Optional[tuple[int, bytes, int]]:
        """The opcode and the data of the frame there, and its end; None if it is not whole."""
        unread = self._unread
        if len(unread) < start + 2:
            return None
        count, data = unread[start + 1], start + 2
        if count >= 126:
            data += 2 if count == 126 else 8
            count = int.from_bytes(unread[start + 2 : data], "big")
        end = data + count
        return (unread[start] & 15, bytes(unread[data:end]), end) if len(unread) >= end >= data else None

    def read(self) -> bytes:
        while not self._waiting:
            self._waiting = self.messages(self._receive())
        line = self._waiting.pop(0)
        self._count(line)
        return line


def encode(message: JSON) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def request(number: JSON, method: str, **params: JSON) -> bytes:
    """A request as a line. A param of None is left out; `await_` stands for `await`, a keyword of Python."""
    given = {name.rstrip("_"): value for name, value in params.items() if value is not None}
    return encode({"jsonrpc": "2.0", "id": number, "method": method, "params": given}) + b"\n"


def form(properties: JSON, **members: JSON) -> JSON:
    """A definition with fields of these schemas."""
    return {"schema": {"type": "object", "properties": properties}, **members}


def asking(run: JSON, success: str = "true") -> JSON:
    """A definition whose action `ask` does this run and succeeds with `success`. Taps run at the same time."""
    outcomes = [{"when": "response.kind == 'ok'", "success": success}, {"failure": "response.kind"}]
    # Longer than any attack: a request that hangs does not end by itself.
    ask = {"scope": "none", "flight": "merge", "timeout": "1m", "run": run, "outcomes": outcomes}
    # A form must have a field.
    return form({"none": {}}, actions={"ask": ask})


def http(path: str) -> JSON:
    """A run that asks the bench's HTTP service."""
    return {"http": {"service": "bench", "path": path}}


def sql(query: str) -> JSON:
    """A run that asks the bench's database."""
    return {"sql": {"database": "bench", "query": query}}
