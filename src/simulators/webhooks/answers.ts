import { z } from "zod";

/** The endpoint's answer, until the next change or for a number of times. */
export const answerBody = z.strictObject({
  mode: z.enum(["accept", "fail", "busy", "gone", "redirect", "slow"]),
  times: z.int().positive().optional(),
  /** The `Retry-After` of `busy`. */
  retryAfterSeconds: z.int().nonnegative().default(60),
  /** How long `slow` waits before it accepts, in milliseconds. */
  delayMs: z.int().nonnegative().max(200_000).default(20_000),
});

export type AnswerInForce = z.output<typeof answerBody>;
export type Mode = AnswerInForce["mode"];

export const statusOf: Record<Mode, 204 | 307 | 410 | 500 | 503> = {
  accept: 204,
  fail: 500,
  busy: 503,
  gone: 410,
  redirect: 307,
  slow: 204,
};

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers() {
  const accept = answerBody.parse({ mode: "accept" });
  let current = accept;
  return {
    current: () => current,
    set: (answer: AnswerInForce) => (current = answer),
    /** This request's answer; counts it down. */
    take(): AnswerInForce {
      const answer = current;
      if (answer.times === 1) current = accept;
      else if (answer.times !== undefined) current = { ...answer, times: answer.times - 1 };
      return answer;
    },
  };
}
