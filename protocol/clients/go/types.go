// Code generated from protocol/openrpc.json by scripts/lib/client_types.py. DO NOT EDIT.

package formd

import "encoding/json"

// The codes of errors.
const (
	CodeParseError        = -32700
	CodeInvalidRequest    = -32600
	CodeMethodNotFound    = -32601
	CodeInvalidParams     = -32602
	CodeTextTooLarge      = -32007
	CodeBatchTooLarge     = -32010
	CodeRequestCancelled  = -32800
	CodeUnknownSession    = 1001
	CodeUnknownConnection = 1002
	CodeUnknownForm       = 1003
	CodeUnknownField      = 1004
	CodeUnknownAction     = 1005
	CodeUnknownProvider   = 1006
	CodeDuplicateProvider = 1007
	CodeUnknownStep       = 1008
	CodeWrongToken        = 1009
	CodeDraining          = 1010
	CodeOverloaded        = 1011
	CodeQuotaExceeded     = 1012
	CodeDisconnected      = 1013
	CodeAttachedElsewhere = 1014
	CodeRoleNeeded        = 1015
)

// The methods of the daemon's own messages.
const (
	PushSessionUpdate    = "session/update"
	PushSessionClosed    = "session/closed"
	PushSessionDesync    = "session/desync"
	PushFormsChanged     = "forms/changed"
	PushServerDraining   = "server/draining"
	PushServerRejected   = "server/rejected"
	PushProviderEvaluate = "provider/evaluate"
)

// ActionDescription: an action, as a program draws it.
type ActionDescription struct {
	// The action's name.
	Name string `json:"name"`

	// Its name for the user.
	Label string `json:"label,omitempty"`

	// The step whose fields are exactly the action's fields. The action belongs on that step's page.
	Step string `json:"step,omitempty"`

	// The step to show when the action has succeeded. If it is hidden, the client shows the next visible step.
	LeadsTo string `json:"leadsTo,omitempty"`
}

// ActionExplanation: why an action is enabled or not.
type ActionExplanation struct {
	// Whether the action is enabled.
	IsEnabled bool `json:"isEnabled"`

	// The formula that enables the action.
	Enabled string `json:"enabled"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads"`

	// Why the scope of an action that is not enabled is invalid.
	Because []ExplainedError `json:"because,omitempty"`

	// The number of runs in progress.
	Running *int64 `json:"running,omitempty"`

	// The number of taps that wait for a run to end.
	Queued *int64 `json:"queued,omitempty"`

	// The number of taps that wait for checks.
	HeldForChecks *int64 `json:"heldForChecks,omitempty"`

	// Whether a throttle or debounce holds a tap.
	HeldForTime *bool `json:"heldForTime,omitempty"`
}

// ActionState: the state of an action.
type ActionState struct {
	// Whether the action can be tapped.
	IsEnabled *bool `json:"isEnabled,omitempty"`

	// Whether a run is in progress.
	IsLoading *bool `json:"isLoading,omitempty"`

	// How often the action has run.
	Attempts *int64 `json:"attempts,omitempty"`

	// The result of the last success.
	Result json.RawMessage `json:"result,omitempty"`

	// The error of the last failure.
	Error json.RawMessage `json:"error,omitempty"`

	// The message of the last outcome.
	Message string `json:"message,omitempty"`

	// Why the action cannot be tapped, if its form says it.
	Reason string `json:"reason,omitempty"`
}

// AttachedElsewhereData: the data of the error 1014: The session is in use at another daemon.
type AttachedElsewhereData struct {
	// The daemon that has the session.
	Instance string `json:"instance"`
}

// AttachedSession: the result of `session/attach`.
type AttachedSession struct {
	// The session's number, for all further calls.
	Session int64 `json:"session"`

	// The form's name.
	Form string `json:"form"`

	// The session's revision.
	Revision int64 `json:"revision"`

	// The output document.
	Document Document `json:"document"`

	// The values, without secrets.
	Values map[string]any `json:"values"`

	// The events after `seq` that are still kept; none without `seq`.
	Events []Event `json:"events"`

	// How many events after `seq` are no longer kept.
	EventsLost int64 `json:"eventsLost"`

	// With `rotate`: the new key.
	Key string `json:"key,omitempty"`

	// Whether the form was changed while no client had the session, and the session was migrated to it.
	IsMigrated bool `json:"isMigrated,omitempty"`
}

// BatchTooLargeData: the data of the error -32010: The batch has too many members.
type BatchTooLargeData struct {
	// The limit that was reached.
	Limit LimitName `json:"limit"`

	// The value of that limit.
	Value int64 `json:"value"`
}

// Blocker: why an action may not run.
type Blocker struct {
	// The field's address; absent for the form as a whole.
	Field string `json:"field,omitempty"`

	// The error's code, `pending` or `disabled`.
	Code string `json:"code"`
}

// CancelRequest: the params of `$/cancelRequest`.
type CancelRequest struct {
	// The request's id.
	ID any `json:"id"`
}

// Cause: one of the names below.
type Cause string

// The values of Cause.
const (
	CauseFieldChange       Cause = "field/change"
	CauseFieldFocus        Cause = "field/focus"
	CauseFieldBlur         Cause = "field/blur"
	CauseFieldInsert       Cause = "field/insert"
	CauseFieldRemove       Cause = "field/remove"
	CauseFieldMove         Cause = "field/move"
	CauseFieldToggle       Cause = "field/toggle"
	CauseFieldFail         Cause = "field/fail"
	CauseStepShow          Cause = "step/show"
	CauseActionTap         Cause = "action/tap"
	CauseActionCancel      Cause = "action/cancel"
	CauseSessionReset      Cause = "session/reset"
	CauseSessionUndo       Cause = "session/undo"
	CauseSessionRedo       Cause = "session/redo"
	CauseSessionSetLocale  Cause = "session/setLocale"
	CauseSessionSetContext Cause = "session/setContext"
	CauseSessionOpen       Cause = "session/open"
	CauseTimer             Cause = "timer"
	CauseEffect            Cause = "effect"
)

// Choice: a value to choose. It has the further members that the form's author gave it.
type Choice struct {
	// The value to be sent.
	Value any `json:"value"`

	// Its name for the user.
	Label string `json:"label,omitempty"`

	// The name of the choices that it belongs to, for the user.
	Group string `json:"group,omitempty"`

	// The text beside it.
	Help string `json:"help,omitempty"`

	// Whether it cannot be chosen. A field's initial value may be such a choice.
	Disabled *bool `json:"disabled,omitempty"`
}

// ClosedReason: one of the names below.
type ClosedReason string

// The values of ClosedReason.
const (
	ClosedReasonShutdown ClosedReason = "shutdown"
	ClosedReasonDraining ClosedReason = "draining"
	ClosedReasonClosed   ClosedReason = "closed"
	ClosedReasonStore    ClosedReason = "store"
	ClosedReasonMoved    ClosedReason = "moved"
	ClosedReasonLost     ClosedReason = "lost"
)

// ClosedSession: the result of `session/close`, `server/endSession`.
type ClosedSession struct {
	// The session that was closed.
	Session int64 `json:"session"`
}

// ConnectionInfo: a client, as an operator sees it.
type ConnectionInfo struct {
	// Its number.
	Connection int64 `json:"connection"`

	// The user whose process it is.
	UID *int64 `json:"uid,omitempty"`

	// The process that has connected.
	PID *int64 `json:"pid,omitempty"`

	// How long it has been connected.
	AgeMs int64 `json:"ageMs"`

	// Its sessions.
	Sessions int64 `json:"sessions"`

	// Bytes of memory that it makes the daemon keep or queue.
	Bytes int64 `json:"bytes"`

	// Bytes of output that the client has not read.
	UnsentBytes int64 `json:"unsentBytes"`

	// How many turns it had: its messages, the timers of its sessions and the answers to their effects.
	Turns int64 `json:"turns"`

	// How long these turns took.
	Microseconds int64 `json:"microseconds"`
}

// CurrentSession: the result of `session/get`.
type CurrentSession struct {
	// The session.
	Session int64 `json:"session"`

	// The form's name.
	Form string `json:"form"`

	// The session's revision.
	Revision int64 `json:"revision"`

	// The output document.
	Document Document `json:"document"`

	// The values, without secrets.
	Values map[string]any `json:"values"`

	// The reasons for the document's content.
	Explanation *Explanation `json:"explanation,omitempty"`
}

// DetachedSession: the result of `session/detach`.
type DetachedSession struct {
	// The session that this connection no longer has.
	Session int64 `json:"session"`
}

// Document: the output document of a session. If the session is opened with `watch`, it has only the watched parts.
type Document struct {
	// Whether no error blocks the form, and no check is in progress.
	IsValid bool `json:"isValid"`

	// Whether a check is in progress.
	IsPending bool `json:"isPending"`

	// Whether a value differs from its initial value.
	IsDirty bool `json:"isDirty"`

	// The errors that belong to no field.
	Errors []FormError `json:"errors"`

	// The id of the step that is shown.
	Step string `json:"step,omitempty"`

	// Whether a user can take an edit back.
	CanUndo *bool `json:"canUndo,omitempty"`

	// Whether a user can repeat an edit that was taken back.
	CanRedo *bool `json:"canRedo,omitempty"`

	// The messages to be shown, by the address of the field.
	Messages map[string]string `json:"messages"`

	// The fields, by name, in the order of the form.
	Fields map[string]FieldState `json:"fields"`

	// The steps, by id, in order; absent in a form without steps.
	Steps map[string]StepState `json:"steps,omitempty"`

	// The lookups, by name; absent in a form without lookups.
	Lookups map[string]LookupState `json:"lookups,omitempty"`

	// The actions, by name, in order.
	Actions map[string]ActionState `json:"actions"`

	// The computed outputs, by name.
	Outputs map[string]any `json:"outputs"`
}

// DuplicateProviderData: the data of the error 1007: The provider is registered already.
type DuplicateProviderData struct {
	// The provider's name.
	Name string `json:"name"`
}

// ErrorData: the data of errors. Each error has some of these members.
type ErrorData struct {
	// All problems of invalid params.
	Errors []ParamsProblem `json:"errors,omitempty"`

	// The unknown method.
	Method string `json:"method,omitempty"`

	// The unknown form.
	Form string `json:"form,omitempty"`

	// The unknown field.
	Field string `json:"field,omitempty"`

	// The unknown action.
	Action string `json:"action,omitempty"`

	// The unknown or hidden step.
	Step string `json:"step,omitempty"`

	// The unknown session.
	Session *int64 `json:"session,omitempty"`

	// The unknown connection.
	Connection *int64 `json:"connection,omitempty"`

	// The limit that was reached.
	Limit LimitName `json:"limit,omitempty"`

	// The value of that limit.
	Value *int64 `json:"value,omitempty"`

	// The provider's name.
	Name string `json:"name,omitempty"`

	// The daemon that has the session.
	Instance string `json:"instance,omitempty"`

	// The role that the client's user does not have.
	Role string `json:"role,omitempty"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`

	// How many milliseconds to wait before another attempt.
	RetryAfterMs *int64 `json:"retryAfterMs,omitempty"`

	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`

	// The position of the problem in the text, in bytes.
	Offset *int64 `json:"offset,omitempty"`

	// The location at which the text is too deep or too large, as a JSON Pointer.
	Path string `json:"path,omitempty"`
}

// ErrorReason: one of the names below.
type ErrorReason string

// The values of ErrorReason.
const (
	ErrorReasonSyntax                 ErrorReason = "syntax"
	ErrorReasonUtf8                   ErrorReason = "utf8"
	ErrorReasonNul                    ErrorReason = "nul"
	ErrorReasonTrailing               ErrorReason = "trailing"
	ErrorReasonTruncated              ErrorReason = "truncated"
	ErrorReasonDepth                  ErrorReason = "depth"
	ErrorReasonNodes                  ErrorReason = "nodes"
	ErrorReasonDuplicateKey           ErrorReason = "duplicateKey"
	ErrorReasonIntegerRange           ErrorReason = "integerRange"
	ErrorReasonRealRange              ErrorReason = "realRange"
	ErrorReasonNulInKey               ErrorReason = "nulInKey"
	ErrorReasonSurrogate              ErrorReason = "surrogate"
	ErrorReasonMemory                 ErrorReason = "memory"
	ErrorReasonContentLengthMissing   ErrorReason = "contentLengthMissing"
	ErrorReasonContentLengthDuplicate ErrorReason = "contentLengthDuplicate"
	ErrorReasonContentLengthInvalid   ErrorReason = "contentLengthInvalid"
	ErrorReasonHeaderSyntax           ErrorReason = "headerSyntax"
	ErrorReasonHeaderTooLong          ErrorReason = "headerTooLong"
	ErrorReasonNotAnObject            ErrorReason = "notAnObject"
	ErrorReasonEmptyBatch             ErrorReason = "emptyBatch"
	ErrorReasonVersion                ErrorReason = "version"
	ErrorReasonId                     ErrorReason = "id"
	ErrorReasonMethod                 ErrorReason = "method"
	ErrorReasonParams                 ErrorReason = "params"
	ErrorReasonShutDown               ErrorReason = "shutDown"
	ErrorReasonSessionClosed          ErrorReason = "sessionClosed"
	ErrorReasonDetached               ErrorReason = "detached"
	ErrorReasonHidden                 ErrorReason = "hidden"
	ErrorReasonRemoved                ErrorReason = "removed"
	ErrorReasonMoved                  ErrorReason = "moved"
	ErrorReasonStore                  ErrorReason = "store"
	ErrorReasonOlder                  ErrorReason = "older"
)

// ErrorSource: one of the names below.
type ErrorSource string

// The values of ErrorSource.
const (
	ErrorSourceSchema ErrorSource = "schema"
	ErrorSourceRule   ErrorSource = "rule"
	ErrorSourceCheck  ErrorSource = "check"
	ErrorSourceServer ErrorSource = "server"
	ErrorSourceFault  ErrorSource = "fault"
)

// ErrorStatistics: how often an error code was an answer.
type ErrorStatistics struct {
	// The code.
	Code int64 `json:"code"`

	// How many requests had it as their answer.
	Count int64 `json:"count"`
}

// Event: the result of a tap, sent once.
type Event struct {
	// The event's number in its session.
	Seq int64 `json:"seq"`

	// The action.
	Action string `json:"action"`

	// The run, if one was started.
	Run *int64 `json:"run,omitempty"`

	// The kind of result.
	Kind EventKind `json:"kind"`

	// The value of a success.
	Result json.RawMessage `json:"result,omitempty"`

	// The value of a failure.
	Error json.RawMessage `json:"error,omitempty"`

	// The outcome's text; of a rejection the reason why the action is not enabled.
	Message string `json:"message,omitempty"`

	// The reasons of a rejection.
	Blockers []Blocker `json:"blockers,omitempty"`
}

// EventKind: one of the names below.
type EventKind string

// The values of EventKind.
const (
	EventKindSucceeded  EventKind = "succeeded"
	EventKindFailed     EventKind = "failed"
	EventKindRejected   EventKind = "rejected"
	EventKindDropped    EventKind = "dropped"
	EventKindSuperseded EventKind = "superseded"
	EventKindCancelled  EventKind = "cancelled"
)

// ExplainedError: an error, or checks in progress, with the reasons.
type ExplainedError struct {
	// The id of a rule or a check, a keyword of JSON Schema, or `pending`.
	Code string `json:"code"`

	// The text for the user; absent for `pending`.
	Message string `json:"message,omitempty"`

	// The values that the text can use, by name.
	Params map[string]any `json:"params,omitempty"`

	// The address of the field, in `because`.
	Field string `json:"field,omitempty"`

	// The rule's formula.
	Rule string `json:"rule,omitempty"`

	// The rule's place in the definition, as a JSON Pointer.
	At string `json:"at,omitempty"`

	// The formula that says when the rule applies.
	When string `json:"when,omitempty"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads,omitempty"`

	// The checks and lookups that `pending` waits for.
	Checks []PendingInquiry `json:"checks,omitempty"`
}

// Explanation: the reasons for the content of a session's document.
type Explanation struct {
	Form FormExplanation `json:"form"`

	// The actions, by name.
	Actions map[string]ActionExplanation `json:"actions"`

	// The fields that need an explanation, by address.
	Fields map[string]FieldExplanation `json:"fields"`

	// The steps, by id; absent in a form without steps.
	Steps map[string]StepExplanation `json:"steps,omitempty"`

	// The lookups, by name; absent in a form without lookups.
	Lookups map[string]LookupExplanation `json:"lookups,omitempty"`
}

// FieldDescription: a field, as a program draws it.
type FieldDescription struct {
	// The field's name.
	Name string `json:"name"`

	// Its address: the name, or a JSON Pointer for a field inside of another.
	Address string `json:"address"`

	// The type of its values; `any` if the schema does not set one.
	Type FieldKind `json:"type"`

	// The schema's `format`.
	Format string `json:"format,omitempty"`

	// How it reads what people type: send the text of the input as typed. The document has it in `text` of the field.
	Read TextReading `json:"read,omitempty"`

	// The control that the form's author asks for.
	Widget string `json:"widget,omitempty"`

	// The definition's hints about the control: `autocomplete`, `inputMode`, `accept`, `maxBytes`, `mediaTypes`,
	// `group`, `ui`.
	Hints map[string]any `json:"hints,omitempty"`

	// Its name for the user.
	Label string `json:"label,omitempty"`

	// The text in the empty field.
	Placeholder string `json:"placeholder,omitempty"`

	// The help text beside it.
	Help string `json:"help,omitempty"`

	// When its messages are shown.
	Show Showing `json:"show"`

	// Whether its value never leaves the daemon.
	IsSecret bool `json:"isSecret"`

	// Whether the schema requires it.
	IsRequired bool `json:"isRequired"`

	// Whether the schema says that the user does not change the value. The field is never enabled.
	ReadOnly bool `json:"readOnly,omitempty"`

	// Whether a formula computes the value. Such a field takes no input.
	Computed bool `json:"computed,omitempty"`

	// Whether a formula suggests the value until it is changed.
	Suggested bool `json:"suggested,omitempty"`

	// The values to choose from, in order.
	Options []Choice `json:"options,omitempty"`

	// Whether a formula computes the options. The document has them in `options` of the field, or of the list around it.
	HasLiveOptions bool `json:"hasLiveOptions,omitempty"`

	// Of a list: whether each element is one of the choices of `items`. `field/toggle` adds and removes one.
	IsMultipleChoice bool `json:"isMultipleChoice,omitempty"`

	// Whether the user may give a text that is not among the choices.
	AdmitsOther bool `json:"admitsOther,omitempty"`

	// Its initial value.
	Initial json.RawMessage `json:"initial,omitempty"`

	// The initial value as people type it, in the language of the texts. Only of a field with `read`.
	InitialText string `json:"initialText,omitempty"`

	// Of a list: the name of the member that identifies its rows.
	Key string `json:"key,omitempty"`

	// Of a list: whether rows without any value are not judged, not sent and not counted.
	IgnoresBlankRows bool `json:"ignoresBlankRows,omitempty"`

	// The minimum length of a text, in code points.
	MinLength *int64 `json:"minLength,omitempty"`

	// The maximum length of a text, in code points.
	MaxLength *int64 `json:"maxLength,omitempty"`

	// A regular expression that a text matches; the first one if there are several.
	Pattern string `json:"pattern,omitempty"`

	// The minimum of a number.
	Minimum json.RawMessage `json:"minimum,omitempty"`

	// The maximum of a number.
	Maximum json.RawMessage `json:"maximum,omitempty"`

	// A number that every value is greater than.
	ExclusiveMinimum json.RawMessage `json:"exclusiveMinimum,omitempty"`

	// A number that every value is less than.
	ExclusiveMaximum json.RawMessage `json:"exclusiveMaximum,omitempty"`

	// Every value is a multiple of this number; the first one if there are several.
	MultipleOf json.RawMessage `json:"multipleOf,omitempty"`

	// The minimum number of elements in a list.
	MinItems *int64 `json:"minItems,omitempty"`

	// The maximum number of elements in a list.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Whether no two elements of a list are equal.
	UniqueItems bool `json:"uniqueItems,omitempty"`

	// The members of its schema whose names begin with `x-`.
	Extensions map[string]any `json:"extensions,omitempty"`

	// The fields inside of it, in order.
	Fields []FieldDescription `json:"fields,omitempty"`

	// What each row of a list is: a field called `*`.
	Items *FieldDescription `json:"items,omitempty"`
}

// FieldExplanation: the reasons for the state of a field.
type FieldExplanation struct {
	// The field's errors.
	Errors []ExplainedError `json:"errors,omitempty"`

	// `shown`, or the condition that the message waits for.
	Message string `json:"message,omitempty"`

	// The formula or the step that hides the field.
	HiddenBy string `json:"hiddenBy,omitempty"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads,omitempty"`

	// The formula that gives the value now.
	Value *ValueExplanation `json:"value,omitempty"`

	// The checks and lookups that the field waits for.
	Pending []PendingInquiry `json:"pending,omitempty"`
}

// FieldKind: one of the names below.
type FieldKind string

// The values of FieldKind.
const (
	FieldKindString  FieldKind = "string"
	FieldKindInteger FieldKind = "integer"
	FieldKindNumber  FieldKind = "number"
	FieldKindBoolean FieldKind = "boolean"
	FieldKindObject  FieldKind = "object"
	FieldKindArray   FieldKind = "array"
	FieldKindAny     FieldKind = "any"
)

// FieldState: the state of a field. In a row, members with their default are absent.
type FieldState struct {
	// Whether the field is shown.
	IsVisible *bool `json:"isVisible,omitempty"`

	// Whether the field can be changed.
	IsEnabled *bool `json:"isEnabled,omitempty"`

	// Whether the field must have a value, if the object around it has one.
	IsRequired bool `json:"isRequired,omitempty"`

	// Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid.
	IsValid *bool `json:"isValid,omitempty"`

	// Whether a check of the field is in progress, or a lookup for its options.
	IsPending bool `json:"isPending,omitempty"`

	// Whether the value differs from the initial value.
	IsDirty bool `json:"isDirty,omitempty"`

	// Whether the user has left the field once.
	IsTouched bool `json:"isTouched,omitempty"`

	// Whether the field has no value, or is hidden.
	IsEmpty bool `json:"isEmpty,omitempty"`

	// All errors of the field.
	Errors []FormError `json:"errors,omitempty"`

	// The choices that a formula gives. A list has the choices that are equal for all its rows, by address.
	Options json.RawMessage `json:"options,omitempty"`

	// What the input shows, if the field reads what people type.
	Text string `json:"text,omitempty"`

	// Why the field cannot be changed, if its form says it.
	Reason string `json:"reason,omitempty"`

	// The identities of a list's rows, in order.
	Order []string `json:"order,omitempty"`

	// The fields inside of it, by name.
	Fields map[string]FieldState `json:"fields,omitempty"`

	// The rows of a list, by identity.
	Rows map[string]RowState `json:"rows,omitempty"`
}

// FormDescription: the result of `form/describe`.
type FormDescription struct {
	// The form's name.
	Form string `json:"form"`

	// The requested language.
	RequestedLocale string `json:"requestedLocale,omitempty"`

	// The language of the texts: the form's closest language to the requested one.
	Locale string `json:"locale,omitempty"`

	// The form's title.
	Title string `json:"title,omitempty"`

	// Its fields, in order.
	Fields []FieldDescription `json:"fields"`

	// Its steps, in order.
	Steps []StepDescription `json:"steps,omitempty"`

	// Its actions, in order.
	Actions []ActionDescription `json:"actions"`

	// The names of its outputs. An output that each row has is given by its address.
	Outputs []string `json:"outputs"`

	// The JSON Schema of the context that the form takes.
	Context map[string]any `json:"context,omitempty"`
}

// FormError: an error or a warning in the document.
type FormError struct {
	// The id of a rule or a check, or a keyword of JSON Schema.
	Code string `json:"code"`

	// The place inside the field's value, as a JSON Pointer; absent for the value.
	Path string `json:"path,omitempty"`

	// A warning does not block. Nor does an error of a server.
	Severity Severity `json:"severity"`

	// What found the error.
	Source ErrorSource `json:"source"`

	// The text for the user.
	Message string `json:"message"`

	// The values that the text can use, by name.
	Params map[string]any `json:"params"`
}

// FormExplanation: the reasons for the state of the form.
type FormExplanation struct {
	// Whether no error blocks the form, and no check is in progress.
	IsValid bool `json:"isValid"`

	// Whether a check is in progress.
	IsPending bool `json:"isPending"`

	// The errors that belong to no field.
	Errors []ExplainedError `json:"errors,omitempty"`

	// The formulas that went wrong.
	Faults []FormulaFault `json:"faults,omitempty"`
}

// FormList: the result of `form/list`.
type FormList struct {
	// The forms.
	Forms []FormSummary `json:"forms"`
}

// FormProblem: a problem of a form's file, or of the configuration.
type FormProblem struct {
	// The file or folder.
	File string `json:"file,omitempty"`

	// The location in the definition, as a JSON Pointer.
	Path string `json:"path"`

	// The line, from 1.
	Line *int64 `json:"line,omitempty"`

	// The column, from 1.
	Column *int64 `json:"column,omitempty"`

	// An `error`: the file is not used. A `warning`: the file is used, but probably not as intended.
	Severity Severity `json:"severity"`

	// The kind of problem, for programs.
	Code string `json:"code"`

	// What is wrong, in one sentence.
	Message string `json:"message"`

	// What to write instead, or what to do.
	Remedy string `json:"remedy,omitempty"`
}

// FormSchema: the result of `form/schema`.
type FormSchema struct {
	// The form's name.
	Form string `json:"form"`

	// The requested language.
	RequestedLocale string `json:"requestedLocale,omitempty"`

	// The language of the texts: the form's closest language to the requested one.
	Locale string `json:"locale,omitempty"`

	// The schema of the form's values.
	Schema map[string]any `json:"schema"`
}

// FormStatistics: what the sessions of a form have done.
type FormStatistics struct {
	// The form's name; empty for all forms that clients brought along.
	Form string `json:"form"`

	// Turns of its sessions.
	Turns int64 `json:"turns"`

	// Pieces of work for this form that took so long that they were logged.
	SlowTurns int64 `json:"slowTurns"`

	// Run-time errors of its formulas.
	Faults int64 `json:"faults"`
}

// FormSummary: a form that the daemon has.
type FormSummary struct {
	// The form's name.
	Form string `json:"form"`

	// Its default locale.
	Locale string `json:"locale,omitempty"`

	// The addresses of its fields, in order.
	Fields []string `json:"fields"`

	// Its actions, in order.
	Actions []string `json:"actions"`
}

// FormulaFault: a formula that went wrong.
type FormulaFault struct {
	// The formula's name.
	Cell string `json:"cell"`

	// The formula's place in the definition, as a JSON Pointer.
	At string `json:"at"`

	// The formula.
	Formula string `json:"formula"`

	// What happened to which types.
	Reason string `json:"reason"`
}

// Greeting: the result of `initialize`.
type Greeting struct {
	// What the daemon can do beyond the protocol; always empty.
	Capabilities map[string]any `json:"capabilities"`

	ServerInfo ServerProgram `json:"serverInfo"`

	// Changes with every start of the daemon.
	InstanceID string `json:"instanceId"`

	// The version of the protocol.
	ProtocolVersion string `json:"protocolVersion"`
}

// InputAnswer: the result of `session/reset`, `session/undo`, `session/redo`, `session/setLocale`,
// `session/setContext`, `field/change`, `field/focus`, `field/blur`, `field/remove`, `field/move`, `field/toggle`,
// `field/fail`, `step/show`, `action/cancel`.
type InputAnswer struct {
	// The session's revision after the input.
	Revision int64 `json:"revision"`
}

// InquiryPhase: the phase of a check or a lookup.
type InquiryPhase string

// The values of InquiryPhase.
const (
	InquiryPhaseIdle     InquiryPhase = "idle"
	InquiryPhaseDebounce InquiryPhase = "debounce"
	InquiryPhaseRunning  InquiryPhase = "running"
	InquiryPhaseRetrying InquiryPhase = "retrying"
	InquiryPhaseSettled  InquiryPhase = "settled"
	InquiryPhaseFailed   InquiryPhase = "failed"
	InquiryPhaseFaulted  InquiryPhase = "faulted"
)

// InsertAnswer: the result of `field/insert`.
type InsertAnswer struct {
	// The session's revision after the input.
	Revision int64 `json:"revision"`

	// The new row's identity, if `values` was not sent.
	Row string `json:"row,omitempty"`

	// The new rows' identities, in order, if `values` was sent.
	Rows []string `json:"rows,omitempty"`
}

// InvalidParamsData: the data of the error -32602: Invalid params.
type InvalidParamsData struct {
	// All problems of invalid params.
	Errors []ParamsProblem `json:"errors"`
}

// InvalidRequestData: the data of the error -32600: Invalid Request.
type InvalidRequestData struct {
	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`

	// The location at which the text is too deep or too large, as a JSON Pointer.
	Path string `json:"path,omitempty"`
}

// InvalidValue: an error in a set of values.
type InvalidValue struct {
	// The location in the values that were sent, as a JSON Pointer; elements of lists are given by position. Empty for
	// the form as a whole.
	Path string `json:"path"`

	// The kind of error: the id of a rule or a check, or a keyword of JSON Schema.
	Code string `json:"code"`

	// The message, for people.
	Message string `json:"message"`
}

// KeptSessionInfo: a kept session, as an operator sees it.
type KeptSessionInfo struct {
	// Its number.
	Session int64 `json:"session"`

	// The form's name.
	Form string `json:"form"`

	// How long ago it was opened.
	AgeMs int64 `json:"ageMs"`

	// How many connections have it.
	Connections int64 `json:"connections"`

	// When it ends if no client attaches. Absent while a client has it or an action runs.
	EndsInMs *int64 `json:"endsInMs,omitempty"`

	// Bytes of memory that it takes.
	Bytes int64 `json:"bytes"`
}

// LimitName: one of the names below.
type LimitName string

// The values of LimitName.
const (
	LimitNameTextBytesMax                LimitName = "textBytesMax"
	LimitNameDepthMax                    LimitName = "depthMax"
	LimitNameNodesMax                    LimitName = "nodesMax"
	LimitNameBatchMax                    LimitName = "batchMax"
	LimitNameConnectionsMax              LimitName = "connectionsMax"
	LimitNameSessionsPerConnectionMax    LimitName = "sessionsPerConnectionMax"
	LimitNameSessionsMax                 LimitName = "sessionsMax"
	LimitNameKeptSessionsMax             LimitName = "keptSessionsMax"
	LimitNameKeepMax                     LimitName = "keepMax"
	LimitNameValueBytesPerConnectionMax  LimitName = "valueBytesPerConnectionMax"
	LimitNameValueBytesMax               LimitName = "valueBytesMax"
	LimitNameDefinitionsPerConnectionMax LimitName = "definitionsPerConnectionMax"
	LimitNameDefinitionsMax              LimitName = "definitionsMax"
	LimitNameDefinitionBytesMax          LimitName = "definitionBytesMax"
	LimitNameDefinitionMs                LimitName = "definitionMs"
	LimitNameBatchBytesMax               LimitName = "batchBytesMax"
	LimitNameUnreadBytesMax              LimitName = "unreadBytesMax"
	LimitNameMemoryMax                   LimitName = "memoryMax"
	LimitNameRequestsInFlightMax         LimitName = "requestsInFlightMax"
	LimitNameProvidersPerConnectionMax   LimitName = "providersPerConnectionMax"
	LimitNameOutputSoftBytes             LimitName = "outputSoftBytes"
	LimitNameOutputHardBytes             LimitName = "outputHardBytes"
	LimitNameEventsKeptMax               LimitName = "eventsKeptMax"
	LimitNameErrorsPerFieldMax           LimitName = "errorsPerFieldMax"
	LimitNameRowsMax                     LimitName = "rowsMax"
	LimitNameUndoMax                     LimitName = "undoMax"
	LimitNameUndoBytesMax                LimitName = "undoBytesMax"
	LimitNameStallMs                     LimitName = "stallMs"
	LimitNameDrainMs                     LimitName = "drainMs"
)

// Limits: the limits in force, by name.
type Limits struct {
	// Bytes of one text; a larger text fails with -32007.
	TextBytesMax int64 `json:"textBytesMax"`

	// Nesting depth of arrays and objects in one text.
	DepthMax int64 `json:"depthMax"`

	// Values in one text.
	NodesMax int64 `json:"nodesMax"`

	// Members of a batch.
	BatchMax int64 `json:"batchMax"`

	// Open connections, or fewer if the process may not open as many files. Seats for operators are extra.
	ConnectionsMax int64 `json:"connectionsMax"`

	// Sessions of one connection.
	SessionsPerConnectionMax int64 `json:"sessionsPerConnectionMax"`

	// Sessions of all connections.
	SessionsMax int64 `json:"sessionsMax"`

	// Sessions that outlive their connections, whether a client has them or not, in memory and in the store of all
	// daemons.
	KeptSessionsMax int64 `json:"keptSessionsMax"`

	// Milliseconds that a session may be kept when no client has it. More than a day (86400000) needs a store.
	KeepMax int64 `json:"keepMax"`

	// Bytes of values, outputs, results and answers that the sessions of one connection hold.
	ValueBytesPerConnectionMax int64 `json:"valueBytesPerConnectionMax"`

	// Bytes of values, outputs, results and answers that all sessions hold.
	ValueBytesMax int64 `json:"valueBytesMax"`

	// Sessions of one connection with a definition of their own.
	DefinitionsPerConnectionMax int64 `json:"definitionsPerConnectionMax"`

	// Sessions of all connections with a definition of their own.
	DefinitionsMax int64 `json:"definitionsMax"`

	// Bytes of one definition.
	DefinitionBytesMax int64 `json:"definitionBytesMax"`

	// Milliseconds that one definition may take to compile; a slower one fails with 1011.
	DefinitionMs int64 `json:"definitionMs"`

	// Bytes of one connection's unfinished answers to batches; further members are refused with 1012.
	BatchBytesMax int64 `json:"batchBytesMax"`

	// Bytes of unread input and unfinished texts of all connections. A client that needs more gets 1011 and is
	// disconnected.
	UnreadBytesMax int64 `json:"unreadBytesMax"`

	// Bytes of everything that clients make the daemon keep or queue. A client that needs more gets 1011.
	MemoryMax int64 `json:"memoryMax"`

	// Requests of one connection that wait for an outcome.
	RequestsInFlightMax int64 `json:"requestsInFlightMax"`

	// Providers of one connection.
	ProvidersPerConnectionMax int64 `json:"providersPerConnectionMax"`

	// Bytes of unsent output of one connection; above it, updates are held back and no input is read.
	OutputSoftBytes int64 `json:"outputSoftBytes"`

	// Bytes of events that are kept for one session, of its update that is held back for a slow reader, and of its
	// changes that wait for the store.
	OutputHardBytes int64 `json:"outputHardBytes"`

	// Number of events that are kept for one session: for a client that does not read, or that comes back.
	EventsKeptMax int64 `json:"eventsKeptMax"`

	// Errors of the schema that one field lists. If there are more, a last one gives their number.
	ErrorsPerFieldMax int64 `json:"errorsPerFieldMax"`

	// Rows of all lists of one session; an input that would make more is refused with 1012.
	RowsMax int64 `json:"rowsMax"`

	// Edits that one session of a form with undo keeps; the oldest are dropped.
	UndoMax int64 `json:"undoMax"`

	// Bytes of the edits that one session of a form with undo keeps; the oldest are dropped.
	UndoBytesMax int64 `json:"undoBytesMax"`

	// Milliseconds after which a connection over outputSoftBytes ends if its client reads nothing.
	StallMs int64 `json:"stallMs"`

	// Milliseconds that the daemon waits for accepted requests when it ends.
	DrainMs int64 `json:"drainMs"`
}

// LoadedForms: the result of `forms/watch`.
type LoadedForms struct {
	// The names of the forms that the daemon has now, in order.
	Forms []string `json:"forms"`

	// What is wrong with the files. A form whose file is broken stays as it was.
	Problems []FormProblem `json:"problems"`
}

// LookupExplanation: the reasons for the state of a lookup.
type LookupExplanation struct {
	Phase InquiryPhase `json:"phase"`

	// The formula that says when the lookup asks.
	When string `json:"when,omitempty"`

	// Why the lookup failed.
	Error string `json:"error,omitempty"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads"`
}

// LookupState: the state of a lookup.
type LookupState struct {
	// Whether the lookup waits for an answer.
	IsLoading *bool `json:"isLoading,omitempty"`

	// The value that the lookup has found.
	Value json.RawMessage `json:"value,omitempty"`

	// Why the lookup has failed.
	Error string `json:"error,omitempty"`
}

// MemoryGauges: memory that the daemon keeps or queues for clients.
type MemoryGauges struct {
	// Values that sessions keep for their clients.
	Values int64 `json:"values"`

	// The sessions themselves, and definitions from clients.
	Sessions int64 `json:"sessions"`

	// Input that is not handled yet.
	Unread int64 `json:"unread"`

	// Output that is not sent yet, and data that will become output.
	Queued int64 `json:"queued"`
}

// MethodName: one of the names below.
type MethodName string

// The values of MethodName.
const (
	MethodNameInitialize         MethodName = "initialize"
	MethodNameInitialized        MethodName = "initialized"
	MethodNameShutdown           MethodName = "shutdown"
	MethodNameExit               MethodName = "exit"
	MethodNameCancelRequest      MethodName = "$/cancelRequest"
	MethodNameSessionOpen        MethodName = "session/open"
	MethodNameSessionAttach      MethodName = "session/attach"
	MethodNameSessionDetach      MethodName = "session/detach"
	MethodNameSessionClose       MethodName = "session/close"
	MethodNameSessionGet         MethodName = "session/get"
	MethodNameSessionReset       MethodName = "session/reset"
	MethodNameSessionUndo        MethodName = "session/undo"
	MethodNameSessionRedo        MethodName = "session/redo"
	MethodNameSessionSetLocale   MethodName = "session/setLocale"
	MethodNameSessionList        MethodName = "session/list"
	MethodNameSessionSetContext  MethodName = "session/setContext"
	MethodNameFieldChange        MethodName = "field/change"
	MethodNameFieldFocus         MethodName = "field/focus"
	MethodNameFieldBlur          MethodName = "field/blur"
	MethodNameFieldInsert        MethodName = "field/insert"
	MethodNameFieldRemove        MethodName = "field/remove"
	MethodNameFieldMove          MethodName = "field/move"
	MethodNameFieldToggle        MethodName = "field/toggle"
	MethodNameFieldFail          MethodName = "field/fail"
	MethodNameStepShow           MethodName = "step/show"
	MethodNameActionTap          MethodName = "action/tap"
	MethodNameActionCancel       MethodName = "action/cancel"
	MethodNameFormList           MethodName = "form/list"
	MethodNameFormDescribe       MethodName = "form/describe"
	MethodNameFormSchema         MethodName = "form/schema"
	MethodNameFormValidate       MethodName = "form/validate"
	MethodNameFormsWatch         MethodName = "forms/watch"
	MethodNameTextValidate       MethodName = "text/validate"
	MethodNameProviderRegister   MethodName = "provider/register"
	MethodNameProviderUnregister MethodName = "provider/unregister"
	MethodNameServerInfo         MethodName = "server/info"
	MethodNameServerPing         MethodName = "server/ping"
	MethodNameServerStats        MethodName = "server/stats"
	MethodNameServerReload       MethodName = "server/reload"
	MethodNameServerDisconnect   MethodName = "server/disconnect"
	MethodNameServerEndSession   MethodName = "server/endSession"
	MethodNameServerBackup       MethodName = "server/backup"
	MethodNameRpcDiscover        MethodName = "rpc.discover"
)

// MethodNotFoundData: the data of the error -32601: Method not found.
type MethodNotFoundData struct {
	// The unknown method.
	Method string `json:"method"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`
}

// OpenedSession: the result of `session/open`.
type OpenedSession struct {
	// The session's number, for all further calls.
	Session int64 `json:"session"`

	// 0.
	Revision int64 `json:"revision"`

	// The output document.
	Document Document `json:"document"`

	// The values, without secrets.
	Values map[string]any `json:"values"`

	// With `keep`: the key for `session/attach`. Every client that knows the key can have the session.
	Key string `json:"key,omitempty"`
}

// OverloadedData: the data of the error 1011: The daemon has reached a limit.
type OverloadedData struct {
	// The limit that was reached.
	Limit LimitName `json:"limit,omitempty"`

	// The value of that limit.
	Value *int64 `json:"value,omitempty"`

	// How many milliseconds to wait before another attempt.
	RetryAfterMs *int64 `json:"retryAfterMs,omitempty"`

	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`
}

// ParamsProblem: a problem of params.
type ParamsProblem struct {
	// The location, as a JSON Pointer.
	Path string `json:"path"`

	// `type`, `value`, `required`, `unknown`, `computed` or `readOnly`. Faults of definitions have codes of their own.
	Code string `json:"code"`

	// What was expected.
	Expected string `json:"expected"`

	// What is wrong with a definition.
	Message string `json:"message,omitempty"`
}

// ParseErrorData: the data of the error -32700: Parse error.
type ParseErrorData struct {
	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason"`

	// The position of the problem in the text, in bytes.
	Offset int64 `json:"offset"`
}

// PendingInquiry: a check or a lookup in progress.
type PendingInquiry struct {
	// The check's id.
	Check string `json:"check,omitempty"`

	// The lookup's name.
	Lookup string `json:"lookup,omitempty"`

	Phase InquiryPhase `json:"phase"`
}

// Pong: the result of `server/ping`.
type Pong struct {
	// Changes with every start.
	InstanceID string `json:"instanceId"`

	// Why the daemon is not ready for clients, for people: the store, its forms, or its end. Absent if it is ready.
	NotReady []string `json:"notReady,omitempty"`
}

// PositionEncoding: one of the names below.
type PositionEncoding string

// The values of PositionEncoding.
const (
	PositionEncodingUtf8  PositionEncoding = "utf-8"
	PositionEncodingUtf16 PositionEncoding = "utf-16"
	PositionEncodingUtf32 PositionEncoding = "utf-32"
)

// ProcessUsage: resources that the daemon's process has used.
type ProcessUsage struct {
	// How long the daemon has been running.
	UptimeMs int64 `json:"uptimeMs"`

	// Processor time that the daemon has used.
	CpuMs int64 `json:"cpuMs"`

	// Bytes of memory that the daemon has from the system.
	ResidentBytes int64 `json:"residentBytes"`
}

// ProviderCall: the params of `provider/evaluate`.
type ProviderCall struct {
	// The provider's name.
	Name string `json:"name"`

	// The arguments of the form's question.
	Arguments map[string]any `json:"arguments"`

	// Of an action with `idempotency`: a key that is the same in all questions of one tap, to all providers, and
	// different for every other tap.
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
}

// ProviderInfo: a provider, as an operator sees it.
type ProviderInfo struct {
	// Its name.
	Name string `json:"name"`

	// How many connections hold the name.
	Holders int64 `json:"holders"`

	// How many connections may hold it, by the configuration.
	HoldersMax int64 `json:"holdersMax"`

	// How many questions to it have no answer.
	Questions int64 `json:"questions"`
}

// ProviderName: a provider's name.
type ProviderName struct {
	// The name.
	Name string `json:"name"`
}

// QueueGauges: work that waits or is under way.
type QueueGauges struct {
	// Connections that wait for their turn.
	Turns int64 `json:"turns"`

	// Requests that wait for an outcome.
	Requests int64 `json:"requests"`

	// Requests to services, databases and providers that are under way.
	Effects int64 `json:"effects"`

	// Definitions that are being compiled, or wait for it.
	Compiling int64 `json:"compiling"`

	// Timers that are set.
	Timers int64 `json:"timers"`

	// Writes of kept sessions that wait for the store.
	Store int64 `json:"store"`
}

// QuotaExceededData: the data of the error 1012: This connection has reached a limit.
type QuotaExceededData struct {
	// The limit that was reached.
	Limit LimitName `json:"limit"`

	// The value of that limit.
	Value int64 `json:"value"`
}

// ReloadOutcome: the result of `server/reload`.
type ReloadOutcome struct {
	// Whether the daemon has taken over the configuration and the forms. If not, nothing has changed.
	Reloaded bool `json:"reloaded"`

	// The names of the settings that have changed.
	Changed []string `json:"changed"`

	// The names of the forms that are new, have changed or are gone.
	ChangedForms []string `json:"changedForms"`

	// The names of changed settings that need a restart. They stay as they were.
	NeedRestart []string `json:"needRestart"`

	// How many forms the daemon has now.
	Forms int64 `json:"forms"`

	// What is wrong with the configuration, if it was refused. Otherwise what is wrong with the forms' files.
	Problems []FormProblem `json:"problems"`
}

// RequestCancelledData: the data of the error -32800: Request cancelled.
type RequestCancelledData struct {
	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`
}

// RoleNeededData: the data of the error 1015: This user does not have the needed role.
type RoleNeededData struct {
	// The role that the client's user does not have.
	Role string `json:"role"`
}

// RowState: the state of a row. In a row and its fields, members with their default are absent.
type RowState struct {
	// Whether the field is shown.
	IsVisible *bool `json:"isVisible,omitempty"`

	// Whether the field can be changed.
	IsEnabled *bool `json:"isEnabled,omitempty"`

	// Whether the field must have a value, if the object around it has one.
	IsRequired bool `json:"isRequired,omitempty"`

	// Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid.
	IsValid *bool `json:"isValid,omitempty"`

	// Whether a check of the field is in progress, or a lookup for its options.
	IsPending bool `json:"isPending,omitempty"`

	// Whether the value differs from the initial value.
	IsDirty bool `json:"isDirty,omitempty"`

	// Whether the user has left the field once.
	IsTouched bool `json:"isTouched,omitempty"`

	// Whether the field has no value, or is hidden.
	IsEmpty bool `json:"isEmpty,omitempty"`

	// All errors of the field.
	Errors []FormError `json:"errors,omitempty"`

	// The choices that a formula gives. A list has the choices that are equal for all its rows, by address.
	Options json.RawMessage `json:"options,omitempty"`

	// What the input shows, if the field reads what people type.
	Text string `json:"text,omitempty"`

	// Why the field cannot be changed, if its form says it.
	Reason string `json:"reason,omitempty"`

	// The identities of a list's rows, in order.
	Order []string `json:"order,omitempty"`

	// The fields inside of it, by name.
	Fields map[string]FieldState `json:"fields,omitempty"`

	// The rows of a list, by identity.
	Rows map[string]RowState `json:"rows,omitempty"`

	// The computed outputs of the row, by name.
	Outputs map[string]any `json:"outputs,omitempty"`

	// The lookups of the row, by name.
	Lookups map[string]LookupState `json:"lookups,omitempty"`
}

// RPCError: an error object of JSON-RPC.
type RPCError struct {
	// The error's code.
	Code int64 `json:"code"`

	// One sentence.
	Message string `json:"message"`

	// Details for programs.
	Data *ErrorData `json:"data,omitempty"`
}

// ServerDraining: the params of `server/draining`.
type ServerDraining struct {
	// Accepted requests are answered within this number of milliseconds.
	WithinMs int64 `json:"withinMs"`
}

// ServerInfo: the result of `server/info`.
type ServerInfo struct {
	// formd
	Name string `json:"name"`

	// Its version.
	Version string `json:"version"`

	// The version of the protocol.
	ProtocolVersion string `json:"protocolVersion"`

	// Changes with every start.
	InstanceID string `json:"instanceId"`

	// Its process.
	PID int64 `json:"pid"`

	// How many forms it has.
	Forms int64 `json:"forms"`

	// The limits in force, by name.
	Limits Limits `json:"limits"`
}

// ServerProgram: a program and its version.
type ServerProgram struct {
	// formd
	Name string `json:"name"`

	// Its version.
	Version string `json:"version"`
}

// ServerRejected: the params of `server/rejected`.
type ServerRejected struct {
	// The notification's method.
	Method MethodName `json:"method"`

	// The error that a request would have been answered with.
	Error RPCError `json:"error"`
}

// ServerStatistics: the result of `server/stats`.
type ServerStatistics struct {
	// Connections that are open.
	Connections int64 `json:"connections"`

	// Sessions that are open.
	Sessions int64 `json:"sessions"`

	// Sessions that are kept, whether a client has them or not.
	KeptSessions int64 `json:"keptSessions"`

	// Registrations of providers: the connections that hold each name, added up.
	ProviderHolders int64 `json:"providerHolders"`

	// Connections that have not answered their last calls to a provider in time. They are asked if no other can be.
	ProviderHoldersPassedOver int64 `json:"providerHoldersPassedOver"`

	// Services that are not asked now because they have failed too often (`breaker`).
	ServicesPassedOver int64 `json:"servicesPassedOver"`

	// Connections since the start.
	ConnectionsAccepted int64 `json:"connectionsAccepted"`

	// Connections that were refused: peers of another user, and connections beyond the limit.
	ConnectionsRefused int64 `json:"connectionsRefused"`

	// Connections that were ended because the client read nothing for too long.
	ConnectionsStalled int64 `json:"connectionsStalled"`

	// Sessions since the start.
	SessionsOpened int64 `json:"sessionsOpened"`

	// Requests.
	Requests int64 `json:"requests"`

	// Notifications.
	Notifications int64 `json:"notifications"`

	// Notifications of methods that do not exist, or that make no sense without an answer.
	NotificationsIgnored int64 `json:"notificationsIgnored"`

	// Notifications answered by `server/rejected`.
	NotificationsRejected int64 `json:"notificationsRejected"`

	// Updates that were written.
	Updates int64 `json:"updates"`

	// Updates that a slow reader got as part of a later one.
	UpdatesHeldBack int64 `json:"updatesHeldBack"`

	// How often a slow reader was notified that updates are lost.
	Desyncs int64 `json:"desyncs"`

	// Requests answered with an error.
	Errors int64 `json:"errors"`

	// Texts and envelopes that could not be accepted.
	BadTexts int64 `json:"badTexts"`

	// Answers to requests that the daemon did not make.
	UnknownResponses int64 `json:"unknownResponses"`

	// Requests to services, databases and providers.
	EffectsStarted int64 `json:"effectsStarted"`

	// Requests to services, databases and providers that were refused, timed out or failed.
	EffectsFailed int64 `json:"effectsFailed"`

	// Run-time errors of formulas.
	Faults int64 `json:"faults"`

	// Pieces of work (for a message, a timer, or the answer to an effect) that took so long that they were logged.
	SlowTurns int64 `json:"slowTurns"`

	// How often the forms were reloaded.
	Reloads int64 `json:"reloads"`

	// How often a reload was refused because the configuration is broken.
	ReloadsRefused int64 `json:"reloadsRefused"`

	// Files of forms that are broken or cannot be read, and of which the daemon has no earlier form.
	BrokenForms int64 `json:"brokenForms"`

	// Kept sessions that ended because they could not be stored.
	StoreFailures int64 `json:"storeFailures"`

	// Why the store of kept sessions does not answer or cannot be written now; absent if it is well.
	StoreProblem string `json:"storeProblem,omitempty"`

	// The store of kept sessions; absent if the daemon has none.
	Store *StoreStatistics `json:"store,omitempty"`

	// What clients make the daemon keep or queue, in bytes.
	Memory MemoryGauges `json:"memory"`

	// Work that waits or is under way.
	Queues QueueGauges `json:"queues"`

	// How long turns took: messages of clients, timers of sessions, answers to effects.
	TurnTime TimeHistogram `json:"turnTime"`

	// Resources that the process has used.
	Process ProcessUsage `json:"process"`

	// The connections, as many as were requested.
	TopClients []ConnectionInfo `json:"topClients,omitempty"`

	// The kept sessions, as many as were requested. Their keys are never shown.
	Kept []KeptSessionInfo `json:"kept,omitempty"`

	// The registered providers, as many as were requested.
	Providers []ProviderInfo `json:"providers,omitempty"`

	// The services, databases and providers that were asked, if requested.
	Targets []TargetStatistics `json:"targets,omitempty"`

	// The codes of errors that were answers, if requested.
	ErrorCodes []ErrorStatistics `json:"errorCodes,omitempty"`

	// The forms whose sessions had turns, if requested.
	Forms []FormStatistics `json:"forms,omitempty"`
}

// SessionClosed: the params of `session/closed`.
type SessionClosed struct {
	// The session.
	Session int64 `json:"session"`

	// Why: the client called `shutdown`, the daemon ends, another client or an operator has closed the session, it could
	// not be stored (`store`), somebody has taken it at another daemon (`moved`), or this daemon was cut off and has
	// lost it (`lost`).
	Reason ClosedReason `json:"reason"`
}

// SessionDesync: the params of `session/desync`.
type SessionDesync struct {
	// The session.
	Session int64 `json:"session"`

	// The session's revision now.
	Revision int64 `json:"revision"`

	// Events that were not delivered and never will be.
	EventsLost int64 `json:"eventsLost"`
}

// SessionList: the result of `session/list`.
type SessionList struct {
	// The sessions.
	Sessions []SessionSummary `json:"sessions"`
}

// SessionSummary: a session of the connection.
type SessionSummary struct {
	// The session.
	Session int64 `json:"session"`

	// Its form.
	Form string `json:"form"`

	// Its revision.
	Revision int64 `json:"revision"`
}

// Severity: one of the names below.
type Severity string

// The values of Severity.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Showing: one of the names below.
type Showing string

// The values of Showing.
const (
	ShowingAlways Showing = "always"
	ShowingEdit   Showing = "edit"
	ShowingBlur   Showing = "blur"
	ShowingSubmit Showing = "submit"
)

// StepDescription: a step, as a program draws it.
type StepDescription struct {
	// The step's id.
	ID string `json:"id"`

	// Its name for the user.
	Label string `json:"label,omitempty"`

	// The addresses of its fields. Fields inside of them are in the step, too.
	Fields []string `json:"fields"`
}

// StepExplanation: the reasons for the state of a step.
type StepExplanation struct {
	// Whether no error of the step blocks.
	IsValid bool `json:"isValid"`

	// Why the step is not valid.
	Because []ExplainedError `json:"because,omitempty"`

	// The formula that hides the step.
	HiddenBy string `json:"hiddenBy,omitempty"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads,omitempty"`
}

// StepState: the state of a step.
type StepState struct {
	// Whether the step is shown.
	IsVisible *bool `json:"isVisible,omitempty"`

	// Whether all fields of the step are valid.
	IsValid *bool `json:"isValid,omitempty"`

	// Whether a check of one of its fields is in progress.
	IsPending *bool `json:"isPending,omitempty"`

	// Whether the user has left one of its fields once.
	IsTouched *bool `json:"isTouched,omitempty"`
}

// StoreCopy: the result of `server/backup`.
type StoreCopy struct {
	// The size of the copy.
	Bytes int64 `json:"bytes"`
}

// StoreStatistics: the store of kept sessions.
type StoreStatistics struct {
	// Whether the store answers and can be written.
	IsUp bool `json:"isUp"`

	// How much of the lease is left; 0 after its end. Absent if only one daemon uses the store.
	LeaseMs *int64 `json:"leaseMs,omitempty"`

	// How many sessions the store has: the sessions of all daemons, in memory or not. Absent until it is known.
	Sessions *int64 `json:"sessions,omitempty"`

	// How long writes of sessions took until they were committed.
	CommitTime TimeHistogram `json:"commitTime"`
}

// TapAnswer: the result of `action/tap`.
type TapAnswer struct {
	// The session's revision after the input.
	Revision int64 `json:"revision"`

	// What happened to the tap. With `await` it is present only if a throttle or debounce dropped the tap.
	Outcome TapOutcome `json:"outcome,omitempty"`

	// The run that was started.
	Run *int64 `json:"run,omitempty"`

	// Why the tap was rejected.
	Blockers []Blocker `json:"blockers,omitempty"`

	Event *Event `json:"event,omitempty"`

	// With `document`: the output document, with the effects of the tap that are known then.
	Document *Document `json:"document,omitempty"`
}

// TapOutcome: one of the names below.
type TapOutcome string

// The values of TapOutcome.
const (
	TapOutcomeStarted  TapOutcome = "started"
	TapOutcomeHeld     TapOutcome = "held"
	TapOutcomeRejected TapOutcome = "rejected"
	TapOutcomeDropped  TapOutcome = "dropped"
)

// TargetFailures: failures of one kind.
type TargetFailures struct {
	// The kind, as `response.kind` of formulas names it.
	Kind string `json:"kind"`

	// How many there were.
	Count int64 `json:"count"`
}

// TargetStatistics: how a service, a database or a provider has answered.
type TargetStatistics struct {
	// `service`, `database` or `provider`.
	Part string `json:"part"`

	// The name in the forms and in the configuration.
	Name string `json:"name"`

	// How long the answers took, failures included.
	AnswerTime TimeHistogram `json:"answerTime"`

	// The failures by kind.
	Failures []TargetFailures `json:"failures,omitempty"`
}

// TextCause: why a value does not match an alternative.
type TextCause struct {
	// The location in the values, as a JSON Pointer.
	Path string `json:"path"`

	// The keyword of JSON Schema that the value violates.
	Code string `json:"code"`

	// The error's range in the text.
	Range TextRange `json:"range"`

	// The range of the member's name.
	KeyRange *TextRange `json:"keyRange,omitempty"`
}

// TextError: an error in a text.
type TextError struct {
	// The location in the values, as a JSON Pointer; elements of lists are given by position.
	Path string `json:"path"`

	// The kind of error: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or a problem of the text
	// itself.
	Code string `json:"code"`

	// The source of the error, as in documents. Absent if the text cannot be read there.
	Source ErrorSource `json:"source,omitempty"`

	// An `error`: the text cannot be read there, or the value is not valid. A `warning`: the text is accepted, but
	// probably not as intended.
	Severity Severity `json:"severity"`

	// The message, for people.
	Message string `json:"message"`

	// The parameters of the message, by name.
	Params map[string]any `json:"params,omitempty"`

	// The error's range in the text: the value. If the value is missing: the name of the object that lacks it, or its
	// opening bracket.
	Range TextRange `json:"range"`

	// The range of the member's name. If the member is missing: the range of the name of the object that lacks it.
	KeyRange *TextRange `json:"keyRange,omitempty"`

	// What to write instead, if that is clear.
	Fix *TextFix `json:"fix,omitempty"`

	// Why the value does not match the closest alternative, if it matches none of several.
	Causes []TextCause `json:"causes,omitempty"`
}

// TextFix: a replacement in a text.
type TextFix struct {
	// The range that is replaced.
	Range TextRange `json:"range"`

	// The new text.
	Text string `json:"text"`
}

// TextLanguage: one of the names below.
type TextLanguage string

// The values of TextLanguage.
const (
	TextLanguageJson  TextLanguage = "json"
	TextLanguageJsonc TextLanguage = "jsonc"
	TextLanguageYaml  TextLanguage = "yaml"
	TextLanguageEnv   TextLanguage = "env"
)

// TextPosition: a position in a text.
type TextPosition struct {
	// The line, from 0.
	Line int64 `json:"line"`

	// The characters of the line before the position.
	Character int64 `json:"character"`
}

// TextRange: a range of a text.
type TextRange struct {
	// The position of the first character.
	Start TextPosition `json:"start"`

	// The position after the last character.
	End TextPosition `json:"end"`
}

// TextReading: one of the names below.
type TextReading string

// The values of TextReading.
const (
	TextReadingNumber   TextReading = "number"
	TextReadingPercent  TextReading = "percent"
	TextReadingCurrency TextReading = "currency"
	TextReadingDate     TextReading = "date"
	TextReadingDateTime TextReading = "dateTime"
)

// TextTooLargeData: the data of the error -32007: The text is too large.
type TextTooLargeData struct {
	// The limit that was reached.
	Limit LimitName `json:"limit"`

	// The value of that limit.
	Value int64 `json:"value"`
}

// TextValidation: the result of `text/validate`.
type TextValidation struct {
	// Whether the text can be read, and its values are valid.
	IsValid bool `json:"isValid"`

	// The errors: first in the text, then in its values in the order of the form's fields, then of the form as a whole.
	Errors []TextError `json:"errors"`

	// Whether there are more errors than are listed.
	IsTruncated bool `json:"isTruncated"`
}

// TimeBucket: how many durations are up to a bound.
type TimeBucket struct {
	// The bound.
	MicrosecondsMax int64 `json:"microsecondsMax"`

	// How many took at most as long as the bound.
	Count int64 `json:"count"`
}

// TimeHistogram: a distribution of durations.
type TimeHistogram struct {
	// How many there were.
	Count int64 `json:"count"`

	// The sum of all durations.
	TotalMicroseconds int64 `json:"totalMicroseconds"`

	// How many took at most as long as each bound, in ascending order.
	Buckets []TimeBucket `json:"buckets"`
}

// UnknownActionData: the data of the error 1005: Unknown action.
type UnknownActionData struct {
	// The unknown action.
	Action string `json:"action"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`
}

// UnknownConnectionData: the data of the error 1002: Unknown connection.
type UnknownConnectionData struct {
	// The unknown connection.
	Connection int64 `json:"connection"`
}

// UnknownFieldData: the data of the error 1004: Unknown field.
type UnknownFieldData struct {
	// The unknown field.
	Field string `json:"field"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`

	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`
}

// UnknownFormData: the data of the error 1003: Unknown form.
type UnknownFormData struct {
	// The unknown form.
	Form string `json:"form"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`

	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`
}

// UnknownProviderData: the data of the error 1006: Unknown provider.
type UnknownProviderData struct {
	// The provider's name.
	Name string `json:"name"`
}

// UnknownSessionData: the data of the error 1001: Unknown session.
type UnknownSessionData struct {
	// The unknown session.
	Session *int64 `json:"session,omitempty"`
}

// UnknownStepData: the data of the error 1008: Unknown step.
type UnknownStepData struct {
	// The unknown or hidden step.
	Step string `json:"step"`

	// The closest known name.
	Closest string `json:"closest,omitempty"`

	// Why the text, the envelope or the request was refused.
	Reason ErrorReason `json:"reason,omitempty"`
}

// Update: the params of `session/update`.
type Update struct {
	// The session.
	Session int64 `json:"session"`

	// The session's revision now.
	Revision int64 `json:"revision"`

	// The revision last delivered on this connection.
	From int64 `json:"from"`

	// The cause of the last turn: the input's method, `timer` or `effect`.
	Cause Cause `json:"cause"`

	// A JSON Merge Patch (RFC 7396) against the document.
	Patch map[string]any `json:"patch"`

	// Values that the daemon changed, by address, such as values that a reset restored.
	Values map[string]any `json:"values,omitempty"`

	// The addresses of the values that the daemon removed.
	Absent []string `json:"absent,omitempty"`

	// The results of actions.
	Events []Event `json:"events,omitempty"`
}

// Validation: the result of `form/validate`.
type Validation struct {
	// Whether the values are valid. With `only`, whether those fields are.
	IsValid bool `json:"isValid"`

	// The values, normalized and with computed ones, without hidden fields and without secrets.
	Values map[string]any `json:"values"`

	// The errors that make the values invalid, in the order of the fields; errors of the form as a whole come last.
	Errors []InvalidValue `json:"errors"`

	// The output document.
	Document Document `json:"document"`
}

// ValueExplanation: the formula that gives a field its value: `computed` or `suggested`.
type ValueExplanation struct {
	// The formula of `computed`.
	Computed string `json:"computed,omitempty"`

	// The formula of `suggested`.
	Suggested string `json:"suggested,omitempty"`

	// The values that the formula reads, by name. A secret's value is never in it.
	Reads map[string]any `json:"reads"`
}

// WrongTokenData: the data of the error 1009: The provider's token is missing or wrong.
type WrongTokenData struct {
	// The provider's name.
	Name string `json:"name"`
}

// CancelRequestParams: the params of `$/cancelRequest`.
type CancelRequestParams struct {
	// The request's id.
	ID any `json:"id"`
}

// SessionOpenParams: the params of `session/open`.
type SessionOpenParams struct {
	// A form's name.
	Form string `json:"form,omitempty"`

	// A form definition.
	Definition map[string]any `json:"definition,omitempty"`

	// The language of messages: `ko`, `en-GB`.
	Locale string `json:"locale,omitempty"`

	// The time zone that decides what `today` is: `Europe/Zurich`, `UTC`; else the daemon's.
	Zone string `json:"zone,omitempty"`

	// Initial values.
	Values map[string]any `json:"values,omitempty"`

	// The values that formulas read as `context`; the form's `context` admits them.
	Context map[string]any `json:"context,omitempty"`

	// Shows every message at once, regardless of the fields' policies.
	Show string `json:"show,omitempty"`

	// Limits what updates contain.
	Watch []string `json:"watch,omitempty"`

	// How long the session is kept when no client has it, such as `10m`. Without it, the session ends with its
	// connection.
	Keep string `json:"keep,omitempty"`

	// Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
	// for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
	OnlyPublic bool `json:"onlyPublic,omitempty"`
}

// SessionAttachParams: the params of `session/attach`.
type SessionAttachParams struct {
	// The session's key.
	Key string `json:"key"`

	// The last event that the client knows, 0 for none. Later events are sent again.
	Seq *int64 `json:"seq,omitempty"`

	// Whether the session gets a new key. The old key is then invalid.
	Rotate bool `json:"rotate,omitempty"`

	// Whether to take the session from another daemon of the same store, even if clients have it there. Their
	// `session/closed` has the reason `moved`.
	Take bool `json:"take,omitempty"`

	// Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
	// for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
	OnlyPublic bool `json:"onlyPublic,omitempty"`
}

// SessionDetachParams: the params of `session/detach`.
type SessionDetachParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// SessionCloseParams: the params of `session/close`.
type SessionCloseParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// SessionGetParams: the params of `session/get`.
type SessionGetParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`

	// Adds `explanation`: the reasons for the content of the document.
	Explain bool `json:"explain,omitempty"`
}

// SessionResetParams: the params of `session/reset`.
type SessionResetParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`

	// The address of a field: only this field, with all fields inside it, goes back to its beginning. Without it, the
	// whole session does.
	Field string `json:"field,omitempty"`

	// Keeps the values; they become the initial ones. Only for the whole session, without `field`.
	KeepValues bool `json:"keepValues,omitempty"`
}

// SessionUndoParams: the params of `session/undo`.
type SessionUndoParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// SessionRedoParams: the params of `session/redo`.
type SessionRedoParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// SessionSetLocaleParams: the params of `session/setLocale`.
type SessionSetLocaleParams struct {
	// The language of messages: `ko`, `en-GB`.
	Locale string `json:"locale"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// SessionSetContextParams: the params of `session/setContext`.
type SessionSetContextParams struct {
	// The context. It replaces the context before, as a whole.
	Context map[string]any `json:"context"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldChangeParams: the params of `field/change`.
type FieldChangeParams struct {
	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`

	// An address: a field's name, or a JSON Pointer.
	Field string `json:"field,omitempty"`

	// The value; `null` removes it. A row that is set to `null` is emptied and stays in the list.
	Value json.RawMessage `json:"value,omitempty"`

	// Values by address, in place of `field` and `value`.
	Values map[string]any `json:"values,omitempty"`

	// The origin of the change. Only `user`, the default, sets `isEdited`; changes of `user` and `autofill` can be
	// undone.
	Origin string `json:"origin,omitempty"`

	// Whether an input method is composing: the value counts, and new messages wait.
	Composing bool `json:"composing,omitempty"`

	// Whether the change also ends the editing, as a blur does.
	Commit bool `json:"commit,omitempty"`
}

// FieldFocusParams: the params of `field/focus`.
type FieldFocusParams struct {
	// The field's address: a name, or a JSON Pointer.
	Field string `json:"field"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldBlurParams: the params of `field/blur`.
type FieldBlurParams struct {
	// The field's address: a name, or a JSON Pointer.
	Field string `json:"field"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldInsertParams: the params of `field/insert`.
type FieldInsertParams struct {
	// The list's address.
	Field string `json:"field"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`

	// The position or the row before which the new rows are inserted. Without it, or if it is the number of rows, they
	// are added at the end.
	At json.RawMessage `json:"at,omitempty"`

	// The value of the new row. Without it, the row has the schema's defaults.
	Value json.RawMessage `json:"value,omitempty"`

	// The values of several new rows, in place of `value`.
	Values []any `json:"values,omitempty"`
}

// FieldRemoveParams: the params of `field/remove`.
type FieldRemoveParams struct {
	// The address of a row, or of a member.
	Field string `json:"field"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldMoveParams: the params of `field/move`.
type FieldMoveParams struct {
	// The row's address.
	Field string `json:"field"`

	// The row's position after the move, or the row before which it is moved.
	To any `json:"to"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldToggleParams: the params of `field/toggle`.
type FieldToggleParams struct {
	// The address of a multiple choice.
	Field string `json:"field"`

	// The value of the choice.
	Value any `json:"value"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FieldFailParams: the params of `field/fail`.
type FieldFailParams struct {
	// The field's address: a name, or a JSON Pointer.
	Field string `json:"field"`

	// The message for the user.
	Message string `json:"message"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// StepShowParams: the params of `step/show`.
type StepShowParams struct {
	// The step's id.
	Step string `json:"step"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// ActionTapParams: the params of `action/tap`.
type ActionTapParams struct {
	// The action's name.
	Action string `json:"action"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`

	// Whether the answer waits for the tap's outcome.
	Await bool `json:"await,omitempty"`

	// Whether the answer has the document as it is then.
	Document bool `json:"document,omitempty"`
}

// ActionCancelParams: the params of `action/cancel`.
type ActionCancelParams struct {
	// The action's name.
	Action string `json:"action"`

	// The session; may be left out if the connection has exactly one.
	Session *int64 `json:"session,omitempty"`
}

// FormDescribeParams: the params of `form/describe`.
type FormDescribeParams struct {
	// A form's name.
	Form string `json:"form,omitempty"`

	// A form definition.
	Definition map[string]any `json:"definition,omitempty"`

	// The session whose form is meant.
	Session *int64 `json:"session,omitempty"`

	// The language of texts. The default is the session's language, or the form's default locale.
	Locale string `json:"locale,omitempty"`
}

// FormSchemaParams: the params of `form/schema`.
type FormSchemaParams struct {
	// A form's name.
	Form string `json:"form,omitempty"`

	// A form definition.
	Definition map[string]any `json:"definition,omitempty"`

	// The session whose form is meant.
	Session *int64 `json:"session,omitempty"`

	// The language of texts. The default is the session's language, or the form's default locale.
	Locale string `json:"locale,omitempty"`
}

// FormValidateParams: the params of `form/validate`.
type FormValidateParams struct {
	// A form's name.
	Form string `json:"form,omitempty"`

	// A form definition.
	Definition map[string]any `json:"definition,omitempty"`

	// The values.
	Values map[string]any `json:"values,omitempty"`

	// The language of messages.
	Locale string `json:"locale,omitempty"`

	// The values that formulas read as `context`; the form's `context` admits them.
	Context map[string]any `json:"context,omitempty"`

	// The time zone that decides what `today` is. The default is the daemon's.
	Zone string `json:"zone,omitempty"`

	// Runs the asynchronous checks and the lookups too; the answer waits for them.
	Checks bool `json:"checks,omitempty"`

	// Addresses of fields. `isValid` and `errors` are only about these fields and the fields inside them, and only their
	// checks run.
	Only []string `json:"only,omitempty"`
}

// TextValidateParams: the params of `text/validate`.
type TextValidateParams struct {
	// The text.
	Text string `json:"text"`

	// The language of the text.
	Language TextLanguage `json:"language"`

	// A form's name.
	Form string `json:"form,omitempty"`

	// A form definition.
	Definition map[string]any `json:"definition,omitempty"`

	// How ranges count characters: in UTF-8 bytes, UTF-16 code units, or code points. The default is `utf-16`.
	Encoding PositionEncoding `json:"encoding,omitempty"`

	// The language of messages.
	Locale string `json:"locale,omitempty"`

	// The values that formulas read as `context`; the form's `context` admits them.
	Context map[string]any `json:"context,omitempty"`

	// The time zone that decides what `today` is. The default is the daemon's.
	Zone string `json:"zone,omitempty"`

	// Runs the asynchronous checks and the lookups too; the answer waits for them.
	Checks bool `json:"checks,omitempty"`

	// `apply`: values that the text lacks get the schema's defaults. `ignore`: they are absent. The default is `apply`.
	Defaults string `json:"defaults,omitempty"`

	// How many errors are listed at most, from 1 to 10,000. The default is 100.
	ErrorsMax int64 `json:"errorsMax,omitempty"`
}

// ProviderRegisterParams: the params of `provider/register`.
type ProviderRegisterParams struct {
	// The provider's name.
	Name string `json:"name"`

	// The token that the configuration has for this name. It is ignored if the configuration has none.
	Token string `json:"token,omitempty"`
}

// ProviderUnregisterParams: the params of `provider/unregister`.
type ProviderUnregisterParams struct {
	// The provider's name.
	Name string `json:"name"`
}

// ServerStatsParams: the params of `server/stats`.
type ServerStatsParams struct {
	// How many connections are listed, at most 10,000; none by default. Connections that have used most time come first.
	Top int64 `json:"top,omitempty"`

	// How many kept sessions are listed, at most 10,000; none by default. The oldest come first.
	Kept int64 `json:"kept,omitempty"`

	// How many providers are listed, at most 10,000; none by default. They come in the order of their names.
	Providers int64 `json:"providers,omitempty"`

	// Whether the counts with names are listed: of targets, of error codes, of forms.
	Named bool `json:"named,omitempty"`
}

// ServerDisconnectParams: the params of `server/disconnect`.
type ServerDisconnectParams struct {
	// The connection's number.
	Connection int64 `json:"connection"`
}

// ServerEndSessionParams: the params of `server/endSession`.
type ServerEndSessionParams struct {
	// The kept session's number.
	Session int64 `json:"session"`
}

// ServerBackupParams: the params of `server/backup`.
type ServerBackupParams struct {
	// The absolute path of the copy, for the daemon. No file may be there.
	File string `json:"file"`
}
