// Composables of Vue 3 for client.js. The page gives its own Vue, so this module needs no bundler and no import map:
//
//   const { usePart, useField } = composables(Vue);
//
// A form comes from `connect` or `enhance` of client.js.

import { identified, pointerOf, valueOfText } from "./client.js";

const unescaped = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");
const partOf = (document, path) => path.split("/").slice(1).reduce((node, part) => node?.[unescaped(part)], document);

export function composables({ customRef, onScopeDispose }) {
  /** A ref that follows the form until the scope of the component ends. */
  function follow(listen, get, set = () => {}) {
    return customRef((track, trigger) => {
      onScopeDispose(listen(trigger));
      return { get: () => (track(), get()), set };
    });
  }

  /** A ref of the part of the document at a JSON Pointer: `/outputs/total`. */
  function usePart(form, path) {
    return follow((changed) => form.subscribe(path, changed), () => partOf(form.document, path));
  }

  /** A ref of the value at an address. A component can write it, for example with `v-model`. */
  function useValue(form, address) {
    const set = (value) => {
      form.set(address, typeof value === "string" ? valueOfText(value, form.describe(address)) : value);
    };
    return follow((changed) => form.listen(changed), () => form.get(address), set);
  }

  /** A field: refs of its value, its message and the document's field, and listeners for `v-on`. */
  function useField(form, address) {
    const messageOf = () => {
      const place = identified(form.document, pointerOf(address));
      return Object.entries(form.document.messages ?? {}).find(([name]) => pointerOf(name) === place)?.[1];
    };
    return {
      value: useValue(form, address),
      message: follow((changed) => form.listen(changed), messageOf),
      field: follow((changed) => form.subscribe("/fields", changed), () => form.field(address)),
      listeners: { focus: () => form.focus(address), blur: () => form.blur(address) },
    };
  }

  return { usePart, useValue, useField };
}
