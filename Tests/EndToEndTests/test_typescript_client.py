"""The client for TypeScript and Node.js: its types, the kit, and the program of its README against a daemon."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import ROOT, Daemon, formctl_binary

CLIENT = ROOT / "protocol" / "clients" / "typescript"
ADAPTERS = Path(__file__).parent / "kit"
NODE = shutil.which("node")
TSC = shutil.which("tsc")
needs_node = pytest.mark.skipif(not NODE, reason="there is no node; scripts/setup --tests installs it")


@pytest.mark.skipif(not TSC, reason="there is no tsc; scripts/setup --tests installs it")
def test_a_program_with_strict_types_compiles() -> None:
    options = ["--strict", "--noEmit", "--target", "es2020", "--module", "es2020", "--moduleResolution", "node"]
    run = subprocess.run([str(TSC), *options, ADAPTERS / "types.ts"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@needs_node
def test_the_types_name_every_export() -> None:
    script = f"console.log(JSON.stringify(Object.keys(await import('{CLIENT / 'client.js'}'))))"
    run = subprocess.run([str(NODE), "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    declared = re.findall(r"^export (?:class|function) (\w+)", (CLIENT / "client.d.ts").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(json.loads(run.stdout)) == sorted(declared)


@needs_node
def test_the_client_passes_the_kit() -> None:
    command = [formctl_binary(), "client-kit", "--json", "--timeout", "30", "--", str(NODE), ADAPTERS / "node.mjs"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    results = json.loads(run.stdout)
    assert {one["name"]: one["problem"] for one in results["scenarios"] if not one["passed"]} == {}


def run_program(folder: Path, program: str, daemon: Daemon) -> str:
    shutil.copytree(CLIENT, folder / "formd", dirs_exist_ok=True)
    (folder / "program.mjs").write_text(program, encoding="utf-8")
    environment = {**os.environ, "FORMD_SOCKET": str(daemon.path)}
    run = subprocess.run(
        [str(NODE), "program.mjs"], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@needs_node
def test_the_program_of_the_page_runs(daemon: Daemon, folder: Path) -> None:
    text = (CLIENT / "README.md").read_text(encoding="utf-8")
    program = re.search(r"^```js\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert program
    printed = run_program(folder, program[1], daemon)
    assert printed == "{ email: 'That is not an email address.' }\nevent: succeeded\nsucceeded\n"


ROWS = """
import assert from "node:assert/strict";
import { connect, RefusedError } from "./formd/client.js";

const client = await connect();
const session = await client.open("invoice");
const rows = await Promise.all(Array.from({ length: 100 }, (_, quantity) => session.insert("items", { value: { quantity } })));
await Promise.all(rows.map((row, index) => session.set(`/items/#${row}/quantity`, index + 1)));
await session.move(`/items/#${rows[3]}`, 0);
await session.remove(session.rows("items")[1].address);
const { document } = await session.call("session/get");
assert.deepEqual(session.document, document);
assert.equal(session.rows("items")[0].id, rows[3]);
assert.equal(session.field("/items/0"), session.rows("items")[0].state);
await assert.rejects(session.set("itmes", 1), (error) => error instanceof RefusedError && error.code === 1004);
await assert.rejects(client.open("invioce"), { code: 1003 });
const waiting = assert.rejects(session.waitUntil(() => false), { name: "ClosedError" });
client.close();
await waiting;
await assert.rejects(session.blur("items"), { name: "ClosedError" });
"""


@needs_node
def test_the_document_of_many_inputs_equals_the_daemon_s(daemon: Daemon, folder: Path) -> None:
    run_program(folder, ROWS, daemon)
