// A form of formd on a web page: see README.md and client.d.ts.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const escapePart = (part) => part.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapePart = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");
const partsOf = (address) => address.split("/").slice(1).map(unescapePart);
const isAt = (address, place) => address === place || address.startsWith(place + "/");

export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

export function pointerOf(address) {
  return address === "" || address.startsWith("/") ? address : "/" + escapePart(address);
}

export function pointerOfName(name) {
  return name.startsWith("/") ? name : (name.match(/[^.[\]]+/g) ?? []).map((part) => "/" + escapePart(part)).join("");
}

export function fieldAt(document, pointer) {
  let node = document;
  for (const part of partsOf(pointer)) {
    const row = node?.order && (part.startsWith("#") ? part.slice(1) : node.order[part]);
    node = row ? node.rows[row] : node?.fields?.[part];
  }
  return node;
}

export function identified(document, pointer) {
  let result = "";
  for (const part of partsOf(pointer)) {
    const row = fieldAt(document, result)?.order?.[part];
    result += row ? "/#" + row : "/" + escapePart(part);
  }
  return result;
}

export function reconnectDelay(failures, random) {
  return Math.min(30_000, 250 * 2 ** failures) * (0.5 + random / 2);
}

export function nextState({ phase, failures }, event) {
  if (phase === "ended" || event === "ended") return { phase: "ended", failures };
  if (event === "attached") return { phase: "live", failures: 0 };
  if (phase === "live") return { phase: "waiting", failures: 0 };
  return { phase: failures >= 2 ? "post" : "waiting", failures: failures + 1 };
}

export function valueOfText(text, field) {
  const option = field?.options?.find(({ value }) => String(value) === text);
  if (option) return option.value;
  if (text === "") return field?.type === "string" ? "" : null;
  if (field?.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (field?.read || !/^(integer|number)$/.test(field?.type)) return text;
  const number = /^[-+.\de\s]*\d[-+.\de\s]*$/i.test(text) ? Number(text) : NaN;
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
}

export function looksEqual(one, other) {
  const shown = (value) => (value === "" || value === false || value == null || value.length === 0 ? null : value);
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

/** Requests under way at once. */
const requestsMax = 8;
/** After so many milliseconds without an answer the connection counts as lost. */
const patience = 10_000;
/** The same, after the page was asleep. */
const wakePatience = 3_000;
const unknown = { code: "unknown", message: "The connection was lost" };
const ended = { code: "ended", message: "The session has ended" };
const repeatable = /^(field\/(change|focus|blur|fail|remove|move)|step\/show|session\/(get|reset|setLocale))$/;

/** Gives an object a promise, and its functions. */
function promised(object) {
  object.promise = new Promise((resolve, reject) => Object.assign(object, { resolve, reject }));
  object.promise.catch(() => {});
  return object;
}

export async function connect(options) {
  const form = new Form(options);
  await form.ready;
  return form;
}

export class Form {
  document = {};
  /** The values that both sides know, by pointer; places in rows have the identities of the rows. */
  values = new Map();
  get state() {
    return this.#state.phase;
  }
  description = null;

  #options;
  #state = { phase: "connecting", failures: 0 };
  #socket = null;
  #isAsleep = false;
  #isOpening = false;
  #timer;
  #watchdog;
  #retryAfter = 0;
  #requests = [];
  #nextId = 1;
  #lastChange = new Map();
  #taps = [];
  #seq = 0;
  #fields = new Map();
  #listeners = new Set();
  #opening = promised({});
  ready = this.#opening.promise;

  constructor(options) {
    this.#options = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...options };
    const url = new URL(options.url ?? "socket", options.url ? globalThis.location?.href : import.meta.url);
    url.protocol = url.protocol.replace("http", "ws");
    this.#options.url = url;
    if (globalThis.addEventListener) {
      addEventListener("online", () => this.#wake());
      addEventListener("pageshow", () => this.#wake());
      addEventListener("pagehide", () => this.#sleep());
      globalThis.document?.addEventListener("visibilitychange", () => globalThis.document.hidden || this.#wake());
    }
    this.#dial();
  }

  subscribe(path, changed) {
    const read = () => partsOf(path).reduce((node, part) => node?.[part], this.document);
    let last = read();
    return this.listen(() => {
      const value = read();
      if (value !== last) changed((last = value));
    });
  }

  listen(heard) {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  field(address) {
    return fieldAt(this.document, pointerOf(address));
  }

  describe(address) {
    return this.#fields.get(pointerOf(address).replace(/\/#?\d+(?=\/|$)/g, "/*"));
  }

  get(address) {
    const place = pointerOf(address);
    let result;
    for (const [pointer, value] of this.values) {
      if (!isAt(pointer, place)) continue;
      const node = fieldAt(this.document, place);
      if (pointer === place) return value;
      result ??= node?.order ? [] : {};
      let at = result;
      let where = place;
      const parts = partsOf(pointer.slice(place.length));
      for (const [index, part] of parts.entries()) {
        const list = fieldAt(this.document, where)?.order;
        where += "/" + escapePart(part);
        const key = list ? list.indexOf(part.slice(1)) : part;
        if (key === -1) break;
        if (index === parts.length - 1) at[key] = value;
        else at = at[key] ??= fieldAt(this.document, where)?.order ? [] : {};
      }
    }
    const order = fieldAt(this.document, place)?.order;
    return order ? Array.from(order, (_, index) => result?.[index] ?? null) : result;
  }

  isPending(address) {
    const pointer = pointerOf(address);
    return this.#mine.some(([place]) => isAt(pointer, place) || isAt(place, pointer));
  }

  /** The page's changes without an answer. */
  get #mine() {
    return this.#requests.filter(({ method }) => method === "field/change")
      .flatMap(({ params }) => Object.entries(params.values ?? { [pointerOf(params.field)]: params.value }));
  }

  get isUnsaved() {
    return this.#requests.some(({ method }) => method === "field/change" || method === "action/tap");
  }

  set(address, value, options = {}) {
    const field = pointerOf(address);
    this.#know(field, value);
    return this.request("field/change", { field, value, ...options });
  }
  focus(address) {
    return this.request("field/focus", { field: pointerOf(address) });
  }
  blur(address) {
    return this.request("field/blur", { field: pointerOf(address) });
  }
  async insert(list, row = {}) {
    const answer = await this.request("field/insert", { field: pointerOf(list), ...row });
    await this.refresh();
    return answer.row;
  }
  remove(address) {
    return this.request("field/remove", { field: pointerOf(address) });
  }
  move(address, to) {
    return this.request("field/move", { field: pointerOf(address), to });
  }
  show(step) {
    return this.request("step/show", { step });
  }
  async reset() {
    await this.request("session/reset", {});
    await this.refresh();
  }
  cancel(action) {
    return this.request("action/cancel", { action });
  }
  close() {
    const closed = this.request("session/close", {});
    return closed.finally(() => this.#end("closed"));
  }

  tap(action) {
    const same = this.#taps.find((tap) => tap.action === action && !tap.isAccepted);
    if (same) return same.promise;
    const tap = promised({ action });
    this.#taps.push(tap);
    this.request("action/tap", { action }).then(
      ({ outcome, run }) => {
        Object.assign(tap, { isAccepted: true, run });
        if (outcome === "dropped") this.#settle(tap, "resolve", { action, kind: "dropped" });
      },
      (error) => this.#settle(tap, "reject", error),
    );
    return tap.promise;
  }

  withdraw() {
    const unsent = this.#requests.filter(({ method, isSent }) => method === "action/tap" && !isSent);
    for (const request of unsent) this.#reject(request, { code: "unsent", message: "Not sent" });
    return unsent.map(({ params }) => params.action);
  }

  refresh() {
    const refreshed = this.request("session/get", {}).then(({ values }) => {
      this.#replace(values);
      this.#notify({ isReset: true });
    });
    refreshed.catch(() => {});
    return refreshed;
  }

  request(method, params) {
    const last = this.#requests.at(-1);
    const request = promised({ method, params, id: this.#nextId++ });
    if (method === "field/change") this.#lastChange.set(params.field, request.id);
    if (this.state === "ended") {
      this.#reject(request, ended);
    } else if (method === "field/change" && last?.method === method && !last.isSent && params.field
      && last.params.field === params.field) {
      // Only the later value counts.
      last.params = params;
      this.#lastChange.set(params.field, last.id);
      return last.promise;
    } else {
      this.#requests.push(request);
      this.#pump();
    }
    return request.promise;
  }

  #know(address, value) {
    for (const pointer of this.values.keys()) if (isAt(pointer, address)) this.values.delete(pointer);
    const keep = (pointer, value) => {
      const order = fieldAt(this.document, pointer)?.order;
      if (isObject(value)) for (const key of Object.keys(value)) keep(`${pointer}/${escapePart(key)}`, value[key]);
      else if (order && Array.isArray(value)) value.forEach((row, index) => keep(`${pointer}/#${order[index]}`, row));
      else if (value != null) this.values.set(pointer, value);
    };
    keep(address, value);
  }

  get #secrets() {
    return [...this.values].filter(([pointer]) => this.describe(pointer)?.isSecret);
  }

  /** Takes the daemon's values, except for secrets and changes without an answer. */
  #replace(values) {
    const mine = this.#secrets;
    this.values = new Map();
    this.#know("", values);
    for (const [pointer, value] of mine) this.values.set(pointer, value);
    for (const [place, value] of this.#mine) this.#know(place, value);
  }

  #dial() {
    clearTimeout(this.#timer);
    if (this.#socket || this.#isAsleep || this.state === "ended") return;
    const socket = (this.#socket = new WebSocket(this.#options.url, "formd.1"));
    this.#watch(patience);
    const { key, form, locale, zone } = this.#options;
    const method = key ? "session/attach" : "session/open";
    const params = key ? { key, seq: this.#seq } : { form, locale, zone };
    socket.onopen = () => this.#send({ id: 0, method, params });
    socket.onmessage = ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data));
    // The door refuses the page.
    socket.onclose = ({ code }) => socket === this.#socket && (code === 1008 ? this.#end("refused") : this.#lost());
  }

  #watch(milliseconds) {
    clearTimeout(this.#watchdog);
    // A socket may take minutes to close.
    this.#watchdog = setTimeout(() => this.#lost(), milliseconds);
  }

  #lost(delay) {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpening = false;
    socket?.close();
    clearTimeout(this.#watchdog);
    this.#enter("lost");
    const pause = Math.max(reconnectDelay(this.#state.failures, Math.random()), this.#retryAfter);
    this.#retryAfter = 0;
    if (!this.#isAsleep && this.state !== "ended") this.#timer = setTimeout(() => this.#dial(), delay ?? pause);
  }

  #wake() {
    this.#isAsleep = false;
    if (!this.#socket) this.#dial();
    else if (this.state === "live") {
      this.request("server/ping", {});
      this.#watch(wakePatience);
    }
  }

  /** Browsers keep no page with an open socket for "back". */
  #sleep() {
    this.#isAsleep = true;
    clearTimeout(this.#timer);
    if (this.#socket) this.#lost();
  }

  #enter(event) {
    const before = this.state;
    this.#state = nextState(this.#state, event);
    if (this.state !== before) this.#notify({});
  }

  #end(reason) {
    this.#enter("ended");
    this.reason = reason;
    clearTimeout(this.#watchdog);
    this.#socket?.close();
    this.#socket = null;
    this.#opening.reject(Object.assign(new Error(ended.message), { code: reason }));
    for (const request of this.#requests) this.#reject(request, ended);
    this.#notify({});
  }

  #pump() {
    if (this.state !== "live" || this.#isOpening) return;
    let underWay = this.#requests.filter(({ isSent }) => isSent).length;
    for (const request of this.#requests) {
      if (request.isSent) continue;
      if (underWay++ >= requestsMax) return;
      this.#send(request);
      if (underWay === 1) this.#watch(patience);
    }
  }

  #send(request) {
    request.isSent = true;
    const { id, method, params } = request;
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  }

  #receive(message) {
    clearTimeout(this.#watchdog);
    if (message.id === 0) this.#opened(message);
    else if (message.method === "session/update") this.#update(message.params);
    else if (message.method === "session/desync") this.#attachAgain();
    else if (message.method === "session/closed") this.#closed(message.params.reason);
    else if ("id" in message) this.#answered(message);
    if (this.#requests.some(({ isSent }) => isSent)) this.#watch(patience);
  }

  async #opened({ result, error }) {
    if (error) {
      const isGone = error.code === 1001 || error.code === 1003 || error.code === -32602;
      if (isGone && this.#options.key && this.#options.form) {
        this.#options.key = null;
        this.#seq = 0;
        return this.#lost(0);
      }
      if (isGone || error.code === -32601) return this.#end("gone");
      this.#retryAfter = error.data?.retryAfterMs ?? 0;
      return this.#lost();
    }
    const isFirst = !this.description;
    const isNew = !this.#options.key && !isFirst;
    const before = { document: this.document, values: this.get("") };
    if (result.key) this.#options.key = result.key;
    this.document = result.document;
    for (const event of result.events ?? []) this.#seq = Math.max(this.#seq, event.seq);
    this.#state = nextState(this.#state, "attached");
    if (isFirst || result.isMigrated) {
      const socket = this.#socket;
      const describe = this.#silent("form/describe", { session: result.session });
      const answer = new Promise((resolve) => Object.assign(describe, { resolve, reject: resolve }));
      this.#isOpening = true;
      this.#requests = [describe, ...this.#requests.filter(({ method }) => method !== "form/describe")];
      this.#send(describe);
      const description = await answer;
      if (socket !== this.#socket) return;
      if (!description.fields) return this.#lost();
      this.#isOpening = false;
      this.description = description;
      this.#fields.clear();
      const keep = (field) => {
        this.#fields.set(pointerOf(field.address), field);
        for (const inner of field.fields ?? []) keep(inner);
        if (field.items) keep(field.items);
      };
      this.description.fields.forEach(keep);
    }
    if (isNew) this.#restore(before, result.values);
    else this.#resume(before.document, result);
    this.#opening.resolve(this);
    this.#notify({ isReset: true, isFirst, isNew });
    for (const event of isFirst ? [] : (result.events ?? [])) this.#event(event);
    for (const request of this.#requests) if (request.wasSent) this.#reject(request, unknown);
    this.#pump();
  }

  /** Sends again what has no answer, except taps and rows that are there. */
  #resume(documentBefore, { values, events = [] }) {
    const added = new Map();
    for (const request of [...this.#requests]) {
      const { method, params, isSent } = request;
      if (!isSent) continue;
      request.isSent = false;
      if (method === "action/tap") {
        request.wasSent = !events.some(({ action, seq }) => action === params.action && seq > 0);
        if (!request.wasSent) this.#requests.splice(this.#requests.indexOf(request), 1);
      } else if (method === "field/insert") {
        const known = fieldAt(documentBefore, params.field)?.order ?? [];
        const news = added.get(params.field)
          ?? fieldAt(this.document, params.field)?.order?.filter((row) => !known.includes(row)) ?? [];
        added.set(params.field, news);
        if (news.length) {
          this.#requests.splice(this.#requests.indexOf(request), 1);
          request.resolve({ row: news.shift() });
        }
      } else if (!repeatable.test(method)) {
        this.#reject(request, unknown);
      }
    }
    const secrets = this.#secrets;
    this.#replace(values);
    for (const [field, value] of secrets) {
      // A restarted daemon has lost the secrets.
      if (!fieldAt(this.document, field)?.isEmpty || this.isPending(field) || value === "") continue;
      this.#requests.unshift(this.#silent("field/change", { field, value, origin: "autofill" }));
    }
  }

  /** Gives a new session what the page has of the lost one. */
  #restore(before, values) {
    const taps = this.#requests.filter(({ method }) => method === "action/tap" || method === "field/insert");
    for (const request of this.#requests) if (!taps.includes(request)) request.resolve({});
    for (const request of taps) Object.assign(request, { wasSent: request.isSent, isSent: false });
    const given = {};
    for (const [name, value] of Object.entries(before.values ?? {})) {
      const { computed, readOnly } = this.describe(pointerOf(name)) ?? {};
      if (!computed && !readOnly && !looksEqual(value, values[name])) given[pointerOf(name)] = value;
    }
    const left = [];
    const find = (pointer, node) => {
      if (node.isTouched && !node.order) left.push(pointer);
      for (const name of Object.keys(node.fields ?? {})) find(`${pointer}/${escapePart(name)}`, node.fields[name]);
    };
    find("", before.document);
    const { step } = before.document;
    this.#requests = [
      ...(Object.keys(given).length ? [this.#silent("field/change", { values: given, origin: "autofill" })] : []),
      ...left.map((field) => this.#silent("field/blur", { field })),
      ...(step && step !== this.document.step ? [this.#silent("step/show", { step })] : []),
      this.#silent("session/get", {}),
      ...taps,
    ];
    this.isRestoring = true;
    this.#requests.find(({ method }) => method === "session/get").resolve = ({ values }) => {
      this.isRestoring = false;
      this.#replace(values);
      this.#notify({ isReset: true });
    };
  }

  #silent(method, params) {
    return { method, params, id: this.#nextId++, resolve() {}, reject() {} };
  }

  /** The daemon has let this connection go, or lost events for it. */
  #attachAgain() {
    if (this.#options.key) this.#lost(0);
    else this.refresh();
  }

  #closed(reason) {
    if (reason === "store" || reason === "lost") this.#attachAgain();
    else if (reason === "draining") this.#lost();
    else this.#end(reason);
  }

  #reject(request, error) {
    this.#requests = this.#requests.filter((other) => other !== request);
    request.reject(Object.assign(new Error(error.message), { code: error.code, data: error.data }));
  }

  #answered({ id, result, error }) {
    const request = this.#requests.find((other) => other.id === id && other.isSent);
    if (!request) return;
    const isInput = request.method === "field/change";
    if (error?.code === 1001 || error?.code === -32800) return this.#attachAgain();
    if (error?.code === 1010) return;
    if (error?.code === 1011 && isInput && this.#lastChange.get(request.params.field) === id) {
      setTimeout(() => {
        request.isSent = false;
        this.#pump();
      }, error.data?.retryAfterMs ?? 1000);
      return;
    }
    this.#requests = this.#requests.filter((other) => other !== request);
    if (error) {
      this.#reject(request, error);
      // The daemon did not take the value.
      if (isInput) this.refresh();
    } else request.resolve(result);
    this.#pump();
  }

  #update(update) {
    this.document = mergePatch(this.document, update.patch);
    const changed = [];
    for (const [address, value] of [
      ...Object.entries(update.values ?? {}), ...(update.absent ?? []).map((address) => [address, null]),
    ]) {
      const pointer = pointerOf(address);
      // A value that comes before the answer to the page's own change is older.
      if (this.#mine.some(([place]) => isAt(pointer, place))) continue;
      this.#know(pointer, value);
      changed.push(pointer);
    }
    for (const [place, value] of this.#mine) this.#know(place, value);
    const mine = (update.events ?? []).map((event) => [event, this.#event(event, true)]);
    this.#notify({ update, changed, events: mine });
    for (const [event, tap] of mine) if (tap) this.#settle(tap, "resolve", event);
  }

  /** The tap that an event answers. */
  #event(event, isQuiet) {
    this.#seq = Math.max(this.#seq, event.seq);
    const isRefused = event.kind === "rejected" || event.kind === "dropped";
    const candidates = this.#taps.filter((tap) => tap.action === event.action
      && (tap.run == null || (!isRefused && (event.run == null || tap.run === event.run))));
    const tap = isRefused ? candidates.at(-1) : candidates[0];
    if (isQuiet) return tap;
    this.#notify({ events: [[event, tap]] });
    if (tap) this.#settle(tap, "resolve", event);
  }

  #settle(tap, how, what) {
    this.#taps = this.#taps.filter((other) => other !== tap);
    tap[how](what);
  }

  #notify(news) {
    for (const heard of [...this.#listeners]) heard(news);
  }
}

const texts = {
  problem: "There is a problem",
  lost: "The connection is lost. You can go on typing.",
  back: "The connection is back.",
  unknown: "The connection was lost. Look whether this arrived before you send it again.",
};
const isText = (control) => control.tagName === "TEXTAREA" || (control.tagName === "INPUT"
  && !/^(checkbox|radio|range|color|file|hidden)$/.test(control.type));
const isOther = /^(submit|button|reset|image|file|fieldset)$/;
const isFilled = (control) => control.matches(":autofill");
const pages = new WeakMap();
let madeIds = 0;

/** Sets a property only if it differs. */
const assign = (element, property, value) => element[property] !== value && (element[property] = value);
const mark = (element, attribute, value) => {
  if (value == null || value === false) element.removeAttribute(attribute);
  else if (element.getAttribute(attribute) !== String(value)) element.setAttribute(attribute, value);
};
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

export function enhance(element) {
  if (!pages.has(element)) pages.set(element, new Page(element));
  return pages.get(element).form;
}

/** An HTML form and its session. */
class Page {
  #rows = new WeakMap();
  #unwritten = new Set();
  #composing = null;
  #edited = false;
  #summarized = null;
  #messages = {};
  #places = new Map();
  /** The messages of the back-end, by their places. They stay until the field changes. */
  #served = new Map();
  #held = null;

  constructor(element) {
    this.element = element;
    this.locale = element.closest("[lang]")?.lang || navigator.language;
    this.texts = { ...texts };
    for (const name in texts) this.texts[name] = element.getAttribute("data-formd-text-" + name) ?? texts[name];
    const { formd: key, formdForm: form, formdUrl: url } = element.dataset;
    this.form = new Form({ key, form, url, locale: this.locale });
    element.noValidate = true;
    // Screen readers need live regions before their texts.
    const part = (name, role, place) => {
      const found = element.querySelector(`[data-formd-${name}]`) ?? make("div");
      if (!found.parentNode) element[place](found);
      found.classList.add("formd-" + name);
      mark(found, "role", role);
      return found;
    };
    this.summary = part("summary", "group", "prepend");
    Object.assign(this.summary, { hidden: !this.summary.textContent.trim(), tabIndex: -1 });
    this.status = part("status", "status", "append");
    this.announcer = part("announcer", "status", "append");
    this.announcer.style.cssText = "position: absolute; overflow: hidden; width: 1px; height: 1px; clip-path: inset(50%)";
    for (const place of this.#messagePlaces()) this.#served.set(place, place.textContent.trim());
    this.#listen();
    this.form.listen((news) => this.#heard(news));
    this.#showState();
  }

  #controls() {
    const found = new Map();
    for (const control of this.element.elements) {
      const address = this.#address(control);
      if (address) found.set(address, [...(found.get(address) ?? []), control]);
    }
    return found;
  }

  /** The address that a name means. */
  #place(name) {
    return identified(this.form.document, pointerOfName(name));
  }

  /** The address of a control; null if it is no field. */
  #address(control) {
    if (!control.name || control.form !== this.element || isOther.test(control.type)) return null;
    const address = this.#place(control.name);
    return this.form.describe(address) ? address : null;
  }

  #read(address, controls) {
    const described = this.form.describe(address);
    const [control] = controls;
    if (control.type === "radio") {
      const chosen = controls.find(({ checked }) => checked);
      return chosen ? valueOfText(chosen.value, described) : null;
    }
    if (control.type === "checkbox") {
      if (described?.type === "array") {
        return controls.filter(({ checked }) => checked).map(({ value }) => valueOfText(value, described.items));
      }
      if (described?.type === "boolean" || !control.hasAttribute("value")) return control.checked;
      return control.checked ? valueOfText(control.value, described) : null;
    }
    if (control.multiple && control.selectedOptions) {
      return [...control.selectedOptions].map(({ value }) => valueOfText(value, described?.items));
    }
    return valueOfText(control.value, described);
  }

  /** What its input shows. */
  #value(address) {
    return this.form.describe(address)?.read ? this.form.field(address)?.text : this.form.get(address);
  }

  #write(address, controls) {
    const value = this.#value(address);
    if (looksEqual(this.#read(address, controls), value)) return;
    const chosen = Array.isArray(value) ? value.map(String) : [String(value ?? "")];
    for (const control of controls) {
      const isChosen = ({ value }) => chosen.includes(value);
      if (control.type === "checkbox") control.checked = value === true || (value !== false && isChosen(control));
      else if (control.type === "radio") control.checked = isChosen(control);
      else if (control.multiple && control.options) {
        for (const option of control.options) option.selected = isChosen(option);
      } else control.value = chosen[0];
    }
  }

  get #active() {
    return this.element.getRootNode().activeElement;
  }

  #isBusy(controls) {
    const active = this.#active;
    return controls.some((control) => (control === active && isText(control)) || control === this.#composing);
  }

  /** Whether a control differs from its HTML. */
  #isChanged(control) {
    if (control.options) return [...control.options].some((option) => option.selected !== option.defaultSelected)
      && [...control.options].some((option) => option.defaultSelected);
    return "defaultChecked" in control && /^(checkbox|radio)$/.test(control.type)
      ? control.checked !== control.defaultChecked : control.value !== control.defaultValue;
  }

  /** Tells what password managers filled in without an event. */
  #sweep(origin = "autofill") {
    if (!this.form.description || this.form.isRestoring) return;
    for (const [address, controls] of this.#controls()) {
      if (this.#unwritten.has(address) || controls[0].readOnly || controls[0].tagName === "OUTPUT") continue;
      const value = this.#read(address, controls);
      if (!looksEqual(value, this.#value(address))) this.form.set(address, value, { origin });
    }
  }

  /** Tells what was filled in before the script ran; the rest of the page follows the session. */
  #adopt() {
    for (const template of this.element.querySelectorAll("template[data-formd-row]")) {
      const list = pointerOfName(template.dataset.formdRow);
      const rows = this.#rowsOf(template);
      if (rows.length && !this.form.field(list)?.order?.length) {
        const value = rows.map(() => ({}));
        for (const [address, controls] of this.#controls()) {
          const parts = isAt(address, list) ? partsOf(address.slice(list.length)) : [];
          const read = this.#read(address, controls);
          if (!value[parts[0]] || (read == null && parts[1])) continue;
          const last = parts.pop();
          parts.reduce((node, part) => (node[part] ??= {}), value)[last] = read;
        }
        this.keepsRows = true;
        this.form.set(list, value, { origin: "autofill" }).finally(() => {
          this.keepsRows = false;
          this.form.refresh();
        });
      }
    }
    this.#warn();
    this.#placeRows();
    for (const [address, controls] of this.#controls()) {
      if (/\/\d+(\/|$)/.test(address) || controls[0].tagName === "OUTPUT") continue;
      const value = this.#read(address, controls);
      const isKept = this.form.describe(address).isSecret && !this.form.field(address)?.isEmpty;
      const known = isKept ? value : this.#value(address);
      const isChanged = controls.some((control) => this.#isChanged(control));
      if (looksEqual(value, known)) continue;
      if ((isChanged || known == null) && !controls[0].readOnly) {
        this.form.set(address, value, { origin: "autofill" });
      } else this.#unwritten.add(address);
    }
  }

  /** Names what the form does not have. */
  #warn() {
    const { fields, actions } = this.form.description;
    const warn = (what, known) => console.warn(`formd: the form has no ${what}, only ${known.join(", ")}`);
    for (const { dataset, name, type, value } of this.element.querySelectorAll("*")) {
      // A hidden control is often a token of the page.
      const field = dataset.formdMessage ?? dataset.formdField ?? (type !== "hidden" && !isOther.test(type) && name);
      if (name === "action" && type === "submit") {
        const names = actions.map(({ name }) => name);
        if (!names.includes(value)) warn(`action "${value}"`, names);
      } else if (field && !this.form.describe(pointerOfName(field))) {
        warn(`field "${field}"`, fields.map(({ address }) => address));
      }
    }
  }

  #heard(news) {
    // A click would miss its button if messages moved it while it is pressed.
    if (this.#held) return this.#held.push(news);
    const { update, changed = [], events = [], isReset, isFirst, isNew } = news;
    const { form } = this;
    // Another session has other identities.
    if (isNew) this.#rows = new WeakMap();
    this.#showState();
    if (!form.description) return;
    if (isFirst) this.#adopt();
    else if (isReset && !form.isRestoring) {
      for (const [address, controls] of this.#controls()) {
        if (!form.isPending(address) && !looksEqual(this.#read(address, controls), form.get(address))) {
          this.#unwritten.add(address);
        }
      }
    }
    const own = events.filter(([, tap]) => tap).map(([event]) => event);
    const refused = own.find(({ kind }) => kind === "rejected" || kind === "failed");
    this.#render(changed, !refused);
    for (const event of own) this.#outcome(event);
    for (const [event] of events) this.#dispatch("event", event);
    if (update) this.#dispatch("update", update);
  }

  #dispatch(name, detail) {
    this.element.dispatchEvent(new CustomEvent("formd:" + name, { detail, bubbles: true }));
  }

  #showState() {
    const { state } = this.form;
    const before = this.element.dataset.formdState;
    if (before === state) return;
    this.element.dataset.formdState = state;
    if (before === "live") this.#say(this.texts.lost);
    else if (state === "live" && this.status.textContent === this.texts.lost) this.#say(this.texts.back);
    if (state === "post" || state === "ended") {
      // The form posts, as without scripts.
      this.#showSteps(null);
      const [action] = this.form.withdraw();
      if (action) this.element.requestSubmit(this.#button(action));
    }
    this.#dispatch("state", { state });
  }

  #say(text) {
    assign(this.status, "textContent", text);
  }

  #button(action) {
    return this.#buttons().find(({ value }) => value === action);
  }

  #buttons() {
    return [...this.element.elements].filter(({ type, name }) => type === "submit" && name === "action");
  }

  #render(changed, announces) {
    const { form, element } = this;
    if (!form.isRestoring) this.#placeRows();
    const controls = this.#controls();
    const messages = {};
    for (const [address, text] of Object.entries(form.document.messages ?? {})) messages[pointerOf(address)] = text;
    const ofForm = form.document.errors.map(({ message }) => message).join(" ");
    if (ofForm) messages[""] = ofForm;
    const places = (this.#places = new Map());
    for (const place of this.#messagePlaces()) {
      const address = this.#place(place.dataset.formdMessage ?? "");
      places.set(address, place);
      const served = this.#served.get(place);
      if (messages[address]) this.#served.delete(place);
      else if (served) messages[address] = served;
    }
    for (const [address, group] of controls) {
      if (changed.some((place) => isAt(address, place))) this.#unwritten.add(address);
      this.#showOptions(address, group);
      const field = form.field(address) ?? {};
      const { computed, readOnly } = form.describe(address);
      const isFixed = computed || readOnly;
      for (const control of group) {
        if (control.tagName === "OUTPUT") {
          assign(control, "textContent", String(form.get(address) ?? ""));
          continue;
        }
        if (isFixed && "readOnly" in control) assign(control, "readOnly", true);
        else if (control !== this.#active) assign(control, "disabled", field.isEnabled === false);
        if ("required" in control) assign(control, "required", Boolean(field.isRequired && !isFixed));
        mark(control, "aria-busy", field.isPending);
        if (!control.closest(`[data-formd-field]`)) {
          for (const part of [control, ...(control.labels ?? [])]) assign(part, "hidden", field.isVisible === false);
        }
      }
      if (this.#unwritten.has(address) && !this.#isBusy(group) && !form.isPending(address)) {
        this.#unwritten.delete(address);
        this.#write(address, group);
      }
      this.#showMessage(address, group, messages[address], places);
    }
    for (const [address, place] of places) {
      if (!controls.has(address)) assign(place, "textContent", messages[address] ?? "");
    }
    for (const part of element.querySelectorAll("[data-formd-field]")) {
      const field = form.field(this.#place(part.dataset.formdField)) ?? {};
      assign(part, "hidden", field.isVisible === false);
      if (part.tagName === "FIELDSET") assign(part, "disabled", field.isEnabled === false);
    }
    for (const part of element.querySelectorAll("[data-formd-output]")) {
      assign(part, "textContent", String(this.#output(part.dataset.formdOutput) ?? ""));
    }
    for (const button of this.#buttons()) {
      const action = form.document.actions?.[button.value];
      mark(button, "aria-busy", action?.isLoading);
      button.dataset.formdEnabled = action?.isEnabled ?? true;
    }
    this.#showSteps(form.state === "live" || form.state === "waiting" ? form.document.step : null);
    if (announces) {
      const news = Object.keys(messages).filter((address) => messages[address] !== this.#messages[address]);
      const said = news.map((address) => this.#named(address, messages[address]));
      if (news.length) this.announcer.textContent = said.join(" ");
      else if (!Object.keys(messages).length) this.announcer.textContent = "";
    }
    this.#messages = messages;
    if (this.#summarized) this.#summarize(this.#summarized.filter((address) => this.#problem(address)));
  }

  #messagePlaces() {
    return this.element.querySelectorAll("[data-formd-message], [data-formd-errors]");
  }

  #output(name) {
    const { document } = this.form;
    const row = name.match(/^(.*\[\d+\])\.?(.*)$/);
    return row ? fieldAt(document, pointerOfName(row[1]))?.outputs?.[row[2]] : document.outputs?.[name];
  }

  #named(address, message) {
    const [control] = this.#controls().get(address) ?? [];
    const label = this.form.describe(address)?.label ?? control?.labels?.[0]?.textContent.trim();
    return label ? `${label}: ${message}` : message;
  }

  #showOptions(address, [control]) {
    const select = control.list ?? control;
    if (!this.form.describe(address)?.hasLiveOptions || !select.options) return;
    const ofRows = this.form.field(address.replace(/\/#.*/, ""))?.options;
    const live = this.form.field(address)?.options ?? ofRows?.[address.replace(/\/#[^/]*/g, "/*")] ?? [];
    const wanted = live.map(({ value, label, disabled = false }) => [String(value), label ?? String(value), disabled]);
    const present = [...select.options].filter((option) => option.value !== "");
    const shown = present.map(({ value, text, disabled }) => [value, text, disabled]);
    if (JSON.stringify(shown) === JSON.stringify(wanted)) return;
    present.forEach((option) => option.remove());
    for (const [value, text, disabled] of wanted) select.append(make("option", { value, text, disabled }));
    this.#unwritten.add(address);
  }

  #showMessage(address, group, text, places) {
    const last = group.at(-1);
    let place = places.get(address);
    if (!place && text) {
      place = make("p", { className: "formd-message" });
      place.dataset.formdMessage = last.name;
      const fieldset = /^(radio|checkbox)$/.test(last.type) && group.length > 1 && last.closest("fieldset");
      if (fieldset) fieldset.append(place);
      else (last.closest("label") ?? last).after(place);
    }
    if (place) {
      place.id ||= `formd-message-${++madeIds}`;
      assign(place, "textContent", text ?? "");
    }
    const isError = !!text && this.form.field(address)?.errors?.[0]?.severity !== "warning";
    for (const control of group) {
      // A required date or `select` would begin as invalid.
      if (control.type !== "radio") mark(control, "aria-invalid", String(isError));
      const ids = (control.getAttribute("aria-describedby") ?? "").split(/\s+/);
      const others = ids.filter((id) => id && id !== place?.id);
      mark(control, "aria-describedby", (text ? [...others, place.id] : others).join(" ") || null);
    }
  }

  #showSteps(step) {
    const active = this.#active;
    let shown, isHidden;
    for (const part of this.element.querySelectorAll("[data-formd-step]")) {
      const hides = step != null && part.dataset.formdStep !== step;
      if (hides && !part.hidden && part.contains(active)) isHidden = true;
      if (!hides && part.hidden) shown = part;
      assign(part, "hidden", hides);
    }
    for (const button of this.element.querySelectorAll("[data-formd-show]")) {
      mark(button, "aria-current", button.dataset.formdShow === step ? "step" : null);
    }
    if (shown && isHidden) {
      // The control that had the focus is hidden.
      shown.tabIndex = -1;
      shown.focus();
    }
  }

  #rowsOf(template) {
    return [...template.parentNode.children].filter(
      (child) => child !== template && child.dataset.formdRow === template.dataset.formdRow);
  }

  #placeRows() {
    if (this.keepsRows) return;
    // Rows around rows come first.
    const templates = [...this.element.querySelectorAll("template[data-formd-row]")];
    for (const template of templates.reverse()) this.#placeRowsOf(template);
  }

  #placeRowsOf(template) {
    const name = template.dataset.formdRow;
    const order = this.form.field(this.#place(name))?.order ?? [];
    const present = this.#rowsOf(template);
    present.forEach((row, at) => {
      // New rows of the page are the session's rows at the same positions.
      if (!this.#rows.has(row)) this.#rows.set(row, { identity: order[at], at });
    });
    const parent = template.parentNode;
    for (const row of present) {
      if (order.includes(this.#rows.get(row).identity)) continue;
      const hasFocus = row.contains(this.#active);
      const next = row.nextElementSibling?.dataset.formdRow === name && row.nextElementSibling !== template
        ? row.nextElementSibling.querySelector("[data-formd-remove]") : null;
      row.remove();
      if (hasFocus) (next ?? this.element.querySelector(`[data-formd-add="${CSS.escape(name)}"]`))?.focus();
    }
    const byIdentity = new Map(this.#rowsOf(template).map((row) => [this.#rows.get(row).identity, row]));
    let cursor = byIdentity.size ? this.#rowsOf(template)[0] : template;
    order.forEach((identity, at) => {
      let row = byIdentity.get(identity);
      const isNew = !row;
      if (isNew) {
        row = document.importNode(template.content, true).firstElementChild;
        row.dataset.formdRow = name;
        this.#rows.set(row, { identity, at: "" });
        this.#number(row, name, at);
        parent.insertBefore(row, cursor);
        for (const control of row.querySelectorAll("[name]")) {
          const address = this.#address(control);
          if (address) this.#unwritten.add(address);
        }
      } else {
        this.#number(row, name, at);
        // `moveBefore` keeps the focus.
        if (row !== cursor) (parent.moveBefore ?? parent.insertBefore).call(parent, row, cursor);
        else cursor = row.nextElementSibling;
      }
      if (isNew) row.querySelectorAll("template[data-formd-row]").forEach((inner) => this.#placeRowsOf(inner));
    });
  }

  /** Writes the row's position into its attributes: `items[]` becomes `items[0]`. */
  #number(row, name, at) {
    const known = this.#rows.get(row);
    const from = `${name}[${known.at}]`;
    known.at = at;
    const to = `${name}[${at}]`;
    const visit = (root) => {
      for (const part of root.querySelectorAll("*")) {
        for (const { name, value } of part.attributes) {
          if (name !== "value" && value.includes(from)) part.setAttribute(name, value.replaceAll(from, to));
        }
        if (part.tagName === "TEMPLATE") visit(part.content);
      }
    };
    if (from !== to) visit(row);
    for (const number of row.querySelectorAll("[data-formd-number]")) {
      if (number.closest("[data-formd-row]") === row) assign(number, "textContent", String(at + 1));
    }
  }

  #rowAddress(row) {
    const name = row.dataset.formdRow;
    return this.#place(name) + "/#" + this.#rows.get(row).identity;
  }

  #outcome(event) {
    const { kind, blockers = [], message, action } = event;
    const { form } = this;
    let places = [];
    if (kind === "rejected") places = blockers.map(({ field }) => (field == null ? "" : pointerOf(field)));
    else if (kind === "failed") {
      places = Object.keys(this.#messages).filter((at) => at && form.field(at)?.errors?.[0]?.source === "server");
    }
    this.#say(message ?? "");
    this.#summarize([...new Set(places)].filter((address) => this.#problem(address)));
    if (this.#summarized) this.summary.focus();
    const described = form.description.actions.find(({ name }) => name === action);
    if (kind !== "succeeded") return;
    this.isDone = !described?.leadsTo;
    if (described?.leadsTo && form.document.step === described.step) {
      const ids = form.description.steps.map(({ id }) => id);
      const next = ids.slice(ids.indexOf(described.leadsTo)).find((id) => form.document.steps[id]?.isVisible);
      if (next) form.show(next);
    }
    const button = this.#button(action);
    const { formdTo, formdPost } = button?.dataset ?? {};
    if (formdTo) location.assign(formdTo);
    if (formdPost != null) this.element.requestSubmit(button);
  }

  #problem(address) {
    return this.#messages[address] && this.#named(address, this.#messages[address]);
  }

  #summarize(places) {
    const shown = places.map((address) => [address, this.#problem(address)]);
    const content = JSON.stringify(shown);
    this.#summarized = places.length ? places : null;
    assign(this.summary, "hidden", !places.length);
    if (this.summary.formdContent === content) return;
    this.summary.formdContent = content;
    const title = make("p", { id: `formd-summary-${++madeIds}`, textContent: this.texts.problem });
    const list = make("ul");
    const controls = this.#controls();
    for (const [address, text] of shown) {
      const item = list.appendChild(make("li"));
      const control = controls.get(address)?.find(({ type }) => type !== "hidden")
        ?? this.element.querySelector(`[data-formd-add="${CSS.escape(address.slice(1))}"]`);
      if (!control) item.textContent = text;
      else {
        control.id ||= `formd-control-${++madeIds}`;
        const link = item.appendChild(make("a", { href: "#" + encodeURIComponent(control.id), textContent: text }));
        link.addEventListener("click", (click) => {
          click.preventDefault();
          this.#goTo(control);
        });
      }
    }
    this.summary.replaceChildren(...(places.length ? [title, list] : []));
    mark(this.summary, "aria-labelledby", places.length ? title.id : null);
  }

  async #goTo(control) {
    const step = control.closest("[data-formd-step]");
    if (step?.hidden) {
      await this.form.show(step.dataset.formdStep).catch(() => {});
      this.#showSteps(this.form.document.step);
    }
    control.focus();
  }

  #listen() {
    const root = this.element.getRootNode();
    const on = (type, heard) => root.addEventListener(type, (event) => {
      if (event.target.form === this.element || this.element.contains(event.target)) heard(event);
    });
    on("input", ({ target, isTrusted }) => this.#input(target, isFilled(target) || !isTrusted ? "autofill" : "user"));
    on("change", () => this.#sweep());
    on("compositionstart", ({ target }) => (this.#composing = target));
    on("compositionend", ({ target }) => this.#composed(target));
    on("focusin", ({ target }) => {
      const address = this.#address(target);
      this.#edited = false;
      if (address && this.form.description) this.form.focus(address);
    });
    on("focusout", ({ target, relatedTarget }) => this.#left(target, relatedTarget));
    on("click", (event) => this.#clicked(event));
    on("pointerdown", () => (this.#held ??= []));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(() => this.#release()));
    on("reset", (event) => {
      if (!this.#isLive) return;
      event.preventDefault();
      this.form.reset();
    });
    on("submit", (event) => this.#submitted(event));
    addEventListener("pageshow", () => (this.isPosting = false));
    addEventListener("beforeunload", (event) => {
      if (!("formdGuard" in this.element.dataset) || this.isPosting || this.isDone) return;
      if (this.form.document.isDirty || this.form.isUnsaved) event.preventDefault();
    });
  }

  #release() {
    const held = this.#held ?? [];
    this.#held = null;
    held.forEach((news) => this.#heard(news));
  }

  get #isLive() {
    return this.form.state !== "post" && this.form.state !== "ended";
  }

  #input(control, origin) {
    const address = this.#address(control);
    if (!address || !this.form.description) return;
    this.#unwritten.delete(address);
    for (const place of [address, ""]) this.#served.delete(this.#places.get(place));
    this.#edited = true;
    this.isDone = false;
    const options = {};
    if (origin !== "user") options.origin = origin;
    if (this.#composing === control) options.composing = true;
    this.form.set(address, this.#read(address, this.#controls().get(address)), options);
  }

  #composed(control) {
    if (!control || this.#composing !== control) return;
    this.#composing = null;
    this.#input(control, "user");
  }

  #left(control, next) {
    const address = this.#address(control);
    // The window lost the focus, or the user is still in the same group.
    if (!address || !this.form.description || this.#active === control) return;
    this.#composed(control);
    if (next && next.name === control.name && next.form === control.form) return;
    this.form.blur(address);
    if (this.#edited && isText(control)) this.form.refresh();
    this.#render([], true);
  }

  #clicked(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const { form } = this;
    const { formdAdd, formdShow, formdMove } = button.dataset;
    // The second click of a double click is not a second tap.
    if (button.name === "action" && event.detail > 1) return event.preventDefault();
    if (!this.#isLive) return;
    const row = button.closest("[data-formd-row]");
    if (formdAdd != null) form.insert(this.#place(formdAdd)).catch(() => {});
    else if (formdShow != null) form.show(formdShow);
    else if (row && "formdRemove" in button.dataset) form.remove(this.#rowAddress(row));
    else if (row && formdMove) form.move(this.#rowAddress(row), this.#rows.get(row).at + (formdMove === "up" ? -1 : 1));
    else return;
    event.preventDefault();
  }

  #submitted(event) {
    if (!this.#isLive || (this.isDone && event.submitter?.dataset.formdPost != null)) {
      if (this.isPosting) event.preventDefault();
      this.isPosting = true;
      return;
    }
    event.preventDefault();
    let button = event.submitter;
    // "Enter" presses the first button, even a hidden one.
    if (!button || button.closest("[hidden]")) button = this.#buttons().find((other) => !other.closest("[hidden]"));
    const action = button?.name === "action" ? button.value : this.form.description?.actions[0]?.name;
    this.#composed(this.#composing);
    this.#sweep();
    if (!action) return;
    this.form.tap(action).catch(({ code, message }) => {
      if (code === "unknown") this.#say(this.texts.unknown);
      else if (code !== "unsent" && code !== "ended") this.#say(message);
    });
  }
}

globalThis.document?.querySelectorAll?.("form[data-formd], form[data-formd-form]").forEach(enhance);
