// A Standard Schema v1 (https://standardschema.dev) of a session, for libraries of forms that take such a schema:
//
//   const schema = standardSchema(form);
//   const result = await schema["~standard"].validate({ email: "kim@example.com" });
//
// The session judges: `validate` changes its fields, waits for checks that ask a service, and reads all errors.

/** The errors of a field and of the fields inside it, with the path of each in a value. */
function issuesOf(node, path) {
  const own = (node?.errors ?? []).filter(({ severity }) => severity !== "warning");
  return [
    ...own.map(({ code, message }) => ({ message: message ?? code, path })),
    ...Object.entries(node?.fields ?? {}).flatMap(([name, field]) => issuesOf(field, [...path, name])),
    ...(node?.order ?? []).flatMap((row, index) => issuesOf(node.rows?.[row], [...path, index])),
  ];
}

/** Resolves when no check and no lookup is under way. Rejects if the session ends before. */
function settled(form) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (form.state === "ended") reject(new Error("the session has ended"));
      else if (form.document.isPending) return false;
      resolve();
      return true;
    };
    if (look()) return;
    const end = form.listen(() => (look() || form.state === "ended") && end());
  });
}

export function standardSchema(form) {
  async function validate(input) {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      return { issues: [{ message: "An object is needed.", path: [] }] };
    }
    await form.ready;
    const issues = [];
    const values = {};
    const secrets = {};
    for (const { name, isSecret, computed, readOnly } of form.description.fields) {
      if (computed || readOnly) continue;
      // The daemon tells no secret.
      if (isSecret && name in input) secrets[name] = input[name];
      values["/" + name.replaceAll("~", "~0").replaceAll("/", "~1")] = input[name] ?? null;
    }
    const known = new Set(form.description.fields.map(({ name }) => name));
    for (const name of Object.keys(input)) {
      if (!known.has(name)) issues.push({ message: "There is no such field.", path: [name] });
    }
    await form.request("field/change", { values, commit: true });
    await settled(form);
    const { document, values: normalized } = await form.request("session/get", {});
    issues.push(...issuesOf(document, []));
    return issues.length ? { issues } : { value: { ...normalized, ...secrets } };
  }
  return { "~standard": { version: 1, vendor: "formd", validate } };
}
