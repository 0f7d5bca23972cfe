import type { AnswerOf, Declaration, Sent } from "@/contract/operations/operation";
import { callDesk, queryText } from "./call";

/**
 * Makes the call of a declared operation, and asks for a code first if the shop wants one.
 * @throws {NotConfirmed} if no code was typed
 */
export function callOperation<D extends Declaration>(declared: D, sent: Sent<D>): Promise<AnswerOf<D>> {
  const [method, path = ""] = declared.call.split(" ");
  const { id, ...others } = sent as Record<string, unknown>;
  const isOfOne = path.includes("{id}");
  const address = isOfOne ? path.replace("{id}", () => encodeURIComponent(String(id))) : path;
  const rest = isOfOne ? others : sent;
  if (method === "GET") return callDesk(`${address}${queryText(rest as Parameters<typeof queryText>[0])}`);
  return callDesk(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rest),
  });
}
