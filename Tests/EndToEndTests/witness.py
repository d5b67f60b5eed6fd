"""A witness of the daemon's messages: every answer and every push that a raw connection or the Python client gets.

`test_protocol_document.py`, which runs last, validates all of them against protocol/openrpc.json with the project's own
JSON Schema.
"""

from __future__ import annotations

import json
from typing import Any, Optional

import formd

JSON = Any


class Witness:
    """The values seen so far, each once."""

    def __init__(self) -> None:
        self.results: dict[str, set[str]] = {}
        """Results as JSON texts, by the method that they answer."""
        self.errors: set[tuple[str, int]] = set()
        """Methods with the codes of errors that answered them."""
        self.error_data: dict[int, set[str]] = {}
        """The data of errors as JSON texts, by the error's code."""
        self.requests: dict[str, set[str]] = {}
        """The params of requests that got a result as JSON texts, by method."""
        self.documents: set[str] = set()
        """Documents that clients kept by merging patches, as JSON texts."""
        self.pushes: dict[str, set[str]] = {}
        """Params as JSON texts, by the push's method."""
        self.daemons: set[str] = set()
        """The sockets of real daemons; some tests talk to a fake one, which says what it likes."""

    def keeps(self, document: JSON) -> None:
        """A client has a document that it keeps by merging patches."""
        self.documents.add(_text(document))

    def conversation(self) -> Conversation:
        """The messages of one connection."""
        return Conversation(self)


class Conversation:
    """One connection: it knows which answer belongs to which request."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._requests: dict[str, tuple[str, JSON]] = {}

    def sent(self, data: bytes) -> None:
        """The client sent bytes. Their requests are noted if they are whole lines or bodies of JSON; further bytes get
        no result."""
        for line in data.split(b"\n"):
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            for one in message if isinstance(message, list) else [message]:
                if isinstance(one, dict) and isinstance(one.get("method"), str) and "id" in one:
                    # `null` and `[]` count as absent.
                    self._requests[json.dumps(one["id"])] = (one["method"], one.get("params") or {})

    def received(self, message: JSON) -> None:
        """The client got a message."""
        for one in message if isinstance(message, list) else [message]:
            if "method" in one:
                self._witness.pushes.setdefault(one["method"], set()).add(_text(one["params"]))
                continue
            if "error" in one:
                self._witness.error_data.setdefault(one["error"]["code"], set()).add(_text(one["error"].get("data")))
            method, params = self._requests.pop(json.dumps(one["id"]), (None, None))
            if method is None:
                continue
            if "result" in one:
                self._witness.results.setdefault(method, set()).add(_text(one["result"]))
                self._witness.requests.setdefault(method, set()).add(_text(params))
            else:
                self._witness.errors.add((method, one["error"]["code"]))


def _text(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


WITNESS = Witness()
"""The one of this run."""


def watch_python_client() -> None:
    """From now on the Python client's connections are seen, too."""
    client = formd.AsyncClient
    write, receive = client._write, client._received

    def conversation(self: JSON) -> Conversation:
        if not hasattr(self, "_conversation"):
            self._conversation = WITNESS.conversation()
        return self._conversation

    def watched_write(self: JSON, line: bytes) -> None:
        if self.path in WITNESS.daemons:
            conversation(self).sent(line)
        write(self, line)

    def watched_receive(self: JSON, message: JSON) -> None:
        if self.path in WITNESS.daemons and isinstance(message, dict):
            conversation(self).received(message)
        receive(self, message)

    client._write, client._received = watched_write, watched_receive


class Document:
    """protocol/openrpc.json, as schemas to judge what was seen by. They refer to `components`."""

    def __init__(self, text: str) -> None:
        document = json.loads(text)
        self.methods = {method["name"]: method for method in document["methods"]}
        self.pushes = {push["name"]: push for push in [*document["x-notifications"], *document["x-requests"]]}
        self.components = closed(document["components"])
        self.errors = {error["code"]: error for error in document["components"]["errors"].values()}
        self._names = {"#/components/errors/" + name: error["code"] for name, error in document["components"]["errors"].items()}
        self._common = self._codes(document["x-errors"])

    def result_schema(self, method: str) -> Optional[JSON]:
        """The schema of a method's result; None for a notification."""
        result = self.methods[method].get("result")
        return result and closed(result["schema"])

    def params_schema(self, method: str) -> JSON:
        """The schema of a method's params."""
        params: list[JSON] = self.methods[method]["params"]
        return closed({
            "type": "object", "properties": {param["name"]: param["schema"] for param in params},
            "required": [param["name"] for param in params if param["required"]],
        })  # fmt: skip

    def push_schema(self, push: str) -> JSON:
        """The schema of a push's params."""
        return closed(self.pushes[push]["params"])

    def error_data_schema(self, code: int) -> JSON:
        """The schema of the data of an error with that code; an error without data has null here."""
        return closed(self.errors[code].get("data", {"type": "null"}))

    def needs_data(self, code: int) -> bool:
        """Whether every error with that code has data."""
        name = self.errors[code].get("data", {}).get("$ref", "").rpartition("/")[2]
        return bool(self.components["schemas"].get(name, {}).get("required"))

    def _codes(self, references: list[JSON]) -> set[int]:
        return {self._names[reference["$ref"]] for reference in references}

    def codes(self, method: str) -> set[int]:
        """The codes of the errors that a method may be answered with."""
        return self._common | self._codes(self.methods[method].get("errors", []))


def closed(schema: JSON) -> JSON:
    """The schema, admitting no member that it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(part) for name, part in schema.items()}
    if "properties" in result:
        result["additionalProperties"] = False
    return result
