"""The values that a page posts, read as `client.js` reads the controls of the page."""

from __future__ import annotations

import difflib
import json
import logging
import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

from formd.types import FieldDescription

JSON = Any
Tokens = Tuple[str, ...]

TEXT_MAX = 1 << 20
"""The most characters of all names and texts of a body."""
DEPTH_MAX = 32
"""How deep names and values may be nested. A form has no deeper fields."""
SAFE_INTEGER_MAX = (1 << 53) - 1

_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")
_SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NUMBER = re.compile(rf"[{_SPACE}]*([-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?)[{_SPACE}]*", re.IGNORECASE)

logger = logging.getLogger("formd.web")
_warned: Set[Tuple[str, str]] = set()


class BadPost(ValueError):
    """The body of a request that no page of the form sends. The answer is 400, and the message says what is wrong."""


def tokens_of(name: str) -> Tokens:
    """The place that a name of HTML means: `items[0].sku`, `items.0.sku`, or a JSON Pointer."""
    if name.startswith("/"):
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in name.split("/")[1:])
    return tuple(re.findall(r"[^.\[\]]+", name))


def pointer_of(tokens: Sequence[str]) -> str:
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def name_of(tokens: Sequence[str]) -> str:
    """The name of HTML for a place: `items[0].sku`."""
    name = ""
    for token in tokens:
        name += f"[{token}]" if name and _POSITION.fullmatch(token) else f".{token}" if name else token
    return name if tokens_of(name) == tuple(tokens) else pointer_of(tokens)


class Posted:
    """A body: the texts by name, and the values that the form gets."""

    def __init__(self, body: Any, form: str, fields: Sequence[FieldDescription]) -> None:
        self.form = form
        self.fields = fields
        self.texts: Dict[str, List[str]] = {}
        """The texts of the controls, by their names."""
        self._names: Dict[Tokens, str] = {}
        """The names as the page wrote them, by place in the values."""
        self._positions: Dict[Tokens, List[int]] = {}
        """The positions of the rows as the page wrote them, by place of the list in the values."""
        self.is_page = type(body) is not dict
        """Whether the body came from an HTML form. The dictionaries of frameworks have several values for a name."""
        self.values: Dict[str, JSON] = self._members(self._tree(body) if self.is_page else body, self.fields, ())
        """The values, by the names of the fields."""
        try:
            written = json.dumps(self.values, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError) as error:
            raise BadPost(f"the body has a value that is not JSON: {error}") from None
        if len(written) > TEXT_MAX:
            raise BadPost(f"the values have more than {TEXT_MAX} bytes")

    @property
    def action(self) -> Optional[str]:
        """The button that was pressed, `<button name="action" value="NAME">`; None if the page has none."""
        return self.texts.get("action", [None])[-1]

    def name(self, pointer: str) -> str:
        """The name of the control at a place in the values, as the page wrote it."""
        tokens = tokens_of(pointer) if pointer else ()
        # An element of a list of choices has no control of its own.
        for count in range(len(tokens), 0, -1):
            if tokens[:count] in self._names:
                return self._names[tokens[:count]]
        posted: List[str] = []
        for index, token in enumerate(tokens):
            positions = self._positions.get(tokens[:index])
            posted.append(str(positions[int(token)]) if positions and int(token) < len(positions) else token)
        return name_of(posted) if self.is_page else ".".join(posted)

    def addresses(self, names: Sequence[str]) -> List[str]:
        """The addresses that names of the page mean. `*` means every row; a name that is not a field is left out."""
        found: List[str] = []

        def walk(tokens: Tokens, at: Tokens, value: JSON) -> None:
            if not tokens:
                found.append(pointer_of(at))
            elif tokens[0] == "*":
                for index in range(len(value) if isinstance(value, list) else 0):
                    walk(tokens[1:], (*at, str(index)), value[index])
            else:
                positions = self._positions.get(at)
                token = tokens[0]
                if isinstance(value, list) and _POSITION.fullmatch(token):
                    if positions and int(token) in positions:
                        token = str(positions.index(int(token)))
                    if int(token) >= len(value):
                        return
                    walk(tokens[1:], (*at, token), value[int(token)])
                else:
                    walk(tokens[1:], (*at, token), value.get(token) if isinstance(value, dict) else None)

        for name in names:
            tokens = tokens_of(name.strip())
            if tokens and self._field(tuple("0" if token == "*" else token for token in tokens)) is not None:
                walk(tokens, (), self.values)
        return found

    # From names to a tree

    def _tree(self, body: Any) -> Dict[str, JSON]:
        tree: Dict[str, JSON] = {}
        files: List[str] = []
        length = 0
        for name, text in _pairs(body):
            if not isinstance(name, str):
                raise BadPost(f"{name!r} is not a name")
            if not isinstance(text, str):
                files.append(name)
                continue
            length += len(name) + len(text)
            if length > TEXT_MAX:
                raise BadPost(f"the body has more than {TEXT_MAX} characters")
            if "\ufffd" in text and self._is_first(name):
                logger.warning(
                    "%s of the form %s is probably not in UTF-8: does the page have <meta charset=\"utf-8\">?", name, self.form
                )
            # HTML posts lines with CR LF, and scripts and the form see LF.
            self.texts.setdefault(name, []).append(text.replace("\r\n", "\n").replace("\r", "\n"))
        for name in files:
            if self._field(tokens_of(name)) is not None:
                raise BadPost(f"{name} is a file, and the field of this name in the form {self.form} is not one")
        for name, texts in self.texts.items():
            tokens = tokens_of(name)
            field = self._field(tokens)
            if field is None:
                self._warn(name, tokens)
                continue
            self._put(tree, tokens, name, texts)
        return tree

    def _put(self, tree: Dict[str, JSON], tokens: Tokens, name: str, texts: List[str]) -> None:
        at: Any = tree
        for index, token in enumerate(tokens):
            is_last = index == len(tokens) - 1
            known = at.get(token)
            if known is None:
                known = at[token] = _Texts(name, texts) if is_last else {}
            elif is_last or isinstance(known, _Texts):
                other = known.name if isinstance(known, _Texts) else f"a part of {name}"
                raise BadPost(f"the body has {name} and {other}, and both are the same value or one is inside the other")
            at = known

    def _field(self, tokens: Tokens) -> Optional[FieldDescription]:
        """The field at a place, if the user may give it a value; None otherwise."""
        fields: Sequence[FieldDescription] = self.fields
        field: Optional[FieldDescription] = None
        for token in tokens[:DEPTH_MAX] if len(tokens) <= DEPTH_MAX else ():
            if field is not None and "items" in field and _POSITION.fullmatch(token):
                field = field["items"]
            else:
                field = next((one for one in fields if one["name"] == token), None)
            if field is None or field.get("computed") or field.get("readOnly"):
                return None
            fields = field.get("fields", ())
        return field

    def _warn(self, name: str, tokens: Tokens) -> None:
        """A name that is nearly a field's is probably misspelled. Other names are the page's own, such as a token."""
        if name == "action" or not tokens or (self.form, name) in _warned:
            return
        close = difflib.get_close_matches(tokens[0], [field["name"] for field in self.fields], 1, 0.75)
        if close and close[0] != tokens[0] and self._is_first(name):
            logger.warning("the form %s has no field %r; did the page mean %r?", self.form, name, close[0])

    def _is_first(self, name: str) -> bool:
        """Whether no warning was logged for a name."""
        if (self.form, name) in _warned or len(_warned) >= 1000:
            return False
        _warned.add((self.form, name))
        return True

    # From a tree to values

    def _members(self, node: Dict[str, JSON], fields: Sequence[FieldDescription], at: Tokens) -> Dict[str, JSON]:
        if len(at) > DEPTH_MAX:
            raise BadPost(f"the body is more than {DEPTH_MAX} values deep")
        values: Dict[str, JSON] = {}
        for field in fields:
            name = field["name"]
            if field.get("computed") or field.get("readOnly"):
                continue
            if name not in node:
                # A checkbox that is not checked is not posted.
                if self.is_page and field["type"] == "boolean" and field.get("initial") is True:
                    values[name] = False
                elif self.is_page and field.get("fields"):
                    inner = self._members({}, field.get("fields", []), (*at, name))
                    if inner:
                        values[name] = inner
                continue
            value = self._value(node[name], field, (*at, name))
            # A page also posts texts that nobody entered. They are values only if they replace a default.
            # An object of which nothing was entered does not exist, as in a session.
            is_empty = value in ("", None) or (self.is_page and value == {})
            if not is_empty or "initial" in field:
                values[name] = value
        return values

    def _value(self, node: JSON, field: FieldDescription, at: Tokens) -> JSON:
        items = field.get("items")
        if isinstance(node, _Texts):
            self._names[at] = node.name
            return node.value(field)
        if isinstance(node, dict) and field.get("fields"):
            return self._members(node, field.get("fields", []), at)
        if isinstance(node, dict) and items is not None and self.is_page:
            # Positions without a row are left out, so a high position costs nothing.
            positions = sorted(int(position) for position in node)
            self._positions[at] = positions
            return [self._value(node[str(old)], items, (*at, str(new))) for new, old in enumerate(positions)]
        if isinstance(node, list) and items is not None:
            return [self._value(element, items, (*at, str(index))) for index, element in enumerate(node)]
        if isinstance(node, str):
            return value_of_text(node, field)
        # The daemon reads integers of 64 bits. The form says what is wrong with a text.
        return str(node) if isinstance(node, int) and abs(node) > SAFE_INTEGER_MAX else node


class _Texts:
    """The texts of the controls of one name."""

    def __init__(self, name: str, texts: List[str]) -> None:
        self.name = name
        self._texts = texts

    def value(self, field: FieldDescription) -> JSON:
        text = self._texts[-1]
        if field["type"] == "array":
            items = field.get("items")
            return [value_of_text(one, items) if items is not None else one for one in self._texts]
        if is_checkbox(field):
            # A checkbox posts its `value`, which is "on" if it has none. A hidden control before it may post "false" or
            # "0", and scripts that make form data post "0" for false.
            return {"": None, "false": False, "0": False}.get(text, True)
        if len(self._texts) > 1:
            raise BadPost(f"the body has {self.name} {len(self._texts)} times, and the form has one value for it")
        return value_of_text(text, field)


def is_checkbox(field: Mapping[str, Any]) -> bool:
    """Whether a page has one checkbox for a field: a boolean that is no choice, or one that can only be true."""
    return field["type"] == "boolean" and [option["value"] for option in field.get("options", ())] in ([], [True])


def value_of_text(text: str, field: Mapping[str, Any]) -> JSON:
    """The value that a control with that text gives to a field, as `valueOfText` of `client.js`."""
    for option in field.get("options", ()):
        if _text_of(option["value"]) == text:
            return option["value"]
    kind = field["type"]
    if text == "":
        return "" if kind == "string" else None
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if kind not in ("integer", "number") or field.get("read"):
        return text
    match = _NUMBER.fullmatch(text)
    number = float(match.group(1)) if match else float("inf")
    if abs(number) > SAFE_INTEGER_MAX:
        return text
    return int(number) if number.is_integer() else number


def texts_of(body: Any) -> Dict[str, List[str]]:
    """The texts of a body, by the names of the controls, whether or not they are the form's. Files are left out."""
    texts: Dict[str, List[str]] = {}
    for name, text in _pairs(body):
        if isinstance(name, str) and isinstance(text, str):
            texts.setdefault(name, []).append(text)
    return texts


def _text_of(value: JSON) -> str:
    """A value as text, as JavaScript writes it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)


def _pairs(body: Any) -> Iterator[Tuple[str, Any]]:
    """The names and values of a body, however the framework has them."""
    if hasattr(body, "multi_items"):
        yield from body.multi_items()  # Starlette
    elif hasattr(body, "lists"):
        for name, values in body.lists():  # Flask (Werkzeug) and Django
            for value in values:
                yield name, value
    elif isinstance(body, (str, bytes)):
        raise TypeError("give the names and texts of the body, not the body itself")
    else:
        yield from body.items() if isinstance(body, Mapping) else body


Body = Union[Mapping[str, Any], Iterable[Tuple[str, Any]]]
"""What `check` takes: the form data of Flask, Django or Starlette, pairs of names and texts, or the object of a JSON
text."""
