"""What calls return and callbacks get: events, updates, changes, errors of fields, rows, results of taps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional, Sequence, cast

from formd.json_values import JSON, _escaped
from formd.types import Blocker, FieldState, LookupState


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
