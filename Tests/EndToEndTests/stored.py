"""Common parts of the tests of kept sessions in a store: configurations, killing, coming back."""

from __future__ import annotations

import signal
from typing import Any, Optional

from harness import JSON, Connection, Daemon, Replica, encode
from service import Service

STORE = "sessions.sqlite"
"""The file of the store, in the daemon's folder."""

UNKNOWN = b'{"code":1001,"message":"Unknown session"}'
"""The answer to a key that opens nothing, to the last byte."""


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


class Typist:
    """A client that types into a kept session, and comes back when the store has closed it."""

    def __init__(self, connection: Connection) -> None:
        self.key, replica = open_kept(connection)
        self.acknowledged: Optional[str] = None
        """The last text whose input was answered."""
        self.in_doubt: list[str] = []
        """The later texts, whose inputs were refused with their session."""
        self.error: JSON = None
        """The error of the last input that was refused because of the store."""
        self._connection = connection
        self._session = replica.session
        self._count = 0

    def types(self) -> bool:
        """Types a text that it never typed. Returns whether it was acknowledged."""
        self._count += 1
        text = f"{self._count}@example.com"
        answer, before = self._connection.exchange("field/change", {"session": self._session, "field": "email", "value": text})
        if "result" in answer:
            self.acknowledged, self.in_doubt = text, []
            return True
        if answer["error"]["code"] == 1011:
            self.error = answer["error"]
        # The end of the session may come behind the error.
        attached, after = self._connection.exchange("session/attach", {"key": self.key})
        ends = [{"session": self._session, "reason": reason} for reason in ("store", "lost")]
        if any(message["params"] in ends for message in before + after):
            # It was applied, and nobody knows whether it was committed.
            self.in_doubt.append(text)
        else:
            # The session was closed before, or nothing is taken now.
            assert answer["error"]["code"] in (1001, 1011), answer
        if "result" in attached:
            self._session = attached["result"]["session"]
            self.finds(attached["result"]["values"])
        return False

    def is_told_to_wait(self) -> bool:
        """Types. Returns whether the store is away."""
        self.error = None
        return not self.types() and self.error is not None

    def finds(self, values: JSON) -> None:
        """The last acknowledged text must be there, or a text that was typed behind it."""
        assert values.get("email") in [self.acknowledged, *self.in_doubt], (values, self.acknowledged, self.in_doubt)
