"""The types of the browser's modules: a right program compiles, each wrong line does not, each export is declared."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import ROOT

CLIENT = ROOT / "protocol" / "clients" / "web"
NODE = shutil.which("node")
TSC = shutil.which("tsc")
MODULES = ("client", "react", "vue", "standard-schema")

START = """\
import { connect } from "./formd/client.js";
import { hooks, type React } from "./formd/react.js";
import { composables, type Vue } from "./formd/vue.js";
import { standardSchema } from "./formd/standard-schema.js";
declare const React: React, Vue: Vue;
const form = await connect({ form: "signup" });
const react = hooks(React), vue = composables(Vue), schema = standardSchema(form);
"""

RIGHT = """\
const { props, message } = react.useField(form, "email");
export const shown: string = props.value + (message ?? "");
export const total: string = react.usePart(form, "/outputs/total");
vue.useValue(form, "email").value = "kim@example.com";
export const invalid: boolean = vue.useField(form, "email").message.value !== undefined;

// The interface of https://standardschema.dev, as a library of forms declares it.
interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type Outcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<{ readonly message: string; readonly path?: ReadonlyArray<PropertyKey> | undefined }> };
export const standard: StandardSchemaV1 = schema;
const result = await schema["~standard"].validate({ email: "kim@example.com" });
export const email = result.issues ? result.issues[0].message : result.value.email;
"""

# Each line is wrong by itself.
WRONG = """\
hooks({});
react.useField(form);
react.useField("email", form);
export const props: number = react.useField(form, "email").props.value;
composables(React);
vue.useField(form, "email").message.value = "typed";
vue.useValue(form, 7);
standardSchema();
schema["~standard"].validate();
export const issues: string = (await schema["~standard"].validate({})).issues;
await connect({ from: "signup" });
await form.tap();
"""


@pytest.mark.skipif(not TSC, reason="there is no tsc; scripts/setup --tests installs it")
def test_a_right_program_compiles_and_each_wrong_line_does_not(folder: Path) -> None:
    shutil.copytree(CLIENT, folder / "formd")
    (folder / "package.json").write_text('{ "type": "module" }', encoding="utf-8")
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16"]

    def compiled(name: str, program: str) -> str:
        (folder / name).write_text(START + program, encoding="utf-8")
        command = [str(TSC), *options, name]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout

    assert compiled("right.ts", RIGHT) == ""
    lines = {int(line) for line in re.findall(r"^wrong\.ts\((\d+),", compiled("wrong.ts", WRONG), re.MULTILINE)}
    first = START.count("\n") + 1
    assert lines == set(range(first, first + WRONG.count("\n")))


@pytest.mark.skipif(not NODE, reason="there is no node; scripts/setup --tests installs it")
@pytest.mark.parametrize("module", MODULES)
def test_each_export_is_declared(module: str) -> None:
    # client.js looks for forms of the page as soon as it is there.
    page = "globalThis.document = { querySelectorAll: () => [], addEventListener() {}, readyState: 'complete' };"
    script = f"{page} console.log(JSON.stringify(Object.keys(await import('{CLIENT / module}.js'))))"
    run = subprocess.run([str(NODE), "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    declared = re.findall(
        r"^export (?:class|function) (\w+)", (CLIENT / f"{module}.d.ts").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(json.loads(run.stdout)) == sorted(declared)
