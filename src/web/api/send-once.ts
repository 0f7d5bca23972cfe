import { Refused, Unreachable } from "./client";

/**
 * Sends a content under a key by which the shop stores it once. If no answer came, sends it again, at once and
 * whenever the caller does; another content gets another key.
 */
export function createSender<Content, Answer>(send: (content: Content, key: string) => Promise<Answer>) {
  let unsure: { content: string; key: string } | null = null;

  return async (content: Content): Promise<Answer> => {
    const written = JSON.stringify(content);
    const { key } = unsure?.content === written ? unsure : { key: newKey() };
    unsure = { content: written, key };
    const answer = await send(content, key).catch((problem: unknown) => {
      if (mayBeStored(problem)) return send(content, key);
      throw problem;
    });
    unsure = null;
    return answer;
  };
}

/** `crypto.randomUUID` is only there on https. */
const newKey = (): string => [...crypto.getRandomValues(new Uint32Array(4))].join("-");

/** Something between us and the shop may answer with a page of its own, which has no code. */
const mayBeStored = (problem: unknown): boolean =>
  problem instanceof Unreachable ||
  (problem instanceof Refused &&
    (problem.code === "unconfirmed" || (problem.status >= 500 && problem.code === undefined)));
