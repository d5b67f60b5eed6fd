"""A scripted server in the place of the daemon, for behaviour that a real daemon seldom shows."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Awaitable, Callable, Union

from harness import formd

DOCUMENT = {"isValid": False, "messages": {"email": "no"}, "actions": {"login": {"isEnabled": False}}}


class Fake:
    """One accepted connection, as lines of JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def read(self) -> Any:
        line = await self.reader.readline()
        return json.loads(line) if line else None

    def write(self, *messages: Any) -> None:
        for message in messages:
            self.writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def answer(self, request: Any, result: Any) -> None:
        self.write({"id": request["id"], "result": result})

    def refuse(self, request: Any, code: int, **data: Any) -> None:
        self.write({"id": request["id"], "error": {"code": code, "message": "No", **({"data": data} if data else {})}})

    def update(self, start: int, revision: int, patch: Any, **more: Any) -> None:
        params = {"session": 1, "from": start, "revision": revision, "cause": "effect", "patch": patch, **more}
        self.write({"method": "session/update", "params": params})

    async def open(self, **more: Any) -> None:
        request = await self.read()
        assert request["method"] == "session/open"
        self.answer(request, {"session": 1, "revision": 0, "document": DOCUMENT, "values": {}, **more})

    async def attach(self, seq: int, key: str = "K", **more: Any) -> None:
        """Expects that a session is attached, and answers with one; it is number 1 unless `more` says otherwise."""
        request = await self.read()
        assert (request["method"], request["params"]) == ("session/attach", {"key": key, "seq": seq})
        state = {"session": 1, "form": "login", "revision": 5, "document": DOCUMENT, "values": {}, "events": [], "eventsLost": 0}
        self.answer(request, {**state, **more})


Server = Callable[[Fake], Awaitable[None]]


def play(
    path: Path, server: Union[Server, list[Server]], client: Callable[[Any], Awaitable[None]], **options: Any
) -> None:
    """Runs `client` with a connected AsyncClient against `server`; a failure of either fails the test.

    Of several servers each serves one connection, and then closes it.
    """
    servers = server if isinstance(server, list) else [server]

    async def both() -> None:
        served: list[asyncio.Future[None]] = [asyncio.get_running_loop().create_future() for _ in servers]
        connections = iter(zip(servers, served))

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            serve, end = next(connections)
            try:
                await serve(Fake(reader, writer))
                end.set_result(None)
            except BaseException as error:
                end.set_exception(error)
            finally:
                writer.close()

        failures: list[BaseException] = []

        async def played() -> None:
            async with formd.AsyncClient(str(path), **options) as connected:
                try:
                    await client(connected)
                except BaseException as error:
                    # Said before the server fails for the lack of a client.
                    failures.append(error)
                    raise
                await asyncio.gather(*served)

        listening = await asyncio.start_unix_server(accepted, str(path))
        playing = asyncio.ensure_future(played())
        # A server that fails says why, where its client would only wait.
        failing = asyncio.gather(*served)
        await asyncio.wait([playing, failing], return_when=asyncio.FIRST_EXCEPTION)
        if not failures and failing.done() and failing.exception():
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await failing
        await playing
        listening.close()

    asyncio.run(asyncio.wait_for(both(), 30))
