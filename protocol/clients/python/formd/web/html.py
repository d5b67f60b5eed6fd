"""A form as plain HTML that everybody can use, with and without `client.js`: a start for a page of your own."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence

from formd.types import ActionDescription, Choice, FieldDescription, FormDescription
from formd.web.posted import is_checkbox, name_of, tokens_of

if TYPE_CHECKING:
    from formd.web.form import Result

JSON = Any

TYPES = {
    "email": "email", "date": "date", "local-time": "time", "local-date-time": "datetime-local", "uri": "url",
    "url": "url",
}  # fmt: skip
"""The types of inputs, by the format of the field. No type has a zone, as `time` and `date-time` of JSON Schema do."""


class Html(str):
    """Text that is HTML already. Templates of Jinja and Django do not escape it again."""

    def __html__(self) -> str:
        return self


def render(
    description: FormDescription,
    result: Result,
    *,
    action: str = "",
    key: Optional[str] = None,
    live: bool = True,
    extra: str = "",
) -> Html:
    """The form of a description, as `<form>`.

    `action` is the address to which the form posts; without it, the address of the page. `key` is the key of a kept
    session. Without it, the browser opens a session of the form itself, which the configuration of `formd-web` must
    allow. `live=False` makes a page that never connects. `extra` is HTML inside the form, such as a token.
    """
    return Html(_Page(description, result).form(action, key, live, extra))


class _Page:
    def __init__(self, description: FormDescription, result: Result) -> None:
        self.description = description
        self.result = result
        self.labels: List[str] = []

    def form(self, action: str, key: Optional[str], live: bool, extra: str) -> str:
        fields = {field["address"]: field for field in self.description["fields"]}
        actions = list(self.description["actions"])
        parts: List[str] = []
        for step in self.description.get("steps", []):
            inside = [self.field(fields.pop(address)) for address in step["fields"] if address in fields]
            own = [one for one in actions if one.get("step") == step["id"]]
            actions = [one for one in actions if one not in own]
            title = _escaped("formd-step-" + step["id"])
            parts.append(
                f'<section data-formd-step="{_escaped(step["id"])}" aria-labelledby="{title}">\n'
                f'<h2 id="{title}">{_escaped(step.get("label", step["id"]))}</h2>\n'
                f'{"".join(inside)}{self.buttons(own)}</section>\n'
            )
        rest = "".join(self.field(field) for field in fields.values())
        buttons = self.buttons(actions) or ("" if self.description["actions"] else _SEND)
        session = ""
        if live:
            session = f' data-formd="{_escaped(key)}"' if key else f' data-formd-form="{_escaped(self.description["form"])}"'
        return (
            f'<form method="post" action="{_escaped(action)}" accept-charset="utf-8"{session} novalidate>\n{extra}{self.summary()}'
            f'{rest if not parts else ""}{"".join(parts)}{rest if parts else ""}{buttons}</form>\n'
        )

    def summary(self) -> str:
        """The list of the errors, which `client.js` goes on with."""
        items = ""
        for name, message in self.result.errors.items():
            control = _escaped(_identity(name))
            text = _escaped(message)
            items += f'<li><a href="#{control}">{text}</a></li>' if name else f"<li>{text}</li>"
        if not items:
            return '<div class="formd-summary" data-formd-summary hidden></div>\n'
        return f'<div class="formd-summary" data-formd-summary role="group" tabindex="-1"><ul>{items}</ul></div>\n'

    def buttons(self, actions: Sequence[ActionDescription]) -> str:
        made = "".join(
            f'<button name="action" value="{_escaped(one["name"])}"'
            f'{"" if "leadsTo" in one else " data-formd-post"}>{_escaped(one.get("label", one["name"]))}</button>\n'
            for one in actions
        )
        return f'<div class="buttons">\n{made}</div>\n' if made else ""

    def field(self, field: FieldDescription, around: str = "") -> str:
        """A field. `around` is the name of HTML before the field's own; a row that is no object has only that."""
        name = around if field["name"] == "*" else f"{around}.{field['name']}" if around else name_of((field["name"],))
        label = _escaped(field.get("label", field["name"]))
        inside = field.get("fields")
        items = field.get("items")
        if inside:
            parts = "".join(self.field(one, name) for one in inside)
            return (
                f'<fieldset data-formd-field="{_escaped(name)}">\n<legend>{label}</legend>\n{self.help(field, name)}'
                f"{parts}{self.message(name)}</fieldset>\n"
            )
        if field["type"] == "object":
            # No text is an object.
            return ""
        if items is not None and "options" not in items:
            return self.rows(field, items, name, label)
        return f'<div class="field" data-formd-field="{_escaped(name)}">\n{self.control(field, name, label)}</div>\n'

    def rows(self, field: FieldDescription, items: FieldDescription, name: str, label: str) -> str:
        positions = self.positions(tokens_of(name))
        if not self.result.is_posted:
            positions = list(range(field.get("minItems", 0)))

        def row(position: str, number: str) -> str:
            place = f"{name}[{position}]"
            inside = items.get("fields")
            body = "".join(self.field(one, place) for one in inside) if inside else self.field(items, place)
            return (
                f'<fieldset data-formd-row="{_escaped(name)}">\n'
                f"<legend>{label} <span data-formd-number>{number}</span></legend>\n{body}"
                '<div class="buttons"><button type="button" data-formd-remove aria-label="'
                f'{label}: remove">−</button></div>\n</fieldset>\n'
            )

        made = "".join(row(str(position), str(index + 1)) for index, position in enumerate(positions))
        template = row("", "").replace(f' data-formd-row="{_escaped(name)}"', "", 1)
        return (
            f'<div data-formd-field="{_escaped(name)}">\n{made}<template data-formd-row="{_escaped(name)}">{template}'
            f'</template>\n{self.message(name)}<div class="buttons"><button type="button" id="{_escaped(_identity(name))}" '
            f'data-formd-add="{_escaped(name)}" aria-label="{label}: add">+</button></div>\n</div>\n'
        )

    def positions(self, own: Sequence[str]) -> List[int]:
        """The positions of the rows of a list, as the page posted them."""
        names = [tokens_of(posted) for posted in self.result.texts]
        inside_list = [tokens[len(own)] for tokens in names if tokens[: len(own)] == tuple(own) != tokens]
        return sorted({int(token) for token in inside_list if token.isdigit()})

    def value(self, name: str) -> JSON:
        """The value that a post gave to a field; None if it gave none."""
        tokens = tokens_of(name)
        value: JSON = self.result.values
        for index, token in enumerate(tokens):
            if isinstance(value, list):
                positions = self.positions(tokens[:index])
                # A hidden row is posted, and has no value.
                if len(positions) != len(value) or not token.isdigit():
                    return None
                value = value[positions.index(int(token))]
            else:
                value = value.get(token) if isinstance(value, dict) else None
        return value

    def control(self, field: FieldDescription, name: str, label: str) -> str:
        kind = field["type"]
        identity = _escaped(_identity(name))
        after = self.help(field, name) + self.message(name)
        head = f'<label for="{identity}">{label}</label>\n'
        if field.get("computed") or field.get("readOnly"):
            value = self.value(name)
            text = _text(field.get("initialText", field.get("initial")) if value is None else value)
            return f'{head}<output id="{identity}" name="{_escaped(name)}">{_escaped(text)}</output>\n{after}'
        attributes = f'id="{identity}" name="{_escaped(name)}"{self.described(field, name)}'
        if field["isRequired"]:
            attributes += ' aria-required="true"'
        if is_checkbox(field):
            checked = " checked" if self.is_checked(field, name) else ""
            return f'<label class="choice"><input type="checkbox" {attributes}{checked}> {label}</label>\n{after}'
        options = field.get("options") or (field["items"].get("options") if "items" in field else None)
        if options and (kind == "array" or field.get("widget") == "radio"):
            type_of = "checkbox" if kind == "array" else "radio"
            boxes = ""
            last = None
            for index, option in enumerate(options):
                group = option.get("group")
                if group is not None and group != last:
                    boxes += f'<p class="formd-group">{_escaped(group)}</p>\n'
                last = group
                text = _text(option["value"])
                own = "" if index else f' id="{identity}"'
                checked = " checked" if text in self.texts(field, name) else ""
                # client.js enables the controls of a field together.
                inert = " inert" if option.get("disabled") and not checked else ""
                boxes += (
                    f'<label class="choice"{inert}><input type="{type_of}"{own} name="{_escaped(name)}" '
                    f'value="{_escaped(text)}"{self.described(field, name)}{checked}> '
                    f"{_words(option)}</label>\n"
                )
            return f"<fieldset>\n<legend>{label}</legend>\n{boxes}{after}</fieldset>\n"
        if options and not field.get("admitsOther"):
            chosen = self.texts(field, name)
            made = '<option value=""></option>' + _options(options, chosen)
            return f"{head}<select {attributes}>{made}</select>\n{after}"
        text = _escaped("" if field["isSecret"] else (self.texts(field, name) or [""])[-1])
        if field.get("widget") == "textarea":
            return f"{head}<textarea {attributes}>\n{text}</textarea>\n{after}"
        if options or field.get("hasLiveOptions"):
            attributes += f' list="{identity}-options"'
            choices = "".join(map(_option, options or []))
            after = f'<datalist id="{identity}-options">{choices}</datalist>\n{after}'
        if field["isSecret"]:
            attributes += ' type="password"'
        elif kind in ("integer", "number"):
            attributes += f' inputmode="{"numeric" if kind == "integer" else "decimal"}"'
        elif (type_of_format := TYPES.get(field.get("format", ""))) and "read" not in field:
            attributes += f' type="{type_of_format}"'
        return f'{head}<input {attributes} value="{text}">\n{after}'

    def texts(self, field: Mapping[str, Any], name: str) -> List[str]:
        if self.result.is_posted:
            return self.result.texts.get(name, [])
        initial = field.get("initialText", field.get("initial"))
        return [_text(value) for value in (initial if isinstance(initial, list) else [initial]) if value is not None]

    def is_checked(self, field: FieldDescription, name: str) -> bool:
        if self.result.is_posted:
            return self.result.texts.get(name, ["false"])[-1] not in ("", "false")
        return field.get("initial") is True

    def described(self, field: FieldDescription, name: str) -> str:
        ids = ([_identity(name) + "-help"] if "help" in field else []) + [_identity(name) + "-message"]
        invalid = ' aria-invalid="true"' if name in self.result.errors else ""
        return f' aria-describedby="{_escaped(" ".join(ids))}"{invalid}'

    def help(self, field: FieldDescription, name: str) -> str:
        if "help" not in field:
            return ""
        return f'<p class="help" id="{_escaped(_identity(name))}-help">{_escaped(field["help"])}</p>\n'

    def message(self, name: str) -> str:
        text = _escaped(self.result.errors.get(name, ""))
        return (
            f'<p class="formd-message" id="{_escaped(_identity(name))}-message" '
            f'data-formd-message="{_escaped(name)}">{text}</p>\n'
        )


_SEND = '<div class="buttons"><button>OK</button></div>\n'


def _options(options: Sequence[Choice], chosen: Sequence[str]) -> str:
    """The options of a `select`."""
    made = ""
    for group, inside in groupby(options, lambda one: one.get("group")):
        own = "".join(_option(one, chosen) for one in inside)
        made += own if group is None else f'<optgroup label="{_escaped(group)}">{own}</optgroup>'
    return made


def _option(option: Choice, chosen: Sequence[str] = ()) -> str:
    text = _text(option["value"])
    # A chosen option is not disabled, because a page does not post disabled options.
    state = " selected" if text in chosen else " disabled" if option.get("disabled") else ""
    return "" if option["value"] is None else f'<option value="{_escaped(text)}"{state}>{_words(option)}</option>'


def _words(option: Choice) -> str:
    text = option.get("label", _text(option["value"]))
    return _escaped(f"{text} – {option['help']}" if "help" in option else text)


def _identity(name: str) -> str:
    return "formd-" + name.replace(" ", "-")


def _escaped(text: str) -> str:
    return escape(text, quote=True)


def _text(value: JSON) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)
