import type { RefusalCode } from "@/contract/vocabulary/refusals";
import type { Ctx } from "@/core/database/context";
import type { Metrics } from "@/core/log/metrics";

/** How an interaction ended. `unanswered`: Discord rejected the answer. `ignored`: there was nothing to do. */
export type Outcome =
  | "answered"
  | "form"
  | "not_here"
  | "staff_only"
  | "owners_only"
  | "discord_away"
  | "failed"
  | "unanswered"
  | "ignored"
  | RefusalCode;

/** A used command, button or form, under its name in the code. */
export type InteractionTask = {
  kind: "command" | "button" | "form";
  name: string;
  run: () => Promise<Outcome>;
};

/** Counts each interaction and logs one line, with the command's name and never the typed text. */
export function logInteractions({ log }: Ctx, metrics: Metrics) {
  const count = metrics.counter(
    "latchkey_interactions_total",
    "Commands, buttons and forms used in Discord.",
    ["kind", "name", "outcome"],
  );
  return async ({ kind, name, run }: InteractionTask): Promise<void> => {
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
