"""Shows a conversation to people: drawn step by step, or as the bare lines."""

from __future__ import annotations

import json
import queue
import time
from typing import Callable, Optional, Protocol

import formd
from drawing import DIM, Row, Screen, paragraph
from session_view import JSON, Line, View, picture

ANSWER_SECONDS_MAX = 30
KEY_SECONDS = 0.15
STEP_SECONDS = 1.2
"""How long a key, and a step, stay on the screen."""

LEGEND = """\
{sent} marks sent lines, {received} received lines. Members that are always the same ("jsonrpc", the "session" of params) \
are left out, and long parts are shortened to {{{ellipsis}}} or [{ellipsis}]. scripts/quickstart --wire shows every line \
unchanged."""


class Audience(Protocol):
    """The observer of a conversation."""

    def step_begun(self, title: str) -> None: ...

    def line_passed(self, line: Line, text: str) -> None: ...

    def input_over(self) -> None:
        """All lines that one input caused have passed."""

    def step_over(self) -> None: ...


class Watching:
    """Sees the form, and beside it the lines of the step."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._view = View()
        self._title = ""
        self._lines: list[Line] = []
        paper = screen.paper
        legend = LEGEND.format(sent=paper.glyphs.sent, received=paper.glyphs.received, ellipsis=paper.glyphs.ellipsis)
        screen.keep([Row(), *(Row((row, DIM)) for row in paragraph(legend, paper.columns)), Row()])

    def step_begun(self, title: str) -> None:
        self._title, self._lines = title, []

    def line_passed(self, line: Line, text: str) -> None:
        self._lines.append(line)
        self._view.follow(line)

    def input_over(self) -> None:
        self._screen.draw(self._picture(self._screen.size.lines))
        self._pause(KEY_SECONDS)

    def step_over(self) -> None:
        self._pause(STEP_SECONDS)
        self._screen.keep(self._picture())

    def _picture(self, rows_max: Optional[int] = None) -> list[Row]:
        return picture(self._title, self._view, self._lines, self._screen.paper, rows_max)

    def _pause(self, seconds: float) -> None:
        if self._screen.is_live:
            time.sleep(seconds)


class Reading:
    """Prints every line unchanged."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        screen.keep([Row()])

    def step_begun(self, title: str) -> None:
        self._screen.keep([Row((title, DIM))])

    def line_passed(self, line: Line, text: str) -> None:
        paper = self._screen.paper
        sign = paper.glyphs.sent if line.direction == "sent" else paper.glyphs.received
        self._screen.keep([Row((f"{sign} {paper.printable(text)}", ""))])

    def input_over(self) -> None:
        pass

    def step_over(self) -> None:
        self._screen.keep([Row()])


class Stage:
    """Plays a conversation step by step. The audience gets each line at its turn, however early it passed on the
    connection."""

    def __init__(self, client: formd.Client, audience: Audience) -> None:
        self.view = View()
        """The lines that the audience has got so far."""
        self.updates = 0
        """The number of updates in this step."""
        self.heard: list[str] = []
        """All received lines."""
        self._audience = audience
        self._passed: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._steps = 0
        client.on_line(lambda direction, text: self._passed.put((direction, text)))

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, error: Optional[type[BaseException]], *_: object) -> None:
        # A failed step is shown up to its last line; Ctrl-C ends at once.
        if error is None or issubclass(error, Exception):
            self._end_step()

    def begin(self, title: str) -> None:
        """Ends the previous step, and begins the next one."""
        self._end_step()
        self._steps += 1
        self.updates = 0
        self._audience.step_begun(f"{self._steps}. {title}")

    def _end_step(self) -> None:
        if self._steps:
            self._audience.step_over()

    def answered(self) -> None:
        """Passes on all lines up to the answer to one request."""
        self._tell_until(lambda line: line.is_answer)

    def outcome(self) -> JSON:
        """Passes on all lines up to an update that has events. Returns the first event."""
        return self._tell_until(lambda line: line.is_update and "events" in line.message["params"]).message["params"]["events"][0]

    def _tell_until(self, is_last: Callable[[Line], bool]) -> Line:
        while True:
            try:
                direction, text = self._passed.get(timeout=ANSWER_SECONDS_MAX)
            except queue.Empty:
                raise TimeoutError(f"the daemon sent nothing for {ANSWER_SECONDS_MAX} s") from None
            line = Line(direction, json.loads(text))
            if direction == "received":
                self.heard.append(text)
            self.updates += line.is_update
            self.view.follow(line)
            self._audience.line_passed(line, text)
            if is_last(line):
                self._audience.input_over()
                return line
