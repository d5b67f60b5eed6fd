"""Clients whose daemon is killed again and again, and the backend that counts the requests of their taps."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Callable, Optional

from .history import History, next_inputs

JSON = Any

KEEP = "1h"
LINE_BYTES_MAX = 1 << 24


class Backend:
    """An HTTP service in this process. It counts each request when it arrives, and answers a little later."""

    def __init__(self, chance: random.Random) -> None:
        self.requests: dict[str, Counter[str]] = defaultdict(Counter)
        """The number of requests, by the session's tag and the mark of its tap."""
        self.keys: Counter[str] = Counter()
        """The number of requests, by their `Idempotency-Key`."""
        self.port = 0
        self._chance = chance
        self._server: Optional[asyncio.Server] = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def end(self) -> None:
        if self._server:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The daemon at the other end may be killed at any moment.
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                self.requests[body["tag"]][body["mark"]] += 1
                self.keys[headers["idempotency-key"]] += 1
                await asyncio.sleep(self._chance.choice([0, 0.001, 0.02, 0.2]))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                await writer.drain()
        writer.close()

    def faults(self) -> list[str]:
        """Faults of the backend's requests, from any client."""
        faults = [f"{count} requests have the key {key}" for key, count in self.keys.items() if count > 1]
        for tag, marks in self.requests.items():
            faults += [f"the tap {mark} of {tag} was sent {count} times" for mark, count in marks.items() if count > 1]
        return faults


class Meter:
    """Counts answers, and signals when there are enough."""

    def __init__(self, wanted: int) -> None:
        self.count = 0
        self.reached = asyncio.Event()
        self._wanted = wanted

    def add(self) -> None:
        self.count += 1
        if self.count >= self._wanted:
            self.reached.set()


class Gone(Exception):
    """The daemon is gone."""


class Connection:
    """A connection in line framing. Each answer goes to the request's caller; updates go to a handler that wants them.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, on_push: Callable[[JSON], None]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._on_push = on_push
        self._last = 0
        self._waiting: dict[int, Callable[[JSON], None]] = {}
        self._is_gone = asyncio.Event()

    @classmethod
    async def to(cls, path: Path, on_push: Callable[[JSON], None]) -> Connection:
        try:
            reader, writer = await asyncio.open_unix_connection(str(path), limit=LINE_BYTES_MAX)
        except OSError:
            raise Gone from None
        return cls(reader, writer, on_push)

    def ask(self, method: str, params: JSON, then: Callable[[JSON], None]) -> None:
        """Raises `Gone` if the daemon can no longer receive it."""
        if self._writer.transport.is_closing():
            raise Gone
        self._last += 1
        self._waiting[self._last] = then
        request = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self._writer.write(json.dumps(request).encode() + b"\n")

    async def call(self, method: str, params: JSON) -> JSON:
        """The answer: a result or an error. Raises `Gone` if no answer will arrive."""
        answers: asyncio.Queue[JSON] = asyncio.Queue()
        self.ask(method, params, answers.put_nowait)
        answer = asyncio.ensure_future(answers.get())
        await self.until(answer)
        return answer.result()

    async def until(self, future: asyncio.Future[Any]) -> None:
        """Waits for the future. Raises `Gone` if the connection ends before."""
        if future.done():
            return
        gone = asyncio.ensure_future(self._is_gone.wait())
        await asyncio.wait({future, gone}, return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not future.done():
            future.cancel()
            raise Gone

    async def room(self, room: asyncio.Semaphore) -> None:
        """Waits until one more input may be sent. Raises `Gone` if the connection ends before."""
        if room.locked():
            await self.until(asyncio.ensure_future(room.acquire()))
        else:
            await room.acquire()

    async def read(self) -> None:
        """Reads until the connection ends."""
        try:
            # The end of the connection may cut a line. Such a line is not a message.
            while (line := await self._reader.readline()).endswith(b"\n"):
                message = json.loads(line)
                if "method" in message:
                    self._on_push(message)
                else:
                    self._waiting.pop(message["id"])(message)
        except ConnectionError:
            pass
        finally:
            self._is_gone.set()
            self._writer.close()


class Client:
    """One connection after the other, with the same kept sessions."""

    def __init__(self, name: str, chance: random.Random, backend: Backend, sessions: int, depth: int) -> None:
        self.faults: list[str] = []
        self.histories: list[History] = []
        self.keys: list[str] = []
        """All sessions that were ever opened."""
        self.dead_keys: list[str] = []
        """Keys that must not open a session: their sessions were closed, or they were rotated away."""
        self.acknowledged = 0
        self.in_doubt = 0
        """Inputs that were sent before a kill, and not answered."""
        self._name = name
        self._chance = chance
        self._backend = backend
        self._sessions = sessions
        self._depth = depth
        self._opened = 0
        self._live: dict[int, History] = {}
        """The sessions, by their numbers on this connection."""

    async def live(self, path: Path, meter: Meter, types: bool = True) -> None:
        """Attaches all sessions and checks them. If it `types`, it sends inputs until the daemon is killed."""
        self._live = {}
        try:
            connection = await Connection.to(path, self._push)
        except Gone:
            return
        reading = asyncio.ensure_future(connection.read())
        with contextlib.suppress(Gone):
            await self._come_back(connection, meter)
            if types:
                await self._type(connection, meter)
        if not types:
            reading.cancel()
        await asyncio.wait({reading})
        if not reading.cancelled() and (error := reading.exception()):
            raise error
        self.in_doubt += sum(len(history.inputs) - history.answered for history in self.histories)

    def _push(self, message: JSON) -> None:
        params = message["params"]
        if message["method"] != "session/update":
            self._fault(f"{message['method']} {params}")
        elif history := self._live.get(params["session"]):
            self._faults(history, history.is_updated(params))

    def _fault(self, text: str) -> None:
        self.faults.append(f"{self._name}: {text}")

    def _faults(self, history: History, faults: list[str]) -> None:
        for fault in faults:
            self._fault(f"session {history.tag}: {fault}")

    async def _come_back(self, connection: Connection, meter: Meter) -> None:
        for history in list(self.histories):
            seq = self._chance.choice([0, max(history.events, default=0)])
            answer = await connection.call("session/attach", {"key": history.key, "seq": seq})
            meter.add()
            if "error" in answer:
                self.histories.remove(history)
                if answer["error"] != UNKNOWN or not (history.rotates or history.closes):
                    self._fault(f"session {history.tag} cannot be attached: {answer['error']}")
                continue
            history.rotates = history.closes = False
            found = answer["result"]
            self._live[found["session"]] = history
            self._faults(history, history.is_attached(found, seq, self._backend.requests[history.tag]))
        for key in self._chance.sample(self.dead_keys, min(3, len(self.dead_keys))):
            answer = await connection.call("session/attach", {"key": key})
            if answer.get("error") != UNKNOWN:
                self._fault(f"a key that must not open a session: {answer}")

    async def _type(self, connection: Connection, meter: Meter) -> None:
        room = asyncio.Semaphore(self._depth)

        def sent(then: Callable[[JSON], None]) -> Callable[[JSON], None]:
            def answered(answer: JSON) -> None:
                room.release()
                if "error" in answer:
                    self._fault(f"an error: {answer['error']}")
                else:
                    then(answer["result"])
                meter.add()

            return answered

        while True:
            await connection.room(room)
            if len(self.histories) < self._sessions:
                await self._open(connection, sent)
                continue
            history = self._chance.choice(self.histories)
            number = next((number for number, one in self._live.items() if one is history), None)
            if number is None or history.closes:
                room.release()
                # It is being closed, and the answer will make room.
                await asyncio.sleep(0)
                continue
            dice = self._chance.random()
            if dice < 0.002:
                self._close(connection, history, number, sent)
            elif dice < 0.006 and not history.rotates:
                self._rotate(connection, history, sent)
            else:
                for index, one in enumerate(next_inputs(history, self._chance)):
                    if index:
                        await connection.room(room)
                    place = history.sends(one)
                    connection.ask(one.method, {"session": number, **one.params}, sent(self._answered(history, place)))

    def _answered(self, history: History, place: int) -> Callable[[JSON], None]:
        def answered(result: JSON) -> None:
            self.acknowledged += 1
            self._faults(history, history.is_answered(place, result))

        return answered

    async def _open(self, connection: Connection, sent: Callable[..., Callable[[JSON], None]]) -> None:
        self._opened += 1
        tag = f"{self._name}.{self._opened}"
        initial = {"tag": tag, "mark": "0", "a": "0", "b": "0", "items": [{"name": "first"}]}
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def opened(result: JSON) -> None:
            history = History(tag, result["key"], initial)
            self.keys.append(history.key)
            self.histories.append(history)
            self._live[result["session"]] = history
            if not done.done():
                done.set_result(None)

        connection.ask("session/open", {"form": "crash", "keep": KEEP, "values": initial}, sent(opened))
        await connection.until(done)

    def _close(
        self, connection: Connection, history: History, number: int, sent: Callable[..., Callable[[JSON], None]]
    ) -> None:
        history.closes = True

        def closed(_: JSON) -> None:
            self.dead_keys.append(history.key)
            self.histories.remove(history)
            del self._live[number]

        connection.ask("session/close", {"session": number}, sent(closed))

    def _rotate(self, connection: Connection, history: History, sent: Callable[..., Callable[[JSON], None]]) -> None:
        history.rotates = True

        def rotated(result: JSON) -> None:
            self.dead_keys.append(history.key)
            history.key = result["key"]
            self.keys.append(history.key)
            history.rotates = False

        connection.ask("session/attach", {"key": history.key, "rotate": True}, sent(rotated))


UNKNOWN = {"code": 1001, "message": "Unknown session"}
"""The answer to every key that opens no session."""
