// The types of standard-schema.js. They fit `StandardSchemaV1` of https://standardschema.dev without importing it.

import type { Form, Value } from "./client.js";

export type Values = { [name: string]: Value };

export interface Issue {
  readonly message: string;
  /** The names and positions from the whole value to what is wrong. Empty: the whole value. */
  readonly path: readonly (string | number)[];
}

export type Result =
  | { readonly value: Values; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "formd";
    /** Rejects if the session ends before it has judged. */
    readonly validate: (value: unknown) => Promise<Result>;
    readonly types?: { readonly input: Values; readonly output: Values };
  };
}

/** A schema whose judge is the form's session. */
export function standardSchema(form: Form): StandardSchema;
