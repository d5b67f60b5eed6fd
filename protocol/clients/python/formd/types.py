"""The types of the protocol, for type checkers. At run time each is a plain dict, as the daemon sent it.

A member that is not required may be missing.

Written by scripts/lib/client_types.py from protocol/openrpc.json.
"""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

__all__ = [
    "ActionCancelParams", "ActionDescription", "ActionExplanation", "ActionState", "ActionTapParams",
    "AttachedElsewhereData", "AttachedSession", "BatchTooLargeData", "Blocker", "CancelRequest",
    "CancelRequestParams", "Cause", "Choice", "ClosedReason", "ClosedSession", "ConnectionInfo", "CurrentSession",
    "DetachedSession", "Document", "DuplicateProviderData", "ErrorData", "ErrorReason", "ErrorSource",
    "ErrorStatistics", "Event", "EventKind", "ExplainedError", "Explanation", "FieldBlurParams",
    "FieldChangeParams", "FieldDescription", "FieldExplanation", "FieldFailParams", "FieldFocusParams",
    "FieldInsertParams", "FieldKind", "FieldMoveParams", "FieldRemoveParams", "FieldState", "FieldToggleParams",
    "FormDescribeParams", "FormDescription", "FormError", "FormExplanation", "FormList", "FormProblem",
    "FormSchema", "FormSchemaParams", "FormStatistics", "FormSummary", "FormValidateParams", "FormulaFault",
    "Greeting", "InputAnswer", "InquiryPhase", "InsertAnswer", "InvalidParamsData", "InvalidRequestData",
    "InvalidValue", "KeptSessionInfo", "LimitName", "Limits", "LoadedForms", "LookupExplanation", "LookupState",
    "MemoryGauges", "MethodName", "MethodNotFoundData", "OpenedSession", "OverloadedData", "ParamsProblem",
    "ParseErrorData", "PendingInquiry", "Pong", "PositionEncoding", "ProcessUsage", "ProviderCall", "ProviderInfo",
    "ProviderName", "ProviderRegisterParams", "ProviderUnregisterParams", "QueueGauges", "QuotaExceededData",
    "ReloadOutcome", "RequestCancelledData", "RoleNeededData", "RowState", "RpcError", "ServerBackupParams",
    "ServerDisconnectParams", "ServerDraining", "ServerEndSessionParams", "ServerInfo", "ServerProgram",
    "ServerRejected", "ServerStatistics", "ServerStatsParams", "SessionAttachParams", "SessionCloseParams",
    "SessionClosed", "SessionDesync", "SessionDetachParams", "SessionGetParams", "SessionList", "SessionOpenParams",
    "SessionRedoParams", "SessionResetParams", "SessionSetContextParams", "SessionSetLocaleParams",
    "SessionSummary", "SessionUndoParams", "Severity", "Showing", "StepDescription", "StepExplanation",
    "StepShowParams", "StepState", "StoreCopy", "StoreStatistics", "TapAnswer", "TapOutcome", "TargetFailures",
    "TargetStatistics", "TextCause", "TextError", "TextFix", "TextLanguage", "TextPosition", "TextRange",
    "TextReading", "TextTooLargeData", "TextValidateParams", "TextValidation", "TimeBucket", "TimeHistogram",
    "UnknownActionData", "UnknownConnectionData", "UnknownFieldData", "UnknownFormData", "UnknownProviderData",
    "UnknownSessionData", "UnknownStepData", "Update", "Validation", "ValueExplanation", "WrongTokenData"
]  # fmt: skip

Cause = Literal[
    "field/change", "field/focus", "field/blur", "field/insert", "field/remove", "field/move", "field/toggle",
    "field/fail", "step/show", "action/tap", "action/cancel", "session/reset", "session/undo", "session/redo",
    "session/setLocale", "session/setContext", "session/open", "timer", "effect"
]

ClosedReason = Literal["shutdown", "draining", "closed", "store", "moved", "lost"]

ErrorReason = Literal[
    "syntax", "utf8", "nul", "trailing", "truncated", "depth", "nodes", "duplicateKey", "integerRange", "realRange",
    "nulInKey", "surrogate", "memory", "contentLengthMissing", "contentLengthDuplicate", "contentLengthInvalid",
    "headerSyntax", "headerTooLong", "notAnObject", "emptyBatch", "version", "id", "method", "params", "shutDown",
    "sessionClosed", "detached", "hidden", "removed", "moved", "store", "older"
]

ErrorSource = Literal["schema", "rule", "check", "server", "fault"]

EventKind = Literal["succeeded", "failed", "rejected", "dropped", "superseded", "cancelled"]

FieldKind = Literal["string", "integer", "number", "boolean", "object", "array", "any"]

InquiryPhase = Literal[
    "idle", "debounce", "running", "retrying", "settled", "failed", "faulted"
]
"""The phase of a check or a lookup."""

LimitName = Literal[
    "textBytesMax", "depthMax", "nodesMax", "batchMax", "connectionsMax", "sessionsPerConnectionMax", "sessionsMax",
    "keptSessionsMax", "keepMax", "valueBytesPerConnectionMax", "valueBytesMax", "definitionsPerConnectionMax",
    "definitionsMax", "definitionBytesMax", "definitionMs", "batchBytesMax", "unreadBytesMax", "memoryMax",
    "requestsInFlightMax", "providersPerConnectionMax", "outputSoftBytes", "outputHardBytes", "eventsKeptMax",
    "errorsPerFieldMax", "rowsMax", "undoMax", "undoBytesMax", "stallMs", "drainMs"
]

MethodName = Literal[
    "initialize", "initialized", "shutdown", "exit", "$/cancelRequest", "session/open", "session/attach",
    "session/detach", "session/close", "session/get", "session/reset", "session/undo", "session/redo",
    "session/setLocale", "session/list", "session/setContext", "field/change", "field/focus", "field/blur",
    "field/insert", "field/remove", "field/move", "field/toggle", "field/fail", "step/show", "action/tap",
    "action/cancel", "form/list", "form/describe", "form/schema", "form/validate", "forms/watch", "text/validate",
    "provider/register", "provider/unregister", "server/info", "server/ping", "server/stats", "server/reload",
    "server/disconnect", "server/endSession", "server/backup", "rpc.discover"
]

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]

Severity = Literal["error", "warning"]

Showing = Literal["always", "edit", "blur", "submit"]

TapOutcome = Literal["started", "held", "rejected", "dropped"]

TextLanguage = Literal["json", "jsonc", "yaml", "env"]

TextReading = Literal["number", "percent", "currency", "date", "dateTime"]


class _ActionDescription(TypedDict):
    # The action's name.
    name: str


class ActionDescription(_ActionDescription, total=False):
    """An action, as a program draws it."""

    # Its name for the user.
    label: str
    # The step whose fields are exactly the action's fields. The action belongs on that step's page.
    step: str
    # The step to show when the action has succeeded. If it is hidden, the client shows the next visible step.
    leadsTo: str


class _ActionExplanation(TypedDict):
    # Whether the action is enabled.
    isEnabled: bool
    # The formula that enables the action.
    enabled: str
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]


class ActionExplanation(_ActionExplanation, total=False):
    """Why an action is enabled or not."""

    # Why the scope of an action that is not enabled is invalid.
    because: Sequence[ExplainedError]
    # The number of runs in progress.
    running: int
    # The number of taps that wait for a run to end.
    queued: int
    # The number of taps that wait for checks.
    heldForChecks: int
    # Whether a throttle or debounce holds a tap.
    heldForTime: bool


class ActionState(TypedDict, total=False):
    """The state of an action."""

    # Whether the action can be tapped.
    isEnabled: bool
    # Whether a run is in progress.
    isLoading: bool
    # How often the action has run.
    attempts: int
    # The result of the last success.
    result: Any
    # The error of the last failure.
    error: Any
    # The message of the last outcome.
    message: str
    # Why the action cannot be tapped, if its form says it.
    reason: str


class AttachedElsewhereData(TypedDict):
    """The data of the error 1014: The session is in use at another daemon."""

    # The daemon that has the session.
    instance: str


class _AttachedSession(TypedDict):
    # The session's number, for all further calls.
    session: int
    # The form's name.
    form: str
    # The session's revision.
    revision: int
    # The output document.
    document: Document
    # The values, without secrets.
    values: Mapping[str, Any]
    # The events after `seq` that are still kept; none without `seq`.
    events: Sequence[Event]
    # How many events after `seq` are no longer kept.
    eventsLost: int


class AttachedSession(_AttachedSession, total=False):
    """The result of `session/attach`."""

    # With `rotate`: the new key.
    key: str
    # Whether the form was changed while no client had the session, and the session was migrated to it.
    isMigrated: bool


class BatchTooLargeData(TypedDict):
    """The data of the error -32010: The batch has too many members."""

    # The limit that was reached.
    limit: LimitName
    # The value of that limit.
    value: int


class _Blocker(TypedDict):
    # The error's code, `pending` or `disabled`.
    code: str


class Blocker(_Blocker, total=False):
    """Why an action may not run."""

    # The field's address; absent for the form as a whole.
    field: str


class CancelRequest(TypedDict):
    """The params of `$/cancelRequest`."""

    # The request's id.
    id: Union[str, int]


class _Choice(TypedDict):
    # The value to be sent.
    value: Any


class Choice(_Choice, total=False):
    """A value to choose. It has the further members that the form's author gave it."""

    # Its name for the user.
    label: str
    # The name of the choices that it belongs to, for the user.
    group: str
    # The text beside it.
    help: str
    # Whether it cannot be chosen. A field's initial value may be such a choice.
    disabled: bool


class ClosedSession(TypedDict):
    """The result of `session/close`, `server/endSession`."""

    # The session that was closed.
    session: int


class _ConnectionInfo(TypedDict):
    # Its number.
    connection: int
    # How long it has been connected.
    ageMs: int
    # Its sessions.
    sessions: int
    # Bytes of memory that it makes the daemon keep or queue.
    bytes: int
    # Bytes of output that the client has not read.
    unsentBytes: int
    # How many turns it had: its messages, the timers of its sessions and the answers to their effects.
    turns: int
    # How long these turns took.
    microseconds: int


class ConnectionInfo(_ConnectionInfo, total=False):
    """A client, as an operator sees it."""

    # The user whose process it is.
    uid: int
    # The process that has connected.
    pid: int


class _CurrentSession(TypedDict):
    # The session.
    session: int
    # The form's name.
    form: str
    # The session's revision.
    revision: int
    # The output document.
    document: Document
    # The values, without secrets.
    values: Mapping[str, Any]


class CurrentSession(_CurrentSession, total=False):
    """The result of `session/get`."""

    # The reasons for the document's content.
    explanation: Explanation


class DetachedSession(TypedDict):
    """The result of `session/detach`."""

    # The session that this connection no longer has.
    session: int


class _Document(TypedDict):
    # Whether no error blocks the form, and no check is in progress.
    isValid: bool
    # Whether a check is in progress.
    isPending: bool
    # Whether a value differs from its initial value.
    isDirty: bool
    # The errors that belong to no field.
    errors: Sequence[FormError]
    # The messages to be shown, by the address of the field.
    messages: Mapping[str, str]
    # The fields, by name, in the order of the form.
    fields: Mapping[str, FieldState]
    # The actions, by name, in order.
    actions: Mapping[str, ActionState]
    # The computed outputs, by name.
    outputs: Mapping[str, Any]


class Document(_Document, total=False):
    """The output document of a session. If the session is opened with `watch`, it has only the watched parts."""

    # The id of the step that is shown.
    step: str
    # Whether a user can take an edit back.
    canUndo: bool
    # Whether a user can repeat an edit that was taken back.
    canRedo: bool
    # The steps, by id, in order; absent in a form without steps.
    steps: Mapping[str, StepState]
    # The lookups, by name; absent in a form without lookups.
    lookups: Mapping[str, LookupState]


class DuplicateProviderData(TypedDict):
    """The data of the error 1007: The provider is registered already."""

    # The provider's name.
    name: str


class ErrorData(TypedDict, total=False):
    """The data of errors. Each error has some of these members."""

    # All problems of invalid params.
    errors: Sequence[ParamsProblem]
    # The unknown method.
    method: str
    # The unknown form.
    form: str
    # The unknown field.
    field: str
    # The unknown action.
    action: str
    # The unknown or hidden step.
    step: str
    # The unknown session.
    session: int
    # The unknown connection.
    connection: int
    # The limit that was reached.
    limit: LimitName
    # The value of that limit.
    value: int
    # The provider's name.
    name: str
    # The daemon that has the session.
    instance: str
    # The role that the client's user does not have.
    role: Literal["client", "provider", "operator"]
    # The closest known name.
    closest: str
    # How many milliseconds to wait before another attempt.
    retryAfterMs: int
    # Why the text, the envelope or the request was refused.
    reason: ErrorReason
    # The position of the problem in the text, in bytes.
    offset: int
    # The location at which the text is too deep or too large, as a JSON Pointer.
    path: str


class ErrorStatistics(TypedDict):
    """How often an error code was an answer."""

    # The code.
    code: int
    # How many requests had it as their answer.
    count: int


class _Event(TypedDict):
    # The event's number in its session.
    seq: int
    # The action.
    action: str
    # The kind of result.
    kind: EventKind


class Event(_Event, total=False):
    """The result of a tap, sent once."""

    # The run, if one was started.
    run: int
    # The value of a success.
    result: Any
    # The value of a failure.
    error: Any
    # The outcome's text; of a rejection the reason why the action is not enabled.
    message: str
    # The reasons of a rejection.
    blockers: Sequence[Blocker]


class _ExplainedError(TypedDict):
    # The id of a rule or a check, a keyword of JSON Schema, or `pending`.
    code: str


class ExplainedError(_ExplainedError, total=False):
    """An error, or checks in progress, with the reasons."""

    # The text for the user; absent for `pending`.
    message: str
    # The values that the text can use, by name.
    params: Mapping[str, Any]
    # The address of the field, in `because`.
    field: str
    # The rule's formula.
    rule: str
    # The rule's place in the definition, as a JSON Pointer.
    at: str
    # The formula that says when the rule applies.
    when: str
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]
    # The checks and lookups that `pending` waits for.
    checks: Sequence[PendingInquiry]


class _Explanation(TypedDict):
    form: FormExplanation
    # The actions, by name.
    actions: Mapping[str, ActionExplanation]
    # The fields that need an explanation, by address.
    fields: Mapping[str, FieldExplanation]


class Explanation(_Explanation, total=False):
    """The reasons for the content of a session's document."""

    # The steps, by id; absent in a form without steps.
    steps: Mapping[str, StepExplanation]
    # The lookups, by name; absent in a form without lookups.
    lookups: Mapping[str, LookupExplanation]


class _FieldDescription(TypedDict):
    # The field's name.
    name: str
    # Its address: the name, or a JSON Pointer for a field inside of another.
    address: str
    # The type of its values; `any` if the schema does not set one.
    type: FieldKind
    # When its messages are shown.
    show: Showing
    # Whether its value never leaves the daemon.
    isSecret: bool
    # Whether the schema requires it.
    isRequired: bool


class FieldDescription(_FieldDescription, total=False):
    """A field, as a program draws it."""

    # The schema's `format`.
    format: str
    # How it reads what people type: send the text of the input as typed. The document has it in `text` of the field.
    read: TextReading
    # The control that the form's author asks for.
    widget: str
    # The definition's hints about the control: `autocomplete`, `inputMode`, `accept`, `maxBytes`, `mediaTypes`,
    # `group`, `ui`.
    hints: Mapping[str, Any]
    # Its name for the user.
    label: str
    # The text in the empty field.
    placeholder: str
    # The help text beside it.
    help: str
    # Whether the schema says that the user does not change the value. The field is never enabled.
    readOnly: bool
    # Whether a formula computes the value. Such a field takes no input.
    computed: bool
    # Whether a formula suggests the value until it is changed.
    suggested: bool
    # The values to choose from, in order.
    options: Sequence[Choice]
    # Whether a formula computes the options. The document has them in `options` of the field, or of the list around
    # it.
    hasLiveOptions: bool
    # Of a list: whether each element is one of the choices of `items`. `field/toggle` adds and removes one.
    isMultipleChoice: bool
    # Whether the user may give a text that is not among the choices.
    admitsOther: bool
    # Its initial value.
    initial: Any
    # The initial value as people type it, in the language of the texts. Only of a field with `read`.
    initialText: str
    # Of a list: the name of the member that identifies its rows.
    key: str
    # Of a list: whether rows without any value are not judged, not sent and not counted.
    ignoresBlankRows: bool
    # The minimum length of a text, in code points.
    minLength: int
    # The maximum length of a text, in code points.
    maxLength: int
    # A regular expression that a text matches; the first one if there are several.
    pattern: str
    # The minimum of a number.
    minimum: Any
    # The maximum of a number.
    maximum: Any
    # A number that every value is greater than.
    exclusiveMinimum: Any
    # A number that every value is less than.
    exclusiveMaximum: Any
    # Every value is a multiple of this number; the first one if there are several.
    multipleOf: Any
    # The minimum number of elements in a list.
    minItems: int
    # The maximum number of elements in a list.
    maxItems: int
    # Whether no two elements of a list are equal.
    uniqueItems: bool
    # The members of its schema whose names begin with `x-`.
    extensions: Mapping[str, Any]
    # The fields inside of it, in order.
    fields: Sequence[FieldDescription]
    # What each row of a list is: a field called `*`.
    items: FieldDescription


class FieldExplanation(TypedDict, total=False):
    """The reasons for the state of a field."""

    # The field's errors.
    errors: Sequence[ExplainedError]
    # `shown`, or the condition that the message waits for.
    message: str
    # The formula or the step that hides the field.
    hiddenBy: str
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]
    # The formula that gives the value now.
    value: ValueExplanation
    # The checks and lookups that the field waits for.
    pending: Sequence[PendingInquiry]


class FieldState(TypedDict, total=False):
    """The state of a field. In a row, members with their default are absent."""

    # Whether the field is shown.
    isVisible: bool
    # Whether the field can be changed.
    isEnabled: bool
    # Whether the field must have a value, if the object around it has one.
    isRequired: bool
    # Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid.
    isValid: bool
    # Whether a check of the field is in progress, or a lookup for its options.
    isPending: bool
    # Whether the value differs from the initial value.
    isDirty: bool
    # Whether the user has left the field once.
    isTouched: bool
    # Whether the field has no value, or is hidden.
    isEmpty: bool
    # All errors of the field.
    errors: Sequence[FormError]
    # The choices that a formula gives. A list has the choices that are equal for all its rows, by address.
    options: Union[Sequence[Choice], Mapping[str, Sequence[Choice]]]
    # What the input shows, if the field reads what people type.
    text: str
    # Why the field cannot be changed, if its form says it.
    reason: str
    # The identities of a list's rows, in order.
    order: Sequence[str]
    # The fields inside of it, by name.
    fields: Mapping[str, FieldState]
    # The rows of a list, by identity.
    rows: Mapping[str, RowState]


class _FormDescription(TypedDict):
    # The form's name.
    form: str
    # Its fields, in order.
    fields: Sequence[FieldDescription]
    # Its actions, in order.
    actions: Sequence[ActionDescription]
    # The names of its outputs. An output that each row has is given by its address.
    outputs: Sequence[str]


class FormDescription(_FormDescription, total=False):
    """The result of `form/describe`."""

    # The requested language.
    requestedLocale: str
    # The language of the texts: the form's closest language to the requested one.
    locale: str
    # The form's title.
    title: str
    # Its steps, in order.
    steps: Sequence[StepDescription]
    # The JSON Schema of the context that the form takes.
    context: Mapping[str, Any]


class _FormError(TypedDict):
    # The id of a rule or a check, or a keyword of JSON Schema.
    code: str
    # A warning does not block. Nor does an error of a server.
    severity: Severity
    # What found the error.
    source: ErrorSource
    # The text for the user.
    message: str
    # The values that the text can use, by name.
    params: Mapping[str, Any]


class FormError(_FormError, total=False):
    """An error or a warning in the document."""

    # The place inside the field's value, as a JSON Pointer; absent for the value.
    path: str


class _FormExplanation(TypedDict):
    # Whether no error blocks the form, and no check is in progress.
    isValid: bool
    # Whether a check is in progress.
    isPending: bool


class FormExplanation(_FormExplanation, total=False):
    """The reasons for the state of the form."""

    # The errors that belong to no field.
    errors: Sequence[ExplainedError]
    # The formulas that went wrong.
    faults: Sequence[FormulaFault]


class FormList(TypedDict):
    """The result of `form/list`."""

    # The forms.
    forms: Sequence[FormSummary]


class _FormProblem(TypedDict):
    # The location in the definition, as a JSON Pointer.
    path: str
    # An `error`: the file is not used. A `warning`: the file is used, but probably not as intended.
    severity: Severity
    # The kind of problem, for programs.
    code: str
    # What is wrong, in one sentence.
    message: str


class FormProblem(_FormProblem, total=False):
    """A problem of a form's file, or of the configuration."""

    # The file or folder.
    file: str
    # The line, from 1.
    line: int
    # The column, from 1.
    column: int
    # What to write instead, or what to do.
    remedy: str


class _FormSchema(TypedDict):
    # The form's name.
    form: str
    # The schema of the form's values.
    schema: Mapping[str, Any]


class FormSchema(_FormSchema, total=False):
    """The result of `form/schema`."""

    # The requested language.
    requestedLocale: str
    # The language of the texts: the form's closest language to the requested one.
    locale: str


class FormStatistics(TypedDict):
    """What the sessions of a form have done."""

    # The form's name; empty for all forms that clients brought along.
    form: str
    # Turns of its sessions.
    turns: int
    # Pieces of work for this form that took so long that they were logged.
    slowTurns: int
    # Run-time errors of its formulas.
    faults: int


class _FormSummary(TypedDict):
    # The form's name.
    form: str
    # The addresses of its fields, in order.
    fields: Sequence[str]
    # Its actions, in order.
    actions: Sequence[str]


class FormSummary(_FormSummary, total=False):
    """A form that the daemon has."""

    # Its default locale.
    locale: str


class FormulaFault(TypedDict):
    """A formula that went wrong."""

    # The formula's name.
    cell: str
    # The formula's place in the definition, as a JSON Pointer.
    at: str
    # The formula.
    formula: str
    # What happened to which types.
    reason: str


class Greeting(TypedDict):
    """The result of `initialize`."""

    # What the daemon can do beyond the protocol; always empty.
    capabilities: Mapping[str, Any]
    serverInfo: ServerProgram
    # Changes with every start of the daemon.
    instanceId: str
    # The version of the protocol.
    protocolVersion: str


class InputAnswer(TypedDict):
    """The result of `session/reset`, `session/undo`, `session/redo`, `session/setLocale`, `session/setContext`,
    `field/change`, `field/focus`, `field/blur`, `field/remove`, `field/move`, `field/toggle`, `field/fail`,
    `step/show`, `action/cancel`."""

    # The session's revision after the input.
    revision: int


class _InsertAnswer(TypedDict):
    # The session's revision after the input.
    revision: int


class InsertAnswer(_InsertAnswer, total=False):
    """The result of `field/insert`."""

    # The new row's identity, if `values` was not sent.
    row: str
    # The new rows' identities, in order, if `values` was sent.
    rows: Sequence[str]


class InvalidParamsData(TypedDict):
    """The data of the error -32602: Invalid params."""

    # All problems of invalid params.
    errors: Sequence[ParamsProblem]


class InvalidRequestData(TypedDict, total=False):
    """The data of the error -32600: Invalid Request."""

    # Why the text, the envelope or the request was refused.
    reason: ErrorReason
    # The location at which the text is too deep or too large, as a JSON Pointer.
    path: str


class InvalidValue(TypedDict):
    """An error in a set of values."""

    # The location in the values that were sent, as a JSON Pointer; elements of lists are given by position. Empty for
    # the form as a whole.
    path: str
    # The kind of error: the id of a rule or a check, or a keyword of JSON Schema.
    code: str
    # The message, for people.
    message: str


class _KeptSessionInfo(TypedDict):
    # Its number.
    session: int
    # The form's name.
    form: str
    # How long ago it was opened.
    ageMs: int
    # How many connections have it.
    connections: int
    # Bytes of memory that it takes.
    bytes: int


class KeptSessionInfo(_KeptSessionInfo, total=False):
    """A kept session, as an operator sees it."""

    # When it ends if no client attaches. Absent while a client has it or an action runs.
    endsInMs: int


class Limits(TypedDict):
    """The limits in force, by name."""

    # Bytes of one text; a larger text fails with -32007.
    textBytesMax: int
    # Nesting depth of arrays and objects in one text.
    depthMax: int
    # Values in one text.
    nodesMax: int
    # Members of a batch.
    batchMax: int
    # Open connections, or fewer if the process may not open as many files. Seats for operators are extra.
    connectionsMax: int
    # Sessions of one connection.
    sessionsPerConnectionMax: int
    # Sessions of all connections.
    sessionsMax: int
    # Sessions that outlive their connections, whether a client has them or not, in memory and in the store of all
    # daemons.
    keptSessionsMax: int
    # Milliseconds that a session may be kept when no client has it. More than a day (86400000) needs a store.
    keepMax: int
    # Bytes of values, outputs, results and answers that the sessions of one connection hold.
    valueBytesPerConnectionMax: int
    # Bytes of values, outputs, results and answers that all sessions hold.
    valueBytesMax: int
    # Sessions of one connection with a definition of their own.
    definitionsPerConnectionMax: int
    # Sessions of all connections with a definition of their own.
    definitionsMax: int
    # Bytes of one definition.
    definitionBytesMax: int
    # Milliseconds that one definition may take to compile; a slower one fails with 1011.
    definitionMs: int
    # Bytes of one connection's unfinished answers to batches; further members are refused with 1012.
    batchBytesMax: int
    # Bytes of unread input and unfinished texts of all connections. A client that needs more gets 1011 and is
    # disconnected.
    unreadBytesMax: int
    # Bytes of everything that clients make the daemon keep or queue. A client that needs more gets 1011.
    memoryMax: int
    # Requests of one connection that wait for an outcome.
    requestsInFlightMax: int
    # Providers of one connection.
    providersPerConnectionMax: int
    # Bytes of unsent output of one connection; above it, updates are held back and no input is read.
    outputSoftBytes: int
    # Bytes of events that are kept for one session, of its update that is held back for a slow reader, and of its
    # changes that wait for the store.
    outputHardBytes: int
    # Number of events that are kept for one session: for a client that does not read, or that comes back.
    eventsKeptMax: int
    # Errors of the schema that one field lists. If there are more, a last one gives their number.
    errorsPerFieldMax: int
    # Rows of all lists of one session; an input that would make more is refused with 1012.
    rowsMax: int
    # Edits that one session of a form with undo keeps; the oldest are dropped.
    undoMax: int
    # Bytes of the edits that one session of a form with undo keeps; the oldest are dropped.
    undoBytesMax: int
    # Milliseconds after which a connection over outputSoftBytes ends if its client reads nothing.
    stallMs: int
    # Milliseconds that the daemon waits for accepted requests when it ends.
    drainMs: int


class LoadedForms(TypedDict):
    """The result of `forms/watch`."""

    # The names of the forms that the daemon has now, in order.
    forms: Sequence[str]
    # What is wrong with the files. A form whose file is broken stays as it was.
    problems: Sequence[FormProblem]


class _LookupExplanation(TypedDict):
    phase: InquiryPhase
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]


class LookupExplanation(_LookupExplanation, total=False):
    """The reasons for the state of a lookup."""

    # The formula that says when the lookup asks.
    when: str
    # Why the lookup failed.
    error: str


class LookupState(TypedDict, total=False):
    """The state of a lookup."""

    # Whether the lookup waits for an answer.
    isLoading: bool
    # The value that the lookup has found.
    value: Any
    # Why the lookup has failed.
    error: str


class MemoryGauges(TypedDict):
    """Memory that the daemon keeps or queues for clients."""

    # Values that sessions keep for their clients.
    values: int
    # The sessions themselves, and definitions from clients.
    sessions: int
    # Input that is not handled yet.
    unread: int
    # Output that is not sent yet, and data that will become output.
    queued: int


class _MethodNotFoundData(TypedDict):
    # The unknown method.
    method: str


class MethodNotFoundData(_MethodNotFoundData, total=False):
    """The data of the error -32601: Method not found."""

    # The closest known name.
    closest: str


class _OpenedSession(TypedDict):
    # The session's number, for all further calls.
    session: int
    # 0.
    revision: int
    # The output document.
    document: Document
    # The values, without secrets.
    values: Mapping[str, Any]


class OpenedSession(_OpenedSession, total=False):
    """The result of `session/open`."""

    # With `keep`: the key for `session/attach`. Every client that knows the key can have the session.
    key: str


class OverloadedData(TypedDict, total=False):
    """The data of the error 1011: The daemon has reached a limit."""

    # The limit that was reached.
    limit: LimitName
    # The value of that limit.
    value: int
    # How many milliseconds to wait before another attempt.
    retryAfterMs: int
    # Why the text, the envelope or the request was refused.
    reason: ErrorReason


class _ParamsProblem(TypedDict):
    # The location, as a JSON Pointer.
    path: str
    # `type`, `value`, `required`, `unknown`, `computed` or `readOnly`. Faults of definitions have codes of their own.
    code: str
    # What was expected.
    expected: str


class ParamsProblem(_ParamsProblem, total=False):
    """A problem of params."""

    # What is wrong with a definition.
    message: str


class ParseErrorData(TypedDict):
    """The data of the error -32700: Parse error."""

    # Why the text, the envelope or the request was refused.
    reason: ErrorReason
    # The position of the problem in the text, in bytes.
    offset: int


class _PendingInquiry(TypedDict):
    phase: InquiryPhase


class PendingInquiry(_PendingInquiry, total=False):
    """A check or a lookup in progress."""

    # The check's id.
    check: str
    # The lookup's name.
    lookup: str


class _Pong(TypedDict):
    # Changes with every start.
    instanceId: str


class Pong(_Pong, total=False):
    """The result of `server/ping`."""

    # Why the daemon is not ready for clients, for people: the store, its forms, or its end. Absent if it is ready.
    notReady: Sequence[str]


class ProcessUsage(TypedDict):
    """Resources that the daemon's process has used."""

    # How long the daemon has been running.
    uptimeMs: int
    # Processor time that the daemon has used.
    cpuMs: int
    # Bytes of memory that the daemon has from the system.
    residentBytes: int


class _ProviderCall(TypedDict):
    # The provider's name.
    name: str
    # The arguments of the form's question.
    arguments: Mapping[str, Any]


class ProviderCall(_ProviderCall, total=False):
    """The params of `provider/evaluate`."""

    # Of an action with `idempotency`: a key that is the same in all questions of one tap, to all providers, and
    # different for every other tap.
    idempotencyKey: str


class ProviderInfo(TypedDict):
    """A provider, as an operator sees it."""

    # Its name.
    name: str
    # How many connections hold the name.
    holders: int
    # How many connections may hold it, by the configuration.
    holdersMax: int
    # How many questions to it have no answer.
    questions: int


class ProviderName(TypedDict):
    """A provider's name."""

    # The name.
    name: str


class QueueGauges(TypedDict):
    """Work that waits or is under way."""

    # Connections that wait for their turn.
    turns: int
    # Requests that wait for an outcome.
    requests: int
    # Requests to services, databases and providers that are under way.
    effects: int
    # Definitions that are being compiled, or wait for it.
    compiling: int
    # Timers that are set.
    timers: int
    # Writes of kept sessions that wait for the store.
    store: int


class QuotaExceededData(TypedDict):
    """The data of the error 1012: This connection has reached a limit."""

    # The limit that was reached.
    limit: LimitName
    # The value of that limit.
    value: int


class ReloadOutcome(TypedDict):
    """The result of `server/reload`."""

    # Whether the daemon has taken over the configuration and the forms. If not, nothing has changed.
    reloaded: bool
    # The names of the settings that have changed.
    changed: Sequence[str]
    # The names of the forms that are new, have changed or are gone.
    changedForms: Sequence[str]
    # The names of changed settings that need a restart. They stay as they were.
    needRestart: Sequence[str]
    # How many forms the daemon has now.
    forms: int
    # What is wrong with the configuration, if it was refused. Otherwise what is wrong with the forms' files.
    problems: Sequence[FormProblem]


class RequestCancelledData(TypedDict, total=False):
    """The data of the error -32800: Request cancelled."""

    # Why the text, the envelope or the request was refused.
    reason: ErrorReason


class RoleNeededData(TypedDict):
    """The data of the error 1015: This user does not have the needed role."""

    # The role that the client's user does not have.
    role: Literal["client", "provider", "operator"]


class RowState(TypedDict, total=False):
    """The state of a row. In a row and its fields, members with their default are absent."""

    # Whether the field is shown.
    isVisible: bool
    # Whether the field can be changed.
    isEnabled: bool
    # Whether the field must have a value, if the object around it has one.
    isRequired: bool
    # Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid.
    isValid: bool
    # Whether a check of the field is in progress, or a lookup for its options.
    isPending: bool
    # Whether the value differs from the initial value.
    isDirty: bool
    # Whether the user has left the field once.
    isTouched: bool
    # Whether the field has no value, or is hidden.
    isEmpty: bool
    # All errors of the field.
    errors: Sequence[FormError]
    # The choices that a formula gives. A list has the choices that are equal for all its rows, by address.
    options: Union[Sequence[Choice], Mapping[str, Sequence[Choice]]]
    # What the input shows, if the field reads what people type.
    text: str
    # Why the field cannot be changed, if its form says it.
    reason: str
    # The identities of a list's rows, in order.
    order: Sequence[str]
    # The fields inside of it, by name.
    fields: Mapping[str, FieldState]
    # The rows of a list, by identity.
    rows: Mapping[str, RowState]
    # The computed outputs of the row, by name.
    outputs: Mapping[str, Any]
    # The lookups of the row, by name.
    lookups: Mapping[str, LookupState]


class _RpcError(TypedDict):
    # The error's code.
    code: int
    # One sentence.
    message: str


class RpcError(_RpcError, total=False):
    """An error object of JSON-RPC."""

    # Details for programs.
    data: ErrorData


class ServerDraining(TypedDict):
    """The params of `server/draining`."""

    # Accepted requests are answered within this number of milliseconds.
    withinMs: int


class ServerInfo(TypedDict):
    """The result of `server/info`."""

    # formd
    name: str
    # Its version.
    version: str
    # The version of the protocol.
    protocolVersion: str
    # Changes with every start.
    instanceId: str
    # Its process.
    pid: int
    # How many forms it has.
    forms: int
    # The limits in force, by name.
    limits: Limits


class ServerProgram(TypedDict):
    """A program and its version."""

    # formd
    name: str
    # Its version.
    version: str


class ServerRejected(TypedDict):
    """The params of `server/rejected`."""

    # The notification's method.
    method: MethodName
    # The error that a request would have been answered with.
    error: RpcError


class _ServerStatistics(TypedDict):
    # Connections that are open.
    connections: int
    # Sessions that are open.
    sessions: int
    # Sessions that are kept, whether a client has them or not.
    keptSessions: int
    # Registrations of providers: the connections that hold each name, added up.
    providerHolders: int
    # Connections that have not answered their last calls to a provider in time. They are asked if no other can be.
    providerHoldersPassedOver: int
    # Services that are not asked now because they have failed too often (`breaker`).
    servicesPassedOver: int
    # Connections since the start.
    connectionsAccepted: int
    # Connections that were refused: peers of another user, and connections beyond the limit.
    connectionsRefused: int
    # Connections that were ended because the client read nothing for too long.
    connectionsStalled: int
    # Sessions since the start.
    sessionsOpened: int
    # Requests.
    requests: int
    # Notifications.
    notifications: int
    # Notifications of methods that do not exist, or that make no sense without an answer.
    notificationsIgnored: int
    # Notifications answered by `server/rejected`.
    notificationsRejected: int
    # Updates that were written.
    updates: int
    # Updates that a slow reader got as part of a later one.
    updatesHeldBack: int
    # How often a slow reader was notified that updates are lost.
    desyncs: int
    # Requests answered with an error.
    errors: int
    # Texts and envelopes that could not be accepted.
    badTexts: int
    # Answers to requests that the daemon did not make.
    unknownResponses: int
    # Requests to services, databases and providers.
    effectsStarted: int
    # Requests to services, databases and providers that were refused, timed out or failed.
    effectsFailed: int
    # Run-time errors of formulas.
    faults: int
    # Pieces of work (for a message, a timer, or the answer to an effect) that took so long that they were logged.
    slowTurns: int
    # How often the forms were reloaded.
    reloads: int
    # How often a reload was refused because the configuration is broken.
    reloadsRefused: int
    # Files of forms that are broken or cannot be read, and of which the daemon has no earlier form.
    brokenForms: int
    # Kept sessions that ended because they could not be stored.
    storeFailures: int
    # What clients make the daemon keep or queue, in bytes.
    memory: MemoryGauges
    # Work that waits or is under way.
    queues: QueueGauges
    # How long turns took: messages of clients, timers of sessions, answers to effects.
    turnTime: TimeHistogram
    # Resources that the process has used.
    process: ProcessUsage


class ServerStatistics(_ServerStatistics, total=False):
    """The result of `server/stats`."""

    # Why the store of kept sessions does not answer or cannot be written now; absent if it is well.
    storeProblem: str
    # The store of kept sessions; absent if the daemon has none.
    store: StoreStatistics
    # The connections, as many as were requested.
    topClients: Sequence[ConnectionInfo]
    # The kept sessions, as many as were requested. Their keys are never shown.
    kept: Sequence[KeptSessionInfo]
    # The registered providers, as many as were requested.
    providers: Sequence[ProviderInfo]
    # The services, databases and providers that were asked, if requested.
    targets: Sequence[TargetStatistics]
    # The codes of errors that were answers, if requested.
    errorCodes: Sequence[ErrorStatistics]
    # The forms whose sessions had turns, if requested.
    forms: Sequence[FormStatistics]


class SessionClosed(TypedDict):
    """The params of `session/closed`."""

    # The session.
    session: int
    # Why: the client called `shutdown`, the daemon ends, another client or an operator has closed the session, it
    # could not be stored (`store`), somebody has taken it at another daemon (`moved`), or this daemon was cut off and
    # has lost it (`lost`).
    reason: ClosedReason


class SessionDesync(TypedDict):
    """The params of `session/desync`."""

    # The session.
    session: int
    # The session's revision now.
    revision: int
    # Events that were not delivered and never will be.
    eventsLost: int


class SessionList(TypedDict):
    """The result of `session/list`."""

    # The sessions.
    sessions: Sequence[SessionSummary]


class SessionSummary(TypedDict):
    """A session of the connection."""

    # The session.
    session: int
    # Its form.
    form: str
    # Its revision.
    revision: int


class _StepDescription(TypedDict):
    # The step's id.
    id: str
    # The addresses of its fields. Fields inside of them are in the step, too.
    fields: Sequence[str]


class StepDescription(_StepDescription, total=False):
    """A step, as a program draws it."""

    # Its name for the user.
    label: str


class _StepExplanation(TypedDict):
    # Whether no error of the step blocks.
    isValid: bool


class StepExplanation(_StepExplanation, total=False):
    """The reasons for the state of a step."""

    # Why the step is not valid.
    because: Sequence[ExplainedError]
    # The formula that hides the step.
    hiddenBy: str
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]


class StepState(TypedDict, total=False):
    """The state of a step."""

    # Whether the step is shown.
    isVisible: bool
    # Whether all fields of the step are valid.
    isValid: bool
    # Whether a check of one of its fields is in progress.
    isPending: bool
    # Whether the user has left one of its fields once.
    isTouched: bool


class StoreCopy(TypedDict):
    """The result of `server/backup`."""

    # The size of the copy.
    bytes: int


class _StoreStatistics(TypedDict):
    # Whether the store answers and can be written.
    isUp: bool
    # How long writes of sessions took until they were committed.
    commitTime: TimeHistogram


class StoreStatistics(_StoreStatistics, total=False):
    """The store of kept sessions."""

    # How much of the lease is left; 0 after its end. Absent if only one daemon uses the store.
    leaseMs: int
    # How many sessions the store has: the sessions of all daemons, in memory or not. Absent until it is known.
    sessions: int


class _TapAnswer(TypedDict):
    # The session's revision after the input.
    revision: int


class TapAnswer(_TapAnswer, total=False):
    """The result of `action/tap`."""

    # What happened to the tap. With `await` it is present only if a throttle or debounce dropped the tap.
    outcome: TapOutcome
    # The run that was started.
    run: int
    # Why the tap was rejected.
    blockers: Sequence[Blocker]
    event: Event
    # With `document`: the output document, with the effects of the tap that are known then.
    document: Document


class TargetFailures(TypedDict):
    """Failures of one kind."""

    # The kind, as `response.kind` of formulas names it.
    kind: str
    # How many there were.
    count: int


class _TargetStatistics(TypedDict):
    # `service`, `database` or `provider`.
    part: str
    # The name in the forms and in the configuration.
    name: str
    # How long the answers took, failures included.
    answerTime: TimeHistogram


class TargetStatistics(_TargetStatistics, total=False):
    """How a service, a database or a provider has answered."""

    # The failures by kind.
    failures: Sequence[TargetFailures]


class _TextCause(TypedDict):
    # The location in the values, as a JSON Pointer.
    path: str
    # The keyword of JSON Schema that the value violates.
    code: str
    # The error's range in the text.
    range: TextRange


class TextCause(_TextCause, total=False):
    """Why a value does not match an alternative."""

    # The range of the member's name.
    keyRange: TextRange


class _TextError(TypedDict):
    # The location in the values, as a JSON Pointer; elements of lists are given by position.
    path: str
    # The kind of error: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or a problem of the
    # text itself.
    code: str
    # An `error`: the text cannot be read there, or the value is not valid. A `warning`: the text is accepted, but
    # probably not as intended.
    severity: Severity
    # The message, for people.
    message: str
    # The error's range in the text: the value. If the value is missing: the name of the object that lacks it, or its
    # opening bracket.
    range: TextRange


class TextError(_TextError, total=False):
    """An error in a text."""

    # The source of the error, as in documents. Absent if the text cannot be read there.
    source: ErrorSource
    # The parameters of the message, by name.
    params: Mapping[str, Any]
    # The range of the member's name. If the member is missing: the range of the name of the object that lacks it.
    keyRange: TextRange
    # What to write instead, if that is clear.
    fix: TextFix
    # Why the value does not match the closest alternative, if it matches none of several.
    causes: Sequence[TextCause]


class TextFix(TypedDict):
    """A replacement in a text."""

    # The range that is replaced.
    range: TextRange
    # The new text.
    text: str


class TextPosition(TypedDict):
    """A position in a text."""

    # The line, from 0.
    line: int
    # The characters of the line before the position.
    character: int


class TextRange(TypedDict):
    """A range of a text."""

    # The position of the first character.
    start: TextPosition
    # The position after the last character.
    end: TextPosition


class TextTooLargeData(TypedDict):
    """The data of the error -32007: The text is too large."""

    # The limit that was reached.
    limit: LimitName
    # The value of that limit.
    value: int


class TextValidation(TypedDict):
    """The result of `text/validate`."""

    # Whether the text can be read, and its values are valid.
    isValid: bool
    # The errors: first in the text, then in its values in the order of the form's fields, then of the form as a
    # whole.
    errors: Sequence[TextError]
    # Whether there are more errors than are listed.
    isTruncated: bool


class TimeBucket(TypedDict):
    """How many durations are up to a bound."""

    # The bound.
    microsecondsMax: int
    # How many took at most as long as the bound.
    count: int


class TimeHistogram(TypedDict):
    """A distribution of durations."""

    # How many there were.
    count: int
    # The sum of all durations.
    totalMicroseconds: int
    # How many took at most as long as each bound, in ascending order.
    buckets: Sequence[TimeBucket]


class _UnknownActionData(TypedDict):
    # The unknown action.
    action: str


class UnknownActionData(_UnknownActionData, total=False):
    """The data of the error 1005: Unknown action."""

    # The closest known name.
    closest: str


class UnknownConnectionData(TypedDict):
    """The data of the error 1002: Unknown connection."""

    # The unknown connection.
    connection: int


class _UnknownFieldData(TypedDict):
    # The unknown field.
    field: str


class UnknownFieldData(_UnknownFieldData, total=False):
    """The data of the error 1004: Unknown field."""

    # The closest known name.
    closest: str
    # Why the text, the envelope or the request was refused.
    reason: ErrorReason


class _UnknownFormData(TypedDict):
    # The unknown form.
    form: str


class UnknownFormData(_UnknownFormData, total=False):
    """The data of the error 1003: Unknown form."""

    # The closest known name.
    closest: str
    # Why the text, the envelope or the request was refused.
    reason: ErrorReason


class UnknownProviderData(TypedDict):
    """The data of the error 1006: Unknown provider."""

    # The provider's name.
    name: str


class UnknownSessionData(TypedDict, total=False):
    """The data of the error 1001: Unknown session."""

    # The unknown session.
    session: int


class _UnknownStepData(TypedDict):
    # The unknown or hidden step.
    step: str


class UnknownStepData(_UnknownStepData, total=False):
    """The data of the error 1008: Unknown step."""

    # The closest known name.
    closest: str
    # Why the text, the envelope or the request was refused.
    reason: ErrorReason


_UpdateWords = TypedDict("_UpdateWords", {"from": "int"})


class _Update(TypedDict):
    # The session.
    session: int
    # The session's revision now.
    revision: int
    # The cause of the last turn: the input's method, `timer` or `effect`.
    cause: Cause
    # A JSON Merge Patch (RFC 7396) against the document.
    patch: Mapping[str, Any]


class Update(_Update, _UpdateWords, total=False):
    """The params of `session/update`."""

    # Values that the daemon changed, by address, such as values that a reset restored.
    values: Mapping[str, Any]
    # The addresses of the values that the daemon removed.
    absent: Sequence[str]
    # The results of actions.
    events: Sequence[Event]


class Validation(TypedDict):
    """The result of `form/validate`."""

    # Whether the values are valid. With `only`, whether those fields are.
    isValid: bool
    # The values, normalized and with computed ones, without hidden fields and without secrets.
    values: Mapping[str, Any]
    # The errors that make the values invalid, in the order of the fields; errors of the form as a whole come last.
    errors: Sequence[InvalidValue]
    # The output document.
    document: Document


class _ValueExplanation(TypedDict):
    # The values that the formula reads, by name. A secret's value is never in it.
    reads: Mapping[str, Any]


class ValueExplanation(_ValueExplanation, total=False):
    """The formula that gives a field its value: `computed` or `suggested`."""

    # The formula of `computed`.
    computed: str
    # The formula of `suggested`.
    suggested: str


class WrongTokenData(TypedDict):
    """The data of the error 1009: The provider's token is missing or wrong."""

    # The provider's name.
    name: str


class CancelRequestParams(TypedDict):
    """The params of `$/cancelRequest`."""

    # The request's id.
    id: Union[str, int]


class SessionOpenParams(TypedDict, total=False):
    """The params of `session/open`."""

    # A form's name.
    form: str
    # A form definition.
    definition: Mapping[str, Any]
    # The language of messages: `ko`, `en-GB`.
    locale: str
    # The time zone that decides what `today` is: `Europe/Zurich`, `UTC`; else the daemon's.
    zone: str
    # Initial values.
    values: Mapping[str, Any]
    # The values that formulas read as `context`; the form's `context` admits them.
    context: Mapping[str, Any]
    # Shows every message at once, regardless of the fields' policies.
    show: Literal["always"]
    # Limits what updates contain.
    watch: Sequence[str]
    # How long the session is kept when no client has it, such as `10m`. Without it, the session ends with its
    # connection.
    keep: str
    # Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
    # for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
    onlyPublic: bool


class _SessionAttachParams(TypedDict):
    # The session's key.
    key: str


class SessionAttachParams(_SessionAttachParams, total=False):
    """The params of `session/attach`."""

    # The last event that the client knows, 0 for none. Later events are sent again.
    seq: int
    # Whether the session gets a new key. The old key is then invalid.
    rotate: bool
    # Whether to take the session from another daemon of the same store, even if clients have it there. Their
    # `session/closed` has the reason `moved`.
    take: bool
    # Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
    # for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
    onlyPublic: bool


class SessionDetachParams(TypedDict, total=False):
    """The params of `session/detach`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class SessionCloseParams(TypedDict, total=False):
    """The params of `session/close`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class SessionGetParams(TypedDict, total=False):
    """The params of `session/get`."""

    # The session; may be left out if the connection has exactly one.
    session: int
    # Adds `explanation`: the reasons for the content of the document.
    explain: bool


class SessionResetParams(TypedDict, total=False):
    """The params of `session/reset`."""

    # The session; may be left out if the connection has exactly one.
    session: int
    # The address of a field: only this field, with all fields inside it, goes back to its beginning. Without it, the
    # whole session does.
    field: str
    # Keeps the values; they become the initial ones. Only for the whole session, without `field`.
    keepValues: bool


class SessionUndoParams(TypedDict, total=False):
    """The params of `session/undo`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class SessionRedoParams(TypedDict, total=False):
    """The params of `session/redo`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _SessionSetLocaleParams(TypedDict):
    # The language of messages: `ko`, `en-GB`.
    locale: str


class SessionSetLocaleParams(_SessionSetLocaleParams, total=False):
    """The params of `session/setLocale`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _SessionSetContextParams(TypedDict):
    # The context. It replaces the context before, as a whole.
    context: Mapping[str, Any]


class SessionSetContextParams(_SessionSetContextParams, total=False):
    """The params of `session/setContext`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class FieldChangeParams(TypedDict, total=False):
    """The params of `field/change`."""

    # The session; may be left out if the connection has exactly one.
    session: int
    # An address: a field's name, or a JSON Pointer.
    field: str
    # The value; `null` removes it. A row that is set to `null` is emptied and stays in the list.
    value: Any
    # Values by address, in place of `field` and `value`.
    values: Mapping[str, Any]
    # The origin of the change. Only `user`, the default, sets `isEdited`; changes of `user` and `autofill` can be
    # undone.
    origin: Literal["user", "autofill", "restore", "program"]
    # Whether an input method is composing: the value counts, and new messages wait.
    composing: bool
    # Whether the change also ends the editing, as a blur does.
    commit: bool


class _FieldFocusParams(TypedDict):
    # The field's address: a name, or a JSON Pointer.
    field: str


class FieldFocusParams(_FieldFocusParams, total=False):
    """The params of `field/focus`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _FieldBlurParams(TypedDict):
    # The field's address: a name, or a JSON Pointer.
    field: str


class FieldBlurParams(_FieldBlurParams, total=False):
    """The params of `field/blur`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _FieldInsertParams(TypedDict):
    # The list's address.
    field: str


class FieldInsertParams(_FieldInsertParams, total=False):
    """The params of `field/insert`."""

    # The session; may be left out if the connection has exactly one.
    session: int
    # The position or the row before which the new rows are inserted. Without it, or if it is the number of rows, they
    # are added at the end.
    at: Union[int, str]
    # The value of the new row. Without it, the row has the schema's defaults.
    value: Any
    # The values of several new rows, in place of `value`.
    values: Sequence[Any]


class _FieldRemoveParams(TypedDict):
    # The address of a row, or of a member.
    field: str


class FieldRemoveParams(_FieldRemoveParams, total=False):
    """The params of `field/remove`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _FieldMoveParams(TypedDict):
    # The row's address.
    field: str
    # The row's position after the move, or the row before which it is moved.
    to: Union[int, str]


class FieldMoveParams(_FieldMoveParams, total=False):
    """The params of `field/move`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _FieldToggleParams(TypedDict):
    # The address of a multiple choice.
    field: str
    # The value of the choice.
    value: Any


class FieldToggleParams(_FieldToggleParams, total=False):
    """The params of `field/toggle`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _FieldFailParams(TypedDict):
    # The field's address: a name, or a JSON Pointer.
    field: str
    # The message for the user.
    message: str


class FieldFailParams(_FieldFailParams, total=False):
    """The params of `field/fail`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class _StepShowParams(TypedDict):
    # The step's id.
    step: str


class StepShowParams(_StepShowParams, total=False):
    """The params of `step/show`."""

    # The session; may be left out if the connection has exactly one.
    session: int


_ActionTapParamsOptions = TypedDict("_ActionTapParamsOptions", {"await": "bool"}, total=False)


class _ActionTapParams(TypedDict):
    # The action's name.
    action: str


class ActionTapParams(_ActionTapParams, _ActionTapParamsOptions, total=False):
    """The params of `action/tap`."""

    # The session; may be left out if the connection has exactly one.
    session: int
    # Whether the answer has the document as it is then.
    document: bool


class _ActionCancelParams(TypedDict):
    # The action's name.
    action: str


class ActionCancelParams(_ActionCancelParams, total=False):
    """The params of `action/cancel`."""

    # The session; may be left out if the connection has exactly one.
    session: int


class FormDescribeParams(TypedDict, total=False):
    """The params of `form/describe`."""

    # A form's name.
    form: str
    # A form definition.
    definition: Mapping[str, Any]
    # The session whose form is meant.
    session: int
    # The language of texts. The default is the session's language, or the form's default locale.
    locale: str


class FormSchemaParams(TypedDict, total=False):
    """The params of `form/schema`."""

    # A form's name.
    form: str
    # A form definition.
    definition: Mapping[str, Any]
    # The session whose form is meant.
    session: int
    # The language of texts. The default is the session's language, or the form's default locale.
    locale: str


class FormValidateParams(TypedDict, total=False):
    """The params of `form/validate`."""

    # A form's name.
    form: str
    # A form definition.
    definition: Mapping[str, Any]
    # The values.
    values: Mapping[str, Any]
    # The language of messages.
    locale: str
    # The values that formulas read as `context`; the form's `context` admits them.
    context: Mapping[str, Any]
    # The time zone that decides what `today` is. The default is the daemon's.
    zone: str
    # Runs the asynchronous checks and the lookups too; the answer waits for them.
    checks: bool
    # Addresses of fields. `isValid` and `errors` are only about these fields and the fields inside them, and only
    # their checks run.
    only: Sequence[str]


class _TextValidateParams(TypedDict):
    # The text.
    text: str
    # The language of the text.
    language: TextLanguage


class TextValidateParams(_TextValidateParams, total=False):
    """The params of `text/validate`."""

    # A form's name.
    form: str
    # A form definition.
    definition: Mapping[str, Any]
    # How ranges count characters: in UTF-8 bytes, UTF-16 code units, or code points. The default is `utf-16`.
    encoding: PositionEncoding
    # The language of messages.
    locale: str
    # The values that formulas read as `context`; the form's `context` admits them.
    context: Mapping[str, Any]
    # The time zone that decides what `today` is. The default is the daemon's.
    zone: str
    # Runs the asynchronous checks and the lookups too; the answer waits for them.
    checks: bool
    # `apply`: values that the text lacks get the schema's defaults. `ignore`: they are absent. The default is
    # `apply`.
    defaults: Literal["apply", "ignore"]
    # How many errors are listed at most, from 1 to 10,000. The default is 100.
    errorsMax: int


class _ProviderRegisterParams(TypedDict):
    # The provider's name.
    name: str


class ProviderRegisterParams(_ProviderRegisterParams, total=False):
    """The params of `provider/register`."""

    # The token that the configuration has for this name. It is ignored if the configuration has none.
    token: str


class ProviderUnregisterParams(TypedDict):
    """The params of `provider/unregister`."""

    # The provider's name.
    name: str


class ServerStatsParams(TypedDict, total=False):
    """The params of `server/stats`."""

    # How many connections are listed, at most 10,000; none by default. Connections that have used most time come
    # first.
    top: int
    # How many kept sessions are listed, at most 10,000; none by default. The oldest come first.
    kept: int
    # How many providers are listed, at most 10,000; none by default. They come in the order of their names.
    providers: int
    # Whether the counts with names are listed: of targets, of error codes, of forms.
    named: bool


class ServerDisconnectParams(TypedDict):
    """The params of `server/disconnect`."""

    # The connection's number.
    connection: int


class ServerEndSessionParams(TypedDict):
    """The params of `server/endSession`."""

    # The kept session's number.
    session: int


class ServerBackupParams(TypedDict):
    """The params of `server/backup`."""

    # The absolute path of the copy, for the daemon. No file may be there.
    file: str
