import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { newTrace, traced } from "@/core/trace";

export type Repeated = {
  /** Does it once more, as soon as its pause allows. */
  soon(): void;
  stop(): Promise<void>;
};

export type Turns = {
  name: string;
  every: number;
  /** Between the end of one turn that did something and the next. */
  pause?: number;
  /** Resolves to false when there was nothing to do, so that no pause is needed. */
  act: () => Promise<unknown>;
};

const tickMilliseconds = 500;
const afterFailureMilliseconds = 5_000;

/**
 * Does something again and again, never twice at once. A failure is logged and another turn comes soon. Time
 * is the context's, so that tests can move it; a clock that is set back does not keep a turn from coming.
 */
export function everySoOften(ctx: Ctx, { name, every, pause = 0, act }: Turns): Repeated {
  let running: Promise<void> | undefined;
  let lastAt = ctx.now().getTime();
  let endedAt = Number.NEGATIVE_INFINITY;
  let rest = 0;
  let asked = false;
  const turn = async () => {
    try {
      const did = await act();
      rest = did === false ? 0 : pause;
    } catch (error) {
      ctx.log.warn("the bot will try again", { topic: name, reason: reasonOf(error) });
      rest = afterFailureMilliseconds;
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
  return {
    soon() {
      asked = true;
      look();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
