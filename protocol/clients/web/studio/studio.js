// The page of `formctl studio`: a form, and beside it what happens in its session.

import { enhance } from "./client.js";
import { draw } from "./drawing.js";

const $ = (id) => document.getElementById(id);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const written = (value) => JSON.stringify(value, null, 2);

// Calls

const socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")), "formd.1");
const calls = new Map();
let lastId = 0;

/** Calls studio, and says on the page what was wrong. */
function call(method, params = {}) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    calls.set(id, { resolve, reject });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "studio/" + method, params }));
  }).catch((error) => {
    say(error.message);
    throw error;
  });
}

socket.onopen = () => call("state");
socket.onclose = () => say("formctl studio has ended. Start it again, and open its new address.");
socket.onmessage = ({ data }) => {
  const { id, result, error, method, params } = JSON.parse(data);
  if (method === "studio/state") show(params);
  const waiting = calls.get(id);
  calls.delete(id);
  if (error) waiting?.reject(error);
  else waiting?.resolve(result);
};

function say(text) {
  $("said").textContent = text;
}

// The form

let life = null;
let session = null;

/** Draws the form of a new session. The control that had the focus gets it again. */
async function drawForm(state) {
  life = state.life;
  const active = document.activeElement;
  const [name, start] = [$("form").contains(active) && active.name, active.selectionStart];
  session?.close().catch(() => {});
  session = null;
  $("form").replaceChildren();
  if (!state.hasForm) return;
  const description = await describe();
  if (life !== state.life) return;
  const form = draw(description, state.settings.locale);
  $("form").replaceChildren(form);
  session = enhance(form);
  form.addEventListener("formd:update", ({ detail }) => note(detail));
  session.listen(showDocument);
  await session.ready.catch(() => {});
  const again = name && [...form.elements].find((control) => control.name === name);
  if (again) {
    again.focus();
    try {
      again.setSelectionRange(start, start);
    } catch {
      // A control without a caret.
    }
  }
}

function describe() {
  return call("describe");
}

// What is beside it

let shown = {};

function show(state) {
  shown = state;
  fill($("file"), state.files.map((file) => [file, shortName(file, state.files)]), state.file);
  fill($("locale"), [["", "as the form"], ...state.settings.locales.map((locale) => [locale, locale])], state.settings.locale);
  if (document.activeElement !== $("zone")) $("zone").value = state.settings.zone;
  document.title = state.title ? `${state.title} - formd studio` : "formd studio";
  $("problems").hidden = !state.problems.length;
  $("problems").querySelector("ul").replaceChildren(
    ...state.problems.map(({ severity, text }) => make("li", { className: severity, textContent: text })));
  $("stage").classList.toggle("old", state.problems.some(({ severity }) => severity === "error"));
  $("now").textContent = state.clock.now ?? "";
  $("wait").textContent = state.clock.waitMs == null ? "" : `The next timer is due in ${state.clock.waitMs} ms.`;
  $("running").checked = state.clock.isRunning;
  $("values").textContent = written(state.values);
  showRequests(state);
  $("count").textContent = state.steps.length;
  $("steps").replaceChildren(...state.steps.map(({ text, step }) => make("li", { textContent: text, title: JSON.stringify(step) })));
  if (state.life !== life) drawForm(state);
}

/** The name of a file, with its folder if another file has the same name. */
function shortName(file, files) {
  const last = (path, count) => path.split("/").slice(-count).join("/");
  return last(file, files.some((other) => other !== file && last(other, 1) === last(file, 1)) ? 2 : 1);
}

function fill(select, options, value) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(...options.map(([value, text]) => make("option", { value, textContent: text })));
  }
  select.value = value;
}

const nameOf = ({ http, sql, provider }) => http ? `${http.method ?? "GET"} ${http.service} ${http.path ?? ""}`
  : sql ? `${sql.database}: ${sql.query}` : `provider ${provider.name}`;
const firstAnswer = ({ http, sql }) => http ? { status: 200, body: {} } : sql ? { rows: [] } : { body: {} };

function showRequests({ requests, mocks }) {
  $("requests").previousElementSibling.hidden = requests.length > 0;
  $("requests").replaceChildren(...requests.map((request) => make("li", {},
    make("strong", { textContent: nameOf(request) }),
    make("pre", { tabIndex: 0, ariaLabel: "Request", textContent: written(Object.values(request)[0]) }))));
  const [first] = requests;
  const head = first && nameOf(first);
  if (head && $("answer").dataset.head !== head) $("response").value = written(firstAnswer(first));
  if (head) $("answer").dataset.head = head;
  $("answer").hidden = !first;
  $("mocks").replaceChildren(...mocks.map(({ request, response }, position) => {
    const remove = make("button", { type: "button", textContent: "Remove", ariaLabel: "Remove the answer to " + nameOf(request) });
    remove.addEventListener("click", () => call("removeMock", { position }));
    return make("li", {}, `${nameOf(request)} always gets ${JSON.stringify(response)} `, remove);
  }));
}

function showDocument() {
  if (!session?.description) return;
  $("document").textContent = written(session.document);
  showReader();
  explain();
}

function note(update) {
  const { patch, values, absent, events } = update;
  const told = { patch, ...(values && { values }), ...(absent?.length && { absent }), ...(events?.length && { events }) };
  $("updates").prepend(make("li", {}, make("pre", { textContent: written(told) })));
  while ($("updates").children.length > 50) $("updates").lastChild.remove();
}

/** What a screen reader says of the controls of the form, in the order of the keyboard. */
function showReader() {
  const form = $("form").firstElementChild;
  const controls = [...(form?.elements ?? [])].filter((control) => control.tagName !== "FIELDSET" && control.type !== "hidden"
    && control.checkVisibility());
  const text = (ids) => (ids ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent.trim()).filter(Boolean).join(" ");
  $("reader").replaceChildren(...controls.map((control) => {
    const group = control.closest("fieldset")?.querySelector("legend")?.textContent.trim();
    const name = control.getAttribute("aria-label") ?? (control.labels?.length
      ? [...control.labels].map((label) => label.textContent.trim()).join(" ") : control.textContent.trim());
    const kind = control.tagName === "BUTTON" ? "button" : control.tagName === "INPUT" ? control.type : control.tagName.toLowerCase();
    const states = [control.required && "required", control.disabled && "disabled", control.readOnly && "read only",
      control.checked && "checked", control.getAttribute("aria-invalid") === "true" && "invalid"];
    const parts = [group && `${group}:`, name || "(no name)", kind, ...states, text(control.getAttribute("aria-describedby"))];
    return make("li", { textContent: parts.filter(Boolean).join(", "), className: name ? "" : "error" });
  }));
}

// Why

let subject = null;

/** The field, the button or the output at an element of the form. */
function subjectAt(element) {
  const part = element.closest?.("[name], [data-formd-output], [data-formd-field]");
  if (!part || !$("form").contains(part) || !session?.description) return null;
  if (part.name === "action") return { action: part.value };
  if (part.dataset.formdOutput) return { output: part.dataset.formdOutput };
  const place = part.name || part.dataset.formdField;
  return place && { address: addressOf(place) };
}

function addressOf(name) {
  const tokens = name.startsWith("/") ? name.slice(1).split("/") : name.match(/[^.[\]]+/g) ?? [];
  let address = "";
  for (const token of tokens) {
    const row = session.field(address)?.order?.[token];
    address += "/" + (row ? "#" + row : token);
  }
  return tokens.length === 1 ? tokens[0] : address;
}

async function explain(next = subject) {
  subject = next;
  if (!subject) return;
  const asked = subject;
  const { state, cells } = await call("explain", asked);
  if (subject !== asked) return;
  const of = Object.values(asked)[0];
  $("why").previousElementSibling.hidden = true;
  const list = (title, items) => items.length ? [make("dt", { textContent: title }), ...items.map((item) => make("dd", { textContent: item }))] : [];
  $("why").replaceChildren(
    make("h3", { textContent: of }),
    ...(state ? [make("pre", { tabIndex: 0, ariaLabel: "Explanation", textContent: written(state) })] : []),
    make("dl", {}, ...cells.flatMap(({ name, definitions, reads, changes }) => [
      ...list(name, definitions), ...list(`${name} reads`, reads), ...list(`${name} changes`, changes)])));
}

// A pointer that rests says nothing when the form moves below it.
for (const type of ["pointermove", "focusin"]) {
  $("form").addEventListener(type, ({ target }) => {
    const next = subjectAt(target);
    if (next && JSON.stringify(next) !== JSON.stringify(subject)) explain(next);
  });
}

// Controls of the page

const on = (id, type, act) => $(id).addEventListener(type, (event) => {
  if (type === "submit") event.preventDefault();
  say("");
  // A refusal is said on the page already.
  Promise.resolve(act(event)).catch(() => {});
});

on("file", "change", () => call("choose", { file: $("file").value }));
on("locale", "change", () => call("begin", { locale: $("locale").value }));
on("zone", "change", () => call("begin", { zone: $("zone").value }));
on("restart", "click", () => call("begin"));
on("beginning", "submit", () => call("begin", { now: $("begin-at").value }));
on("narrow", "change", () => $("stage").classList.toggle("narrow", $("narrow").checked));
on("dark", "change", () => document.documentElement.classList.toggle("dark", $("dark").checked));
on("running", "change", () => call("runClock", { isRunning: $("running").checked }));
on("clock", "submit", () => call("advance", { by: $("by").value }));
on("answer", "submit", async () => {
  let response;
  try {
    response = JSON.parse($("response").value);
  } catch (error) {
    return say("The answer is not JSON: " + error.message);
  }
  await call("answer", { response, always: $("always").checked });
  $("always").checked = false;
});
on("record", "submit", async () => {
  say(await call("record", { name: $("case").value }));
  $("case").value = "";
});
on("run", "click", async () => {
  const { text } = await call("run");
  $("results").hidden = false;
  $("results").textContent = text;
});
