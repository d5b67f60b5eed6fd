"""The bystander: a client in a process of its own. It sends a small request every 50 ms and notes how long the answer
takes.

With each request, it sends a byte to an echo, a process on the daemon's core. If other processes delay the bystander,
or use the core, the echo shows the same delay. The result is the time of the answer minus the time of the echo.
"""

from __future__ import annotations

import os
import select
import socket
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Optional

from .attack import Client, Target, request

PERIOD_SECONDS = 0.05


@dataclass
class Waited:
    """The bystander's waiting times for its answers. All times in seconds."""

    answers: list[float] = field(default_factory=list)
    """For an answered request, its time minus the time of the echo; for an unanswered request, the time until the
    bystander gave up."""
    echoes: list[float] = field(default_factory=list)
    """The time of each echo."""
    unanswered: int = 0
    refused: int = 0
    """Answers that are errors, or events of taps that failed."""


def watch(
    path: Path, forms: Path, door: Optional[int], kind: str, patience: float, orders: Pipe, core: Optional[int],
    daemon_core: Optional[int],
) -> None:  # fmt: skip
    """Says `ready`, waits for `go`, and sends requests until `stop`.

    Then it sends one more request, and waits `patience` seconds for the missing answers.

    Sends its waiting times.
    """
    if core is not None:
        os.sched_setaffinity(0, {core})
    echo = _echo(daemon_core)
    target = Target(path, forms, 0, index=255, door=door)
    client = target.connect() if door is None else target.browse()
    client.call("session/open", form="login" if kind == "change" else kind)
    # One-time work is done before the attack.
    for number in range(5):
        client.send(_request(number, kind))
        while b'"method":"' in (answer := client.read())[:80]:
            pass
        assert _is_good(answer, kind), answer
    orders.send("ready")
    assert orders.recv() == "go"
    orders.send(_ask(client, echo, kind, patience, orders))


def _echo(core: Optional[int]) -> socket.socket:
    """A process that sends back what it gets, until the other end is closed."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        if core is not None:
            os.sched_setaffinity(0, {core})
        while data := theirs.recv(64):
            theirs.sendall(data)
        os._exit(0)
    theirs.close()
    return ours


def _ask(client: Client, echo: socket.socket, kind: str, patience: float, orders: Pipe) -> Waited:
    daemon = client.socket
    asked: list[float] = []
    answered: dict[int, float] = {}
    echoed: list[float] = []
    poll = select.poll()
    for source in (daemon, echo, orders):
        poll.register(source, select.POLLIN)
    refused = 0
    start = time.monotonic()
    end: Optional[float] = None
    is_connected = True

    def ask(now: float) -> None:
        nonlocal is_connected
        echo.send(b".")
        if is_connected:
            is_connected = _send(daemon, client.framed(_request(len(asked), kind)))
        asked.append(now)

    while True:
        now = time.monotonic()
        if end is None:
            due = start + len(asked) * PERIOD_SECONDS
            if now >= due:
                ask(now)
                continue
        elif (len(answered) == len(asked) or not is_connected or now >= end) and len(echoed) == len(asked):
            break
        else:
            due = end if now < end else now + 0.01
        for descriptor, _ in poll.poll(max(0.0, due - now) * 1000):
            now = time.monotonic()
            if descriptor == echo.fileno():
                echoed += [now] * len(echo.recv(4096))
            elif descriptor == orders.fileno():
                orders.recv()
                ask(now)
                end = now + patience
                poll.unregister(orders)
            else:
                chunk = _receive(daemon)
                if not chunk:
                    is_connected = False
                    poll.unregister(daemon)
                for line in client.messages(chunk):
                    if line.startswith(b'{"jsonrpc":"2.0","id":'):
                        answered[int(line[22 : line.index(b",", 22)])] = now
                        refused += not _is_good(line, kind)
    waited = Waited(unanswered=len(asked) - len(answered), refused=refused)
    for number, at in enumerate(asked):
        late = echoed[number] - at
        waited.echoes.append(late)
        waited.answers.append(max(0.0, answered[number] - at - late) if number in answered else now - at)
    return waited


def _request(number: int, kind: str) -> bytes:
    if kind == "change":
        return request(number, "field/change", field="email", value="kim@example.com" if number % 2 else "kim")
    return request(number, "action/tap", action="ask", await_=True)


def _is_good(answer: bytes, kind: str) -> bool:
    return (b'"result":' if kind == "change" else b'"kind":"succeeded"') in answer


def _send(daemon: socket.socket, line: bytes) -> bool:
    """Whether the connection is open. If a frozen daemon does not read, the request may stay unsent, and gets no
    answer."""
    try:
        # Such a short line is sent whole or not at all.
        daemon.send(line, socket.MSG_DONTWAIT)
    except BlockingIOError:
        pass
    except OSError:
        return False
    return True


def _receive(daemon: socket.socket) -> bytes:
    try:
        return daemon.recv(1 << 16)
    except OSError:
        return b""
