"""The measured servers, and their clients."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Optional

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / ".build" / "bench"


def build_release() -> str:
    built = subprocess.run([ROOT / "scripts/lib/build-release", "formd"], check=True, stdout=subprocess.PIPE, text=True)
    return built.stdout.strip().splitlines()[-1]


def compile_load() -> Path:
    return _compile_c("load")


def compile_floor() -> Path:
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "jansson", "sqlite3", "libpq"], check=True, stdout=subprocess.PIPE, text=True)
    return _compile_c("floor", *flags.stdout.split())


def _compile_c(name: str, *flags: str) -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    target = BUILD / name
    subprocess.run(["gcc", "-O2", "-o", target, HERE / f"{name}.c", *flags], check=True)
    return target


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


class Server:
    """One server, on one core, from its start to its end."""

    def __init__(self, command: list[str], path: str, core: int) -> None:
        self.path = path
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, stderr=self.errors)
        # The existing socket is the only sign of readiness: both servers accept connections as soon as it exists.
        while True:
            probe = socket.socket(socket.AF_UNIX)
            try:
                probe.connect(path)
                probe.close()
                return
            except OSError:
                try:
                    self.process.wait(timeout=0.02)
                except subprocess.TimeoutExpired:
                    continue
                sys.exit(f"scripts/bench: {command[0]} ended before it listened:\n{self.log()}")

    def log(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")[-4000:]

    def memory(self) -> int:
        """Bytes of resident anonymous memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024
        raise RuntimeError("no RssAnon in /proc/PID/status")

    def load(
        self,
        load: Path,
        core: int,
        connections: int,
        depth: int,
        requests: int,
        template: str,
        keep: Optional[str] = None,
    ) -> dict[str, float]:
        """The load generator's report on requests from a template of this folder. `keep`: how long each session is
        kept."""
        command = ["taskset", "-c", str(core), load, "-s", self.path, "-t", HERE / template, "-n", connections, "-w", depth,
                   "-r", requests, "-p", self.process.pid, *(["-K", keep] if keep else [])]
        done = subprocess.run(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if done.returncode != 0:
            sys.exit(f"scripts/bench: the load on {self.path} failed: {done.stderr}{done.stdout}\n{self.log()}")
        result = json.loads(done.stdout)
        if abs(result["pushes_per_req"] - 1) > 0.02:
            sys.exit(f"scripts/bench: {self.path} sent {result['pushes_per_req']} updates per change instead of 1")
        return result

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Peer:
    """One connection with one login session."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(30)
        self.rest = b""
        self.call('{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login"}}', 1)

    def call(self, lines: str, last: int) -> None:
        """Sends lines and reads until the answer to the last of them."""
        self.socket.sendall(lines.encode() + b"\n")
        wanted = b'"id":%d,' % last
        while True:
            while b"\n" in self.rest:
                line, self.rest = self.rest.split(b"\n", 1)
                if wanted in line[:64]:
                    if b'"error":{' in line[:64]:
                        raise RuntimeError(line.decode())
                    return
            chunk = self.socket.recv(65536)
            if not chunk:
                raise RuntimeError("the server closed the connection")
            self.rest += chunk

    def change(self, first: int, count: int) -> None:
        addresses = ("kim@example.com", "kim.example.com")
        self.call("\n".join(
            f'{{"jsonrpc":"2.0","id":{first + index},"method":"field/change","params":'
            f'{{"field":"email","value":"{addresses[index % 2]}"}}}}' for index in range(count)), first + count - 1)
