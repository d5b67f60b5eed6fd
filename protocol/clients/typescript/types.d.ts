// The types of the protocol of formd. Written by scripts/lib/client_types.py from protocol/openrpc.json.

/** Any JSON value. A member that is undefined is left out. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };

/** The params of a method that takes none. */
export type NoParams = { [name: string]: never };

/** An action, as a program draws it. */
export interface ActionDescription {
  /** The action's name. */
  name: string;
  /** Its name for the user. */
  label?: string;
  /** The step whose fields are exactly the action's fields. The action belongs on that step's page. */
  step?: string;
  /** The step to show when the action has succeeded. If it is hidden, the client shows the next visible step. */
  leadsTo?: string;
}

/** Why an action is enabled or not. */
export interface ActionExplanation {
  /** Whether the action is enabled. */
  isEnabled: boolean;
  /** The formula that enables the action. */
  enabled: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads: { [name: string]: Json };
  /** Why the scope of an action that is not enabled is invalid. */
  because?: ExplainedError[];
  /** The number of runs in progress. */
  running?: number;
  /** The number of taps that wait for a run to end. */
  queued?: number;
  /** The number of taps that wait for checks. */
  heldForChecks?: number;
  /** Whether a throttle or debounce holds a tap. */
  heldForTime?: boolean;
}

/** The state of an action. */
export interface ActionState {
  /** Whether the action can be tapped. */
  isEnabled?: boolean;
  /** Whether a run is in progress. */
  isLoading?: boolean;
  /** How often the action has run. */
  attempts?: number;
  /** The result of the last success. */
  result?: Json;
  /** The error of the last failure. */
  error?: Json;
  /** The message of the last outcome. */
  message?: string;
  /** Why the action cannot be tapped, if its form says it. */
  reason?: string;
}

/** The data of the error 1014: The session is in use at another daemon. */
export interface AttachedElsewhereData {
  /** The daemon that has the session. */
  instance: string;
}

/** The result of `session/attach`. */
export interface AttachedSession {
  /** The session's number, for all further calls. */
  session: number;
  /** The form's name. */
  form: string;
  /** The session's revision. */
  revision: number;
  /** The output document. */
  document: Document;
  /** The values, without secrets. */
  values: { [name: string]: Json };
  /** The events after `seq` that are still kept; none without `seq`. */
  events: Event[];
  /** How many events after `seq` are no longer kept. */
  eventsLost: number;
  /** With `rotate`: the new key. */
  key?: string;
  /** Whether the form was changed while no client had the session, and the session was migrated to it. */
  isMigrated?: boolean;
}

/** The data of the error -32010: The batch has too many members. */
export interface BatchTooLargeData {
  /** The limit that was reached. */
  limit: LimitName;
  /** The value of that limit. */
  value: number;
}

/** Why an action may not run. */
export interface Blocker {
  /** The field's address; absent for the form as a whole. */
  field?: string;
  /** The error's code, `pending` or `disabled`. */
  code: string;
}

/** The params of `$/cancelRequest`. */
export interface CancelRequest {
  /** The request's id. */
  id: string | number;
}

export type Cause = 
  | "field/change"
  | "field/focus"
  | "field/blur"
  | "field/insert"
  | "field/remove"
  | "field/move"
  | "field/toggle"
  | "field/fail"
  | "step/show"
  | "action/tap"
  | "action/cancel"
  | "session/reset"
  | "session/undo"
  | "session/redo"
  | "session/setLocale"
  | "session/setContext"
  | "session/open"
  | "timer"
  | "effect";

/** A value to choose. It has the further members that the form's author gave it. */
export interface Choice {
  /** The value to be sent. */
  value: Json;
  /** Its name for the user. */
  label?: string;
  /** The name of the choices that it belongs to, for the user. */
  group?: string;
  /** The text beside it. */
  help?: string;
  /** Whether it cannot be chosen. A field's initial value may be such a choice. */
  disabled?: boolean;
}

export type ClosedReason = "shutdown" | "draining" | "closed" | "store" | "moved" | "lost";

/** The result of `session/close`, `server/endSession`. */
export interface ClosedSession {
  /** The session that was closed. */
  session: number;
}

/** A client, as an operator sees it. */
export interface ConnectionInfo {
  /** Its number. */
  connection: number;
  /** The user whose process it is. */
  uid?: number;
  /** The process that has connected. */
  pid?: number;
  /** How long it has been connected. */
  ageMs: number;
  /** Its sessions. */
  sessions: number;
  /** Bytes of memory that it makes the daemon keep or queue. */
  bytes: number;
  /** Bytes of output that the client has not read. */
  unsentBytes: number;
  /** How many turns it had: its messages, the timers of its sessions and the answers to their effects. */
  turns: number;
  /** How long these turns took. */
  microseconds: number;
}

/** The result of `session/get`. */
export interface CurrentSession {
  /** The session. */
  session: number;
  /** The form's name. */
  form: string;
  /** The session's revision. */
  revision: number;
  /** The output document. */
  document: Document;
  /** The values, without secrets. */
  values: { [name: string]: Json };
  /** The reasons for the document's content. */
  explanation?: Explanation;
}

/** The result of `session/detach`. */
export interface DetachedSession {
  /** The session that this connection no longer has. */
  session: number;
}

/** The output document of a session. If the session is opened with `watch`, it has only the watched parts. */
export interface Document {
  /** Whether no error blocks the form, and no check is in progress. */
  isValid: boolean;
  /** Whether a check is in progress. */
  isPending: boolean;
  /** Whether a value differs from its initial value. */
  isDirty: boolean;
  /** The errors that belong to no field. */
  errors: FormError[];
  /** The id of the step that is shown. */
  step?: string;
  /** Whether a user can take an edit back. */
  canUndo?: boolean;
  /** Whether a user can repeat an edit that was taken back. */
  canRedo?: boolean;
  /** The messages to be shown, by the address of the field. */
  messages: { [name: string]: string };
  /** The fields, by name, in the order of the form. */
  fields: { [name: string]: FieldState };
  /** The steps, by id, in order; absent in a form without steps. */
  steps?: { [name: string]: StepState };
  /** The lookups, by name; absent in a form without lookups. */
  lookups?: { [name: string]: LookupState };
  /** The actions, by name, in order. */
  actions: { [name: string]: ActionState };
  /** The computed outputs, by name. */
  outputs: { [name: string]: Json };
}

/** The data of the error 1007: The provider is registered already. */
export interface DuplicateProviderData {
  /** The provider's name. */
  name: string;
}

/** The data of errors. Each error has some of these members. */
export interface ErrorData {
  /** All problems of invalid params. */
  errors?: ParamsProblem[];
  /** The unknown method. */
  method?: string;
  /** The unknown form. */
  form?: string;
  /** The unknown field. */
  field?: string;
  /** The unknown action. */
  action?: string;
  /** The unknown or hidden step. */
  step?: string;
  /** The unknown session. */
  session?: number;
  /** The unknown connection. */
  connection?: number;
  /** The limit that was reached. */
  limit?: LimitName;
  /** The value of that limit. */
  value?: number;
  /** The provider's name. */
  name?: string;
  /** The daemon that has the session. */
  instance?: string;
  /** The role that the client's user does not have. */
  role?: "client" | "provider" | "operator";
  /** The closest known name. */
  closest?: string;
  /** How many milliseconds to wait before another attempt. */
  retryAfterMs?: number;
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
  /** The position of the problem in the text, in bytes. */
  offset?: number;
  /** The location at which the text is too deep or too large, as a JSON Pointer. */
  path?: string;
}

export type ErrorReason = 
  | "syntax"
  | "utf8"
  | "nul"
  | "trailing"
  | "truncated"
  | "depth"
  | "nodes"
  | "duplicateKey"
  | "integerRange"
  | "realRange"
  | "nulInKey"
  | "surrogate"
  | "memory"
  | "contentLengthMissing"
  | "contentLengthDuplicate"
  | "contentLengthInvalid"
  | "headerSyntax"
  | "headerTooLong"
  | "notAnObject"
  | "emptyBatch"
  | "version"
  | "id"
  | "method"
  | "params"
  | "shutDown"
  | "sessionClosed"
  | "detached"
  | "hidden"
  | "removed"
  | "moved"
  | "store"
  | "older";

export type ErrorSource = "schema" | "rule" | "check" | "server" | "fault";

/** How often an error code was an answer. */
export interface ErrorStatistics {
  /** The code. */
  code: number;
  /** How many requests had it as their answer. */
  count: number;
}

/** The result of a tap, sent once. */
export interface Event {
  /** The event's number in its session. */
  seq: number;
  /** The action. */
  action: string;
  /** The run, if one was started. */
  run?: number;
  /** The kind of result. */
  kind: EventKind;
  /** The value of a success. */
  result?: Json;
  /** The value of a failure. */
  error?: Json;
  /** The outcome's text; of a rejection the reason why the action is not enabled. */
  message?: string;
  /** The reasons of a rejection. */
  blockers?: Blocker[];
}

export type EventKind = "succeeded" | "failed" | "rejected" | "dropped" | "superseded" | "cancelled";

/** An error, or checks in progress, with the reasons. */
export interface ExplainedError {
  /** The id of a rule or a check, a keyword of JSON Schema, or `pending`. */
  code: string;
  /** The text for the user; absent for `pending`. */
  message?: string;
  /** The values that the text can use, by name. */
  params?: { [name: string]: Json };
  /** The address of the field, in `because`. */
  field?: string;
  /** The rule's formula. */
  rule?: string;
  /** The rule's place in the definition, as a JSON Pointer. */
  at?: string;
  /** The formula that says when the rule applies. */
  when?: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads?: { [name: string]: Json };
  /** The checks and lookups that `pending` waits for. */
  checks?: PendingInquiry[];
}

/** The reasons for the content of a session's document. */
export interface Explanation {
  form: FormExplanation;
  /** The actions, by name. */
  actions: { [name: string]: ActionExplanation };
  /** The fields that need an explanation, by address. */
  fields: { [name: string]: FieldExplanation };
  /** The steps, by id; absent in a form without steps. */
  steps?: { [name: string]: StepExplanation };
  /** The lookups, by name; absent in a form without lookups. */
  lookups?: { [name: string]: LookupExplanation };
}

/** A field, as a program draws it. */
export interface FieldDescription {
  /** The field's name. */
  name: string;
  /** Its address: the name, or a JSON Pointer for a field inside of another. */
  address: string;
  /** The type of its values; `any` if the schema does not set one. */
  type: FieldKind;
  /** The schema's `format`. */
  format?: string;
  /**
   * How it reads what people type: send the text of the input as typed. The document has it in `text` of the field.
   */
  read?: TextReading;
  /** The control that the form's author asks for. */
  widget?: string;
  /**
   * The definition's hints about the control: `autocomplete`, `inputMode`, `accept`, `maxBytes`, `mediaTypes`,
   * `group`, `ui`.
   */
  hints?: { [name: string]: Json };
  /** Its name for the user. */
  label?: string;
  /** The text in the empty field. */
  placeholder?: string;
  /** The help text beside it. */
  help?: string;
  /** When its messages are shown. */
  show: Showing;
  /** Whether its value never leaves the daemon. */
  isSecret: boolean;
  /** Whether the schema requires it. */
  isRequired: boolean;
  /** Whether the schema says that the user does not change the value. The field is never enabled. */
  readOnly?: boolean;
  /** Whether a formula computes the value. Such a field takes no input. */
  computed?: boolean;
  /** Whether a formula suggests the value until it is changed. */
  suggested?: boolean;
  /** The values to choose from, in order. */
  options?: Choice[];
  /**
   * Whether a formula computes the options. The document has them in `options` of the field, or of the list around
   * it.
   */
  hasLiveOptions?: boolean;
  /** Of a list: whether each element is one of the choices of `items`. `field/toggle` adds and removes one. */
  isMultipleChoice?: boolean;
  /** Whether the user may give a text that is not among the choices. */
  admitsOther?: boolean;
  /** Its initial value. */
  initial?: Json;
  /** The initial value as people type it, in the language of the texts. Only of a field with `read`. */
  initialText?: string;
  /** Of a list: the name of the member that identifies its rows. */
  key?: string;
  /** Of a list: whether rows without any value are not judged, not sent and not counted. */
  ignoresBlankRows?: boolean;
  /** The minimum length of a text, in code points. */
  minLength?: number;
  /** The maximum length of a text, in code points. */
  maxLength?: number;
  /** A regular expression that a text matches; the first one if there are several. */
  pattern?: string;
  /** The minimum of a number. */
  minimum?: Json;
  /** The maximum of a number. */
  maximum?: Json;
  /** A number that every value is greater than. */
  exclusiveMinimum?: Json;
  /** A number that every value is less than. */
  exclusiveMaximum?: Json;
  /** Every value is a multiple of this number; the first one if there are several. */
  multipleOf?: Json;
  /** The minimum number of elements in a list. */
  minItems?: number;
  /** The maximum number of elements in a list. */
  maxItems?: number;
  /** Whether no two elements of a list are equal. */
  uniqueItems?: boolean;
  /** The members of its schema whose names begin with `x-`. */
  extensions?: { [name: string]: Json };
  /** The fields inside of it, in order. */
  fields?: FieldDescription[];
  /** What each row of a list is: a field called `*`. */
  items?: FieldDescription;
}

/** The reasons for the state of a field. */
export interface FieldExplanation {
  /** The field's errors. */
  errors?: ExplainedError[];
  /** `shown`, or the condition that the message waits for. */
  message?: string;
  /** The formula or the step that hides the field. */
  hiddenBy?: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads?: { [name: string]: Json };
  /** The formula that gives the value now. */
  value?: ValueExplanation;
  /** The checks and lookups that the field waits for. */
  pending?: PendingInquiry[];
}

export type FieldKind = "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";

/** The state of a field. In a row, members with their default are absent. */
export interface FieldState {
  /** Whether the field is shown. */
  isVisible?: boolean;
  /** Whether the field can be changed. */
  isEnabled?: boolean;
  /** Whether the field must have a value, if the object around it has one. */
  isRequired?: boolean;
  /** Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid. */
  isValid?: boolean;
  /** Whether a check of the field is in progress, or a lookup for its options. */
  isPending?: boolean;
  /** Whether the value differs from the initial value. */
  isDirty?: boolean;
  /** Whether the user has left the field once. */
  isTouched?: boolean;
  /** Whether the field has no value, or is hidden. */
  isEmpty?: boolean;
  /** All errors of the field. */
  errors?: FormError[];
  /** The choices that a formula gives. A list has the choices that are equal for all its rows, by address. */
  options?: Choice[] | { [name: string]: Choice[] };
  /** What the input shows, if the field reads what people type. */
  text?: string;
  /** Why the field cannot be changed, if its form says it. */
  reason?: string;
  /** The identities of a list's rows, in order. */
  order?: string[];
  /** The fields inside of it, by name. */
  fields?: { [name: string]: FieldState };
  /** The rows of a list, by identity. */
  rows?: { [name: string]: RowState };
}

/** The result of `form/describe`. */
export interface FormDescription {
  /** The form's name. */
  form: string;
  /** The requested language. */
  requestedLocale?: string;
  /** The language of the texts: the form's closest language to the requested one. */
  locale?: string;
  /** The form's title. */
  title?: string;
  /** Its fields, in order. */
  fields: FieldDescription[];
  /** Its steps, in order. */
  steps?: StepDescription[];
  /** Its actions, in order. */
  actions: ActionDescription[];
  /** The names of its outputs. An output that each row has is given by its address. */
  outputs: string[];
  /** The JSON Schema of the context that the form takes. */
  context?: { [name: string]: Json };
}

/** An error or a warning in the document. */
export interface FormError {
  /** The id of a rule or a check, or a keyword of JSON Schema. */
  code: string;
  /** The place inside the field's value, as a JSON Pointer; absent for the value. */
  path?: string;
  /** A warning does not block. Nor does an error of a server. */
  severity: Severity;
  /** What found the error. */
  source: ErrorSource;
  /** The text for the user. */
  message: string;
  /** The values that the text can use, by name. */
  params: { [name: string]: Json };
}

/** The reasons for the state of the form. */
export interface FormExplanation {
  /** Whether no error blocks the form, and no check is in progress. */
  isValid: boolean;
  /** Whether a check is in progress. */
  isPending: boolean;
  /** The errors that belong to no field. */
  errors?: ExplainedError[];
  /** The formulas that went wrong. */
  faults?: FormulaFault[];
}

/** The result of `form/list`. */
export interface FormList {
  /** The forms. */
  forms: FormSummary[];
}

/** A problem of a form's file, or of the configuration. */
export interface FormProblem {
  /** The file or folder. */
  file?: string;
  /** The location in the definition, as a JSON Pointer. */
  path: string;
  /** The line, from 1. */
  line?: number;
  /** The column, from 1. */
  column?: number;
  /** An `error`: the file is not used. A `warning`: the file is used, but probably not as intended. */
  severity: Severity;
  /** The kind of problem, for programs. */
  code: string;
  /** What is wrong, in one sentence. */
  message: string;
  /** What to write instead, or what to do. */
  remedy?: string;
}

/** The result of `form/schema`. */
export interface FormSchema {
  /** The form's name. */
  form: string;
  /** The requested language. */
  requestedLocale?: string;
  /** The language of the texts: the form's closest language to the requested one. */
  locale?: string;
  /** The schema of the form's values. */
  schema: { [name: string]: Json };
}

/** What the sessions of a form have done. */
export interface FormStatistics {
  /** The form's name; empty for all forms that clients brought along. */
  form: string;
  /** Turns of its sessions. */
  turns: number;
  /** Pieces of work for this form that took so long that they were logged. */
  slowTurns: number;
  /** Run-time errors of its formulas. */
  faults: number;
}

/** A form that the daemon has. */
export interface FormSummary {
  /** The form's name. */
  form: string;
  /** Its default locale. */
  locale?: string;
  /** The addresses of its fields, in order. */
  fields: string[];
  /** Its actions, in order. */
  actions: string[];
}

/** A formula that went wrong. */
export interface FormulaFault {
  /** The formula's name. */
  cell: string;
  /** The formula's place in the definition, as a JSON Pointer. */
  at: string;
  /** The formula. */
  formula: string;
  /** What happened to which types. */
  reason: string;
}

/** The result of `initialize`. */
export interface Greeting {
  /** What the daemon can do beyond the protocol; always empty. */
  capabilities: { [name: string]: Json };
  serverInfo: ServerProgram;
  /** Changes with every start of the daemon. */
  instanceId: string;
  /** The version of the protocol. */
  protocolVersion: string;
}

/**
 * The result of `session/reset`, `session/undo`, `session/redo`, `session/setLocale`, `session/setContext`,
 * `field/change`, `field/focus`, `field/blur`, `field/remove`, `field/move`, `field/toggle`, `field/fail`,
 * `step/show`, `action/cancel`.
 */
export interface InputAnswer {
  /** The session's revision after the input. */
  revision: number;
}

/** The phase of a check or a lookup. */
export type InquiryPhase = "idle" | "debounce" | "running" | "retrying" | "settled" | "failed" | "faulted";

/** The result of `field/insert`. */
export interface InsertAnswer {
  /** The session's revision after the input. */
  revision: number;
  /** The new row's identity, if `values` was not sent. */
  row?: string;
  /** The new rows' identities, in order, if `values` was sent. */
  rows?: string[];
}

/** The data of the error -32602: Invalid params. */
export interface InvalidParamsData {
  /** All problems of invalid params. */
  errors: ParamsProblem[];
}

/** The data of the error -32600: Invalid Request. */
export interface InvalidRequestData {
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
  /** The location at which the text is too deep or too large, as a JSON Pointer. */
  path?: string;
}

/** An error in a set of values. */
export interface InvalidValue {
  /**
   * The location in the values that were sent, as a JSON Pointer; elements of lists are given by position. Empty for
   * the form as a whole.
   */
  path: string;
  /** The kind of error: the id of a rule or a check, or a keyword of JSON Schema. */
  code: string;
  /** The message, for people. */
  message: string;
}

/** A kept session, as an operator sees it. */
export interface KeptSessionInfo {
  /** Its number. */
  session: number;
  /** The form's name. */
  form: string;
  /** How long ago it was opened. */
  ageMs: number;
  /** How many connections have it. */
  connections: number;
  /** When it ends if no client attaches. Absent while a client has it or an action runs. */
  endsInMs?: number;
  /** Bytes of memory that it takes. */
  bytes: number;
}

export type LimitName = 
  | "textBytesMax"
  | "depthMax"
  | "nodesMax"
  | "batchMax"
  | "connectionsMax"
  | "sessionsPerConnectionMax"
  | "sessionsMax"
  | "keptSessionsMax"
  | "keepMax"
  | "valueBytesPerConnectionMax"
  | "valueBytesMax"
  | "definitionsPerConnectionMax"
  | "definitionsMax"
  | "definitionBytesMax"
  | "definitionMs"
  | "batchBytesMax"
  | "unreadBytesMax"
  | "memoryMax"
  | "requestsInFlightMax"
  | "providersPerConnectionMax"
  | "outputSoftBytes"
  | "outputHardBytes"
  | "eventsKeptMax"
  | "errorsPerFieldMax"
  | "rowsMax"
  | "undoMax"
  | "undoBytesMax"
  | "stallMs"
  | "drainMs";

/** The limits in force, by name. */
export interface Limits {
  /** Bytes of one text; a larger text fails with -32007. */
  textBytesMax: number;
  /** Nesting depth of arrays and objects in one text. */
  depthMax: number;
  /** Values in one text. */
  nodesMax: number;
  /** Members of a batch. */
  batchMax: number;
  /** Open connections, or fewer if the process may not open as many files. Seats for operators are extra. */
  connectionsMax: number;
  /** Sessions of one connection. */
  sessionsPerConnectionMax: number;
  /** Sessions of all connections. */
  sessionsMax: number;
  /**
   * Sessions that outlive their connections, whether a client has them or not, in memory and in the store of all
   * daemons.
   */
  keptSessionsMax: number;
  /** Milliseconds that a session may be kept when no client has it. More than a day (86400000) needs a store. */
  keepMax: number;
  /** Bytes of values, outputs, results and answers that the sessions of one connection hold. */
  valueBytesPerConnectionMax: number;
  /** Bytes of values, outputs, results and answers that all sessions hold. */
  valueBytesMax: number;
  /** Sessions of one connection with a definition of their own. */
  definitionsPerConnectionMax: number;
  /** Sessions of all connections with a definition of their own. */
  definitionsMax: number;
  /** Bytes of one definition. */
  definitionBytesMax: number;
  /** Milliseconds that one definition may take to compile; a slower one fails with 1011. */
  definitionMs: number;
  /** Bytes of one connection's unfinished answers to batches; further members are refused with 1012. */
  batchBytesMax: number;
  /**
   * Bytes of unread input and unfinished texts of all connections. A client that needs more gets 1011 and is
   * disconnected.
   */
  unreadBytesMax: number;
  /** Bytes of everything that clients make the daemon keep or queue. A client that needs more gets 1011. */
  memoryMax: number;
  /** Requests of one connection that wait for an outcome. */
  requestsInFlightMax: number;
  /** Providers of one connection. */
  providersPerConnectionMax: number;
  /** Bytes of unsent output of one connection; above it, updates are held back and no input is read. */
  outputSoftBytes: number;
  /**
   * Bytes of events that are kept for one session, of its update that is held back for a slow reader, and of its
   * changes that wait for the store.
   */
  outputHardBytes: number;
  /** Number of events that are kept for one session: for a client that does not read, or that comes back. */
  eventsKeptMax: number;
  /** Errors of the schema that one field lists. If there are more, a last one gives their number. */
  errorsPerFieldMax: number;
  /** Rows of all lists of one session; an input that would make more is refused with 1012. */
  rowsMax: number;
  /** Edits that one session of a form with undo keeps; the oldest are dropped. */
  undoMax: number;
  /** Bytes of the edits that one session of a form with undo keeps; the oldest are dropped. */
  undoBytesMax: number;
  /** Milliseconds after which a connection over outputSoftBytes ends if its client reads nothing. */
  stallMs: number;
  /** Milliseconds that the daemon waits for accepted requests when it ends. */
  drainMs: number;
}

/** The result of `forms/watch`. */
export interface LoadedForms {
  /** The names of the forms that the daemon has now, in order. */
  forms: string[];
  /** What is wrong with the files. A form whose file is broken stays as it was. */
  problems: FormProblem[];
}

/** The reasons for the state of a lookup. */
export interface LookupExplanation {
  phase: InquiryPhase;
  /** The formula that says when the lookup asks. */
  when?: string;
  /** Why the lookup failed. */
  error?: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads: { [name: string]: Json };
}

/** The state of a lookup. */
export interface LookupState {
  /** Whether the lookup waits for an answer. */
  isLoading?: boolean;
  /** The value that the lookup has found. */
  value?: Json;
  /** Why the lookup has failed. */
  error?: string;
}

/** Memory that the daemon keeps or queues for clients. */
export interface MemoryGauges {
  /** Values that sessions keep for their clients. */
  values: number;
  /** The sessions themselves, and definitions from clients. */
  sessions: number;
  /** Input that is not handled yet. */
  unread: number;
  /** Output that is not sent yet, and data that will become output. */
  queued: number;
}

export type MethodName = 
  | "initialize"
  | "initialized"
  | "shutdown"
  | "exit"
  | "$/cancelRequest"
  | "session/open"
  | "session/attach"
  | "session/detach"
  | "session/close"
  | "session/get"
  | "session/reset"
  | "session/undo"
  | "session/redo"
  | "session/setLocale"
  | "session/list"
  | "session/setContext"
  | "field/change"
  | "field/focus"
  | "field/blur"
  | "field/insert"
  | "field/remove"
  | "field/move"
  | "field/toggle"
  | "field/fail"
  | "step/show"
  | "action/tap"
  | "action/cancel"
  | "form/list"
  | "form/describe"
  | "form/schema"
  | "form/validate"
  | "forms/watch"
  | "text/validate"
  | "provider/register"
  | "provider/unregister"
  | "server/info"
  | "server/ping"
  | "server/stats"
  | "server/reload"
  | "server/disconnect"
  | "server/endSession"
  | "server/backup"
  | "rpc.discover";

/** The data of the error -32601: Method not found. */
export interface MethodNotFoundData {
  /** The unknown method. */
  method: string;
  /** The closest known name. */
  closest?: string;
}

/** The result of `session/open`. */
export interface OpenedSession {
  /** The session's number, for all further calls. */
  session: number;
  /** 0. */
  revision: number;
  /** The output document. */
  document: Document;
  /** The values, without secrets. */
  values: { [name: string]: Json };
  /** With `keep`: the key for `session/attach`. Every client that knows the key can have the session. */
  key?: string;
}

/** The data of the error 1011: The daemon has reached a limit. */
export interface OverloadedData {
  /** The limit that was reached. */
  limit?: LimitName;
  /** The value of that limit. */
  value?: number;
  /** How many milliseconds to wait before another attempt. */
  retryAfterMs?: number;
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
}

/** A problem of params. */
export interface ParamsProblem {
  /** The location, as a JSON Pointer. */
  path: string;
  /**
   * `type`, `value`, `required`, `unknown`, `computed` or `readOnly`. Faults of definitions have codes of their own.
   */
  code: string;
  /** What was expected. */
  expected: string;
  /** What is wrong with a definition. */
  message?: string;
}

/** The data of the error -32700: Parse error. */
export interface ParseErrorData {
  /** Why the text, the envelope or the request was refused. */
  reason: ErrorReason;
  /** The position of the problem in the text, in bytes. */
  offset: number;
}

/** A check or a lookup in progress. */
export interface PendingInquiry {
  /** The check's id. */
  check?: string;
  /** The lookup's name. */
  lookup?: string;
  phase: InquiryPhase;
}

/** The result of `server/ping`. */
export interface Pong {
  /** Changes with every start. */
  instanceId: string;
  /** Why the daemon is not ready for clients, for people: the store, its forms, or its end. Absent if it is ready. */
  notReady?: string[];
}

export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** Resources that the daemon's process has used. */
export interface ProcessUsage {
  /** How long the daemon has been running. */
  uptimeMs: number;
  /** Processor time that the daemon has used. */
  cpuMs: number;
  /** Bytes of memory that the daemon has from the system. */
  residentBytes: number;
}

/** The params of `provider/evaluate`. */
export interface ProviderCall {
  /** The provider's name. */
  name: string;
  /** The arguments of the form's question. */
  arguments: { [name: string]: Json };
  /**
   * Of an action with `idempotency`: a key that is the same in all questions of one tap, to all providers, and
   * different for every other tap.
   */
  idempotencyKey?: string;
}

/** A provider, as an operator sees it. */
export interface ProviderInfo {
  /** Its name. */
  name: string;
  /** How many connections hold the name. */
  holders: number;
  /** How many connections may hold it, by the configuration. */
  holdersMax: number;
  /** How many questions to it have no answer. */
  questions: number;
}

/** A provider's name. */
export interface ProviderName {
  /** The name. */
  name: string;
}

/** Work that waits or is under way. */
export interface QueueGauges {
  /** Connections that wait for their turn. */
  turns: number;
  /** Requests that wait for an outcome. */
  requests: number;
  /** Requests to services, databases and providers that are under way. */
  effects: number;
  /** Definitions that are being compiled, or wait for it. */
  compiling: number;
  /** Timers that are set. */
  timers: number;
  /** Writes of kept sessions that wait for the store. */
  store: number;
}

/** The data of the error 1012: This connection has reached a limit. */
export interface QuotaExceededData {
  /** The limit that was reached. */
  limit: LimitName;
  /** The value of that limit. */
  value: number;
}

/** The result of `server/reload`. */
export interface ReloadOutcome {
  /** Whether the daemon has taken over the configuration and the forms. If not, nothing has changed. */
  reloaded: boolean;
  /** The names of the settings that have changed. */
  changed: string[];
  /** The names of the forms that are new, have changed or are gone. */
  changedForms: string[];
  /** The names of changed settings that need a restart. They stay as they were. */
  needRestart: string[];
  /** How many forms the daemon has now. */
  forms: number;
  /** What is wrong with the configuration, if it was refused. Otherwise what is wrong with the forms' files. */
  problems: FormProblem[];
}

/** The data of the error -32800: Request cancelled. */
export interface RequestCancelledData {
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
}

/** The data of the error 1015: This user does not have the needed role. */
export interface RoleNeededData {
  /** The role that the client's user does not have. */
  role: "client" | "provider" | "operator";
}

/** The state of a row. In a row and its fields, members with their default are absent. */
export interface RowState {
  /** Whether the field is shown. */
  isVisible?: boolean;
  /** Whether the field can be changed. */
  isEnabled?: boolean;
  /** Whether the field must have a value, if the object around it has one. */
  isRequired?: boolean;
  /** Whether no error blocks the field, and none of its checks is in progress. A hidden field is valid. */
  isValid?: boolean;
  /** Whether a check of the field is in progress, or a lookup for its options. */
  isPending?: boolean;
  /** Whether the value differs from the initial value. */
  isDirty?: boolean;
  /** Whether the user has left the field once. */
  isTouched?: boolean;
  /** Whether the field has no value, or is hidden. */
  isEmpty?: boolean;
  /** All errors of the field. */
  errors?: FormError[];
  /** The choices that a formula gives. A list has the choices that are equal for all its rows, by address. */
  options?: Choice[] | { [name: string]: Choice[] };
  /** What the input shows, if the field reads what people type. */
  text?: string;
  /** Why the field cannot be changed, if its form says it. */
  reason?: string;
  /** The identities of a list's rows, in order. */
  order?: string[];
  /** The fields inside of it, by name. */
  fields?: { [name: string]: FieldState };
  /** The rows of a list, by identity. */
  rows?: { [name: string]: RowState };
  /** The computed outputs of the row, by name. */
  outputs?: { [name: string]: Json };
  /** The lookups of the row, by name. */
  lookups?: { [name: string]: LookupState };
}

/** An error object of JSON-RPC. */
export interface RpcError {
  /** The error's code. */
  code: number;
  /** One sentence. */
  message: string;
  /** Details for programs. */
  data?: ErrorData;
}

/** The params of `server/draining`. */
export interface ServerDraining {
  /** Accepted requests are answered within this number of milliseconds. */
  withinMs: number;
}

/** The result of `server/info`. */
export interface ServerInfo {
  /** formd */
  name: string;
  /** Its version. */
  version: string;
  /** The version of the protocol. */
  protocolVersion: string;
  /** Changes with every start. */
  instanceId: string;
  /** Its process. */
  pid: number;
  /** How many forms it has. */
  forms: number;
  /** The limits in force, by name. */
  limits: Limits;
}

/** A program and its version. */
export interface ServerProgram {
  /** formd */
  name: string;
  /** Its version. */
  version: string;
}

/** The params of `server/rejected`. */
export interface ServerRejected {
  /** The notification's method. */
  method: MethodName;
  /** The error that a request would have been answered with. */
  error: RpcError;
}

/** The result of `server/stats`. */
export interface ServerStatistics {
  /** Connections that are open. */
  connections: number;
  /** Sessions that are open. */
  sessions: number;
  /** Sessions that are kept, whether a client has them or not. */
  keptSessions: number;
  /** Registrations of providers: the connections that hold each name, added up. */
  providerHolders: number;
  /** Connections that have not answered their last calls to a provider in time. They are asked if no other can be. */
  providerHoldersPassedOver: number;
  /** Services that are not asked now because they have failed too often (`breaker`). */
  servicesPassedOver: number;
  /** Connections since the start. */
  connectionsAccepted: number;
  /** Connections that were refused: peers of another user, and connections beyond the limit. */
  connectionsRefused: number;
  /** Connections that were ended because the client read nothing for too long. */
  connectionsStalled: number;
  /** Sessions since the start. */
  sessionsOpened: number;
  /** Requests. */
  requests: number;
  /** Notifications. */
  notifications: number;
  /** Notifications of methods that do not exist, or that make no sense without an answer. */
  notificationsIgnored: number;
  /** Notifications answered by `server/rejected`. */
  notificationsRejected: number;
  /** Updates that were written. */
  updates: number;
  /** Updates that a slow reader got as part of a later one. */
  updatesHeldBack: number;
  /** How often a slow reader was notified that updates are lost. */
  desyncs: number;
  /** Requests answered with an error. */
  errors: number;
  /** Texts and envelopes that could not be accepted. */
  badTexts: number;
  /** Answers to requests that the daemon did not make. */
  unknownResponses: number;
  /** Requests to services, databases and providers. */
  effectsStarted: number;
  /** Requests to services, databases and providers that were refused, timed out or failed. */
  effectsFailed: number;
  /** Run-time errors of formulas. */
  faults: number;
  /** Pieces of work (for a message, a timer, or the answer to an effect) that took so long that they were logged. */
  slowTurns: number;
  /** How often the forms were reloaded. */
  reloads: number;
  /** How often a reload was refused because the configuration is broken. */
  reloadsRefused: number;
  /** Files of forms that are broken or cannot be read, and of which the daemon has no earlier form. */
  brokenForms: number;
  /** Kept sessions that ended because they could not be stored. */
  storeFailures: number;
  /** Why the store of kept sessions does not answer or cannot be written now; absent if it is well. */
  storeProblem?: string;
  /** The store of kept sessions; absent if the daemon has none. */
  store?: StoreStatistics;
  /** What clients make the daemon keep or queue, in bytes. */
  memory: MemoryGauges;
  /** Work that waits or is under way. */
  queues: QueueGauges;
  /** How long turns took: messages of clients, timers of sessions, answers to effects. */
  turnTime: TimeHistogram;
  /** Resources that the process has used. */
  process: ProcessUsage;
  /** The connections, as many as were requested. */
  topClients?: ConnectionInfo[];
  /** The kept sessions, as many as were requested. Their keys are never shown. */
  kept?: KeptSessionInfo[];
  /** The registered providers, as many as were requested. */
  providers?: ProviderInfo[];
  /** The services, databases and providers that were asked, if requested. */
  targets?: TargetStatistics[];
  /** The codes of errors that were answers, if requested. */
  errorCodes?: ErrorStatistics[];
  /** The forms whose sessions had turns, if requested. */
  forms?: FormStatistics[];
}

/** The params of `session/closed`. */
export interface SessionClosed {
  /** The session. */
  session: number;
  /**
   * Why: the client called `shutdown`, the daemon ends, another client or an operator has closed the session, it
   * could not be stored (`store`), somebody has taken it at another daemon (`moved`), or this daemon was cut off and
   * has lost it (`lost`).
   */
  reason: ClosedReason;
}

/** The params of `session/desync`. */
export interface SessionDesync {
  /** The session. */
  session: number;
  /** The session's revision now. */
  revision: number;
  /** Events that were not delivered and never will be. */
  eventsLost: number;
}

/** The result of `session/list`. */
export interface SessionList {
  /** The sessions. */
  sessions: SessionSummary[];
}

/** A session of the connection. */
export interface SessionSummary {
  /** The session. */
  session: number;
  /** Its form. */
  form: string;
  /** Its revision. */
  revision: number;
}

export type Severity = "error" | "warning";

export type Showing = "always" | "edit" | "blur" | "submit";

/** A step, as a program draws it. */
export interface StepDescription {
  /** The step's id. */
  id: string;
  /** Its name for the user. */
  label?: string;
  /** The addresses of its fields. Fields inside of them are in the step, too. */
  fields: string[];
}

/** The reasons for the state of a step. */
export interface StepExplanation {
  /** Whether no error of the step blocks. */
  isValid: boolean;
  /** Why the step is not valid. */
  because?: ExplainedError[];
  /** The formula that hides the step. */
  hiddenBy?: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads?: { [name: string]: Json };
}

/** The state of a step. */
export interface StepState {
  /** Whether the step is shown. */
  isVisible?: boolean;
  /** Whether all fields of the step are valid. */
  isValid?: boolean;
  /** Whether a check of one of its fields is in progress. */
  isPending?: boolean;
  /** Whether the user has left one of its fields once. */
  isTouched?: boolean;
}

/** The result of `server/backup`. */
export interface StoreCopy {
  /** The size of the copy. */
  bytes: number;
}

/** The store of kept sessions. */
export interface StoreStatistics {
  /** Whether the store answers and can be written. */
  isUp: boolean;
  /** How much of the lease is left; 0 after its end. Absent if only one daemon uses the store. */
  leaseMs?: number;
  /** How many sessions the store has: the sessions of all daemons, in memory or not. Absent until it is known. */
  sessions?: number;
  /** How long writes of sessions took until they were committed. */
  commitTime: TimeHistogram;
}

/** The result of `action/tap`. */
export interface TapAnswer {
  /** The session's revision after the input. */
  revision: number;
  /** What happened to the tap. With `await` it is present only if a throttle or debounce dropped the tap. */
  outcome?: TapOutcome;
  /** The run that was started. */
  run?: number;
  /** Why the tap was rejected. */
  blockers?: Blocker[];
  event?: Event;
  /** With `document`: the output document, with the effects of the tap that are known then. */
  document?: Document;
}

export type TapOutcome = "started" | "held" | "rejected" | "dropped";

/** Failures of one kind. */
export interface TargetFailures {
  /** The kind, as `response.kind` of formulas names it. */
  kind: string;
  /** How many there were. */
  count: number;
}

/** How a service, a database or a provider has answered. */
export interface TargetStatistics {
  /** `service`, `database` or `provider`. */
  part: string;
  /** The name in the forms and in the configuration. */
  name: string;
  /** How long the answers took, failures included. */
  answerTime: TimeHistogram;
  /** The failures by kind. */
  failures?: TargetFailures[];
}

/** Why a value does not match an alternative. */
export interface TextCause {
  /** The location in the values, as a JSON Pointer. */
  path: string;
  /** The keyword of JSON Schema that the value violates. */
  code: string;
  /** The error's range in the text. */
  range: TextRange;
  /** The range of the member's name. */
  keyRange?: TextRange;
}

/** An error in a text. */
export interface TextError {
  /** The location in the values, as a JSON Pointer; elements of lists are given by position. */
  path: string;
  /**
   * The kind of error: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or a problem of the text
   * itself.
   */
  code: string;
  /** The source of the error, as in documents. Absent if the text cannot be read there. */
  source?: ErrorSource;
  /**
   * An `error`: the text cannot be read there, or the value is not valid. A `warning`: the text is accepted, but
   * probably not as intended.
   */
  severity: Severity;
  /** The message, for people. */
  message: string;
  /** The parameters of the message, by name. */
  params?: { [name: string]: Json };
  /**
   * The error's range in the text: the value. If the value is missing: the name of the object that lacks it, or its
   * opening bracket.
   */
  range: TextRange;
  /** The range of the member's name. If the member is missing: the range of the name of the object that lacks it. */
  keyRange?: TextRange;
  /** What to write instead, if that is clear. */
  fix?: TextFix;
  /** Why the value does not match the closest alternative, if it matches none of several. */
  causes?: TextCause[];
}

/** A replacement in a text. */
export interface TextFix {
  /** The range that is replaced. */
  range: TextRange;
  /** The new text. */
  text: string;
}

export type TextLanguage = "json" | "jsonc" | "yaml" | "env";

/** A position in a text. */
export interface TextPosition {
  /** The line, from 0. */
  line: number;
  /** The characters of the line before the position. */
  character: number;
}

/** A range of a text. */
export interface TextRange {
  /** The position of the first character. */
  start: TextPosition;
  /** The position after the last character. */
  end: TextPosition;
}

export type TextReading = "number" | "percent" | "currency" | "date" | "dateTime";

/** The data of the error -32007: The text is too large. */
export interface TextTooLargeData {
  /** The limit that was reached. */
  limit: LimitName;
  /** The value of that limit. */
  value: number;
}

/** The result of `text/validate`. */
export interface TextValidation {
  /** Whether the text can be read, and its values are valid. */
  isValid: boolean;
  /**
   * The errors: first in the text, then in its values in the order of the form's fields, then of the form as a whole.
   */
  errors: TextError[];
  /** Whether there are more errors than are listed. */
  isTruncated: boolean;
}

/** How many durations are up to a bound. */
export interface TimeBucket {
  /** The bound. */
  microsecondsMax: number;
  /** How many took at most as long as the bound. */
  count: number;
}

/** A distribution of durations. */
export interface TimeHistogram {
  /** How many there were. */
  count: number;
  /** The sum of all durations. */
  totalMicroseconds: number;
  /** How many took at most as long as each bound, in ascending order. */
  buckets: TimeBucket[];
}

/** The data of the error 1005: Unknown action. */
export interface UnknownActionData {
  /** The unknown action. */
  action: string;
  /** The closest known name. */
  closest?: string;
}

/** The data of the error 1002: Unknown connection. */
export interface UnknownConnectionData {
  /** The unknown connection. */
  connection: number;
}

/** The data of the error 1004: Unknown field. */
export interface UnknownFieldData {
  /** The unknown field. */
  field: string;
  /** The closest known name. */
  closest?: string;
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
}

/** The data of the error 1003: Unknown form. */
export interface UnknownFormData {
  /** The unknown form. */
  form: string;
  /** The closest known name. */
  closest?: string;
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
}

/** The data of the error 1006: Unknown provider. */
export interface UnknownProviderData {
  /** The provider's name. */
  name: string;
}

/** The data of the error 1001: Unknown session. */
export interface UnknownSessionData {
  /** The unknown session. */
  session?: number;
}

/** The data of the error 1008: Unknown step. */
export interface UnknownStepData {
  /** The unknown or hidden step. */
  step: string;
  /** The closest known name. */
  closest?: string;
  /** Why the text, the envelope or the request was refused. */
  reason?: ErrorReason;
}

/** The params of `session/update`. */
export interface Update {
  /** The session. */
  session: number;
  /** The session's revision now. */
  revision: number;
  /** The revision last delivered on this connection. */
  from: number;
  /** The cause of the last turn: the input's method, `timer` or `effect`. */
  cause: Cause;
  /** A JSON Merge Patch (RFC 7396) against the document. */
  patch: { [name: string]: Json };
  /** Values that the daemon changed, by address, such as values that a reset restored. */
  values?: { [name: string]: Json };
  /** The addresses of the values that the daemon removed. */
  absent?: string[];
  /** The results of actions. */
  events?: Event[];
}

/** The result of `form/validate`. */
export interface Validation {
  /** Whether the values are valid. With `only`, whether those fields are. */
  isValid: boolean;
  /** The values, normalized and with computed ones, without hidden fields and without secrets. */
  values: { [name: string]: Json };
  /** The errors that make the values invalid, in the order of the fields; errors of the form as a whole come last. */
  errors: InvalidValue[];
  /** The output document. */
  document: Document;
}

/** The formula that gives a field its value: `computed` or `suggested`. */
export interface ValueExplanation {
  /** The formula of `computed`. */
  computed?: string;
  /** The formula of `suggested`. */
  suggested?: string;
  /** The values that the formula reads, by name. A secret's value is never in it. */
  reads: { [name: string]: Json };
}

/** The data of the error 1009: The provider's token is missing or wrong. */
export interface WrongTokenData {
  /** The provider's name. */
  name: string;
}

/** The params of `$/cancelRequest`. */
export interface CancelRequestParams {
  /** The request's id. */
  id: string | number;
}

/** The params of `session/open`. */
export interface SessionOpenParams {
  /** A form's name. */
  form?: string;
  /** A form definition. */
  definition?: { [name: string]: Json };
  /** The language of messages: `ko`, `en-GB`. */
  locale?: string;
  /** The time zone that decides what `today` is: `Europe/Zurich`, `UTC`; else the daemon's. */
  zone?: string;
  /** Initial values. */
  values?: { [name: string]: Json };
  /** The values that formulas read as `context`; the form's `context` admits them. */
  context?: { [name: string]: Json };
  /** Shows every message at once, regardless of the fields' policies. */
  show?: "always";
  /** Limits what updates contain. */
  watch?: string[];
  /**
   * How long the session is kept when no client has it, such as `10m`. Without it, the session ends with its
   * connection.
   */
  keep?: string;
  /**
   * Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
   * for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
   */
  onlyPublic?: boolean;
}

/** The params of `session/attach`. */
export interface SessionAttachParams {
  /** The session's key. */
  key: string;
  /** The last event that the client knows, 0 for none. Later events are sent again. */
  seq?: number;
  /** Whether the session gets a new key. The old key is then invalid. */
  rotate?: boolean;
  /**
   * Whether to take the session from another daemon of the same store, even if clients have it there. Their
   * `session/closed` has the reason `moved`.
   */
  take?: boolean;
  /**
   * Whether this connection gets only the values of lookups and the results of actions that the form calls `public`:
   * for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends.
   */
  onlyPublic?: boolean;
}

/** The params of `session/detach`. */
export interface SessionDetachParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `session/close`. */
export interface SessionCloseParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `session/get`. */
export interface SessionGetParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
  /** Adds `explanation`: the reasons for the content of the document. */
  explain?: boolean;
}

/** The params of `session/reset`. */
export interface SessionResetParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
  /**
   * The address of a field: only this field, with all fields inside it, goes back to its beginning. Without it, the
   * whole session does.
   */
  field?: string;
  /** Keeps the values; they become the initial ones. Only for the whole session, without `field`. */
  keepValues?: boolean;
}

/** The params of `session/undo`. */
export interface SessionUndoParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `session/redo`. */
export interface SessionRedoParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `session/setLocale`. */
export interface SessionSetLocaleParams {
  /** The language of messages: `ko`, `en-GB`. */
  locale: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `session/setContext`. */
export interface SessionSetContextParams {
  /** The context. It replaces the context before, as a whole. */
  context: { [name: string]: Json };
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/change`. */
export interface FieldChangeParams {
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
  /** An address: a field's name, or a JSON Pointer. */
  field?: string;
  /** The value; `null` removes it. A row that is set to `null` is emptied and stays in the list. */
  value?: Json;
  /** Values by address, in place of `field` and `value`. */
  values?: { [name: string]: Json };
  /**
   * The origin of the change. Only `user`, the default, sets `isEdited`; changes of `user` and `autofill` can be
   * undone.
   */
  origin?: "user" | "autofill" | "restore" | "program";
  /** Whether an input method is composing: the value counts, and new messages wait. */
  composing?: boolean;
  /** Whether the change also ends the editing, as a blur does. */
  commit?: boolean;
}

/** The params of `field/focus`. */
export interface FieldFocusParams {
  /** The field's address: a name, or a JSON Pointer. */
  field: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/blur`. */
export interface FieldBlurParams {
  /** The field's address: a name, or a JSON Pointer. */
  field: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/insert`. */
export interface FieldInsertParams {
  /** The list's address. */
  field: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
  /**
   * The position or the row before which the new rows are inserted. Without it, or if it is the number of rows, they
   * are added at the end.
   */
  at?: number | string;
  /** The value of the new row. Without it, the row has the schema's defaults. */
  value?: Json;
  /** The values of several new rows, in place of `value`. */
  values?: Json[];
}

/** The params of `field/remove`. */
export interface FieldRemoveParams {
  /** The address of a row, or of a member. */
  field: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/move`. */
export interface FieldMoveParams {
  /** The row's address. */
  field: string;
  /** The row's position after the move, or the row before which it is moved. */
  to: number | string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/toggle`. */
export interface FieldToggleParams {
  /** The address of a multiple choice. */
  field: string;
  /** The value of the choice. */
  value: Json;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `field/fail`. */
export interface FieldFailParams {
  /** The field's address: a name, or a JSON Pointer. */
  field: string;
  /** The message for the user. */
  message: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `step/show`. */
export interface StepShowParams {
  /** The step's id. */
  step: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `action/tap`. */
export interface ActionTapParams {
  /** The action's name. */
  action: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
  /** Whether the answer waits for the tap's outcome. */
  await?: boolean;
  /** Whether the answer has the document as it is then. */
  document?: boolean;
}

/** The params of `action/cancel`. */
export interface ActionCancelParams {
  /** The action's name. */
  action: string;
  /** The session; may be left out if the connection has exactly one. */
  session?: number;
}

/** The params of `form/describe`. */
export interface FormDescribeParams {
  /** A form's name. */
  form?: string;
  /** A form definition. */
  definition?: { [name: string]: Json };
  /** The session whose form is meant. */
  session?: number;
  /** The language of texts. The default is the session's language, or the form's default locale. */
  locale?: string;
}

/** The params of `form/schema`. */
export interface FormSchemaParams {
  /** A form's name. */
  form?: string;
  /** A form definition. */
  definition?: { [name: string]: Json };
  /** The session whose form is meant. */
  session?: number;
  /** The language of texts. The default is the session's language, or the form's default locale. */
  locale?: string;
}

/** The params of `form/validate`. */
export interface FormValidateParams {
  /** A form's name. */
  form?: string;
  /** A form definition. */
  definition?: { [name: string]: Json };
  /** The values. */
  values?: { [name: string]: Json };
  /** The language of messages. */
  locale?: string;
  /** The values that formulas read as `context`; the form's `context` admits them. */
  context?: { [name: string]: Json };
  /** The time zone that decides what `today` is. The default is the daemon's. */
  zone?: string;
  /** Runs the asynchronous checks and the lookups too; the answer waits for them. */
  checks?: boolean;
  /**
   * Addresses of fields. `isValid` and `errors` are only about these fields and the fields inside them, and only
   * their checks run.
   */
  only?: string[];
}

/** The params of `text/validate`. */
export interface TextValidateParams {
  /** The text. */
  text: string;
  /** The language of the text. */
  language: TextLanguage;
  /** A form's name. */
  form?: string;
  /** A form definition. */
  definition?: { [name: string]: Json };
  /** How ranges count characters: in UTF-8 bytes, UTF-16 code units, or code points. The default is `utf-16`. */
  encoding?: PositionEncoding;
  /** The language of messages. */
  locale?: string;
  /** The values that formulas read as `context`; the form's `context` admits them. */
  context?: { [name: string]: Json };
  /** The time zone that decides what `today` is. The default is the daemon's. */
  zone?: string;
  /** Runs the asynchronous checks and the lookups too; the answer waits for them. */
  checks?: boolean;
  /**
   * `apply`: values that the text lacks get the schema's defaults. `ignore`: they are absent. The default is `apply`.
   */
  defaults?: "apply" | "ignore";
  /** How many errors are listed at most, from 1 to 10,000. The default is 100. */
  errorsMax?: number;
}

/** The params of `provider/register`. */
export interface ProviderRegisterParams {
  /** The provider's name. */
  name: string;
  /** The token that the configuration has for this name. It is ignored if the configuration has none. */
  token?: string;
}

/** The params of `provider/unregister`. */
export interface ProviderUnregisterParams {
  /** The provider's name. */
  name: string;
}

/** The params of `server/stats`. */
export interface ServerStatsParams {
  /**
   * How many connections are listed, at most 10,000; none by default. Connections that have used most time come
   * first.
   */
  top?: number;
  /** How many kept sessions are listed, at most 10,000; none by default. The oldest come first. */
  kept?: number;
  /** How many providers are listed, at most 10,000; none by default. They come in the order of their names. */
  providers?: number;
  /** Whether the counts with names are listed: of targets, of error codes, of forms. */
  named?: boolean;
}

/** The params of `server/disconnect`. */
export interface ServerDisconnectParams {
  /** The connection's number. */
  connection: number;
}

/** The params of `server/endSession`. */
export interface ServerEndSessionParams {
  /** The kept session's number. */
  session: number;
}

/** The params of `server/backup`. */
export interface ServerBackupParams {
  /** The absolute path of the copy, for the daemon. No file may be there. */
  file: string;
}

/** The requests of clients, by method. */
export interface Methods {
  "initialize": { params: NoParams; result: Greeting };
  "shutdown": { params: NoParams; result: null };
  "session/open": { params: SessionOpenParams; result: OpenedSession };
  "session/attach": { params: SessionAttachParams; result: AttachedSession };
  "session/detach": { params: SessionDetachParams; result: DetachedSession };
  "session/close": { params: SessionCloseParams; result: ClosedSession };
  "session/get": { params: SessionGetParams; result: CurrentSession };
  "session/reset": { params: SessionResetParams; result: InputAnswer };
  "session/undo": { params: SessionUndoParams; result: InputAnswer };
  "session/redo": { params: SessionRedoParams; result: InputAnswer };
  "session/setLocale": { params: SessionSetLocaleParams; result: InputAnswer };
  "session/list": { params: NoParams; result: SessionList };
  "session/setContext": { params: SessionSetContextParams; result: InputAnswer };
  "field/change": { params: FieldChangeParams; result: InputAnswer };
  "field/focus": { params: FieldFocusParams; result: InputAnswer };
  "field/blur": { params: FieldBlurParams; result: InputAnswer };
  "field/insert": { params: FieldInsertParams; result: InsertAnswer };
  "field/remove": { params: FieldRemoveParams; result: InputAnswer };
  "field/move": { params: FieldMoveParams; result: InputAnswer };
  "field/toggle": { params: FieldToggleParams; result: InputAnswer };
  "field/fail": { params: FieldFailParams; result: InputAnswer };
  "step/show": { params: StepShowParams; result: InputAnswer };
  "action/tap": { params: ActionTapParams; result: TapAnswer };
  "action/cancel": { params: ActionCancelParams; result: InputAnswer };
  "form/list": { params: NoParams; result: FormList };
  "form/describe": { params: FormDescribeParams; result: FormDescription };
  "form/schema": { params: FormSchemaParams; result: FormSchema };
  "form/validate": { params: FormValidateParams; result: Validation };
  "forms/watch": { params: NoParams; result: LoadedForms };
  "text/validate": { params: TextValidateParams; result: TextValidation };
  "provider/register": { params: ProviderRegisterParams; result: ProviderName };
  "provider/unregister": { params: ProviderUnregisterParams; result: ProviderName };
  "server/info": { params: NoParams; result: ServerInfo };
  "server/ping": { params: NoParams; result: Pong };
  "server/stats": { params: ServerStatsParams; result: ServerStatistics };
  "server/reload": { params: NoParams; result: ReloadOutcome };
  "server/disconnect": { params: ServerDisconnectParams; result: null };
  "server/endSession": { params: ServerEndSessionParams; result: ClosedSession };
  "server/backup": { params: ServerBackupParams; result: StoreCopy };
  "rpc.discover": { params: NoParams; result: { [name: string]: Json } };
}

/** Methods that are notifications of clients and nothing else: their params. */
export interface ClientNotifications {
  "initialized": NoParams;
  "exit": NoParams;
  "$/cancelRequest": CancelRequestParams;
}

/** The notifications of the daemon: their params. */
export interface Notifications {
  "session/update": Update;
  "session/closed": SessionClosed;
  "session/desync": SessionDesync;
  "forms/changed": LoadedForms;
  "server/draining": ServerDraining;
  "server/rejected": ServerRejected;
  "$/cancelRequest": CancelRequest;
}

/** The requests of the daemon. */
export interface Requests {
  "provider/evaluate": { params: ProviderCall; result: Json };
}

/** The data of errors, by code. */
export interface Errors {
  "-32700": ParseErrorData;
  "-32600": InvalidRequestData;
  "-32601": MethodNotFoundData;
  "-32602": InvalidParamsData;
  "-32007": TextTooLargeData;
  "-32010": BatchTooLargeData;
  "-32800": RequestCancelledData;
  "1001": UnknownSessionData;
  "1002": UnknownConnectionData;
  "1003": UnknownFormData;
  "1004": UnknownFieldData;
  "1005": UnknownActionData;
  "1006": UnknownProviderData;
  "1007": DuplicateProviderData;
  "1008": UnknownStepData;
  "1009": WrongTokenData;
  "1010": undefined;
  "1011": OverloadedData;
  "1012": QuotaExceededData;
  "1013": undefined;
  "1014": AttachedElsewhereData;
  "1015": RoleNeededData;
}
