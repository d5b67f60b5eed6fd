"""Drawing in text: its width, its colours, and its output on a terminal or into a file."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Iterable, Iterator, Mapping, Sequence, TextIO

COLUMNS_MAX = 160

PLAIN, BOLD, DIM, RED, GREEN, CYAN = "", "1", "2", "31", "32", "36"
"""Colours, as the parameters of SGR (ECMA-48, section 8.3.117)."""


@dataclass(frozen=True)
class Glyphs:
    """The signs of a picture; each is one column wide, except the ellipsis of ASCII."""

    corners: str
    across: str
    down: str
    sent: str
    received: str
    succeeded: str
    failed: str
    ellipsis: str


UNICODE = Glyphs("┌┐└┘", "─", "│", "→", "←", "✓", "✗", "…")
ASCII = Glyphs("++++", "-", "|", ">", "<", "+", "x", "...")


@dataclass(frozen=True)
class Paper:
    """The paper of a drawing."""

    columns: int = 80
    encoding: str = "utf-8"
    has_colors: bool = False

    @cached_property
    def glyphs(self) -> Glyphs:
        signs = "".join(astuple(UNICODE))
        return UNICODE if self.printable(signs) == signs else ASCII

    def printable(self, text: str) -> str:
        """`text`, with JSON escapes for characters that the paper lacks and for control characters of a terminal."""
        if self._has(text):
            return text
        return "".join(sign if self._has(sign) else _escaped(sign) for sign in text)

    def _has(self, text: str) -> bool:
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return text.isprintable()


def _escaped(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if sign <= "\uffff" else json.dumps(sign)[1:-1]


def columns_of(text: str) -> int:
    """How many columns a terminal gives to `text`: wide signs have two (UAX #11); marks, and signs that end a syllable
    of Hangul, have none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me") or "\u1160" <= sign <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def pieces(text: str, columns: int) -> Iterator[str]:
    """`text` in pieces of at most `columns` columns, at least one sign each."""
    piece, room = "", columns
    for sign in text:
        if piece and _columns(sign) > room:
            yield piece
            piece, room = "", columns
        piece, room = piece + sign, room - _columns(sign)
    yield piece


def wrapped(words: Iterable[str], columns: int, between: str = "") -> list[str]:
    """The words in as few rows as possible; a word that is wider than a row is cut."""
    rows = [""]
    for word in words:
        for piece in pieces(word, columns):
            longer = rows[-1] + between + piece if rows[-1] else piece
            if columns_of(longer) <= columns:
                rows[-1] = longer
            else:
                rows.append(piece)
    return rows


def paragraph(text: str, columns: int) -> list[str]:
    """A text on rows of at most `columns` columns, broken at blanks."""
    return wrapped(text.split(" "), columns, between=" ")


class Row:
    """One row of a picture: texts, each with its colour."""

    def __init__(self, *spans: tuple[str, str]) -> None:
        self.spans = spans

    def __add__(self, other: Row) -> Row:
        return Row(*self.spans, *other.spans)

    @property
    def columns(self) -> int:
        return sum(columns_of(text) for text, _ in self.spans)

    def padded(self, columns: int) -> Row:
        return self + Row((" " * (columns - self.columns), PLAIN))

    def text(self, has_colors: bool) -> str:
        """The text to write: with colours, or the texts alone."""
        if not has_colors:
            return "".join(text for text, _ in self.spans).rstrip()
        return "".join(f"\x1b[{color}m{text}\x1b[m" if color and text else text for text, color in self.spans)


class Screen:
    """Draws pictures below one another. A live screen can draw the last picture again in its place until it is kept."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str], is_live: bool) -> None:
        self._stream = stream
        self._obeys = stream.isatty() and environment.get("TERM", "dumb") != "dumb"
        self._has_colors = self._obeys and not environment.get("NO_COLOR")  # https://no-color.org
        self.is_live = is_live and self._obeys
        self._size_in_place = self.size
        self._rows_in_place = 0

    @property
    def size(self) -> os.terminal_size:
        """The columns of a picture, and the rows up to which it can be drawn again in its place."""
        columns, lines = shutil.get_terminal_size((80, 24))
        # A sign in a terminal's last column or row would move the picture.
        return os.terminal_size((min(COLUMNS_MAX, columns - self._obeys), lines - 1))

    @property
    def paper(self) -> Paper:
        return Paper(self.size.columns, self._stream.encoding, self._has_colors)

    def draw(self, rows: Sequence[Row]) -> None:
        """Draws the current picture, if the screen is live."""
        if self.is_live and len(rows) <= self.size.lines:
            self._write(rows)
            self._rows_in_place, self._size_in_place = len(rows), self.size

    def keep(self, rows: Sequence[Row]) -> None:
        """Draws the final picture; the next picture is drawn below it."""
        self._write(rows)
        self._rows_in_place = 0

    def _write(self, rows: Sequence[Row]) -> None:
        # A resized terminal has moved its rows, so the old picture is left as it is.
        is_in_place = self._rows_in_place > 0 and self._size_in_place == self.size
        text = f"\x1b[{self._rows_in_place}A\x1b[J" if is_in_place else ""
        self._stream.write(text + "".join(row.text(self._has_colors) + "\n" for row in rows))
        self._stream.flush()
