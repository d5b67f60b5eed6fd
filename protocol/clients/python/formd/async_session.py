"""AsyncSession: one session for asyncio, its document, inputs and callbacks, and what the daemon tells it."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, Callable, Mapping, Optional, Sequence, Union, cast

from formd.addresses import (
    _address, _address_names, _errors_in, _row_identity, _row_reference, _with_rows_in_order, _with_value,
)  # fmt: skip
from formd.callbacks import _deliver, _guarded, _subscribe
from formd.errors import ConnectionLost, FormdError, SessionClosed
from formd.json_values import _UNSET, JSON, _escaped, _same, _without_none, merge_patch, resolve_pointer
from formd.results import _USUAL, Change, Event, FieldError, Row, TapResult, Update
from formd.types import ActionState, Document, FieldState, FormDescription, LookupState, StepState

if TYPE_CHECKING:
    from formd.async_client import AsyncClient

log = logging.getLogger("formd")

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
        is_back = self in self.client._restoring.away
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
            self.client._restoring.away.remove(self)
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
            self.client._restoring.begin([self], _COMES_BACK[reason])
        else:
            self._closed(reason)

    def _closed(self, reason: Optional[str], error: Optional[FormdError] = None) -> None:
        """The session has ended. The waiting requests fail with the error, else with SessionClosed."""
        if self in self.client._restoring.away:
            self.client._restoring.away.remove(self)
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
