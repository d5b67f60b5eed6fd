"""The peers that a daemon asks: an HTTP service, a PostgreSQL server and a provider. Each has random answers."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import random
import struct

from .mutation import mutated

OK = b"HTTP/1.1 200 OK\r\n"
HTTP_ANSWERS = [
    OK + b"Content-Length: 4\r\n\r\ntrue",
    OK + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ntr\r\n2\r\nue\r\n0\r\n\r\n",
    OK + b"Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n4\r\ntrue\r\n0\r\nX: 1\r\n\r\n",
    OK + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n" + gzip.compress(b'"' + b"x" * 2_000_000 + b'"'),
    OK + b"Connection: close\r\n\r\n[1,2]",
    b"HTTP/1.1 100 Continue\r\n\r\n" * 20 + OK + b"Content-Length: 4\r\n\r\nnull",
    b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.0 503 Busy\r\nRetry-After: 99999999999\r\n\r\n",
    OK + b"".join(b"X-%d: %s\r\n" % (number, b"y" * 1_000) for number in range(100)) + b"Content-Length: 4\r\n\r\ntrue",
    *(b"HTTP/1.1 %03d ?\r\nContent-Length: 4\r\n\r\ntrue" % status for status in (0, 1, 42, 99, 199, 299, 599, 999)),
]


def message(kind: bytes, *parts: bytes) -> bytes:
    """A message of PostgreSQL's protocol (its documentation, section 55.7)."""
    body = b"".join(parts)
    return kind + struct.pack("!I", len(body) + 4) + body


def column(name: bytes, type_: int) -> bytes:
    return name + b"\0" + struct.pack("!IhIhih", 0, 0, type_, -1, -1, 0)


READY = message(b"Z", b"I")
WELCOME = [
    message(b"R", struct.pack("!I", 0)),
    message(b"S", b"server_version\0" b"15.6\0"),
    message(b"S", b"client_encoding\0UTF8\0"),
    message(b"S", b"standard_conforming_strings\0on\0"),
    message(b"K", struct.pack("!II", 7, 7)),
    READY,
]
ROW_OF_ONE = message(b"T", struct.pack("!h", 1), column(b"one", 23))
POSTGRES_ANSWERS = [
    message(b"1"),
    message(b"2"),
    message(b"t", struct.pack("!h", 0)),
    ROW_OF_ONE,
    message(b"D", struct.pack("!hi", 1, 1), b"1"),
    message(b"D", struct.pack("!hi", 1, -1)),
    message(b"C", b"SELECT 1\0"),
    message(b"n"),
    message(b"s"),
    message(b"I"),
    message(b"3"),
    message(b"G", struct.pack("!bh", 0, 0)),
    message(b"H", struct.pack("!bh", 0, 0)),
    message(b"W", struct.pack("!bh", 0, 0)),
    message(b"d", b"1\n"),
    message(b"c"),
    message(b"E", b"SERROR\0C42601\0Mno\0\0"),
    message(b"N", b"SNOTICE\0C00000\0Mhm\0\0"),
    message(b"A", struct.pack("!I", 7), b"x\0y\0"),
    READY,
]

PROVIDER_ANSWERS = [
    {"result": True},
    {"result": {"a": [1, "b", None]}},
    {"error": {"code": 1, "message": "no"}},
    {"result": True, "error": {"code": 1, "message": "no"}},
    {"result": "x" * 100_000},
    {},
    {"method": "server/ping"},
]


class Peer:
    """A server on a port of its own, which answers at random."""

    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.port = 0
        self.asked = 0

    async def __aenter__(self) -> Peer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self.talk(reader, writer)
        writer.close()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError

    async def send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        """Sends it in one piece or in two."""
        middle = self.random.choice([0, self.random.randint(0, len(data))])
        for part in (data[:middle], data[middle:]):
            writer.write(part)
            await writer.drain()


class Service(Peer):
    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            self.asked += 1
            await self.send(writer, mutated(self.random, self.random.choice(HTTP_ANSWERS), HTTP_ANSWERS))
            if self.random.random() < 0.5:
                return


class Postgres(Peer):
    """Each client asks in flights of messages, which end with a Sync."""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The startup message has no kind.
        await reader.readexactly(struct.unpack("!I", await reader.readexactly(4))[0] - 4)
        self.asked += 1
        await self.send(writer, self._mostly(b"".join(WELCOME), 0.1))
        flight: list[bytes] = []
        returns_rows = False
        status = b"I"
        while True:
            kind, length = struct.unpack("!cI", await reader.readexactly(5))
            body = await reader.readexactly(length - 4)
            match kind:
                case b"X":
                    return
                case b"P":
                    text = body.split(b"\0")[1].upper()
                    returns_rows = text.startswith(b"SELECT")
                    if text.startswith((b"BEGIN", b"COMMIT", b"ROLLBACK")):
                        status = b"T" if text.startswith(b"BEGIN") else b"I"
                    flight.append(message(b"1"))
                case b"B":
                    flight.append(message(b"2"))
                case b"D":
                    if body.startswith(b"S"):
                        flight.append(message(b"t", struct.pack("!h", 0)))
                    flight.append(ROW_OF_ONE if returns_rows else message(b"n"))
                case b"E":
                    if returns_rows:
                        flight.append(message(b"D", struct.pack("!hi", 1, 1), b"1"))
                    flight.append(message(b"C", b"SELECT 1\0" if returns_rows else b"BEGIN\0"))
                case b"C":
                    flight.append(message(b"3"))
                case b"S":
                    self.asked += 1
                    await self.send(writer, self._changed(flight, message(b"Z", status)))
                    flight = []

    def _mostly(self, data: bytes, share: float) -> bytes:
        return mutated(self.random, data, POSTGRES_ANSWERS) if self.random.random() < share else data

    def _changed(self, flight: list[bytes], ready: bytes) -> bytes:
        """Mostly the answers to a flight, with some that do not belong there."""
        for _ in range(self.random.choice([0, 0, 0, 1, 2])):
            position = self.random.randint(0, len(flight))
            flight[position : position + self.random.randint(0, 1)] = [self.random.choice(POSTGRES_ANSWERS)]
        return self._mostly(b"".join(flight) + ready, 0.2)


def provider_answer(random: random.Random, id_: str) -> bytes:
    """A line of a provider: an answer to the request of that id, often a broken one."""
    answers = [json.dumps({"jsonrpc": "2.0", "id": id_} | answer).encode() + b"\n" for answer in PROVIDER_ANSWERS]
    # Without a line end, the daemon waits for more.
    return mutated(random, random.choice(answers), answers) + b"\n"
