// The types of react.js. They need no types of React.

import type { Address, Form, Value } from "./client.js";

/** What the hooks take from the page's own React, 18 or later. */
export interface React {
  useCallback: (...parameters: any[]) => any;
  useRef: (...parameters: any[]) => any;
  useState: (...parameters: any[]) => any;
  useSyncExternalStore: (...parameters: any[]) => any;
}

/** The props of an `input` or a `textarea`. */
export interface FieldProps {
  value: string;
  disabled: boolean;
  required: boolean;
  "aria-invalid": true | undefined;
  "aria-busy": true | undefined;
  onFocus: () => void;
  onBlur: () => void;
  onChange: (event: any) => void;
  onCompositionEnd: (event: any) => void;
}

export interface Field {
  value: Value;
  /** The message that is shown; undefined if there is none. */
  message: string | undefined;
  /** The document's field; undefined while there is none. */
  field: any;
  props: FieldProps;
}

export function hooks(react: React): {
  /** The part of the document at a JSON Pointer: `/outputs/total`. The component renders again when it changes. */
  usePart(form: Form, path: string): any;
  /** The value at an address: the same object until it changes. */
  useValue(form: Form, address: Address): Value;
  useField(form: Form, address: Address): Field;
};
