"""Forms of web frameworks as forms of formd. The frameworks are never imported before a form of theirs is given."""

from __future__ import annotations

import datetime
import decimal
import importlib
import math
import re
import uuid
from typing import Any, Dict, List, Literal, Mapping, NamedTuple, Optional, Tuple, TypedDict, Union

__all__ = ["Imported", "Loss", "from_django"]

Kind = Literal["unsupported", "unknown", "assumed"]


class Loss(TypedDict):
    """A part that the definition does not have, or has in another way, as in `formctl import --report json`."""

    path: str
    """Where it is in the form: `/fields/email/validators/0`."""
    kind: Kind
    severity: Literal["error", "warning"]
    code: str
    message: str
    remedy: str


class Imported(NamedTuple):
    """A form that was made of another one."""

    definition: Dict[str, Any]
    """The form: formd accepts it."""
    losses: List[Loss]
    """What it does not have, or has in another way."""


def from_django(form: Any, *, name: Optional[str] = None, formsets: Optional[Mapping[str, Any]] = None) -> Imported:
    """The definition of a form of Django.

    `form` is a class of forms, or a form whose fields depend on how it was made. `formsets` has the classes of formsets
    that the page shows beside it: each becomes a list with rows, under its name. Without `name`, the form's name comes
    from the name of its class.

    Conditions that are written in Python, such as `clean_email`, are losses: write them as rules or checks of the form,
    or keep them in the program that receives the values.

    Raises TypeError if `form` is not a form of Django, or a formset is not one.
    """
    forms = _module("django.forms")

    reader = _DjangoReader()
    form_class: Any = form if isinstance(form, type) else type(form)
    if not issubclass(form_class, forms.BaseForm):
        raise TypeError(f"{form!r} is no form of Django; give a class such as class SignUp(django.forms.Form)")
    properties, required = reader.form(form, "", "")
    for list_name, formset in (formsets or {}).items():
        if list_name in properties:
            reader.lose(
                "unsupported", "duplicateName", f"/formsets/{_token(list_name)}", "a field has this name, so the formset is left out",
                "give the formset another name",
            )  # fmt: skip
            continue
        properties[list_name] = reader.formset(formset, list_name)
        required.append(list_name)
    if not properties:
        reader.lose("assumed", "emptyForm", "", 'the form has no fields; the form of formd has one field, "value"', "give the form fields")
        properties["value"] = {"title": "Value"}
    schema: Dict[str, Any] = {"type": "object"}
    if required:
        schema["required"] = required
    schema["properties"] = properties
    definition: Dict[str, Any] = {"form": name or _form_name(form_class.__name__), "schema": schema}
    if reader.fields:
        definition["fields"] = reader.fields
    return Imported(definition, reader.losses)


def _module(name: str) -> Any:
    """A module of Django, which is there because the caller has a form of it."""
    return importlib.import_module(name)


def _form_name(name: str) -> str:
    """`SignUpForm` is `sign-up`."""
    stem = name[:-4] if name.endswith("Form") and name != "Form" else name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", stem).lower()


def _token(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1")


class _DjangoReader:
    def __init__(self) -> None:
        self.fields: Dict[str, Dict[str, Any]] = {}
        self.losses: List[Loss] = []

    def lose(self, kind: Kind, code: str, path: str, message: str, remedy: str) -> None:
        self.losses.append({
            "path": path, "kind": kind, "severity": "error" if kind == "unsupported" else "warning",
            "code": code, "message": message, "remedy": remedy,
        })  # fmt: skip

    # Forms

    def form(self, form: Any, address: str, path: str) -> Tuple[Dict[str, Any], List[str]]:
        """The properties of a form, and the names of those that are required.

        `address` is the address of the row that the form stands for, and `path` where the form is for losses.
        """
        forms = _module("django.forms")

        form_class: Any = form if isinstance(form, type) else type(form)
        fields = dict(form_class.base_fields if isinstance(form, type) else form.fields)
        if isinstance(form, type):
            # Django orders the fields of a form when it makes one.
            ordered = {name: fields[name] for name in form_class.field_order or [] if name in fields}
            fields = {**ordered, **fields}
        properties: Dict[str, Any] = {}
        required: List[str] = []
        for name, field in fields.items():
            place = f"{path}/fields/{_token(name)}"
            reader = _FieldReader(self, form, name, field, place)
            schema = reader.schema()
            if schema is None:
                continue
            properties[name] = schema
            if reader.is_required:
                required.append(name)
            if reader.entry:
                plain = not address and not name.startswith("/")
                self.fields[name if plain else f"{address}/{_token(name)}"] = reader.entry
            if reader.element_options:
                self.fields[f"{address}/{_token(name)}/*"] = {"options": reader.element_options}
            if hasattr(form_class, f"clean_{name}"):
                self._lose_code(f"{place}/clean", f"clean_{name}")
        if form_class.clean is not forms.BaseForm.clean:
            self._lose_code(f"{path}/clean", "clean")
        return properties, required

    def _lose_code(self, path: str, name: str) -> None:
        self.lose(
            "unsupported", "validator", path, f"the method {name} is written in Python, and formd has no counterpart",
            "write it as a rule or a check of the form, and keep it where the values are received",
        )  # fmt: skip

    def formset(self, formset: Any, name: str) -> Dict[str, Any]:
        """The schema of a list whose rows are the forms of a formset."""
        BaseFormSet: Any = _module("django.forms").BaseFormSet

        formset_class: Any = formset if isinstance(formset, type) else type(formset)
        if not issubclass(formset_class, BaseFormSet):
            raise TypeError(f"{formset!r} is no formset of Django; make one with formset_factory")
        path = f"/formsets/{_token(name)}"
        properties, required = self.form(formset_class.form, f"/{_token(name)}/*", path)
        row: Dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            row["required"] = required
        schema: Dict[str, Any] = {"type": "array"}
        if formset_class.validate_min and formset_class.min_num:
            schema["minItems"] = formset_class.min_num
        schema["maxItems"] = formset_class.max_num if formset_class.validate_max else formset_class.absolute_max
        schema["items"] = row
        self.lose(
            "assumed", "emptyRows", path, "Django ignores an extra form that is empty; in the form, a row that is there counts",
            "let the client add rows, and remove empty ones",
        )  # fmt: skip
        for key in ("can_order", "can_delete"):
            if getattr(formset_class, key, False):
                self.lose(
                    "unsupported", "behavior", f"{path}/{key}", f"rows are moved and removed by the client, so {key} is no field",
                    "read the order and the rows of the values",
                )  # fmt: skip
        if formset_class.clean is not BaseFormSet.clean:
            self._lose_code(f"{path}/clean", "clean")
        return schema


_WIDGETS = {
    "Textarea": "textarea", "RadioSelect": "radio", "CheckboxSelectMultiple": "checkbox", "HiddenInput": "hidden",
    "PasswordInput": "password", "NumberInput": None, "TextInput": None, "EmailInput": None, "URLInput": None, "Select": None,
    "SelectMultiple": None, "CheckboxInput": None, "DateInput": None, "DateTimeInput": None, "TimeInput": None, "NullBooleanSelect": None,
}  # fmt: skip

_DRAWN_ATTRIBUTES = {"placeholder", "rows", "cols", "maxlength", "minlength", "min", "max", "step", "required"}


class _FieldReader:
    """Reads one field. `entry` is its entry in the definition's `fields`."""

    def __init__(self, reader: _DjangoReader, form: Any, name: str, field: Any, path: str) -> None:
        self.reader = reader
        self.form = form
        self.name = name
        self.field = field
        self.path = path
        self.is_required = bool(field.required)
        self.entry: Dict[str, Any] = {}
        self.element_options: Dict[str, str] = {}
        self.message_codes: Dict[str, str] = {"required": "required"}
        self.has_given_pattern = False

    def lose(self, kind: Kind, code: str, message: str, remedy: str, part: str = "") -> None:
        self.reader.lose(kind, code, self.path + part, message, remedy)

    def schema(self) -> Optional[Dict[str, Any]]:
        """The schema; None for a field that no form of formd has."""
        pretty_name = _module("django.forms.utils").pretty_name

        schema = self._typed()
        if schema is None:
            return None
        label = self.field.label
        self.entry["label"] = pretty_name(self.name) if label is None else str(label)
        if self.field.help_text:
            self.entry["help"] = str(self.field.help_text)
        self._widget(schema)
        self._validators(schema)
        self._initial(schema)
        if self.field.disabled:
            schema["readOnly"] = True
        self._messages()
        if not self.entry["label"]:
            del self.entry["label"]
        return schema

    # Types

    def _typed(self) -> Optional[Dict[str, Any]]:
        forms = _module("django.forms")

        field = self.field
        if isinstance(field, forms.FileField):
            self.lose("unsupported", "file", "a form has no files, so the field is left out", "upload the file elsewhere")
            return None
        if isinstance(field, (forms.ModelChoiceField, forms.ModelMultipleChoiceField)):
            self.lose(
                "unsupported", "element", "the choices are in the database, and the field takes any text",
                "write a lookup that reads the choices", "/queryset",
            )  # fmt: skip
            text: Dict[str, Any] = {"type": "string"}
            return {"type": "array", "items": text} if isinstance(field, forms.ModelMultipleChoiceField) else text
        if isinstance(field, forms.MultipleChoiceField):
            return self._choices(is_list=True)
        if isinstance(field, forms.ChoiceField):
            return self._choices(is_list=False)
        if isinstance(field, forms.NullBooleanField):
            self.entry["coerce"] = True
            self.is_required = False
            return {"type": ["boolean", "null"]}
        if isinstance(field, forms.BooleanField):
            self.entry["coerce"] = True
            self.message_codes["required"] = "required const"
            # A required box must be checked.
            return {"type": "boolean", "const": True} if self.is_required else {"type": "boolean"}
        if isinstance(field, forms.IntegerField):
            return self._number()
        if isinstance(field, forms.DurationField):
            self.lose("unsupported", "element", "formd has no durations, and the field takes any text", "write a pattern")
            return {"type": "string"}
        if isinstance(field, forms.DateField):
            self._assume_format("a date is written as 2026-11-28 only")
            self.message_codes["invalid"] = "format"
            return {"type": "string", "format": "date"}
        if isinstance(field, forms.DateTimeField):
            self._assume_format("a time is written as 2026-11-28T10:00 only")
            self.message_codes["invalid"] = "pattern"
            day = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
            return {"type": "string", "pattern": f"^{day}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$"}
        if isinstance(field, forms.TimeField):
            self._assume_format("a time of day is written as 10:00 or 10:00:00 only")
            self.message_codes["invalid"] = "pattern"
            return {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$"}
        if isinstance(field, forms.JSONField):
            self.lose("assumed", "content", "the value is JSON itself, and not the text of JSON", "send the value")
            return {}
        if isinstance(field, forms.UUIDField):
            self._assume_format("a UUID is written with hyphens")
            self.message_codes["invalid"] = "format"
            return {"type": "string", "format": "uuid"}
        if isinstance(field, forms.GenericIPAddressField):
            self._assume_format("the format of IP addresses is that of formd")
            self.message_codes["invalid"] = "format anyOf"
            return self._text()
        if isinstance(field, (forms.ComboField, forms.MultiValueField)):
            self.lose(
                "unsupported", "element", f"the field consists of several, and takes any text ({type(field).__name__})",
                "write a field for each part",
            )  # fmt: skip
            return {"type": "string"}
        if not isinstance(field, forms.CharField):
            self.lose(
                "unsupported", "element", f"the importer does not know the field {type(field).__name__}, and it takes any text",
                "write the schema of the field by hand",
            )  # fmt: skip
        return self._text()

    def _text(self) -> Dict[str, Any]:
        if getattr(self.field, "strip", False):
            self.entry["normalize"] = ["trim"]
        return {"type": "string"}

    def _assume_format(self, message: str) -> None:
        self.lose("assumed", "otherFormat", message, "convert the value where it is received")

    def _number(self) -> Dict[str, Any]:
        forms = _module("django.forms")

        self.entry["coerce"] = True
        self.message_codes["invalid"] = "type"
        self.lose(
            "assumed", "numberText", "formd and Django read some spellings of numbers differently, such as +5, 1e3 and 1.50",
            "accept what the form accepts",
        )  # fmt: skip
        field = self.field
        if isinstance(field, forms.DecimalField):
            schema: Dict[str, Any] = {"type": "number"}
            if field.decimal_places is not None:
                schema["multipleOf"] = 10 ** -field.decimal_places if field.decimal_places else 1
            if field.max_digits is not None and field.decimal_places is not None:
                bound = 10 ** (field.max_digits - field.decimal_places)
                schema["exclusiveMaximum"] = bound
                schema["exclusiveMinimum"] = -bound
                self.message_codes["max_whole_digits"] = "exclusiveMaximum exclusiveMinimum"
            elif field.max_digits is not None:
                self.lose("unsupported", "keyword", "a schema counts no digits", "write a maximum", "/max_digits")
            self.message_codes["max_decimal_places"] = "multipleOf"
            return schema
        return {"type": "number" if isinstance(field, forms.FloatField) else "integer"}

    def _choices(self, is_list: bool) -> Dict[str, Any]:
        values: List[str] = []
        labels: Dict[str, str] = {}
        for value, label in self.field.choices:
            group = label if isinstance(label, (list, tuple)) else [(value, label)]
            if group is label:
                self.lose(
                    "unsupported", "presentation", f"choices have no groups, so {value} is left out",
                    "let the client group the choices", "/choices",
                )  # fmt: skip
            for entry, text in group:
                written = "" if entry is None else str(entry)
                if written and written not in values:
                    values.append(written)
                    labels[written] = str(text)
        coerce = getattr(self.field, "coerce", None)
        if coerce is not None and coerce("1") != "1":
            self.lose("assumed", "severalTypes", "the value stays a text, and is not converted", "convert it where it is received", "/coerce")
        labels = {value: label for value, label in labels.items() if value != label}
        self.message_codes["invalid_choice"] = "enum"
        if not values:
            self.lose("unsupported", "element", "the field has no choices, and takes any text", "write a lookup", "/choices")
        element: Dict[str, Any] = {"enum": values} if values else {"type": "string"}
        if is_list:
            self.element_options = labels
            self.message_codes["required"] = "minItems"
            schema: Dict[str, Any] = {"type": "array"}
            if self.is_required:
                schema["minItems"] = 1
            schema["items"] = element
            return schema
        if labels:
            self.entry["options"] = labels
        return element

    # Keys of every field

    def _widget(self, schema: Dict[str, Any]) -> None:
        widget = self.field.widget
        kind = type(widget).__name__
        drawn = next((base.__name__ for base in type(widget).__mro__ if base.__name__ in _WIDGETS), None)
        if drawn is None:
            self.lose(
                "unsupported", "presentation", f"formd does not know the widget {kind}", "give the field a widget that the client knows",
                "/widget",
            )  # fmt: skip
        elif _WIDGETS[drawn]:
            self.entry["widget"] = _WIDGETS[drawn]
        if drawn == "PasswordInput" and schema.get("type") == "string":
            schema["writeOnly"] = True
        for key, value in widget.attrs.items():
            if key == "placeholder":
                self.entry["placeholder"] = str(value)
            elif key not in _DRAWN_ATTRIBUTES:
                self.lose(
                    "unsupported", "presentation", f"a form does not say how clients draw it, so {key} is left out",
                    "let the client decide", f"/widget/attrs/{_token(key)}",
                )  # fmt: skip

    def _validators(self, schema: Dict[str, Any]) -> None:
        validators = _module("django.core.validators")

        for index, validator in enumerate(self.field.validators):
            place = f"/validators/{index}"
            limit = getattr(validator, "limit_value", None)
            if callable(limit):
                limit = limit()
            if isinstance(validator, validators.ProhibitNullCharactersValidator):
                continue
            if isinstance(validator, validators.StepValueValidator):
                if validator.offset:
                    self.lose("unsupported", "keyword", "a step begins at 0", "write a rule", place)
                else:
                    self._bound(schema, "multipleOf", limit, validator, place, "step_size")
            elif isinstance(validator, validators.MinLengthValidator):
                self._bound(schema, "minLength", limit, validator, place, "min_length")
            elif isinstance(validator, validators.MaxLengthValidator):
                self._bound(schema, "maxLength", limit, validator, place, "max_length")
            elif isinstance(validator, validators.MinValueValidator):
                self._bound(schema, "minimum", limit, validator, place, "min_value")
            elif isinstance(validator, validators.MaxValueValidator):
                self._bound(schema, "maximum", limit, validator, place, "max_value")
            elif isinstance(validator, validators.EmailValidator):
                self._format(schema, "email", validator, place)
            elif isinstance(validator, validators.URLValidator):
                self._format(schema, "uri", validator, place)
            elif isinstance(validator, validators.RegexValidator):
                self._pattern(schema, validator, place)
            elif isinstance(validator, validators.DecimalValidator):
                if (validator.max_digits, validator.decimal_places) != (
                    getattr(self.field, "max_digits", None), getattr(self.field, "decimal_places", None),
                ):  # fmt: skip
                    self.lose("unsupported", "validator", "a schema counts no digits", "write a rule", place)
            elif validator is validators.validate_ipv4_address:
                schema["format"] = "ipv4"
            elif validator is validators.validate_ipv6_address:
                schema["format"] = "ipv6"
            elif validator is validators.validate_ipv46_address:
                schema["anyOf"] = [{"format": "ipv4"}, {"format": "ipv6"}]
            else:
                called = getattr(validator, "__name__", type(validator).__name__)
                self.lose(
                    "unsupported", "validator", f"the validator {called} is written in Python, and formd has no counterpart",
                    "write it as a rule or a check of the form", place,
                )  # fmt: skip

    def _bound(self, schema: Dict[str, Any], keyword: str, limit: Any, validator: Any, place: str, code: str) -> None:
        number = _json(limit)
        self.message_codes[code] = keyword
        if keyword in ("minimum", "maximum") and schema.get("type") not in ("integer", "number"):
            self.lose("unsupported", "validator", "only numbers have bounds in a schema", "write a rule", place)
            return
        if not isinstance(number, (int, float)) or isinstance(number, bool) or not _is_number_of_formd(number):
            self.lose("unsupported", "validator", "the bound is no number of JSON with 64 bits", "write a rule", place)
            return
        if keyword in schema:
            stricter = {"minLength": max, "minimum": max, "maxLength": min, "maximum": min}.get(keyword)
            if stricter is None:
                schema.setdefault("allOf", []).append({keyword: number})
                return
            number = stricter(schema[keyword], number)
        schema[keyword] = number
        self._custom(validator, keyword)

    def _format(self, schema: Dict[str, Any], format: str, validator: Any, place: str) -> None:
        self._assume_format(f"formd judges the format {format} by other rules than Django")
        self.message_codes["invalid"] = "format"
        schema["format"] = format
        self._custom(validator, "format")

    def _pattern(self, schema: Dict[str, Any], validator: Any, place: str) -> None:
        pattern = _ecma_pattern(validator.regex)
        if pattern is None:
            self.lose(
                "unsupported", "pattern", "a schema cannot have this regular expression of Python", "write another pattern", place
            )
            return
        self.message_codes[getattr(validator, "code", "invalid")] = "not" if validator.inverse_match else "pattern"
        if validator.inverse_match:
            if "not" in schema:
                schema.setdefault("allOf", []).append({"not": {"pattern": pattern}})
            else:
                schema["not"] = {"pattern": pattern}
            self._custom(validator, "not")
            return
        if "pattern" in schema:
            schema.setdefault("allOf", []).append({"pattern": pattern})
        else:
            schema["pattern"] = pattern
        self._custom(validator, "pattern")

    def _custom(self, validator: Any, keyword: str) -> None:
        """A message that the validator has instead of its class."""
        message = getattr(validator, "message", None)
        if message is not None and str(message) != str(getattr(type(validator), "message", None)):
            self.entry.setdefault("messages", {})[keyword] = _message(str(message))

    def _initial(self, schema: Dict[str, Any]) -> None:
        initial = self.field.initial
        if not isinstance(self.form, type):
            initial = self.form.get_initial_for_field(self.field, self.name)
        elif callable(initial):
            initial = initial()
            self.lose(
                "assumed", "computedInitial", "the initial value was computed once, for this form", "give the value when the session opens",
                "/initial",
            )  # fmt: skip
        if initial is None or initial == "":
            return
        value = _json(initial)
        if isinstance(value, list) and schema.get("type") == "array":
            value = [str(element) for element in value]
        elif schema.get("enum") and not isinstance(value, (list, dict)):
            value = str(value)
        elif schema.get("type") == "string" and not isinstance(value, (list, dict)):
            value = str(value)
        if value is None or not _fits(value, schema):
            self.lose(
                "unknown", "wrongType", "the initial value is no value that the field can have", "correct the initial value",
                "/initial",
            )  # fmt: skip
            return
        if schema.get("const") is True and value is not True:
            return
        if schema.get("writeOnly"):
            self.lose("assumed", "secretDefault", "a secret has no initial value", "remove the initial value", "/initial")
            return
        schema["default"] = value

    def _messages(self) -> None:
        defaults: Dict[str, Any] = {}
        for base in reversed(type(self.field).__mro__):
            defaults.update(getattr(base, "default_error_messages", {}))
        messages: Dict[str, str] = self.entry.get("messages", {})
        for code, text in self.field.error_messages.items():
            if code in defaults and str(text) == str(defaults[code]):
                continue
            keywords = self.message_codes.get(code)
            if keywords is None:
                self.lose(
                    "unsupported", "fieldKey", f"the form has no error {code}, so its message is left out", "write the message of a rule",
                    f"/error_messages/{_token(code)}",
                )  # fmt: skip
                continue
            for keyword in keywords.split():
                messages[keyword] = _message(str(text))
        if messages:
            self.entry["messages"] = messages


def _message(text: str) -> str:
    """A message of Django with the parameters of formd."""
    text = text.replace("%(limit_value)s", "{limit}").replace("%(limit_value)d", "{limit}")
    return text.replace("%(show_value)s", "{actual}").replace("%(show_value)d", "{actual}").replace("%(value)s", "{value}").replace("%%", "%")


def _json(value: Any) -> Any:
    """A value as JSON has it; None if JSON has none."""
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return None
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, (list, tuple, set)):
        return [_json(element) for element in value]
    return None if isinstance(value, dict) else str(value)


def _is_number_of_formd(value: Union[int, float]) -> bool:
    """Whether formd can read the number: an integer has 64 bits."""
    return -(2**63) <= value < 2**63 if isinstance(value, int) else math.isfinite(value)


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether an initial value has the type of its field, and is one of its choices."""
    if schema.get("enum"):
        return value in schema["enum"]
    types = schema.get("type", [])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and _is_number_of_formd(value)
    found = {
        "string": isinstance(value, str), "array": isinstance(value, list), "boolean": isinstance(value, bool), "number": is_number,
        "integer": is_number and value == int(value),
    }  # fmt: skip
    names = [types] if isinstance(types, str) else types
    if names and not any(found.get(name, False) for name in names):
        return False
    choices = schema.get("items", {}).get("enum")
    return not choices or (isinstance(value, list) and all(element in choices for element in value))


def _ecma_pattern(regex: "re.Pattern[str]") -> Optional[str]:
    """A regular expression of Python in the syntax of ECMA-262; None if it has none there."""
    if regex.flags & (re.IGNORECASE | re.VERBOSE | re.MULTILINE | re.DOTALL | re.LOCALE):
        return None
    is_ascii = bool(regex.flags & re.ASCII)
    # Python's classes have the characters of all scripts.
    classes = {} if is_ascii else {"d": r"\p{Nd}", "w": r"\p{L}\p{N}_"}
    result = ""
    in_class = False
    index = 0
    pattern = regex.pattern
    while index < len(pattern):
        character = pattern[index]
        following = pattern[index + 1 : index + 2]
        index += 1
        if character == "\\":
            index += 1
            if following in classes:
                part = classes[following]
                result += part if in_class or following == "d" else f"[{part}]"
            elif following in ("D", "W") and not is_ascii:
                if in_class:
                    return None
                result += f"[^{classes[following.lower()]}]"
            elif following == "A":
                result += "^"
            elif following == "Z":
                result += "$"
            elif following in ("a", "N", "U") or following in ("b", "B") and not is_ascii:
                return None
            elif following in "'\"#&~@!%,:;<>=_` " and following:
                # ECMA-262 does not escape characters that mean nothing.
                result += following
            else:
                result += "\\" + following
        elif in_class:
            in_class = character != "]"
            result += "\\[" if character == "[" else character
        elif character == "[":
            in_class = True
            result += character
            if pattern[index : index + 1] == "^":
                result += "^"
                index += 1
            if pattern[index : index + 1] == "]":
                result += "\\]"
                index += 1
        elif character == "(" and following == "?":
            opening = re.match(r"\?(:|=|!|<=|<!|P<[A-Za-z_]\w*>)", pattern[index:])
            if opening is None:
                return None
            name = opening.group(1)
            result += "(?" + (name[1:] if name.startswith("P") else name)
            index += len(opening.group(0))
        else:
            result += character
            if character in "*+?}" and following == "+":
                return None
    return result
