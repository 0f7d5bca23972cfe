import type { Context } from "hono";
import { minute } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { takeTurn } from "@/core/turns";

/** What is gathered before it is sent: pieces may be a few characters, or take a query each. */
const mostCharacters = 64 * 1024;
const mostMilliseconds = 5;
/** A reader who takes nothing for this long is given up. */
const patienceMilliseconds = minute;

/**
 * A file that is written as fast as it is read, with one such file at a time for each account. Refuses with
 * `rate_limited` while another one is under way.
 */
export function streamed(
  c: Context,
  { ctx, accountId, headers }: { ctx: Ctx; accountId: string; headers: Record<string, string> },
  pieces: AsyncIterable<string>,
): Response {
  // nobody reads the body of an answer to HEAD
  if (c.req.raw.method === "HEAD") return new Response(null, { headers });
  const end = takeTurn(ctx, `file:${accountId}`);
  c.req.raw.signal.addEventListener("abort", end);
  return new Response(readFrom(pieces[Symbol.asyncIterator](), end), { headers });
}

function readFrom(source: AsyncIterator<string>, end: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const finish = () => {
    clearTimeout(giveUp);
    end();
  };
  const giveUp = setTimeout(() => {
    finish();
    void source.return?.();
  }, patienceMilliseconds);
  giveUp.unref();
  return new ReadableStream(
    {
      async pull(controller) {
        giveUp.refresh();
        // local queries are synchronous: between two pulls, others get their turn
        await new Promise(setImmediate);
        try {
          const { text, done } = await some(source);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!done) return;
          finish();
          controller.close();
        } catch (error) {
          finish();
          throw error;
        }
      },
      async cancel() {
        finish();
        await source.return?.();
      },
    },
    // nothing is read before somebody asks for it
    { highWaterMark: 0 },
  );
}

/** The next pieces, as one. */
async function some(source: AsyncIterator<string>): Promise<{ text: string; done: boolean }> {
  const began = performance.now();
  let text = "";
  while (text.length < mostCharacters && (text === "" || performance.now() - began < mostMilliseconds)) {
    const next = await source.next();
    if (next.done) return { text, done: true };
    text += next.value;
  }
  return { text, done: false };
}
