import type { RefusalCode } from "@/contract/refusals";
import type { Ctx } from "@/core/context";
import type { Metrics } from "@/core/metrics";

/** What came of an interaction. `unanswered`: Discord did not take the answer. `ignored`: nothing was to be done. */
export type Outcome =
  | "answered"
  | "form"
  | "not_here"
  | "staff_only"
  | "discord_away"
  | "failed"
  | "unanswered"
  | "ignored"
  | RefusalCode;

/** A command, a button or a form that somebody used, by the name that the code has for it. */
export type Errand = { kind: "command" | "button" | "form"; name: string; run: () => Promise<Outcome> };

/** Every interaction has one line in the log, which says what was used and never what was typed, and is counted. */
export function watchErrands({ log }: Ctx, metrics: Metrics) {
  const count = metrics.counter(
    "latchkey_interactions_total",
    "Commands, buttons and forms used in Discord.",
    ["kind", "name", "outcome"],
  );
  return async ({ kind, name, run }: Errand): Promise<void> => {
    const began = performance.now();
    let outcome: Outcome = "unanswered";
    try {
      outcome = await run();
    } finally {
      const milliseconds = Math.round(performance.now() - began);
      count(kind, name, outcome);
      log.info("interaction", { kind, name, outcome, milliseconds });
    }
  };
}
