import { setTimeout } from "node:timers/promises";
import type { Ctx } from "@/core/database/context";

const checkEveryMilliseconds = 200;

/** Resolves once this much time has passed on the context's clock; rejects if `signal` aborts first. */
export async function waitOnClock({ now }: Ctx, milliseconds: number, signal: AbortSignal): Promise<void> {
  const began = now().getTime();
  for (;;) {
    signal.throwIfAborted();
    const left = milliseconds - Math.abs(now().getTime() - began);
    if (left <= 0) return;
    await setTimeout(Math.min(left, checkEveryMilliseconds), undefined, { signal });
  }
}
