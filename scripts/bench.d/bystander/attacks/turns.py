"""Turns that are costly one by one, and many of them."""

from __future__ import annotations

import json

from ..attack import JSON, Client, Target, attack, encode, form, request
from .memory import multiplying


def doubling(levels: int, fields: int) -> JSON:
    """A definition whose fields share a schema with two branches at each of `levels` levels."""
    definitions = {"d0": {"type": "string", "minLength": 1}}
    for level in range(1, levels + 1):
        definitions[f"d{level}"] = {"allOf": [{"$ref": f"#/$defs/d{level - 1}"}] * 2}
    definition = form({f"f{n}": {"$ref": f"#/$defs/d{levels}"} for n in range(fields)})
    definition["schema"]["$defs"] = definitions
    return definition


def change_all(client: Client, definition: JSON) -> None:
    client.call("session/open", definition=definition)
    client.call("field/change", values={name: "text" for name in definition["schema"]["properties"]})


@attack("doubling", "A field's schema is a $ref that doubles at each of 40 levels.")
def doubling_one(target: Target) -> None:
    change_all(target.connect(), doubling(40, fields=1))


@attack("doubling-200", "200 fields change at once; the schema of each is a $ref that doubles at each of 40 levels.")
def doubling_many(target: Target) -> None:
    change_all(target.connect(), doubling(40, fields=200))


@attack("pattern", "A pattern that backtracks, ^(?!(a+)+$), is applied to 99,000 texts.")
def pattern(target: Target) -> None:
    client = target.connect()
    client.call("session/open", definition=form({"list": {
        "type": "array", "maxItems": 100_000, "items": {"type": "string", "pattern": "^(?!(a+)+$)"}}}))  # fmt: skip
    client.call("field/change", field="list", value=["a" * 13 + "!"] * target.share(99_000))


@attack("pipeline", "400 changes that take a few milliseconds each are sent at once, again and again.")
def pipeline(target: Target) -> None:
    client = target.connect()
    many, few = json.dumps(list(range(60))), json.dumps(list(range(10)))
    formula = f"{many}.all(x, {many}.all(y, {few}.all(z, x * y * z + values.n >= 0)))"
    client.call("session/open", definition=form({"n": {"type": "integer"}}, outputs={"first": formula, "second": formula}))
    client.pump(*(request(number, "field/change", field="n", value=number) for number in range(target.share(400))))


@attack(
    "batch-block", "A batch of 50 changes fills the output of a client that reads late; its answers must not overtake its updates."
)
def batch_block(target: Target) -> None:
    client = target.connect()
    if client.call("session/open", definition=multiplying(20)) is None:
        return
    changes = [request(number, "field/change", field="text", value=f"{number}" * 1_000).strip() for number in range(50)]
    client.send(b"[" + b",".join(changes) + b"]\n")
    # The client reads late: after the daemon has filled the socket.
    other = target.connect()
    while client.unread_bytes < 100_000:
        other.call("forms/list")
    told = 0
    while True:
        message = json.loads(client.read())
        if isinstance(message, list):
            revisions = [one["result"]["revision"] for one in message if "result" in one]
            target.tally.faults["answers before their updates"] += sum(revision > told for revision in revisions)
            return
        told = message["params"]["revision"]


SECRET = "the secret"

SECRETS: dict[str, JSON] = {
    "then": {"if": True, "then": {"properties": {"s": {"writeOnly": True}}}},
    "anyOf of the root": {"anyOf": [{"properties": {"s": {"writeOnly": True}}}, {"required": ["t"]}]},
    "dependentSchemas": {"dependentSchemas": {"s": {"properties": {"s": {"writeOnly": True}}}}},
    "patternProperties": {"patternProperties": {"^s$": {"writeOnly": True}}},
    "anyOf of the field": {"properties": {"s": {"anyOf": [{"type": "string", "writeOnly": True}, {"type": "null"}]}}},
}
"""The places in a schema that can make a field secret."""


@attack("secrets", "Fields are writeOnly at five places of a schema; session/get must show none of their values.")
def secrets(target: Target) -> None:
    client = target.connect()
    for place, schema in SECRETS.items():
        properties = {"s": {"type": "string"}, "t": {"type": "string"}} | schema.get("properties", {})
        definition = {"schema": {"type": "object", **schema, "properties": properties}}
        opened = client.call("session/open", definition=definition)
        # A refused definition shows no secret.
        if opened is None:
            continue
        client.call("field/change", session=opened["session"], field="s", value=SECRET)
        if SECRET.encode() in encode(client.call("session/get", session=opened["session"])):
            target.tally.faults[f"session/get shows a secret that is writeOnly by {place}"] += 1
        client.call("session/close", session=opened["session"])
