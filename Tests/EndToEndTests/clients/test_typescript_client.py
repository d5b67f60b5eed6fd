"""The client for TypeScript and Node.js: its types, the kit, and the program of its README against a daemon."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from harness import ROOT, Daemon, formctl_binary

CLIENT = ROOT / "protocol" / "clients" / "typescript"
ADAPTERS = Path(__file__).parents[1] / "kit"
NODE = shutil.which("node")
TSC = shutil.which("tsc")
needs_node = pytest.mark.skipif(not NODE, reason="there is no node; scripts/setup --tests installs it")


# Each line is wrong by itself.
WRONG = """\
export const nonsense: number = session.document.nonsense.of.mine;
export const kind = (await session.tapAndWait("login"))?.knid;
await client.call("form/describe", { from: "login" });
await client.call("session/attach");
await client.call("server/backup");
await client.call("no/such", {});
await session.call("field/chnge", { field: "email", value: 1 });
await session.call("field/focus", { feild: "email" });
await session.call("field/focus");
await session.call("form/list");
await session.call("server/endSession");
export const text: string = (await session.call("session/get")).revision;
await client.open("login", { show: "never" });
"""


@pytest.mark.skipif(not TSC, reason="there is no tsc; scripts/setup --tests installs it")
@pytest.mark.parametrize("resolution", ["node", "node16", "nodenext"])
def test_a_program_with_strict_types_compiles_and_each_wrong_line_does_not(resolution: str, folder: Path) -> None:
    shutil.copytree(CLIENT, folder / "formd")
    (folder / "package.json").write_text('{ "type": "module" }', encoding="utf-8")
    right = (ADAPTERS / "types.ts").read_text(encoding="utf-8").replace("../../../protocol/clients/typescript/", "./formd/")
    (folder / "right.ts").write_text(right, encoding="utf-8")
    start = 'import { connect } from "./formd/client.js"; const client = await connect(), session = await client.open("f");'
    (folder / "wrong.ts").write_text(f"{start}\n{WRONG}", encoding="utf-8")
    module = "es2022" if resolution == "node" else resolution
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", module, "--moduleResolution", resolution]

    def compiled(name: str) -> str:
        command = [str(TSC), *options, name]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout

    assert compiled("right.ts") == ""
    lines = {int(line) for line in re.findall(r"^wrong\.ts\((\d+),", compiled("wrong.ts"), re.MULTILINE)}
    assert lines == set(range(2, 2 + WRONG.count("\n")))


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
    return run_node(folder, program, FORMD_SOCKET=str(daemon.path))


def run_node(folder: Path, program: str, **environment: str) -> str:
    shutil.copytree(CLIENT, folder / "formd", dirs_exist_ok=True)
    (folder / "program.mjs").write_text(program, encoding="utf-8")
    environment = {**os.environ, **environment}
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


# A scripted server in the place of the daemon: `serve` gets each connection, and its end closes the connection.
FAKE = """
import assert from "node:assert/strict";
import net from "node:net";
import readline from "node:readline";
import { connect } from "./formd/client.js";

let accepted = 0;
async function play(options, serve) {
  accepted = 0;
  const path = `fake${Math.random()}`;
  const server = net.createServer(async (socket) => {
    const number = ++accepted;
    const lines = readline.createInterface({ input: socket })[Symbol.asyncIterator]();
    socket.on("error", () => {});
    const write = (message) => socket.write(JSON.stringify(message) + "\\n");
    await serve({
      number, socket, write,
      read: async () => { const { value } = await lines.next(); return value && JSON.parse(value); },
      refuse: ({ id }, code, data) => write({ id, error: { code, message: "No", data } }),
      answer: ({ id }, more) => write(
        { id, result: { session: 1, revision: 0, values: {}, key: "K", document: { connection: number }, ...more } }),
    });
    socket.end();
  });
  await new Promise((resolve) => server.listen(path, resolve));
  server.unref();
  return connect({ socket: path, ...options });
}
const ended = (session) => session.waitUntil(() => false).then(assert.fail, (error) => error);
"""

PATIENCE = """
const client = await play({ patience: 1000 }, async ({ number, read, answer }) => {
  const request = await read();
  if (number === 1) answer(request);
  assert(number < 100, "a hundred connections in a second");
});
const error = await ended(await client.open("f", { keep: "1m" }));
assert.match(error.message, /could not be restored: the connection was lost/);
assert(client.isClosed && accepted <= 8, `${accepted} connections`);
"""

NO_ROOM = """
const client = await play({ patience: 1000 }, async ({ number, read, answer, write }) => {
  assert(number < 100, "a hundred connections in a second");
  if (number === 1) return answer(await read());
  write({ id: null, error: { code: 1011, message: "No room", data: { limit: "connectionsMax", retryAfterMs: 60000 } } });
});
const error = await ended(await client.open("f", { keep: "1m" }));
assert.match(error.message, /No room/);
assert.equal(accepted, 2);
"""

ATTACHED = """
const client = await play({ patience: 1000 }, async ({ read, answer }) => {
  answer(await read());
  await read();
});
const session = await client.open("f", { keep: "1m" });
for (let number = 1; number <= 12; number++) {
  await session.waitUntil(() => session.document.connection === number);
  await assert.rejects(session.tap("go"), { name: "UnknownOutcomeError" });
}
client.close();
"""

GET = """
const client = await play({}, async ({ read, answer, refuse, write }) => {
  answer(await read());
  write({ method: "session/desync", params: { session: 1, revision: 7, eventsLost: 0 } });
  refuse(await read(), 1011, { retryAfterMs: 1 });
  const request = await read();
  answer(request, { revision: 7, document: { is: request?.method } });
  await read();
});
const session = await client.open("f", { keep: "1m" });
const late = setTimeout(() => { throw new Error("session/get was not asked again"); }, 10_000);
await session.waitUntil(() => session.document.is === "session/get");
clearTimeout(late);
client.close();
"""

DRAINING = """
const client = await play({}, async ({ number, read, answer, refuse }) => {
  const request = await read();
  if (number === 2) return refuse(request, 1010);
  answer(request);
  if (number === 3) await read();
});
const session = await client.open("f", { keep: "1m" });
await session.waitUntil(() => session.document.connection === 3);
client.close();
"""

TWICE = """
const client = await play({}, async ({ read, answer }) => {
  for (let request = await read(); request; request = await read()) answer(request);
});
const session = await client.open("f", { keep: "1m" });
assert.equal(await client.attach("K"), session);
client.close();
"""

THROWING = """
const uncaught = [];
process.on("uncaughtException", (error) => uncaught.push(error.message));
const client = await play({}, async ({ read, answer, socket }) => {
  answer(await read());
  const update = (revision) => JSON.stringify({ method: "session/update", params: {
    session: 1, from: revision - 1, revision, cause: "effect", patch: { revision } } });
  const { id } = await read();
  const lines = [update(1), "this is not JSON", "null", "[]", update(2), JSON.stringify({ id, result: { revision: 2 } })];
  socket.write(lines.map((line) => line + "\\n").join(""));
  await read();
});
const session = await client.open("f", { keep: "1m" });
session.listen(({ patch }) => { throw new Error(`listener ${patch.revision}`); });
const heard = [];
session.listen(({ patch }) => heard.push(patch.revision));
const condition = assert.rejects(session.waitUntil(({ revision }) => { if (revision) throw new Error("condition"); }), /condition/);
const late = setTimeout(() => { console.log("the answer was not read", uncaught); process.exit(1); }, 10_000);
await session.set("a", 1);
await condition;
clearTimeout(late);
assert.deepEqual(heard, [1, 2]);
assert.deepEqual(uncaught, ["listener 1", "listener 2"]);
assert.equal(session.document.revision, 2);
client.close();
"""


@needs_node
@pytest.mark.parametrize(
    "program",
    [PATIENCE, NO_ROOM, ATTACHED, GET, DRAINING, TWICE, THROWING],
    ids=["patience", "no-room", "attached", "get", "draining", "twice", "throwing"],
)
def test_the_client_against_a_scripted_server(program: str, folder: Path) -> None:
    run_node(folder, FAKE + program)


REFUSED = """
import { connect } from "./formd/client.js";

const client = await connect({ patience: 1000 });
const session = await client.open("f", { keep: "1m" });
await session.waitUntil(() => false).catch(({ message }) => console.log(message));
"""


@needs_node
def test_the_error_of_a_connection_that_is_closed_at_once_is_read(folder: Path) -> None:
    """A write to the closed connection must not lose it: by its retryAfterMs the client knows that it need not try."""
    opened = {"session": 1, "revision": 0, "values": {}, "key": "K", "document": {}}
    refusal = {"id": None, "error": {"code": 1011, "message": "No room", "data": {"retryAfterMs": 60000}}}
    accepted = 0

    def serve() -> None:
        nonlocal accepted
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                accepted += 1
                message = refusal
                if accepted == 1:
                    with connection.makefile() as lines:
                        message = {"id": json.loads(lines.readline())["id"], "result": opened}
                connection.sendall(json.dumps(message).encode() + b"\n")

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "s"))
        listening.listen(50)
        threading.Thread(target=serve, daemon=True).start()
        printed = run_node(folder, REFUSED, FORMD_SOCKET=str(folder / "s"))
    assert printed == "the connection could not be restored: connection: No room (1011)\n"
    # Node drops a refusal that comes between the client's last look and its write. That is rare, so the next is read.
    assert accepted in (2, 3), accepted
