"""The errors of the client: FormdError, what can go wrong on the way, and a class for each error code of the daemon."""

from __future__ import annotations

from typing import Mapping, Optional

from formd.json_values import JSON, _compact


class FormdError(Exception):
    """Any failure between this client and the daemon."""


class ConnectionLost(FormdError):
    """There is no connection: this client or the daemon closed it, or no daemon listens. The request was not executed,
    or a second execution has no further effect."""


class SessionClosed(FormdError):
    """The session is closed. `reason` is the reason in `session/closed`, if there was one."""

    def __init__(self, session: int, reason: Optional[str] = None) -> None:
        super().__init__(f"session {session} is closed" + (f": {reason}" if reason else ""))
        self.session = session
        self.reason = reason


class OutcomeUnknown(FormdError):
    """A request was sent, and its answer will not come. The daemon may have executed it already, and a second execution
    could have another effect. `method` is the request's method. AsyncClient lists the requests that can fail with
    this error.

    For an input of a kept session, the error is raised after the session is attached again (or when it is closed). The
    document, the values and the missed events are current then: check them, and repeat the input if it had no effect.
    """

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(
            f"{method}: the daemon may have executed it ({reason}); check the state (of a session: the document, "
            "the values, the missed events), and repeat the call if needed"
        )
        self.method = method


class ProviderError(FormdError):
    """Raised by a provider's handler to answer with an error; any other exception answers `Internal error`."""

    def __init__(self, message: str, code: int = -32000, data: JSON = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class RpcError(FormdError):
    """The daemon refused a request. protocol/wire.md describes `code` and `data`."""

    def __init__(self, code: int, message: str, data: JSON = None) -> None:
        super().__init__(f"{message} ({code})" + (f": {_compact(data)}" if data is not None else ""))
        self.code = code
        self.message = message
        self.data = data


class ParseError(RpcError):
    """-32700: not JSON."""


class InvalidRequest(RpcError):
    """-32600: JSON, but not a request."""


class MethodNotFound(RpcError):
    """-32601; `data.closest` names the nearest known method."""


class InvalidParams(RpcError):
    """-32602; `data.errors` lists the path, the code and the expected value."""


class InternalError(RpcError):
    """-32603: a bug of the daemon."""


class TooLarge(RpcError):
    """-32007: a text over the size limit."""


class BatchTooLong(RpcError):
    """-32010: more requests in one batch than allowed."""


class RequestCancelled(RpcError):
    """-32800: cancelled by `$/cancelRequest`."""


class UnknownSession(RpcError):
    """1001: no such session on this connection."""


class UnknownConnection(RpcError):
    """1002: no client is connected under that number."""


class UnknownForm(RpcError):
    """1003; `data.closest` names the nearest known form."""


class UnknownField(RpcError):
    """1004; `data.closest` names the nearest field. For a removed row, `data.reason` says removed, or moved to another
    list."""


class UnknownAction(RpcError):
    """1005; `data.closest` names the nearest action."""


class UnknownProvider(RpcError):
    """1006: this connection has not registered a provider with this name."""


class DuplicateProvider(RpcError):
    """1007: the most connections have registered a provider with this name, or this connection has."""


class UnknownStep(RpcError):
    """1008: no step has that id (`data.closest` names the nearest), or it is hidden (`data.reason`)."""


class WrongToken(RpcError):
    """1009: the daemon's configuration has a token for this provider, and the given token is different."""


class Draining(RpcError):
    """1010: the daemon is ending and accepts no more requests."""


class Overloaded(RpcError):
    """1011; `data.limit` names the limit of the daemon. Try again after `data.retryAfterMs`."""


class QuotaExceeded(RpcError):
    """1012; `data.limit` names the limit of this connection, `data.value` is its value."""


class Disconnected(RpcError):
    """1013: an operator has ended this connection."""


class AttachedElsewhere(RpcError):
    """1014: another daemon of the same store has the session, and clients are attached there or an action runs there;
    see AsyncClient.attach."""

    @property
    def instance(self) -> Optional[str]:
        """The other daemon, by the `instanceId` of its `server/info`."""
        return (self.data or {}).get("instance")


class RoleNeeded(RpcError):
    """1015: the daemon's configuration does not give this program's user the role `data.role`."""


_ERRORS: Mapping[int, type[RpcError]] = {
    -32700: ParseError, -32600: InvalidRequest, -32601: MethodNotFound, -32602: InvalidParams, -32603: InternalError,
    -32007: TooLarge, -32010: BatchTooLong, -32800: RequestCancelled, 1001: UnknownSession, 1002: UnknownConnection,
    1003: UnknownForm, 1004: UnknownField, 1005: UnknownAction, 1006: UnknownProvider, 1007: DuplicateProvider,
    1008: UnknownStep, 1009: WrongToken, 1010: Draining, 1011: Overloaded, 1012: QuotaExceeded, 1013: Disconnected,
    1014: AttachedElsewhere, 1015: RoleNeeded,
}  # fmt: skip


def _rpc_error(error: JSON) -> RpcError:
    if not isinstance(error, dict):
        return RpcError(0, "an error without a description", error)
    code = error.get("code", 0)
    return _ERRORS.get(code, RpcError)(code, str(error.get("message", "")), error.get("data"))
