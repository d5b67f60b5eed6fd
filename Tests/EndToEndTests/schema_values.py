"""Values for a JSON Schema: valid ones, nearly valid ones with one change, and random ones. And a value as a form
reads it, by the rules that protocol/import.md lists."""

from __future__ import annotations

import copy
import random
import re
from datetime import date, datetime
from typing import Any, Callable, Iterator

from jsonschema import FormatChecker
from jsonschema.protocols import Validator

FORMATS: dict[str, list[str]] = {
    "date": ["2026-11-28", "2000-02-29", "1999-12-31"],
    "email": ["kim@example.com", "a.b+c@mail.example.org"],
    "uuid": ["8d6f7c1a-2b3c-4d5e-8f90-a1b2c3d4e5f6"],
    "uri": ["https://example.com/a?b=c#d", "mailto:kim@example.com"],
    "date-time": ["2026-11-28T10:00:00Z", "2000-02-29T23:59:59.5+09:00"],
}
TEXTS = ["x", "Kim", "é́ü", "a-1", " b ", "2026-02-30", "8d6f", "1234", "12345", "123456", "1" * 13, "0" * 34]
TEXTS += ["+41 44", "01/27", "123", "CH9300762011623852957"]
SCALARS: list[Any] = ["", None, True, False, 0, 1, -1, 2.5, 3.0, 18, 149, 150, 10**9, *TEXTS[:4]]


def checker() -> FormatChecker:
    """The formats, as strict as their standards: the package checks some of them loosely, and others not at all."""
    formats = FormatChecker(formats=())
    conditions: dict[str, Callable[[str], Any]] = {
        "date": lambda text: re.fullmatch(r"\d{4}-\d\d-\d\d", text) and date.fromisoformat(text),
        "email": lambda text: re.fullmatch(r"[\w.+-]+@\w+(\.\w+)+", text),
        "uuid": lambda text: re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text),
        "uri": lambda text: re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[!$-~]*(#[!$-~]*)?", text),
        "date-time": lambda text: re.fullmatch(r"[\d-]{10}T[\d:]{8}(\.\d+)?(Z|[+-]\d\d:\d\d)", text)
        and datetime.fromisoformat(text),
    }
    for name, holds in conditions.items():
        formats.checks(name, ValueError)(lambda value, holds=holds: not isinstance(value, str) or bool(holds(value)))
    return formats


class SchemaValues:
    """Makes values for one schema."""

    def __init__(self, root: Any, schema: Any, validator: Validator, seed: int) -> None:
        self.root, self.schema, self.validator = root, schema, validator
        self.random = random.Random(seed)
        self.names = sorted(names_in(root))

    def values(self) -> Iterator[tuple[str, Any]]:
        """The values in turn: one that is valid, one that differs from a valid one in one place, a random one."""
        while True:
            yield "valid", self.valid()
            yield "changed", self.changed(self.valid())
            yield "random", self.anything(0)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def valid(self) -> Any:
        for _ in range(200):
            value = self.value(self.schema)
            if self.validator.is_valid(value):
                return value
        raise AssertionError(f"200 values are invalid, such as {value}")

    def resolved(self, schema: Any) -> Any:
        return resolved(schema, self.root)

    def value(self, schema: Any) -> Any:
        schema = self.resolved(schema)
        if not isinstance(schema, dict):
            return "x"
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if "oneOf" in schema and all("const" in part for part in schema["oneOf"]):
            return self.random.choice(schema["oneOf"])["const"]
        kind = schema.get("type", "object" if "properties" in schema else None)
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        parts = [*schema.get("allOf", []), *schema.get("dependencies", {}).values()]
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                parts.append(self.random.choice(schema[keyword]))
        if kind == "object" or kind is None and any("properties" in self.resolved(part) for part in parts):
            made = self.object(schema)
            for part in parts:
                if isinstance(part, dict):
                    made.update(self.value({"type": "object", **self.resolved(part)}))
            return made
        if kind is None:
            return self.value(parts[0]) if parts else "x"
        return getattr(self, kind)(schema)

    def object(self, schema: Any) -> dict[str, Any]:
        required = schema.get("required", [])
        members = schema.get("properties", {}).items()
        return {name: self.value(member) for name, member in members if name in required or self.chance(60)}

    def array(self, schema: Any) -> list[Any]:
        low = schema.get("minItems", 0)
        high = min(schema.get("maxItems", low + 3), low + 6)
        return [self.value(schema.get("items", True)) for _ in range(self.random.randint(low, high))]

    def string(self, schema: Any) -> str:
        texts = FORMATS.get(schema.get("format", ""), TEXTS)
        if "pattern" in schema:
            return self.random.choice([text for text in texts if re.search(schema["pattern"], text)])
        if texts is not TEXTS:
            return self.random.choice(texts)
        low, high = max(schema.get("minLength", 1), 1), schema.get("maxLength", 40)
        length = self.random.choice([low, min(low + 3, high), high])
        return "".join(self.random.choice("abcé 1") for _ in range(length - 1)) + "x"

    def integer(self, schema: Any) -> Any:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -5) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 9) - 1)
        value = self.random.choice([low, high, self.random.randint(int(low), int(high)), float(low)])
        return value - value % schema.get("multipleOf", 1)

    def number(self, schema: Any) -> Any:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -5))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 9))
        return self.random.choice([low, high, round(self.random.uniform(low, high), 2), (low + high) // 2])

    def boolean(self, schema: Any) -> bool:
        return self.chance(50)

    def null(self, schema: Any) -> None:
        return None

    # --- One change ---

    def changed(self, value: Any) -> Any:
        whole = [copy.deepcopy(value)]
        holder, key = self.random.choice(list(places(whole)))
        old = holder[key]
        match self.random.randrange(4):
            case 0 if holder is not whole:
                del holder[key]
            case 1:
                holder[key] = self.anything(1)
            case 2 if isinstance(holder, dict):
                holder[self.random.choice([*self.names, "unknown"])] = self.random.choice([*SCALARS, old])
            case _:
                holder[key] = self.near(old)
        return whole[0]

    def near(self, value: Any) -> Any:
        """A value of the same type that is a little different."""
        match value:
            case bool():
                return not value
            case int() | float():
                return self.random.choice([value + 1, value - 1, -value, value + 0.5, value * 1000])
            case str():
                return self.random.choice([value[:-1], value + "1", value + "x", " " + value, value.upper(), value * 9])
            case list():
                return self.random.choice([value[:-1], value + value, value + [None], value[::-1], []])
            case dict():
                return self.random.choice([{}, dict(list(value.items())[1:]), {**value, "unknown": 1}])
        return "x"

    # --- Anything ---

    def anything(self, depth: int) -> Any:
        """A random value; the top is an object, because a form's values are one."""
        if depth and (depth > 3 or self.chance(70)):
            return self.random.choice([*SCALARS, *(text for texts in FORMATS.values() for text in texts)])
        if depth and self.chance(40):
            return [self.anything(depth + 1) for _ in range(self.random.randrange(4))]
        count = self.random.randrange(len(self.names) + 1)
        return {name: self.anything(depth + 1) for name in self.random.sample(self.names, count)}


def resolved(schema: Any, root: Any) -> Any:
    """The schema behind references. What stands beside a reference counts, too."""
    while isinstance(schema, dict) and "$ref" in schema:
        target = root
        for token in schema["$ref"].removeprefix("#/").split("/"):
            target = target[token]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def names_in(schema: Any) -> set[str]:
    """The names of all members that a schema describes."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []
    own = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return set(own if isinstance(own, dict) else ()).union(*(names_in(part) for part in inner))


def places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """The places of all values inside a list or an object."""
    for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
        yield holder, key
        if isinstance(holder[key], (list, dict)):
            yield from places(holder[key])


# --- A value as a form reads it ---


def kinds(schema: Any, root: Any) -> set[Any]:
    """The types of the values of a schema, also of its alternatives."""
    full = resolved(schema, root)
    if not isinstance(full, dict) or "type" in full:
        return {full.get("type") if isinstance(full, dict) and isinstance(full["type"], str) else None}
    return {kind for part in (*full.get("anyOf", []), *full.get("oneOf", [])) for kind in kinds(part, root)}


def applied(schema: Any, value: Any, root: Any) -> Iterator[tuple[Any, bool]]:
    """The schemas inside a schema of an object that say more about it, each with whether it counts for the value: an
    alternative by its tag, a dependency if its member has a value."""
    for keyword in ("anyOf", "oneOf"):
        parts = [resolved(part, root) for part in schema.get(keyword, [])]
        parts = [part for part in parts if "properties" in part]
        tags = {name for part in parts for name, member in part["properties"].items() if {"const", "enum"} & set(member)}
        for part in parts:
            constants = [member.get("enum", [member.get("const")]) for name, member in part["properties"].items() if name in tags]
            yield part, len(parts) == 1 or value.get(min(tags)) in constants[0]
    for name, part in schema.get("dependencies", {}).items():
        if isinstance(part, dict):
            is_given = value.get(name) not in ("", None)
            yield part, is_given
            yield from ((inner, is_given and counts) for inner, counts in applied(part, value, root))


def as_form(value: Any, schema: Any, root: Any) -> Any:
    """The value that counts in a form, by the rules of protocol/import.md."""
    schema = resolved(schema, root)
    if not isinstance(schema, dict):
        return value
    if isinstance(value, list):
        parts = [schema, *(resolved(part, root) for part in schema.get("anyOf", []))]
        items = next((part["items"] for part in parts if "items" in part), True)
        empty: Any = {"object": {}, "array": []}.get(*kinds(items, root)) if len(kinds(items, root)) == 1 else None
        return [as_form(empty if element in ("", None) else element, items, root) for element in value]
    if not isinstance(value, dict):
        return value
    members, required = dict(schema.get("properties", {})), list(schema.get("required", []))
    hidden: set[str] = set()
    for part, does_count in applied(schema, value, root):
        if does_count:
            members |= {name: member for name, member in part.get("properties", {}).items() if name not in members}
            required += part.get("required", [])
        else:
            hidden |= set(part.get("properties", {}))
    made = {name: inner for name, inner in value.items() if name in members or name not in hidden}
    for name, member in members.items():
        if made.get(name, 0) == "" or name in made and made[name] is None and name not in required:
            del made[name]
        types = kinds(member, root)
        if name not in made and types == {"array"}:
            made[name] = []
        if name not in made and name in required and types == {"object"}:
            made[name] = {}
        if name in made:
            made[name] = as_form(made[name], member, root)
    return made
