// The pure functions of client.js, in Node: node --test Tests/BrowserTests/pure.test.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const place = new URL("../../protocol/clients/web/client.js", import.meta.url);
const web = await import(place);

test("a merge patch is applied as in RFC 7396, appendix A", () => {
  const cases = [
    [{ a: "b" }, { a: "c" }, { a: "c" }], [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }], [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }], [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }], [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }], [["a", "b"], ["c", "d"], ["c", "d"]], [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null], [{ a: "foo" }, "bar", "bar"], [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }], [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) assert.deepEqual(web.mergePatch(target, patch), result);
});

test("a merge patch shares what it does not name, and changes no object in place", () => {
  const before = { fields: { a: { isValid: true }, b: { isValid: true } } };
  const after = web.mergePatch(before, { fields: { a: { isValid: false } } });
  assert.equal(after.fields.b, before.fields.b);
  assert.equal(before.fields.a.isValid, true);
});

test("names of HTML are pointers", () => {
  const cases = {
    email: "/email", "address.city": "/address/city", "address[city]": "/address/city", "items[0].sku": "/items/0/sku",
    "items[0][sku]": "/items/0/sku", "tags[]": "/tags", "/a~1b/c": "/a~1b/c", "a/b": "/a~1b", "": "",
  };
  for (const [name, pointer] of Object.entries(cases)) assert.equal(web.pointerOfName(name), pointer);
  assert.equal(web.pointerOf("email"), "/email");
  assert.equal(web.pointerOf("/address/city"), "/address/city");
});

const document = {
  fields: {
    items: { order: ["7", "3"], rows: {
      7: { fields: { lines: { order: ["9"], rows: { 9: { fields: { sku: { isValid: false } } } } } } }, 3: {} } },
    address: { fields: { "a/b": { isValid: true } } },
  },
};

test("positions of rows become identities, at every depth", () => {
  assert.equal(web.identified(document, "/items/1/sku"), "/items/#3/sku");
  assert.equal(web.identified(document, "/items/0/lines/0/sku"), "/items/#7/lines/#9/sku");
  assert.equal(web.identified(document, "/items/5/sku"), "/items/5/sku");
  assert.equal(web.identified(document, "/address/a~1b"), "/address/a~1b");
  assert.equal(web.fieldAt(document, "/items/#7/lines/#9/sku").isValid, false);
  assert.equal(web.fieldAt(document, "/items/0/lines/0/sku").isValid, false);
  assert.equal(web.fieldAt(document, "/address/a~1b").isValid, true);
  assert.equal(web.fieldAt(document, "/none/x"), undefined);
});

test("texts become values of the field's type, and others stay texts", () => {
  const cases = [
    ["12", { type: "integer" }, 12], [" -1.5e2 ", { type: "number" }, -150], ["", { type: "number" }, null],
    ["", { type: "string" }, ""], ["1,5", { type: "number" }, "1,5"], ["1x", { type: "integer" }, "1x"],
    ["12345678901234567890", { type: "integer" }, "12345678901234567890"], ["007", { type: "string" }, "007"],
    ["true", { type: "boolean" }, true], ["2", { type: "any", options: [{ value: 2 }] }, 2], ["", { type: "any" }, null],
    ["1.234", { type: "number", read: "number" }, "1.234"], ["", { type: "number", read: "number" }, null],
    ["1.2.3", { type: "number" }, "1.2.3"], [" ", { type: "number" }, " "], ["0x10", { type: "integer" }, "0x10"],
  ];
  for (const [text, field, value] of cases) assert.deepEqual(web.valueOfText(text, field), value);
});

test("values that look the same on a page are not written", () => {
  assert.ok(web.looksEqual("", undefined) && web.looksEqual(false, null) && web.looksEqual([], null));
  assert.ok(web.looksEqual(["a"], ["a"]) && !web.looksEqual("1", 1) && !web.looksEqual(0, ""));
});

test("after three failures in a row the page posts, and it is live again after the next success", () => {
  let state = { phase: "connecting", failures: 0 };
  const phases = ["lost", "lost", "lost", "lost", "attached", "lost", "lost", "attached", "ended", "attached"].map(
    (event) => (state = web.nextState(state, event)).phase);
  assert.deepEqual(phases,
    ["waiting", "waiting", "post", "post", "live", "waiting", "waiting", "live", "ended", "ended"]);
});

test("the pauses between tries grow, have a bound, and differ by chance", () => {
  assert.equal(web.reconnectDelay(0, 1), 250);
  assert.equal(web.reconnectDelay(0, 0), 125);
  assert.equal(web.reconnectDelay(3, 1), 2000);
  assert.equal(web.reconnectDelay(50, 1), 30_000);
});

test("the module has at most 12 KB, compressed as servers do for files that do not change", () => {
  assert.ok(brotliCompressSync(readFileSync(place)).length <= 12 * 1024);
});
