// Draws a form from its description, as plain HTML that `client.js` brings to life.

// No type of input has a zone, as `time` and `date-time` of JSON Schema do.
const types = { email: "email", date: "date", "local-time": "time", "local-date-time": "datetime-local", uri: "url", url: "url" };
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
};
const textOf = (value) => typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);
const idOf = (name) => "form-" + name;

/** The `<form>` of a description. */
export function draw(description, locale) {
  const fields = new Map(description.fields.map((field) => [field.address, field]));
  let { actions } = description;
  const form = make("form", { method: "post", "data-formd-form": description.form, "data-formd-url": "socket", lang: locale || description.locale });
  const buttons = (some) => some.length ? [make("div", { class: "buttons" }, ...some.map(({ name, label }) =>
    make("button", { name: "action", value: name, "aria-describedby": idOf("/" + name) + "-state" }, label ?? name))),
    ...some.map(({ name }) => make("p", { class: "state", id: idOf("/" + name) + "-state", "data-studio-action": name }))] : [];
  if (description.title) form.append(make("h3", {}, description.title));
  form.append(make("div", { class: "summary", "data-formd-summary": "", hidden: "" }));
  if (description.steps?.length) {
    form.append(make("nav", { class: "buttons", "aria-label": "Steps" }, ...description.steps.map(({ id, label }) =>
      make("button", { type: "button", "data-formd-show": id }, label ?? id))));
  }
  for (const step of description.steps ?? []) {
    const inside = step.fields.map((address) => fields.get(address));
    for (const address of step.fields) fields.delete(address);
    const own = actions.filter((action) => action.step === step.id);
    actions = actions.filter((action) => !own.includes(action));
    form.append(make("section", { "data-formd-step": step.id }, make(description.title ? "h4" : "h3", {}, step.label ?? step.id),
      ...inside.map((field) => drawField(field)), ...buttons(own)));
  }
  form.append(...[...fields.values()].map((field) => drawField(field)), make("p", { class: "formd-errors", "data-formd-errors": "" }), ...buttons(actions));
  const outputs = (description.outputs ?? []).filter((name) => !name.startsWith("/"));
  if (outputs.length) {
    form.append(make("dl", { class: "outputs" }, ...outputs.flatMap((name) => [make("dt", {}, name),
      make("dd", { "data-formd-output": name })])));
  }
  return form;
}

const nameIn = (around, field) => field.name === "*" ? around
  : around ? `${around}.${field.name}` : /[.[\]]/.test(field.name) ? field.address : field.name;

function drawField(field, around = "") {
  const name = nameIn(around, field);
  const label = field.label ?? field.name;
  if (field.fields?.length) {
    return make("fieldset", { "data-formd-field": name }, make("legend", {}, label), ...help(field, name),
      ...field.fields.map((inner) => drawField(inner, name)), message(name));
  }
  if (field.type === "object") return null;
  if (field.items && !field.items.options) return drawRows(field, name, label);
  return make("div", { class: "field", "data-formd-field": name }, ...drawControl(field, name, label));
}

function drawRows(field, name, label) {
  const { items } = field;
  const place = name + "[]";
  const template = make("template", { "data-formd-row": name });
  const button = (attribute, value, text, said) => make("button", { type: "button", [attribute]: value, "aria-label": `${label}: ${said}` }, text);
  template.content.append(make("fieldset", {}, make("legend", {}, `${label} `, make("span", { "data-formd-number": "" })),
    ...(items.fields?.length ? items.fields.map((inner) => drawField(inner, place)) : [drawField(items, place)]),
    make("div", { class: "buttons" }, button("data-formd-move", "up", "↑", "move up"), button("data-formd-move", "down", "↓", "move down"),
      button("data-formd-remove", "", "−", "remove"))));
  return make("fieldset", { "data-formd-field": name }, make("legend", {}, label), make("div", {}, template), message(name),
    make("div", { class: "buttons" }, button("data-formd-add", name, "+", "add")));
}

function drawControl(field, name, label) {
  const id = idOf(name);
  const described = [field.help && id + "-help", id + "-message", id + "-state"].filter(Boolean).join(" ");
  const after = [...help(field, name), message(name)];
  const head = make("label", { for: id }, label);
  const options = field.options ?? field.items?.options;
  const common = { id, name, "aria-describedby": described };
  if (field.computed || field.readOnly) return [state(name), head, make("output", { id, name }), ...after];
  if (field.type === "boolean" && (!options || (options.length === 1 && options[0].value === true))) {
    return [state(name), make("label", {}, make("input", { ...common, type: "checkbox" }), " ", label), ...after];
  }
  if (options && (field.type === "array" || field.widget === "radio")) {
    const type = field.type === "array" ? "checkbox" : "radio";
    return [make("fieldset", {}, make("legend", {}, label), ...options.map((option) => make("label", { inert: option.disabled && "" },
      make("input", { type, name, value: textOf(option.value), "aria-describedby": described }), " ", wordsOf(option))), ...after, state(name))];
  }
  if (!field.admitsOther && (options || (field.hasLiveOptions && field.widget === "select"))) {
    return [state(name), head, make("select", common, make("option", { value: "" }), ...drawOptions(options ?? [])), ...after];
  }
  if (field.widget === "textarea") return [state(name), head, make("textarea", common), ...after];
  const type = field.isSecret ? "password" : field.read || /^(integer|number)$/.test(field.type) ? "text" : types[field.format] ?? "text";
  const input = make("input", { ...common, type, placeholder: field.placeholder,
    inputmode: field.type === "integer" ? "numeric" : field.type === "number" ? "decimal" : null,
    list: options || field.hasLiveOptions ? id + "-options" : null });
  const list = options || field.hasLiveOptions ? make("datalist", { id: id + "-options" }, ...(options ?? []).map(drawOption)) : null;
  return [state(name), head, input, list, ...after];
}

function drawOptions(options) {
  const drawn = [];
  for (const option of options.filter(({ value }) => value !== null)) {
    const last = drawn.at(-1);
    if (option.group == null) drawn.push(drawOption(option));
    else if (last?.tagName === "OPTGROUP" && last.label === option.group) last.append(drawOption(option));
    else drawn.push(make("optgroup", { label: option.group }, drawOption(option)));
  }
  return drawn;
}

const drawOption = (option) => make("option", { value: textOf(option.value), disabled: option.disabled && "" }, wordsOf(option));
const wordsOf = ({ value, label = textOf(value), help }) => help ? `${label} – ${help}` : label;

const help = (field, name) => field.help ? [make("p", { class: "help", id: idOf(name) + "-help" }, field.help)] : [];
const state = (name) => make("p", { class: "state", id: idOf(name) + "-state", "data-studio-state": name });
const message = (name) => make("p", { class: "formd-message", id: idOf(name) + "-message", "data-formd-message": name });
