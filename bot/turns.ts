import { setTimeout } from "node:timers/promises";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { newTrace, traced } from "@/core/trace";

export type Repeated = {
  /** Does it once more, as soon as its pause allows. */
  soon(): void;
  /** Discord is back: the same, and what failed before is tried at once. */
  afresh(): void;
  stop(): Promise<void>;
};

export type Turns = {
  name: string;
  /** Without it, it is only done when asked for. */
  every?: number;
  /** Between the end of one turn that did something and the next. */
  pause?: number;
  /** Resolves to false when there was nothing to do, so that no pause is needed. */
  act: () => Promise<unknown>;
};

const tickMilliseconds = 500;
const firstFailurePauseMilliseconds = 5_000;
const longestFailurePauseMilliseconds = 5 * 60_000;

/**
 * Does something again and again, never twice at once. A failure is logged and tried again, after a longer
 * pause each time. Time is the context's, so that tests can move it; a clock that is set back does not keep a turn
 * from coming.
 */
export function everySoOften(ctx: Ctx, { name, every = Infinity, pause = 0, act }: Turns): Repeated {
  let running: Promise<void> | undefined;
  let lastAt = ctx.now().getTime();
  let endedAt = Number.NEGATIVE_INFINITY;
  let rest = 0;
  let failures = 0;
  let asked = false;
  const turn = async () => {
    try {
      const did = await act();
      failures = 0;
      rest = did === false ? 0 : pause;
    } catch (error) {
      failures += 1;
      rest = Math.min(firstFailurePauseMilliseconds * 2 ** (failures - 1), longestFailurePauseMilliseconds);
      const reason = reasonOf(error);
      ctx.log.warn("the bot will try again", { topic: name, reason, attempts: failures, milliseconds: rest });
      asked = true;
    }
    endedAt = ctx.now().getTime();
    running = undefined;
  };
  const look = () => {
    const now = ctx.now().getTime();
    const due = asked || Math.abs(now - lastAt) >= every;
    if (running || !due || Math.abs(now - endedAt) < rest) return;
    asked = false;
    lastAt = now;
    running = traced(newTrace(), turn);
  };
  const timer = setInterval(look, tickMilliseconds);
  const soon = () => {
    asked = true;
    look();
  };
  return {
    soon,
    afresh() {
      if (failures > 0) rest = 0;
      failures = 0;
      soon();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

const lookMilliseconds = 200;

/** Resolves once so much time has passed on the context's clock; rejects when `signal` aborts before. */
export async function elapsed({ now }: Ctx, milliseconds: number, signal: AbortSignal): Promise<void> {
  const began = now().getTime();
  for (;;) {
    signal.throwIfAborted();
    const left = milliseconds - Math.abs(now().getTime() - began);
    if (left <= 0) return;
    await setTimeout(Math.min(left, lookMilliseconds), undefined, { signal });
  }
}
