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

function say(text, isError = true) {
  $("said").textContent = text;
  $("said").className = isError ? "error" : "";
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
  if (!state.hasForm) {
    $("form").append(make("p", { className: "none", textContent: state.files.length
      ? "There is no form to show yet. Correct the problems above, and save the file. The form then appears here."
      : "There is no form yet. Save one in this folder. It then appears here." }));
    return;
  }
  const description = await describe();
  if (life !== state.life) return;
  const form = draw(description, state.settings.locale);
  $("form").replaceChildren(form);
  session = enhance(form);
  form.addEventListener("formd:update", ({ detail }) => note(detail));
  session.listen(showDocument);
  await session.ready.catch(() => {});
  if (life !== state.life) return;
  // The session has repeated the taps, and this page has not seen how they ended.
  form.querySelector(".formd-status").textContent = state.said;
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
  $("problems").hidden = !state.problems.length && !state.faults.length;
  keep($("problems").querySelector("ul"), state.problems.map(({ severity, text }) => [text, severity]));
  $("faults").hidden = !state.faults.length;
  keep($("faults").querySelector("ul"), state.faults.map((text) => [text, "error"]));
  const isOld = state.hasForm && state.problems.some(({ severity }) => severity === "error");
  $("stage").classList.toggle("old", isOld);
  const old = "The file has an error. This is the last form without one. It still works, and the next one follows when you have corrected the file.";
  if ($("old").textContent !== (isOld ? old : "")) $("old").textContent = isOld ? old : "";
  $("now").textContent = state.clock.now ?? "";
  $("wait").textContent = state.clock.waitMs == null ? "" : `The next timer is due in ${durationOf(state.clock.waitMs)}.`;
  $("running").checked = state.clock.isRunning;
  if (document.activeElement !== $("begin-at")) $("begin-at").value = state.clock.beginning;
  $("values").textContent = written(state.values);
  showRequests(state);
  $("count").textContent = state.steps.length;
  $("steps").replaceChildren(...state.steps.map((textContent) => make("li", { textContent })));
  if (state.life !== life) drawForm(state);
  showStates();
}

/** Shows texts in a list that is read aloud when it changes, and only then. */
function keep(list, items) {
  const content = JSON.stringify(items);
  if (list.dataset.content === content) return;
  list.dataset.content = content;
  list.replaceChildren(...items.map(([textContent, className]) => make("li", { className, textContent })));
}

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1_000]];

/** A duration in words: `300 ms`, `10 minutes`, `1 hour 30 minutes`. */
function durationOf(milliseconds) {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const parts = [];
  let rest = milliseconds;
  for (const [unit, length] of units) {
    const count = unit === "second" ? rest / length : Math.floor(rest / length);
    if (count) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    rest %= length;
  }
  return parts.join(" ");
}

let isPressed = false;

/** Says beside the controls what is pending, what waits, and what is not enabled. */
function showStates() {
  // A click would miss its button if the texts moved it while it is pressed.
  if (!session?.description || isPressed) return;
  const put = (place, text) => place.textContent !== text && (place.textContent = text);
  for (const place of $("form").querySelectorAll("[data-studio-state]")) {
    const field = session.field(addressOf(place.dataset.studioState)) ?? {};
    const isOff = field.isEnabled === false;
    put(place, field.isPending ? "Pending: no answer yet."
      : isOff ? (field.reason ? `Not enabled: ${field.reason}` : "Not enabled.") : "");
  }
  for (const button of $("form").querySelectorAll("nav [data-formd-show]")) {
    button.hidden = session.document.steps?.[button.dataset.formdShow]?.isVisible === false;
  }
  for (const place of $("form").querySelectorAll("[data-studio-action]")) {
    const name = place.dataset.studioAction;
    const { isEnabled, running, heldForChecks, heldForTime } = shown.actions[name] ?? {};
    const { reason } = session.document.actions?.[name] ?? {};
    put(place, running ? "Running: its request has no answer yet." : heldForChecks ? "Waits for a check."
      : heldForTime ? "Waits: its throttle or debounce is not over." : isEnabled === false
        ? (reason ? `Not enabled: ${reason}` : "Not enabled. Point at the button to see why.") : "");
  }
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
  showStates();
  showReader();
  explain();
}

function note(update) {
  const { patch, values, absent, events } = update;
  const filled = (list) => list?.length ? list : undefined;
  const told = { patch, values, absent: filled(absent), events: filled(events) };
  $("updates").prepend(make("li", {}, make("pre", { textContent: written(told) })));
  while ($("updates").children.length > 50) $("updates").lastChild.remove();
}

/** What a screen reader says of the controls of the form, in the order of the keyboard. */
function showReader() {
  const form = $("form").firstElementChild;
  const controls = [...(form?.elements ?? [])].filter((control) => control.tagName !== "FIELDSET" && control.type !== "hidden"
    && control.checkVisibility());
  const textOf = (id) => document.getElementById(id)?.textContent.trim();
  const text = (ids) => (ids ?? "").split(/\s+/).map(textOf).filter(Boolean).join(" ");
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

/** The field, the button, the output or the step at an element of the form. */
function subjectAt(element) {
  const part = element.closest?.("[name], [data-formd-output], [data-formd-field], [data-formd-step]");
  if (!part || !$("form").contains(part) || !session?.description) return null;
  if (part.name === "action") return { action: part.value };
  if (part.dataset.formdOutput) return { output: part.dataset.formdOutput };
  // Only the title of a step: the pointer crosses the rest on its way between fields.
  if (part.dataset.formdStep) return element.matches("h3, h4") ? { step: part.dataset.formdStep } : null;
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
  const isNew = next !== subject;
  subject = next;
  if (!subject) return;
  const asked = subject;
  const { state = {}, cells = [], faults = [] } = await call("explain", asked).catch(() => ({}));
  if (subject !== asked) return;
  $("why").replaceChildren(
    make("h3", { textContent: Object.values(asked)[0] }),
    ...faults.map((textContent) => make("pre", { className: "error", textContent })),
    ...(asked.output ? [] : reasons(asked, state)).map((textContent) => make("p", { textContent })),
    make("dl", {}, ...cells.flatMap(({ name, definitions, reads, changes }) => [make("dt", { textContent: name }),
      ...[...definitions.filter(Boolean), reads.length && `reads ${reads.join(", ")}`,
        changes.length && `changes ${changes.join(", ")}`].filter(Boolean)
        .map((textContent) => make("dd", { textContent }))])));
  if (isNew) $("why").scrollTop = 0;
}

/** The state of a part in sentences, with the keys of the definition. */
function reasons(asked, state) {
  const reads = (of) => Object.entries(of ?? {}).map(([name, value]) => `${name} is ${JSON.stringify(value)}`).join(", ");
  const because = (text, of) => reads(of) ? `${text} (${reads(of)})` : text;
  const error = ({ field, code, message, rule, when, checks, reads: of }) => because(
    `${field ? `${field}: ` : ""}${code === "pending" ? `pending: ${checks.map(pending).join(", ")}` : `error ${code}: "${message}"`}`
      + (when ? `; when: ${when}` : "") + (rule ? `; check: ${rule}` : ""), of);
  const pending = ({ check, lookup, phase }) => `${check ? `check ${check}` : `lookup ${lookup}`} (${phase})`;
  const told = [];
  const field = (asked.address && session?.field(asked.address)) || {};
  if (field.isEnabled === false) told.push(field.reason ? `Not enabled: ${field.reason}` : "Not enabled.");
  if (state.hiddenBy) told.push(because(`Hidden, by visible: ${state.hiddenBy}`, state.reads));
  if (state.value) {
    const { reads: of, ...formulas } = state.value;
    told.push(...Object.entries(formulas).map(([key, formula]) => because(`The value is ${key}: ${formula}`, of)));
  }
  told.push(...(state.errors ?? []).map(error));
  if (state.message) told.push(state.message === "shown" ? "The message is shown." : `The message ${state.message}.`);
  if (state.pending) told.push(`Pending: ${state.pending.map(pending).join(", ")}.`);
  if (state.enabled) told.push(because(`${state.isEnabled ? "Enabled" : "Not enabled"}, by enabled: ${state.enabled}`, state.reads));
  if (asked.step && state.isValid) told.push("Valid.");
  told.push(...(state.because ?? []).map(error));
  for (const [key, text] of [["running", "under way"], ["queued", "in the queue"], ["heldForChecks", "waiting for checks"]]) {
    if (state[key]) told.push(`${state[key]} ${state[key] === 1 ? "tap" : "taps"} ${text}.`);
  }
  if (state.heldForTime) told.push("A tap waits for the end of its throttle or debounce.");
  return told.length ? told : [asked.address ? "Shown, with no error and nothing pending." : "Nothing to say."];
}

$("form").addEventListener("pointerdown", () => (isPressed = true));
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => setTimeout(() => {
    isPressed = false;
    showStates();
  }));
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
on("locale", "change", () => call("set", { locale: $("locale").value }));
on("zone", "change", () => call("set", { zone: $("zone").value }));
on("begin-at", "change", () => call("set", { now: $("begin-at").value }));
on("begin-now", "click", () => call("set", { now: new Date().toISOString().replace(/\.\d+/, "") }));
on("beginning", "submit", () => {});
on("restart", "click", () => call("begin"));
on("close", "click", () => {});
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
  say(await call("record", { name: $("case").value, replaces: $("replace").checked }), false);
  $("case").value = "";
  $("replace").checked = false;
});
on("run", "click", async () => {
  const { text } = await call("run");
  $("results").hidden = false;
  $("results").textContent = text;
});
