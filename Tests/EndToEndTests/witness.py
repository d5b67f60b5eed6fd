"""A witness of the daemons' messages: what every client of every daemon in the tests sends and gets.

`recorder.c` records the bytes of all connections, whichever program makes them. `test_protocol_document.py`, which runs
last, reads the recordings and judges every message by protocol/openrpc.json. The judge is a library that nobody here
wrote.
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Union

import formd
import jsonschema_rs

import harness

JSON = Any


class Kind(NamedTuple):
    """Values that have one schema."""

    place: str
    """Where they are in messages: `result`, `params`, `push`, `provided` (a client's answer to a request of the
    daemon), `error` (its data), or `document` (a session's, kept by merging patches)."""
    name: Union[str, int] = ""
    """The method, or the code of the error."""


class Witness:
    """What is known of the messages seen so far."""

    def __init__(self) -> None:
        self.counts: Counter[Kind] = Counter()
        """How many values were judged."""
        self.complaints: dict[Kind, list[str]] = {}
        """What is wrong with them: the first complaints of each kind."""
        self.errors: set[tuple[str, int]] = set()
        """Methods with the codes of errors that answered them."""
        self.problems: list[str] = []
        """What is wrong with a message whatever its method is."""

    def judge(self, kind: Kind, value: JSON) -> None:
        """Judges a value by its schema in protocol/openrpc.json. What the document does not know counts only."""
        self.counts[kind] += 1
        complaints = self.complaints.get(kind, [])
        if len(complaints) < 5 and (problem := DOCUMENT.problem(kind, value)) is not None:
            self.complaints[kind] = [*complaints, f"{problem}: {_text(value)[:2000]}"]

    def add(self, other: Witness) -> None:
        """Knows what another witness knows, too."""
        self.counts += other.counts
        for kind, complaints in other.complaints.items():
            self.complaints[kind] = self.complaints.get(kind, []) + complaints
        self.errors |= other.errors
        self.problems += other.problems

    def read(self, recordings: Path) -> None:
        """Reads all recordings of a folder."""
        # The largest come first.
        paths = sorted(recordings.iterdir(), key=lambda path: -path.stat().st_size)
        with ProcessPoolExecutor(2) as pool:
            for other in pool.map(read, paths):
                self.add(other)


def read(recording: Path) -> Witness:
    """What is known of the messages of one recording."""
    witness = Witness()
    conversations: dict[int, Recorded] = {}
    for number, direction, data in pieces(recording):
        if number not in conversations:
            conversations[number] = Recorded(Conversation(witness))
        conversations[number].take(direction, data)
    for one in conversations.values():
        one.conversation.end()
    return witness


class Recording:
    """What one client of the tests that does not speak to a daemon itself sends and gets."""

    def __init__(self, name: str) -> None:
        self._file = Path(os.environ["FORMD_RECORDINGS"], f"{name}-{os.getpid()}").open("ab", buffering=0)

    def sent(self, text: bytes) -> None:
        self._write(0, text)

    def received(self, text: bytes) -> None:
        self._write(1, text)

    def _write(self, direction: int, text: bytes) -> None:
        # A text may have several lines.
        piece = b"Content-Length: %d\r\n\r\n%b" % (len(text), text)
        self._file.write(struct.pack("=3I", 1, direction, len(piece)) + piece)


def record_daemons(folder: Path) -> None:
    """From now on the connections of all daemons that start are recorded in the folder."""
    library = folder / "recorder.so"
    source = Path(__file__).with_name("recorder.c")
    command = ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    recordings = folder / "recordings"
    recordings.mkdir(exist_ok=True)
    # Some daemons run as other users.
    folder.chmod(0o755)
    recordings.chmod(0o1777)
    os.environ.update(LD_PRELOAD=str(library), FORMD_RECORDINGS=str(recordings))


def pieces(recording: Path) -> Iterator[tuple[int, int, bytes]]:
    """Connections with the direction and the bytes of each piece."""
    with recording.open("rb") as file:
        while len(header := file.read(12)) == 12:
            number, direction, count = struct.unpack("=3I", header)
            yield number, direction, file.read(count)


class Recorded:
    """One recorded connection."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self._to_daemon = Texts()
        self._to_client = Texts()

    def take(self, direction: int, data: bytes) -> None:
        if direction == 0:
            for text in self._to_daemon.take(data):
                self.conversation.sent(text)
        else:
            for text in self._to_client.take(data):
                self.conversation.received(text)


class Texts:
    """Makes texts of the bytes of one direction, in both framings (protocol/wire.md, "Framing")."""

    _block = re.compile(rb"(?:[^\r\n]+\r?\n)+\r?\n")
    _length = re.compile(rb"^content-length:[ \t]*([0-9]+)", re.IGNORECASE | re.MULTILINE)

    def __init__(self) -> None:
        self._unread = bytearray()
        self._searched = 0
        """How many bytes at the start have no end of a line."""

    def take(self, data: bytes) -> list[bytes]:
        """The texts that end in this piece. An empty piece ends the last line."""
        self._unread += data or b"\n"
        texts = []
        while (text := self._next()) is not None:
            texts.append(text)
        return texts

    def _next(self) -> Optional[bytes]:
        if self._searched == 0:
            del self._unread[: len(self._unread) - len(self._unread.lstrip())]
        if self._unread[:8].lower() == b"content-":
            block = self._block.match(self._unread)
            length = block and self._length.search(block[0])
            if not block or not length or len(self._unread) < block.end() + int(length[1]):
                return None
            return self._taken(block.end(), block.end() + int(length[1]), 0)
        end = self._unread.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._unread)
            return None
        return self._taken(0, end, 1)

    def _taken(self, start: int, end: int, more: int) -> bytes:
        text = bytes(self._unread[start:end])
        del self._unread[: end + more]
        self._searched = 0
        return text


class Conversation:
    """The messages of one connection, in order: it knows which answer belongs to which request."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._requests: dict[str, list[tuple[str, JSON]]] = {}
        """The requests of the client that are not answered, by id."""
        self._own_requests: dict[str, str] = {}
        """The methods of the daemon's requests, by id."""
        self._notifications: list[tuple[str, JSON]] = []
        self._refused: set[str] = set()
        """Methods of notifications that the daemon has refused."""
        self._kept: dict[JSON, tuple[int, JSON]] = {}
        """The revision and the document of each session, kept by merging patches."""

    def sent(self, text: bytes) -> None:
        """The client has sent a text. Texts that are not JSON get no result."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return
        for one in message if isinstance(message, list) else [message]:
            if not isinstance(one, dict):
                continue
            method, params = one.get("method"), one.get("params")
            if not isinstance(method, str):
                asked = self._own_requests.pop(json.dumps(one.get("id")), None)
                if asked is not None and "result" in one:
                    self._witness.judge(Kind("provided", asked), one["result"])
            # `null` and `[]` count as absent.
            elif "id" in one:
                self._requests.setdefault(json.dumps(one["id"]), []).append((method, params or {}))
            else:
                self._notifications.append((method, params or {}))

    def received(self, text: bytes) -> None:
        """The client has got a text."""
        try:
            message = json.loads(text)
        except ValueError:
            self._witness.problems.append(f"the daemon has written a text that is not JSON: {text[:1000]!r}")
            return
        for one in message if isinstance(message, list) else [message]:
            if not is_envelope(one):
                self._witness.problems.append(f"the daemon has written no message: {_text(one)[:1000]}")
            elif "method" in one:
                self._pushed(one)
            else:
                self._answered(one)

    def _pushed(self, message: JSON) -> None:
        method, params = message["method"], message["params"]
        self._witness.judge(Kind("push", method), params)
        if "id" in message:
            self._own_requests[json.dumps(message["id"])] = method
        elif method == "server/rejected":
            self._refused.add(params["method"])
        elif method == "session/update":
            self._updated(params)

    def _updated(self, params: JSON) -> None:
        revision, document = self._kept.pop(params["session"], (None, None))
        if revision == params["from"]:
            document = formd.merge_patch(document, params["patch"])
            self._witness.judge(Kind("document"), document)
            self._kept[params["session"]] = (params["revision"], document)

    def _answered(self, message: JSON) -> None:
        error = message.get("error")
        if error is not None:
            self._witness.judge(Kind("error", error["code"]), error.get("data"))
        waiting = self._requests.get(json.dumps(message["id"]))
        if not waiting:
            if error is None:
                self._witness.problems.append(f"the daemon has answered a request that no client has sent: {_text(message)[:1000]}")
            return
        method, params = waiting.pop(0)
        if error is not None:
            self._witness.errors.add((method, error["code"]))
            return
        result = message["result"]
        self._witness.judge(Kind("result", method), result)
        self._witness.judge(Kind("params", method), params)
        if method in ("session/open", "session/attach", "session/get"):
            self._read(method, params, result)

    def _read(self, method: str, params: JSON, result: JSON) -> None:
        """The client has got a whole document."""
        number = result.get("session", params.get("session"))
        revision, document = result["revision"], result["document"]
        if self._kept.get(number, (None, None))[0] == revision and self._kept[number][1] != document:
            self._witness.problems.append(
                f"{method} has another document than the updates: {_text(document)} and {_text(self._kept[number][1])}"
            )
        self._kept[number] = (revision, document)

    def end(self) -> None:
        """The connection has ended."""
        for method, params in self._notifications:
            if method not in self._refused:
                self._witness.judge(Kind("params", method), params)


def is_envelope(message: JSON) -> bool:
    """Whether a message of the daemon is one of JSON-RPC 2.0, without further members."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    members = set(message) - {"jsonrpc"}
    if members == {"id", "error"}:
        error = message["error"]
        return {"code", "message"} <= set(error) <= {"code", "message", "data"}
    return members in ({"id", "result"}, {"method", "params"}, {"id", "method", "params"})


def _text(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class Document:
    """protocol/openrpc.json, as schemas to judge what was seen by. They refer to `components`."""

    LENIENT = {"initialize", "initialized", "shutdown", "exit", "$/cancelRequest"}
    """Methods whose unknown params the daemon ignores (protocol/wire.md, "Wrong params")."""

    def __init__(self, text: str) -> None:
        self._validators: dict[Kind, Optional[jsonschema_rs.Validator]] = {}
        document = json.loads(text)
        self.methods = {method["name"]: method for method in document["methods"]}
        self.requests = {request["name"]: request for request in document["x-requests"]}
        self.pushes = {**{push["name"]: push for push in document["x-notifications"]}, **self.requests}
        self.components = closed(document["components"])
        self.errors = {error["code"]: error for error in document["components"]["errors"].values()}
        self._names = {"#/components/errors/" + name: error["code"] for name, error in document["components"]["errors"].items()}
        self._common = self._codes(document["x-errors"])

    def problem(self, kind: Kind, value: JSON) -> Optional[str]:
        """What is wrong with a value of that kind; None if nothing is, or if the document does not know the kind."""
        if kind not in self._validators:
            schema = self.schema(kind)
            whole = {"allOf": [schema], "components": self.components}
            known = schema is not None
            self._validators[kind] = jsonschema_rs.validator_for(whole, validate_formats=True) if known else None
        validator = self._validators[kind]
        if validator is None or validator.is_valid(value):
            return None
        return "; ".join(f"{error.instance_path}: {error.message[:500]}" for error in validator.iter_errors(value))

    def schema(self, kind: Kind) -> JSON:
        """The schema of values of that kind; None if the document does not know the kind."""
        place, name = kind
        if place == "document":
            return {"$ref": "#/components/schemas/Document"}
        if place == "error" and name in self.errors:
            schema = self.error_data_schema(name)
            # An error may come without data if no member of the data is required.
            return schema if self.needs_data(name) else {"anyOf": [{"type": "null"}, schema]}
        if place == "push" and name in self.pushes:
            return self.push_schema(name)
        if place == "provided" and name in self.requests:
            return self.provided_schema(name)
        if place == "params" and name in self.methods and name not in self.LENIENT:
            return self.params_schema(name)
        if place == "result" and name in self.methods:
            # A notification has no answer.
            return self.result_schema(name) or False
        return None

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

    def provided_schema(self, request: str) -> JSON:
        """The schema of a client's answer to a request of the daemon."""
        return closed(self.requests[request]["result"])

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
    """The schema, admitting no member that it does not describe, unless it says that there may be others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(part) for name, part in schema.items()}
    if "properties" in result:
        result.setdefault("additionalProperties", False)
    return result


DOCUMENT = Document((harness.ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8"))
