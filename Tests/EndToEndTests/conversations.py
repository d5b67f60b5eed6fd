"""The conversations of the protocol's pages: blocks of ```conversation, held with a daemon.

A message begins with an arrow, after the client's name if there are several clients, and ends before the next arrow. A
message of the daemon leaves out members if it has `…` behind a comma or alone. A text that ends with `…` matches any
text. Numbers of sessions and keys differ from run to run: the first one in a run replaces the page's number or key.
FORMD_REWRITE=1 writes the daemon's messages again, without what the page leaves out.
"""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from harness import JSON, ROOT, Connection, Daemon, encode
from page_examples import REWRITES, agree, wrapped

LEFT_OUT = "…"


class Message(NamedTuple):
    """A message of a page. A line of its text, except for the first, has spaces before it."""

    client: str
    is_sent: bool
    text: str

    @property
    def start(self) -> str:
        """What stands before the text."""
        return (f"{self.client} " if self.client else "") + ("→ " if self.is_sent else "← ")


class Conversation(NamedTuple):
    """A conversation of a page."""

    page: Path
    line: int
    block: str
    messages: list[Message]

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


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
                messages[-1] = messages[-1]._replace(text=f"{messages[-1].text}\n{line}")
        found.append(Conversation(page, text[: block.start()].count("\n") + 1, block.group(), messages))
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
    return json.loads(re.sub(rf"([{{,](?:\n *)?){LEFT_OUT}", rf'\1"{LEFT_OUT}":0', text))


def shown(written: JSON, came: JSON, bindings: Bindings) -> JSON:
    """A message that came, as the page has to write it: without the members and texts that the page leaves out."""
    if isinstance(written, dict) and isinstance(came, dict):
        names = [name for name in written if name == LEFT_OUT or name in came] if LEFT_OUT in written else list(came)
        return {name: 0 if name == LEFT_OUT else member(name, written, came, bindings) for name in names}
    if isinstance(written, list) and isinstance(came, list):
        return [shown(left, right, bindings) for left, right in zip_longest(written[: len(came)], came)]
    is_left_out = isinstance(written, str) and written.endswith(LEFT_OUT) and isinstance(came, str)
    return written if is_left_out else came


def member(name: str, written: dict[str, JSON], came: dict[str, JSON], bindings: Bindings) -> JSON:
    """A member of a message that came, as the page has to write it."""
    value = written.get(name)
    if name in ("session", "key") and name in written and not isinstance(value, (dict, list)):
        return value if bindings.bind(name, value, came[name]) else came[name]
    return shown(value, came[name], bindings)


def with_version(message: JSON) -> JSON:
    """A message with the member that pages leave out."""
    if isinstance(message, list):
        return [with_version(member) for member in message]
    return {"jsonrpc": "2.0", **message}


def without_version(message: dict[str, JSON]) -> dict[str, JSON]:
    return {name: value for name, value in message.items() if name != "jsonrpc"}


def rewritten(message: Message, content: JSON) -> str:
    """The lines of a message of the daemon with other content."""
    content = [without_version(one) for one in content] if isinstance(content, list) else without_version(content)
    text = encode(content).decode().replace(f'"{LEFT_OUT}":0', LEFT_OUT)
    return wrapped(text, message.start, "   ")


def hold(conversation: Conversation, daemon: Daemon) -> None:
    """Sends the messages of a page's clients, and compares the answers with the page."""
    clients: dict[str, Connection] = {}
    bindings = Bindings()
    told = ""
    try:
        for message in conversation.messages:
            if message.client not in clients:
                clients[message.client] = daemon.connect()
            client = clients[message.client]
            lines = f"{message.start}{message.text}\n"
            if not message.is_sent:
                came = client.read()
                written = with_version(expected(message.text))
                content = shown(written, came, bindings)
                assert content == written or REWRITES, f"{conversation}: {message.text}\nThis came: {encode(came).decode()}"
                told += lines if content == written else rewritten(message, content)
                continue
            told += lines
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
    agree(conversation.page, conversation.block, f"```conversation\n{told}```")
