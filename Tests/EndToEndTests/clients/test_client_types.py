"""What scripts/lib/client_types.py writes from protocol/openrpc.json: the types of clients, and constants."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import client_types
from harness import ROOT

DOCUMENT = client_types.Document(client_types.DOCUMENT.read_text(encoding="utf-8"))
TYPESCRIPT = ROOT / "protocol" / "clients" / "typescript" / "types.d.ts"
GO = ROOT / "protocol" / "clients" / "go" / "types.go"


def run(*command: str | Path, folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **options)


def test_the_files_are_what_the_document_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert client_types.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name, old, new", [
    (next(iter(client_types.FILES)), "export", "// export"),
    *((path, "isTouched", "isBent") for path in client_types.USUAL),
])  # fmt: skip
def test_a_stale_file_is_named_and_written_again(
    name: str, old: str, new: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in [*client_types.FILES, *client_types.USUAL]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    monkeypatch.setattr(client_types, "ROOT", folder)
    stale = folder / name
    right = stale.read_text(encoding="utf-8")
    stale.write_text(right.replace(old, new, 1), encoding="utf-8")
    assert client_types.main(["--check"]) == 1
    assert capsys.readouterr().out == f"{name} does not match protocol/openrpc.json; run scripts/lib/client_types.py\n"
    assert client_types.main([]) == 0
    assert stale.read_text(encoding="utf-8") == right
    assert client_types.main(["--check"]) == 0


@pytest.mark.parametrize("path", client_types.FILES)
def test_every_schema_and_all_params_have_a_type(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    writer = client_types.FILES[path](DOCUMENT)
    for kind in DOCUMENT.kinds + DOCUMENT.params:
        assert writer.reference(kind.name) in text


PROGRAM = """
import type { Document, Errors, Event, FieldState, Methods, Notifications, Requests } from "./types";

declare function call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]>;
declare function on<M extends keyof Notifications>(method: M, heard: (params: Notifications[M]) => void): void;

export async function main(): Promise<string[]> {
  const opened = await call("session/open", { form: "login", keep: "10m" });
  const document: Document = opened.document;
  on("session/update", (update) => (update.events ?? []).forEach((event: Event) => console.log(event.kind, update.from)));
  const field: FieldState | undefined = document.fields?.["email"];
  const tapped = await call("action/tap", { action: "login", await: true });
  if (tapped.event?.kind === "succeeded") console.log(tapped.event.result);
  const info = await call("server/info", {});
  console.log(info.limits.sessionsMax + 1, field?.errors?.[0]?.message);
  const data: Errors["1003"] = { form: "logn", closest: "login" };
  const asked: Requests["provider/evaluate"]["params"] = { name: "stock", arguments: {} };
  return [data.form, asked.name, ...Object.keys(document.rows ?? {})];
}
"""


@pytest.mark.skipif(shutil.which("tsc") is None, reason="there is no tsc here (Debian: node-typescript)")
def test_typescript_accepts_a_program_and_refuses_its_mistakes(folder: Path) -> None:
    shutil.copy(TYPESCRIPT, folder / "types.d.ts")
    right = PROGRAM.replace("...Object.keys(document.rows ?? {})", "...Object.keys(document.steps ?? {})")
    mistakes = {
        "does not exist": PROGRAM,
        "not assignable": right.replace('form: "login", keep', 'form: 7, keep'),
        "no overlap": right.replace('"succeeded"', '"suceeded"'),
    }
    (folder / "program.ts").write_text(right, encoding="utf-8")
    command = ["tsc", "--strict", "--noEmit", "--target", "es2020", "program.ts", "types.d.ts"]
    done = run(*command, folder=folder)
    assert done.returncode == 0, done.stdout
    for said, wrong in mistakes.items():
        (folder / "program.ts").write_text(wrong, encoding="utf-8")
        done = run(*command, folder=folder)
        assert done.returncode != 0 and said in done.stdout, done.stdout


def examples() -> list[dict[str, Any]]:
    """The document's examples: the name of a type, and a value of it."""
    found = []
    writer = client_types.Go(DOCUMENT)
    for method in DOCUMENT.json["methods"]:
        (example,) = method["examples"]
        if method["params"]:
            value = {param["name"]: param["value"] for param in example["params"]}
            found.append({"type": client_types.camel(method["name"]) + "Params", "value": value})
        reference = method.get("result", {}).get("schema", {}).get("$ref")
        if reference:
            found.append({"type": writer.type({"$ref": reference}), "value": example["result"]["value"]})
    for push in DOCUMENT.json["x-notifications"] + DOCUMENT.json["x-requests"]:
        found.append({"type": writer.type(push["params"]), "value": push["example"]})
    return found


@pytest.mark.skipif(shutil.which("go") is None, reason="there is no go here (Debian: golang-go)")
def test_go_reads_the_examples_of_the_document_and_writes_them_unchanged(folder: Path) -> None:
    (folder / "formd").mkdir()
    shutil.copy(GO, folder / "formd")
    (folder / "go.mod").write_text("module example\n\ngo 1.19\n", encoding="utf-8")
    cases = "\n".join(f'\tcheck("{one["type"]}", `{json.dumps(one["value"]).replace("`", "")}`, &formd.{one["type"]}{{}})'
                      for one in examples())  # fmt: skip
    (folder / "main.go").write_text(
        """package main

import (
	"bytes"
	"encoding/json"
	"log"
	"reflect"

	"example/formd"
)

// The value without empty objects and lists, which are left out.
func pruned(value any) any {
	object, isObject := value.(map[string]any)
	for name, member := range object {
		list, isList := member.([]any)
		if inner, isInner := pruned(member).(map[string]any); (isInner && len(inner) == 0) || (isList && len(list) == 0) {
			delete(object, name)
		}
	}
	if isObject {
		return object
	}
	return value
}

func check(name, text string, value any) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		log.Fatal(name, ": ", err)
	}
	written, err := json.Marshal(value)
	if err != nil {
		log.Fatal(name, ": ", err)
	}
	var before, after any
	_ = json.Unmarshal([]byte(text), &before)
	_ = json.Unmarshal(written, &after)
	if !reflect.DeepEqual(pruned(before), pruned(after)) {
		log.Fatalf("%s: %s became %s", name, text, written)
	}
}

func main() {
"""
        + cases
        + "\n}\n",
        encoding="utf-8",
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
    assert run("gofmt", "-l", GO, folder=folder).stdout == ""
    for command in (["go", "vet", "./..."], ["go", "run", "."]):
        done = run(*command, folder=folder, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
