import { minute } from "@/contract/time";
import { databaseTrouble } from "./database-trouble";
import type { Log } from "./log";

/** How long a start waits for a database or a disk that is away. */
const patienceMilliseconds = 2 * minute;
const betweenTriesMilliseconds = 1_000;
const betweenLinesMilliseconds = 15_000;

/**
 * Resolves to what `attempt` resolves to. While that fails because the database or the disk is away for a reason
 * that may pass, tries again each second for two minutes, and says so in the log. Rejects with the last failure.
 */
export async function waitWhileAway<T>(log: Log, attempt: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const waited = () => Math.round(performance.now() - began);
  let told: { sentence: string; at: number } | undefined;
  for (;;) {
    try {
      const result = await attempt();
      if (told) log.info("the start goes on", { milliseconds: waited() });
      return result;
    } catch (error) {
      const trouble = databaseTrouble(error);
      const milliseconds = waited();
      if (!trouble?.passes || milliseconds >= patienceMilliseconds) throw error;
      const { sentence } = trouble;
      if (told?.sentence !== sentence || milliseconds - told.at >= betweenLinesMilliseconds) {
        log.warn("the start waits", { reason: sentence, milliseconds });
        told = { sentence, at: milliseconds };
      }
    }
    await Bun.sleep(betweenTriesMilliseconds);
  }
}
