import { minute } from "@/contract/vocabulary/time";
import { databaseFault } from "./database-fault";
import type { Log } from "../log/log";

/** How long a start waits for an unreachable database or disk. */
const timeoutMilliseconds = 2 * minute;
const betweenTriesMilliseconds = 1_000;
const betweenLinesMilliseconds = 15_000;

/**
 * Resolves to what `attempt` resolves to. While it fails because the database or the disk is unreachable for a reason
 * that may pass, tries again each second for two minutes and logs that, with the server of the database at `url`. Rejects
 * with the last failure.
 */
export async function waitWhileAway<T>(
  { log, url }: { log: Log; url: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const waited = () => Math.round(performance.now() - began);
  let lastNotice: { sentence: string; at: number } | undefined;
  for (;;) {
    try {
      const result = await attempt();
      if (lastNotice) log.info("the start goes on", { milliseconds: waited() });
      return result;
    } catch (error) {
      const fault = databaseFault(error);
      const milliseconds = waited();
      if (!fault?.passes || milliseconds >= timeoutMilliseconds) throw error;
      const sentence = fault.sentence.replace(
        /^the server/,
        () => `the database server ${new URL(url).hostname}`,
      );
      if (lastNotice?.sentence !== sentence || milliseconds - lastNotice.at >= betweenLinesMilliseconds) {
        log.warn("the start waits", { reason: sentence, milliseconds });
        lastNotice = { sentence, at: milliseconds };
      }
    }
    await Bun.sleep(betweenTriesMilliseconds);
  }
}
