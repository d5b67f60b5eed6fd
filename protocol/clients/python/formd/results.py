"""The types of the daemon's results, for type checkers. At run time each is a plain dict, as the daemon sent it.

protocol/openrpc.json describes the members. A member that is not required may be missing.
"""

from __future__ import annotations

from typing import Any, Literal, Mapping, TypedDict

__all__ = [
    "ActionDescription", "ActionState", "ErrorState", "FieldDescription", "FieldState", "FormDescription", "FormList", "FormSummary",
    "LookupState", "Option", "Ping", "Problem", "Range", "Position", "ServerInfo", "StepDescription", "StepState", "TextCause",
    "TextError", "TextFix", "TextValidation", "Validation", "WatchedForms",
]  # fmt: skip

Severity = Literal["error", "warning"]
Source = Literal["schema", "rule", "check", "server", "fault"]


class _Ping(TypedDict):
    instanceId: str


class Ping(_Ping, total=False):
    """The result of `server/ping`."""

    notReady: list[str]


class ServerInfo(TypedDict):
    """The result of `server/info`."""

    name: str
    version: str
    protocolVersion: str
    instanceId: str
    pid: int
    forms: int
    limits: Mapping[str, int]


class _FormSummary(TypedDict):
    form: str
    fields: list[str]
    actions: list[str]


class FormSummary(_FormSummary, total=False):
    """A form in the result of `form/list`."""

    locale: str


class FormList(TypedDict):
    """The result of `form/list`."""

    forms: list[FormSummary]


class _Problem(TypedDict):
    path: str
    severity: Severity
    code: str
    message: str


class Problem(_Problem, total=False):
    """An error or a warning about the definition of a form."""

    file: str
    line: int
    column: int
    remedy: str


class WatchedForms(TypedDict):
    """The result of `forms/watch`."""

    forms: list[str]
    problems: list[Problem]


class _Option(TypedDict):
    value: Any


class Option(_Option, total=False):
    """One choice of a field."""

    label: str


class _FieldDescription(TypedDict):
    name: str
    address: str
    type: Literal["string", "integer", "number", "boolean", "object", "array", "any"]
    show: Literal["always", "edit", "blur", "submit"]
    isSecret: bool
    isRequired: bool


class FieldDescription(_FieldDescription, total=False):
    """A field, as a program draws it."""

    format: str
    widget: str
    label: str
    placeholder: str
    help: str
    readOnly: bool
    computed: bool
    suggested: bool
    options: list[Option]
    hasLiveOptions: bool
    initial: Any
    key: str
    minLength: int
    maxLength: int
    pattern: str
    minimum: Any
    maximum: Any
    exclusiveMinimum: Any
    exclusiveMaximum: Any
    multipleOf: Any
    minItems: int
    maxItems: int
    uniqueItems: bool
    extensions: Mapping[str, Any]
    fields: list[FieldDescription]
    items: FieldDescription


class _StepDescription(TypedDict):
    id: str
    fields: list[str]


class StepDescription(_StepDescription, total=False):
    """A step, as a program draws it."""

    label: str


class _ActionDescription(TypedDict):
    name: str


class ActionDescription(_ActionDescription, total=False):
    """An action, as a program draws it."""

    label: str
    step: str
    leadsTo: str


class _FormDescription(TypedDict):
    form: str
    fields: list[FieldDescription]
    actions: list[ActionDescription]
    outputs: list[str]


class FormDescription(_FormDescription, total=False):
    """The result of `form/describe`."""

    requestedLocale: str
    locale: str
    title: str
    steps: list[StepDescription]


class Validation(TypedDict):
    """The result of `form/validate`."""

    isValid: bool
    document: Mapping[str, Any]


class Position(TypedDict):
    """A place in a text, counted from 0."""

    line: int
    character: int


class Range(TypedDict):
    """A part of a text."""

    start: Position
    end: Position


class TextFix(TypedDict):
    """A change of a text that mends an error."""

    range: Range
    text: str


class _TextCause(TypedDict):
    path: str
    code: str
    range: Range


class TextCause(_TextCause, total=False):
    """One of the places that lead to an error."""

    keyRange: Range


class _TextError(TypedDict):
    path: str
    code: str
    severity: Severity
    message: str
    range: Range


class TextError(_TextError, total=False):
    """An error in a text of values."""

    source: Source
    params: Mapping[str, Any]
    keyRange: Range
    fix: TextFix
    causes: list[TextCause]


class TextValidation(TypedDict):
    """The result of `text/validate`."""

    isValid: bool
    errors: list[TextError]
    isTruncated: bool


class ErrorState(TypedDict, total=False):
    """An error in the document."""

    code: str
    severity: Severity
    source: Source
    message: str
    params: Mapping[str, Any]


class FieldState(TypedDict, total=False):
    """A field's entry in the document."""

    isVisible: bool
    isEnabled: bool
    isRequired: bool
    isValid: bool
    isPending: bool
    isDirty: bool
    isTouched: bool
    isEmpty: bool
    errors: list[ErrorState]
    options: Any
    fields: Mapping[str, FieldState]
    order: list[str]
    rows: Mapping[str, FieldState]
    outputs: Mapping[str, Any]
    lookups: Mapping[str, LookupState]


class StepState(TypedDict, total=False):
    """A step's entry in the document."""

    isVisible: bool
    isValid: bool
    isPending: bool
    isTouched: bool


class LookupState(TypedDict, total=False):
    """A lookup's entry in the document."""

    isLoading: bool
    value: Any
    error: Any


class ActionState(TypedDict, total=False):
    """An action's entry in the document."""

    isEnabled: bool
    isLoading: bool
    attempts: int
    result: Any
    error: Any
    message: str
