import type { Readable } from "node:stream";

const most = 1_024;

/**
 * The first 1 kB of an answer as UTF-8, without half a character at its end, and with control characters replaced.
 * Stops reading there; an answer that breaks off or takes too long counts as far as it came.
 */
export async function firstKilobyte(answer: Readable, over: Promise<unknown>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    answer.on("data", (piece: Buffer) => {
      if (bytes < most) read.push(piece.subarray(0, most - bytes));
      bytes += piece.length;
      if (bytes < most) return;
      answer.pause();
      resolve();
    });
    for (const end of ["end", "error", "close"]) answer.on(end, () => resolve());
    // Bun has already closed the socket of a 101
    if (answer.destroyed) resolve();
  });
  await Promise.race([ended, over]);
  answer.destroy();
  return asText(Buffer.concat(read));
}

const asText = (bytes: Buffer) =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/(?![\t\r\n])\p{Cc}/gu, "\ufffd");
