"""The calls of the blocking client, each like the call of the asynchronous client, without `await`.

Written by scripts/lib/blocking_client.py from formd/async_client.py and formd/async_session.py.
"""

from __future__ import annotations

from typing import Any, Callable, Coroutine, Mapping, Optional, Sequence, TypeVar, Union

from formd.async_client import AsyncClient
from formd.async_session import AsyncSession
from formd.json_values import _UNSET, JSON
from formd.results import Change, Event, FieldError, Row, TapResult, Update
from formd.types import (
    ActionState, Document, FieldState, FormDescription, FormList, LoadedForms, LookupState, Pong, ReloadOutcome,
    ServerDraining, ServerInfo, ServerRejected, StepState, StoreCopy, TextValidation, Validation,
)  # fmt: skip

T = TypeVar("T")


class CallsOfClient:
    """What AsyncClient does, for blocking code."""

    _client: AsyncClient

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine of the asynchronous client."""
        raise NotImplementedError

    @property
    def paths(self) -> tuple[str, ...]:
        """The sockets that the client tries, in order: the socket of the last connection comes first."""
        return self._client.paths

    @property
    def draining(self) -> bool:
        """True after the daemon has announced its end."""
        return self._client.draining

    @property
    def path(self) -> str:
        """The path of the daemon's socket."""
        return self._client.path

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection. There is none while the client tries to restore it."""
        return self._client.is_connected

    def call(self, method: str, params: Optional[Mapping[str, JSON]] = None, timeout: Optional[float] = None) -> JSON:
        """The result of `method`. Raises an RpcError if the daemon refuses, and TimeoutError after `timeout` seconds
        (None: the client's `timeout`; math.inf: no limit).

        If a call is cancelled or runs out of time, it is cancelled in the daemon, too.
        """
        return self._run(self._client.call(method, params, timeout))

    def notify(self, method: str, params: Optional[Mapping[str, JSON]] = None) -> None:
        """Sends `method` without waiting; if the daemon refuses it, `on_rejected` is called.

        The client cannot tell whether the daemon got it before a connection was lost, and does not send it again.
        """
        self._run(self._client.notify(method, params))

    def ping(self) -> Pong:
        return self._run(self._client.ping())

    def info(self) -> ServerInfo:
        return self._run(self._client.info())

    def forms(self) -> FormList:
        return self._run(self._client.forms())

    def watch_forms(self) -> LoadedForms:
        """`forms` (names) and `problems` at this moment; from now on `on_forms_changed` is called after each reload.

        It is also called when a lost connection was restored, because the forms may have changed during that time.
        """
        return self._run(self._client.watch_forms())

    def reload(self) -> ReloadOutcome:
        """Lets the daemon read its configuration and its forms again.

        Returns at the end of the reload: which settings have changed, and the `problems` of the files. If `reloaded` is
        False, the configuration is broken, and nothing has changed.
        """
        return self._run(self._client.reload())

    def backup(self, file: str) -> StoreCopy:
        """Lets the daemon copy its SQLite store of kept sessions to a new file.

        `file` is an absolute path for the daemon. The copy may take any time. Raises Overloaded if the daemon has no
        such store, or cannot write the copy.
        """
        return self._run(self._client.backup(file))

    def describe(
        self,
        form: Optional[str] = None,
        locale: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
    ) -> FormDescription:
        """Everything that a program needs to draw `form`, or a `definition` that it sends: labels, order, options,
        bounds, initial values.

        `Session.describe` returns the same for the form of a session.
        """
        return self._run(self._client.describe(form, locale, definition=definition))

    def schema(
        self,
        form: Optional[str] = None,
        locale: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
    ) -> JSON:
        """The JSON Schema of `form`, or of a `definition` that the program sends.

        Its `title` and `description` members have the form's texts.

        `Session.schema` returns the same for the form of a session.
        """
        return self._run(self._client.schema(form, locale, definition=definition))

    def validate(
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
        return self._run(self._client.validate(
            form,
            values,
            context=context,
            locale=locale,
            zone=zone,
            checks=checks,
            only=only,
        ))

    def validate_text(
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
        return self._run(self._client.validate_text(
            form,
            text,
            language,
            encoding=encoding,
            context=context,
            locale=locale,
            zone=zone,
            checks=checks,
            defaults=defaults,
            errors_max=errors_max,
        ))

    def withdraw_provider(self, name: str) -> None:
        """Stops answering for `name`: the daemon sends no more questions, and all its questions are answered when this
        returns.

        A program that calls this before it closes its connection leaves no question without an answer. Its handlers
        must not call it: they would wait for themselves.
        """
        self._run(self._client.withdraw_provider(name))

    def on_forms_changed(self, callback: Callable[[LoadedForms], None]) -> Callable[[], None]:
        """Calls `callback(params)` with `forms` and `problems` when the daemon has reloaded the forms; see
        `watch_forms`.
        """
        return self._client.on_forms_changed(callback)

    def on_draining(self, callback: Callable[[ServerDraining], None]) -> Callable[[], None]:
        """Calls `callback(params)` when the daemon announces its end. Returns a function that removes the callback.
        """
        return self._client.on_draining(callback)

    def on_rejected(self, callback: Callable[[ServerRejected], None]) -> Callable[[], None]:
        """Calls `callback(params)` when the daemon has refused a notification. Without a callback, this is logged.
        """
        return self._client.on_rejected(callback)

    def on_closed(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback()` once when the connection ends for good: it was closed, or it was lost and could not be
        restored.
        """
        return self._client.on_closed(callback)

    def on_reconnect(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback()` each time that a lost connection is restored, with its sessions, providers and watch.

        Sessions that could not be attached are closed by then (their `on_closed` was called), and all other documents
        are current. A program that shows a session now puts its `values` into its inputs, and asks the user again for
        secrets, because the daemon never sends them.
        """
        return self._client.on_reconnect(callback)

    def on_line(self, callback: Callable[[str, str], None]) -> Callable[[], None]:
        """Calls the callback with every line of the connection from now on, unchanged: with `sent` or `received`, and
        the line.

        For programs that show or record a conversation. A line may contain a secret.
        """
        return self._client.on_line(callback)


class CallsOfSession:
    """What AsyncSession does, for blocking code."""

    _session: AsyncSession

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine of the asynchronous client."""
        raise NotImplementedError

    @property
    def id(self) -> int:
        return self._session.id

    @property
    def form(self) -> Optional[str]:
        """The name of the form."""
        return self._session.form

    @property
    def document(self) -> Document:
        """The output document, current as of `revision`. It is replaced, never changed in place."""
        return self._session.document

    @property
    def revision(self) -> int:
        return self._session.revision

    @property
    def values(self) -> dict[str, JSON]:
        """The values from the daemon: from the last open or get, with later changes that the daemon made by itself;
        never a secret's value.
        """
        return self._session.values

    @property
    def events_lost(self) -> int:
        """How many events the daemon could not keep, because this client read too slowly or was away too long."""
        return self._session.events_lost

    @property
    def key(self) -> Optional[str]:
        """The key that opens a kept session again (`Client.attach`); None for a session that ends with its
        connection. A secret.
        """
        return self._session.key

    @property
    def missed_events(self) -> tuple[Event, ...]:
        """After an attach with `seq`: the events after this number. After a lost connection, `on_event` gets them.
        """
        return self._session.missed_events

    @property
    def last_event(self) -> int:
        """The number of the last event that the client received: the `seq` for a later attach."""
        return self._session.last_event

    @property
    def is_migrated(self) -> bool:
        """Whether the form has changed since the last attach, and the session has followed the change."""
        return self._session.is_migrated

    @property
    def closed_reason(self) -> Optional[str]:
        return self._session.closed_reason

    @property
    def is_open(self) -> bool:
        return self._session.is_open

    @property
    def is_valid(self) -> bool:
        return self._session.is_valid

    @property
    def is_pending(self) -> bool:
        return self._session.is_pending

    @property
    def is_dirty(self) -> bool:
        return self._session.is_dirty

    @property
    def messages(self) -> Mapping[str, str]:
        """The messages to show now, by the address of the field."""
        return self._session.messages

    def errors(self) -> list[FieldError]:
        """All errors and warnings in the document, in the order of the form, shown to the user or not."""
        return self._session.errors()

    @property
    def outputs(self) -> Mapping[str, JSON]:
        return self._session.outputs

    def field(self, address: str) -> FieldState:
        """The document's entry for the field at an address: a name, or a JSON Pointer (`/address/city`).

        A row is named by its identity or its position (`/items/#7/quantity`, `/items/0`). The result includes the
        members that the document leaves out of rows because they have defaults.
        """
        return self._session.field(address)

    def rows(self, field: str) -> list[Row]:
        """The rows of the list at an address, in order."""
        return self._session.rows(field)

    def action(self, name: str) -> ActionState:
        return self._session.action(name)

    def lookup(self, name: str) -> LookupState:
        """The lookup with this name: `isLoading`, `value` if it has one, `error` after a failure."""
        return self._session.lookup(name)

    @property
    def step(self) -> Optional[str]:
        """The id of the step that the user sees; None if the form has no steps, or if all are hidden."""
        return self._session.step

    @property
    def steps(self) -> Mapping[str, StepState]:
        """The document's entry for each step, by its id, in order."""
        return self._session.steps

    def get(self, pointer: str, default: JSON = None) -> JSON:
        """The document's value at a JSON Pointer."""
        return self._session.get(pointer, default)

    def change(
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
        return self._run(self._session.change(field, value, commit=commit, origin=origin, composing=composing))

    def focus(self, field: str) -> int:
        """Editing begins."""
        return self._run(self._session.focus(field))

    def blur(self, field: str) -> int:
        """Editing ends."""
        return self._run(self._session.blur(field))

    def insert(self, field: str, value: JSON = None, *, at: Union[int, str, Row, None] = None) -> str:
        """Adds a row to the list at an address; returns the row's identity.

        `value` is laid over the defaults of the form's schema; None adds a row with the defaults. `at` is the position
        or the row (or its identity) before which the new row is inserted; without it the row becomes the last.
        """
        return self._run(self._session.insert(field, value, at=at))

    def insert_all(self, field: str, values: Sequence[JSON], *, at: Union[int, str, Row, None] = None) -> list[str]:
        """Adds a row for each value, in one turn; returns their identities. `at` is as in `insert`."""
        return self._run(self._session.insert_all(field, values, at=at))

    def remove(self, place: Union[str, Row]) -> int:
        """Removes a row, by itself or by its address (`/items/#7`, `/items/0`), or a member of an object.

        An identity alone is a ValueError: it does not say in which list the row is.
        """
        return self._run(self._session.remove(place))

    def move(self, row: Union[str, Row], to: Union[int, str, Row]) -> int:
        """Moves a row within its list: to a position, or before a row (or its identity)."""
        return self._run(self._session.move(row, to))

    def toggle(self, field: str, value: JSON) -> int:
        """Marks a choice of a multiple choice, or takes the mark away."""
        return self._run(self._session.toggle(field, value))

    def fail(self, field: str, message: str) -> int:
        """Shows an error at a field until its value changes. The program's own server has found the error."""
        return self._run(self._session.fail(field, message))

    def show_step(self, step: str) -> int:
        """Shows a step. Raises UnknownStep if the step is hidden or unknown."""
        return self._run(self._session.show_step(step))

    def tap(self, action: str, *, wait: bool = False, timeout: Optional[float] = None) -> TapResult:
        """Taps `action`. With `wait` it returns when the tap has ended, and `event` is its outcome. That may take any
        time: only a `timeout` of the call itself limits it.

        A form that refuses the tap raises no exception: look at `outcome`, `blockers` and `event.kind`. If the
        action's throttle or debounce drops the tap, the outcome is `dropped`, without an event.
        """
        return self._run(self._session.tap(action, wait=wait, timeout=timeout))

    def cancel(self, action: str) -> int:
        """Gives up `action`: each of its taps that has not ended ends with the event `cancelled`. What a server has
        done already is not undone.
        """
        return self._run(self._session.cancel(action))

    def set_locale(self, locale: str) -> int:
        """Changes the language of the texts. The daemon sends the visible texts again."""
        return self._run(self._session.set_locale(locale))

    def set_context(self, context: Mapping[str, JSON]) -> int:
        """Replaces the context, the values that formulas read as `context`."""
        return self._run(self._session.set_context(context))

    def describe(self, locale: Optional[str] = None) -> FormDescription:
        """Everything that a program needs to draw the session's form, in its language; see Client.describe."""
        return self._run(self._session.describe(locale))

    def schema(self, locale: Optional[str] = None) -> JSON:
        """The JSON Schema of the session's form, with texts in the session's language; see Client.schema."""
        return self._run(self._session.schema(locale))

    def reset(self, field: Optional[str] = None, *, keep_values: bool = False) -> int:
        """Restores the initial values; with `keep_values` the current values become the initial ones. With the address
        of a field, only this field goes back, with all fields inside it.
        """
        return self._run(self._session.reset(field, keep_values=keep_values))

    def undo(self) -> int:
        """Takes back the last edit of the session's users, in a form with `undo`. Without one, nothing changes: the
        document's `canUndo` tells.
        """
        return self._run(self._session.undo())

    def redo(self) -> int:
        """Repeats the edit that was taken back last. Without one, nothing changes: the document's `canRedo` tells.
        """
        return self._run(self._session.redo())

    def refresh(self) -> dict[str, JSON]:
        """Asks for the whole document and all values, and replaces the local ones with them. Returns the values, except
        secrets.
        """
        return self._run(self._session.refresh())

    def detach(self) -> None:
        """Leaves a kept session, which goes on without this client; its `key` opens it again."""
        self._run(self._session.detach())

    def close(self) -> None:
        """Closes the session for all its clients, and cancels all its runs and requests."""
        self._run(self._session.close())

    def on_change(self, pointer: Optional[str], callback: Callable[[Change], None]) -> Callable[[], None]:
        """Calls `callback(change)` whenever the value at `pointer` differs after an update (None: the whole document).

        Returns a function that removes the callback.
        """
        return self._session.on_change(pointer, callback)

    def on_update(self, callback: Callable[[Update], None]) -> Callable[[], None]:
        """Calls `callback(update)` for every update, with its patch and events."""
        return self._session.on_update(callback)

    def on_event(self, callback: Callable[[Event], None], action: Optional[str] = None) -> Callable[[], None]:
        """Calls `callback(event)` for every event, or for the events of one action."""
        return self._session.on_event(callback, action)

    def on_closed(self, callback: Callable[[Optional[str]], None]) -> Callable[[], None]:
        """Calls `callback(reason)` once when the session ends."""
        return self._session.on_closed(callback)

    def next_event(
        self,
        action: Optional[str] = None,
        kind: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Event:
        """The next event that arrives from now on, of `action` and `kind` if they are given."""
        return self._run(self._session.next_event(action, kind, timeout))
