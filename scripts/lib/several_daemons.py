"""Moves a kept session between two daemons on one PostgreSQL, and kills one of them; called by scripts/several-daemons.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Optional

from postgresql import NONE, PostgresServer, programs
from quickstart import ROOT, Broken, Process, expect

import formd

DATABASE = "formd"
LEASE_SECONDS = 3
PATIENCE_SECONDS = 30
STORY_BEGINS = "Two daemons, one database"


class Machine:
    """A daemon in a folder of its own, as if on a machine of its own."""

    def __init__(self, name: str, binary: str, scratch: Path, server: PostgresServer) -> None:
        self.name = name
        folder = scratch / name
        folder.mkdir()
        self.path = folder / "formd.sock"
        config = {
            "store": server.configuration(DATABASE, lease=f"{LEASE_SECONDS}s"),
            "services": {"accounts": {"mock": [{"path": "/login", "json": {"name": "Kim"}}]}},
        }
        (folder / "formd.json").write_text(json.dumps(config), encoding="utf-8")
        forms = str(ROOT / "protocol/examples/login")
        command = [binary, "serve", "--config", str(folder / "formd.json"), "--socket", str(self.path), "--forms", forms]
        self.process = Process(f"the daemon {name}", command, folder / "log", "stderr")

    def client(self) -> formd.Client:
        # A client of a machine that has failed goes to another machine, and does not wait for the first.
        return formd.Client(str(self.path), patience=0)

    def kill(self) -> None:
        """Ends the daemon as a power loss of its machine would."""
        self.process.process.kill()
        self.process.process.wait()

    def says(self, what: str) -> None:
        print(f"   {self.name}  {what}", flush=True)


class Closing:
    """The reason for the end of a session that its client gets."""

    def __init__(self, session: formd.Session) -> None:
        self._reason: Optional[str] = None
        self._heard = threading.Event()
        session.on_closed(self._closed)

    def _closed(self, reason: Optional[str]) -> None:
        self._reason = reason
        self._heard.set()

    def reason(self) -> Optional[str]:
        self._heard.wait(PATIENCE_SECONDS)
        return self._reason


def step(number: int, title: str) -> None:
    print(f"\n{number}. {title}", flush=True)


def story(a: Machine, b: Machine) -> None:
    """Plays a session at A, at B, at A again, and at B after A was killed, and checks every promise on the way."""
    with a.client() as at_a, b.client() as at_b:
        step(1, "A client opens a kept session at A, and types an address")
        session = at_a.open("login", locale="en", keep="10m")
        key = session.key or ""
        expect(key != "", "a kept session has a key", session)
        session.change("email", "kim@example.com")
        a.says(f"email: {session.refresh() and session.values['email']}")

        step(2, "A client with its key attaches at B: B refuses, because a client at A has the session")
        try:
            at_b.attach(key)
            raise Broken("expected: B refuses a session that is in use at A")
        except formd.AttachedElsewhere as refusal:
            b.says(f"{refusal.code}: {refusal.message} (instance {refusal.instance})")
            expect(refusal.instance == at_a.info()["instanceId"], "the error names A", refusal.data)

        step(3, "The client at B takes the session; the client at A gets session/closed")
        closing = Closing(session)
        session = at_b.attach(key, take=True)
        b.says(f"email: {session.values['email']}")
        expect(session.values == {"email": "kim@example.com"}, "B has the values that were typed at A", session.values)
        reason = closing.reason()
        a.says(f"session/closed: {reason}")
        expect(reason == "moved", "the client at A gets the reason moved", reason)

        step(4, "The client detaches: the session moves to A without `take`")
        session.detach()
        b.says("session/detach")
        began = time.monotonic()
        session = at_a.attach(key)
        a.says(f"email: {session.values['email']} (after {(time.monotonic() - began) * 1000:.0f} ms)")

        step(5, "A client types at A, and each letter is acknowledged; then A is killed (SIGKILL)")
        acknowledged = ""
        for letter in "lee@example.com":
            acknowledged += letter
            session.change("email", acknowledged)
        session.change("password", "hunter2")
        a.says(f"email: {acknowledged}")
        a.kill()
        a.says("is dead")

        step(6, f"A client attaches at B: the answer waits until A's lease has run out ({LEASE_SECONDS} s at most), because A could still be alive")
        began = time.monotonic()
        session = at_b.attach(key)
        b.says(f"email: {session.values['email']} (after {time.monotonic() - began:.1f} s)")
        expect(session.values == {"email": acknowledged}, "B has all acknowledged values", session.values)
        empty = session.document["fields"]["password"].get("isEmpty")
        expect(empty is True, "the password was not stored, and not restored", session.document)
        b.says("password: empty, because secrets are not stored")

        step(7, "The session goes on at B")
        session.change("password", "hunter2")
        event = session.tap("login", wait=True).event
        if event is None or event.kind != "succeeded":
            raise Broken(f"expected: the login succeeds; got {event}")
        b.says(f"the tap {event.kind}: {event.message}")
        session.close()


class Stage:
    """The programs of the story, in a folder of its own. Another thread than the playing thread ends it, at any time.
    """

    def __init__(self, binary: str) -> None:
        # A short path, whatever TMPDIR says: the address of a Unix socket holds 108 bytes.
        self._scratch = Path(tempfile.mkdtemp(prefix="formd-several-", dir="/tmp"))
        self._binary = binary
        # Held while something starts, so that every started program is ended.
        self._lock = threading.Lock()
        self._machines: list[Machine] = []
        self._server: Optional[PostgresServer] = None
        self._has_ended = False
        self.is_over = threading.Event()
        # Whether the story was interrupted before its end. If so, the script reports it, even if the story then ends.
        self.is_interrupted = False
        self.status: Optional[int] = None

    def wait(self) -> None:
        """Waits until the story is over or interrupted. A signal may arrive at a moment when it does not wake the
        waiting thread, and its handler must not take a lock that this thread may have. So the handler only sets a
        flag, and this thread looks at it again and again."""
        while not self.is_interrupted and not self.is_over.wait(0.1):
            pass

    def play(self) -> None:
        """Plays the story to its end, or until the stage is ended."""
        try:
            with self._lock:
                if self._has_ended:
                    return
                self._server = server = PostgresServer(self._scratch / "postgresql")
                server.start()
            server.psql(f"CREATE DATABASE {DATABASE}", "postgres")
            print(f"PostgreSQL: {server.folder}", flush=True)
            for name in ("A", "B"):
                with self._lock:
                    if self._has_ended:
                        return
                    self._machines.append(Machine(name, self._binary, self._scratch, server))
            for machine in self._machines:
                machine.process.wait_until_ready()
                print(f"{machine.name}: {machine.path}", flush=True)
            print(f"\n{STORY_BEGINS}", flush=True)
            story(*self._machines)
            print("\nNo acknowledged value was lost.", flush=True)
            self.status = 0
        except (Broken, formd.FormdError, AssertionError, TimeoutError, OSError, subprocess.SubprocessError) as error:
            if not self._has_ended:
                print(f"\nseveral-daemons: {error}", file=sys.stderr)
                for machine in self._machines:
                    print(f"--- the end of {machine.process.name}'s log\n{machine.process.tail()}", file=sys.stderr)
                self.status = 1
        finally:
            self.is_over.set()

    def end(self) -> bool:
        """Ends all started programs. Returns whether all of them ended in order."""
        is_fine = True
        with self._lock:
            self._has_ended = True
            # The daemons end first: they give up their sessions while the database runs.
            for machine in self._machines:
                try:
                    machine.process.end()
                except Broken as error:
                    print(f"several-daemons: {error}", file=sys.stderr)
                    is_fine = False
            if self._server:
                self._server.end()
            shutil.rmtree(self._scratch, ignore_errors=True)
        return is_fine


def play(binary: str) -> int:
    stage = Stage(binary)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: setattr(stage, "is_interrupted", True))
    threading.Thread(target=stage.play, daemon=True).start()
    stage.wait()
    if stage.is_interrupted:
        print("\nEnding.", flush=True)
    return (stage.status or 0) if stage.end() else 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/several-daemons", description=__doc__)
    parser.add_argument("--formd", required=True, metavar="BINARY", help="the built daemon")
    options = parser.parse_args()
    if not os.access(options.formd, os.X_OK):
        print(f"several-daemons: {options.formd} is not a program", file=sys.stderr)
        sys.exit(1)
    if not programs():
        print(f"several-daemons: {NONE}", file=sys.stderr)
        sys.exit(1)
    status = play(options.formd)
    sys.stdout.flush()
    sys.stderr.flush()
    # A thread that still plays the story is left alone.
    os._exit(status)


if __name__ == "__main__":
    main()
