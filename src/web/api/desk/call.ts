import { ask, Refused, send } from "../client";

/** The person closed the dialog that asked for a code, so the call was not made. */
export class NotConfirmed extends Error {}

/** Asks for a code and sends it; resolves to whether the member of staff has confirmed. */
type Confirm = () => Promise<boolean>;

let confirm: Confirm | undefined;
let asked: Promise<boolean> | undefined;
const leavers = new Set<() => void>();

/** Sets the function that asks for a code when a call needs one; returns a function that unsets it. */
export function setConfirm(asking: Confirm): () => void {
  confirm = asking;
  return () => void (confirm = undefined);
}

/** Calls back when the shop says that this browser is no longer on the desk; returns a function that stops. */
export function onDeskLeft(leave: () => void): () => void {
  leavers.add(leave);
  return () => void leavers.delete(leave);
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads from the desk: `readDesk("customers", { staff: "owner" })`. Resolves to the answer's `data`. */
export const readDesk = <Data>(path: string, query: Query = {}): Promise<Data> =>
  callDesk<Data>(`${path}${queryText(query)}`);

/**
 * Changes something by the desk, and asks for a code first if the shop wants one.
 * @throws {NotConfirmed} if no code was typed
 */
export const writeDesk = <Data>(path: string, body: object = {}): Promise<Data> =>
  callDesk<Data>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Sends bytes to the desk, such as a part of a file. */
export const sendBytes = <Data>(path: string, bytes: ArrayBuffer): Promise<Data> =>
  callDesk<Data>(path, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: bytes,
  });

/** Asks for a code beforehand, for a download, which can't be sent again. */
export async function expectConfirmed(): Promise<void> {
  asked ??= (confirm?.() ?? Promise.resolve(false)).finally(() => (asked = undefined));
  if (!(await asked)) throw new NotConfirmed("This needs a code from your authenticator app");
}

export async function callDesk<Data>(path: string, init?: RequestInit): Promise<Data> {
  try {
    return await callOnce<Data>(path, init);
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.code !== "confirm") throw problem;
    await expectConfirmed();
    return callOnce<Data>(path, init);
  }
}

async function callOnce<Data>(path: string, init?: RequestInit): Promise<Data> {
  try {
    // the wire schemas of `contract/wire/desk` say what each call answers
    const { data } = (await ask(send(`/api/desk/${path}`, init))) as { data: Data };
    return data;
  } catch (problem) {
    if (problem instanceof Refused && problem.code === "unauthenticated")
      for (const leave of leavers) leave();
    throw problem;
  }
}

/** `?a=1&b=2` without what is undefined or empty. */
export function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
