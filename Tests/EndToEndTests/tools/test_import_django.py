"""`formd.web.from_django`: real forms of Django, and what Django and formd say about the same inputs."""

from __future__ import annotations

import datetime
import decimal
import json
import random
import re
from pathlib import Path
from typing import Any

import django
import pytest
from django import forms
from django.conf import settings
from django.core import validators
from django.http import QueryDict

from harness import formctl, formd

if not settings.configured:
    settings.configure(USE_TZ=True, LANGUAGE_CODE="en")
    django.setup()

from formd.web import from_django  # noqa: E402

assert formd


class Booking(forms.Form):
    name = forms.CharField(min_length=2, max_length=8, label="Your name", help_text="As on the door")
    nick = forms.CharField(required=False, max_length=5, widget=forms.TextInput(attrs={"placeholder": "Kim"}))
    raw = forms.CharField(required=False, max_length=3, strip=False)
    code = forms.RegexField(r"\A[A-Z]{2}-\d{3}\Z", error_messages={"invalid": "Two letters and three digits."})
    slug = forms.SlugField(required=False, max_length=10)
    guests = forms.IntegerField(min_value=1, max_value=6, error_messages={"required": "How many?", "max_value": "At most %(limit_value)s."})
    dozen = forms.IntegerField(required=False, step_size=12)
    price = forms.DecimalField(required=False, max_digits=5, decimal_places=2, min_value=0)
    weight = forms.FloatField(required=False, max_value=99.5)
    meal = forms.ChoiceField(choices=[("", "---"), ("v", "Vegetarian"), ("m", "Meat")])
    size = forms.ChoiceField(required=False, choices=[("s", "s"), ("l", "l")], widget=forms.RadioSelect, initial="l")
    extras = forms.MultipleChoiceField(choices=[("wifi", "Wi-Fi"), ("pool", "Pool")])
    wishes = forms.MultipleChoiceField(required=False, choices=[("a", "a"), ("b", "b")])
    agreed = forms.BooleanField(error_messages={"required": "Please agree."})
    news = forms.BooleanField(required=False, initial=True)
    not_x = forms.CharField(required=False, validators=[validators.RegexValidator("x", inverse_match=True, message="No x.")])
    note = forms.CharField(required=False, widget=forms.Textarea)


EXPECTED_LOSSES = {("/fields/" + name, "numberText") for name in ("guests", "dozen", "price", "weight")}


def write(folder: Path, definition: dict[str, Any]) -> Path:
    path = folder / "django.form.json"
    path.write_text(json.dumps(definition), encoding="utf-8")
    checked = formctl("check", "--strict", path)
    assert checked.returncode == 0, checked.stdout
    return path


def codes(losses: list[Any]) -> set[tuple[str, str]]:
    return {(loss["path"], loss["code"]) for loss in losses}


def test_fields_have_their_types_texts_and_bounds(folder: Path) -> None:
    definition, losses = from_django(Booking)
    write(folder, definition)
    assert codes(losses) == EXPECTED_LOSSES
    assert definition["form"] == "booking"
    schema = definition["schema"]
    assert schema["required"] == ["name", "code", "guests", "meal", "extras", "agreed"]
    properties = schema["properties"]
    assert properties["name"] == {"type": "string", "minLength": 2, "maxLength": 8}
    assert properties["code"]["pattern"] == r"^[A-Z]{2}-\p{Nd}{3}$"
    assert properties["guests"] == {"type": "integer", "maximum": 6, "minimum": 1}
    assert properties["dozen"] == {"type": "integer", "multipleOf": 12}
    assert properties["price"] == {
        "type": "number", "multipleOf": 0.01, "exclusiveMaximum": 1000, "exclusiveMinimum": -1000, "minimum": 0,
    }  # fmt: skip
    assert properties["meal"] == {"enum": ["v", "m"]}
    assert properties["size"] == {"enum": ["s", "l"], "default": "l"}
    assert properties["extras"] == {"type": "array", "minItems": 1, "items": {"enum": ["wifi", "pool"]}}
    assert properties["agreed"] == {"type": "boolean", "const": True}
    assert properties["news"] == {"type": "boolean", "default": True}
    fields = definition["fields"]
    assert fields["name"] == {"normalize": ["trim"], "label": "Your name", "help": "As on the door"}
    assert fields["nick"] == {"normalize": ["trim"], "label": "Nick", "placeholder": "Kim"}
    assert fields["raw"] == {"label": "Raw"}
    assert fields["code"]["messages"] == {"pattern": "Two letters and three digits."}
    assert fields["guests"]["messages"] == {"required": "How many?", "maximum": "At most {limit}."}
    assert fields["meal"]["options"] == {"v": "Vegetarian", "m": "Meat"}
    assert fields["/extras/*"]["options"] == {"wifi": "Wi-Fi", "pool": "Pool"}
    assert fields["agreed"]["messages"] == {"required": "Please agree.", "const": "Please agree."}
    assert fields["size"]["widget"] == "radio" and fields["note"]["widget"] == "textarea"
    assert fields["not_x"]["messages"] == {"not": "No x."}


CHOICES: dict[str, list[Any]] = {
    "name": ["Kim", "Ed", "x", "  Lee  ", "a name too long", "", "   ", "éé"],
    "nick": ["", "Kim", "toolong", " ok "],
    "raw": ["", "abc", "abcd", " a "],
    "code": ["AB-123", "ab-123", "AB-12", "AB-1234", "AB-٣٤٥", "xAB-123", ""],
    "slug": ["", "a-b_c", "a b", "ä", "x" * 11],
    "guests": ["1", "6", "7", "0", "-1", "five", "3", " 2 ", "2.5", ""],
    "dozen": ["", "12", "24", "13", "0", "-12"],
    "price": ["", "0", "10", "999.99", "1000", "0.01", "0.001", "-1", "12.34"],
    "weight": ["", "1.5", "99.5", "99.6", "-3", "heavy"],
    "meal": ["v", "m", "x", "", "V"],
    "size": ["", "s", "xl"],
    "extras": [["wifi"], ["wifi", "pool"], [], ["sauna"], ["wifi", "sauna"]],
    "wishes": [[], ["a"], ["c"], ["a", "b"]],
    "agreed": ["on", "true", "false", ""],
    "news": ["on", "true", "false"],
    "not_x": ["", "abc", "axb"],
    "note": ["", "a note\nof two lines"],
}


def random_input(chance: random.Random) -> dict[str, Any]:
    """Mostly the first choices, which are valid; sometimes a field is missing."""
    chosen = {
        name: values[0] if chance.random() < 0.85 else chance.choice(values) for name, values in CHOICES.items()
    }
    return {name: value for name, value in chosen.items() if chance.random() > 0.02}


def wrong_lines(path: Path, inputs: list[Any]) -> dict[int, str]:
    text = "".join(json.dumps(value) + "\n" for value in inputs)
    run = formctl("validate", path, "-", "--language", "jsonl", "--defaults", "ignore", standard_input=text)
    assert run.returncode in (0, 1), run
    found: dict[int, str] = {}
    for line in run.stdout.splitlines():
        if match := re.match(r"-:(\d+):\d+: (?!warning)(.*)", line):
            found.setdefault(int(match[1]) - 1, match[2])
    return found


def posted(values: dict[str, Any]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, value in values.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def test_django_and_formd_agree_on_what_is_valid(folder: Path) -> None:
    definition, _ = from_django(Booking)
    path = write(folder, definition)
    chance = random.Random(70)
    inputs = [random_input(chance) for _ in range(600)]
    wrong = wrong_lines(path, inputs)
    assert 150 < len(wrong) < 550
    for index, values in enumerate(inputs):
        form = Booking(posted(values))
        assert form.is_valid() == (index not in wrong), (values, form.errors.as_json(), wrong.get(index))


@pytest.mark.parametrize("name", CHOICES)
def test_django_and_formd_agree_on_each_value_of_a_field(folder: Path, name: str) -> None:
    definition, _ = from_django(Booking)
    path = write(folder, definition)
    good = {field: values[0] for field, values in CHOICES.items()}
    inputs = [{**good, name: value} for value in CHOICES[name]]
    wrong = wrong_lines(path, inputs)
    for index, values in enumerate(inputs):
        form = Booking(posted(values))
        assert form.is_valid() == (index not in wrong), (values[name], form.errors.as_json(), wrong.get(index))


class Line(forms.Form):
    sku = forms.CharField(max_length=4)
    amount = forms.IntegerField(min_value=1, initial=1)


def test_a_formset_becomes_rows(folder: Path) -> None:
    lines = forms.formset_factory(Line, min_num=1, validate_min=True, max_num=3, validate_max=True, can_delete=True)
    definition, losses = from_django(Booking, formsets={"lines": lines}, name="order")
    write(folder, definition)
    assert definition["form"] == "order"
    assert definition["schema"]["properties"]["lines"] == {
        "type": "array", "minItems": 1, "maxItems": 3,
        "items": {
            "type": "object",
            "properties": {"sku": {"type": "string", "maxLength": 4}, "amount": {"type": "integer", "minimum": 1, "default": 1}},
            "required": ["sku", "amount"],
        },
    }  # fmt: skip
    assert definition["fields"]["/lines/*/sku"] == {"normalize": ["trim"], "label": "Sku"}
    assert codes(losses) - EXPECTED_LOSSES == {
        ("/formsets/lines", "emptyRows"), ("/formsets/lines/can_delete", "behavior"), ("/formsets/lines/fields/amount", "numberText"),
    }  # fmt: skip


def even(value: Any) -> None:
    raise forms.ValidationError("odd")


class Everything(forms.Form):
    email = forms.EmailField()
    site = forms.URLField(required=False, assume_scheme="https")
    day = forms.DateField(required=False, initial=datetime.date(2026, 11, 28))
    at = forms.DateTimeField(required=False)
    time = forms.TimeField(required=False)
    span = forms.DurationField(required=False)
    photo = forms.FileField(required=False)
    key = forms.UUIDField(required=False)
    address = forms.GenericIPAddressField(required=False)
    maybe = forms.NullBooleanField(required=False)
    data = forms.JSONField(required=False)
    level = forms.TypedChoiceField(choices=[(1, "One"), (2, "Two")], coerce=int, initial=2)
    grouped = forms.ChoiceField(required=False, choices=[("A", [("a1", "One")]), ("b", "B")])
    password = forms.CharField(widget=forms.PasswordInput(attrs={"class": "wide"}), initial="secret")
    fixed = forms.CharField(disabled=True, initial="F-1")
    checked = forms.CharField(required=False, validators=[even])
    folded = forms.RegexField(re.compile("^a+$", re.IGNORECASE), required=False)
    cents = forms.DecimalField(required=False, max_digits=3, initial=decimal.Decimal("1.5"))
    split = forms.SplitDateTimeField(required=False)
    hidden = forms.CharField(required=False, widget=forms.HiddenInput, error_messages={"odd": "?"})

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def clean(self) -> dict[str, Any]:
        return self.cleaned_data


def test_what_formd_does_not_have_is_a_loss_with_its_place(folder: Path) -> None:
    definition, losses = from_django(Everything)
    write(folder, definition)
    properties = definition["schema"]["properties"]
    assert "photo" not in properties
    assert properties["email"]["format"] == "email" and properties["site"]["format"] == "uri"
    assert properties["day"] == {"type": "string", "format": "date", "default": "2026-11-28"}
    assert properties["maybe"] == {"type": ["boolean", "null"]}
    assert properties["level"] == {"enum": ["1", "2"], "default": "2"}
    assert properties["grouped"] == {"enum": ["a1", "b"]}
    assert properties["password"] == {"type": "string", "writeOnly": True}
    assert properties["fixed"] == {"type": "string", "default": "F-1", "readOnly": True}
    assert definition["fields"]["hidden"]["widget"] == "hidden"
    assert codes(losses) == {
        ("/fields/email", "otherFormat"), ("/fields/email/clean", "validator"), ("/fields/site", "otherFormat"),
        ("/fields/day", "otherFormat"), ("/fields/at", "otherFormat"), ("/fields/time", "otherFormat"), ("/fields/span", "element"),
        ("/fields/photo", "file"), ("/fields/key", "otherFormat"), ("/fields/address", "otherFormat"), ("/fields/data", "content"),
        ("/fields/level/coerce", "severalTypes"), ("/fields/grouped/choices", "presentation"),
        ("/fields/password/widget/attrs/class", "presentation"), ("/fields/password/initial", "secretDefault"),
        ("/fields/checked/validators/0", "validator"), ("/fields/folded/validators/1", "pattern"), ("/fields/cents", "numberText"),
        ("/fields/cents/max_digits", "keyword"), ("/fields/split", "element"), ("/fields/split/widget", "presentation"),
        ("/fields/hidden/error_messages/odd", "fieldKey"), ("/clean", "validator"),
    }  # fmt: skip
    for loss in losses:
        assert set(loss) == {"path", "kind", "severity", "code", "message", "remedy"}
        assert loss["severity"] == ("error" if loss["kind"] == "unsupported" else "warning")


def test_fields_come_in_the_order_of_the_form(folder: Path) -> None:
    class Ordered(forms.Form):
        field_order = ["c", "no", "a"]
        a = forms.CharField()
        b = forms.CharField()
        c = forms.CharField()

    definition, losses = from_django(Ordered)
    write(folder, definition)
    assert list(definition["schema"]["properties"]) == list(Ordered().fields) == ["c", "a", "b"]
    assert not losses


def test_a_form_without_fields_is_a_loss(folder: Path) -> None:
    definition, losses = from_django(forms.Form)
    write(folder, definition)
    assert codes(losses) == {("", "emptyForm")}


def test_a_formset_with_the_name_of_a_field_is_a_loss(folder: Path) -> None:
    definition, losses = from_django(Line, formsets={"sku": forms.formset_factory(Line)})
    write(folder, definition)
    assert definition["schema"]["properties"]["sku"]["type"] == "string"
    assert ("/formsets/sku", "duplicateName") in codes(losses)


def test_bounds_and_initial_values_that_do_not_fit_are_losses(folder: Path) -> None:
    class Odd(forms.Form):
        count = forms.IntegerField(max_value=10**30, min_value=1, initial="x")
        half = forms.IntegerField(initial=1.5)
        large = forms.IntegerField(initial=2**63)
        agreed = forms.BooleanField(required=False, initial="x")
        chosen = forms.MultipleChoiceField(choices=[("a", "A")], initial=["a", "q"])
        at = forms.DateTimeField(required=False)

    definition, losses = from_django(Odd)
    write(folder, definition)
    properties = definition["schema"]["properties"]
    assert properties["count"] == {"type": "integer", "minimum": 1}
    assert all("default" not in schema for schema in properties.values())
    assert {place for place, code in codes(losses) if code == "wrongType"} == {
        f"/fields/{name}/initial" for name in ("count", "half", "large", "agreed", "chosen")
    }
    assert any(loss["code"] == "validator" and loss["path"].startswith("/fields/count/validators/") for loss in losses)
    assert re.search(properties["at"]["pattern"], "2026-12-31T23:59")
    for wrong in ("2026-19-31T23:59", "2026-12-39T23:59", "2026-12-31T29:59"):
        assert not re.search(properties["at"]["pattern"], wrong)


def test_a_form_whose_fields_depend_on_how_it_was_made_is_given_as_it_is(folder: Path) -> None:
    class Dynamic(forms.Form):
        def __init__(self, names: list[str]) -> None:
            super().__init__(initial={"a": "first"})
            for name in names:
                self.fields[name] = forms.CharField()

    definition, losses = from_django(Dynamic(["a", "b"]))
    write(folder, definition)
    assert not losses
    assert definition["schema"]["properties"] == {"a": {"type": "string", "default": "first"}, "b": {"type": "string"}}


@pytest.mark.parametrize("wrong", [object(), dict, forms.CharField(), forms.formset_factory(Line)])
def test_what_is_no_form_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="no form of Django"):
        from_django(wrong)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"^\d+$", r"^\p{Nd}+$"), (r"[\w.]+", r"[\p{L}\p{N}_.]+"), (r"\W", r"[^\p{L}\p{N}_]"), (r"(?P<a>x)", "(?<a>x)"),
        (r"[]a]", r"[\]a]"), (r"a\-b", r"a\-b"), (r"(?i)a", None), (r"a++", None), (r"\bx", None), (r"(?:a|b)(?!c)", "(?:a|b)(?!c)"),
    ],
)  # fmt: skip
def test_a_pattern_of_python_becomes_one_of_ecma_262(pattern: str, expected: str | None) -> None:
    from formd.web.imported import _ecma_pattern

    assert _ecma_pattern(re.compile(pattern)) == expected
