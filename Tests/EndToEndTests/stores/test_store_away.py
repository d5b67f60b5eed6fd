"""A store that cannot be used: at the start, and while sessions are in it."""

from __future__ import annotations

import errno
import json
import os
import resource
import sqlite3
import stat
import subprocess
from pathlib import Path
from typing import Any, Callable, Iterator
from unittest.mock import ANY

import pytest

from harness import JSON, Backend, Daemon, configuration, encode, eventually, formd_binary, request
from stored import STORE, Typist, attach, kill, open_kept, stored

Start = Callable[..., Daemon]


def refused_at_the_start(start: Start, config: JSON, *words: str, **options: Any) -> None:
    """A daemon says all the words, and ends with a failure."""
    daemon = start(config, wait=False, **options)
    assert daemon.wait() not in (0, None)
    daemon.line_with(*words)


# At the start


def test_the_store_is_for_its_owner_alone(start: Start, backend: Backend, folder: Path) -> None:
    old = os.umask(0)
    try:
        daemon = start(stored(configuration(backend)))
    finally:
        os.umask(old)
    with daemon.connect() as connection:
        open_kept(connection)
        files = [folder / STORE, folder / f"{STORE}-wal"]
        assert set(folder.glob(f"{STORE}*")) == set(files)
        assert {stat.S_IMODE(os.stat(path).st_mode) for path in files} == {0o600}
    with sqlite3.connect(folder / STORE, timeout=0) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("SELECT count(*) FROM sessions")


def test_a_store_has_one_daemon(start: Start, backend: Backend, folder: Path) -> None:
    config = configuration(backend) | {"store": {"sqlite": {"path": str(folder / STORE)}}}
    first = start(config)
    (folder / "second").mkdir()
    with first.connect() as connection:
        key, _ = open_kept(connection)
        refused_at_the_start(start, config, "another process uses the store", STORE, folder=folder / "second")
        connection.call("field/change", {"field": "email", "value": "kim@example.com"})
        kill(first)
    with start(config, folder=folder / "second").connect() as connection:
        assert attach(connection, key)["values"] == {"email": "kim@example.com"}


def test_a_locked_file_is_refused(start: Start, backend: Backend, folder: Path) -> None:
    with sqlite3.connect(folder / STORE) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused_at_the_start(
            start, stored(configuration(backend)), "another process uses the store", str(folder / STORE)
        )


def text(path: Path) -> None:
    path.write_text("no database\n" * 1_000, encoding="utf-8")


def another_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (text)")
    database.close()


@pytest.mark.parametrize(("make", "word"), [(text, "is not a database"), (another_database, "not a store of formd")])
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    start: Start, backend: Backend, folder: Path, make: Callable[[Path], None], word: str
) -> None:
    make(folder / STORE)
    before = (folder / STORE).read_bytes()
    refused_at_the_start(start, stored(configuration(backend)), str(folder / STORE), word)
    assert (folder / STORE).read_bytes() == before


def test_a_store_of_a_newer_daemon_is_refused(start: Start, backend: Backend, folder: Path) -> None:
    config = stored(configuration(backend))
    assert start(config).end() == 0
    with sqlite3.connect(folder / STORE) as database:
        database.execute("PRAGMA user_version = 1000")
    database.close()
    refused_at_the_start(start, config, "newer", str(folder / STORE))


def test_a_folder_that_is_not_there_is_refused(start: Start, backend: Backend, folder: Path) -> None:
    config = configuration(backend) | {"store": {"sqlite": {"path": "nowhere/sessions.sqlite"}}}
    refused_at_the_start(start, config, "nowhere/sessions.sqlite")


def test_a_daemon_on_pipes_uses_no_store(start: Start, backend: Backend, forms: Path) -> None:
    daemon = start(stored(configuration(backend)))
    requests = [request(1, "session/open", {"form": "login", "keep": "1m"}), request(2, "session/get")]
    ran = subprocess.run(
        [str(formd_binary()), "serve", "--stdio", "--config", str(daemon.config), "--forms", str(forms)],
        input=b"\n".join(map(encode, requests)) + b"\n", capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert [set(json.loads(line)) for line in ran.stdout.splitlines()] == [{"jsonrpc", "id", "result"}] * 2, ran.stdout


# While it runs


class Full:
    """A place for a store that can be filled and emptied, and what a daemon is started under to use it."""

    path: Path
    """As a daemon names it."""
    under: tuple[str, ...]

    def fill(self, daemon: Daemon) -> None:
        raise NotImplementedError

    def empty(self, daemon: Daemon) -> None:
        raise NotImplementedError


class SmallDisk(Full):
    """A disk of a megabyte and a half in memory, in a mount namespace of its own, which only root can make."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "disk"
        self.path.mkdir()
        script = 'mount -t tmpfs -o size=1536k,mode=700 tmpfs "$0" && echo mounted && exec cat'
        self._holder = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", script, str(self.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._holder.stdout and self._holder.stderr
        if self._holder.stdout.readline() != "mounted\n":
            pytest.skip(f"no disk can be made here: {self._holder.stderr.read().strip()}")
        self.under = ("nsenter", "--mount", f"--target={self._holder.pid}")
        self._ballast = Path(f"/proc/{self._holder.pid}/root{self.path}/ballast")

    def fill(self, daemon: Daemon) -> None:
        with open(self._ballast, "wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(4096))
            except OSError as error:
                assert error.errno == errno.ENOSPC

    def empty(self, daemon: Daemon) -> None:
        self._ballast.unlink()

    def end(self) -> None:
        self._holder.communicate()


class LimitedFiles(Full):
    """Files that may not grow beyond what they are (RLIMIT_FSIZE), which needs no privilege."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        # A write beyond the limit raises a signal, which would end the daemon.
        self.under = ("bash", "-c", 'trap "" XFSZ; exec "$0" "$@"')

    def fill(self, daemon: Daemon) -> None:
        self._limit(daemon, os.stat(self.path / f"{STORE}-wal").st_size)

    def empty(self, daemon: Daemon) -> None:
        self._limit(daemon, resource.RLIM_INFINITY)

    def _limit(self, daemon: Daemon, size: int) -> None:
        _, hard = resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (size, hard))

    def end(self) -> None:
        pass


@pytest.fixture(params=[SmallDisk, LimitedFiles])
def full(request: pytest.FixtureRequest, folder: Path) -> Iterator[Full]:
    full = request.param(folder)
    yield full
    full.end()


def test_a_full_disk_loses_nothing_that_was_acknowledged(start: Start, backend: Backend, full: Full) -> None:
    config = configuration(backend) | {"store": {"sqlite": {"path": str(full.path / STORE)}}}
    daemon = start(config, under=full.under, arguments=("--debuggable",))
    with daemon.connect() as connection, daemon.connect() as other:
        typist = Typist(connection)
        for _ in range(20):
            assert typist.types()
        unkept = other.call("session/open", {"form": "login"})["session"]
        _, idle = open_kept(other, values={"email": "idle@example.com"})
        assert "storeProblem" not in other.call("server/stats")
        full.fill(daemon)
        error = eventually(lambda: typist.is_told_to_wait() and typist.error, "that the store is away")
        assert str(full.path / STORE) in encode(error).decode(), "it says what is wrong, and where"
        if isinstance(full, SmallDisk):
            assert "full" in encode(error).decode()
        assert str(full.path / STORE) in other.call("server/stats")["storeProblem"]
        # A change that cannot be stored is not applied, and the session goes on.
        refused = other.refused("field/change", {"session": idle.session, "field": "email", "value": "lost@example.com"})
        assert refused["code"] == 1011 and refused["data"]["retryAfterMs"] > 0
        assert other.call("session/get", {"session": idle.session})["values"] == {"email": "idle@example.com"}
        # A session that is not kept is not affected.
        other.call("field/change", {"session": unkept, "field": "email", "value": "lee@example.com"})
        assert other.call("session/get", {"session": unkept})["values"] == {"email": "lee@example.com"}
        assert other.refused("session/open", {"form": "login", "keep": "1h"})["code"] == 1011
        full.empty(daemon)
        eventually(typist.types, "that the store is back")
        assert typist.types()
        other.call("field/change", {"session": idle.session, "field": "email", "value": "back@example.com"})
        assert "storeProblem" not in other.call("server/stats")
        full.fill(daemon)
        eventually(typist.is_told_to_wait, "that the store is away again")
        kill(daemon)
    # It starts with a disk that is full, or says why it does not.
    full_again = start(config, under=full.under, arguments=("--debuggable",), wait=False)
    full.empty(full_again)
    kill(full_again)
    with start(config, under=full.under, arguments=("--debuggable",)).connect() as connection:
        typist.finds(attach(connection, typist.key)["values"])


def test_a_file_that_was_removed_loses_nothing_that_was_acknowledged(
    start: Start, backend: Backend, folder: Path
) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect() as connection:
        typist = Typist(connection)
        assert typist.types()
        for path in folder.glob(f"{STORE}*"):
            path.unlink()
        eventually(typist.types, "that the store is back")
        assert typist.types()
        kill(daemon)
    assert stat.S_IMODE(os.stat(folder / STORE).st_mode) == 0o600
    with start(config).connect() as connection:
        typist.finds(attach(connection, typist.key)["values"])


def test_another_file_in_its_place_is_left_alone(start: Start, backend: Backend, folder: Path) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect() as connection:
        typist = Typist(connection)
        assert typist.types()
        (folder / STORE).rename(folder / "away")
        text(folder / STORE)
        garbage = (folder / STORE).read_bytes()
        error = eventually(lambda: typist.is_told_to_wait() and typist.error, "that the store is away")
        assert str(folder / STORE) in encode(error).decode()
        # A client that cannot come back now gets no more messages: the session has no number for it.
        refused, _ = connection.exchange("session/attach", {"key": typist.key})
        assert refused["error"]["code"] == 1011
        assert connection.exchange("server/ping") == ({"jsonrpc": "2.0", "id": ANY, "result": ANY}, [])
        assert (folder / STORE).read_bytes() == garbage
        (folder / "away").rename(folder / STORE)
        eventually(typist.types, "that the store is back")
        kill(daemon)
    with start(config).connect() as connection:
        typist.finds(attach(connection, typist.key)["values"])
