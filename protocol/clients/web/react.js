// Hooks of React for client.js. The page gives its own React, so this module needs no bundler and no import map:
//
//   const { usePart, useValue, useField } = hooks(React);
//
// A form comes from `connect` or `enhance` of client.js, made once and outside of components.

import { identified, pointerOf, valueOfText } from "./client.js";

const unescaped = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");
const partOf = (document, path) => path.split("/").slice(1).reduce((node, part) => node?.[unescaped(part)], document);

export function hooks({ useCallback, useRef, useState, useSyncExternalStore }) {
  /** The part of the document at a JSON Pointer: `/outputs/total`. The component renders again when it changes. */
  function usePart(form, path) {
    const subscribe = useCallback((changed) => form.subscribe(path, changed), [form, path]);
    const read = () => partOf(form.document, path);
    return useSyncExternalStore(subscribe, read, read);
  }

  /** The value at an address: the same object until it changes. */
  function useValue(form, address) {
    const last = useRef({});
    const subscribe = useCallback((changed) => form.listen(changed), [form]);
    const read = () => {
      const value = form.get(address);
      const text = JSON.stringify(value);
      if (last.current.text !== text) last.current = { text, value };
      return last.current.value;
    };
    return useSyncExternalStore(subscribe, read, read);
  }

  /** A field: its value, its message, the document's field, and the props of an input or a textarea. */
  function useField(form, address) {
    const value = useValue(form, address);
    const messages = usePart(form, "/messages");
    usePart(form, "/fields");
    const place = identified(form.document, pointerOf(address));
    const message = Object.entries(messages ?? {}).find(([name]) => pointerOf(name) === place)?.[1];
    const field = form.field(address);
    // While the user is in the control, it shows what the user has typed, whatever comes in the meantime.
    const [typed, setTyped] = useState(null);
    const tell = (text, options) => {
      setTyped(text);
      form.set(address, valueOfText(text, form.describe(address)), options);
    };
    const left = () => (setTyped(null), form.blur(address).then(() => typed === null || form.refresh()).catch(Boolean));
    const props = {
      value: typed ?? (value == null ? "" : String(value)), disabled: field?.isEnabled === false,
      required: !!field?.isRequired, "aria-invalid": message ? true : undefined,
      "aria-busy": field?.isPending || undefined, onFocus: () => void form.focus(address), onBlur: left,
      onChange: ({ target, nativeEvent }) => tell(target.value, nativeEvent?.isComposing ? { composing: true } : {}),
      onCompositionEnd: ({ target }) => tell(target.value, {}),
    };
    return { value, message, field, props };
  }

  return { usePart, useValue, useField };
}
