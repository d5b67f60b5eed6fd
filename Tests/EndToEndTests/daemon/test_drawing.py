"""How scripts/quickstart draws a session: the form and the lines, on a terminal, in a pipe, with each set of colours
and signs."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from harness import ROOT, encode, notification, request

sys.path.insert(0, str(ROOT / "scripts" / "lib"))

from drawing import BOLD, RED, Paper, Row, Screen, columns_of, paragraph, wrapped  # noqa: E402
from session_view import Line, View, form_rows, picture, wire_rows  # noqa: E402

DESCRIPTION = {
    "form": "login",
    "fields": [
        {"name": "email", "address": "email", "label": "이메일", "placeholder": "이메일을 입력해주세요", "isSecret": False,
         "isRequired": True},
        {"name": "password", "address": "password", "label": "비밀번호", "isSecret": True, "isRequired": True},
    ],
    "actions": [{"name": "login", "label": "로그인"}],
    "outputs": ["buttonColor", "resultTitle"],
}  # fmt: skip
EMPTY = {
    "isValid": False,
    "messages": {},
    "fields": {"email": {"isValid": False, "errors": [{"code": "required", "message": "필수 항목입니다.", "params": {}}]}},
    "actions": {"login": {"isEnabled": False, "isLoading": False}},
    "outputs": {"buttonColor": "systemGray4"},
}


def sent(number: int, method: str, **params: Any) -> Line:
    return Line("sent", request(number, method, params))


def answered(number: int, result: Any) -> Line:
    return Line("received", {"jsonrpc": "2.0", "id": number, "result": result})


def updated(revision: int, patch: Any, **more: Any) -> Line:
    return Line("received", notification("session/update", {"session": 1, "revision": revision, "patch": patch, **more}))


def view_after(*lines: Line, document: Any = None) -> View:
    """The screen after the form was described and opened, and after more lines."""
    view = View()
    opening = (
        sent(1, "form/describe", form="login"), answered(1, DESCRIPTION),
        sent(2, "session/open", form="login"), answered(2, {"session": 1, "revision": 0, "document": document or EMPTY}),
    )  # fmt: skip
    for line in (*opening, *lines):
        view.follow(line)
    return view


def text(rows: list[Row], has_colors: bool = False) -> str:
    return "".join(row.text(has_colors) + "\n" for row in rows)


def said(rows: list[Row]) -> str:
    """The text of a line's rows, put together again."""
    return "".join("".join(text for text, _ in row.spans)[2:] for row in rows)


LEFT = (
    sent(3, "field/change", session=1, field="email", value="kim"), updated(1, {"isDirty": True}),
    answered(3, {"revision": 1}), sent(4, "field/blur", session=1, field="email"),
    updated(2, {"messages": {"email": "이메일 형식이 아닙니다."}}), answered(4, {"revision": 2}),
)  # fmt: skip


def test_in_80_columns_the_lines_stand_under_the_form() -> None:
    assert text(picture("3. The field is left", view_after(*LEFT), LEFT[3:], Paper(80))) == """\
3. The field is left
┌─ login ────────────────────────── not valid ─┐
│ 이메일 *    [kim                           ] │
│             ! 이메일 형식이 아닙니다.        │
│ 비밀번호 *  [                              ] │
│                                              │
│ [ 로그인 ]  disabled                         │
│ buttonColor: "systemGray4"                   │
└──────────────────────────────────────────────┘
→ {"id":4,"method":"field/blur","params":{"field":"email"}}
← {"method":"session/update","params":{"revision":2,"patch":{"messages":{
  "email":"이메일 형식이 아닙니다."}}}}
← {"id":4,"result":{"revision":2}}

"""


def test_in_120_columns_they_stand_beside_it() -> None:
    tapped = (
        sent(5, "field/change", session=1, field="password", value="hunter2"),
        updated(3, {"isValid": True, "messages": {"email": None}, "actions": {"login": {"isEnabled": True}}}),
        answered(5, {"revision": 3}), sent(6, "action/tap", session=1, action="login"),
        updated(4, {"actions": {"login": {"isLoading": True}}}), answered(6, {"revision": 4, "outcome": "started", "run": 1}),
    )  # fmt: skip
    assert text(picture("4. A tap", view_after(*LEFT, *tapped), tapped, Paper(120))) == """\
4. A tap
┌─ login ────────────────────────────── valid ─┐  → {"id":5,"method":"field/change","params":{"field":"password",
│ 이메일 *    [kim                           ] │    "value":"*******"}}
│ 비밀번호 *  [*******_                      ] │  ← {"method":"session/update","params":{"revision":3,"patch":{
│                                              │    "isValid":true,"messages":{"email":null},"actions":{"login":{
│ [ 로그인 ]  loading…                         │    "isEnabled":true}}}}}
│ buttonColor: "systemGray4"                   │  ← {"id":5,"result":{"revision":3}}
└──────────────────────────────────────────────┘  → {"id":6,"method":"action/tap","params":{"action":"login"}}
                                                  ← {"method":"session/update","params":{"revision":4,"patch":{
                                                    "actions":{"login":{"isLoading":true}}}}}
                                                  ← {"id":6,"result":{"revision":4,"outcome":"started","run":1}}

"""


def test_what_the_paper_lacks_is_written_as_json_would() -> None:
    rows = picture("3. The field is left", view_after(*LEFT), LEFT[3:], Paper(80, encoding="ascii"))
    assert text(rows).encode("ascii").decode() == r"""3. The field is left
+- login -------------------------- not valid -+
| \uc774\uba54\uc77c *  [kim                 ] |
|                       ! \uc774\uba54\uc77c   |
|                       \ud615\uc2dd\uc774     |
|                       \uc544\ub2d9\ub2c8\ub2 |
|                       e4.                    |
| \ube44\ubc00\ubc88\u                         |
| d638 *                [                    ] |
|                                              |
| [ \ub85c\uadf8\uc778 ]  disabled             |
| buttonColor: "systemGray4"                   |
+----------------------------------------------+
> {"id":4,"method":"field/blur","params":{"field":"email"}}
< {"method":"session/update","params":{"revision":2,"patch":{"messages":{
  "email":"\uc774\uba54\uc77c \ud615\uc2dd\uc774 \uc544\ub2d9\ub2c8\ub2e4."}}}}
< {"id":4,"result":{"revision":2}}

"""


@pytest.mark.parametrize(
    ("action", "rows"),
    [
        ({"result": {"name": "Kim"}, "message": "환영합니다."}, ["[ 로그인 ]  enabled", '✓ 환영합니다. {"name":"Kim"}']),
        ({"result": {"name": "Kim"}, "error": "badRequest", "message": "틀립니다."}, ["[ 로그인 ]  enabled", "✗ 틀립니다. (badRequest)"]),
        ({"isLoading": True, "error": "old", "message": "old"}, ["[ 로그인 ]  loading…"]),
        ({"isEnabled": False}, ["[ 로그인 ]  disabled"]),
    ],
)
def test_of_an_action_the_button_and_the_last_outcome_are_drawn(action: Any, rows: list[str]) -> None:
    state = {"actions": {"login": {"isEnabled": True, "isLoading": False, **action}}, "outputs": {}}
    drawn = text(form_rows(view_after(document={**EMPTY, **state}), Paper(48))).splitlines()
    assert [row.strip("│").strip() for row in drawn[4:-1]] == rows


def test_the_form_is_what_the_daemon_says_even_where_that_makes_no_sense() -> None:
    """An empty form that is valid, a message under a field without an error, an enabled button: the drawing judges
    nothing."""
    document = {
        **EMPTY, "isValid": True, "messages": {"password": "Hm."}, "actions": {"login": {"isEnabled": True, "isLoading": False}}
    }  # fmt: skip
    drawn = text(form_rows(view_after(document=document), Paper(48)))
    assert " valid ─┐" in drawn and "not valid" not in drawn
    assert "! Hm." in drawn and "필수" not in drawn and "enabled" in drawn
    full = (sent(3, "field/change", session=1, field="email", value="kim@example.com"), answered(3, {"revision": 0}))
    drawn = text(form_rows(view_after(*full), Paper(48)))
    assert "kim@example.com" in drawn and "not valid" in drawn and "disabled" in drawn


def test_of_a_text_that_is_too_long_its_end_is_seen() -> None:
    view = view_after(sent(3, "field/change", session=1, field="email", value="가" * 40 + "end"))
    (row,) = [row for row in text(form_rows(view, Paper(48))).splitlines() if "end_" in row]
    assert columns_of(row) == 48 and "가" in row


@pytest.mark.parametrize("columns", [40, 41, 47, 48, 49, 79, 80, 109, 110, 120, 121, 160])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "euc-kr", "latin-1"])
def test_no_row_is_wider_than_the_paper(columns: int, encoding: str) -> None:
    rows = picture("A title of some words that may be too long", view_after(*LEFT), LEFT, Paper(columns, encoding))
    assert max(columns_of(row.text(has_colors=False)) for row in rows) <= columns
    frame = form_rows(view_after(*LEFT), Paper(min(48, columns), encoding))
    assert {row.columns for row in frame} == {min(48, columns)}
    text(rows).encode(encoding)


def test_a_secret_is_seen_nowhere() -> None:
    lines = (sent(3, "field/change", session=1, field="password", value="hunter2"), answered(3, {"revision": 1}))
    drawn = text(picture("", view_after(*lines), lines, Paper(80)))
    assert "hunter" not in drawn and drawn.count("*******") == 2


def test_what_would_steer_a_terminal_is_not_written() -> None:
    nasty = "a\x1b[2Jb\x9b2Jc\x7fd\u202ee\nf"
    view = view_after(sent(3, "field/change", field="email", value=nasty), updated(1, {"messages": {"email": nasty}}))
    view.document["outputs"] = {"buttonColor": nasty}
    drawn = text(picture("", view, [updated(1, {"messages": {"email": nasty}})], Paper(80)))
    assert all(sign.isprintable() for sign in drawn.replace("\n", ""))
    assert "a\\u001b[2Jb\\u009b2Jc" in drawn


# The lines


def messages() -> list[Any]:
    """The daemon's messages in the recorded conversations, and texts that are hard to break."""
    transcripts = (ROOT / "protocol" / "transcripts").glob("*.jsonl")
    rows = {row for path in transcripts for row in path.read_text(encoding="utf-8").splitlines() if '"dir":"<-"' in row}
    hard = ['a,{"[', "\\", '"', "한글 " * 60, "{…}", "…", [], {}, [[], {"": [1, -2.5, None, True]}]]
    return [json.loads(row)["frame"] for row in sorted(rows)] + [{"jsonrpc": "2.0", "id": 1, "result": hard}]


def bare(message: Any) -> Any:
    """A message without what a line is drawn without."""
    message = {name: member for name, member in message.items() if name != "jsonrpc"}
    if "params" in message:
        message["params"] = {name: member for name, member in message["params"].items() if name != "session"}
    return message


@pytest.mark.parametrize("columns", [30, 160])
def test_the_rows_of_a_line_make_up_the_message(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr("session_view.ROWS_OF_A_LINE_MAX", 10_000)
    for message in messages():
        rows = wire_rows([Line("received", message)], set(), Paper(columns))
        assert said(rows) == encode(bare(message)).decode()


@pytest.mark.parametrize("columns", [50, 160])
def test_what_is_shortened_is_the_inside_of_objects_and_lists(columns: int) -> None:
    """With the cut places marked as values, the text is JSON, and agrees with the message everywhere else."""
    cuts = 0

    def agree(drawn: Any, whole: Any) -> bool:
        nonlocal cuts
        if drawn == {"…": 1} and isinstance(whole, dict) or drawn == ["…"] and isinstance(whole, list):
            cuts += 1
            return bool(whole)
        if isinstance(drawn, dict) and isinstance(whole, dict):
            return list(drawn) == list(whole) and all(agree(drawn[name], whole[name]) for name in whole)
        if isinstance(drawn, list) and isinstance(whole, list):
            return len(drawn) == len(whole) and all(map(agree, drawn, whole))
        return encode(drawn) == encode(whole)

    for message in messages()[:-1]:
        drawn = said(wire_rows([Line("received", message)], set(), Paper(columns)))
        assert agree(json.loads(drawn.replace("{…}", '{"…":1}').replace("[…]", '["…"]')), bare(message)), drawn
    assert cuts > 0


def test_a_line_that_has_room_is_not_shortened_and_others_lose_their_innermost_parts() -> None:
    errors = [{"code": "required", "message": "m" * 300, "params": {}}]
    (rows, short) = (
        said(wire_rows([updated(1, {"isValid": False, "fields": {"email": {"isEmpty": True, "errors": value}}})], set(), Paper(80)))
        for value in (errors, [])
    )
    assert '"patch":{"isValid":false,"fields":{"email":{"isEmpty":true,"errors":[{…}]}}}' in rows
    assert "…" not in short


def test_many_requests_that_changed_nothing_are_counted() -> None:
    def typed(number: int, text: str) -> tuple[Line, Line]:
        return sent(number, "field/change", field="email", value=text), answered(number, {"revision": 1})

    lines = [line for number in range(1, 8) for line in typed(number, "k" * number)]
    lines += [sent(8, "field/change", field="email", value="k@"), updated(2, {"isValid": True}), answered(8, {"revision": 2})]
    lines += [*typed(9, "k@e"), *typed(10, "k@ex")]
    assert text(wire_rows(lines, set(), Paper(100))) == """\
  (6 more requests like the next: answered, nothing to push)
→ {"id":7,"method":"field/change","params":{"field":"email","value":"kkkkkkk"}}
← {"id":7,"result":{"revision":1}}
→ {"id":8,"method":"field/change","params":{"field":"email","value":"k@"}}
← {"method":"session/update","params":{"revision":2,"patch":{"isValid":true}}}
← {"id":8,"result":{"revision":2}}
→ {"id":9,"method":"field/change","params":{"field":"email","value":"k@e"}}
← {"id":9,"result":{"revision":1}}
→ {"id":10,"method":"field/change","params":{"field":"email","value":"k@ex"}}
← {"id":10,"result":{"revision":1}}
"""


def test_of_a_picture_with_few_rows_the_last_lines_are_seen() -> None:
    view = view_after(*LEFT)
    for columns, rows_max in ((80, 12), (120, 10), (80, 3)):
        whole, part = (picture("", view, LEFT, Paper(columns), rows) for rows in (None, rows_max))
        assert len(part) == max(rows_max, 2 + len(form_rows(view, Paper(48)))) < len(whole)
    assert text(picture("", view, LEFT, Paper(80), 12)).splitlines()[-2] == '← {"id":4,"result":{"revision":2}}'


# Texts


@pytest.mark.parametrize(
    ("sign", "columns"),
    [("a", 1), ("é", 1), ("e\u0301", 1), ("한", 2), ("\u1112\u1161\u11ab", 2), ("Ａ", 2), ("ｱ", 1), ("…", 1), ("─", 1), ("🙂", 2)],
)
def test_a_sign_is_as_wide_as_on_a_terminal(sign: str, columns: int) -> None:
    assert columns_of(sign) == columns


def test_texts_break_at_blanks_and_where_they_must() -> None:
    assert paragraph("이메일 형식이 아닙니다.", 13) == ["이메일 형식이", "아닙니다."]
    assert paragraph("ab abcdefgh c", 4) == ["ab", "abcd", "efgh", "c"]
    assert wrapped(["{", '"a":1,', '"b":2}'], 12) == ['{"a":1,', '"b":2}']
    assert wrapped(["{", '"a":1,', '"b":2}'], 6) == ["{", '"a":1,', '"b":2}']


# Its place


class Terminal(io.StringIO):
    """A terminal that obeys."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


PICTURES = [[Row(("a", BOLD)), Row(("1", RED))], [Row(("a", BOLD)), Row(("2", RED)), Row()]]


def shown(stream: io.StringIO, environment: dict[str, str], is_live: bool = True) -> str:
    screen = Screen(stream, environment, is_live)
    for rows in PICTURES:
        screen.draw(rows)
    screen.keep(PICTURES[1])
    screen.keep(PICTURES[0])
    return stream.getvalue()


KEPT = "a\n2\n\na\n1\n"
KEPT_IN_COLOR = "\x1b[1ma\x1b[m\n\x1b[31m2\x1b[m\n\n\x1b[1ma\x1b[m\n\x1b[31m1\x1b[m\n"


def test_in_a_pipe_there_is_what_is_kept_and_no_escape() -> None:
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    screen = Screen(pipe, {"TERM": "xterm"}, is_live=True)
    assert not screen.is_live
    screen.draw(PICTURES[0])
    screen.keep(PICTURES[1])
    screen.keep(PICTURES[0])
    pipe.seek(0)
    assert pipe.read() == KEPT


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {}], ids=["dumb", "without TERM"])
def test_a_terminal_that_obeys_nothing_gets_no_escape(environment: dict[str, str]) -> None:
    assert shown(Terminal(), environment) == KEPT


def test_without_life_a_terminal_gets_colours_alone() -> None:
    assert shown(Terminal(), {"TERM": "xterm"}, is_live=False) == KEPT_IN_COLOR
    assert shown(Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, is_live=False) == KEPT_IN_COLOR


def test_no_color_forbids_colours_and_not_life() -> None:
    again = ["a\n1\n", "\x1b[2A\x1b[J" + "a\n2\n\n", "\x1b[3A\x1b[J" + "a\n2\n\n", "a\n1\n"]
    assert shown(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}) == "".join(again)


def test_a_live_picture_stands_where_it_stood_unless_the_terminal_was_resized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    screen = Screen(terminal, {"TERM": "xterm", "NO_COLOR": "1"}, is_live=True)
    screen.draw(PICTURES[0])
    monkeypatch.setenv("COLUMNS", "60")
    screen.draw(PICTURES[0])
    screen.keep(PICTURES[0])
    assert terminal.getvalue() == "a\n1\n" + "a\n1\n" + "\x1b[2A\x1b[J" + "a\n1\n"


def test_a_picture_that_is_higher_than_the_terminal_is_not_drawn_before_it_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "3")
    assert shown(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}) == "a\n1\n" + "\x1b[2A\x1b[J" + KEPT
