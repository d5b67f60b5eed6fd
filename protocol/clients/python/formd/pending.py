"""Requests without an answer yet: which of them may be sent once more, and how they fail."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Mapping, Optional

from formd.addresses import _names_a_position
from formd.errors import FormdError, OutcomeUnknown, RpcError, SessionClosed
from formd.json_values import JSON

if TYPE_CHECKING:
    from formd.async_session import AsyncSession

TIMES_SENT_MAX = 3
"""How often an input is sent at most. So an input that ends every connection is not sent for ever."""


_READS = frozenset({
    "form/describe", "form/list", "form/schema", "form/validate", "forms/watch", "provider/register", "provider/unregister",
    "server/info", "server/ping", "server/reload", "server/stats", "session/list", "text/validate",
})  # fmt: skip
"""Requests without a session that may be sent again on another connection."""

_SETTINGS = frozenset({
    "field/blur", "field/change", "field/fail", "field/focus", "form/describe", "form/schema", "session/close", "session/detach",
    "session/get", "session/reset", "session/setContext", "session/setLocale", "step/show", "action/cancel",
})  # fmt: skip
"""Requests of a session that set a state. Executed twice, they have the same effect as once, unless they name a row by
its position."""


@dataclass
class _Pending:
    """A sent request, or a request that waits for a connection. The reader calls `on_result` before it reads the
    message after the answer."""

    number: int
    future: "asyncio.Future[JSON]"
    method: str
    params: Optional[Mapping[str, JSON]]
    session: Optional[AsyncSession] = None
    """The session of the request. Its number is put into the params when the request is sent."""
    on_result: Optional[Callable[[JSON], JSON]] = None
    comes_back: bool = False
    """Whether the request restores a connection: it is sent before all others, and not on another connection."""
    times_sent: int = 0
    is_queued: bool = False
    """Whether it waits for the answers to other requests."""
    times_refused: int = 0
    """How often the daemon refused it because too many requests waited."""
    refusal: Optional[RpcError] = None
    """The error that the request got because the session was closed. The next message gives the reason."""

    @property
    def may_be_repeated(self) -> bool:
        """Whether a second execution has no further effect."""
        params = self.params or {}
        if self.session is not None:
            # The positions of rows may have changed.
            places = [params.get("field", ""), *(params.get("values") or {})]
            return self.method in _SETTINGS and not any(_names_a_position(str(place)) for place in places)
        if self.method == "session/open":
            return "keep" not in params
        return self.method in _READS or (self.method == "session/attach" and not params.get("rotate"))

    @property
    def is_of_kept_session(self) -> bool:
        return self.session is not None and self.session.key is not None

    @property
    def may_be_sent(self) -> bool:
        """Whether the request can be sent: a first time or once more."""
        return self.times_sent == 0 or (self.may_be_repeated and self.times_sent < TIMES_SENT_MAX)

    @property
    def message(self) -> dict[str, JSON]:
        message: dict[str, JSON] = {"jsonrpc": "2.0", "id": self.number, "method": self.method}
        if self.session is not None:
            message["params"] = {"session": self.session.id, **(self.params or {})}
        elif self.params is not None:
            message["params"] = self.params
        return message

    def fail(self, error: FormdError) -> None:
        """The request will get no answer because of `error`."""
        if self.future.done():
            return
        if self.refusal is not None and isinstance(error, SessionClosed) and error.reason != "moved":
            error = self.refusal
        elif not isinstance(error, OutcomeUnknown) and self.is_outcome_unknown:
            error = OutcomeUnknown(self.method, str(error))
        self.future.set_exception(error)

    def expire(self, seconds: float) -> None:
        """The time for the answer is over."""
        if not self.future.done():
            self.future.set_exception(TimeoutError(f"no answer to {self.method} within {seconds:g} s"))

    @property
    def is_outcome_unknown(self) -> bool:
        """Whether the daemon may have executed the request, with an effect that outlives its session."""
        if self.may_be_sent:
            return False
        return self.session is None or self.session.key is not None or self.method == "action/tap"
