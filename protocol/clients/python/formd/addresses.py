"""Addresses of fields and rows: what an address names in a document, and in the values beside it."""

from __future__ import annotations

from typing import Mapping, Optional, Sequence, Union

from formd.json_values import _UNSET, JSON, _escaped, _pointer_names, resolve_pointer
from formd.results import FieldError, Row


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
