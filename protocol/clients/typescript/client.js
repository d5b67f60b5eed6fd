// A client for formd on Node.js: one module without dependencies and without a build step.
//
// README.md says how a program uses it, and client.d.ts what each export does.

import net from "node:net";
import fs from "node:fs";
import os from "node:os";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const escapePart = (part) => part.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapePart = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");
/** The names on the way of an address. */
const partsOf = (address) => pointerOf(address).split("/").slice(1).map(unescapePart);

export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

export function pointerOf(address) {
  return address === "" || address.startsWith("/") ? address : "/" + escapePart(address);
}

export function fieldAt(document, address) {
  let node = document;
  for (const part of partsOf(address)) {
    const row = node?.order && (part.startsWith("#") ? part.slice(1) : node.order[part]);
    node = node?.order ? node.rows?.[row] : node?.fields?.[part];
  }
  return node;
}

export function rowsOf(document, list) {
  const { order = [], rows = {} } = fieldAt(document, list) ?? {};
  return order.map((id) => ({ id, address: `${pointerOf(list)}/#${id}`, state: rows[id] ?? {} }));
}

export function defaultSocket() {
  if (process.env.FORMD_SOCKET) return process.env.FORMD_SOCKET;
  if (process.env.XDG_RUNTIME_DIR) return process.env.XDG_RUNTIME_DIR + "/formd/formd.sock";
  const { uid } = os.userInfo();
  const isOwn = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.uid === uid;
  if (isOwn(`/run/user/${uid}`)) return `/run/user/${uid}/formd/formd.sock`;
  return `/tmp/formd-${uid}/formd.sock`;
}

/** Other users can make a folder in /tmp. */
function checkFolder(socket) {
  const { uid } = os.userInfo();
  const folder = `/tmp/formd-${uid}`;
  if (socket !== folder + "/formd.sock") return;
  const status = fs.lstatSync(folder);
  if (!status.isDirectory() || status.uid !== uid || status.mode & 0o077) {
    throw new Error(`${folder} must be a folder of this user alone (mode 0700)`);
  }
}

export class RefusedError extends Error {
  constructor(method, { code, message, data }) {
    super(`${method}: ${message} (${code})`);
    Object.assign(this, { name: "RefusedError", method, code, data });
  }
}

export class UnknownOutcomeError extends Error {
  constructor(method) {
    super(`${method}: the daemon may have executed it; look at the session, and repeat the call if needed`);
    Object.assign(this, { name: "UnknownOutcomeError", method });
  }
}

export class ClosedError extends Error {
  constructor(reason) {
    super(reason);
    Object.assign(this, { name: "ClosedError", reason });
  }
}

/** The daemon accepts so many requests of a connection at once (protocol/limits.md). */
const requestsMax = 64;
/** Methods whose second execution has no further effect, unless they name a position. */
const repeatable = new Set([
  "field/change", "field/focus", "field/blur", "field/fail", "step/show", "action/cancel", "session/setLocale", "session/reset",
  "session/setContext", "session/get", "session/list", "session/close", "session/detach", "form/list", "form/describe", "form/schema",
  "form/validate", "text/validate", "server/ping", "server/info", "server/stats", "rpc.discover",
]);
/** Another row can have the position by the second time. */
const namesPosition = (address) => partsOf(address).some((part) => /^(\d+|-)$/.test(part));
/** Whether a request may be sent again if the connection was lost before its answer. */
const isRepeatable = ({ method, params }) => repeatable.has(method)
  && ![params.field ?? "", ...Object.keys(params.values ?? {})].some(namesPosition);
/** The value of a text; null if the text is not JSON. */
const parse = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};
/** Whether a request ended because its session did. The reason follows in another message. */
const isSessionClosed = (error) => error?.code === -32800 && error.data?.reason === "sessionClosed";
const pauseMax = 2000;
/** How long to wait before a try to connect: longer each time, and varied, so that clients spread. */
const pauseBefore = (failures) => Math.min(pauseMax, 50 * 2 ** failures) * (0.5 + Math.random());

export async function connect(options = {}) {
  const client = new Client(options);
  await client.dial();
  return client;
}

export class Client {
  isClosed = false;
  /** The sockets that are tried, in order: the socket of the last connection comes first. */
  #paths;
  #patience;
  #socket = null;
  #lastId = 0;
  /** Requests that the daemon has not answered, by id. */
  #sent = new Map();
  /** Requests that wait, in order. */
  #queue = [];
  /** The attached sessions, by number. */
  #sessions = new Map();
  /** Kept sessions that must be attached again. */
  #away = new Set();
  /** Requests whose outcome is unknown. They end when their session is attached or over. */
  #unknown = [];
  /** Why the client has ended. */
  #reason;
  /** The end of `patience`; null once no session is away. A connection alone does not end the tries. */
  #until = null;
  /** How often the client has tried to connect since a session has been away. */
  #tries = 0;
  /** The pause that the daemon asked for when it refused the connection. */
  #retryAfter = 0;
  /** Why the last connection was lost. */
  #problem = null;
  /** Ends the pauses when the client ends. */
  #stop = new AbortController();

  constructor({ socket = defaultSocket(), patience = 30_000 } = {}) {
    this.#paths = [socket].flat();
    this.#patience = patience;
  }

  /** Connects once, to the first socket on which a daemon listens. */
  async dial() {
    const problems = [];
    for (const path of this.#paths) {
      try {
        await this.#dial(path);
        this.#paths = [path, ...this.#paths.filter((other) => other !== path)];
        return;
      } catch (error) {
        problems.push(error);
      }
    }
    throw problems[0];
  }

  #dial(path) {
    return new Promise((resolve, reject) => {
      checkFolder(path);
      const socket = net.createConnection(path);
      const pieces = [];
      socket.setEncoding("utf8");
      socket.on("connect", () => {
        if (this.isClosed) return socket.destroy();
        this.#socket = socket;
        this.#problem = null;
        this.#retryAfter = 0;
        resolve();
      });
      socket.on("data", (text) => {
        const lines = text.split("\n");
        pieces.push(lines.shift());
        for (const rest of lines) {
          const line = pieces.splice(0).join("");
          pieces.push(rest);
          const message = parse(line);
          if (isObject(message) && this.#socket === socket) this.#receive(message);
        }
      });
      socket.on("error", reject);
      socket.on("close", () => this.#socket === socket && this.#lost());
    });
  }

  async open(form, { keep, locale, zone, values, watch, show, onlyPublic } = {}) {
    const named = typeof form === "string" ? { form } : { definition: form };
    return this.#begin("session/open", { ...named, keep, locale, zone, values, watch, show, onlyPublic });
  }

  attach(key, { take } = {}) {
    return this.#begin("session/attach", { key, take }, key);
  }

  /** Opens or attaches a session. */
  #begin(method, params, key) {
    // The answer is handled before the updates behind it.
    return this.#enqueue({ method, params, take: (state) => {
      const known = this.#sessions.get(state.session) ?? [...this.#away].find((away) => away.key === key);
      const session = known ?? new Session(this);
      session.key ??= state.key ?? key ?? null;
      this.#take(session, state);
      return session;
    } });
  }

  call(method, params = {}) {
    return this.#enqueue({ method, params });
  }

  /** For Session. */
  callOf(session, method, params) {
    if (session.reason !== null) return Promise.reject(new ClosedError(session.reason));
    return this.#enqueue({ method, params, session });
  }

  /** For Session: the program has left it. */
  forget(session) {
    this.#sessions.delete(session.number);
    this.#finish(session, "the program has left the session");
  }

  close() {
    this.#end("the connection was closed by the program");
  }

  #enqueue(request) {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new ClosedError(this.#reason));
      this.#queue.push(Object.assign(request, { resolve, reject }));
      this.#pump();
    });
  }

  /** Sends what can be sent: requests of no session, and of sessions that are attached. */
  #pump() {
    if (!this.#socket) return;
    const queue = this.#queue;
    this.#queue = [];
    for (const request of queue) {
      if (this.#sent.size >= requestsMax || this.#away.has(request.session)) this.#queue.push(request);
      else this.#send(request);
    }
  }

  #send(request) {
    request.id = ++this.#lastId;
    const { id, method, session } = request;
    const params = session && method !== "session/attach"
      ? { session: session.number, ...request.params } : request.params;
    this.#sent.set(id, request);
    this.#socket.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  }

  #receive(message) {
    if (message.method && "id" in message) {
      const error = { code: -32601, message: "This client answers no requests" };
      this.#socket.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }) + "\n");
    } else if (message.method) {
      this.#pushed(message.method, message.params);
    } else if (message.id === null && message.error?.code === 1013) {
      this.#end("an operator ended the connection");
    } else if (message.id === null && message.error) {
      // The daemon ends the connection.
      this.#problem = new RefusedError("connection", message.error).message;
      this.#retryAfter = message.error.data?.retryAfterMs ?? 0;
    } else {
      this.#answered(message);
    }
  }

  #answered({ id, result, error }) {
    const request = this.#sent.get(id);
    if (!request) return;
    this.#sent.delete(id);
    if (isSessionClosed(error) && request.session?.reason === null) {
      // The reason follows, in session/closed.
      request.session.held.push(request);
    } else if (error) {
      request.reject(new RefusedError(request.method, error));
    } else {
      request.resolve(request.take ? request.take(result) : result);
    }
    this.#pump();
  }

  #pushed(method, params) {
    const session = this.#sessions.get(params?.session);
    if (!session) return;
    if (method === "session/update") {
      if (!session.update(params)) this.#refresh(session, 0);
    } else if (method === "session/desync") {
      this.#refresh(session, params.eventsLost);
    } else if (method === "session/closed") {
      this.#closed(session, params.reason);
    }
  }

  /** The document has missed an update: asks for the whole document. */
  #refresh(session, eventsLost) {
    session.desync(eventsLost);
    this.#get(session, 0);
  }

  /** Asks for the document until it comes. */
  #get(session, failures) {
    const request = { method: "session/get", params: {}, session, take: (state) => session.replace(state) };
    this.#enqueue(request).catch(async (error) => {
      if (!(error instanceof RefusedError)) return;
      await this.#rest(Math.max(error.data?.retryAfterMs ?? 0, pauseBefore(failures)));
      if (session.isOutdated && session.reason === null) this.#get(session, failures + 1);
    });
  }

  /** Waits until the time is over, or the client has ended. */
  #rest(milliseconds) {
    return sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  /** The daemon has closed a session. It is attached again if it is only away. */
  #closed(session, reason) {
    this.#sessions.delete(session.number);
    const held = session.held.splice(0);
    if (!session.key || !["store", "lost", "draining"].includes(reason)) return this.#finish(session, reason, held);
    this.#away.add(session);
    this.#sort(held);
    // A daemon that is ending does not take the session back; the end of the connection follows.
    if (reason !== "draining") this.#attachAgain(session, reason);
  }

  /** Requests that were sent and not answered are sent again, or their outcome is unknown. */
  #sort(requests) {
    requests.sort((one, other) => one.id - other.id);
    this.#queue.unshift(...requests.filter(isRepeatable));
    this.#unknown.push(...requests.filter((request) => !isRepeatable(request)));
  }

  /** The connection is lost. It is restored for the kept sessions; the other sessions end. */
  #lost() {
    this.#socket = null;
    const requests = [...this.#sent.values()];
    this.#sent.clear();
    const ended = [];
    for (const session of this.#sessions.values()) {
      requests.push(...session.held.splice(0));
      if (session.key) this.#away.add(session);
      else ended.push(session);
    }
    this.#sessions.clear();
    for (const request of requests) if (request.isAttach) request.reject(new ClosedError("the connection was lost"));
    this.#sort(requests.filter((request) => !request.isAttach));
    for (const session of ended) this.#finish(session, "the connection was lost, and the session was not kept");
    this.#problem ??= "the connection was lost";
    this.#until ??= Date.now() + this.#patience;
    if (this.#away.size && this.#patience > 0) this.#comeBack();
    else this.#end(this.#problem);
  }

  /** The pauses and the end of `patience` go on over connections that end before a session is attached. */
  async #comeBack() {
    while (!this.isClosed) {
      const end = this.#until;
      const failures = this.#tries++;
      if (failures > 0 || this.#retryAfter > 0) {
        const left = end - Date.now();
        if (left <= 0 || this.#retryAfter > left) {
          return this.#end(`the connection could not be restored: ${this.#problem}`);
        }
        await this.#rest(Math.min(left, Math.max(this.#retryAfter, pauseBefore(failures))));
        if (this.isClosed) return;
      }
      try {
        await this.dial();
      } catch (error) {
        this.#problem = error.message;
        continue;
      }
      // A write to a connection that the daemon has refused already would lose the error in it: it is read before.
      await turn();
      await turn();
      this.#pump();
      for (const session of this.#away) this.#attach(session, end);
      return;
    }
  }

  /** The tries to connect again end once no session is away. */
  #isBack() {
    if (this.#away.size) return;
    this.#until = null;
    this.#tries = 0;
  }

  /** The pauses and the end of `patience` go on if the session is closed again soon. */
  async #attachAgain(session, reason) {
    if (!session.until || Date.now() - session.attached > pauseMax) {
      session.until = Date.now() + this.#patience;
      session.losses = 0;
    }
    const socket = this.#socket;
    const losses = session.losses++;
    if (losses > 0) {
      if (Date.now() > session.until) return this.#giveUp(session, reason);
      await this.#rest(pauseBefore(losses - 1));
    }
    if (this.#socket === socket) await this.#attach(session, session.until);
  }

  /** A session does not come back. */
  #giveUp(session, problem) {
    this.#away.delete(session);
    this.#isBack();
    this.#finish(session, `the session could not be attached again: ${problem}`);
    this.#settle();
  }

  /** Attaches a session over this connection; if it is lost, the next connection does. */
  async #attach(session, end) {
    const socket = this.#socket;
    for (let failures = 0; socket && this.#socket === socket; failures++) {
      try {
        await new Promise((resolve, reject) => this.#send({
          method: "session/attach", params: { key: session.key, seq: session.lastEvent }, session, isAttach: true,
          resolve, reject, take: (state) => this.#take(session, state),
        }));
        return;
      } catch (error) {
        if (!(error instanceof RefusedError)) return;
        if (![1010, 1011].includes(error.code) || Date.now() > end) return this.#giveUp(session, error.message);
        await this.#rest(Math.max(error.data?.retryAfterMs ?? 0, pauseBefore(failures)));
      }
    }
  }

  /** A session is attached over this connection. */
  #take(session, state) {
    this.#away.delete(session);
    this.#isBack();
    session.attached = Date.now();
    session.number = state.session;
    this.#sessions.set(state.session, session);
    session.replace(state);
    this.#settle();
  }

  /** Requests whose outcome is unknown end when their session is current. */
  #settle() {
    const unknown = this.#unknown;
    this.#unknown = unknown.filter(({ session }) => this.#away.has(session));
    for (const request of unknown) {
      if (!this.#away.has(request.session)) request.reject(new UnknownOutcomeError(request.method));
    }
    this.#pump();
  }

  /** A session is over. No request of it waits any longer. */
  #finish(session, reason, held = []) {
    session.end(reason);
    const isOf = (request) => request.session === session;
    const ended = [...held, ...this.#queue.filter(isOf)];
    const unknown = this.#unknown.filter(isOf);
    this.#queue = this.#queue.filter((request) => !isOf(request));
    this.#unknown = this.#unknown.filter((request) => !isOf(request));
    for (const request of ended) {
      if (held.includes(request) && !isRepeatable(request)) unknown.push(request);
      else request.reject(new ClosedError(reason));
    }
    for (const request of unknown) request.reject(new UnknownOutcomeError(request.method));
  }

  /** The client is over. No session and no request waits any longer. */
  #end(reason) {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#reason = reason;
    this.#stop.abort();
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
    for (const session of [...this.#sessions.values(), ...this.#away]) {
      this.#finish(session, reason, session.held.splice(0));
    }
    const sent = [...this.#sent.values(), ...this.#unknown];
    for (const request of this.#queue.splice(0)) request.reject(new ClosedError(reason));
    for (const request of sent) {
      request.reject(isRepeatable(request) ? new ClosedError(reason) : new UnknownOutcomeError(request.method));
    }
  }
}

export class Session {
  document = {};
  values = {};
  revision = 0;
  key = null;
  reason = null;
  eventsLost = 0;
  lastEvent = 0;
  /** For Client: the time of the last attach. */
  attached = 0;
  /** For Client: how often the daemon has closed the session soon after an attach. */
  losses = 0;
  /** For Client: the end of `patience` for a session that the daemon closes again and again. */
  until = 0;
  /** For Client: refused requests that wait for the reason. */
  held = [];
  #client;
  /** For Client: whether the document must be asked for. */
  isOutdated = false;
  #listeners = new Set();

  constructor(client) {
    this.#client = client;
  }

  listen(heard) {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  field(address) {
    return fieldAt(this.document, address);
  }
  rows(list) {
    return rowsOf(this.document, list);
  }

  waitUntil(isTrue) {
    return new Promise((resolve, reject) => {
      let forget = () => {};
      const look = () => {
        let isNow;
        try {
          isNow = isTrue(this);
        } catch (error) {
          reject(error);
          forget();
          return true;
        }
        if (isNow) resolve();
        else if (this.reason !== null) reject(new ClosedError(this.reason));
        else return false;
        forget();
        return true;
      };
      if (!look()) forget = this.listen(look);
    });
  }

  call(method, params = {}) {
    return this.#client.callOf(this, method, params);
  }
  set(field, value, options = {}) {
    return this.call("field/change", { field, value, ...options });
  }
  setAll(values, options = {}) {
    return this.call("field/change", { values, ...options });
  }
  focus(field) {
    return this.call("field/focus", { field });
  }
  blur(field) {
    return this.call("field/blur", { field });
  }
  fail(field, message) {
    return this.call("field/fail", { field, message });
  }
  async insert(field, row = {}) {
    return (await this.call("field/insert", { field, ...row })).row;
  }
  remove(field) {
    return this.call("field/remove", { field });
  }
  move(field, to) {
    return this.call("field/move", { field, to });
  }
  toggle(field, value) {
    return this.call("field/toggle", { field, value });
  }
  show(step) {
    return this.call("step/show", { step });
  }
  setLocale(locale) {
    return this.call("session/setLocale", { locale });
  }
  setContext(context) {
    return this.call("session/setContext", { context });
  }
  reset(field) {
    return this.call("session/reset", { field });
  }
  undo() {
    return this.call("session/undo");
  }
  redo() {
    return this.call("session/redo");
  }
  tap(action) {
    return this.call("action/tap", { action });
  }
  async tapAndWait(action) {
    return (await this.call("action/tap", { action, await: true })).event ?? null;
  }
  cancel(action) {
    return this.call("action/cancel", { action });
  }
  async close() {
    await this.call("session/close");
    this.#client.forget(this);
  }
  async detach() {
    await this.call("session/detach");
    this.#client.forget(this);
  }

  /** For Client: merges an update; false if the document must be asked for. */
  update({ from, revision, cause, patch, values, absent, events }) {
    const isMerged = !this.isOutdated && from === this.revision;
    if (isMerged) {
      this.document = mergePatch(this.document, patch);
      this.revision = revision;
    }
    if (!isMerged && !this.isOutdated) return false;
    this.#tell({ cause, patch: isMerged ? patch : undefined, values, absent, events: this.#unheard(events) });
    return true;
  }

  /** For Client: takes the whole state. */
  replace({ document, values, revision, events, eventsLost = 0 }) {
    Object.assign(this, { document, values, revision });
    this.isOutdated = false;
    this.eventsLost += eventsLost;
    const unheard = this.#unheard(events);
    // The next attach does not ask for the lost events again.
    if (!events?.length) this.lastEvent += eventsLost;
    this.#tell({ cause: "resync", events: unheard });
  }

  /** For Client. */
  desync(eventsLost) {
    this.isOutdated = true;
    this.eventsLost += eventsLost;
    this.lastEvent += eventsLost;
  }

  /** For Client. */
  end(reason) {
    if (this.reason !== null) return;
    this.reason = reason;
    this.#tell({ cause: "closed", events: [] });
  }

  /** The events that the program has not received yet. */
  #unheard(events = []) {
    const unheard = events.filter(({ seq }) => seq > this.lastEvent);
    for (const { seq } of unheard) this.lastEvent = seq;
    return unheard;
  }

  /** Calls the listeners. */
  #tell(change) {
    for (const heard of [...this.#listeners]) {
      try {
        heard(change);
      } catch (error) {
        // It is the program's error: it is reported as uncaught, and the messages behind this one are read.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
