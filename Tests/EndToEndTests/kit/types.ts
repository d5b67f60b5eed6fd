// Uses the types of the TypeScript client; a test compiles it with tsc --strict, and never runs it.
import { connect, rowsOf, RefusedError, UnknownOutcomeError } from "../../../protocol/clients/typescript/client.js";

export async function login(): Promise<string> {
  const client = await connect({ patience: 1000 });
  const session = await client.open("login", { keep: "10m", locale: "en", show: "always", onlyPublic: true });
  const forget = session.listen(({ cause, events }) => console.log(cause, events.map(({ kind }) => kind)));
  const revision: number = (await session.set("email", "kim", { commit: true })).revision;
  const message: string | undefined = session.document.messages?.email;
  for (const row of rowsOf(session.document, "items")) console.log(row.id, row.address, row.state.isValid);
  try {
    const event = await session.tapAndWait("login");
    return event?.kind ?? message ?? String(revision);
  } catch (error) {
    if (error instanceof RefusedError && error.code === 1004) return String(error.data?.closest);
    if (error instanceof UnknownOutcomeError) return error.method;
    throw error;
  } finally {
    forget();
    const { revision: current } = await session.call("session/get");
    await session.call("field/change", { field: "email", value: String(current) });
    const { forms } = await client.call("form/list");
    console.log(forms.map(({ form }) => form));
    client.close();
  }
}
