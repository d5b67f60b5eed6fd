"""What tests of kept sessions in a store have in common: configurations, killing, coming back."""

from __future__ import annotations

import signal
from typing import Any

from harness import Connection, Daemon, Replica, encode
from service import Service

STORE = "sessions.sqlite"
"""The file of the store, in the daemon's folder."""

UNKNOWN = b'{"code":1001,"message":"Unknown session"}'
"""What a key that opens nothing is answered with, to the last byte."""


def stored(base: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A configuration with a store."""
    return base | {"store": {"sqlite": {"path": STORE, **options}}}


def asking(service: Service) -> dict[str, Any]:
    """A configuration with a store, whose forms ask that service."""
    return stored({"services": {"accounts": {"http": {"baseURL": service.url}}}})


def kill(daemon: Daemon) -> None:
    """Ends a daemon as a crash does."""
    daemon.signal(signal.SIGKILL)
    assert daemon.wait() == -signal.SIGKILL


def open_kept(connection: Connection, form: str = "login", **others: Any) -> tuple[str, Replica]:
    """Opens a kept session; its key, and what the client knows of it."""
    opened = connection.call("session/open", {"form": form, "locale": "en", "keep": "1h", **others})
    return opened["key"], Replica(opened)


def attach(connection: Connection, key: str, **others: Any) -> Any:
    return connection.call("session/attach", {"key": key, **others})


def refusal(connection: Connection, key: Any) -> bytes:
    """The error of an attaching, to its last byte."""
    return encode(connection.refused("session/attach", {"key": key}))
