import type { TicketDetails, TicketTranscript } from "@/contract/tickets";
import { Refused, Unreachable } from "./client";

type Stored = { data: TicketDetails };
type Attempt = { text: string; known: ReadonlySet<string> };

/**
 * Sends messages of one ticket, none of them twice: if no answer came, looks whether the message was stored, at once
 * and before the same text is sent again.
 */
export function createWriter(calls: {
  send: (text: string) => Promise<Stored>;
  look: () => Promise<TicketTranscript>;
}) {
  let unsure: Attempt | null = null;

  const find = async ({ text, known }: Attempt): Promise<Stored | null> => {
    const { messages, ...ticket } = await calls.look();
    const isStored = messages.some(
      ({ id, author, content }) => author === "member" && content === text.trim() && !known.has(id),
    );
    return isStored ? { data: ticket } : null;
  };

  return async (text: string, known: ReadonlySet<string>): Promise<Stored> => {
    const earlier = unsure?.text === text ? unsure : null;
    const attempt = earlier ?? { text, known };
    const found = earlier && (await find(earlier));
    unsure = attempt;
    const stored = found ?? (await calls.send(text).catch((problem) => lookAfter(problem, attempt)));
    unsure = null;
    return stored;
  };

  async function lookAfter(problem: unknown, attempt: Attempt): Promise<Stored> {
    if (!mayBeStored(problem)) unsure = null;
    const found = unsure && (await find(attempt).catch(() => null));
    if (!found) throw problem;
    return found;
  }
}

/** Something between us and the shop may answer with a page of its own, which has no code. */
const mayBeStored = (problem: unknown): boolean =>
  problem instanceof Unreachable ||
  (problem instanceof Refused &&
    (problem.code === "unconfirmed" || (problem.status >= 500 && problem.code === undefined)));
