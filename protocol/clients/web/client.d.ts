// The types of client.js, and what each export does.

/** A field's name (`email`), or a JSON Pointer (`/address/city`, `/items/#7/sku`). */
export type Address = string;
export type Value = string | number | boolean | null | undefined | Value[] | { [name: string]: Value };

export interface Options {
  /** The key of a kept session. */
  key?: string;
  /** The name of a form that the door opens for anybody. */
  form?: string;
  /** The language and the time zone of a session that is opened with `form`. */
  locale?: string;
  zone?: string;
  /** The door's socket; by default `socket` beside this module. */
  url?: string;
}

/** The end of a tap: the event of the protocol, as in protocol/sessions.md. */
export interface TapEvent {
  seq?: number;
  action: string;
  run?: number;
  kind: "succeeded" | "failed" | "rejected" | "dropped" | "superseded" | "cancelled";
  result?: Value;
  error?: Value;
  message?: string;
  blockers?: { field?: Address; code: string }[];
}

/** `connecting` and `waiting` become `live`. In `post`, after three failures, the page posts. `ended` is final. */
export type State = "connecting" | "live" | "waiting" | "post" | "ended";

export interface News {
  update?: Record<string, unknown>;
  /** Pointers of values that the daemon changed. */
  changed?: string[];
  /** Events, each with the own tap that it answers. */
  events?: [TapEvent, unknown?][];
  /** The document and the values were replaced. */
  isReset?: boolean;
  /** The first time that the session is there. */
  isFirst?: boolean;
  /** The session is another one than before. */
  isNew?: boolean;
}

/** Connects to a session. Resolves when the session is there. Rejects with `code` `"gone"` if the key opens none. */
export function connect(options: Options): Promise<Form>;

/** Brings `<form data-formd="KEY">` or `<form data-formd-form="NAME">` to life. Those of the page are already. */
export function enhance(element: HTMLFormElement): Form;

/** A session, whatever becomes of its connections. What has no answer yet is sent again after a lost connection. */
export class Form {
  constructor(options: Options);
  /** Resolves when the session is there for the first time. */
  readonly ready: Promise<Form>;
  readonly state: State;
  /** Why the session has ended: `gone`, `closed`, `moved` or another reason of `session/closed`. */
  readonly reason?: string;
  /** The document of the session. It is a new object after each change; unchanged parts are the same objects. */
  readonly document: any;
  /** The answer of `form/describe`; null before the session is there. */
  readonly description: any;
  /** The values that both sides know, by pointer. A place in a row has the identity of the row. */
  readonly values: Map<string, Value>;
  /** Whether a change or a tap of this page has no answer yet. */
  readonly isUnsaved: boolean;

  /** Calls `changed(value)` when the part of the document at `path`, a JSON Pointer, changes. Returns how to end it. */
  subscribe(path: string, changed: (value: any) => void): () => void;
  /** Calls `heard(news)` after each message and each change of the state. Returns how to end it. */
  listen(heard: (news: News) => void): () => void;
  /** The document's field at an address. */
  field(address: Address): any;
  /** What `form/describe` says of the field at an address; undefined if the form has no such field. */
  describe(address: Address): any;
  /** The value at an address; undefined if there is none. */
  get(address: Address): Value;
  /** Whether a change at the address, around it or inside it has no answer yet. */
  isPending(address: Address): boolean;

  /** Changes a field. The options are those of `field/change`. */
  set(
    address: Address,
    value: Value,
    options?: { origin?: "user" | "autofill"; composing?: boolean; commit?: boolean },
  ): Promise<unknown>;
  focus(address: Address): Promise<unknown>;
  blur(address: Address): Promise<unknown>;
  /** Adds a row to a list, before the row `at`, otherwise at the end. Resolves with the identity of the row. */
  insert(list: Address, row?: { value?: Value; at?: number | string }): Promise<string>;
  remove(row: Address): Promise<unknown>;
  move(row: Address, to: number | string): Promise<unknown>;
  /** The user goes to a step. */
  show(step: string): Promise<unknown>;
  reset(): Promise<void>;
  /**
   * Taps an action and resolves with its event. A tap is sent once. If the connection ended and nobody knows whether
   * the tap arrived, the promise is rejected with `code` `"unknown"`. While a tap waits for its first answer, another
   * tap of the action is the same tap.
   */
  tap(action: string): Promise<TapEvent>;
  cancel(action: string): Promise<unknown>;
  /** Takes back taps that were not sent yet. Returns the names of their actions. */
  withdraw(): string[];
  /** Asks for the values, so that those that the daemon normalized are known. */
  refresh(): Promise<void>;
  /** Ends the session for all its clients. */
  close(): Promise<unknown>;
  /** One request of the protocol. */
  request(method: string, params: Record<string, unknown>): Promise<any>;
}

/** Applies a JSON Merge Patch (RFC 7396). Parts that the patch does not name are shared with `target`. */
export function mergePatch(target: any, patch: any): any;
/** The pointer of an address: `email` -> `/email`. A pointer stays as it is. */
export function pointerOf(address: Address): string;
/** The pointer of an HTML name: `items[0].sku` or `items[0][sku]` -> `/items/0/sku`, `tags[]` -> `/tags`. */
export function pointerOfName(name: string): string;
/** What a document says of the field at a pointer; undefined if nothing. */
export function fieldAt(document: any, pointer: string): any;
/** The pointer with the identities of rows (`/items/#7/sku`) in the place of their positions (`/items/0/sku`). */
export function identified(document: any, pointer: string): string;
/** How long to wait before the next try to connect, in milliseconds. `random` is from 0 to 1. */
export function reconnectDelay(failures: number, random: number): number;
/** The state of a connection after an event. After three failures in a row it is `post`. */
export function nextState(
  state: { phase: State; failures: number },
  event: "attached" | "lost" | "ended",
): { phase: State; failures: number };
/** The value of an input's text for a field of `form/describe`. A text that is not a number stays a text. */
export function valueOfText(text: string, field?: any): Value;
/** Whether two values look the same on a page. No value, an empty text, `false` and an empty list do. */
export function looksEqual(one: Value, other: Value): boolean;
