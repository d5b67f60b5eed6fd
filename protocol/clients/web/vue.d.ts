// The types of vue.js. They need no types of Vue.

import type { Address, Form, Value } from "./client.js";

/** What the composables take from the page's own Vue 3. */
export interface Vue {
  customRef: (...parameters: any[]) => any;
  onScopeDispose: (...parameters: any[]) => any;
}

/** Fits Vue's `Ref`. */
export interface Ref<T> {
  value: T;
}

export interface Field {
  /** A component can write it, for example with `v-model`. */
  value: Ref<Value>;
  /** The message that is shown; undefined if there is none. */
  message: Readonly<Ref<string | undefined>>;
  /** The document's field; undefined while there is none. */
  field: Readonly<Ref<any>>;
  /** For `v-on`. */
  listeners: { focus: () => Promise<unknown>; blur: () => Promise<unknown> };
}

export function composables(vue: Vue): {
  /** A ref of the part of the document at a JSON Pointer: `/outputs/total`. */
  usePart(form: Form, path: string): Readonly<Ref<any>>;
  /** A ref of the value at an address. A component can write it, for example with `v-model`. */
  useValue(form: Form, address: Address): Ref<Value>;
  useField(form: Form, address: Address): Field;
};
