"""A session of a form as its user sees it, beside the lines that went over the wire.

The view computes nothing by itself: the whole drawing follows from these lines. Labels and secrets are in the answer to
`form/describe`. Validity, messages, buttons and outputs are in the document. Typed values are in the sent changes. The
view supports flat forms, such as login.
"""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from typing import AbstractSet, Any, Iterator, NamedTuple, Optional, Sequence

import formd
from drawing import BOLD, CYAN, DIM, GREEN, PLAIN, RED, Paper, Row, columns_of, paragraph, pieces, wrapped

JSON = Any
Path = tuple[Any, ...]
"""The names and positions that lead to a place inside of a message."""

FORM_COLUMNS_MAX = 48
GAP = 2
SIDE_BY_SIDE_COLUMNS_MIN = 110
"""From this width on, the lines are beside the form; on a narrower paper, they are under the form."""
ROWS_OF_A_LINE_MAX = 6
"""A line that needs more rows is shortened."""
QUIET_SHOWN_MAX = 2
"""Of a longer series of requests that changed nothing, only the last is shown."""
TINTS = {"systemPink": "95", "systemGray4": "90"}
"""The values of a form's output `buttonColor`, in the colours of a terminal."""


class Line(NamedTuple):
    """A line of the wire: `sent` or `received`, and the message."""

    direction: str
    message: JSON

    @property
    def is_answer(self) -> bool:
        return self.direction == "received" and "method" not in self.message

    @property
    def is_update(self) -> bool:
        return self.direction == "received" and self.message.get("method") == "session/update"


class View:
    """The user's view of a session; it follows from the lines of its connection."""

    def __init__(self) -> None:
        self.description: JSON = None
        """The answer to `form/describe`."""
        self.document: JSON = None
        """The session's document, current as of the last line."""
        self.typed: dict[str, str] = {}
        """The typed values, by the fields' addresses."""
        self.focus: Optional[str] = None
        """The address of the field that is edited."""
        self._asked: dict[int, str] = {}

    def follow(self, line: Line) -> None:
        """The next line passed."""
        message, params = line.message, line.message.get("params", {})
        if line.direction == "sent":
            self._asked[message["id"]] = message["method"]
            if message["method"] == "field/change":
                self.typed[params["field"]], self.focus = params["value"], params["field"]
            elif message["method"] == "field/blur":
                self.focus = None
        elif line.is_answer:
            method = self._asked.pop(message["id"])
            if method == "form/describe":
                self.description = message.get("result")
            elif method == "session/open" and "result" in message:
                self.document = message["result"]["document"]
        elif line.is_update:
            self.document = formd.merge_patch(self.document, params["patch"])

    @property
    def secrets(self) -> set[str]:
        """The addresses of the fields whose values must stay hidden."""
        if self.description is None:
            return set()
        return {field["address"] for field in self.description["fields"] if field["isSecret"]}


def picture(title: str, view: View, lines: Sequence[Line], paper: Paper, rows_max: Optional[int] = None) -> list[Row]:
    """The form and, beside it or under it, the lines. With `rows_max`, only the last lines that fit."""
    form = form_rows(view, Paper(min(FORM_COLUMNS_MAX, paper.columns), paper.encoding)) if view.document else []
    beside = bool(form) and paper.columns >= SIDE_BY_SIDE_COLUMNS_MIN
    left = form[0].columns + GAP if beside else 0
    wire = wire_rows(lines, view.secrets, Paper(paper.columns - left, paper.encoding))
    if rows_max is not None:
        room = rows_max - 2 - (0 if beside else len(form))
        wire = wire[-room:] if room > 0 else []
    if beside:
        body = [(here or Row()).padded(left) + (there or Row()) for here, there in zip_longest(form, wire)]
    else:
        body = form + wire
    return [*(Row((row, BOLD)) for row in paragraph(title, paper.columns)), *body, Row()]


# The form


def form_rows(view: View, paper: Paper) -> list[Row]:
    """The form in a frame, as wide as the paper."""
    glyphs, inner = paper.glyphs, paper.columns - 4
    name, state = paper.printable(view.description["form"]), "valid" if view.document["isValid"] else "not valid"
    rule = glyphs.across * (paper.columns - columns_of(name) - len(state) - 8)
    top = Row((f"{glyphs.corners[0]}{glyphs.across} ", DIM), (name, BOLD), (f" {rule} ", DIM),
              (state, GREEN if view.document["isValid"] else RED), (f" {glyphs.across}{glyphs.corners[1]}", DIM))  # fmt: skip
    bottom = Row((glyphs.corners[2] + glyphs.across * (paper.columns - 2) + glyphs.corners[3], DIM))
    side = Row((glyphs.down, DIM))
    content = [
        *_field_rows(view, paper, inner),
        Row(),
        *_action_rows(view, paper, inner),
        *_output_rows(view, paper, inner),
    ]
    return [top, *(side + Row((" ", PLAIN)) + row.padded(inner + 1) + side for row in content), bottom]


def _field_rows(view: View, paper: Paper, columns: int) -> Iterator[Row]:
    fields = view.description["fields"]
    labels = [paper.printable(field.get("label", field["name"])) + (" *" if field["isRequired"] else "") for field in fields]
    indent = min(max(map(columns_of, labels)) + 2, columns // 2)
    for field, label in zip(fields, labels, strict=True):
        *above, last = pieces(label, indent - 2)
        for row in above:
            yield Row((row, PLAIN))
        yield Row((last, PLAIN)).padded(indent) + _input(view, field, paper, columns - indent)
        message = view.document["messages"].get(field["address"])
        if message is not None:
            for row in paragraph("! " + paper.printable(message), columns - indent):
                yield Row((" " * indent, PLAIN), (row, RED))


def _input(view: View, field: JSON, paper: Paper, columns: int) -> Row:
    """An input: the typed text with a cursor behind it, or the placeholder. Of a long text, only the end is shown."""
    address, room = field["address"], columns - 2
    is_focused = view.focus == address
    typed = view.typed.get(address, "")
    text = "*" * len(typed) if field["isSecret"] else paper.printable(typed)
    color = BOLD if is_focused else PLAIN
    if not text and not is_focused:
        placeholder = paper.printable(field.get("placeholder", ""))
        text, color = f"({next(pieces(placeholder, room - 2))})" if placeholder else "", DIM
    text += "_" if is_focused else ""
    while columns_of(text) > room:
        text = text[1:]
    return Row(("[", DIM)) + Row((text, color)).padded(room) + Row(("]", DIM))


def _action_rows(view: View, paper: Paper, columns: int) -> Iterator[Row]:
    glyphs = paper.glyphs
    for action in view.description["actions"]:
        state = view.document["actions"][action["name"]]
        tint = TINTS.get(view.document["outputs"].get("buttonColor"), BOLD)
        words = "loading" + glyphs.ellipsis if state["isLoading"] else "enabled" if state["isEnabled"] else "disabled"
        if "reason" in state:
            words += f": {paper.printable(state['reason'])}"
        yield Row((f"[ {paper.printable(action['label'])} ]", f"{tint};7"), ("  " + words, DIM))
        if state["isLoading"]:
            continue
        if "error" in state:
            said = f"{glyphs.failed} {state.get('message', '')} ({state['error']})"
            yield from (Row((row, RED)) for row in paragraph(paper.printable(said), columns))
        elif "result" in state:
            said = f"{glyphs.succeeded} {state.get('message', '')} {_written(state['result'])}"
            yield from (Row((row, GREEN)) for row in paragraph(paper.printable(said), columns))


def _output_rows(view: View, paper: Paper, columns: int) -> Iterator[Row]:
    for name in view.description["outputs"]:
        if name in view.document["outputs"]:
            for row in wrapped([paper.printable(f"{name}: "), paper.printable(_written(view.document["outputs"][name]))], columns):
                yield Row((row, DIM))


# The lines


def wire_rows(lines: Sequence[Line], secrets: set[str], paper: Paper) -> list[Row]:
    """The lines of the wire, without the members that all lines share, and with long parts shortened."""
    rows: list[Row] = []
    for line in _without_quiet(lines):
        if isinstance(line, int):
            rows.append(Row((f"  ({line} more requests like the next: answered, nothing to push)", DIM)))
            continue
        sign, color = (paper.glyphs.sent, CYAN) if line.direction == "sent" else (paper.glyphs.received, PLAIN)
        first, *others = _shortened(_bare(line, secrets), paper)
        rows.append(Row((sign + " ", BOLD), (first, color)))
        rows += (Row(("  " + other, color)) for other in others)
    return rows


def _without_quiet(lines: Sequence[Line]) -> Iterator[Line | int]:
    """The lines. Of a series of requests that changed nothing, only the last, and before it the number of omitted
    requests."""
    quiet: list[tuple[Line, Line]] = []
    rest = list(lines)
    while rest:
        request, *others = rest
        if request.direction == "sent" and others and _is_quiet(others[0]):
            quiet.append((request, others[0]))
            rest = others[1:]
        else:
            yield from _folded(quiet)
            yield request
            quiet, rest = [], others
    yield from _folded(quiet)


def _is_quiet(line: Line) -> bool:
    """Whether a line answers with the session's revision alone. If it follows its request directly, nothing was pushed.
    """
    return line.is_answer and line.message.get("result", {}).keys() == {"revision"}


def _folded(quiet: Sequence[tuple[Line, Line]]) -> Iterator[Line | int]:
    if len(quiet) > QUIET_SHOWN_MAX:
        yield len(quiet) - 1
        quiet = quiet[-1:]
    for request, answer in quiet:
        yield request
        yield answer


def _bare(line: Line, secrets: set[str]) -> JSON:
    """The message without `jsonrpc` and, in its params, `session`, which are equal in all messages; a secret is hidden.
    """
    message = {name: member for name, member in line.message.items() if name != "jsonrpc"}
    if "params" in message:
        params = {name: member for name, member in message["params"].items() if name != "session"}
        if line.direction == "sent" and params.get("field") in secrets and "value" in params:
            params["value"] = "*" * len(params["value"])
        message["params"] = params
    return message


def _shortened(message: JSON, paper: Paper) -> list[str]:
    """A message on rows. If these are too many, the innermost contents of its objects and lists are left out, longest
    first."""
    cut: set[Path] = set()
    innermost = iter(sorted(_containers(message), key=lambda one: (-len(one[0]), -one[1])))
    while True:
        text = paper.printable(_written(message, cut, paper.glyphs.ellipsis))
        rows = wrapped(WORD.findall(text), paper.columns - 2)
        place, _ = next(innermost, (None, 0))
        if len(rows) <= ROWS_OF_A_LINE_MAX or place is None:
            return rows
        cut.add(place)


WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^",{[]|[{[](?=[]}.…]))*(?:[,{[]|$)')
"""The part of a JSON text that is kept on one row if possible: up to a comma, or a bracket that opens something."""


def _containers(value: JSON, path: Path = ()) -> Iterator[tuple[Path, int]]:
    """The places of the objects and lists inside of a message that hold something, each with the length of its text."""
    if isinstance(value, (dict, list)):
        if path and value:
            yield path, len(_written(value))
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _containers(member, (*path, name))


def _written(value: JSON, cut: AbstractSet[Path] = frozenset(), ellipsis: str = "", path: Path = ()) -> str:
    """The text of a value, as short as JSON allows; at the places `cut` only the brackets are left."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if path in cut:
        return opening + ellipsis + closing
    if isinstance(value, dict):
        members = [f"{json.dumps(name, ensure_ascii=False)}:{_written(value[name], cut, ellipsis, (*path, name))}" for name in value]
    else:
        members = [_written(element, cut, ellipsis, (*path, index)) for index, element in enumerate(value)]
    return opening + ",".join(members) + closing
