"""JSON values: merging patches, following pointers, comparing, and writing texts and lines."""

from __future__ import annotations

import json
from typing import Any, Mapping

JSON = Any
"""Any JSON value: dict, list, str, int, float, bool or None."""

_UNSET: Any = object()
"""Stands for a value that is not given; None is a value."""


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


def _same(one: JSON, other: JSON) -> bool:
    """Equality of JSON values. For Python, True equals 1; in JSON they differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _compact(value: JSON) -> str:
    # `allow_nan` is off: NaN is not JSON, and the daemon would answer with a parse error.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _line(message: Mapping[str, JSON]) -> bytes:
    return _compact(message).encode() + b"\n"


def _without_none(**members: JSON) -> dict[str, JSON]:
    return {name: value for name, value in members.items() if value is not None}
