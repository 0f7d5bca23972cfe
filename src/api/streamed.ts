import type { Ctx } from "@/core/database/context";
import { takeTurn } from "@/core/limits/turns";
import { yieldToEventLoop } from "@/core/base/yield";
import type { RequestContext } from "./shop";

/** Gathers this much before sending: a piece may be a few characters, or take a query. */
const mostCharacters = 64 * 1024;
const mostMilliseconds = 5;

/**
 * Streams a file, writing it only as fast as the client reads it. Each account has one such stream at a time; refuses
 * another with `rate_limited`.
 */
export function streamFile(
  c: RequestContext,
  { ctx, accountId, headers }: { ctx: Ctx; accountId: string; headers: Record<string, string> },
  pieces: AsyncIterable<string>,
): Response {
  // an answer to HEAD has no body
  if (c.req.raw.method === "HEAD") return new Response(null, { headers });
  c.env.sendsMuch();
  const end = takeTurn(ctx, `file:${accountId}`);
  c.req.raw.signal.addEventListener("abort", end);
  return new Response(readFrom(pieces[Symbol.asyncIterator](), end), { headers });
}

function readFrom(source: AsyncIterator<string>, end: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        // local queries are synchronous: let requests in between two pulls
        await yieldToEventLoop();
        try {
          const { text, done } = await nextChunk(source);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!done) return;
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel() {
        end();
        await source.return?.();
      },
    },
    // reads nothing before the client asks for it
    { highWaterMark: 0 },
  );
}

/** The next pieces, joined. */
async function nextChunk(source: AsyncIterator<string>): Promise<{ text: string; done: boolean }> {
  const began = performance.now();
  let text = "";
  while (text.length < mostCharacters && (text === "" || performance.now() - began < mostMilliseconds)) {
    const next = await source.next();
    if (next.done) return { text, done: true };
    text += next.value;
  }
  return { text, done: false };
}
