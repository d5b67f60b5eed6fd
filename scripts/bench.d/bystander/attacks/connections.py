"""Connections: many, short, silent, or never read."""

from __future__ import annotations

import resource

from ..attack import Client, Target, attack, request

AT_A_LIMIT = [1011, 1012]


@attack("unfinished-lines", "359 connections send 4 MB each without an end of line.", attackers=2)
def unfinished_lines(target: Target) -> None:
    clients: list[Client] = []
    for _ in range(target.share(180)):
        clients.append(target.connect())
        clients[-1].send(b"x" * 4_190_000)
    target.hold(clients)


@attack("churn", "Connections are opened and closed by the thousand.", attackers=2)
def churn(target: Target) -> None:
    for client in [target.connect() for _ in range(100)]:
        client.close()


@attack("crowd", "5,000 connections, each with a session, are open at once.", attackers=4, refusals=[1011])
def crowd(target: Target) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients: list[Client] = []
    for _ in range(target.share(1_250)):
        clients.append(target.connect())
        clients[-1].pump(request(1, "session/open", form="login"))
    target.hold(clients)


@attack("descriptors", "300 connections are opened to a daemon that may have 128 open files.", descriptors=128, refusals=[1011])
def descriptors(target: Target) -> None:
    clients: list[Client] = []
    for _ in range(300):
        clients.append(target.connect())
    for client in clients:
        client.pump(request(1, "server/ping"))
    target.hold(clients)


@attack("reads-nothing", "A client changes 1,000 sessions as fast as the limits allow, and reads nothing.")
def reads_nothing(target: Target) -> None:
    client = target.connect()
    sessions = [opened["session"] for _ in range(target.share(1_000)) if (opened := client.call("session/open", form="login"))]
    for number in range(target.share(1_000)):
        value = "kim@example.com" if number % 2 else "kim"
        client.send(*(request(number, "field/change", session=session, field="email", value=value) for session in sessions))
    target.hold(client)
