"""The pages of the protocol: the daemon answers as in their conversations, and their table has every method."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Callable

import pytest

import harness
import page_examples
from conversations import ALL, Bindings, Conversation, Message, conversations, expected, hold, rewritten, shown
from harness import Backend, Daemon
from page_examples import agree

PROTOCOL = harness.ROOT / "protocol"


@pytest.mark.parametrize("conversation", ALL, ids=str)
def test_the_daemon_answers_as_the_page_says(daemon: Daemon, conversation: Conversation) -> None:
    hold(conversation, daemon)


def test_pages_with_conversations_have_them() -> None:
    assert {found.page.name for found in ALL} == {
        "README.md", "wire.md", "sessions.md", "kept-sessions.md", "providers.md", "tools.md",
    }  # fmt: skip


def test_the_first_page_lists_every_method_and_every_push_once() -> None:
    document = json.loads((PROTOCOL / "openrpc.json").read_text(encoding="utf-8"))
    page = (PROTOCOL / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([^\]]+)\]\(\w[\w-]*\.md#", page, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    names = [entry["name"] for entry in document["methods"] + document["x-notifications"] + document["x-requests"]]
    assert sorted(listed) == sorted(names)


@pytest.mark.parametrize(
    ("written", "came"),
    [
        ('{"id":1,"result":{}}', '{"id":1,"result":{"a":1}}'),
        ('{"id":1,"result":{"a":1,…}}', '{"id":1,"result":{"b":1}}'),
        ('{"id":1,"result":[{…}]}', '{"id":1,"result":[{},{}]}'),
        ('{"id":1,"result":"a…"}', '{"id":1,"result":1}'),
        ('[{"session":1},{"session":1}]', '[{"session":4},{"session":5}]'),
    ],
)
def test_another_answer_is_noticed_and_can_be_written_into_the_page(written: str, came: str) -> None:
    content = shown(expected(written), json.loads(came), Bindings())
    assert content != expected(written)
    again = expected(rewritten(Message("", False, written), content)[2:])
    assert shown(again, json.loads(came), Bindings()) == again


def test_a_rewritten_message_leaves_out_what_the_page_leaves_out_and_has_lines_that_fit() -> None:
    message = Message("kim", False, '{"id":1,"result":{"a":{…},"b":"x…",…}}')
    came = {"jsonrpc": "2.0", "id": 1, "result": {"a": {"c": 1}, "b": "xyz", "d": 2, "e": 3}}
    assert rewritten(message, shown(expected(message.text), came, Bindings())) == f"kim ← {message.text}\n"
    long = {"id": 1, "result": {name * 40: 1 for name in "abc"}}
    lines = f'kim ← {{"id":1,"result":{{"{"a" * 40}":1,\n   "{"b" * 40}":1,"{"c" * 40}":1}}}}\n'
    assert rewritten(message, long) == lines


def test_a_page_gets_what_the_programs_say_if_it_is_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = folder / "page.md"
    page.write_text("before\nold\nafter\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="page.md shows another text"):
        monkeypatch.setattr(page_examples, "REWRITES", False)
        agree(page, "old\n", "new\n")
    monkeypatch.setattr(page_examples, "REWRITES", True)
    agree(page, "old\n", "new\n")
    assert page.read_text(encoding="utf-8") == "before\nnew\nafter\n"
    with pytest.raises(AssertionError, match="0 times"):
        agree(page, "old\n", "new\n")


def test_a_page_is_read_as_it_is_written(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text('# A\n\n```conversation\nkim → {"id":1,\n      "method":"a"}\nlee ← {}\n```\n', encoding="utf-8")
    [found] = conversations(page)
    assert str(found) == "page.md:3"
    assert found.messages == [("kim", True, '{"id":1,\n      "method":"a"}'), ("lee", False, "{}")]
