import type { Document, Event, FieldState, InputAnswer, Json, Methods, RowState, TapAnswer } from "./types.js";

export * from "./types.js";

/** The methods of a session: its number is a member of their params that may be left out. */
export type SessionMethod = {
  [Name in keyof Methods]: "session" extends keyof Methods[Name]["params"]
    ? undefined extends Methods[Name]["params"]["session"] ? Name : never
    : never;
}[keyof Methods];

/** The arguments that follow a method's name: the params are left out only where all of them are optional. */
export type ParamsOf<Params> = {} extends Params ? [params?: Params] : [params: Params];

/** A change of a session. */
export interface Change {
  /** The method of the input, timer or effect; resync after the document was replaced; closed at the end. */
  cause: string;
  /** The merge patch (RFC 7396); undefined if the document was replaced. */
  patch?: Json;
  /** Values that the daemon changed, by address. */
  values?: { [address: string]: Json };
  /** Addresses that have no value any more. */
  absent?: string[];
  /** The ends of taps that were not reported before. */
  events: Event[];
}

/** One row of a list. */
export interface ListRow {
  /** The identity of the row. */
  id: string;
  /** The address, such as `/items/#7`. It stays right wherever the row moves. */
  address: string;
  /** The members of the row that do not have their usual value. */
  state: RowState;
}

/** The options of a new session. */
export interface OpenOptions {
  /** How long the daemon keeps the session without clients, such as "10m". A kept session survives its connection. */
  keep?: string;
  /** The language of the texts. */
  locale?: string;
  /** The user's time zone, such as Europe/Zurich. */
  zone?: string;
  /** The initial values. */
  values?: { [field: string]: Json };
  /** The values that formulas read as `context`. */
  context?: { [name: string]: Json };
  /** JSON Pointers into the document; updates carry only these parts. */
  watch?: string[];
  /** `always` shows every message at once. */
  show?: "always";
  /** Whether this connection gets only what the form calls public, in all its sessions. */
  onlyPublic?: boolean;
}

/** The options of an input of a value. */
export interface SetOptions {
  /** The source of the change; the default is user. */
  origin?: "user" | "autofill" | "restore" | "program";
  /** Whether the change also ends the editing of the field. */
  commit?: boolean;
  /** Whether an input method is composing. */
  composing?: boolean;
}

/** The daemon has refused a request. The codes are in protocol/wire.md. */
export class RefusedError extends Error {
  readonly method: string;
  readonly code: number;
  readonly data?: { [name: string]: Json };
}

/** The request was sent, its answer will not come, and it must not be sent twice. Look at the session. */
export class UnknownOutcomeError extends Error {
  readonly method: string;
}

/** The client does not have the session, or the connection, any more. */
export class ClosedError extends Error {
  readonly reason: string;
}

/** A connection to the daemon. */
export class Client {
  /** Whether the connection has ended for good. */
  readonly isClosed: boolean;
  /** Opens a session of a form: by its name, or with a definition that the program brings along. */
  open(form: string | { [name: string]: Json }, options?: OpenOptions): Promise<Session>;
  /**
   * Joins a kept session, or returns the Session that this client has for it already. With `take` it moves here, even
   * if clients have it at another daemon.
   */
  attach(key: string, options?: { take?: boolean }): Promise<Session>;
  /** Calls any method by its name. */
  call<Name extends keyof Methods>(
    method: Name, ...params: ParamsOf<Methods[Name]["params"]>
  ): Promise<Methods[Name]["result"]>;
  /** Ends the connection. Kept sessions stay at the daemon. */
  close(): void;
}

/** One live copy of a form. Calls reject with RefusedError, UnknownOutcomeError or ClosedError. */
export class Session {
  /** The current document. It is replaced with each change, and must not be modified. */
  readonly document: Document;
  /** The values of the opening or of the last attach, without secrets. */
  readonly values: { [field: string]: Json };
  /** The number of the last turn in the document. */
  readonly revision: number;
  /** Opens a kept session again; null if it is not kept. It is a secret. */
  readonly key: string | null;
  /** Why the client does not have the session any more; null while it has it. */
  readonly reason: string | null;
  /** The number of events that the daemon could not keep for this client. */
  readonly eventsLost: number;
  /** The number of the last event. */
  readonly lastEvent: number;

  /**
   * Calls `heard` with each change, until the returned function is called. What it throws is an uncaught exception of
   * the process; the client goes on.
   */
  listen(heard: (change: Change) => void): () => void;
  /** The state of a field: by `email`, `/address/city`, `/items/#7/sku` or `/items/0`. */
  field(address: string): FieldState | undefined;
  /** The rows of a list, in order. */
  rows(list: string): ListRow[];
  /** Waits until a condition is true. Rejects with what `isTrue` throws. */
  waitUntil(isTrue: (session: Session) => boolean): Promise<void>;

  /** Changes a field; null removes the value. */
  set(field: string, value: Json, options?: SetOptions): Promise<InputAnswer>;
  /** Changes several fields in one turn. */
  setAll(values: { [field: string]: Json }, options?: SetOptions): Promise<InputAnswer>;
  /** The user has entered a field. */
  focus(field: string): Promise<InputAnswer>;
  /** The user has left a field. */
  blur(field: string): Promise<InputAnswer>;
  /** The program's own server refuses the value of a field. */
  fail(field: string, message: string): Promise<InputAnswer>;
  /** Adds a row, and returns its identity. `at` is a position, or a row such as `#7`. */
  insert(list: string, row?: { value?: Json; at?: number | string }): Promise<string>;
  /** Removes a row, a member or the value of a field. */
  remove(address: string): Promise<InputAnswer>;
  /** Moves a row to a position, or before another row such as `#7`. */
  move(row: string, to: number | string): Promise<InputAnswer>;
  /** Marks a choice of a multiple choice, or takes the mark away. */
  toggle(field: string, value: Json): Promise<InputAnswer>;
  /** The user went to a step. */
  show(step: string): Promise<InputAnswer>;
  /** Changes the language of the texts. */
  setLocale(locale: string): Promise<InputAnswer>;
  /** Replaces the context, the values that formulas read as `context`. */
  setContext(context: { [name: string]: Json }): Promise<InputAnswer>;
  /** Restores the initial values; with an address only those of this field and of all fields inside it. */
  reset(field?: string): Promise<InputAnswer>;
  /** Takes back the last edit of the session's users; without one, nothing changes. */
  undo(): Promise<InputAnswer>;
  /** Repeats the edit that was taken back last; without one, nothing changes. */
  redo(): Promise<InputAnswer>;
  /** Taps an action. The event of the tap reports its end. */
  tap(action: string): Promise<TapAnswer>;
  /** Taps an action and waits for the event; null if a throttle or debounce dropped the tap. */
  tapAndWait(action: string): Promise<Event | null>;
  /** Gives up an action: each of its taps that has not ended ends with the event `cancelled`. */
  cancel(action: string): Promise<InputAnswer>;
  /** Calls any method of the session by its name. The client adds the session's number. */
  call<Name extends SessionMethod>(
    method: Name, ...params: ParamsOf<Omit<Methods[Name]["params"], "session">>
  ): Promise<Methods[Name]["result"]>;
  /** Ends the session for all its clients. */
  close(): Promise<void>;
  /** Leaves a kept session. */
  detach(): Promise<void>;
}

/**
 * Connects to the daemon. `socket` is the path of its socket; the default is FORMD_SOCKET, else the daemon's own
 * default. Several paths are sockets of daemons that share a store: the first on which a daemon listens counts, at the
 * start and whenever the connection is lost. `patience` is how many milliseconds a lost connection is tried again; the
 * default is 30,000.
 */
export function connect(options?: { socket?: string | string[]; patience?: number }): Promise<Client>;
/** The path of the daemon's socket. */
export function defaultSocket(): string;
/** A JSON Merge Patch (RFC 7396), applied to a copy. */
export function mergePatch(target: Json, patch: Json): Json;
/** An address as a JSON Pointer: `email` becomes `/email`. */
export function pointerOf(address: string): string;
/** The state of a field in a document. */
export function fieldAt(document: Document, address: string): FieldState | undefined;
/** The rows of a list in a document. */
export function rowsOf(document: Document, list: string): ListRow[];
