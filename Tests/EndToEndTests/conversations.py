"""The conversations of the protocol's pages: blocks of ```conversation, held with a daemon.

A message begins with an arrow, after the client's name if there are several clients, and ends before the next arrow. A
message of the daemon leaves out members if it has `…` behind a comma or alone. A text that ends with `…` matches any
text. Numbers of sessions and keys differ from run to run: the first one in a run replaces the page's number or key.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from harness import JSON, ROOT, Connection, Daemon

LEFT_OUT = "…"


class Message(NamedTuple):
    """A message of a page."""

    client: str
    is_sent: bool
    text: str


class Conversation(NamedTuple):
    """A conversation of a page."""

    page: str
    line: int
    messages: list[Message]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def conversations(page: Path) -> list[Conversation]:
    """The conversations of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block in re.finditer(r"^```conversation\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        messages: list[Message] = []
        for line in block.group(1).splitlines():
            start = re.match(r"(?:(\w+) )?([→←]) (.*)", line)
            if start:
                messages.append(Message(start.group(1) or "", start.group(2) == "→", start.group(3)))
            else:
                messages[-1] = messages[-1]._replace(text=messages[-1].text + line.strip())
        found.append(Conversation(page.name, text[: block.start()].count("\n") + 1, messages))
    return found


ALL = [found for page in sorted((ROOT / "protocol").glob("*.md")) for found in conversations(page)]


class Bindings:
    """The numbers and keys of this run, by the page's numbers of sessions and its keys."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, JSON], JSON] = {}

    def bind(self, name: str, written: JSON, came: JSON) -> bool:
        """Whether a value that came can be the one that is written; the first one is."""
        return self._known.setdefault((name, written), came) == came

    def put_in(self, value: JSON) -> JSON:
        """A message of the page with the values of this run."""
        if isinstance(value, list):
            return [self.put_in(element) for element in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self._known.get((name, member), member) if name in ("session", "key") else self.put_in(member)
            for name, member in value.items()
        }


def expected(text: str) -> JSON:
    """A message of the daemon; an object that leaves out members has a member `…`."""
    return json.loads(re.sub(rf"([{{,]){LEFT_OUT}", rf'\1"{LEFT_OUT}":0', text))


def differences(written: JSON, came: JSON, bindings: Bindings, place: str = "") -> list[str]:
    """A message differs from the page's message."""
    if isinstance(written, dict) and isinstance(came, dict):
        wanted = {name for name in written if name != LEFT_OUT}
        found = [f"{place}/{name} is missing" for name in wanted - set(came)]
        if LEFT_OUT not in written:
            found += [f"{place}/{name} is not on the page" for name in set(came) - wanted]
        for name in wanted & set(came):
            if name in ("session", "key") and not isinstance(written[name], (dict, list)):
                if not bindings.bind(name, written[name], came[name]):
                    found.append(f"{place}/{name} is another one: {came[name]!r}")
            else:
                found += differences(written[name], came[name], bindings, f"{place}/{name}")
        return found
    if isinstance(written, list) and isinstance(came, list) and len(written) == len(came):
        return [
            difference
            for index, (left, right) in enumerate(zip(written, came))
            for difference in differences(left, right, bindings, f"{place}/{index}")
        ]
    if isinstance(written, str) and written.endswith(LEFT_OUT) and isinstance(came, str):
        return []
    return [] if written == came else [f"{place} is {came!r}, and on the page {written!r}"]


def with_version(message: JSON) -> JSON:
    """A message with the member that pages leave out."""
    if isinstance(message, list):
        return [with_version(member) for member in message]
    return {"jsonrpc": "2.0", **message}


def hold(conversation: Conversation, daemon: Daemon) -> None:
    """Sends the messages of a page's clients, and compares the answers with the page."""
    clients: dict[str, Connection] = {}
    bindings = Bindings()
    try:
        for message in conversation.messages:
            if message.client not in clients:
                clients[message.client] = daemon.connect()
            client = clients[message.client]
            if not message.is_sent:
                came = client.read()
                found = differences(with_version(expected(message.text)), came, bindings)
                assert not found, f"{conversation}: {message.text}\n{found}\nThis came: {json.dumps(came, ensure_ascii=False)}"
                continue
            try:
                sent = json.loads(message.text)
            except json.JSONDecodeError:
                client.send_text(message.text.encode())
            else:
                client.send(with_version(bindings.put_in(sent)))
        for client in clients.values():
            client.half_close()
        for name, client in clients.items():
            left = [came for came in client.read_to_end() if came.get("method") != "session/update"]
            assert not left, f"{conversation}: this came to {name or 'the client'}, too: {left}"
    finally:
        for client in clients.values():
            client.close()
