"""AsyncClient: the connection for asyncio, its requests, and the messages of the daemon."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
from collections import deque
from typing import Any, Callable, Coroutine, Mapping, Optional, Sequence, TypeVar, Union, cast

from formd.async_session import AsyncSession
from formd.callbacks import _deliver, _guarded, _subscribe
from formd.errors import (
    ConnectionLost, Disconnected, FormdError, OutcomeUnknown, RequestCancelled, RpcError, _rpc_error,
)  # fmt: skip
from formd.json_values import JSON, _line, _without_none
from formd.pending import TIMES_SENT_MAX, _Pending
from formd.providers import _Providers
from formd.restoring import _Restoring
from formd.socket_path import _refuse_foreign_folder, default_socket_path
from formd.types import (
    FormDescription, FormList, LoadedForms, Pong, ReloadOutcome, ServerDraining, ServerInfo, ServerRejected, StoreCopy,
    TextValidation, Validation,
)  # fmt: skip

log = logging.getLogger("formd")

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
        self._providers = _Providers(self)
        self._restoring = _Restoring(self)
        self._watches_forms = self._is_watching_forms = False
        """Whether the program watches the forms, and whether this connection does."""
        self._on_draining: list[Callable[[ServerDraining], None]] = []
        self._on_forms_changed: list[Callable[[LoadedForms], None]] = []
        self._on_rejected: list[Callable[[ServerRejected], None]] = []
        self._on_closed: list[Callable[[], None]] = []
        self._on_reconnect: list[Callable[[], None]] = []
        self._on_line: list[Callable[[str, str], None]] = []
        self._background: set[asyncio.Task[Any]] = set()

    def __repr__(self) -> str:
        state = "connected" if self._is_connected else "reconnecting" if self._restoring.is_running else "not connected"
        count = len(self.sessions) + len(self._restoring.away)
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
        await self._restoring.stop()
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
        if comes_back or not self._restoring.is_running:
            self._check_connected()
        self._pending[pending.number] = pending
        timer = None if limit is None else loop.call_later(limit, pending.expire, limit)
        try:
            if self._is_connected and session not in self._restoring.away:
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
            away = (one for one in self._restoring.away if one.key == key)
            session = self.sessions.get(result["session"]) or next(away, None)
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
        await self._providers.register(name, handler, token, keyed)

    async def withdraw_provider(self, name: str) -> None:
        """Stops answering for `name`: the daemon sends no more questions, and all its questions are answered when this
        returns.

        A program that calls this before it closes its connection leaves no question without an answer. Its handlers
        must not call it: they would wait for themselves.
        """
        await self._providers.withdraw(name)

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
            self._restoring.held_up(self._last_word)
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
            self._providers.cancelled(params.get("id"))

    def _requested(self, number: JSON, method: str, params: JSON) -> None:
        if method != "provider/evaluate":
            error = {"code": -32601, "message": "Method not found", "data": {"method": method}}
            self._write(_line({"jsonrpc": "2.0", "id": number, "error": error}))
            return
        self._providers.asked(number, params)

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
        self._is_connected, self._restoring.was_lost = False, True
        self._in_flight.clear()
        for pending in self._queue:
            pending.is_queued = False
        self._queue.clear()
        for pending in [one for one in self._pending.values() if one.comes_back]:
            del self._pending[pending.number]
            pending.fail(error)
        kept = [session for session in self.sessions.values() if session.key is not None]
        self._providers.connection_ended()
        self._is_watching_forms = False
        has_something = bool(kept) or self._restoring.lacks_something
        if self._is_closing or self.patience <= 0 or not has_something or isinstance(self._last_word, Disconnected):
            self._restoring.cancel()
            self._lost(error)
            return
        log.info("%s; trying to restore it", error)
        for session in list(self.sessions.values()):
            if session.key is None:
                session._closed(f"{error}; the session was not kept", error)
        self._restoring.begin(kept, str(error))

    def _lost(self, error: ConnectionLost) -> None:
        """The connection has ended for good. Every waiting call fails now."""
        pending, self._pending = self._pending, {}
        for one in pending.values():
            one.fail(error)
        for session in [*self.sessions.values(), *self._restoring.away]:
            session._closed(str(error))
        self._providers.clear()
        self._watches_forms = self._is_watching_forms = False
        callbacks, self._on_closed = self._on_closed, []
        for callback in callbacks:
            _guarded(callback)


def _form_params(form: Optional[str], definition: Optional[Mapping[str, JSON]], **others: JSON) -> dict[str, JSON]:
    if (form is None) == (definition is None):
        raise ValueError("give either the name of a form or a definition")
    return _without_none(form=form, definition=definition, **others)
