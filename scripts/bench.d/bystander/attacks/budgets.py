"""Work in proportion to one message, and work of many clients."""

from __future__ import annotations

import itertools
import json

from ..attack import JSON, Client, Target, attack, form, request

MEMBERS = 90_000
"""Almost as many as one text may have (`nodesMax`)."""


def busy_formula() -> str:
    """A formula over the field `number` that costs some milliseconds."""
    many, few = json.dumps(list(range(60))), json.dumps(list(range(10)))
    return f"{many}.all(x, {many}.all(y, {few}.all(z, x * y * z + values.number >= 0)))"


BUSY = form(
    {"text": {"type": "string", "maxLength": 200_000}, "number": {"type": "integer"}},
    outputs={f"is{number}": busy_formula() for number in range(3)},
)


@attack(
    "busy-clients", "64 clients send texts of 80 KB, each with a turn of about 14 ms.", attackers=4, forms={"busy": BUSY}
)
def busy_clients(target: Target) -> None:
    send_texts(target, 80_000)


@attack(
    "busy-readers", "64 clients send texts of 150 KB, which another thread parses, each with a turn of about 14 ms.",
    attackers=4, forms={"busy": BUSY},
)  # fmt: skip
def busy_readers(target: Target) -> None:
    send_texts(target, 150_000)


def send_texts(target: Target, length: int) -> None:
    """Each client sends three texts, and reads the answers after that."""
    clients = [target.connect() for _ in range(target.share(16))]
    for client in clients:
        client.call("session/open", form="busy", watch=["/isValid"])
    for number in range(3):
        for client in clients:
            values = {"text": f"{number}" * length, "number": number}
            client.send(request(number + 100, "field/change", values=values))
    for _ in range(3):
        for client in clients:
            while b'"method":' in client.read()[:80]:
                pass


def one_value(target: Target, schema: JSON, value: JSON) -> None:
    client = target.connect()
    client.call("session/open", definition=form({"value": schema}))
    client.call("field/change", field="value", value=value)


# The parts of a message are read into values on the event loop: 90,000 members take almost as long as a turn may take.
@attack("closed-members", f"An object of {MEMBERS:,} members goes into a field that allows no other members.")
def closed_members(target: Target) -> None:
    members = {f"m{number}": 1 for number in range(target.share(MEMBERS))}
    one_value(target, {"type": "object", "additionalProperties": False}, members)


@attack("closed-items", f"A list of {MEMBERS:,} elements goes into a field that allows none.")
def closed_items(target: Target) -> None:
    one_value(target, {"type": "array", "maxItems": 100_000, "items": False}, [1] * target.share(MEMBERS))


@attack("contains", f"A list of {MEMBERS:,} elements goes into a field that must contain more numbers than it does.")
def contains(target: Target) -> None:
    schema = {"type": "array", "maxItems": 100_000, "contains": {"type": "integer"}, "minContains": 100_000}
    one_value(target, schema, [number if number % 2 else "text" for number in range(target.share(MEMBERS))])


@attack("unique", f"A list of {MEMBERS:,} different elements goes into a field that allows no equal elements.")
def unique(target: Target) -> None:
    elements = [f"element {number}" for number in range(target.share(MEMBERS))]
    one_value(target, {"type": "array", "maxItems": 100_000, "uniqueItems": True}, [*elements, elements[-1]])


@attack(
    "unevaluated-members", f"An object of {MEMBERS:,} members goes into a field without unevaluated members.",
)  # fmt: skip
def unevaluated_members(target: Target) -> None:
    members = {f"m{number}": 1 for number in range(target.share(MEMBERS))}
    one_value(target, {"type": "object", "anyOf": [{"minProperties": 1}], "unevaluatedProperties": False}, members)


@attack("unevaluated-items", f"A list of {MEMBERS:,} elements goes into a field without unevaluated elements.")
def unevaluated_items(target: Target) -> None:
    schema = {"type": "array", "maxItems": 100_000, "anyOf": [{"minItems": 1}], "unevaluatedItems": False}
    one_value(target, schema, [1] * target.share(MEMBERS))


CLOSED_FIELDS = 5_000


def closed_form(**closed: JSON) -> JSON:
    """A form of 5,000 fields whose schema allows no other fields."""
    definition = form({f"f{n}": {"type": "string", "maxLength": 100} for n in range(CLOSED_FIELDS)})
    definition["schema"] |= closed
    return definition


CLOSED_FORMS = {
    "additional": closed_form(additionalProperties=False),
    "unevaluated": closed_form(anyOf=[{"minProperties": 1}, {"required": ["f1"]}], unevaluatedProperties=False),
}


@attack(
    "closed-form", "Forms of 5,000 fields allow no other fields; their fields change, one by one and all at once.",
    forms=CLOSED_FORMS,
)  # fmt: skip
def closed_forms(target: Target) -> None:
    client = target.connect()
    for name in CLOSED_FORMS:
        if (opened := client.call("session/open", form=name, watch=["/isValid"])) is None:
            continue
        session = opened["session"]
        for number in range(target.share(20)):
            client.call("field/change", session=session, field=f"f{number}", value=f"{number}")
        client.call("field/change", session=session, values={f"f{n}": "text" for n in range(target.share(CLOSED_FIELDS))})
        client.call("form/validate", form=name, values={f"other{n}": "text" for n in range(target.share(CLOSED_FIELDS))})
        client.call("session/close", session=session)


@attack("env-names", "text/validate gets an environment of 99,000 unknown names.")
def env_names(target: Target) -> None:
    text = "".join(f"NAME{n}=1\n" for n in range(target.share(99_000)))
    target.connect().call("text/validate", form="login", text=text, language="env")


ROWS = 2_400
"""Almost `rowsMax`."""

ROWS_FORM = form(
    {
        "isShown": {"type": "boolean", "default": True},
        "items": {
            "type": "array", "maxItems": 10_000,
            "items": {"type": "object", "required": ["sku"], "properties": {
                "sku": {"type": "string", "maxLength": 20}, "count": {"type": "integer"}, "twice": {"type": "integer"}}},
        },
    },
    fields={
        "items": {"key": "sku", "visible": "values.isShown"}, "/items/*/count": {"unique": True},
        "/items/*/twice": {"computed": "row.count * 2"},
    },
    rules=[{"id": "positive", "field": "/items/*/count", "check": "self >= 0", "message": "At least 0."}],
)  # fmt: skip


def rows(target: Target) -> list[JSON]:
    return [{"sku": f"s{number}", "count": number} for number in range(target.share(ROWS))]


def with_rows(target: Target, *turns: tuple[str, JSON]) -> None:
    client = target.connect()
    if client.call("session/open", form="rows", values={"items": rows(target)}, watch=["/isValid"]) is None:
        return
    for (method, params), _ in zip(itertools.cycle(turns), range(4)):
        client.call(method, **params)


ROW_TURNS: JSON = {"forms": {"rows": ROWS_FORM}}


@attack("rows-open", f"Sessions are opened with {ROWS:,} rows with a key, a computed field and a rule.", **ROW_TURNS)
def rows_open(target: Target) -> None:
    with_rows(target)


@attack("rows-hide", f"A list of {ROWS:,} rows is hidden and shown.", **ROW_TURNS)
def rows_hide(target: Target) -> None:
    with_rows(target, *(("field/change", {"field": "isShown", "value": value}) for value in (False, True)))


@attack("rows-reset", f"A session with {ROWS:,} rows is reset.", **ROW_TURNS)
def rows_reset(target: Target) -> None:
    with_rows(target, ("session/reset", {}))


@attack("rows-locale", f"A session with {ROWS:,} rows gets another language.", **ROW_TURNS)
def rows_locale(target: Target) -> None:
    with_rows(target, *(("session/setLocale", {"locale": locale}) for locale in ("ko", "en")))


@attack("rows-explain", f"A session with {ROWS:,} rows is explained.", **ROW_TURNS)
def rows_explain(target: Target) -> None:
    with_rows(target, ("session/get", {"explain": True}))
