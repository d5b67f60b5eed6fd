"""A client for formd, the daemon that keeps live form sessions.

    import formd

    with formd.Client() as client:                       # blocking
        session = client.open("login", locale="ko")
        session.change("email", "kim@example.com")
        session.change("password", "hunter2")
        print(session.is_valid, session.tap("login", wait=True).event)

    async with formd.AsyncClient() as client:            # asyncio
        session = await client.open("login")
        session.on_change("/actions/login/isEnabled", lambda change: print(change.value))
        await session.change("email", "kim@example.com")

The daemon pushes changes as JSON Merge Patches (RFC 7396). A session merges them into its `document`, so the document
is current after every awaited call. A kept session outlives its connection: a client that loses the connection connects
again and attaches its kept sessions by itself. No dependencies; Python 3.9 or later.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import inspect
import json
import logging
import math
import os
import random
import stat
import sys
import threading
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Callable, Coroutine, Mapping, Optional, Sequence, TypeVar, Union, cast

from formd.types import (
    ActionState, Blocker, Document, FieldState, FormDescription, FormList, LoadedForms, LookupState, Pong,
    ReloadOutcome, ServerDraining, ServerInfo, ServerRejected, StepState, StoreCopy, TextValidation, Validation,
)  # fmt: skip

__version__ = "0.1.0"
__all__ = [
    "AsyncClient", "AsyncSession", "AttachedElsewhere", "BatchTooLong", "Change", "Client", "ConnectionLost", "Disconnected",
    "Draining", "DuplicateProvider", "Event", "FieldError", "FormdError", "InternalError", "InvalidParams", "InvalidRequest", "MethodNotFound",
    "OutcomeUnknown", "Overloaded", "ParseError", "ProviderError", "QuotaExceeded", "RequestCancelled", "RoleNeeded", "Row",
    "RpcError", "Session", "SessionClosed", "TapResult", "TooLarge", "UnknownAction", "UnknownConnection", "UnknownField", "UnknownForm",
    "UnknownProvider", "UnknownSession", "UnknownStep", "Update", "WrongToken", "default_socket_path", "merge_patch",
    "resolve_pointer",
]  # fmt: skip

log = logging.getLogger("formd")

JSON = Any
"""Any JSON value: dict, list, str, int, float, bool or None."""

T = TypeVar("T")

MESSAGE_BYTES_MAX = 64 * 1024 * 1024
"""The longest line that the client accepts from the daemon. The daemon's own limit for the client's lines is 4 MiB by
default."""

PATIENCE_SECONDS = 30.0
"""How long a client tries to restore a connection, in seconds, if the program does not say."""

TIMEOUT_SECONDS = 60.0
"""How long a call waits for its answer, in seconds, if the program does not say."""

REQUESTS_MAX = 64
"""The daemon's usual limit of the requests of one connection that wait for their answers (`requestsInFlightMax`)."""

PAUSE_SECONDS_MIN = 0.05
PAUSE_SECONDS_MAX = 2.0
"""The pauses between the tries begin with the first value, double up to the second, and vary by half."""

CLOSING_SECONDS = 1.0
"""How long the end of a forgotten client may take."""

TIMES_SENT_MAX = 3
"""How often an input is sent at most. So an input that ends every connection is not sent for ever."""


# Errors


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


# Values


@dataclass(frozen=True)
class Event:
    """An event of an action: `kind` is succeeded, failed, rejected, dropped, superseded or cancelled."""

    seq: int
    action: str
    kind: str
    run: Optional[int] = None
    result: JSON = None
    error: JSON = None
    message: Optional[str] = None
    blockers: Sequence[Blocker] = ()
    """Why a tap was rejected: objects with `code` and, if a field is the reason, `field`."""

    @classmethod
    def from_json(cls, value: Mapping[str, JSON]) -> Event:
        return cls(
            seq=value.get("seq", 0), action=value.get("action", ""), kind=value.get("kind", ""), run=value.get("run"),
            result=value.get("result"), error=value.get("error"), message=value.get("message"),
            blockers=tuple(value.get("blockers", ())),
        )  # fmt: skip


@dataclass(frozen=True)
class FieldError:
    """An error or a warning in the document, shown to the user or not."""

    address: str
    """The address of the field; empty for an error of the form."""
    code: str
    message: Optional[str] = None
    severity: str = "error"
    source: Optional[str] = None
    """What found it: schema, rule, check, server or fault."""
    params: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True)
class Update:
    """The changes of one turn: `cause` is the input's method, `timer`, `effect`, or `resync` for a fresh document."""

    session: int
    revision: int
    cause: Optional[str]
    patch: JSON
    events: tuple[Event, ...] = ()
    values: Mapping[str, JSON] = field(default_factory=dict)
    """Values that the daemon changed (such as by a reset), by address: put them into the inputs that show them."""
    absent: tuple[str, ...] = ()
    """The addresses of the values that the daemon removed."""


@dataclass(frozen=True)
class Change:
    """The value at `pointer` before and after an update; None also means absent (a document holds no null)."""

    pointer: str
    previous: JSON
    value: JSON
    update: Update


@dataclass(frozen=True)
class Row:
    """One row of a list, as it was in the document when the program asked for it."""

    id: str
    """The row's identity. No other row of the session ever gets the same identity."""
    address: str
    """The row's address by its identity, such as `/items/#7`: the address of a field inside begins with it."""
    state: Mapping[str, JSON]
    """The row's entry in the document, completed with the members that the document leaves out because they have
    defaults."""

    @property
    def is_valid(self) -> bool:
        return self.state["isValid"] is True

    @property
    def fields(self) -> Mapping[str, FieldState]:
        """The fields of the row that differ from the default (not touched, not dirty, not empty, without errors)."""
        fields: Mapping[str, FieldState] = self.state.get("fields", {})
        return fields

    def field(self, name: str) -> FieldState:
        """The document's entry for one of the row's fields; a field without an entry has the defaults."""
        return cast(FieldState, {**_USUAL, **self.fields.get(name, {})})

    @property
    def outputs(self) -> Mapping[str, JSON]:
        outputs: Mapping[str, JSON] = self.state.get("outputs", {})
        return outputs

    def lookup(self, name: str) -> LookupState:
        """The state of the row's lookup with that name: `isLoading`, `value` while it has one, `error` after a failure.
        """
        lookups: Mapping[str, LookupState] = self.state.get("lookups", {})
        return cast(LookupState, {"isLoading": False, **lookups.get(name, {})})

    def address_of(self, name: str) -> str:
        """The address of one of the row's fields: `row.address_of("quantity")` is `/items/#7/quantity`."""
        return f"{self.address}/{_escaped(name)}"


_USUAL: Mapping[str, JSON] = {
    "isVisible": True, "isEnabled": True, "isRequired": False, "isValid": True, "isPending": False, "isDirty": False,
    "isTouched": False, "isEmpty": False, "errors": [],
}  # fmt: skip
"""The members that the document leaves out of rows and of their fields (protocol/sessions.md, Rows in the document).

Written by scripts/lib/client_types.py."""


@dataclass(frozen=True)
class TapResult:
    """The result of a tap: `outcome` is started, held, rejected or dropped. After `wait=True`, `event` has the end."""

    revision: int
    outcome: Optional[str] = None
    run: Optional[int] = None
    blockers: Sequence[Blocker] = ()
    event: Optional[Event] = None


def merge_patch(target: JSON, patch: JSON) -> JSON:
    """`target` with the JSON Merge Patch `patch` applied (RFC 7396, section 2).

    Neither argument is changed. The result shares the parts that the patch does not touch, so a document that a caller
    already holds does not change.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def resolve_pointer(document: JSON, pointer: str, default: JSON = None) -> JSON:
    """The value at the JSON Pointer `pointer` (RFC 6901), or `default` if there is none."""
    if pointer == "":
        return document
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON Pointer must be empty or begin with a slash: {pointer!r}")
    value = document
    for token in _pointer_names(pointer):
        if isinstance(value, dict):
            if token not in value:
                return default
            value = value[token]
        elif isinstance(value, list):
            # RFC 6901, section 4: an index has no leading zero.
            if not (token.isascii() and token.isdigit()) or (token[0] == "0" and token != "0"):
                return default
            if int(token) >= len(value):
                return default
            value = value[int(token)]
        else:
            return default
    return value


def _pointer_names(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def _escaped(name: str) -> str:
    """A name as a part of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _address_names(address: str) -> list[str]:
    """The names that lead to a field: its address is a name, or a JSON Pointer."""
    return _pointer_names(address) if address.startswith("/") else [address]


def _row_identity(state: Mapping[str, JSON], name: str) -> Optional[str]:
    """The identity of the row that a part of an address names (`#7`, or a position); None if the row does not exist."""
    order: Sequence[str] = state.get("order", ())
    if name.startswith("#"):
        return name[1:] if name[1:] in order else None
    identity: Optional[str] = resolve_pointer(order, "/" + name)
    return identity


def _field_address(names: Sequence[str]) -> str:
    """The address of the field at these names: a name, or a JSON Pointer."""
    if len(names) == 1 and not any(sign in names[0] for sign in "/~"):
        return names[0]
    return "".join("/" + _escaped(name) for name in names)


def _errors_in(names: Sequence[str], state: Mapping[str, JSON]) -> list[FieldError]:
    """The errors of a part of the document and of all parts inside of it, in order."""
    address = _field_address(names)
    found = [
        FieldError(
            address, error.get("code", ""), error.get("message"), error.get("severity", "error"), error.get("source"),
            error.get("params", {}),
        )
        for error in state.get("errors", ())
    ]  # fmt: skip
    for name, inner in state.get("fields", {}).items():
        found += _errors_in([*names, name], inner)
    rows = state.get("rows", {})
    for identity in state.get("order", ()):
        found += _errors_in([*names, "#" + identity], rows.get(identity, {}))
    return found


def _row_reference(row: Union[int, str, Row]) -> Union[int, str]:
    """A row as `at` and `to` take it: its position, or its identity after a `#`."""
    if isinstance(row, Row):
        return "#" + row.id
    return row if isinstance(row, int) or row.startswith("#") else "#" + row


def _names_a_position(address: str) -> bool:
    """Whether an address names a row or an element by its position, or the place after the last one."""
    return address.startswith("/") and any(name.isdecimal() or name == "-" for name in _pointer_names(address))


def _address(place: Union[str, Row]) -> str:
    return place.address if isinstance(place, Row) else place


def _with_value(inside: JSON, names: Sequence[str], value: JSON, state: Mapping[str, JSON]) -> JSON:
    """A copy of the value `inside` with another value at a place; `_UNSET` removes it.

    `state` is the document's entry for `inside`. For a list, it has the position of each row.
    """
    name, below = names[0], names[1:]
    order = state.get("order")
    if order is not None:
        identity = _row_identity(state, name)
        if identity is None:
            return inside
        rows = list(inside) if isinstance(inside, list) and len(inside) == len(order) else [None] * len(order)
        position = order.index(identity)
        part = state.get("rows", {}).get(identity, {})
        # A row that is emptied keeps its place.
        emptied = None if value is _UNSET else value
        rows[position] = _with_value(rows[position], below, value, part) if below else emptied
        return rows
    changed = dict(inside) if isinstance(inside, dict) else {}
    if below:
        changed[name] = _with_value(changed.get(name), below, value, state.get("fields", {}).get(name, {}))
    elif value is _UNSET:
        changed.pop(name, None)
    else:
        changed[name] = value
    return changed


def _with_rows_in_order(inside: JSON, patch: JSON, before: Mapping[str, JSON]) -> JSON:
    """A copy of the value `inside` with its rows in the order of a patch: moved rows have moved, new rows are None.

    `patch` changes the document's entry for `inside`; `before` is that entry before the patch.
    """
    if not isinstance(patch, dict):
        return inside
    if isinstance(inside, dict):
        known, changed = before.get("fields", {}), patch.get("fields") or {}
        parts = {name: _with_rows_in_order(inside[name], changed[name], known.get(name, {}))
                 for name in changed if name in inside}  # fmt: skip
        return {**inside, **parts}
    order = before.get("order", [])
    if not isinstance(inside, list) or len(inside) != len(order):
        return inside
    rows, known, changed = dict(zip(order, inside)), before.get("rows", {}), patch.get("rows") or {}
    for identity in changed:
        if identity in rows:
            rows[identity] = _with_rows_in_order(rows[identity], changed[identity], known.get(identity, {}))
    return [rows.get(identity) for identity in patch.get("order") or order]


def default_socket_path() -> str:
    """The path on which the daemon listens by default: `$XDG_RUNTIME_DIR/formd/formd.sock`.

    `FORMD_SOCKET` comes first, so that one setting serves a shell and the programs that it starts. Without
    `XDG_RUNTIME_DIR` the path is `/run/user/UID/formd/formd.sock` if that folder belongs to the user, else
    `/tmp/formd-UID/formd.sock`.
    """
    if os.environ.get("FORMD_SOCKET"):
        return os.environ["FORMD_SOCKET"]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        runtime = f"/run/user/{os.geteuid()}"
        try:
            status = os.lstat(runtime)
        except OSError:
            return os.path.join(_private_folder(), "formd.sock")
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            return os.path.join(_private_folder(), "formd.sock")
    return os.path.join(runtime, "formd", "formd.sock")


def _private_folder() -> str:
    return f"/tmp/formd-{os.geteuid()}"


def _refuse_foreign_folder(path: str) -> None:
    """Every user may make folders in /tmp, so the client checks the private folder before it sends anything to that
    socket."""
    if os.path.dirname(path) != _private_folder():
        return
    status = os.lstat(_private_folder())
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(errno.EACCES, f"the folder {_private_folder()} belongs to another user or is open to other users")


def _compact(value: JSON) -> str:
    # `allow_nan` is off: NaN is not JSON, and the daemon would answer with a parse error.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _without_none(**members: JSON) -> dict[str, JSON]:
    return {name: value for name, value in members.items() if value is not None}


def _form_params(form: Optional[str], definition: Optional[Mapping[str, JSON]], **others: JSON) -> dict[str, JSON]:
    if (form is None) == (definition is None):
        raise ValueError("give either the name of a form or a definition")
    return _without_none(form=form, definition=definition, **others)


_UNSET: Any = object()


# asyncio


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


class AsyncClient:
    """One connection to the daemon, for asyncio. Use it as `async with AsyncClient(path) as client:`.

    Callbacks run in the event loop, in the order in which the daemon wrote. If a callback raises an exception,
    it is logged, and the client goes on.

    The client restores a lost connection while it has something to restore: kept sessions, which it attaches again,
    providers, which it registers again, and the watch of the forms. `patience` says for how many seconds it tries, with
    growing pauses; with 0 it does not try. A session that is not kept is closed. Calls during that time are sent as
    soon as possible. `path` may be several sockets, of daemons that share a store: the first on which a daemon listens
    counts, at the start and whenever the connection is lost. `timeout` says for how many seconds a call waits for its
    answer, if the call does not say; None means without a limit. Requests that were sent and not answered are treated
    by their kind:

    * Requests that may be executed twice are sent again, in order. These are all requests that only ask, and the inputs
      change, focus, blur, fail, show_step, cancel, set_locale and reset, unless they name a row by its position.
    * All further requests (tap, insert, remove, move, an open with `keep`, an attach with `rotate`, and methods that
      this module does not know) raise OutcomeUnknown. In a session that is not kept, only a tap does: the daemon has
      closed the session, so its inputs have no effect.

    The daemon accepts a number of requests at a time (`requestsInFlightMax`). Further requests wait in this client, in
    order.

    The client also attaches a kept session again if the daemon could not store it, or lost it because the daemon was
    cut off from its store. A session that was taken at another daemon is closed (`closed_reason` is `moved`): this
    client does not take it back.

    The client does not compare revisions: they also count other clients' inputs and timers, and the daemon may still
    apply requests that are on their way over the lost connection. The client does not restore a connection that an
    operator has ended (1013).
    """

    def __init__(
        self,
        path: Union[str, Sequence[str], None] = None,
        *,
        patience: float = PATIENCE_SECONDS,
        timeout: Optional[float] = TIMEOUT_SECONDS,
    ) -> None:
        paths = [path] if isinstance(path, str) else list(path or ())
        self.paths: tuple[str, ...] = tuple(paths) or (default_socket_path(),)
        """The sockets that the client tries, in order: the socket of the last connection comes first."""
        self.patience = patience
        self.timeout = timeout
        self.sessions: dict[int, AsyncSession] = {}
        """The sessions of this connection, by number."""
        self.draining: bool = False
        """True after the daemon has announced its end."""
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._is_connected = False
        self._is_closing = False
        self._last_word: Optional[RpcError] = None
        """The daemon's error about the whole connection: why it ends."""
        self._pending: dict[int, _Pending] = {}
        self._queue: deque[_Pending] = deque()
        """Requests that wait for the answers to other requests, in order."""
        self._in_flight: set[int] = set()
        """The ids of the requests that the daemon has not answered over this connection."""
        self._requests_max = REQUESTS_MAX
        self._next_id = 0
        self._process = os.getpid()
        self._away: list[AsyncSession] = []
        """Kept sessions that must be attached again."""
        self._coming_back: Optional[asyncio.Task[None]] = None
        self._was_lost = False
        self._setback = ""
        """Why the connection is not restored yet."""
        self._pause = 0.0
        self._wanted_pause = 0.0
        """How long the daemon wants the client to wait before the next try."""
        self._came_back_at = float("-inf")
        self._patience_ends_at = 0.0
        self._providers: dict[str, Callable[[JSON, Optional[str]], Any]] = {}
        self._registrations: dict[str, Mapping[str, JSON]] = {}
        """The params of `provider/register`, of the providers that are registered, by name."""
        self._unregistered: set[str] = set()
        """The names of providers that the client has to register again."""
        self._watches_forms = self._is_watching_forms = False
        """Whether the program watches the forms, and whether this connection does."""
        self._evaluations: dict[Any, tuple[asyncio.Task[None], JSON]] = {}
        """The daemon's open questions, by the id of their request: the task that finds the answer, and the provider's
        name."""
        self._on_draining: list[Callable[[ServerDraining], None]] = []
        self._on_forms_changed: list[Callable[[LoadedForms], None]] = []
        self._on_rejected: list[Callable[[ServerRejected], None]] = []
        self._on_closed: list[Callable[[], None]] = []
        self._on_reconnect: list[Callable[[], None]] = []
        self._on_line: list[Callable[[str, str], None]] = []
        self._background: set[asyncio.Task[Any]] = set()

    def __repr__(self) -> str:
        state = "connected" if self._is_connected else "reconnecting" if self._coming_back is not None else "not connected"
        count = len(self.sessions) + len(self._away)
        return f"<formd.{type(self).__name__} {self.path!r} {state}, {count} session{'' if count == 1 else 's'}>"

    async def __aenter__(self) -> AsyncClient:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connects; raises ConnectionLost, with advice, when no daemon listens."""
        self._is_closing = False
        self._process = os.getpid()
        await self._connect()

    async def _connect(self) -> None:
        reader, writer = await self._open()
        self._writer = writer
        self._is_connected, self.draining, self._last_word = True, False, None
        self._reading = asyncio.ensure_future(self._read(reader, writer))
        # A write to a connection that the daemon has refused already would lose the error in it: it is read before.
        for _ in range(3):
            await asyncio.sleep(0)
        if not self._is_connected:
            raise ConnectionLost(f"the daemon closed the connection: {self._last_word}")
        self._transmit_all_of(None, "the connection was lost before the answer")

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connects to the first socket on which a daemon listens."""
        problems = []
        for path in self.paths:
            try:
                _refuse_foreign_folder(path)
                streams = await asyncio.open_unix_connection(path, limit=MESSAGE_BYTES_MAX)
            except OSError as error:
                problems.append((path, error))
                continue
            self.paths = (path, *(other for other in self.paths if other != path))
            return streams
        where = " and no daemon at ".join(f"{path} ({error.strerror or error})" for path, error in problems)
        advice = "start one with `formd serve`, or set FORMD_SOCKET to its socket"
        raise ConnectionLost(f"no daemon at {where}; {advice}") from problems[-1][1]

    @property
    def path(self) -> str:
        """The path of the daemon's socket."""
        return self.paths[0]

    async def close(self) -> None:
        """Closes the connection, and with it its sessions that are not kept. A second call has no effect."""
        if self._process != os.getpid():
            return  # The connection belongs to the parent process.
        self._is_closing = True
        if self._coming_back is not None:
            self._coming_back.cancel()
            await asyncio.gather(self._coming_back, return_exceptions=True)
        if self._writer is not None:
            self._writer.close()
            try:
                await self._writer.wait_closed()
            except OSError:
                pass
        if self._reading is not None and self._reading is not asyncio.current_task():
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        self._lost(ConnectionLost("the connection was closed"))

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection. There is none while the client tries to restore it."""
        return self._is_connected

    # Requests

    async def call(
        self, method: str, params: Optional[Mapping[str, JSON]] = None, timeout: Optional[float] = None
    ) -> JSON:
        """The result of `method`. Raises an RpcError if the daemon refuses, and TimeoutError after `timeout` seconds
        (None: the client's `timeout`; math.inf: no limit).

        If a call is cancelled or runs out of time, it is cancelled in the daemon, too.
        """
        number = (params or {}).get("session")
        session = self.sessions.get(number) if type(number) is int else None

        def ended(result: JSON) -> JSON:
            if session is not None:
                session._closed(None)
            return result

        on_result = ended if method in ("session/close", "session/detach") else None
        return await self._call(method, params, timeout, on_result, session)

    async def _call(
        self,
        method: str,
        params: Optional[Mapping[str, JSON]] = None,
        timeout: Optional[float] = None,
        on_result: Optional[Callable[[JSON], JSON]] = None,
        session: Optional[AsyncSession] = None,
        comes_back: bool = False,
    ) -> JSON:
        limit = self.timeout if timeout is None else timeout
        if limit == math.inf or comes_back:
            limit = None
        self._next_id += 1
        if session is not None and params is not None:
            params = {name: value for name, value in params.items() if name != "session"}
        loop = asyncio.get_running_loop()
        future: asyncio.Future[JSON] = loop.create_future()
        pending = _Pending(self._next_id, future, method, params, session, on_result, comes_back)
        if comes_back or self._coming_back is None:
            self._check_connected()
        self._pending[pending.number] = pending
        timer = None if limit is None else loop.call_later(limit, pending.expire, limit)
        try:
            if self._is_connected and session not in self._away:
                self._transmit(pending)
                await self._drain()
            else:
                # The request waits for a connection, but a value that is not JSON is refused now.
                _line(pending.message)
            # asyncio.wait_for() would return after the messages behind the answer.
            return await future
        finally:
            if timer is not None:
                timer.cancel()
            if self._pending.pop(pending.number, None) and pending.times_sent > 0 and self._is_connected:
                # The call was cancelled or ran out of time, so no caller waits for the answer.
                self._write(_line({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": pending.number}}))

    async def notify(self, method: str, params: Optional[Mapping[str, JSON]] = None) -> None:
        """Sends `method` without waiting; if the daemon refuses it, `on_rejected` is called.

        The client cannot tell whether the daemon got it before a connection was lost, and does not send it again.
        """
        self._check_connected()
        message: dict[str, JSON] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self._write(_line(message))
        await self._drain()

    async def open(
        self,
        form: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        values: Optional[Mapping[str, JSON]] = None,
        context: Optional[Mapping[str, JSON]] = None,
        show: Optional[str] = None,
        watch: Optional[Sequence[str]] = None,
        keep: Optional[str] = None,
    ) -> AsyncSession:
        """Opens a new session of the form named `form`, or of a `definition` that the program sends.

        `values` are its initial values, `context` is what its formulas read as `context`, `show="always"` shows every
        message, `watch` (JSON Pointers) narrows the pushed changes, `zone` (`Europe/Zurich`) decides the value of
        `today`. With `keep` (`"10m"`) the session outlives its connection by that time. This client attaches to it
        again by itself, and so may every client that has its `key`; see `attach`. The end of `async with session`
        closes it for all clients: to keep it, leave it with `detach` before.
        """
        params = _form_params(
            form, definition, locale=locale, zone=zone, values=values, context=context, show=show, keep=keep
        )
        if watch is not None:
            params["watch"] = list(watch)

        def opened(result: JSON) -> AsyncSession:
            # In the reader, because the session's first update may follow this answer directly.
            session = AsyncSession(self, result["session"], form or (definition or {}).get("form"))
            session.key = result.get("key")
            session._restart(result)
            self.sessions[session.id] = session
            return session

        session: AsyncSession = await self._call("session/open", params, on_result=opened)
        return session

    async def attach(
        self, key: str, *, seq: Optional[int] = None, rotate: bool = False, take: bool = False
    ) -> AsyncSession:
        """Attaches to the kept session that `key` opens, beside its other clients. Raises UnknownSession if the key
        opens none.

        `seq` is the number of the last event that the program received (0: none). The events after it are in
        `missed_events` of the session, and `events_lost` is the number of these that the daemon no longer keeps.
        `rotate` gives the session another key. If this client already has the session, an attach brings it up to date.

        If several daemons share a store, the daemon that has the session hands it over when no client is attached there
        and no action runs; else AttachedElsewhere is raised. With `take` the session is taken anyway, and its other
        clients get `closed` with reason `moved`.
        """
        params: dict[str, JSON] = {"key": key, "seq": seq or 0}
        if rotate:
            params["rotate"] = True
        if take:
            params["take"] = True

        def attached(result: JSON) -> AsyncSession:
            session = self.sessions.get(result["session"]) or next((one for one in self._away if one.key == key), None)
            if session is None:
                session = AsyncSession(self, result["session"])
                session.key = key
            session._attached(result, params["seq"], wants_events=seq is not None)
            return session

        session: AsyncSession = await self._call("session/attach", params, on_result=attached)
        return session

    async def ping(self) -> Pong:
        return cast(Pong, await self.call("server/ping"))

    async def info(self) -> ServerInfo:
        return cast(ServerInfo, await self.call("server/info"))

    async def forms(self) -> FormList:
        return cast(FormList, await self.call("form/list"))

    async def watch_forms(self) -> LoadedForms:
        """`forms` (names) and `problems` at this moment; from now on `on_forms_changed` is called after each reload.

        It is also called when a lost connection was restored, because the forms may have changed during that time.
        """

        def watching(forms: JSON) -> JSON:
            self._watches_forms = self._is_watching_forms = True
            return forms

        return cast(LoadedForms, await self._call("forms/watch", on_result=watching))

    async def reload(self) -> ReloadOutcome:
        """Lets the daemon read its configuration and its forms again.

        Returns at the end of the reload: which settings have changed, and the `problems` of the files. If `reloaded` is
        False, the configuration is broken, and nothing has changed.
        """
        return cast(ReloadOutcome, await self.call("server/reload"))

    async def backup(self, file: str) -> StoreCopy:
        """Lets the daemon copy its SQLite store of kept sessions to a new file.

        `file` is an absolute path for the daemon. The copy may take any time. Raises Overloaded if the daemon has no
        such store, or cannot write the copy.
        """
        return cast(StoreCopy, await self.call("server/backup", {"file": file}, math.inf))

    async def describe(
        self,
        form: Optional[str] = None,
        locale: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
    ) -> FormDescription:
        """Everything that a program needs to draw `form`, or a `definition` that it sends: labels, order, options,
        bounds, initial values.

        `AsyncSession.describe` returns the same for the form of a session.
        """
        return cast(FormDescription, await self.call("form/describe", _form_params(form, definition, locale=locale)))

    async def schema(
        self,
        form: Optional[str] = None,
        locale: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
    ) -> JSON:
        """The JSON Schema of `form`, or of a `definition` that the program sends.

        Its `title` and `description` members have the form's texts.

        `AsyncSession.schema` returns the same for the form of a session.
        """
        return (await self.call("form/schema", _form_params(form, definition, locale=locale)))["schema"]

    async def validate(
        self,
        form: str,
        values: Mapping[str, JSON],
        *,
        context: Optional[Mapping[str, JSON]] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        checks: bool = False,
        only: Optional[Sequence[str]] = None,
    ) -> Validation:
        """One-shot validation of `values`, without a session: `isValid`, `values`, `errors` and `document`.

        `checks` also asks services. `only` are addresses: only these fields are judged, and the fields inside them.
        """
        only = None if only is None else list(only)
        params = _without_none(form=form, values=values, context=context, locale=locale, zone=zone, only=only)
        return cast(Validation, await self.call("form/validate", {**params, "checks": True} if checks else params))

    async def validate_text(
        self,
        form: str,
        text: str,
        language: str,
        *,
        encoding: Optional[str] = None,
        context: Optional[Mapping[str, JSON]] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        checks: bool = False,
        defaults: Optional[str] = None,
        errors_max: Optional[int] = None,
    ) -> TextValidation:
        """Validates a text of values: `isValid`, `errors` with their places in the text, and `isTruncated`.

        `language` is json, jsonc, yaml or env. `encoding` is the unit of a range's characters: utf-8, utf-16 (the
        default) or utf-32, in which Python indexes a text.
        """
        params = _without_none(
            form=form,
            text=text,
            language=language,
            encoding=encoding,
            context=context,
            locale=locale,
            zone=zone,
            defaults=defaults,
            errorsMax=errors_max,
        )
        return cast(TextValidation, await self.call("text/validate", {**params, "checks": True} if checks else params))

    # Providers

    async def provider(
        self, name: str, handler: Callable[..., Any], token: Optional[str] = None, *, keyed: bool = False
    ) -> None:
        """Answers `provider/evaluate` for `name` with `handler(arguments)`, a function or a coroutine function.

        `token` is the token of that name in the daemon's configuration, if it has one. A plain function runs in the
        event loop and should not block it. Raise ProviderError to answer with an error. With `keyed` the handler is
        called as `handler(arguments, key)`: the key is the same whenever the daemon asks about one tap of an action
        with `idempotency`, and None for all other questions.

        If the configuration lets several connections answer for the name (`holders`), the daemon asks them in turn.
        """
        if name in self._providers:
            raise ValueError(f"this client has already registered the provider {name!r}")
        # Before the request is sent, because the daemon may ask as soon as it has written its answer.
        self._providers[name] = handler if keyed else lambda arguments, key: handler(arguments)
        params = _without_none(name=name, token=token)

        def registered(_: JSON) -> None:
            self._registrations[name] = params

        try:
            await self._call("provider/register", params, on_result=registered)
        except BaseException:
            self._providers.pop(name, None)
            raise

    async def withdraw_provider(self, name: str) -> None:
        """Stops answering for `name`: the daemon sends no more questions, and all its questions are answered when this
        returns.

        A program that calls this before it closes its connection leaves no question without an answer. Its handlers
        must not call it: they would wait for themselves.
        """
        # From here on, it is not registered again.
        was_registered = self._registrations.pop(name, None) is not None
        self._unregistered.discard(name)
        try:
            await self.call("provider/unregister", {"name": name})
        except UnknownProvider:
            # The registration ended with the lost connection.
            if not was_registered:
                raise
        self._providers.pop(name, None)
        # All questions have arrived: the daemon sends none after its answer.
        answering = [task for task, asked in self._evaluations.values() if asked == name]
        await asyncio.gather(*answering, return_exceptions=True)

    # Callbacks

    def on_forms_changed(self, callback: Callable[[LoadedForms], None]) -> Callable[[], None]:
        """Calls `callback(params)` with `forms` and `problems` when the daemon has reloaded the forms; see
        `watch_forms`."""
        return _subscribe(self._on_forms_changed, callback)

    def on_draining(self, callback: Callable[[ServerDraining], None]) -> Callable[[], None]:
        """Calls `callback(params)` when the daemon announces its end. Returns a function that removes the callback."""
        return _subscribe(self._on_draining, callback)

    def on_rejected(self, callback: Callable[[ServerRejected], None]) -> Callable[[], None]:
        """Calls `callback(params)` when the daemon has refused a notification. Without a callback, this is logged."""
        return _subscribe(self._on_rejected, callback)

    def on_closed(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback()` once when the connection ends for good: it was closed, or it was lost and could not be
        restored."""
        return _subscribe(self._on_closed, callback)

    def on_reconnect(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback()` each time that a lost connection is restored, with its sessions, providers and watch.

        Sessions that could not be attached are closed by then (their `on_closed` was called), and all other documents
        are current. A program that shows a session now puts its `values` into its inputs, and asks the user again for
        secrets, because the daemon never sends them.
        """
        return _subscribe(self._on_reconnect, callback)

    def on_line(self, callback: Callable[[str, str], None]) -> Callable[[], None]:
        """Calls the callback with every line of the connection from now on, unchanged: with `sent` or `received`, and
        the line.

        For programs that show or record a conversation. A line may contain a secret.
        """
        return _subscribe(self._on_line, callback)

    # The connection

    def _check_connected(self) -> None:
        self._check_process()
        if not self.is_connected:
            raise ConnectionLost("not connected" if self._reading is None else "the connection is closed")

    def _check_process(self) -> None:
        if self._process != os.getpid():
            raise ConnectionLost(
                f"this client was connected by process {self._process}, and this is process {os.getpid()}: "
                "after a fork, open another client"
            )

    def _write(self, line: bytes) -> None:
        assert self._writer is not None
        self._passed("sent", line)
        self._writer.write(line)

    def _passed(self, direction: str, line: bytes) -> None:
        if self._on_line:
            _deliver(self._on_line, direction, line.decode(errors="replace").rstrip("\r\n"))

    async def _drain(self) -> None:
        try:
            assert self._writer is not None
            await self._writer.drain()
        except OSError:
            pass  # The reader also sees the end of the connection, and informs all waiting calls.

    def _transmit(self, pending: _Pending) -> None:
        """Sends a request, after all requests before it if the daemon accepts no more at a time."""
        _line(pending.message)  # A value that is not JSON is refused now.
        pending.is_queued = True
        if pending.comes_back:
            self._queue.appendleft(pending)
        else:
            self._queue.append(pending)
        self._transmit_queued()

    def _transmit_queued(self) -> None:
        while self._queue and self._is_connected and len(self._in_flight) < self._requests_max:
            pending = self._queue.popleft()
            pending.is_queued = False
            if self._pending.get(pending.number) is not pending:
                continue  # The call was cancelled, or ran out of time.
            pending.times_sent += 1
            pending.refusal = None
            self._in_flight.add(pending.number)
            self._write(_line(pending.message))

    def _has_no_place_for(self, pending: _Pending, refusal: RpcError) -> bool:
        """Whether the daemon accepts fewer requests at a time than this client thought. The request waits then."""
        data: Mapping[str, JSON] = refusal.data if isinstance(refusal.data, dict) else {}
        if data.get("limit") != "requestsInFlightMax" or pending.times_refused == TIMES_SENT_MAX:
            return False
        self._requests_max = max(1, min(self._requests_max, int(data.get("value", REQUESTS_MAX))))
        pending.times_sent -= 1
        pending.times_refused += 1
        pending.is_queued = True
        # Among the waiting requests, in their order.
        behind = sum(other.comes_back or other.number < pending.number for other in self._queue)
        self._queue.insert(behind, pending)
        self._transmit_queued()
        return True

    def _transmit_all_of(self, session: Optional[AsyncSession], reason: str) -> None:
        """Sends the requests that wait for the session or for a connection, in order. A request that must not be sent
        again fails with OutcomeUnknown."""
        for pending in self._pending_of(session):
            if pending.is_queued:
                self._queue.remove(pending)
            if pending.may_be_sent:
                # With another id, because the request with its first id may still be answered.
                self._next_id += 1
                pending.number = self._next_id
                self._pending[pending.number] = pending
                self._transmit(pending)
            else:
                pending.fail(OutcomeUnknown(pending.method, reason))

    def _pending_of(self, session: Optional[AsyncSession]) -> list[_Pending]:
        """Takes the requests of a session, or the requests without a session, in order."""
        numbers = [number for number, one in self._pending.items() if one.session is session and not one.comes_back]
        return [self._pending.pop(number) for number in numbers]

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reason = "the daemon closed the connection"
        try:
            while True:
                line = await reader.readuntil(b"\n")
                self._passed("received", line)
                try:
                    message = json.loads(line)
                except (ValueError, RecursionError) as error:
                    log.error("a line from the daemon is not JSON: %s", error)
                    continue
                for one in message if isinstance(message, list) else [message]:
                    self._received(one)
        except (asyncio.IncompleteReadError, OSError):
            pass
        except asyncio.CancelledError:
            self._is_closing = True  # The program ends.
            raise
        except asyncio.LimitOverrunError:
            reason = f"the daemon sent a line of more than {MESSAGE_BYTES_MAX} bytes"
        finally:
            writer.close()
            if self._is_closing:
                reason = "the connection was closed"
            elif self._last_word is not None:
                reason += f": {self._last_word}"
            self._ended(ConnectionLost(reason))

    def _received(self, message: JSON) -> None:
        if not isinstance(message, dict):
            log.error("a message from the daemon is not an object")
        elif "method" in message:
            params = message.get("params") or {}
            if "id" in message:
                self._requested(message["id"], message["method"], params)
            else:
                self._notified(message["method"], params)
        else:
            self._answered(message)

    def _answered(self, message: dict[str, JSON]) -> None:
        number = message.get("id")
        if number is None:
            self._last_word = _rpc_error(message.get("error"))
            log.error("the daemon reports an error of the connection: %s", self._last_word)
            self._held_up(self._last_word)
            return
        self._in_flight.discard(number)
        pending = self._pending.get(number) if isinstance(number, int) else None
        if pending is None or pending.future.done():
            self._transmit_queued()
            return  # The answer to a call that was cancelled.
        if "error" in message:
            refusal = _rpc_error(message["error"])
            if self._has_no_place_for(pending, refusal):
                return
            was_closed = isinstance(refusal, RequestCancelled) and (refusal.data or {}).get("reason") == "sessionClosed"
            if was_closed and pending.is_of_kept_session:
                # The next message says whether the session is closed or must be attached again.
                pending.refusal = refusal
                return
            del self._pending[pending.number]
            pending.future.set_exception(refusal)
            self._transmit_queued()
            return
        del self._pending[pending.number]
        self._transmit_queued()
        result = message.get("result")
        try:
            pending.future.set_result(pending.on_result(result) if pending.on_result else result)
        except (KeyError, TypeError, ValueError) as error:
            pending.future.set_exception(FormdError(f"the daemon violated the protocol: {pending.method}: {error!r}"))

    def _notified(self, method: str, params: JSON) -> None:
        if method in ("session/update", "session/closed", "session/desync"):
            session = self.sessions.get(params.get("session"))
            if session is None:
                log.debug("%s for a session that this client does not have", method)
            elif method == "session/update":
                session._updated(params)
            elif method == "session/closed":
                session._closed_by_daemon(params.get("reason"))
            else:
                session._desynchronised(params)
        elif method == "server/draining":
            self.draining = True
            _deliver(self._on_draining, params)
        elif method == "forms/changed":
            _deliver(self._on_forms_changed, params)
        elif method == "server/rejected":
            if not self._on_rejected:
                log.warning("the daemon rejected a notification: %s", params)
            _deliver(self._on_rejected, params)
        elif method == "$/cancelRequest":
            task, _ = self._evaluations.get(params.get("id"), (None, None))
            if task is not None:
                task.cancel()

    def _requested(self, number: JSON, method: str, params: JSON) -> None:
        if method != "provider/evaluate":
            error = {"code": -32601, "message": "Method not found", "data": {"method": method}}
            self._write(_line({"jsonrpc": "2.0", "id": number, "error": error}))
            return
        name = params.get("name")
        # Now, because the provider may be withdrawn before the task begins.
        task = self._start(self._evaluate(number, params, self._providers.get(name)))
        self._evaluations[number] = (task, name)
        task.add_done_callback(lambda task: self._evaluated(number, task))

    def _is_asked(self, number: JSON, task: Optional[asyncio.Task[Any]]) -> bool:
        """Whether the daemon waits for the task's result; false if the daemon asked over a connection that is lost."""
        return self._evaluations.get(number, (None, None))[0] is task

    def _evaluated(self, number: JSON, task: asyncio.Task[None]) -> None:
        if not self._is_asked(number, task):
            return
        del self._evaluations[number]
        # Here and not in the task, because a task that is cancelled before it begins never runs.
        if task.cancelled():
            self._write(self._refusal(number, -32800, "Request cancelled", None))

    async def _evaluate(
        self, number: JSON, params: JSON, handler: Optional[Callable[[JSON, Optional[str]], Any]]
    ) -> None:
        answer: dict[str, JSON] = {"jsonrpc": "2.0", "id": number}
        name = params.get("name")
        try:
            if handler is None:
                raise ProviderError(f"this client has no provider {name!r}")
            result = handler(params.get("arguments"), params.get("idempotencyKey"))
            answer["result"] = await result if inspect.isawaitable(result) else result
            line = _line(answer)
        except ProviderError as error:
            line = self._refusal(number, error.code, str(error), error.data)
        except Exception:
            # Only the log has the exception: exceptions quote their arguments, and arguments may contain secrets.
            log.exception("the provider %r failed", name)
            line = self._refusal(number, -32603, "Internal error", None)
        if self._is_asked(number, asyncio.current_task()):
            self._write(line)
            await self._drain()

    @staticmethod
    def _refusal(number: JSON, code: int, message: str, data: JSON) -> bytes:
        error = {"code": code, "message": message, **({"data": data} if data is not None else {})}
        return _line({"jsonrpc": "2.0", "id": number, "error": error})

    def _start(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task of our own, kept alive until it ends (asyncio holds tasks only weakly)."""
        task = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    # The end of the connection

    def _ended(self, error: ConnectionLost) -> None:
        """The connection has ended. It is restored if there is something to restore."""
        if not self._is_connected:
            return
        self._is_connected, self._was_lost = False, True
        self._in_flight.clear()
        for pending in self._queue:
            pending.is_queued = False
        self._queue.clear()
        evaluations, self._evaluations = self._evaluations, {}
        for task, _ in evaluations.values():
            task.cancel()
        for pending in [one for one in self._pending.values() if one.comes_back]:
            del self._pending[pending.number]
            pending.fail(error)
        kept = [session for session in self.sessions.values() if session.key is not None]
        self._unregistered = set(self._registrations)
        self._is_watching_forms = False
        has_something = bool(kept) or self._lacks_something
        if self._is_closing or self.patience <= 0 or not has_something or isinstance(self._last_word, Disconnected):
            if self._coming_back is not None:
                self._coming_back.cancel()
            self._lost(error)
            return
        log.info("%s; trying to restore it", error)
        for session in list(self.sessions.values()):
            if session.key is None:
                session._closed(f"{error}; the session was not kept", error)
        self._come_back_to(kept, str(error))

    @property
    def _lacks_something(self) -> bool:
        """Whether the lost connection had something that is not restored yet."""
        return bool(self._away or self._unregistered) or self._watches_forms != self._is_watching_forms

    def _come_back_to(self, sessions: Sequence[AsyncSession], reason: str) -> None:
        """Attaches these sessions again, over another connection if this one has ended."""
        for session in sessions:
            self.sessions.pop(session.id, None)
            self._away.append(session)
        self._setback = reason
        if self._coming_back is None:
            self._coming_back = self._start(self._come_back())

    async def _come_back(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._came_back_at > PAUSE_SECONDS_MAX:
            self._pause = self._wanted_pause = 0.0
            self._patience_ends_at = loop.time() + self.patience
        # Else the connection did not last: the pauses and the patience continue from the last time.
        began_with = self._setback
        try:
            await asyncio.wait_for(self._until_back(), self._patience_ends_at - loop.time())
        except asyncio.TimeoutError:
            self._give_up(began_with)
        finally:
            self._coming_back = None
        if not self._is_connected:
            if self._lacks_something:
                self._come_back_to([], self._setback)  # The connection was lost again at the last moment.
            return
        self._came_back_at = loop.time()
        if self._was_lost:
            self._was_lost = False
            _deliver(self._on_reconnect)

    async def _until_back(self) -> None:
        """Tries, with growing pauses, until a connection has everything that the last one had."""
        while True:
            # The clients that lost their connections do not all come back at once.
            pause = max(self._pause * random.uniform(0.5, 1.5), self._wanted_pause)
            self._wanted_pause = 0.0
            if pause > 0:
                await asyncio.sleep(pause)
            self._pause = min(max(2 * self._pause, PAUSE_SECONDS_MIN), PAUSE_SECONDS_MAX)
            try:
                if not self._is_connected:
                    await self._connect()
                if self._watches_forms and not self._is_watching_forms:
                    await self._watch_forms_again()
                for name in list(self._unregistered):
                    await self._register_again(name)
                attaching = [self._attach_again(session) for session in self._away]
                for failure in await asyncio.gather(*attaching, return_exceptions=True):
                    if failure is not None:
                        raise failure
                if not self._lacks_something:
                    return
            except ConnectionLost as failure:
                self._setback = str(failure)

    async def _watch_forms_again(self) -> None:
        try:
            forms = await self._call("forms/watch", comes_back=True)
        except (Draining, Overloaded) as refusal:
            self._held_up(refusal)
            return
        self._is_watching_forms = True
        _deliver(self._on_forms_changed, forms)

    def _held_up(self, refusal: RpcError) -> None:
        """The daemon asks the client to try later."""
        self._setback = str(refusal)
        wanted = ((refusal.data or {}).get("retryAfterMs") or 0) / 1000
        self._wanted_pause = max(self._wanted_pause, wanted)

    async def _register_again(self, name: str) -> None:
        try:
            await self._call("provider/register", self._registrations[name], comes_back=True)
        except (DuplicateProvider, Draining, Overloaded) as refusal:
            # A duplicate: the daemon may not have seen the end of the last connection yet.
            self._held_up(refusal)
            return
        except RpcError as refusal:
            self._forget_provider(name, str(refusal))
        self._unregistered.discard(name)

    def _forget_provider(self, name: str, reason: str) -> None:
        log.error("the provider %r could not be registered again: %s", name, reason)
        self._registrations.pop(name, None)
        self._providers.pop(name, None)

    async def _attach_again(self, session: AsyncSession) -> None:
        seq = session.last_event
        params = {"key": session.key, "seq": seq}

        def attached(result: JSON) -> None:
            session._attached(result, seq, wants_events=True)

        try:
            await self._call("session/attach", params, on_result=attached, comes_back=True)
        except UnknownSession:
            session._closed(_GONE)
        except (Draining, Overloaded) as refusal:
            self._held_up(refusal)
        except ConnectionLost:
            raise
        except FormdError as refusal:
            session._closed(f"it could not be attached again: {refusal}")

    def _give_up(self, began_with: str) -> None:
        """The time for restoring the connection has run out."""
        what = f"the client tried for {self.patience:g} s; the last error: {self._setback}"
        if not self._is_connected:
            self._lost(ConnectionLost(f"{began_with}; the connection could not be restored; {what}"))
            return
        for name in list(self._unregistered):
            self._forget_provider(name, what)
        self._unregistered.clear()
        self._watches_forms = self._is_watching_forms
        for session in list(self._away):
            session._closed(f"it could not be attached again; {what}")

    def _lost(self, error: ConnectionLost) -> None:
        """The connection has ended for good. Every waiting call fails now."""
        pending, self._pending = self._pending, {}
        for one in pending.values():
            one.fail(error)
        for session in [*self.sessions.values(), *self._away]:
            session._closed(str(error))
        self._providers.clear()
        self._registrations.clear()
        self._unregistered.clear()
        self._watches_forms = self._is_watching_forms = False
        callbacks, self._on_closed = self._on_closed, []
        for callback in callbacks:
            _guarded(callback)


_GONE = (
    "the daemon no longer has it: it was closed or has expired, its key was replaced, or it was kept in the memory of a daemon "
    "that has ended"
)
"""Why a kept session that this client had is unknown (1001)."""

_COMES_BACK = {
    "store": "the daemon could not store the session's last turn",
    "lost": "the daemon was cut off from its store and lost the session",
}
"""Reasons of `session/closed` after which a kept session is attached again, and what they mean."""


class AsyncSession:
    """One live copy of a form, and the document with its state."""

    def __init__(self, client: AsyncClient, number: int, form: Optional[str] = None) -> None:
        self.client = client
        self.id: int = number
        self.form: Optional[str] = form
        """The name of the form."""
        self.document: Document = cast(Document, {})
        """The output document, current as of `revision`. It is replaced, never changed in place."""
        self.revision: int = 0
        self.values: dict[str, JSON] = {}
        """The values from the daemon: from the last open or get, with later changes that the daemon made by itself;
        never a secret's value."""
        self.events_lost: int = 0
        """How many events the daemon could not keep, because this client read too slowly or was away too long."""
        self.key: Optional[str] = None
        """The key that opens a kept session again (`AsyncClient.attach`); None for a session that ends with its
        connection. A secret."""
        self.missed_events: tuple[Event, ...] = ()
        """After an attach with `seq`: the events after this number. After a lost connection, `on_event` gets them."""
        self.last_event: int = 0
        """The number of the last event that the client received: the `seq` for a later attach."""
        self.is_migrated: bool = False
        """Whether the form has changed since the last attach, and the session has followed the change."""
        self.closed_reason: Optional[str] = None
        self.is_open: bool = True
        self._resynchronising = False
        self._on_change: list[tuple[str, Callable[[Change], None]]] = []
        self._on_update: list[Callable[[Update], None]] = []
        self._on_event: list[Callable[[Event], None]] = []
        self._on_closed: list[Callable[[Optional[str]], None]] = []
        self._wakers: set[asyncio.Future[None]] = set()

    def __repr__(self) -> str:
        # The key is a secret.
        kind = f"<formd.{type(self).__name__} {self.id}{f' of {self.form!r}' if self.form else ''}"
        if not self.is_open:
            return f"{kind}, closed{f': {self.closed_reason}' if self.closed_reason else ''}>"
        state = "pending" if self.is_pending else "valid" if self.is_valid else "not valid"
        return f"{kind}, revision {self.revision}, {state}{', kept' if self.key else ''}>"

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.is_open and self.client.is_connected:
            await self.close()

    # The state of the session

    @property
    def is_valid(self) -> bool:
        return self.document.get("isValid") is True

    @property
    def is_pending(self) -> bool:
        return self.document.get("isPending") is True

    @property
    def is_dirty(self) -> bool:
        return self.document.get("isDirty") is True

    @property
    def messages(self) -> Mapping[str, str]:
        """The messages to show now, by the address of the field."""
        return self.document.get("messages", {})

    def errors(self) -> list[FieldError]:
        """All errors and warnings in the document, in the order of the form, shown to the user or not."""
        return _errors_in([], self.document)

    @property
    def outputs(self) -> Mapping[str, JSON]:
        return self.document.get("outputs", {})

    def field(self, address: str) -> FieldState:
        """The document's entry for the field at an address: a name, or a JSON Pointer (`/address/city`).

        A row is named by its identity or its position (`/items/#7/quantity`, `/items/0`). The result includes the
        members that the document leaves out of rows because they have defaults.
        """
        state = cast(Mapping[str, JSON], self.document)
        is_in_row = False
        for name in _address_names(address):
            if name in state.get("fields", {}):
                state = state["fields"][name]
            elif "order" in state:
                identity = _row_identity(state, name)
                if identity is None:
                    return {}
                state, is_in_row = state.get("rows", {}).get(identity, {}), True
            elif is_in_row and not name.startswith("#") and not name.isdigit():
                state = {}
            else:
                return {}
        return cast(FieldState, {**_USUAL, **state} if is_in_row else state)

    def rows(self, field: str) -> list[Row]:
        """The rows of the list at an address, in order."""
        state: Mapping[str, JSON] = self.field(field)
        begin = "".join("/" + _escaped(name) for name in _address_names(field))
        rows = state.get("rows", {})
        return [Row(identity, f"{begin}/#{identity}", {**_USUAL, **rows.get(identity, {})})
                for identity in state.get("order", ())]  # fmt: skip

    def action(self, name: str) -> ActionState:
        return self.document.get("actions", {}).get(name, {})

    def lookup(self, name: str) -> LookupState:
        """The lookup with this name: `isLoading`, `value` if it has one, `error` after a failure."""
        return self.document.get("lookups", {}).get(name, {})

    @property
    def step(self) -> Optional[str]:
        """The id of the step that the user sees; None if the form has no steps, or if all are hidden."""
        return self.document.get("step")

    @property
    def steps(self) -> Mapping[str, StepState]:
        """The document's entry for each step, by its id, in order."""
        return self.document.get("steps", {})

    def get(self, pointer: str, default: JSON = None) -> JSON:
        """The document's value at a JSON Pointer."""
        return resolve_pointer(self.document, pointer, default)

    # Inputs

    async def change(
        self,
        field: Union[str, Mapping[str, JSON]],
        value: JSON = _UNSET,
        *,
        commit: bool = False,
        origin: Optional[str] = None,
        composing: Optional[bool] = None,
    ) -> int:
        """Sets a field, `change("email", "kim")`, or several in one turn, `change({"email": "kim", "age": 7})`.

        `field` may be a JSON Pointer into a value (`/items/0/qty`). `commit` ends the editing too; `origin` is user,
        autofill, restore or program. Returns the revision.
        """
        params: dict[str, JSON] = {}
        if isinstance(field, str):
            if value is _UNSET:
                raise TypeError("change(field, value) needs a value; None empties the field")
            params.update(field=field, value=value)
        elif value is _UNSET:
            params["values"] = dict(field)
        else:
            raise TypeError("change takes a field and a value, or a mapping")
        if commit:
            params["commit"] = True
        params.update(_without_none(origin=origin, composing=composing))
        return await self._input("field/change", params)

    async def focus(self, field: str) -> int:
        """Editing begins."""
        return await self._input("field/focus", {"field": field})

    async def blur(self, field: str) -> int:
        """Editing ends."""
        return await self._input("field/blur", {"field": field})

    async def insert(
        self, field: str, value: JSON = None, *, at: Union[int, str, Row, None] = None
    ) -> str:
        """Adds a row to the list at an address; returns the row's identity.

        `value` is laid over the defaults of the form's schema; None adds a row with the defaults. `at` is the position
        or the row (or its identity) before which the new row is inserted; without it the row becomes the last.
        """
        params: dict[str, JSON] = {"field": field}
        if value is not None:
            params["value"] = value
        return str((await self._insert(params, at))["row"])

    async def insert_all(
        self, field: str, values: Sequence[JSON], *, at: Union[int, str, Row, None] = None
    ) -> list[str]:
        """Adds a row for each value, in one turn; returns their identities. `at` is as in `insert`."""
        params: dict[str, JSON] = {"field": field, "values": list(values)}
        return list((await self._insert(params, at))["rows"])

    async def _insert(self, params: dict[str, JSON], at: Union[int, str, Row, None]) -> JSON:
        if at is not None:
            params["at"] = _row_reference(at)
        return await self._ask("field/insert", params)

    async def remove(self, place: Union[str, Row]) -> int:
        """Removes a row, by itself or by its address (`/items/#7`, `/items/0`), or a member of an object.

        An identity alone is a ValueError: it does not say in which list the row is.
        """
        if isinstance(place, str) and place.removeprefix("#").isdecimal():
            raise ValueError(
                f"{place!r} is not an address; remove a row by its address, such as "
                f"'/items/#{place.removeprefix('#')}', or by the Row itself"
            )
        return await self._input("field/remove", {"field": _address(place)})

    async def move(self, row: Union[str, Row], to: Union[int, str, Row]) -> int:
        """Moves a row within its list: to a position, or before a row (or its identity)."""
        params = {"field": _address(row), "to": _row_reference(to)}
        return await self._input("field/move", params)

    async def toggle(self, field: str, value: JSON) -> int:
        """Marks a choice of a multiple choice, or takes the mark away."""
        return await self._input("field/toggle", {"field": field, "value": value})

    async def fail(self, field: str, message: str) -> int:
        """Shows an error at a field until its value changes. The program's own server has found the error."""
        return await self._input("field/fail", {"field": field, "message": message})

    async def show_step(self, step: str) -> int:
        """Shows a step. Raises UnknownStep if the step is hidden or unknown."""
        return await self._input("step/show", {"step": step})

    async def tap(self, action: str, *, wait: bool = False, timeout: Optional[float] = None) -> TapResult:
        """Taps `action`. With `wait` it returns when the tap has ended, and `event` is its outcome. That may take any
        time: only a `timeout` of the call itself limits it.

        A form that refuses the tap raises no exception: look at `outcome`, `blockers` and `event.kind`. If the
        action's throttle or debounce drops the tap, the outcome is `dropped`, without an event.
        """
        params: dict[str, JSON] = {"action": action}
        if wait:
            params["await"] = True
            timeout = math.inf if timeout is None else timeout
        result = await self._ask("action/tap", params, timeout)
        event = Event.from_json(result["event"]) if result.get("event") else None
        outcome = result.get("outcome") or (event.kind if event and event.kind in ("rejected", "dropped") else None)
        return TapResult(
            revision=result.get("revision", self.revision), outcome=outcome, run=result.get("run"), event=event,
            blockers=tuple(result.get("blockers") or (event.blockers if event else ())),
        )  # fmt: skip

    async def cancel(self, action: str) -> int:
        """Gives up `action`: each of its taps that has not ended ends with the event `cancelled`. What a server has
        done already is not undone."""
        return await self._input("action/cancel", {"action": action})

    async def set_locale(self, locale: str) -> int:
        """Changes the language of the texts. The daemon sends the visible texts again."""
        return await self._input("session/setLocale", {"locale": locale})

    async def set_context(self, context: Mapping[str, JSON]) -> int:
        """Replaces the context, the values that formulas read as `context`."""
        return await self._input("session/setContext", {"context": dict(context)})

    async def describe(self, locale: Optional[str] = None) -> FormDescription:
        """Everything that a program needs to draw the session's form, in its language; see AsyncClient.describe."""
        return cast(FormDescription, await self._ask("form/describe", _without_none(locale=locale)))

    async def schema(self, locale: Optional[str] = None) -> JSON:
        """The JSON Schema of the session's form, with texts in the session's language; see AsyncClient.schema."""
        return (await self._ask("form/schema", _without_none(locale=locale)))["schema"]

    async def reset(self, field: Optional[str] = None, *, keep_values: bool = False) -> int:
        """Restores the initial values; with `keep_values` the current values become the initial ones. With the address
        of a field, only this field goes back, with all fields inside it."""
        return await self._input("session/reset", _without_none(field=field, keepValues=keep_values or None))

    async def undo(self) -> int:
        """Takes back the last edit of the session's users, in a form with `undo`. Without one, nothing changes: the
        document's `canUndo` tells."""
        return await self._input("session/undo", {})

    async def redo(self) -> int:
        """Repeats the edit that was taken back last. Without one, nothing changes: the document's `canRedo` tells."""
        return await self._input("session/redo", {})

    async def refresh(self) -> dict[str, JSON]:
        """Asks for the whole document and all values, and replaces the local ones with them. Returns the values, except
        secrets."""
        await self._ask("session/get", on_result=self._restart)
        return self.values

    async def detach(self) -> None:
        """Leaves a kept session, which goes on without this client; its `key` opens it again."""
        await self._ask("session/detach", on_result=lambda _: self._closed("detached"))

    async def close(self) -> None:
        """Closes the session for all its clients, and cancels all its runs and requests."""
        self._check_open()
        try:
            await self._ask("session/close", on_result=lambda _: self._closed(None))
        except SessionClosed:
            pass  # It was closed before.

    async def _input(self, method: str, params: Mapping[str, JSON]) -> int:
        return int((await self._ask(method, params))["revision"])

    async def _ask(
        self,
        method: str,
        params: Optional[Mapping[str, JSON]] = None,
        timeout: Optional[float] = None,
        on_result: Optional[Callable[[JSON], JSON]] = None,
    ) -> JSON:
        self._check_open()
        return await self.client._call(method, params or {}, timeout, on_result, session=self)

    def _check_open(self) -> None:
        if not self.is_open:
            raise SessionClosed(self.id, self.closed_reason)

    # Callbacks and waiting

    def on_change(self, pointer: Optional[str], callback: Callable[[Change], None]) -> Callable[[], None]:
        """Calls `callback(change)` whenever the value at `pointer` differs after an update (None: the whole document).

        Returns a function that removes the callback.
        """
        resolve_pointer(None, pointer or "")  # An invalid pointer is refused now, not at the first update.
        return _subscribe(self._on_change, (pointer or "", callback))

    def on_update(self, callback: Callable[[Update], None]) -> Callable[[], None]:
        """Calls `callback(update)` for every update, with its patch and events."""
        return _subscribe(self._on_update, callback)

    def on_event(self, callback: Callable[[Event], None], action: Optional[str] = None) -> Callable[[], None]:
        """Calls `callback(event)` for every event, or for the events of one action."""
        if action is None:
            return _subscribe(self._on_event, callback)
        return _subscribe(self._on_event, lambda event: callback(event) if event.action == action else None)

    def on_closed(self, callback: Callable[[Optional[str]], None]) -> Callable[[], None]:
        """Calls `callback(reason)` once when the session ends."""
        return _subscribe(self._on_closed, callback)

    async def wait_until(
        self, condition: Callable[[AsyncSession], bool], timeout: Optional[float] = None
    ) -> AsyncSession:
        """Returns as soon as `condition(session)` is true. Raises SessionClosed, or TimeoutError after `timeout`."""

        async def waiting() -> None:
            while not condition(self):
                self._check_open()
                waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._wakers.add(waker)
                try:
                    await waker
                finally:
                    self._wakers.discard(waker)

        try:
            await asyncio.wait_for(waiting(), timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(f"the condition for session {self.id} was not true within {timeout} s") from None
        return self

    async def next_event(
        self, action: Optional[str] = None, kind: Optional[str] = None, timeout: Optional[float] = None
    ) -> Event:
        """The next event that arrives from now on, of `action` and `kind` if they are given."""
        found: list[Event] = []

        def heard(event: Event) -> None:
            if action in (None, event.action) and kind in (None, event.kind):
                found.append(event)

        forget = self.on_event(heard)
        try:
            await self.wait_until(lambda _: bool(found), timeout)
        finally:
            forget()
        return found[0]

    # Messages of the daemon

    def _attached(self, result: JSON, seq: int, wants_events: bool) -> None:
        """Takes the answer of session/attach, and sends the requests that waited for the session.

        If the session was away, the callbacks get the changes of that time as if they happened now.
        """
        events = tuple(Event.from_json(event) for event in result["events"])
        news = tuple(event for event in events if event.seq > self.last_event)
        is_back = self in self.client._away
        self.id = result["session"]
        self.form = result.get("form", self.form)
        self.key = result.get("key", self.key)
        self.is_migrated = result.get("isMigrated", False)
        self.last_event = max(self.last_event, seq + result["eventsLost"], *(event.seq for event in events))
        self.missed_events = events if wants_events else ()
        if wants_events:
            self.events_lost += result["eventsLost"]
        self.client.sessions[self.id] = self
        if is_back:
            self.client._away.remove(self)
            self.client._transmit_all_of(self, "the session was lost before the answer, and attached again")
        self._restart(result, news if is_back else ())

    def _restart(self, result: JSON, events: tuple[Event, ...] = ()) -> AsyncSession:
        """Takes a whole document, from session/open, session/attach or session/get."""
        previous = self.document
        self.document = result["document"]
        self.revision = result["revision"]
        self.values = result.get("values", {})
        self._resynchronising = False
        self._announce(previous, Update(self.id, self.revision, "resync", self.document, events))
        return self

    def _updated(self, params: Mapping[str, JSON]) -> None:
        events = tuple(Event.from_json(event) for event in params.get("events", ()))
        update = Update(
            self.id, params["revision"], params.get("cause"), params.get("patch", {}), events,
            params.get("values", {}), tuple(params.get("absent", ())),
        )  # fmt: skip
        if self._resynchronising:
            # The requested document is newer than this update, but the events are only here.
            self._announce(self.document, update)
        elif params.get("from", self.revision) != self.revision:
            log.warning("session %d: expected an update from %d, got %s", self.id, self.revision, params.get("from"))
            self._announce(self.document, update)
            self._resynchronise()
        else:
            previous = self.document
            self.document = merge_patch(previous, update.patch)
            self.revision = update.revision
            self.values = _with_rows_in_order(self.values, update.patch, previous)
            for address, value in update.values.items():
                self.values = _with_value(self.values, _address_names(address), value, self.document)
            for address in update.absent:
                self.values = _with_value(self.values, _address_names(address), _UNSET, self.document)
            self._announce(previous, update)

    def _desynchronised(self, params: Mapping[str, JSON]) -> None:
        lost = params.get("eventsLost", 0)
        self.events_lost += int(lost)
        log.warning("session %d: this client reads too slowly, %s events were lost", self.id, lost)
        self._resynchronise()

    def _resynchronise(self) -> None:
        if self._resynchronising:
            return
        self._resynchronising = True

        async def ask() -> None:
            try:
                await self.refresh()
            except (ConnectionLost, SessionClosed):
                pass
            except (FormdError, TimeoutError) as error:
                self._resynchronising = False
                log.error("session %d: cannot get the current document: %s", self.id, error)

        self.client._start(ask())

    def _announce(self, previous: JSON, update: Update) -> None:
        if previous is not self.document:
            for pointer, callback in list(self._on_change):
                before, after = resolve_pointer(previous, pointer), resolve_pointer(self.document, pointer)
                if not _same(before, after):
                    _guarded(callback, Change(pointer, before, after, update))
        _deliver(self._on_update, update)
        for event in update.events:
            self.last_event = max(self.last_event, event.seq)
            _deliver(self._on_event, event)
        self._wake()

    def _closed_by_daemon(self, reason: Optional[str]) -> None:
        if reason in _COMES_BACK and self.key is not None and self.client.patience > 0:
            self.client._come_back_to([self], _COMES_BACK[reason])
        else:
            self._closed(reason)

    def _closed(self, reason: Optional[str], error: Optional[FormdError] = None) -> None:
        """The session has ended. The waiting requests fail with the error, else with SessionClosed."""
        if self in self.client._away:
            self.client._away.remove(self)
        elif self.client.sessions.get(self.id) is self:
            del self.client.sessions[self.id]
        if not self.is_open:
            return
        self.is_open = False
        self.closed_reason = reason
        for pending in self.client._pending_of(self):
            pending.fail(error or SessionClosed(self.id, reason))
        _deliver(self._on_closed, reason)
        self._wake()

    def _wake(self) -> None:
        for waker in self._wakers:
            if not waker.done():
                waker.set_result(None)


def _line(message: Mapping[str, JSON]) -> bytes:
    return _compact(message).encode() + b"\n"


def _same(one: JSON, other: JSON) -> bool:
    """Equality of JSON values. For Python, True equals 1; in JSON they differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _subscribe(callbacks: list[T], callback: T) -> Callable[[], None]:
    callbacks.append(callback)

    def forget() -> None:
        for index, one in enumerate(callbacks):
            if one is callback:
                del callbacks[index]
                return

    return forget


def _deliver(callbacks: Sequence[Callable[..., None]], *arguments: Any) -> None:
    for callback in list(callbacks):
        _guarded(callback, *arguments)


def _guarded(callback: Callable[..., None], *arguments: Any) -> None:
    """Calls a callback of the program. An exception is logged, and the reader goes on."""
    try:
        callback(*arguments)
    except Exception:
        log.exception("a callback failed")


# Blocking. The calls are in formd.blocking, which scripts/lib/blocking_client.py writes from the classes above. That
# module needs names of this one, so it is imported here.

from formd.blocking import CallsOfClient, CallsOfSession  # noqa: E402


class _Loop:
    """An event loop on a thread of its own. It has the connection of a blocking client and reads it all the time."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="formd", daemon=True)
        self._process = os.getpid()
        self._thread.start()

    def _work(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    @property
    def is_of_this_process(self) -> bool:
        """False after a fork: the thread is in the parent process only."""
        return self._process == os.getpid()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("a callback must not call its blocking client, because the answer would wait for the callback")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            # Ctrl-C during the wait: the request is cancelled in the daemon, too.
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


_blocking: weakref.WeakSet[Client] = weakref.WeakSet()
"""The blocking clients of this process."""


def _forget_parent() -> None:
    """In a child process after a fork: never collects the parent's clients.

    Their event loops share the kernel's list of awaited files with the parent. Cleaning up would end the parent's
    connection, and would report unfinished tasks.
    """
    try:
        import ctypes
    except ImportError:
        return
    for client in list(_blocking):
        for part in (client._client, client._loop):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(part))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parent)


def _finish(client: AsyncClient, loop: _Loop) -> None:
    """Ends a blocking client that the program has forgotten. The garbage collector calls this, on any thread."""
    if not loop.is_of_this_process or loop._loop.is_closed():
        return

    async def close() -> None:
        try:
            await client.close()
        finally:
            loop._loop.stop()

    asyncio.run_coroutine_threadsafe(close(), loop._loop)
    if threading.current_thread() is not loop._thread:
        loop._thread.join(CLOSING_SECONDS)


class Client(CallsOfClient):
    """One connection to the daemon, for blocking code. Use it as `with Client(path) as client:`.

    Callbacks run on the client's own thread, before the call that caused them returns; they must not call the client.
    AsyncClient describes lost connections, `patience` and `timeout`. A client that the program forgets is closed when
    the garbage collector finds it, and at the end of the program.
    """

    def __init__(
        self,
        path: Union[str, Sequence[str], None] = None,
        *,
        patience: float = PATIENCE_SECONDS,
        timeout: Optional[float] = TIMEOUT_SECONDS,
    ) -> None:
        self._client = AsyncClient(path, patience=patience, timeout=timeout)
        self._loop: Optional[_Loop] = _Loop()
        self._finalizer = weakref.finalize(self, _finish, self._client, self._loop)
        _blocking.add(self)
        try:
            self._run(self._client.connect())
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return repr(self._client).replace(type(self._client).__name__, type(self).__name__, 1)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            coroutine.close()
            raise ConnectionLost("the client is closed")
        if not self._loop.is_of_this_process:
            coroutine.close()
            self._client._check_process()
        return self._loop.run(coroutine)

    def close(self) -> None:
        """Closes the connection, and with it its sessions that are not kept. A second call has no effect."""
        if self._loop is not None:
            self._finalizer.detach()
            if self._loop.is_of_this_process:
                self._loop.run(self._client.close())
                self._loop.stop()
            self._loop = None

    def open(
        self,
        form: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        values: Optional[Mapping[str, JSON]] = None,
        context: Optional[Mapping[str, JSON]] = None,
        show: Optional[str] = None,
        watch: Optional[Sequence[str]] = None,
        keep: Optional[str] = None,
    ) -> Session:
        """See AsyncClient.open."""
        opening = self._client.open(
            form, definition=definition, locale=locale, zone=zone, values=values, context=context, show=show,
            watch=watch, keep=keep,
        )  # fmt: skip
        return Session(self, self._run(opening))

    def attach(self, key: str, *, seq: Optional[int] = None, rotate: bool = False, take: bool = False) -> Session:
        """See AsyncClient.attach."""
        return Session(self, self._run(self._client.attach(key, seq=seq, rotate=rotate, take=take)))

    def provider(
        self, name: str, handler: Callable[..., Any], token: Optional[str] = None, *, keyed: bool = False
    ) -> None:
        """Registers the provider `name`. AsyncClient.provider describes `token` and `keyed`.

        The handler is a plain function; it runs in a worker thread, so it may block.
        """
        if inspect.iscoroutinefunction(handler):
            raise TypeError(
                f"the handler of {name!r} is a coroutine function: the blocking Client calls plain functions; "
                "use AsyncClient.provider, or a def without async"
            )

        async def in_thread(*asked: JSON) -> JSON:
            return await asyncio.get_running_loop().run_in_executor(None, handler, *asked)

        self._run(self._client.provider(name, in_thread, token, keyed=keyed))


class Session(CallsOfSession):
    """One live copy of a form, for blocking code; its methods are the methods of AsyncSession without `await`."""

    def __init__(self, client: Client, session: AsyncSession) -> None:
        self.client = client
        self._session = session

    def __repr__(self) -> str:
        return repr(self._session).replace(type(self._session).__name__, type(self).__name__, 1)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_open and self.client.is_connected:
            self.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.client._run(coroutine)

    def wait_until(self, condition: Callable[[AsyncSession], bool], timeout: Optional[float] = None) -> Session:
        """See AsyncSession.wait_until; the condition runs on the client's thread."""
        self.client._run(self._session.wait_until(condition, timeout))
        return self


# Command line


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """`python -m formd METHOD [PARAMS]`: makes one call, and prints its result as JSON."""
    parser = argparse.ArgumentParser(prog="python -m formd", description="Calls one method of the daemon.")
    parser.add_argument("--socket", metavar="PATH", help=f"the daemon's socket (default: {default_socket_path()})")
    parser.add_argument("--timeout", type=float, default=30, metavar="SECONDS", help="default: 30")
    parser.add_argument("method", help="such as server/ping, form/list, form/describe")
    parser.add_argument("params", nargs="?", help='a JSON object, such as \'{"form": "login"}\'')
    options = parser.parse_args(arguments)
    try:
        params = json.loads(options.params) if options.params else None
    except ValueError as error:
        parser.error(f"PARAMS is not JSON: {error}")
    if params is not None and not isinstance(params, dict):
        parser.error("PARAMS must be a JSON object")
    try:
        with Client(options.socket) as client:
            print(json.dumps(client.call(options.method, params, options.timeout), ensure_ascii=False, indent=2))
    except (FormdError, TimeoutError) as error:
        print(f"formd: {error}", file=sys.stderr)
        return 1
    return 0
