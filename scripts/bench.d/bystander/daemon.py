"""The daemon under attack, its memory, and its services: an HTTP service and a database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

from .attack import Attack, asking, http, sql

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 30.0
PROCESSES = multiprocessing.get_context("fork")

BYSTANDER_FORMS = {"http": asking(http("/quick")), "sql": asking(sql("SELECT 1 AS one"))}
"""Forms of the bystander: a tap sends a request that is answered at once."""


def build_formd() -> Path:
    """The program as it is shipped, with formd-web beside it; they are built first if necessary."""
    command = [ROOT / "scripts/lib/build-release", "formd", "formd-web"]
    built = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Path(built.stdout.strip().splitlines()[-1]) / "formd"


class Memory(NamedTuple):
    """Memory of a process, in bytes (proc(5))."""

    anonymous: int
    """RssAnon: the memory that the process has written for itself."""
    resident: int
    """VmRSS: RssAnon, and the pages of files."""


class AttackedDaemon:
    """`formd serve` in a folder of its own, with the example forms, the attack's forms and the bystander's forms.

    If the attack wants it, formd-web runs on the same core.
    """

    def __init__(self, formd: Path, attack: Attack, folder: Path, service_port: int, core: Optional[int]) -> None:
        self.path = folder / "run" / "formd.sock"
        self.forms = folder / "forms"
        shutil.copytree(ROOT / "protocol" / "examples", self.forms, ignore=shutil.ignore_patterns("*.md", "formd.*", ".*"))
        for name, definition in (BYSTANDER_FORMS | attack.forms).items():
            (self.forms / f"{name}.form.json").write_text(json.dumps(definition), encoding="utf-8")
        database = folder / "bench.sqlite"
        sqlite3.connect(database).close()
        config = folder / "formd.json"
        web = {"address": "127.0.0.1:0", "hosts": ["bench.example"], "origins": ["https://bench.example"],
               "trustedProxies": ["127.0.0.1"], "forms": {"login": {"open": True}}}  # fmt: skip
        config.write_text(json.dumps({
            "web": web,
            "services": {"bench": {"http": {"baseURL": f"http://127.0.0.1:{service_port}"}}},
            "databases": {"bench": {"sqlite": {"path": str(database), "writable": True}}},
        }), encoding="utf-8")  # fmt: skip
        config.chmod(0o600)
        command = [str(formd), "serve", "--config", str(config), "--socket", str(self.path), "--forms", str(self.forms)]
        # Then its own user can count its open files.
        command += ["--debuggable"]
        self.log_path = folder / "log"
        self._unread: Optional[int] = None
        if attack.is_log_read:
            errors = os.open(self.log_path, os.O_CREAT | os.O_WRONLY)
        else:
            self._unread, errors = os.pipe()
        self.process = subprocess.Popen(
            command if core is None else ["taskset", "-c", str(core), *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
            preexec_fn=None if attack.descriptors is None else lambda: _limit_descriptors(attack.descriptors),
        )  # fmt: skip
        os.close(errors)
        self.door: Optional[int] = None
        """The port of formd-web."""
        self._door_process: Optional[subprocess.Popen[bytes]] = None
        self._wait_until_it_accepts()
        if attack.has_door:
            self._start_door(formd.with_name("formd-web"), config, core)

    def _start_door(self, program: Path, config: Path, core: Optional[int]) -> None:
        command = [str(program), "--config", str(config), "--socket", str(self.path)]
        command += ["--client", str(ROOT / "protocol" / "clients" / "web")]
        log = self.log_path.with_name("web.log")
        with log.open("wb") as errors:
            self._door_process = subprocess.Popen(
                command if core is None else ["taskset", "-c", str(core), *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while (port := re.search(r"address=127\.0\.0\.1:(\d+)", log.read_text(encoding="utf-8"))) is None:
            if self._door_process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"formd-web did not start:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.01)
        self.door = int(port[1])

    def _wait_until_it_accepts(self) -> None:
        end = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(self.path))
                return
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"the daemon did not start:\n{self.log()}")
            time.sleep(0.01)

    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8", errors="replace")[-4000:] if self.log_path.exists() else ""

    def memory(self) -> Optional[Memory]:
        """None if the process has ended."""
        numbers = {}
        with contextlib.suppress(OSError), open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith(("RssAnon:", "VmRSS:")):
                    name, kilobytes, _ = line.split()
                    numbers[name] = int(kilobytes) * 1024
        return Memory(numbers["RssAnon:"], numbers["VmRSS:"]) if len(numbers) == 2 else None

    def end(self, patience: float) -> Optional[float]:
        """Sends SIGTERM. Returns the seconds until the daemon was gone, or None if it had to be killed."""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(patience)
            return time.monotonic() - start
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.kill()

    @property
    def is_door_gone(self) -> bool:
        """Whether formd-web has ended by itself."""
        return self._door_process is not None and self._door_process.poll() is not None

    def kill(self) -> None:
        for process in (self._door_process, self.process):
            if process is not None:
                process.kill()
                process.wait()
        if self._unread is not None:
            os.close(self._unread)
            self._unread = None


def _limit_descriptors(count: Optional[int]) -> None:
    assert count is not None
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


class MemoryWatch:
    """Samples a daemon's memory every 20 ms, in a thread."""

    INTERVAL_SECONDS = 0.02

    def __init__(self, daemon: AttackedDaemon) -> None:
        self.peak = Memory(0, 0)
        """The highest value of each so far."""
        self._daemon = daemon
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self) -> None:
        while not self._end.wait(self.INTERVAL_SECONDS):
            if memory := self._daemon.memory():
                self.peak = Memory(*map(max, self.peak, memory))

    def end(self) -> None:
        self._end.set()
        self._thread.join()


@contextlib.contextmanager
def service() -> Iterator[int]:
    """An HTTP service in a process of its own; returns its port.

    `/quick` answers at once, `/hang` never, `/large` with 900 KB of text, `/nodes` with an array of 300,000 empty
    objects.
    """
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    process = PROCESSES.Process(target=lambda: asyncio.run(_serve(listener)), daemon=True)
    process.start()
    port = listener.getsockname()[1]
    listener.close()
    try:
        yield port
    finally:
        process.kill()
        process.join()


async def _serve(listener: socket.socket) -> None:
    bodies = {
        "/quick": b"true",
        "/large": b'"' + b"x" * 900_000 + b'"',
        "/nodes": b"[" + b"{}," * 300_000 + b"{}]",
    }

    # An event without another reference would be collected as garbage, with the task that waits for it.
    never = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode().partition("?")[0]
                if path == "/hang":
                    await never.wait()
                body = bodies[path]
                # The answer is sent in one piece. A second piece would wait for the acknowledgement of the first, about
                # 40 ms (Nagle's algorithm).
                head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
                writer.write(head + body)
                await writer.drain()

    async with await asyncio.start_server(answer, sock=listener) as server:
        await server.serve_forever()
