"""Clients that do ordinary work: a user opens a form, types, reads the messages, taps, and leaves."""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from typing import Optional

from .attack import Client, Target
from .daemon import PROCESSES, AttackedDaemon

LIMITS = {1011, 1012}
"""Errors that report a limit of the daemon or of the connection. While attackers fill the daemon they are not faults.
"""

PATIENCE_SECONDS = 10.0
KEYSTROKE_SECONDS = 0.005
TEXT = "Wer zählt, der weiß: 안녕하세요 👋"


@dataclass
class Work:
    """The work and the observations of clients."""

    visits: int = 0
    """Forms that were opened, filled in and left."""
    refused: int = 0
    """Visits that ended early, because the daemon was at a limit."""
    faults: Counter[str] = field(default_factory=Counter)
    """Faults that must not happen to an ordinary client, in words."""

    def add(self, other: Work) -> None:
        self.visits += other.visits
        self.refused += other.refused
        self.faults += other.faults


class Fault(Exception):
    """A fault that must not happen to an ordinary client."""


class OrdinaryClients:
    """Clients in processes of their own. They work until they get the order to rest, and then have no connection."""

    def __init__(self, count: int, daemon: AttackedDaemon, seed: int, core: Optional[int]) -> None:
        self._clients = []
        for index in range(count):
            ours, theirs = PROCESSES.Pipe()
            target = Target(daemon.path, daemon.forms, daemon.process.pid, index)
            process = PROCESSES.Process(
                target=_work, args=(target, random.Random(seed + index), core, theirs), daemon=True
            )
            process.start()
            theirs.close()
            self._clients.append((process, ours))

    def work(self) -> None:
        for _, orders in self._clients:
            orders.send("work")

    def rest(self) -> Work:
        """Waits until all clients have ended. Returns their work and observations since they began."""
        for _, orders in self._clients:
            orders.send("rest")
        work = Work()
        for _, orders in self._clients:
            work.add(orders.recv())
        return work

    def end(self) -> None:
        for process, _ in self._clients:
            process.kill()
            process.join()


def _work(target: Target, chance: random.Random, core: Optional[int], orders: Pipe) -> None:
    if core is not None:
        os.sched_setaffinity(0, {core})
    while orders.recv() == "work":
        work = Work()
        while not orders.poll():
            try:
                _visit(target, chance, work)
            except Fault as fault:
                work.faults[str(fault)] += 1
            except TimeoutError:
                work.faults[f"no answer within {PATIENCE_SECONDS:.0f} s"] += 1
            except OSError as error:
                work.faults[f"the connection broke ({error.strerror or error})"] += 1
        orders.recv()
        orders.send(work)


def _visit(target: Target, chance: random.Random, work: Work) -> None:
    target.tally.errors.clear()
    client = target.connect()
    try:
        client.socket.settimeout(PATIENCE_SECONDS)
        kind = chance.choice(["feedback", "feedback", "login", "http", "sql"])
        if client.call("session/open", form=kind, locale=chance.choice(["en", "ko", None])):
            _use(client, kind, chance)
    except ConnectionError:
        # A connection beyond the limit gets an error before it is closed, and the client can read the error after that.
        with contextlib.suppress(ConnectionError):
            client.read()
        if not LIMITS & set(target.tally.errors):
            raise
    finally:
        client.close()
    if unknown := set(target.tally.errors) - LIMITS:
        raise Fault(f"error {min(unknown)} in the form {kind}")
    work.visits += not target.tally.errors
    work.refused += bool(target.tally.errors)


def _use(client: Client, kind: str, chance: random.Random) -> None:
    if kind in ("http", "sql"):
        client.call("action/tap", action="ask", await_=True)
    else:
        field, text = ("message", TEXT) if kind == "feedback" else ("email", f"kim{chance.randrange(1000)}@example.com")
        for end in range(1, len(text) + 1):
            if client.call("field/change", field=field, value=text[:end]) is None:
                return
            time.sleep(KEYSTROKE_SECONDS)
        client.call("field/blur", field=field)
        got = client.call("session/get")
        if got is not None and got["values"].get(field) != text:
            raise Fault("a field's value is not the typed value")
    # Some clients close their sessions, and others just disconnect.
    if chance.random() < 0.5:
        client.call("session/close")
