import { randomBytes } from "node:crypto";
import type { Ledger } from "./ledger/ledger";

/** What was set while running, and must hold after a restart. */
export type Settings = {
  seed: string;
  /** 1 at the first start on a data folder, one more at each next. */
  run: number;
  webhookUrl(): string | null;
  keepWebhookUrl(url: string | null): void;
  clockAheadMs(): number;
  advanceClock(ms: number): void;
};

/** Counts this start, and takes up the seed that the ledger was begun with unless another is given. */
export function begin(ledger: Ledger, given: string | number | undefined): Settings {
  const read = (id: string) => ledger.settings.get(id)?.value;
  const write = (id: string, value: string) => {
    ledger.put("settings", { id, value });
    ledger.save();
  };
  const seed = String(given ?? read("seed") ?? randomBytes(8).toString("hex"));
  const run = Number(read("run") ?? 0) + 1;
  write("seed", seed);
  write("run", String(run));
  return {
    seed,
    run,
    webhookUrl: () => read("webhook_url") || null,
    keepWebhookUrl: (url) => write("webhook_url", url ?? ""),
    clockAheadMs: () => Number(read("clock_ahead_ms") ?? 0),
    advanceClock(ms) {
      write("clock_ahead_ms", String(Number(read("clock_ahead_ms") ?? 0) + ms));
    },
  };
}
