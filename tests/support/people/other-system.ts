import { operator } from "@/core/base/actor";
import { addServerKey } from "@/domain/keys/server-keys";
import type { Stage } from "../shop/stage";
import type { Answer } from "./person";

/** Another system with a server key. */
export async function otherSystem(stage: Stage, name = "forum") {
  const { key } = await addServerKey(stage.ctx, name, { actor: operator, reason: "a story" });
  const person = stage.person();
  const get = (path: string) => person.get(`/api/v1/${path}`, { authorization: `Bearer ${key}` });
  return { key, get, every: (kind: string, query: string) => everyPage(get, kind, query) };
}

/** Every row of a list, a page after the other. `between` is called after each page. */
export async function everyPage(
  get: (path: string) => Promise<Answer>,
  kind: string,
  query: string,
  between: () => Promise<unknown> = async () => {},
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
): Promise<any[]> {
  const rows = [];
  for (let after = ""; ;) {
    const { status, body } = await get(`${kind}?${query}${after}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    rows.push(...body.data);
    if (body.next === null) return rows;
    after = `&after=${body.next}`;
    await between();
  }
}
