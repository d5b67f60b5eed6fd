"""A daemon asks peers with random answers, again and again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Optional

from .servers import Postgres, Service, provider_answer

TIMEOUT = "100ms"
"""The time that a peer has for an answer."""
PATIENCE_SECONDS = 20.0
"""An answer of the daemon that takes longer is missing."""
IDLE_SECONDS = 1.0
IDLE_SHARE_MAX = 0.5
"""How much of a core the daemon may use afterwards, when nobody asks it for anything."""
LINE_BYTES_MAX = 1 << 26

RUNS: dict[str, Any] = {
    "service": {"http": {"service": "peer", "path": "/"}},
    "database": {"sql": {"database": "peer", "query": "SELECT 1 AS one"}},
    "provider": {"provider": {"name": "peer"}},
}


class Fault(Exception):
    """The daemon broke a promise."""


def form(run: Any) -> Any:
    return {
        "schema": {"type": "object", "properties": {"none": {}}},
        "actions": {"ask": {
            "scope": "none", "flight": "merge", "timeout": TIMEOUT, "run": run,
            "outcomes": [{"when": "response.kind == 'ok'", "success": "true"}, {"failure": "response.kind"}]}},
    }  # fmt: skip


class Connection:
    """A client of the daemon."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, path: Path) -> Connection:
        return cls(*await asyncio.open_unix_connection(path, limit=LINE_BYTES_MAX))

    async def call(self, method: str, **params: Any) -> Any:
        self.writer.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        while True:
            line = await asyncio.wait_for(self.reader.readline(), PATIENCE_SECONDS)
            if not line:
                raise Fault(f"the daemon closed the connection that called {method}")
            answer = json.loads(line)
            if "method" not in answer:
                return answer


class Player:
    """Plays with a daemon of its own."""

    def __init__(self, formd: Path, seed: int) -> None:
        self._formd = formd
        self._random = random.Random(seed)
        self.kinds: Counter[str] = Counter()
        """The ends of the runs, by the peer and the kind."""

    async def play(self, seconds: Optional[float], rounds: Optional[int]) -> None:
        """Asks until the time is over, or so many times.

        Raises Fault if the daemon breaks a promise.
        """
        with tempfile.TemporaryDirectory(prefix="formd-peers-", dir="/tmp") as name:
            async with Service(self._random) as service, Postgres(self._random) as postgres:
                await self._play(Path(name), service.port, postgres.port, seconds, rounds)

    async def _play(
        self, folder: Path, http: int, postgres: int, seconds: Optional[float], rounds: Optional[int]
    ) -> None:
        forms, path = folder / "forms", folder / "run" / "formd.sock"
        forms.mkdir()
        for name, run in RUNS.items():
            (forms / f"{name}.form.json").write_text(json.dumps(form(run)))
        url = f"postgresql://formd@127.0.0.1:{postgres}/peer?sslmode=disable&gssencmode=disable"
        config = folder / "formd.json"
        config.write_text(json.dumps({
            "services": {"peer": {"http": {"baseURL": f"http://127.0.0.1:{http}"}}},
            "databases": {"peer": {"postgres": {"url": url}}}}))  # fmt: skip
        with open(folder / "log", "wb") as log:
            daemon = await asyncio.create_subprocess_exec(
                self._formd, "serve", "--config", config, "--socket", path, "--forms", forms, "--debuggable",
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=log,
            )  # fmt: skip
        provider = asyncio.create_task(self._provide(path))
        try:
            # The daemon asks the database about the queries of its forms before it listens.
            end = asyncio.get_running_loop().time() + PATIENCE_SECONDS
            while not path.exists():
                if daemon.returncode is not None or asyncio.get_running_loop().time() > end:
                    raise Fault("the daemon does not listen")
                await asyncio.sleep(0.01)
            asking = [self._ask(path, name, seconds, rounds) for name in RUNS]
            await asyncio.gather(*asking)
            provider.cancel()
            await self._check_idle(daemon.pid)
            daemon.send_signal(signal.SIGTERM)
            if await asyncio.wait_for(daemon.wait(), PATIENCE_SECONDS) != 0:
                raise Fault("the daemon did not end well")
        except (Fault, OSError, asyncio.TimeoutError) as fault:
            said = (folder / "log").read_text(errors="replace")[-2_000:]
            raise Fault(f"{fault or 'an answer is missing'}; its state is {daemon.returncode}\n{said}") from fault
        finally:
            provider.cancel()
            with contextlib.suppress(ProcessLookupError):
                daemon.kill()

    async def _ask(self, path: Path, name: str, seconds: Optional[float], rounds: Optional[int]) -> None:
        """Taps an action, and waits for its end."""
        client = await Connection.open(path)
        session = (await client.call("session/open", form=name))["result"]["session"]
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        count = 0
        while (end is None or loop.time() < end) and (rounds is None or count < rounds):
            count += 1
            self.kinds[f"{name}: {await self._tap(client, session)}"] += 1
        client.writer.close()

    async def _tap(self, client: Connection, session: int) -> str:
        answer = await client.call("action/tap", **{"session": session, "action": "ask", "await": True})
        if "error" in answer:
            raise Fault(f"a tap was refused: {answer['error']}")
        event = answer["result"]["event"]
        return str(event.get("error", event["kind"]))

    async def _provide(self, path: Path) -> None:
        """Registers a provider, answers its questions at random, and comes back whenever the daemon hangs up."""
        while True:
            with contextlib.suppress(OSError, ValueError):
                provider = await Connection.open(path)
                provider.writer.write(b'{"jsonrpc":"2.0","id":1,"method":"provider/register","params":{"name":"peer"}}\n')
                while line := await provider.reader.readline():
                    question = json.loads(line)
                    if question.get("method") == "provider/evaluate":
                        provider.writer.write(provider_answer(self._random, question["id"]))
            await asyncio.sleep(0.01)

    async def _check_idle(self, pid: int) -> None:
        """A daemon that is not asked for anything does nothing."""
        before = cpu_seconds(pid)
        await asyncio.sleep(IDLE_SECONDS)
        used = cpu_seconds(pid) - before
        if used > IDLE_SHARE_MAX * IDLE_SECONDS:
            raise Fault(f"the daemon is idle and uses {used / IDLE_SECONDS:.0%} of a core")


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
