// The kit's adapter for the TypeScript client: reads one command a line, and writes one report a line.
import readline from "node:readline";
import { ClosedError, connect, RefusedError, UnknownOutcomeError } from "../../../protocol/clients/typescript/client.js";

let session;
const events = [];

async function perform({ do: what, socket, form, keep, field, value, action }) {
  if (what === "open") {
    const client = await connect({ socket });
    session = await client.open(form, { keep });
    session.listen((change) => events.push(...change.events.map(({ seq }) => seq)));
  } else if (what === "set") {
    await session.set(field, value);
  } else if (what === "tap") {
    await session.tap(action);
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  let error = null;
  try {
    await perform(JSON.parse(line));
  } catch (problem) {
    if (problem instanceof UnknownOutcomeError) error = "unknown";
    else if (problem instanceof ClosedError) error = "closed";
    else if (problem instanceof RefusedError) error = problem.code;
    else error = problem.message;
  }
  console.log(JSON.stringify({ error, document: session?.document, events }));
}
