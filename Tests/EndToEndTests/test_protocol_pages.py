"""The pages of the protocol: the daemon answers as in their conversations, and their table has every method."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Callable

import pytest

import harness
from conversations import ALL, Bindings, Conversation, conversations, differences, expected, hold
from harness import Backend, Daemon

PROTOCOL = harness.ROOT / "protocol"


@pytest.mark.parametrize("conversation", ALL, ids=str)
def test_the_daemon_answers_as_the_page_says(daemon: Daemon, conversation: Conversation) -> None:
    hold(conversation, daemon)


def test_pages_with_conversations_have_them() -> None:
    assert {found.page for found in ALL} == {
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
def test_another_answer_is_noticed(written: str, came: str) -> None:
    assert differences(expected(written), json.loads(came), Bindings())


def test_a_page_is_read_as_it_is_written(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text('# A\n\n```conversation\nkim → {"id":1,\n      "method":"a"}\nlee ← {}\n```\n', encoding="utf-8")
    [found] = conversations(page)
    assert str(found) == "page.md:3"
    assert found.messages == [("kim", True, '{"id":1,"method":"a"}'), ("lee", False, "{}")]
